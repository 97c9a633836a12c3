/** The key that signs for a user on Farcaster, with a user in front of the dialog. */
import { describe, expect, test } from 'vitest'
import type { KitError } from '../../../src/errors/kit-error.ts'
import type { KitContext } from '../../../src/kit/context.ts'
import { requestFarcasterSigner, signForFarcaster } from '../../../src/kit/host/farcaster-signer.ts'
import type { AskedSigner } from '../../../src/protocol/farcaster-signer.ts'
import { createHttp } from '../../../src/protocol/http.ts'
import { appId } from '../../support/api.ts'
import { testClock } from '../../support/clock.ts'
import { embeddedKit, ethereumAccount, walletAccount } from '../../support/embedded-kit.ts'

const key = `0x${'4b'.repeat(32)}`
const url = 'https://farcaster.xyz/~/connect?token=0x23'
const pending: AskedSigner = { key, status: 'pending', url }
const account = (signerPublicKey?: string) => ({ type: 'farcaster', fid: 7, signerPublicKey })
const hash = new Uint8Array(20).fill(7)

interface Setting {
  /** The vault's answers, one after the other. */
  asked?: readonly (AskedSigner | KitError)[]
  /** The server's answers about the key, one after the other; the last one again and again. */
  statuses?: readonly (string | number)[]
  accounts?: readonly object[]
  imported?: boolean
}

function set({ asked = [pending], statuses = ['approved'], accounts = [account()], imported }: Setting = {}) {
  const wallets = [walletAccount({ ...(imported && { imported }) })]
  const clock = testClock()
  const signed: unknown[] = []
  const parts = embeddedKit({
    wallets,
    clock,
    window: Object.assign(new EventTarget(), { document: new EventTarget() }),
    rpc: async (_, request) => {
      signed.push(request)
      return { hash: 'h', signature: Buffer.from(new Uint8Array(64).fill(9)).toString('base64url') }
    },
  })
  let linked = accounts
  let polls = 0
  const http = createHttp({
    base: 'https://api.example.com',
    appId,
    tokens: () => undefined,
    analyticsId: () => '',
    clock,
    fetch: async () => {
      const status = statuses[Math.min(polls++, statuses.length - 1)]
      if (status === 'lost') throw new TypeError('Failed to fetch')
      if (typeof status === 'number') return Response.json({ error: 'no', code: 'invalid_state' }, { status })
      return Response.json({ public_key: key, status })
    },
  } as never)
  let calls = 0
  const user = () => ({ id: 'u1', linkedAccounts: [...wallets, ...linked] })
  const context = {
    ...parts.hostContext,
    app: {
      ...parts.hostContext.app,
      state: { ...parts.hostContext.app.state, get: () => ({ user: user() }) },
    },
    services: async () => {
      const services = await parts.hostContext.services()
      const embedded = await services.wallets.embedded()
      const own = {
        ...embedded,
        async initFarcasterSigner() {
          const answer = asked[Math.min(calls++, asked.length - 1)]
          if (answer instanceof Error) throw answer
          return answer
        },
        async refresh() {
          linked = [account(key)]
        },
      }
      return { ...services, http: () => http, wallets: { ...services.wallets, embedded: async () => own } }
    },
  } as unknown as KitContext
  const request = () => {
    const outcome = requestFarcasterSigner(context, {})
    outcome.catch(() => {})
    return outcome
  }
  /** Changes the user's accounts, as another tab may. */
  const link = (next: readonly object[]) => {
    linked = next
  }
  return { ...parts, clock, context, link, signed, request, polls: () => polls, calls: () => calls }
}
const screen = 'awaiting-farcaster-signer'

