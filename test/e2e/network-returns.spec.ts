/** What a missing network has kept from a page comes with the network, without a reload. */
import type { Page } from '@playwright/test'
import { openPage } from './support/apps.ts'
import { emailOf, expect, logIn, test } from './support/demo.ts'

/** What the page believes of its network; the other tab of the same browser has one. */
const setOnline = (page: Page, yes: boolean) =>
  page.evaluate((online) => {
    Object.defineProperty(navigator, 'onLine', { value: online, configurable: true })
    window.dispatchEvent(new Event(online ? 'online' : 'offline'))
  }, yes)

test('a tab that could not follow a login in another one does so when the network is back', async ({
  page,
  demo,
  context,
}) => {
  await page.goto(openPage(demo))
  const other = await context.newPage()
  // As long as nobody is logged in, a page has no more than the shell of its elements.
  await other.goto(openPage(demo))
  await expect(other.locator('#trace')).toContainText('login-modal · lk-ready')
  await setOnline(other, false)
  await page.bringToFront()
  await page.locator('#log-in').click()
  await logIn(page, demo, emailOf('elsewhere'))
  await expect(page.locator('#status')).toHaveText('You are logged in.')
  await expect(other.locator('#trace')).toContainText('network_unavailable')
  await setOnline(other, true)
  await expect(other.locator('#email')).toHaveText(emailOf('elsewhere'), { timeout: 20_000 })
})
