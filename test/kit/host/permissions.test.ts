/** Calls of a host about permissions, with a user in front of the dialog. */
import { describe, expect, test } from 'vitest'
import type { KitContext } from '../../../src/kit/context.ts'
import {
  delegateWallet,
  listPermissions,
  revokeDelegatedWallets,
  stopPermission,
} from '../../../src/kit/host/permissions.ts'
import { createHttp } from '../../../src/protocol/http.ts'
import { appId } from '../../support/api.ts'
import { type Ending, fakeApprovals } from '../../support/approvals.ts'
import { testClock } from '../../support/clock.ts'
import { embeddedKit, ethereumAccount, onSolana, walletAccount } from '../../support/embedded-kit.ts'

const permission = {
  id: 'g-1',
  address: ethereumAccount.address,
  status: 'active',
  signer: { name: 'Harbor', key: 'k' },
  purpose: 'Pays for your mooring',
  not_before: 1_700_000_000,
  not_after: 1_702_592_000,
  ended_at: null,
  ended_by: null,
  uses: 2,
  max_uses: null,
  limits: [
    {
      chain: 'eip155:1',
      asset: 'native',
      symbol: 'ETH',
      decimals: 18,
      per_transaction: '1',
      per_window: '2',
      window_seconds: 60,
      total: '9',
    },
  ],
  spent: [{ chain: 'eip155:1', asset: 'native', in_window: '1', total: '4' }],
  latest: [{ id: 'u', at: 1_700_000_100, chain: 'eip155:1', target: '0x12', status: 'sent', hash: '0xab' }],
}

function set({
  ending,
  delegated = false,
  status = 200,
}: {
  ending?: Ending
  delegated?: boolean
  status?: number
} = {}) {
  const wallets = [walletAccount({ delegated }), { ...onSolana, delegated }]
  const approvals = fakeApprovals(() => ending)
  const clock = testClock()
  const parts = embeddedKit({ wallets, approvals, clock })
  const called: string[] = []
  const http = createHttp({
    base: 'https://api.example.com',
    appId,
    tokens: () => undefined,
    analyticsId: () => '',
    clock,
    fetch: async (input: string) => {
      called.push(new URL(input).pathname)
      return new Response(
        JSON.stringify(status === 200 ? { grants: [permission] } : { code: 'invalid_data' }),
        {
          status,
        },
      )
    },
  } as never)
  let refreshed = 0
  const context = {
    ...parts.hostContext,
    app: {
      ...parts.hostContext.app,
      state: { ...parts.hostContext.app.state, get: () => ({ user: { id: 'u1', linkedAccounts: wallets } }) },
    },
    services: async () => {
      const services = await parts.hostContext.services()
      const embedded = await services.wallets.embedded()
      const own = {
        ...embedded,
        find: (address?: string) => wallets.find((each) => address === undefined || each.address === address),
        async connect() {},
        async refresh() {
          refreshed++
        },
      }
      return { ...services, http: () => http, wallets: { ...services.wallets, embedded: async () => own } }
    },
  } as unknown as KitContext
  return { ...parts, context, approvals, called, refreshed: () => refreshed }
}
const ended = (work: Promise<unknown>) => work.then(String, (cause: unknown) => cause)

describe('delegated actions', () => {
  test('delegateWallet: the vault is asked about that wallet, and the success closes by itself', async () => {
    const kit = set({ ending: { answer: { id: 'g-1', expiresAt: 1_700_000_000 } } })
    const done = delegateWallet(kit.context, { address: onSolana.address, permission: 'daily' })
    await kit.person.follow([
      { on: 'permission-result', expect: ({ outcome }) => expect(outcome).toBe('enabled') },
      { wait: 2_600 },
    ])
    expect(await done).toEqual({ id: 'g-1', expiresAt: new Date(1_700_000_000_000) })
    expect(kit.approvals.requests()).toEqual([
      [
        'grant',
        {
          root: { chainType: 'solana', address: onSolana.address },
          chainType: 'solana',
          walletIndex: 0,
          address: onSolana.address,
          permission: 'daily',
        },
      ],
    ])
    expect(kit.refreshed()).toBe(1)
    expect(kit.runs.isOpen.get()).toBe(false)
  })

  test('delegateWallet: a user who says no, and a wallet that is delegated already, throw', async () => {
    const kit = set({ ending: 'rejected' })
    const declined = ended(delegateWallet(kit.context, {}))
    await kit.person.follow([{ wait: 3_000 }])
    expect(await declined).toMatchObject({
      code: 'delegation_declined',
      shortMessage: 'User declined delegating actions.',
    })
    expect(await ended(delegateWallet(set({ delegated: true }).context, {}))).toMatchObject({
      code: 'already_delegated',
      shortMessage: 'Wallet with address is already delegated.',
    })
    expect(await ended(delegateWallet(kit.context, { address: '0x12' }))).toMatchObject({
      code: 'embedded_wallet_not_found',
    })
  })

  test('delegateWallet: a failure is shown before it is thrown', async () => {
    const kit = set({ ending: { error: new Error('The vault has failed') } })
    const done = ended(delegateWallet(kit.context, {}))
    await kit.person.follow([
      { on: 'permission-result', expect: ({ outcome }) => expect(outcome).toBe('notEnabled') },
      { wait: 2_600 },
    ])
    expect(await done).toBeInstanceOf(Error)
  })

  test('revokeDelegatedWallets: confirmed, it ends all of them; denied, none', async () => {
    const kit = set({ delegated: true })
    const done = revokeDelegatedWallets(kit.context, {})
    await kit.person.follow([
      {
        on: 'revoke-permission',
        expect: ({ wallets }) => expect(wallets).toEqual([ethereumAccount.address, onSolana.address]),
        answer: 'confirm',
      },
      { on: 'permission-result', expect: ({ outcome }) => expect(outcome).toBe('revoked') },
      { wait: 2_600 },
    ])
    await done
    expect(kit.called).toEqual(['/api/v1/wallets/revoke'])
    const other = set({ delegated: true })
    const denied = ended(revokeDelegatedWallets(other.context, {}))
    await other.person.follow([['revoke-permission', 'cancel']])
    expect(await denied).toMatchObject({
      code: 'revocation_declined',
      shortMessage: 'User declined revoking access to their delegated wallet.',
    })
    expect(other.called).toEqual([])
    expect(await ended(revokeDelegatedWallets(set().context, {}))).toMatchObject({
      code: 'user_has_not_delegated_wallet',
    })
  })

  test('permissions: they are listed with what was used, and one is stopped by its id', async () => {
    const kit = set({ delegated: true })
    const [first] = await listPermissions(kit.context)
    expect(first).toMatchObject({ id: 'g-1', isActive: true, signer: 'Harbor', uses: 2, maxUses: undefined })
    expect(first?.limits[0]).toMatchObject({ spent: 4n, spentInWindow: 1n, total: 9n })
    expect(first?.latest[0]).toMatchObject({ status: 'sent', hash: '0xab' })
    await stopPermission(kit.context, 'g-1')
    expect(kit.called).toEqual(['/api/v1/grants', '/api/v1/grants/g-1/revoke'])
    expect(await ended(stopPermission(kit.context, ''))).toMatchObject({ code: 'invalid_request_arguments' })
  })
})
