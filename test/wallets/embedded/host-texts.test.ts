/** What hosts are told in words of the wire's origin, which they may compare. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import '../../../src/kit/host/embedded-methods.ts'
import '../../../src/wallets/flows.ts'
import type { KitError } from '../../../src/errors/kit-error.ts'
import type { Kit } from '../../../src/kit/api.ts'
import { wireUser } from '../../support/api.ts'
import { embeddedWallet, type KitSetUp, kitWithPerson, passUntil, paths } from '../../support/kit.ts'
import type { Step } from '../../support/person.ts'
import { fakeVault } from '../../support/vault.ts'

beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}))
afterEach(() => vi.restoreAllMocks())

const silent = () => undefined
const refusing = () => ({ error: { type: 'error', message: 'The vault has its reasons' } })
const off = { create_on_login: 'off', user_owned_recovery_options: ['user-passcode'] }

async function loggedIn({
  vault,
  wallets = [],
  ...more
}: Omit<KitSetUp, 'vault'> & { vault?: Parameters<typeof fakeVault>[0]; wallets?: object[] } = {}) {
  const accounts: object[] = [...wireUser().linked_accounts, ...wallets]
  const set = await kitWithPerson({
    app: { embedded_wallet_config: off },
    ...more,
    accounts,
    vault: fakeVault(vault),
  })
  await set.kit.email.sendCode({ email: 'ada@example.com' })
  await set.kit.email.loginWithCode({ code: '123456' })
  const said = (work: (kit: Kit) => Promise<unknown>) =>
    work(set.kit).then(
      () => 'done',
      ({ code, message }: KitError) => [code, message],
    )
  return { ...set, accounts, said }
}

test('creating a wallet: a vault that does not answer in time is told as the proxy that timed out', async () => {
  const { clock, said } = await loggedIn({ vault: { createWallet: silent } })
  expect(
    await passUntil(
      clock,
      said((kit) => kit.createWallet()),
    ),
  ).toEqual(['vault_timeout', 'walletProxy.create timed out.'])
})

test.each([
  ['ethereum', 'createWallet', 'Failed to create wallet'],
  ['solana', 'createWallets', 'Failed to create Solana embedded wallet'],
] as const)(
  'creating a wallet on %s: a failure that has no name is told in its words',
  async (chainType, call, text) => {
    const { clock, said } = await loggedIn({ vault: { [call]: refusing } })
    expect(
      await passUntil(
        clock,
        said((kit) => kit.createWallet({ chainType })),
      ),
    ).toEqual(['unknown_embedded_wallet_error', text])
  },
)

test('creating a wallet: a user who can not be read afterwards is told, with the code of the reason', async () => {
  const { clock, said } = await loggedIn({
    vault: { createWallet: () => ({ address: embeddedWallet.address }) },
    routes: { [paths.me]: { status: 404, body: { error: 'Gone', code: 'user_does_not_exist' } } },
  })
  expect(
    await passUntil(
      clock,
      said((kit) => kit.createWallet()),
    ),
  ).toEqual(['user_does_not_exist', 'Failed to refresh user.'])
})

test('creating a wallet without a dialog after a login: the console is told that it failed, and the user stays', async () => {
  const { kit, clock } = await kitWithPerson({
    vault: fakeVault({ createWallet: refusing }),
    app: { embedded_wallet_config: { ...off, create_on_login: 'all-users' } },
  })
  await kit.email.sendCode({ email: 'ada@example.com' })
  await passUntil(clock, kit.email.loginWithCode({ code: '123456' }))
  expect(kit.user?.id).toBe('did:privy:u1')
  expect(console.warn).toHaveBeenCalledWith('User wallet creation failed', expect.any(Error))
})

test('creating a wallet in a login dialog: its failure is an event in these words, with the reason as its cause', async () => {
  const { kit, errors, person } = await kitWithPerson({
    vault: fakeVault({ createWallet: refusing }),
    app: { embedded_wallet_config: { ...off, create_on_login: 'all-users' } },
  })
  await kit.whenReady()
  const login = kit.login().catch(() => {})
  await person.follow([
    ['landing', { email: 'ada@example.com' }],
    ['enter-code', { code: '123456' }],
    { on: 'failure' },
  ])
  expect(errors.at(-1)).toMatchObject({
    message: 'User wallet creation failed',
    cause: { message: 'Failed to create wallet' },
  })
  person.close()
  await login
})

test('setting a password: a user who leaves is told as that, and not as leaving another recovery', async () => {
  const here = {
    vault: { connectWallet: () => ({ entropyId: embeddedWallet.address }) },
    wallets: [embeddedWallet],
  }
  for (const [set, text] of [
    [(kit: Kit) => kit.setWalletPassword(), 'Exited before password was added to wallet'],
    [(kit: Kit) => kit.setWalletRecovery(), 'User exited set recovery flow'],
  ] as const) {
    const { person, said } = await loggedIn(here)
    const left = said(set)
    await person.follow([{ on: 'password-splash', close: true }])
    expect(await left).toEqual(['user_exited_set_password_flow', text])
  }
})

test('a password for a wallet that an attempt without an answer has made: a failure says that the wallet is there', async () => {
  const { accounts, person, errors, kit } = await loggedIn({
    app: { embedded_wallet_config: { ...off, require_user_owned_recovery_on_create: true } },
    vault: {
      createWallet() {
        accounts.push(embeddedWallet)
        return refusing()
      },
      setRecovery: refusing,
    },
  })
  const created = kit.createWallet().catch(() => {})
  const steps: Step[] = [
    ['set-password', { password: 'correct horse' }],
    ['save-password', 'continue'],
    ['confirm-password', 'continue'],
    ['finish-password', 'set'],
    ['password-result', 'close'],
  ]
  await person.follow([...steps, ['failure', 'retry'], ...steps, { on: 'failure', close: true }])
  await created
  expect(errors.at(-1)?.message).toBe('User created a wallet but failed to set a password for it')
})
