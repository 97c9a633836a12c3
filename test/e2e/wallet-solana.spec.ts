import { randomBytes } from 'node:crypto'
import { createSolanaWallet } from '../../demo/world/wallet/solana.ts'
import { expect, test, watchPage } from './support/demo.ts'
import {
  accountsOf,
  configure,
  connected,
  dialog,
  heard,
  openList,
  openSite,
  row,
  status,
} from './support/wallet-site.ts'
import { askedOf, giveWallets, tellWallet } from './support/wallets.ts'

/** Nobody's yet: tests share a backend. */
function newAccount() {
  const secretKey = randomBytes(32).toString('hex')
  return { secretKey, address: createSolanaWallet({ secretKey, name: 'Any' }).address }
}
const both = { appearance: { walletChainType: 'ethereum-and-solana' } } as const
const mainnet = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'

test('a Solana wallet signs somebody in, comes back by itself, and is followed', async ({ page, demo }) => {
  const problems = watchPage(page)
  const [ada, grace] = [newAccount(), newAccount()]
  await giveWallets(page, {
    ethereum: [{ name: 'Phantom', rdns: 'app.phantom' }],
    solana: [{ name: 'Phantom', secretKey: ada.secretKey }],
    chains: demo.chains,
  })
  await openSite(page, demo)
  await configure(page, both)
  await openList(page)
  // It stands there twice, for each of its networks.
  await expect(row(page, 'Phantom')).toHaveCount(2)
  const [solana, name] = [row(page, 'Phantom Solana'), 'Phantom (Solana)']
  await tellWallet(page, name, 'next', 'reject', 'solana:signMessage')
  await solana.click()
  await expect(page.getByRole('heading', { name: 'Request rejected' })).toBeVisible()
  await row(page, 'Try again').click()
  await expect(status(page)).toHaveText('You are logged in.')
  expect(await accountsOf(page)).toEqual([`wallet ${ada.address}`])
  const one = { walletClientType: 'phantom', address: ada.address, chainId: mainnet, linked: true }
  expect(await connected(page)).toEqual([one])

  await page.reload()
  await expect.poll(() => connected(page)).toEqual([one])
  await expect(status(page)).toHaveText('You are logged in.')
  expect(await heard(page)).toEqual(['lk-connect phantom', 'lk-wallets phantom'])
  expect(await askedOf(page, name)).not.toContain('solana:signMessage')
  expect(await askedOf(page, 'Phantom')).not.toContain('eth_requestAccounts')

  await tellWallet(page, name, 'pickAccount', grace.secretKey)
  await expect.poll(() => connected(page)).toEqual([{ ...one, address: grace.address, linked: false }])
  await page.evaluate(async () => {
    await document.querySelector('wallet-connector')?.wallets[0]?.loginOrLink()
  })
  expect(await accountsOf(page)).toEqual([`wallet ${ada.address}`, `wallet ${grace.address}`])
  await tellWallet(page, name, 'revoke')
  await expect.poll(() => connected(page)).toEqual([])
  expect((await heard(page)).slice(-2)).toEqual(['lk-disconnect phantom', 'lk-wallets'])

  await page.locator('#log-out').click()
  await expect(status(page)).toHaveText('You are logged out.')
  await configure(page, both)
  await openList(page)
  await expect(dialog(page).getByRole('button').filter({ hasText: 'Recent' })).toHaveText([/^Phantom/])
  await expect(row(page, /Solana.*Recent/)).toBeVisible()
  expect(problems).toEqual([])
})

test('a Solana wallet that signs no messages can be connected, but nobody logs in with it @soak', async ({
  page,
  demo,
}) => {
  const problems = watchPage(page)
  await giveWallets(page, {
    ethereum: [],
    solana: [{ name: 'Solflare', features: ['solana:signTransaction'] }],
    chains: demo.chains,
  })
  await openSite(page, demo)
  await configure(page, { appearance: { walletChainType: 'solana-only' } })
  await openList(page)
  await row(page, /^Solflare/).click()
  await expect(page.getByRole('heading', { name: "This wallet can't sign messages" })).toBeVisible()
  await expect(dialog(page)).toContainText('To log in with Solflare, it must support message signing.')
  await expect(row(page, 'Try again')).toHaveCount(0)
  await row(page, 'Use a different wallet').click()
  await row(page, 'Close').click()

  await expect(status(page)).toHaveText('You are logged out.')
  expect(await connected(page)).toMatchObject([{ walletClientType: 'solflare', linked: false }])
  const refused = await page.evaluate(() =>
    document
      .querySelector('wallet-connector')
      ?.wallets[0]?.loginOrLink()
      .then(
        () => 'done',
        ({ code }) => code,
      ),
  )
  expect(refused).toBe('wallet_signing_unsupported')
  expect(problems).toEqual([])
})
