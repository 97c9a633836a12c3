import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { KitError } from '../../src/errors/kit-error.ts'
import '../../src/kit/host/settings.ts'
import '../../src/kit/host/connect.ts'
import '../../src/wallets/flows.ts'
import '../../src/signing/index.ts'
import type { Kit } from '../../src/kit/api.ts'
import { wireUser } from '../support/api.ts'
import { type Ending, fakeApprovals } from '../support/approvals.ts'
import { embeddedWallet, type KitSetUp, kitWithPerson, paths, walletAddress } from '../support/kit.ts'
import { fakeVault } from '../support/vault.ts'

beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}))
afterEach(() => vi.restoreAllMocks())

/** Somebody who is logged in, and what the app's server has been told of what they do from now on. */
async function setUp(more: KitSetUp = {}) {
  const accounts: object[] = [...wireUser().linked_accounts, ...(more.accounts ?? [embeddedWallet])]
  const set = await kitWithPerson({ vault: fakeVault(), ...more, accounts })
  await set.kit.email.sendCode({ email: 'ada@example.com' })
  await set.kit.email.loginWithCode({ code: '123456' })
  await set.clock.advance(2_000)
  const before = set.api.to(paths.analytics).length
  return {
    ...set,
    accounts,
    /** Each event by its name, with the first screen of a dialog. */
    async told() {
      await set.clock.advance(2_000)
      return set.api
        .to(paths.analytics)
        .slice(before)
        .map(({ body }) => {
          const { event_name: name, payload } = body as {
            event_name: string
            payload: { initialScreen?: string }
          }
          return payload.initialScreen ? `${name} ${payload.initialScreen}` : name
        })
    },
  }
}
const dialogEvents = (told: string[]) => told.filter((name) => name.startsWith('modal_'))

test.each<[string, string, string, (kit: Kit) => Promise<unknown>]>([
  ['a signature', 'sign-message', 'sign', (kit) => kit.signMessage('Hello')],
  ['the settings', 'account-settings', 'settings', (kit) => kit.manageAccount()],
])(
  'analytics: the dialog of %s is told when it opens and when it closes',
  async (_, screen, opened, open) => {
    const { kit, person, told } = await setUp()
    const done = open(kit).catch(() => {})
    await person.follow([{ on: screen, close: true }])
    await done
    expect(dialogEvents(await told())).toEqual([`modal_open ${opened}`, 'modal_closed'])
  },
)

test('analytics: a dialog of requests that wait for each other is told once', async () => {
  const { kit, person, told } = await setUp()
  const all = Promise.allSettled([kit.signMessage('One'), kit.signMessage('Two')])
  await person.follow([{ on: 'sign-message', close: true }])
  await all
  expect(dialogEvents(await told())).toEqual(['modal_open sign', 'modal_closed'])
})

test('analytics: a login that finds another dialog open is told of as no dialog', async () => {
  const { kit, person, api, clock } = await kitWithPerson()
  await kit.whenReady()
  const connecting = kit.connectWallet().catch(() => {})
  await person.follow([{ on: 'wallet-list' }])
  await expect(kit.login()).rejects.toMatchObject({ code: 'flow_in_progress' })
  person.close()
  await connecting
  await clock.advance(2_000)
  const names = api.to(paths.analytics).map(({ body }) => (body as { event_name: string }).event_name)
  expect(dialogEvents(names)).toEqual(['modal_open', 'modal_closed'])
})

test.each<[string, string, Ending]>([
  ['which the vault has created', 'completed', { answer: { address: walletAddress } }],
  [
    'which the vault could not create',
    'failed',
    { error: new KitError('embedded_wallet_create_error', 'Failed to create wallet') },
  ],
  ['which the user refused', 'failed', 'rejected'],
  ['from which the user turned back', 'failed', { answer: { wants: 'back' } }],
])('analytics: a wallet of a strict app %s is told as begun and as %s', async (_, end, ending) => {
  const approvals = fakeApprovals(() => {
    if (end === 'completed') accounts.push(embeddedWallet)
    return ending
  })
  const { accounts, kit, person, told } = await setUp({
    accounts: [],
    openApproval: approvals.open,
    app: {
      vault_mode: 'strict',
      embedded_wallet_config: {
        create_on_login: 'off',
        user_owned_recovery_options: ['user-passcode'],
        require_user_owned_recovery_on_create: true,
      },
    },
  })
  const created = kit.createWallet({ chainType: 'ethereum' }).catch(() => {})
  if (end === 'completed') await person.follow([['wallet-created', 'continue']])
  else if (ending !== 'rejected' && 'error' in ending) await person.follow([{ on: 'failure', close: true }])
  await created
  expect((await told()).filter((name) => name.startsWith('embedded_wallet_creation'))).toEqual([
    'embedded_wallet_creation_started',
    `embedded_wallet_creation_${end}`,
  ])
})
