/** A wallet is funded from another one of the user's, on the network itself and by the bridge, to a balance that rose on the demo's chains. */
import type { Page } from '@playwright/test'
import { parseEther } from 'viem'
import { limit } from '../support/limit.ts'
import { type Demo, expect, test } from './support/demo.ts'
import {
  chainOf,
  dialogOf,
  giveUsdc,
  heading,
  lamportsOf,
  link,
  newUser,
  onSolana,
  outcomeOf,
  press,
  reload,
  startFunding,
  usdcOf,
} from './support/funding.ts'
import { askedOf, tellWallet } from './support/wallets.ts'

/** Connects a wallet, or takes one that is connected, and confirms the amount that is proposed. */
async function payWith(page: Page, wallet: string | RegExp): Promise<void> {
  await heading(page, 'Transfer from wallet')
  const row = dialogOf(page).getByRole('button', { name: wallet }).first()
  if (!(await row.isVisible())) await press(page, 'More wallets')
  await row.click()
  await heading(page, 'Confirm or edit amount')
  await press(page, 'Continue')
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

test('fund from a wallet: SOL pays for USDC on Solana itself @soak', async ({ browser, demo }) => {
  const { page, solanaPayer, other, problems } = await newUser(browser, demo, 'fund-sol-usdc')
  await onSolana(demo, 'requestAirdrop', [solanaPayer, 3_000_000_000])
  await link(page, 'Backpack')
  await startFunding(page, {
    chain: 'solana:mainnet',
    address: other,
    asset: 'USDC',
    amount: '25',
    defaultMethod: 'wallet',
  })
  await payWith(page, /^Phantom/)
  await heading(page, 'Confirm your transfer')
  await expect(dialogOf(page)).toContainText('SOL on Solana is exchanged by a bridge.')
  await press(page, 'Continue')
  await heading(page, 'Success!')
  expect(await outcomeOf(page)).toMatchObject({ status: 'confirmed', amount: '25', symbol: 'USDC' })
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

test('fund from a wallet: a bridge that this browser knows nothing of is found with the methods, and listed @soak', async ({
  browser,
  demo,
}) => {
  test.skip(!demo.chains[8453], 'This machine has no anvil')
  const { page, address, payer } = await newUser(browser, demo, 'fund-elsewhere')
  await chainOf(demo, 1).setBalance({ address: payer, value: parseEther('1') })
  const bridge = decide(page, demo, 'stuck')
  const options = { chain: 'eip155:8453', amount: '0.02' } as const
  await startFunding(page, { ...options, defaultMethod: 'wallet' })
  await payWith(page, /^MetaMask/)
  await heading(page, 'Confirm your transfer')
  await bridge.ready()
  await press(page, 'Continue')
  await heading(page, 'Bridging to Base')
  // As another device of the user has it.
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage)) if (key.includes(':payments:')) localStorage.removeItem(key)
  })
  await reload(page)
  await startFunding(page, options)
  const unfinished = dialogOf(page).getByRole('region', { name: 'Not finished yet' })
  await expect(unfinished).toContainText('From Ethereum', { timeout: limit(20_000) })
  await unfinished.getByRole('button').click()
  await heading(page, 'Bridging to Base')
  await bridge.change('success')
  await heading(page, 'Success!')
  expect(await outcomeOf(page)).toMatchObject({ method: 'wallet', status: 'confirmed', amount: '0.02' })
  expect(await chainOf(demo, 8453).getBalance({ address })).toBe(parseEther('0.02'))
  await page.locator('#open-activity').click()
  const listed = dialogOf(page).getByRole('region', { name: 'By the bridge' })
  await expect(listed).toContainText('Transfer from Ethereum')
  await expect(listed).toContainText('Completed')
})
