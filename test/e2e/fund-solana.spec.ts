/** A Solana wallet is funded at the demo's providers, by card and from an exchange, to a balance that rose on the demo's chain. */
import type { Page } from '@playwright/test'
import { limit } from '../support/limit.ts'
import { type Demo, expect, test } from './support/demo.ts'
import {
  dialogOf,
  lamportsOf,
  link,
  newUser,
  outcomeOf,
  press,
  reload,
  startFunding,
} from './support/funding.ts'

const half = { chain: 'solana:mainnet', amount: '0.5' } as const

/** Chooses a quote, and goes on with it in the provider's window. */
async function goOn(page: Page, quote: RegExp, provider: string): Promise<Page> {
  const row = dialogOf(page).getByRole('radio', { name: quote })
  await expect(row).toBeVisible({ timeout: limit(20_000) })
  await row.check()
  const opening = page.waitForEvent('popup')
  await press(page, `Continue with ${provider}`)
  return opening
}

async function expectFunded(page: Page, demo: Demo, address: string, method: string): Promise<void> {
  await expect(dialogOf(page)).toContainText("You've funded your account!", { timeout: limit(60_000) })
  await press(page, 'Done')
  expect(await outcomeOf(page)).toMatchObject({ method, status: 'completed', amount: '0.5', symbol: 'SOL' })
  expect(await lamportsOf(demo, address)).toBe(500_000_000)
}

for (const [method, quote, provider] of [
  ['card', /MoonPay.*Card/, 'MoonPay'],
  ['card', /Coinbase.*Card/, 'Coinbase'],
  ['exchange', /Coinbase/, 'Coinbase'],
] as const)
  test(`fund on Solana: SOL from ${provider}, method ${method} @soak`, async ({ browser, demo }) => {
    const { page, other, problems } = await newUser(browser, demo, `fund-${method}-${provider.toLowerCase()}`)
    await link(page, 'Backpack')
    await startFunding(page, { ...half, address: other, defaultMethod: method })
    const seller = await goOn(page, quote, provider)
    await seller.getByRole('button', { name: 'Pay', exact: true }).click()
    await expectFunded(page, demo, other, method)
    expect(problems).toEqual([])
  })

test('fund on Solana: a purchase is found again after a reload, and paid once @soak', async ({
  browser,
  demo,
}) => {
  const { page, other } = await newUser(browser, demo, 'fund-sol-reload')
  await link(page, 'Backpack')
  await startFunding(page, { ...half, address: other, defaultMethod: 'exchange' })
  const first = await goOn(page, /Coinbase/, 'Coinbase')
  await first.waitForLoadState()
  await first.close()
  await reload(page)
  await startFunding(page, { ...half, address: other })
  const unfinished = dialogOf(page).getByRole('region', { name: 'Not finished yet' })
  await expect(unfinished).toContainText('Not paid yet', { timeout: limit(20_000) })
  await unfinished.getByRole('button').click()
  const opening = page.waitForEvent('popup')
  await press(page, 'Continue with Coinbase')
  await (await opening).getByRole('button', { name: 'Pay', exact: true }).click()
  await expectFunded(page, demo, other, 'exchange')
})

test('fund on Solana: another provider is proposed on request @soak', async ({ browser, demo }) => {
  const { page, other } = await newUser(browser, demo, 'fund-sol-other')
  await link(page, 'Backpack')
  await startFunding(page, { ...half, address: other })
  const proposed = dialogOf(page).getByRole('button', { name: /^Pay with card/ })
  await expect(proposed).toContainText(/With (MoonPay|Coinbase)/)
  const before = await proposed.textContent()
  await press(page, 'Try a different provider')
  await expect(proposed).not.toHaveText(before ?? '')
})
