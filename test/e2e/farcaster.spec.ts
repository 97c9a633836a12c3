import type { BrowserContext, Page, Response } from '@playwright/test'
import { expect, test, watchPage } from './support/demo.ts'
import { scan } from './support/scan.ts'

const app = 'latchkey-demo-nowallet-08'
const heading = 'Sign in with Farcaster'

/** Opens the dialog and scans the code with the phone, which is another browser. */
async function scanned(page: Page, phone: BrowserContext): Promise<Page> {
  await page.locator('#log-in').click()
  await page.getByRole('button', { name: /^Farcaster/ }).click()
  await expect(page.getByRole('heading', { name: heading })).toBeVisible()
  const link = page.locator('[data-qr] a')
  await expect(link).toHaveAttribute('href', /\/farcaster\/phone\?channelToken=/)
  const uri = (await link.getAttribute('href')) ?? ''
  await expect.poll(() => scan(page.locator('[part=qr]'))).toBe(uri)
  const screen = await phone.newPage()
  await screen.goto(uri)
  await expect(screen.getByRole('heading', { name: `Sign in to ${new URL(page.url()).host}?` })).toBeVisible()
  return screen
}

test('a new person approves on their phone, leaves, and comes back as the same', async ({
  page,
  demo,
  browser,
}) => {
  const problems = watchPage(page)
  const phone = await browser.newContext({ viewport: { width: 390, height: 844 } })
  await page.goto(`${demo.site}?app=${app}&methods=farcaster,email`)

  const first = await scanned(page, phone)
  await first.getByRole('button', { name: 'Approve as Ada' }).click()
  await expect(first.getByRole('heading', { name: 'You are signed in' })).toBeVisible()
  await expect(page.getByText('Successfully connected with Farcaster').first()).toBeVisible()
  await expect(page.locator('#status')).toHaveText('You are logged in.')
  await expect(page.getByRole('dialog')).toBeHidden()
  const id = (await page.locator('#user-id').textContent()) ?? ''
  expect(id).toMatch(/^did:latchkey:/)

  await page.locator('#log-out').click()
  await expect(page.locator('#status')).toHaveText('You are logged out.')
  const second = await scanned(page, phone)
  await second.getByRole('button', { name: 'Approve as Ada' }).click()
  await expect(page.locator('#status')).toHaveText('You are logged in.')
  await expect(page.locator('#user-id')).toHaveText(id)

  await expect(page.getByRole('dialog')).toBeHidden()
  await page.locator('#log-out').click()
  const third = await scanned(page, phone)
  await third.getByRole('button', { name: 'Approve as Ben' }).click()
  await expect(page.locator('#status')).toHaveText('You are logged in.')
  await expect(page.locator('#user-id')).not.toHaveText(id)
  expect(problems).toEqual([])
  await phone.close()
})

test('a person who declines on the phone is not in, and may take another way @soak', async ({
  page,
  demo,
  browser,
}) => {
  const problems = watchPage(page)
  const phone = await browser.newContext()
  await page.goto(`${demo.site}?app=${app}&methods=farcaster,email`)
  const screen = await scanned(page, phone)
  await screen.getByRole('button', { name: 'Decline' }).click()
  await expect(screen.getByRole('heading', { name: 'Request declined' })).toBeVisible()
  // The page hears of it, and asks no more.
  const isStatus = (response: Response) => response.url().includes('/farcaster/status')
  await page.waitForResponse(isStatus)
  await page.waitForResponse(isStatus)
  await expect(page.getByRole('heading', { name: heading })).toBeVisible()
  await expect(page.locator('#status')).toHaveText('You are logged out.')
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(page.getByLabel('Email address')).toBeVisible()
  expect(problems).toEqual([])
  await phone.close()
})

test('on a phone the app opens from a link, and the page is in when the person comes back @soak', async ({
  browser,
  demo,
}) => {
  const phone = await browser.newContext({
    viewport: { width: 390, height: 844 },
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1',
  })
  const page = await phone.newPage()
  await page.goto(`${demo.site}?app=${app}&methods=farcaster,email`)
  await page.locator('#log-in').click()
  await page.getByRole('button', { name: /^Farcaster/ }).click()
  const [opened] = await Promise.all([
    phone.waitForEvent('page'),
    page.getByRole('link', { name: 'Open Farcaster' }).click(),
  ])
  await opened.getByRole('button', { name: 'Approve as Cleo' }).click()
  // A page that is closed while it still sends its form may never be gone.
  await expect(opened.getByRole('heading', { name: 'You are signed in' })).toBeVisible()
  await opened.close()
  await expect(page.locator('#status')).toHaveText('You are logged in.')
  await phone.close()
})
