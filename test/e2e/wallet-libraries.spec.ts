/** What a host does with a connected wallet: with libraries of its own, by the public interface alone. */
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { anvilKeys } from '../../demo/world/wallet/accounts.ts'
import type { Libraries } from '../support/wallet-libraries/page.ts'
import { type Demo, expect, test, watchPage } from './support/demo.ts'
import { serveBundle } from './support/page-bundle.ts'
import { configure, openSite, row } from './support/wallet-site.ts'
import { askedOf, giveWallets } from './support/wallets.ts'

declare const libraries: Libraries

/** Connects a wallet in a page that brings its own libraries with it. */
async function prepare(page: import('@playwright/test').Page, demo: Demo, wallet: string | RegExp) {
  await serveBundle(page, 'wallet-libraries/page.ts', 'libraries.js')
  await openSite(page, demo)
  await configure(page, { appearance: { walletChainType: 'ethereum-and-solana' } })
  const connecting = page.evaluate(async () => {
    await import(String('/libraries.js'))
    await document.querySelector('wallet-connector')?.connect()
  })
  await row(page, wallet).click()
  await connecting
}

test('viem’s own client signs, sends and changes chains with the wallet', async ({ page, demo }) => {
  test.skip(!demo.chains[8453], 'This machine has no anvil')
  const problems = watchPage(page)
  await giveWallets(page, { ethereum: [{ name: 'MetaMask' }], solana: [], chains: demo.chains })
  await prepare(page, demo, 'MetaMask')
  const [address, to] = [privateKeyToAddress(anvilKeys[0]), privateKeyToAddress(generatePrivateKey())]
  expect(await page.evaluate((to) => libraries.ethereum(to), to)).toEqual({
    addresses: [address, address, address.toLowerCase()],
    signed: true,
    sent: ['success', '1500000000000000000'],
    moved: ['success', 8453, ['0x2105']],
  })
  expect(await askedOf(page, 'MetaMask')).toContain('eth_signTypedData_v4')
  expect(problems).toEqual([])
})

test('web3.js sends with the wallet, by a connection of its own and by the wallet’s @soak', async ({
  page,
  demo,
}) => {
  const problems = watchPage(page)
  await giveWallets(page, {
    ethereum: [],
    solana: [{ name: 'Phantom' }],
    chains: demo.chains,
    solanaRpcUrl: demo.solanaRpcUrl,
  })
  await prepare(page, demo, /^Phantom/)
  expect(await page.evaluate((url) => libraries.solana(url), demo.solanaRpcUrl)).toEqual({
    errors: [null, null],
    signatures: [true, 64],
    balance: 750_000_000,
  })
  expect(problems).toEqual([])
})