describe('farcasterSigner.request', () => {
  test('shows what to scan until the user has approved, asks every two seconds, and resolves with the user who has the key', async () => {
    const kit = set({ statuses: ['pending_approval', 'lost', 'something_new', 'approved'] })
    const done = kit.request()
    const seen: unknown[] = []
    await kit.person.follow([
      { on: screen, expect: ({ state, uri, mobile }) => seen.push({ state, uri, mobile }) },
      { wait: 8_000 },
      { wait: 5_000 },
    ])
    expect((await done).linkedAccounts).toContainEqual(account(key))
    expect(seen).toEqual([{ state: 'waiting', uri: url, mobile: false }])
    expect(kit.polls()).toBe(4)
  })

  test('a key that the account has already is not asked for again', async () => {
    const kit = set({ asked: [{ key, status: 'approved' }] })
    const done = kit.request()
    await kit.person.follow([{ wait: 3_000 }])
    await done
    expect(kit.polls()).toBe(0)
  })

  test.each([
    ['a user who declines', ['revoked'], 'Request rejected', 'farcaster_rejected', 2_000],
    ['nobody who approves in five minutes', ['pending_approval'], 'Timed out', 'farcaster_timeout', 300_000],
    ['a server that no longer knows the request', [400], 'Connect failed', 'invalid_state', 2_000],
  ] as const)('%s is told so, and may try again', async (_, statuses, title, code, wait) => {
    const kit = set({ statuses })
    const done = kit.request()
    const seen: unknown[] = []
    await kit.person.follow([
      { on: screen },
      { wait },
      { wait: 1_000 },
      { on: screen, expect: (props) => seen.push(props), answer: 'retry' },
      { on: screen, expect: ({ state }) => expect(state).toBe('waiting') },
      { wait },
      { wait: 1_000 },
      { on: screen, close: true },
    ])
    await expect(done).rejects.toMatchObject({ code: expect.any(String) })
    expect(seen).toMatchObject([{ state: 'failed', title }])
    expect(kit.calls()).toBe(2)
    expect(kit.told.map((error) => error.code)).toContain(code)
  })

  test('a user who closes the dialog has not approved anything', async () => {
    const kit = set({ statuses: ['pending_approval'] })
    const done = kit.request()
    await kit.person.follow([{ on: screen, close: true }])
    await kit.clock.advance(10_000)
    await expect(done).rejects.toMatchObject({ code: 'farcaster_rejected' })
  })

  test.each(['javascript:alert(1)', 'http://farcaster.example/', undefined])(
    'the address %s is not shown to anybody',
    async (wrong) => {
      const kit = set({ asked: [{ key, status: 'pending', url: wrong }] })
      const done = kit.request()
      await kit.person.follow([
        { on: screen, expect: ({ state }) => expect(state).toBe('failed'), close: true },
      ])
      await expect(done).rejects.toBeDefined()
    },
  )

  test.each([
    ['no Farcaster account', { accounts: [] }, 'linked_account_not_found'],
    ['an imported wallet alone', { imported: true }, 'embedded_wallet_not_found'],
  ] as const)('a user with %s gets an error, and sees no dialog', async (_, setting, code) => {
    const kit = set(setting)
    await expect(kit.request()).rejects.toMatchObject({ code })
    expect(kit.person.scene).toBeUndefined()
  })
})

describe('farcasterSigner.sign', () => {
  const approved = { accounts: [account(key)] }

  test('the user reviews the hash, and the vault signs it', async () => {
    const kit = set(approved)
    const done = signForFarcaster(kit.context, kit.sending, hash, {})
    await kit.person.follow([
      {
        on: 'sign-message',
        expect: ({ title, message }) => {
          expect(title).toBe('Sign for Farcaster')
          expect(message).toBe(Buffer.from(hash).toString('base64url'))
        },
        answer: 'sign',
      },
      { wait: 2_000 },
    ])
    expect(await done).toEqual(new Uint8Array(64).fill(9))
    expect(kit.signed).toEqual([
      {
        method: 'farcaster_sign',
        params: [Buffer.from(hash).toString('base64url'), ethereumAccount.address],
      },
    ])
  })

  test.each([
    ['unlinked', [], 'linked_account_not_found'],
    ['linked anew, without its signer', [account()], 'invalid_state'],
  ] as const)('a request that waits while the account is %s signs nothing', async (_, accounts, code) => {
    const kit = set(approved)
    const first = signForFarcaster(kit.context, kit.sending, hash, {})
    const second = signForFarcaster(kit.context, kit.sending, hash, {})
    second.catch(() => {})
    await kit.person.follow([
      { on: 'sign-message', expect: () => kit.link(accounts), answer: 'sign' },
      { wait: 2_000 },
    ])
    expect(await first).toHaveLength(64)
    await expect(second).rejects.toMatchObject({ code })
    expect(kit.signed).toHaveLength(1)
  })

  test('without screens a compatible app’s page signs by itself', async () => {
    const kit = set(approved)
    const options = { uiOptions: { showWalletUIs: false } }
    expect(await signForFarcaster(kit.context, kit.sending, hash, options)).toHaveLength(64)
    expect(kit.person.scene).toBeUndefined()
  })

  test('a user who declines signs nothing', async () => {
    const kit = set(approved)
    const done = signForFarcaster(kit.context, kit.sending, hash, {})
    done.catch(() => {})
    await kit.person.follow([['sign-message', 'cancel']])
    await expect(done).rejects.toMatchObject({ code: 'unable_to_sign' })
    expect(kit.signed).toEqual([])
  })

  test.each([[new Uint8Array(19)], [new Uint8Array(32)], ['00'.repeat(20)], [undefined]])(
    'what is no hash of 20 bytes is refused: %j',
    async (wrong) => {
      const kit = set(approved)
      const done = signForFarcaster(kit.context, kit.sending, wrong, {})
      await expect(done).rejects.toMatchObject({ code: 'invalid_request_arguments' })
    },
  )

  test('a key that nobody has approved signs nothing', async () => {
    const kit = set()
    const done = signForFarcaster(kit.context, kit.sending, hash, {})
    await expect(done).rejects.toMatchObject({ code: 'invalid_state' })
  })
})
