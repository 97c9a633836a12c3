/** A user buys coins from the demo's stand-ins, by card and from an exchange, and the wallet has them on the demo's chain. */
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { createPublicClient, http, parseEther } from 'viem'
import { limit } from '../support/limit.ts'
import { codeBoxes } from './support/approval.ts'
import { compatibleApps, open } from './support/apps.ts'
import { type Demo, emailOf, expect, mailedCode, test, watchPage } from './support/demo.ts'
import { deviceWithWallet } from './support/embedded.ts'

type Balance = () => Promise<bigint>
interface Buyer {
  readonly page: Page
  readonly context: BrowserContext
  readonly balance: Balance
  readonly problems: string[]
}

/** A user with a wallet, on the demo's page. */
async function newBuyer(browser: Browser, demo: Demo, name: string, app = open): Promise<Buyer> {
  test.skip(!demo.chains[8453], 'This machine has no anvil')
  const { page, context } = await deviceWithWallet(browser, demo, emailOf(name), app)
  const problems = watchPage(page)
  const address = ((await page.locator('#address').textContent()) ?? '0x') as `0x${string}`
  const chain = createPublicClient({ transport: http(demo.chains[8453]) })
  return { page, context, problems, balance: () => chain.getBalance({ address }) }
}

/** Opens the methods, and the quotes of one. */
async function openQuotes(page: Page, method: string) {
  const dialog = page.getByRole('dialog')
  await page.locator('#open-fund').click()
  await dialog.getByRole('button', { name: method }).click()
  await expect(dialog.getByRole('radio').first()).toBeVisible({ timeout: limit(20_000) })
  return dialog
}

/** Chooses a quote, and goes on with it in the provider's window. */
async function goOn(page: Page, quote: RegExp, provider: string): Promise<Page> {
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: quote }).check()
  const opening = page.waitForEvent('popup')
  await dialog.getByRole('button', { name: `Continue with ${provider}` }).click()
  return opening
}

const play = (seller: Page, button: string) =>
  seller.getByRole('button', { name: button, exact: true }).click()

/** The end of a purchase in the dialog, and the coins on the chain. */
async function expectFunded({ page, balance }: Buyer, provider: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText("You've funded your account!", { timeout: limit(60_000) })
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(page.locator('#funded')).toHaveText(`completed: 0.02 ETH from ${provider}`)
  expect(await balance()).toBe(parseEther('0.02'))
}

test('fund by card: MoonPay’s window opens with the press, and the wallet has the coins @soak', async ({
  browser,
  demo,
}) => {
  const buyer = await newBuyer(browser, demo, 'moonpay')
  const dialog = await openQuotes(buyer.page, 'Pay with card')
  await expect(dialog).toContainText('0.02 ETH')
  const seller = await goOn(buyer.page, /MoonPay.*Card/, 'MoonPay')
  await expect(dialog.getByRole('heading', { name: 'Fund account' })).toBeVisible()
  await expect(dialog).toContainText('In Progress')
  await play(seller, 'Pay')
  await expectFunded(buyer, 'moonpay')
  expect(buyer.problems).toEqual([])
})

test('fund by card: a purchase is found again after a reload, and paid once', async ({ browser, demo }) => {
  const buyer = await newBuyer(browser, demo, 'reload')
  const { page } = buyer
  const dialog = await openQuotes(page, 'Pay with card')
  const first = await goOn(page, /MoonPay.*Card/, 'MoonPay')
  await first.waitForLoadState()
  await first.close()
  await page.reload()
  await page.locator('#open-fund').click()
  const unfinished = dialog.getByRole('region', { name: 'Not finished yet' })
  await expect(unfinished).toContainText('Not paid yet', { timeout: limit(20_000) })
  await unfinished.getByRole('button').click()
  const opening = page.waitForEvent('popup')
  await dialog.getByRole('button', { name: 'Continue with MoonPay' }).click()
  await play(await opening, 'Pay')
  await expectFunded(buyer, 'moonpay')
  await page.locator('#open-activity').click()
  await expect(dialog.getByRole('region', { name: 'Bought' }).getByRole('button')).toHaveCount(1)
  await expect(dialog).toContainText('Completed')
  expect(buyer.problems).toEqual([])
})

