/** A wallet is funded from another one of the user's, on the network itself and by the bridge, to a balance that rose on the demo's chains. */
import { randomBytes } from 'node:crypto'
import type { Browser, Page } from '@playwright/test'
import { type Address, createTestClient, http, numberToHex, pad, parseEther, publicActions } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { usdcAddresses, usdcCode } from '../../demo/world/chains/usdc.ts'
import { createSolanaWallet } from '../../demo/world/wallet/solana.ts'
import type { FundedWallet, FundWalletOptions, LoginModal } from '../../src/index.ts'
import { limit } from '../support/limit.ts'
import { inWindow, pressIn } from './support/approval.ts'
import { open } from './support/apps.ts'
import { type Demo, emailOf, expect, test, watchPage } from './support/demo.ts'
import { deviceWithWallet } from './support/embedded.ts'
import { askedOf, giveWallets, tellWallet } from './support/wallets.ts'

declare global {
  interface Window {
    /** Result of the call that opened the dialog. */
    funding?: Promise<FundedWallet | { code: string }> | undefined
  }
}

type ChainId = 1 | 8453
const chainOf = (demo: Demo, id: ChainId) =>
  createTestClient({ mode: 'anvil', transport: http(demo.chains[id]), pollingInterval: 50 }).extend(
    publicActions,
  )

