import { expect, test } from 'vitest'
import { wireUser } from '../support/api.ts'
import { embeddedWallet, kitWithPerson, walletAddress } from '../support/kit.ts'

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
