/** Failures of funding: what a user reads, what the host page is told, and that the methods are there again. */
import type { Browser, Page } from '@playwright/test'
import { type Address, parseEther } from 'viem'
import type { FundWalletOptions, LoginModal } from '../../src/index.ts'
import { limit } from '../support/limit.ts'
import { strictKeeps } from './support/apps.ts'
import { type Demo, emailOf, expect, test } from './support/demo.ts'
import { deviceWithWallet } from './support/embedded.ts'
import { chainOf, dialogOf, heading, newUser, outcomeOf, press, startFunding } from './support/funding.ts'
import { tellWallet } from './support/wallets.ts'

const onBase = { chain: 'eip155:8453', amount: '0.02' } as const

/** The error with which funding is refused before anything is shown. */
const refusalOf = (page: Page, options: Omit<FundWalletOptions, 'surface' | 'signal'>) =>
  page.evaluate(async (options) => {
    const { kit } = document.querySelector('login-modal') as LoginModal
    try {
      await kit?.fundWallet(options)
    } catch (cause) {
      const { code, shortMessage } = cause as { code: string; shortMessage: string }
      return `${code}: ${shortMessage}`
    }
    return 'nothing'
  }, options)

/** A user with a wallet on Base that has enough. */
async function newPayer(browser: Browser, demo: Demo, name: string) {
  test.skip(!demo.chains[8453], 'This machine has no anvil')
  const user = await newUser(browser, demo, name)
  await chainOf(demo, 8453).setBalance({ address: user.payer, value: parseEther('1') })
  return user
}

async function payByMetaMask(page: Page): Promise<void> {
  await heading(page, 'Transfer from wallet')
  await dialogOf(page)
    .getByRole('button', { name: /^MetaMask/ })
    .first()
    .click()
  await heading(page, 'Confirm or edit amount')
  await press(page, 'Continue')
}

/** Leaves the methods, to which every failure leads back, without money. */
async function leaveMethods(page: Page, demo: Demo, address: Address): Promise<void> {
  await heading(page, 'Add funds to your Base wallet')
  await page.keyboard.press('Escape')
  expect(await outcomeOf(page)).toEqual({ code: 'exited_funding_flow' })
  expect(await chainOf(demo, 8453).getBalance({ address })).toBe(0n)
}

/** Chooses MoonPay's quote for a card, and goes on in its window. */
async function goOnAtMoonpay(page: Page): Promise<Page> {
  const row = dialogOf(page).getByRole('radio', { name: /MoonPay.*Card/ })
  await expect(row).toBeVisible({ timeout: limit(20_000) })
  await row.check()
  const opening = page.waitForEvent('popup')
  await press(page, 'Continue with MoonPay')
  return opening
}

test('funding failures: requests that can not be funded are refused before anything is shown', async ({
  browser,
  demo,
}) => {
  test.skip(!demo.chains[8453], 'This machine has no anvil')
  const { page } = await newUser(browser, demo, 'fund-refused')
  const invalid = 'invalid_request_arguments: Invalid funding data'
  expect(await refusalOf(page, { amount: '1.2.3' })).toBe(invalid)
  expect(await refusalOf(page, { amount: '0' })).toBe(invalid)
  expect(await refusalOf(page, { asset: 'DAI' })).toBe(invalid)
  expect(await refusalOf(page, { chain: 'eip155:8453', asset: `0x${'11'.repeat(20)}` })).toBe(invalid)
  expect(await refusalOf(page, { chain: 'eip155:424242' })).toMatch(/^unsupported_chain_id/)
  await expect(dialogOf(page)).toBeHidden()
})

test('funding failures: an app without funding refuses it @soak', async ({ browser, demo }) => {
  const { page } = await deviceWithWallet(browser, demo, emailOf('fund-off'), strictKeeps)
  expect(await refusalOf(page, {})).toBe('feature_not_enabled: Funding wallet is not enabled')
})

test('funding failures: an app whose settings name no method has no funding config @soak', async ({
  browser,
  demo,
}) => {
  test.skip(!demo.chains[8453], 'This machine has no anvil')
  const { page } = await newUser(browser, demo, 'fund-unset')
  await page.route('**/api/v1/apps/*', async (route) => {
    const response = await route.fetch()
    const app = (await response.json()) as { funding_config?: object }
    const funding_config = { ...app.funding_config, methods: [] }
    await route.fulfill({ response, json: { ...app, funding_config } })
  })
  await page.reload()
  await expect(page.locator('#address')).toHaveText(/^0x/)
  expect(await refusalOf(page, {})).toBe("invalid_configuration: Couldn't find funding config")
})

test('funding failures: a status that can not be had three times in a row is a service failure @soak', async ({
  browser,
  demo,
}) => {
  const { page, address } = await newPayer(browser, demo, 'fund-service')
  await startFunding(page, { ...onBase, defaultMethod: 'card' })
  const seller = await goOnAtMoonpay(page)
  await seller.waitForLoadState()
  let asked = 0
  await page.route(/\/funding\/purchases\/lk[\da-f]+$/, (route) => {
    asked++
    return route.abort()
  })
  await expect(dialogOf(page)).toContainText(
    'Something went wrong adding funds from Moonpay. Please try again or use another method to fund your wallet.',
    { timeout: limit(60_000) },
  )
  expect(asked).toBe(3)
  await leaveMethods(page, demo, address)
})

