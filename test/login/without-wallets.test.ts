/** What a login does not wait for. */
import { expect, test } from 'vitest'
import { embeddedWallet, kitWithPerson } from '../support/kit.ts'
import { fakeVault } from '../support/vault.ts'

const byEmail = [
  ['landing', { email: 'ada@example.com' }],
  ['enter-code', { code: '123456' }],
  { wait: 3_000 },
] as const

test('login: an app that creates no wallets opens no vault', async () => {
  const { kit, person, vault } = await kitWithPerson({
    app: { embedded_wallet_config: { create_on_login: 'off' } },
  })
  const login = kit.login()
  await person.follow([...byEmail])
  expect(await login).toMatchObject({ id: 'did:privy:u1' })
  expect(vault.frames).toEqual([])
})

test('login: a user with a wallet is told to the host while the vault is still silent', async () => {
  const silent = fakeVault({ ready: () => undefined })
  const { kit, person } = await kitWithPerson({
    vault: silent,
    accounts: [embeddedWallet],
    app: { embedded_wallet_config: { create_on_login: 'users-without-wallets' } },
  })
  const told: string[] = []
  kit.on('login', ({ user }) => told.push(user.id))
  const login = kit.login()
  await person.follow([...byEmail])
  await login
  expect(told).toEqual(['did:privy:u1'])
  expect(kit.embeddedWallets.get().map(({ address }) => address)).toEqual([embeddedWallet.address])
})