test('fund by card: Coinbase’s window, opened again after it was closed @soak', async ({ browser, demo }) => {
  const buyer = await newBuyer(browser, demo, 'coinbase')
  const { page } = buyer
  const dialog = await openQuotes(page, 'Pay with card')
  const first = await goOn(page, /Coinbase.*Card/, 'Coinbase')
  await first.waitForLoadState()
  await first.close()
  await page.bringToFront()
  await expect(dialog).toContainText('The window of Coinbase is closed', { timeout: limit(20_000) })
  const opening = page.waitForEvent('popup')
  await dialog.getByRole('button', { name: 'Open Coinbase again' }).click()
  await play(await opening, 'Pay')
  await expectFunded(buyer, 'coinbase-onramp')
  expect(buyer.problems).toEqual([])
})

test('fund from an exchange: what the user has at Coinbase comes to the wallet @soak', async ({
  browser,
  demo,
}) => {
  const buyer = await newBuyer(browser, demo, 'exchange')
  await openQuotes(buyer.page, 'Transfer from an exchange')
  const seller = await goOn(buyer.page, /Coinbase/, 'Coinbase')
  await play(seller, 'Pay')
  await expectFunded(buyer, 'coinbase-onramp')
  expect(buyer.problems).toEqual([])
})

test('fund by card: 3-D Secure is confirmed at the bank @soak', async ({ browser, demo }) => {
  const buyer = await newBuyer(browser, demo, 'secure')
  await openQuotes(buyer.page, 'Pay with card')
  const seller = await goOn(buyer.page, /MoonPay.*Card/, 'MoonPay')
  await play(seller, 'Pay with 3-D Secure')
  await expect(buyer.page.getByRole('dialog')).toContainText('Processing payment', { timeout: limit(30_000) })
  await play(seller, 'Confirm')
  await expectFunded(buyer, 'moonpay')
  expect(buyer.problems).toEqual([])
})

test('fund by card: a declined card leads back to the methods, and another one pays the same purchase @soak', async ({
  browser,
  demo,
}) => {
  const buyer = await newBuyer(browser, demo, 'declined')
  const { page } = buyer
  const dialog = await openQuotes(page, 'Pay with card')
  await play(await goOn(page, /MoonPay.*Card/, 'MoonPay'), 'Pay with a card that is declined')
  await expect(dialog).toContainText(
    'Something went wrong adding funds from Moonpay. Please try again or use another method to fund your wallet.',
    { timeout: limit(30_000) },
  )
  await dialog.getByRole('button', { name: 'Pay with card' }).click()
  await expect(dialog.getByRole('radio').first()).toBeVisible({ timeout: limit(20_000) })
  await play(await goOn(page, /MoonPay.*Card/, 'MoonPay'), 'Pay')
  await expectFunded(buyer, 'moonpay')
})

test('fund by card: leaving while a payment is processed is submitted, and the money comes all the same @soak', async ({
  browser,
  demo,
}) => {
  const buyer = await newBuyer(browser, demo, 'leaves')
  const { page, balance } = buyer
  const dialog = await openQuotes(page, 'Pay with card')
  await play(await goOn(page, /MoonPay.*Card/, 'MoonPay'), 'Pay, and wait long')
  await expect(dialog).toContainText('Processing payment', { timeout: limit(30_000) })
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(page.locator('#funded')).toHaveText('submitted: 0.02 ETH from moonpay')
  await expect.poll(balance, { timeout: limit(60_000) }).toBe(parseEther('0.02'))
  expect(buyer.problems).toEqual([])
})

test('fund by card: abandoning leads back, and the purchase can be discarded @soak', async ({
  browser,
  demo,
}) => {
  const buyer = await newBuyer(browser, demo, 'abandons')
  const { page, balance } = buyer
  const dialog = await openQuotes(page, 'Pay with card')
  await play(await goOn(page, /MoonPay.*Card/, 'MoonPay'), 'Leave without paying')
  await page.bringToFront()
  await dialog.getByRole('button', { name: 'Back' }).click()
  await dialog.getByRole('region', { name: 'Not finished yet' }).getByRole('button').click()
  await dialog.getByRole('button', { name: 'Discard it' }).click()
  await expect(dialog.getByRole('button', { name: 'Receive funds' })).toBeVisible()
  await expect(dialog.getByRole('region', { name: 'Not finished yet' })).toBeHidden()
  expect(await balance()).toBe(0n)
  expect(buyer.problems).toEqual([])
})

