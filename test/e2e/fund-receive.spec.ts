/** A wallet is funded by receiving: the dialog follows the balance on the demo's chains. */
import type { Page } from '@playwright/test'
import { parseEther } from 'viem'
import { limit } from '../support/limit.ts'
import { expect, test } from './support/demo.ts'
import {
  chainOf,
  dialogOf,
  giveUsdc,
  heading,
  link,
  newUser,
  onSolana,
  outcomeOf,
  press,
  reload,
  startFunding,
} from './support/funding.ts'

/** Waits until the balance was read, since only a rise from there counts. */
async function untilFollowed(page: Page): Promise<void> {
  await expect(dialogOf(page)).toContainText(/Balance\s*0/, { timeout: limit(20_000) })
}
async function continueWith(page: Page, received: string): Promise<void> {
  await expect(dialogOf(page)).toContainText(`Received ${received}`, { timeout: limit(20_000) })
  await press(page, 'Continue')
}

test('fund by receiving: ether on Base, and a part of it first @soak', async ({ browser, demo }) => {
  test.skip(!demo.chains[8453], 'This machine has no anvil')
  const { page, address, problems } = await newUser(browser, demo, 'receive-ether')
  await startFunding(page, { chain: 'eip155:8453', amount: '0.02', defaultMethod: 'manual' })
  await heading(page, 'Receive 0.02 ETH')
  await expect(dialogOf(page)).toContainText('Only send ETH on Base.')
  await untilFollowed(page)
  await chainOf(demo, 8453).setBalance({ address, value: parseEther('0.01') })
  await expect(dialogOf(page)).toContainText('Received 0.01 ETH of 0.02 ETH', { timeout: limit(20_000) })
  await chainOf(demo, 8453).setBalance({ address, value: parseEther('0.02') })
  await continueWith(page, '0.02 ETH')
  expect(await outcomeOf(page)).toMatchObject({ method: 'manual', address, symbol: 'ETH' })
  expect(problems).toEqual([])
})

test('fund by receiving: USDC on Ethereum @soak', async ({ browser, demo }) => {
  test.skip(!demo.chains[1], 'This machine has no anvil')
  const { page, address, problems } = await newUser(browser, demo, 'receive-usdc')
  await giveUsdc(demo, 1, address, 0n)
  await startFunding(page, { chain: 'eip155:1', asset: 'USDC', amount: '25', defaultMethod: 'manual' })
  await heading(page, 'Receive 25 USDC')
  await untilFollowed(page)
  await giveUsdc(demo, 1, address, 25_000_000n)
  await continueWith(page, '25 USDC')
  expect(await outcomeOf(page)).toMatchObject({ method: 'manual', address, symbol: 'USDC' })
  expect(problems).toEqual([])
})

test('fund by receiving: SOL, after a reload in the middle @soak', async ({ browser, demo }) => {
  const { page, other, problems } = await newUser(browser, demo, 'receive-sol')
  await link(page, 'Backpack')
  const options = { chain: 'solana:mainnet', address: other, amount: '0.5', defaultMethod: 'manual' } as const
  await startFunding(page, options)
  await heading(page, 'Receive 0.5 SOL')
  await reload(page)
  await startFunding(page, options)
  await heading(page, 'Receive 0.5 SOL')
  await untilFollowed(page)
  await onSolana(demo, 'requestAirdrop', [other, 500_000_000])
  await continueWith(page, '0.5 SOL')
  expect(await outcomeOf(page)).toMatchObject({ method: 'manual', address: other, symbol: 'SOL' })
  expect(problems).toEqual([])
})

test('fund by receiving: closing the dialog before anything came rejects the call @soak', async ({
  browser,
  demo,
}) => {
  test.skip(!demo.chains[8453], 'This machine has no anvil')
  const { page } = await newUser(browser, demo, 'receive-closed')
  await startFunding(page, { chain: 'eip155:8453', amount: '0.02', defaultMethod: 'manual' })
  await heading(page, 'Receive 0.02 ETH')
  await page.keyboard.press('Escape')
  expect(await outcomeOf(page)).toEqual({ code: 'exited_funding_flow' })
})
