import type { Page } from '@playwright/test'
import { privateKeyToAccount } from 'viem/accounts'
import { anvilKeys } from '../../demo/world/wallet/accounts.ts'
import { test as base, expect, watchPage } from './support/demo.ts'
import { addConnector, app, connected, status } from './support/elsewhere.ts'
import { giveWallets } from './support/wallets.ts'

const { address } = privateKeyToAccount(anvilKeys[4])

/** In a browser that opens windows within a press and no others; Playwright's usual one opens all. */
const test = base.extend({
  page: async ({ playwright, launchOptions }, use) => {
    const ignoreDefaultArgs = ['--disable-popup-blocking']
    const browser = await playwright.chromium.launch({ ...launchOptions, ignoreDefaultArgs })
    await use(await browser.newPage())
    await browser.close()
  },
})

/** Presses, and gives the window that opens. */
async function opens(page: Page, button: string): Promise<Page> {
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('button', { name: button, exact: true }).click(),
  ])
  return popup
}

async function toList(page: Page): Promise<void> {
  await page.locator('#log-in').click()
  await page.getByRole('button', { name: 'Continue with a wallet' }).click()
  await expect(page.getByRole('heading', { name: 'Select your wallet' })).toBeVisible()
}

test('Coinbase’s own window opens within the press and speaks with its SDK; closing it is a no, which can be taken back', async ({
  page,
  demo,
}) => {
  const problems = watchPage(page)
  await giveWallets(page, {})
  const messages: { from: string; what: string }[] = []
  await page.exposeFunction('messaged', (from: string, what: string) => messages.push({ from, what }))
  await page.addInitScript(() => {
    addEventListener('message', ({ origin, data }) => {
      const what = data?.event ?? (data?.content ? Object.keys(data.content).join() : data?.data)
      if (typeof what === 'string' && (data.id || data.requestId))
        (window as unknown as { messaged(from: string, what: string): void }).messaged(origin, what)
    })
  })
  await page.goto(`${demo.site}/?app=${app}`)
  await toList(page)

  const closed = await opens(page, 'Coinbase Wallet')
  const asked = new URL(closed.url())
  expect(asked.origin + asked.pathname).toBe(`${demo.world}/coinbase/connect`)
  expect(Object.fromEntries(asked.searchParams)).toMatchObject({ sdkVersion: '4.3.7', origin: demo.site })
  await expect(closed.getByRole('heading', { name: 'Connect to Bring Your Wallet?' })).toBeVisible()
  await expect(closed.locator('#who')).toHaveText(new URL(demo.site).host)
  await closed.evaluate(() => close()).catch(() => {})
  await expect(page.getByRole('heading', { name: 'Request rejected' })).toBeVisible()

  const refused = await opens(page, 'Try again')
  await refused.getByRole('button', { name: 'Reject' }).click()
  await expect(page.getByRole('heading', { name: 'Request rejected' })).toBeVisible()
  expect(await page.locator('#trace').textContent()).toContain('lk-error · wallet_rejected')

  messages.length = 0
  const popup = await opens(page, 'Try again')
  await Promise.all([popup.waitForEvent('close'), popup.getByRole('button', { name: 'Approve' }).click()])
  await expect(page.getByRole('heading', { name: 'One more step in Coinbase Wallet' })).toBeVisible()
  expect(messages).toEqual(
    ['PopupLoaded', 'scw', 'encrypted', 'PopupUnload'].map((what) => ({ from: demo.world, what })),
  )

  // Long after the press by which the wallet was chosen: a window that opened by itself now would be blocked.
  const signing = await opens(page, 'Sign message')
  await expect(signing.locator('#text')).toContainText(`${address}`)
  await expect(signing.locator('#text')).toContainText('Nonce: ')
  await Promise.all([signing.waitForEvent('close'), signing.getByRole('button', { name: 'Approve' }).click()])
  await expect(status(page)).toHaveText('You are logged in.')
  await expect(page.locator('#address')).toHaveText(address)

  await page.reload()
  await addConnector(page)
  await expect(status(page)).toHaveText('You are logged in.')
  const wallet = { address, name: 'Coinbase Wallet', by: 'coinbase_wallet', linked: true, open: true }
  await expect.poll(() => connected(page)).toEqual([wallet])
  expect(problems).toEqual([])
})

test('a window that the browser blocks is told, and opens at the next press', async ({ page, demo }) => {
  await giveWallets(page, {})
  await page.goto(`${demo.site}/?app=${app}`)
  await toList(page)
  const before = await page.evaluate(() => {
    Object.assign(window, { realOpen: window.open })
    window.open = () => null
    return document.body.childElementCount
  })
  await page.getByRole('button', { name: 'Coinbase Wallet', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'The window did not open' })).toBeVisible()
  await expect(page.getByText('Allow this page to open windows, then try again.').first()).toBeVisible()
  expect(await page.locator('#trace').textContent()).toContain('lk-error · popup_blocked')
  // Nothing of the SDK's own stands in the page.
  expect(await page.evaluate(() => document.body.textContent)).not.toContain('Popup was blocked')
  expect(await page.evaluate(() => document.body.childElementCount)).toBeLessThanOrEqual(before + 1)

  await page.evaluate(() => {
    window.open = (window as unknown as { realOpen: typeof window.open }).realOpen
  })
  const popup = await opens(page, 'Try again')
  await expect(popup.getByRole('heading', { name: 'Connect to Bring Your Wallet?' })).toBeVisible()
  await expect(status(page)).toHaveText('You are logged out.')
})