test('fund by card: where the browser opens no window a link leads on @soak', async ({ browser, demo }) => {
  const buyer = await newBuyer(browser, demo, 'blocked')
  const { page, context } = buyer
  const dialog = await openQuotes(page, 'Pay with card')
  await page.evaluate(() => {
    window.open = () => null
  })
  await dialog.getByRole('radio', { name: /MoonPay.*Card/ }).check()
  await dialog.getByRole('button', { name: 'Continue with MoonPay' }).click()
  await expect(dialog).toContainText('Unable to initialize flow', { timeout: limit(20_000) })
  const opening = context.waitForEvent('page')
  await dialog.getByRole('link', { name: 'Continue at MoonPay' }).click()
  await play(await opening, 'Pay')
  await expectFunded(buyer, 'moonpay')
  expect(buyer.problems).toEqual([])
})

test('fund by Apple Pay: a guest verifies a number, accepts the terms, and pays in the frame @soak', async ({
  browser,
  demo,
}) => {
  const buyer = await newBuyer(browser, demo, 'guest', compatibleApps[0])
  const { page } = buyer
  const dialog = await openQuotes(page, 'Pay with card')
  await dialog.getByRole('radio', { name: /Coinbase.*Apple Pay/ }).check()
  await dialog.getByRole('button', { name: 'Verify your phone number' }).click()
  const number = `213373${String(Date.now()).slice(-4)}`
  const since = Date.now() - 1000
  await dialog.getByRole('textbox', { name: 'Phone number' }).fill(number)
  await page.keyboard.press('Enter')
  const boxes = await codeBoxes(page)
  await boxes.pressSequentially(await mailedCode(demo, `+1${number}`, since))
  await expect(dialog).toContainText('By continuing you accept the terms of Coinbase.', {
    timeout: limit(30_000),
  })
  await dialog.getByRole('button', { name: 'Continue with Coinbase' }).click()
  const frame = page.frameLocator('iframe[title="Payment at Coinbase"]')
  await frame.getByRole('button', { name: 'Pay', exact: true }).click()
  await expectFunded(buyer, 'coinbase-onramp')
  expect(buyer.problems).toEqual([])
})

test('fund by card: the provider leads back, and its window closes where the purchase is followed @soak', async ({
  browser,
  demo,
}) => {
  const buyer = await newBuyer(browser, demo, 'leads-back')
  await openQuotes(buyer.page, 'Pay with card')
  const seller = await goOn(buyer.page, /MoonPay.*Card/, 'MoonPay')
  await play(seller, 'Pay, and wait long')
  const closed = seller.waitForEvent('close')
  await seller.getByRole('link', { name: 'Continue' }).click()
  await closed
  await expect(buyer.page.getByRole('dialog')).toContainText('Processing payment', { timeout: limit(20_000) })
  await expectFunded(buyer, 'moonpay')
})

test('fund by card: a buyer who comes back to a tab that nobody waits for finds the purchase @soak', async ({
  browser,
  demo,
}) => {
  const buyer = await newBuyer(browser, demo, 'comes-back')
  const { page, balance } = buyer
  await openQuotes(page, 'Pay with card')
  const seller = await goOn(page, /MoonPay.*Card/, 'MoonPay')
  await play(seller, 'Pay')
  const back = await seller.getByRole('link', { name: 'Continue' }).getAttribute('href')
  await seller.close()
  await page.goto(back ?? '')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText("You've funded your account!", { timeout: limit(60_000) })
  expect(new URL(page.url()).search).not.toMatch(/lk_purchase|transaction/)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(dialog).toBeHidden()
  await expect.poll(balance, { timeout: limit(60_000) }).toBe(parseEther('0.02'))
})