/** A user with an embedded wallet, in a browser with a wallet for each kind of chain. */
async function newUser(browser: Browser, demo: Demo, name: string) {
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

async function reload(page: Page): Promise<void> {
  await page.reload()
  await expect(page.locator('#address')).toHaveText(/^0x/)
}

const startFunding = (page: Page, options: Omit<FundWalletOptions, 'surface' | 'signal'>) =>
  page.evaluate((options) => {
    const { kit } = document.querySelector('login-modal') as LoginModal
    if (!kit) throw new Error('The kit has not started')
    window.funding = kit.fundWallet(options).then(
      (result) => result,
      ({ code }: { code: string }) => ({ code }),
    )
  }, options)
const outcomeOf = (page: Page) => page.evaluate(() => window.funding)

const dialogOf = (page: Page) => page.getByRole('dialog')
const press = (page: Page, name: string | RegExp) =>
  dialogOf(page)
    .getByRole('button', { name, exact: typeof name === 'string' })
    .click()
const heading = (page: Page, name: string) =>
  expect(dialogOf(page).getByRole('heading', { name, exact: true })).toBeVisible({ timeout: limit(40_000) })

/** Connects a wallet, or takes one that is connected, and confirms the amount that is proposed. */
async function payWith(page: Page, wallet: string | RegExp): Promise<void> {
  await heading(page, 'Transfer from wallet')
  const row = dialogOf(page).getByRole('button', { name: wallet }).first()
  if (!(await row.isVisible())) await press(page, 'More wallets')
  await row.click()
  await heading(page, 'Confirm or edit amount')
  await press(page, 'Continue')
}

async function giveUsdc(demo: Demo, id: ChainId, owner: Address, amount: bigint): Promise<void> {
  const chain = chainOf(demo, id)
  const token = usdcAddresses[id] ?? '0x'
  if (!(await chain.getCode({ address: token }))) await chain.setCode({ address: token, bytecode: usdcCode })
  const value = numberToHex(amount, { size: 32 })
  await chain.setStorageAt({ address: token, index: pad(owner), value })
}
async function usdcOf(demo: Demo, id: ChainId, owner: Address): Promise<bigint> {
  const data = `0x70a08231${owner.slice(2).toLowerCase().padStart(64, '0')}` as const
  const found = await chainOf(demo, id).call({ to: usdcAddresses[id] ?? '0x', data })
  return BigInt(found.data ?? 0)
}
async function onSolana<T>(demo: Demo, method: string, params: readonly unknown[]): Promise<T> {
  const response = await fetch(demo.solanaRpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return ((await response.json()) as { result: T }).result
}
const lamportsOf = async (demo: Demo, address: string) =>
  (await onSolana<{ value: number }>(demo, 'getBalance', [address, { commitment: 'confirmed' }])).value

/** Links a Solana wallet, which is funded like one of the vault's. */
async function link(page: Page, wallet: string): Promise<void> {
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

/** Chooses what becomes of the bridges of this page, by the requests that it is given. */
function decide(page: Page, demo: Demo, outcome: string) {
  const requests: string[] = []
  const choose = (requestId: string, chosen: string) =>
    fetch(`${demo.world}/bridge/outcome`, {
      method: 'POST',
      body: new URLSearchParams({ outcome: chosen, requestId }),
    })
  const chosen: Promise<unknown>[] = []
  page.on('response', async (response) => {
    if (!response.url().endsWith('/quote/v2') || response.request().method() !== 'POST') return
    const { steps } = (await response.json()) as { steps: { requestId: string }[] }
    const [step] = steps
    if (!step) return
    requests.push(step.requestId)
    chosen.push(choose(step.requestId, outcome))
  })
  return {
    /** Resolves once the bridge knows it for every quote so far. */
    ready: async () => {
      await expect.poll(() => chosen.length).toBeGreaterThan(0)
      await Promise.all(chosen)
    },
    change: (next: string) => Promise.all(requests.map((each) => choose(each, next))),
  }
}

test('fund from a wallet: ether on the same network, after the wallet was switched', async ({
  browser,
  demo,
}) => {
  test.skip(!demo.chains[8453], 'This machine has no anvil')
  const { page, address, payer, problems } = await newUser(browser, demo, 'fund-native')
  await chainOf(demo, 8453).setBalance({ address: payer, value: parseEther('1') })
  await startFunding(page, { chain: 'eip155:8453', amount: '0.02' })
  await heading(page, 'Add funds to your Base wallet')
  await press(page, /^Transfer from wallet/)
  await payWith(page, /^MetaMask/)
  await heading(page, 'Success!')
  expect(await outcomeOf(page)).toMatchObject({
    method: 'wallet',
    status: 'confirmed',
    address,
    amount: '0.02',
    symbol: 'ETH',
    transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
  })
  expect(await chainOf(demo, 8453).getBalance({ address })).toBe(parseEther('0.02'))
  expect(await askedOf(page, 'MetaMask')).toContain('wallet_switchEthereumChain')
  expect(problems).toEqual([])
})

test('fund from a wallet: USDC on the same network @soak', async ({ browser, demo }) => {
  test.skip(!demo.chains[1], 'This machine has no anvil')
  const { page, address, payer, problems } = await newUser(browser, demo, 'fund-usdc')
  await chainOf(demo, 1).setBalance({ address: payer, value: parseEther('1') })
  await giveUsdc(demo, 1, payer, 100_000_000n)
  await startFunding(page, { chain: 'eip155:1', asset: 'USDC', amount: '25', defaultMethod: 'wallet' })
  await payWith(page, /^MetaMask/)
  await heading(page, 'Success!')
  expect(await outcomeOf(page)).toMatchObject({ status: 'confirmed', amount: '25', symbol: 'USDC' })
  expect(await usdcOf(demo, 1, address)).toBe(25_000_000n)
  expect(problems).toEqual([])
})

test('fund from a wallet: SOL on Solana itself @soak', async ({ browser, demo }) => {
  const { page, solanaPayer, other, problems } = await newUser(browser, demo, 'fund-sol')
  await onSolana(demo, 'requestAirdrop', [solanaPayer, 3_000_000_000])
  await link(page, 'Backpack')
  await startFunding(page, {
    chain: 'solana:mainnet',
    address: other,
    amount: '0.5',
    defaultMethod: 'wallet',
  })
  await payWith(page, /^Phantom/)
  await heading(page, 'Success!')
  expect(await outcomeOf(page)).toMatchObject({
    status: 'confirmed',
    address: other,
    amount: '0.5',
    symbol: 'SOL',
  })
  expect(await lamportsOf(demo, other)).toBe(500_000_000)
  expect(problems).toEqual([])
})

test('fund from a wallet: ether of Ethereum arrives as SOL @soak', async ({ browser, demo }) => {
  test.skip(!demo.chains[1], 'This machine has no anvil')
  const { page, other, payer, problems } = await newUser(browser, demo, 'fund-to-sol')
  await chainOf(demo, 1).setBalance({ address: payer, value: parseEther('2') })
  await link(page, 'Backpack')
  await startFunding(page, {
    chain: 'solana:mainnet',
    address: other,
    amount: '0.5',
    defaultMethod: 'wallet',
  })
  await payWith(page, /^MetaMask/)
  await heading(page, 'Confirm your transfer')
  await expect(dialogOf(page)).toContainText('0.5 SOL')
  await press(page, 'Continue')
  await heading(page, 'Success!')
  expect(await outcomeOf(page)).toMatchObject({ status: 'confirmed', amount: '0.5', symbol: 'SOL' })
  expect(await lamportsOf(demo, other)).toBe(500_000_000)
  expect(problems).toEqual([])
})

test('fund from a wallet: SOL arrives as ether on Base @soak', async ({ browser, demo }) => {
  test.skip(!demo.chains[8453], 'This machine has no anvil')
  const { page, address, solanaPayer, problems } = await newUser(browser, demo, 'fund-from-sol')
  await onSolana(demo, 'requestAirdrop', [solanaPayer, 50_000_000_000])
  await startFunding(page, { chain: 'eip155:8453', amount: '0.02', defaultMethod: 'wallet' })
  await payWith(page, /^Phantom/)
  await heading(page, 'Confirm your transfer')
  await press(page, 'Continue')
  await heading(page, 'Success!')
  expect(await outcomeOf(page)).toMatchObject({ status: 'confirmed', amount: '0.02', symbol: 'ETH' })
  expect(await chainOf(demo, 8453).getBalance({ address })).toBe(parseEther('0.02'))
  expect(problems).toEqual([])
})

test('fund from a wallet: USDC of another network, of which the user picks it, after an allowance @soak', async ({
  browser,
  demo,
}) => {
  test.skip(!demo.chains[8453], 'This machine has no anvil')
  const { page, address, payer, problems } = await newUser(browser, demo, 'fund-bridge-usdc')
  await chainOf(demo, 1).setBalance({ address: payer, value: parseEther('1') })
  await giveUsdc(demo, 1, payer, 100_000_000n)
  await startFunding(page, { chain: 'eip155:8453', asset: 'USDC', amount: '20', defaultMethod: 'wallet' })
  await payWith(page, /^MetaMask/)
  await heading(page, 'Transfer from another network')
  await press(page, /^USDC · Ethereum/)
  await heading(page, 'Confirm your transfer')
  await expect(dialogOf(page)).toContainText('20.1 USDC')
  await press(page, 'Continue')
  await heading(page, 'Success!')
  expect(await outcomeOf(page)).toMatchObject({ status: 'confirmed', amount: '20', symbol: 'USDC' })
  expect(await usdcOf(demo, 8453, address)).toBe(20_000_000n)
  expect(await usdcOf(demo, 1, payer)).toBe(79_900_000n)
  expect((await askedOf(page, 'MetaMask')).filter((method) => method === 'eth_sendTransaction')).toHaveLength(
    2,
  )
  expect(problems).toEqual([])
})

test('fund from a wallet: a wallet that declines sends nothing, and may be asked again @soak', async ({
  browser,
  demo,
}) => {
  test.skip(!demo.chains[8453], 'This machine has no anvil')
  const { page, address, payer } = await newUser(browser, demo, 'fund-declined')
  await chainOf(demo, 8453).setBalance({ address: payer, value: parseEther('1') })
  await startFunding(page, { chain: 'eip155:8453', amount: '0.02', defaultMethod: 'wallet' })
  await tellWallet(page, 'MetaMask', 'next', 'reject', 'eth_sendTransaction')
  await payWith(page, /^MetaMask/)
  await expect(dialogOf(page)).toContainText('You declined it in MetaMask.')
  expect(await chainOf(demo, 8453).getBalance({ address })).toBe(0n)
  await payWith(page, /^MetaMask/)
  await heading(page, 'Success!')
  expect(await chainOf(demo, 8453).getBalance({ address })).toBe(parseEther('0.02'))
})

test('fund from a wallet: a bridge that refunds says so, and the money is back @soak', async ({
  browser,
  demo,
}) => {
  test.skip(!demo.chains[8453], 'This machine has no anvil')
  const { page, address, payer } = await newUser(browser, demo, 'fund-refund')
  await chainOf(demo, 1).setBalance({ address: payer, value: parseEther('1') })
  const bridge = decide(page, demo, 'refund')
  await startFunding(page, { chain: 'eip155:8453', amount: '0.02', defaultMethod: 'wallet' })
  await payWith(page, /^MetaMask/)
  await heading(page, 'Confirm your transfer')
  await bridge.ready()
  await press(page, 'Continue')
  await heading(page, 'Transfer from Ethereum came back: 0.0201 ETH')
  await press(page, 'Continue')
  await heading(page, 'Add funds to your Base wallet')
  await page.keyboard.press('Escape')
  expect(await outcomeOf(page)).toEqual({ code: 'exited_funding_flow' })
  expect(await chainOf(demo, 8453).getBalance({ address })).toBe(0n)
  const left = await chainOf(demo, 1).getBalance({ address: payer })
  expect(left).toBeGreaterThan(parseEther('0.99'))
})

test('fund from a wallet: a bridge in the middle of a reload is found again, and nothing is paid twice @soak', async ({
  browser,
  demo,
}) => {
  test.skip(!demo.chains[8453], 'This machine has no anvil')
  const { page, address, payer } = await newUser(browser, demo, 'fund-reload')
  await chainOf(demo, 1).setBalance({ address: payer, value: parseEther('1') })
  const bridge = decide(page, demo, 'stuck')
  const options = { chain: 'eip155:8453', amount: '0.02', defaultMethod: 'wallet' } as const
  await startFunding(page, options)
  await payWith(page, /^MetaMask/)
  await heading(page, 'Confirm your transfer')
  await bridge.ready()
  await press(page, 'Continue')
  await heading(page, 'Bridging to Base')
  await reload(page)
  await startFunding(page, options)
  await heading(page, 'Bridging to Base')
  await bridge.change('success')
  await heading(page, 'Success!')
  expect(await outcomeOf(page)).toMatchObject({ status: 'confirmed', amount: '0.02' })
  expect(await chainOf(demo, 8453).getBalance({ address })).toBe(parseEther('0.02'))
  expect(await askedOf(page, 'MetaMask')).not.toContain('eth_sendTransaction')
})
