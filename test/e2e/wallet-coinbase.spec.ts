import type { Page } from '@playwright/test'
import { privateKeyToAccount } from 'viem/accounts'
import { anvilKeys } from '../../demo/world/wallet/accounts.ts'
import { expect, test, watchPage } from './support/demo.ts'
import { app, connected, status } from './support/elsewhere.ts'
import { giveWallets } from './support/wallets.ts'
import { pressAndClose } from './support/windows.ts'

const { address } = privateKeyToAccount(anvilKeys[4])

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
  const presses: number[] = []
  await page.exposeFunction('opened', (since: number) => presses.push(since))
  await page.addInitScript(() => {
    const { open } = window
    let presses = 0
    addEventListener('click', ({ isTrusted }) => isTrusted && presses++, true)
    window.open = (...input) => {
      ;(window as unknown as { opened(since: number): void }).opened(presses)
      presses = 0
      return open.apply(window, input)
    }
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
  await pressAndClose(refused, 'Reject')
  await expect(page.getByRole('heading', { name: 'Request rejected' })).toBeVisible()
  await expect(page.locator('#trace')).toContainText('lk-error · wallet_rejected')

  // Both windows have said that they go, the second perhaps a moment after its answer.
  await expect.poll(() => messages.filter(({ what }) => what === 'PopupUnload')).toHaveLength(2)
  messages.length = 0
  const popup = await opens(page, 'Try again')
  await pressAndClose(popup, 'Approve')
  await expect(page.getByRole('heading', { name: 'One more step in Coinbase Wallet' })).toBeVisible()
  const said = ['PopupLoaded', 'scw', 'encrypted', 'PopupUnload']
  await expect.poll(() => messages).toEqual(said.map((what) => ({ from: demo.world, what })))

  // The first window is over, and so is its press.
  const signing = await opens(page, 'Sign message')
  await expect(signing.locator('#text')).toContainText(`${address}`)
  await expect(signing.locator('#text')).toContainText('Nonce: ')
  await pressAndClose(signing, 'Approve')
  await expect(status(page)).toHaveText('You are logged in.')
  await expect(page.locator('#address')).toHaveText(address)

  // A browser lets no window through without a press of its own.
  await expect.poll(() => presses).toHaveLength(4)
  expect(presses).not.toContain(0)

  await page.reload()
  await expect(status(page)).toHaveText('You are logged in.')
  const wallet = { address, name: 'Coinbase Wallet', by: 'coinbase_wallet', linked: true, open: true }
  await expect.poll(() => connected(page)).toEqual([wallet])
  expect(problems).toEqual([])
})

test('a window that the browser blocks is told, and opens at the next press @soak', async ({
  page,
  demo,
}) => {
  await giveWallets(page, {})
  // Playwright lets every window through, and counts as a press itself: what a blocker says is said for it.
  await page.addInitScript(() => {
    const { open } = window
    // The SDK tries a blocked one twice.
    let blocked = 2
    window.open = (...input) => (blocked-- > 0 ? null : open.apply(window, input))
  })
  await page.goto(`${demo.site}/?app=${app}`)
  await toList(page)
  const children = () => page.evaluate(() => document.body.childElementCount)
  const before = await children()
  await page.getByRole('button', { name: 'Coinbase Wallet', exact: true }).click()
  await expect(page.getByRole('heading', { name: "The window didn't open" })).toBeVisible()
  await expect(page.getByText('Allow pop-ups for this page, then try again.').first()).toBeVisible()
  await expect(page.locator('#trace')).toContainText('lk-error · popup_blocked')

  const popup = await opens(page, 'Try again')
  await expect(popup.getByRole('heading', { name: 'Connect to Bring Your Wallet?' })).toBeVisible()
  await expect(status(page)).toHaveText('You are logged out.')
  // The SDK would say it in a place of its own, which stays empty.
  expect(await children()).toBeLessThanOrEqual(before + 1)
  expect(await page.evaluate(() => document.body.textContent)).not.toContain('Popup was blocked')
})

test('a window whose page is loaded again logs nobody in, nor does the one of another tab: each has its own @soak', async ({
  page,
  context,
  demo,
}) => {
  await giveWallets(page, {})
  const other = await context.newPage()
  await giveWallets(other, {})
  const start = async (tab: Page) => {
    await tab.goto(`${demo.site}/?app=${app}`)
    await toList(tab)
    return opens(tab, 'Coinbase Wallet')
  }
  const left = await start(page)
  await left.getByRole('heading', { name: 'Connect to Bring Your Wallet?' }).waitFor()
  await page.reload()
  // The page that has asked is gone, and the new one has asked for nothing.
  await left.getByRole('button', { name: 'Approve' }).click()
  await expect(status(page)).toHaveText('You are logged out.')
  await expect(page.getByRole('dialog')).toBeHidden()
  await left.close()

  const [second, first] = [await start(other), await start(page)]
  await pressAndClose(first, 'Approve')
  await expect(page.getByRole('heading', { name: 'One more step in Coinbase Wallet' })).toBeVisible()
  await expect(second.getByRole('heading', { name: 'Connect to Bring Your Wallet?' })).toBeVisible()
  await pressAndClose(second, 'Approve')
  const nextStep = other.getByRole('heading', { name: 'One more step in Coinbase Wallet' })
  await expect(nextStep).toBeVisible()
  await pressAndClose(await opens(page, 'Sign message'), 'Approve')
  for (const tab of [page, other]) {
    await expect(status(tab)).toHaveText('You are logged in.')
    await expect(tab.getByRole('dialog')).toBeHidden()
    await expect(tab.locator('#address')).toHaveText(address)
  }
})
