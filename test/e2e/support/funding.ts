/** Users whose wallets are funded on the demo's chains, and what they press for it. */
import { randomBytes } from 'node:crypto'
import type { Browser, Page } from '@playwright/test'
import { type Address, createTestClient, http, numberToHex, pad, publicActions } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { usdcAddresses, usdcCode } from '../../../demo/world/chains/usdc.ts'
import { createSolanaWallet } from '../../../demo/world/wallet/solana.ts'
import type { FundedWallet, FundWalletOptions, LoginModal } from '../../../src/index.ts'
import { limit } from '../../support/limit.ts'
import { inWindow, pressIn } from './approval.ts'
import { open } from './apps.ts'
import { type Demo, emailOf, expect, watchPage } from './demo.ts'
import { deviceWithWallet } from './embedded.ts'
import { giveWallets } from './wallets.ts'

declare global {
  interface Window {
    /** Result of the call that opened the dialog. */
    funding?: Promise<FundedWallet | { code: string }> | undefined
  }
}

export type ChainId = 1 | 8453
export const chainOf = (demo: Demo, id: ChainId) =>
  createTestClient({ mode: 'anvil', transport: http(demo.chains[id]), pollingInterval: 50 }).extend(
    publicActions,
  )

/** A user with an embedded wallet, in a browser with a wallet for each kind of chain. */
export async function newUser(browser: Browser, demo: Demo, name: string) {
  const device = await deviceWithWallet(browser, demo, emailOf(name), open)
  const { page, context } = device
  const address = ((await page.locator('#address').textContent()) ?? '') as Address
  const privateKey = generatePrivateKey()
  const [secretKey, otherKey] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')]
  await giveWallets(context, {
    ethereum: [{ name: 'MetaMask', rdns: 'io.metamask', privateKey }],
    solana: [
      { name: 'Phantom', secretKey },
      { name: 'Backpack', secretKey: otherKey },
    ],
    chains: demo.chains,
    solanaRpcUrl: demo.solanaRpcUrl,
  })
  await reload(page)
  const problems = watchPage(page)
  return {
    page,
    address,
    problems,
    payer: privateKeyToAddress(privateKey),
    solanaPayer: createSolanaWallet({ secretKey, name: 'Phantom' }).address,
    other: createSolanaWallet({ secretKey: otherKey, name: 'Backpack' }).address,
  }
}

export async function reload(page: Page): Promise<void> {
  await page.reload()
  await expect(page.locator('#address')).toHaveText(/^0x/)
}

export const startFunding = (page: Page, options: Omit<FundWalletOptions, 'surface' | 'signal'>) =>
  page.evaluate((options) => {
    const { kit } = document.querySelector('login-modal') as LoginModal
    if (!kit) throw new Error('The kit has not started')
    window.funding = kit.fundWallet(options).then(
      (result) => result,
      ({ code }: { code: string }) => ({ code }),
    )
  }, options)
export const outcomeOf = (page: Page) => page.evaluate(() => window.funding)

export const dialogOf = (page: Page) => page.getByRole('dialog')
export const press = (page: Page, name: string | RegExp) =>
  dialogOf(page)
    .getByRole('button', { name, exact: typeof name === 'string' })
    .click()
export const heading = (page: Page, name: string) =>
  expect(dialogOf(page).getByRole('heading', { name, exact: true })).toBeVisible({ timeout: limit(40_000) })

export async function giveUsdc(demo: Demo, id: ChainId, owner: Address, amount: bigint): Promise<void> {
  const chain = chainOf(demo, id)
  const token = usdcAddresses[id] ?? '0x'
  if (!(await chain.getCode({ address: token }))) await chain.setCode({ address: token, bytecode: usdcCode })
  const value = numberToHex(amount, { size: 32 })
  await chain.setStorageAt({ address: token, index: pad(owner), value })
}
export async function usdcOf(demo: Demo, id: ChainId, owner: Address): Promise<bigint> {
  const data = `0x70a08231${owner.slice(2).toLowerCase().padStart(64, '0')}` as const
  const found = await chainOf(demo, id).call({ to: usdcAddresses[id] ?? '0x', data })
  return BigInt(found.data ?? 0)
}
export async function onSolana<T>(demo: Demo, method: string, params: readonly unknown[]): Promise<T> {
  const response = await fetch(demo.solanaRpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return ((await response.json()) as { result: T }).result
}
export const lamportsOf = async (demo: Demo, address: string) =>
  (await onSolana<{ value: number }>(demo, 'getBalance', [address, { commitment: 'confirmed' }])).value

/** Links a Solana wallet, which is funded like one of the vault's. */
export async function link(page: Page, wallet: string): Promise<void> {
  await page.evaluate(() => {
    const { kit } = document.querySelector('login-modal') as LoginModal
    void kit?.connectWallet({ walletChainType: 'solana-only' }).then((connected) => connected.loginOrLink())
  })
  await press(page, new RegExp(`^${wallet}`))
  // Strict apps have the vault ask for changes of an account.
  await pressIn(await inWindow(page, page.context()), 'Add')
  await expect(dialogOf(page)).toBeHidden()
  await expect
    .poll(() =>
      page.evaluate(
        () =>
          (document.querySelector('login-modal') as LoginModal).user?.linkedAccounts.filter(
            (each) => each.type === 'wallet' && !each.embedded,
          ).length,
      ),
    )
    .toBe(1)
}