test('funding failures: a window that is closed for the third time leads back to the methods @soak', async ({
  browser,
  demo,
}) => {
  const { page, address } = await newPayer(browser, demo, 'fund-closed')
  await startFunding(page, { ...onBase, defaultMethod: 'card' })
  let seller = await goOnAtMoonpay(page)
  for (let closing = 1; ; closing++) {
    await seller.waitForLoadState()
    await seller.close()
    await page.bringToFront()
    if (closing === 3) break
    await expect(dialogOf(page)).toContainText('The window of MoonPay is closed', { timeout: limit(20_000) })
    const opening = page.waitForEvent('popup')
    await press(page, 'Open MoonPay again')
    seller = await opening
  }
  await leaveMethods(page, demo, address)
})

test('funding failures: a price that has moved is shown again before anything is bought @soak', async ({
  browser,
  demo,
}) => {
  const { page, address } = await newPayer(browser, demo, 'fund-moved')
  let turn = 0
  await page.route('**/funding/quotes', async (route) => {
    const response = await route.fetch()
    const body = (await response.json()) as { quotes: { total?: string }[] }
    // The first price was lower than the one at which the provider sells.
    if (turn++ === 0) for (const quote of body.quotes) if (quote.total) quote.total = '1.00'
    await route.fulfill({ response, json: body })
  })
  await startFunding(page, { ...onBase, defaultMethod: 'card' })
  const seller = await goOnAtMoonpay(page)
  await expect(dialogOf(page)).toContainText('The price has changed. Please check it again.', {
    timeout: limit(20_000),
  })
  await expect.poll(() => seller.isClosed()).toBe(true)
  await press(page, 'Back')
  await leaveMethods(page, demo, address)
})

test('funding failures: providers that can not be reached are told, and asked again on request @soak', async ({
  browser,
  demo,
}) => {
  const { page, address } = await newPayer(browser, demo, 'fund-down')
  const isQuotes = '**/funding/quotes'
  await page.route(isQuotes, (route) => route.abort())
  await startFunding(page, { ...onBase, defaultMethod: 'card' })
  await expect(dialogOf(page)).toContainText("The prices can't be loaded at the moment. Please try again.", {
    timeout: limit(40_000),
  })
  await page.unroute(isQuotes)
  await press(page, 'Try again')
  await expect(dialogOf(page).getByRole('radio').first()).toBeVisible({ timeout: limit(20_000) })
  await press(page, 'Back')
  await leaveMethods(page, demo, address)
})

test('funding failures: a bridge that can not be reached leads back to the wallets @soak', async ({
  browser,
  demo,
}) => {
  const { page, payer } = await newPayer(browser, demo, 'fund-nobridge')
  await chainOf(demo, 8453).setBalance({ address: payer, value: 0n })
  await chainOf(demo, 1).setBalance({ address: payer, value: parseEther('1') })
  await page.route('**/quote/v2', (route) => route.abort())
  await startFunding(page, { ...onBase, defaultMethod: 'wallet' })
  await payByMetaMask(page)
  await expect(dialogOf(page)).toContainText(
    'No bridge to Base answered. Please try again, or use another method.',
    { timeout: limit(40_000) },
  )
})

test('funding failures: a transfer that its network fails is told with its hash @soak', async ({
  browser,
  demo,
}) => {
  const { page, address, payer } = await newPayer(browser, demo, 'fund-failed')
  const chain = chainOf(demo, 8453)
  const contract = `0x${'fa11'.repeat(10)}` as const
  await chain.setCode({ address: contract, bytecode: '0x60006000fd' })
  await chain.impersonateAccount({ address: payer })
  const hash = await chain.request({
    method: 'eth_sendTransaction',
    params: [{ from: payer, to: contract, gas: '0x30d40' }],
  } as never)
  await startFunding(page, { ...onBase, defaultMethod: 'wallet' })
  await tellWallet(page, 'MetaMask', 'next', { answer: hash }, 'eth_sendTransaction')
  await payByMetaMask(page)
  await expect(dialogOf(page)).toContainText("The transfer failed on Base. It didn't reach your wallet.", {
    timeout: limit(60_000),
  })
  await press(page, 'Continue')
  await leaveMethods(page, demo, address)
})

test('funding failures: a bridge that fails says where the money may be, with the number of the request @soak', async ({
  browser,
  demo,
}) => {
  const { page, address, payer } = await newPayer(browser, demo, 'fund-bridgefail')
  await chainOf(demo, 8453).setBalance({ address: payer, value: 0n })
  await chainOf(demo, 1).setBalance({ address: payer, value: parseEther('1') })
  const chosen: Promise<unknown>[] = []
  page.on('response', async (response) => {
    if (!response.url().endsWith('/quote/v2') || response.request().method() !== 'POST') return
    const { steps } = (await response.json()) as { steps: { requestId: string }[] }
    const requestId = steps[0]?.requestId ?? ''
    const body = new URLSearchParams({ outcome: 'failure', requestId })
    chosen.push(fetch(`${demo.world}/bridge/outcome`, { method: 'POST', body }))
  })
  await startFunding(page, { ...onBase, defaultMethod: 'wallet' })
  await payByMetaMask(page)
  await heading(page, 'Confirm your transfer')
  await expect.poll(() => chosen.length).toBeGreaterThan(0)
  await Promise.all(chosen)
  await press(page, 'Continue')
  await heading(page, "The bridge couldn't complete it")
  await expect(dialogOf(page)).toContainText('Your 0.0201 ETH may still be with the bridge.')
  await press(page, 'Continue')
  await leaveMethods(page, demo, address)
})
