import { expect, test } from 'vitest'
import { frameEvents } from '../../src/protocol/frame/calls.ts'
import { wireUser } from '../support/api.ts'
import { embeddedWallet, kitWithPerson, paths, walletAddress } from '../support/kit.ts'
import { fakeVault } from '../support/vault.ts'

const accounts = [...wireUser().linked_accounts, embeddedWallet]

test('a page that is told who logged in finds their wallets listed', async () => {
  const { kit } = await kitWithPerson({ accounts })
  const listed: string[][] = []
  kit.on('login', () => listed.push(kit.embeddedWallets.get().map(({ address }) => address)))
  await kit.email.sendCode({ email: 'ada@example.com' })
  await kit.email.loginWithCode({ code: '123456' })
  expect(listed).toEqual([[walletAddress]])
})

test('a page that is loaded again learns of the person and their wallets together', async () => {
  const first = await kitWithPerson({ accounts })
  await first.kit.email.sendCode({ email: 'ada@example.com' })
  await first.kit.email.loginWithCode({ code: '123456' })
  first.kit.destroy()

  const { storage, tabStorage, clock } = first
  const { kit } = await kitWithPerson({ accounts, storage, tabStorage, clock })
  const listed: string[][] = []
  kit.on('user', () => listed.push(kit.embeddedWallets.get().map(({ address }) => address)))
  await kit.whenReady()
  expect(listed).toEqual([[walletAddress]])
})

/** A vault that makes a wallet, and the server that knows of it from then on. */
function makingVault() {
  let accounts: object[] = wireUser().linked_accounts
  const vault = fakeVault({
    createWallet: () => {
      accounts = [...accounts, embeddedWallet]
      return { address: walletAddress }
    },
  })
  const me = () => ({
    body: { user: wireUser('did:privy:u1', { linked_accounts: accounts }), identity_token: null },
  })
  return { vault, routes: { [paths.me]: me } }
}

test('a login without our screens makes the wallet that the app wants, before the page is told', async () => {
  const { vault, routes } = makingVault()
  const app = { embedded_wallet_config: { create_on_login: 'all-users' } }
  const { kit, person } = await kitWithPerson({ app, vault, routes })
  const made: number[] = []
  kit.on('login', () =>
    made.push(vault.asked.filter(({ event }) => event === frameEvents.createWallet).length),
  )
  await kit.email.sendCode({ email: 'ada@example.com' })
  const login = kit.email.loginWithCode({ code: '123456' })
  await person.follow([{ wait: 1_000 }])
  await login
  expect(made).toEqual([1])
})

test('a wallet is in the page’s list once createWallet has resolved', async () => {
  const { kit, person } = await kitWithPerson(makingVault())
  await kit.email.sendCode({ email: 'ada@example.com' })
  await kit.email.loginWithCode({ code: '123456' })
  const making = kit.createWallet()
  const listed = making.then(() => kit.embeddedWallets.get().map(({ address }) => address))
  await person.follow([{ wait: 1_000 }])
  expect(await listed).toEqual([walletAddress])
})
