/** What a missing network has kept from a page comes with the network, without a reload. */
import type { Page } from '@playwright/test'
import { emailOf, expect, logIn, test, watchPage } from './support/demo.ts'

/** Loses the network as soon as the page asks for this, and before the page has it. */
const loseAt = (page: Page, what: string) =>
  page.route(what, async (route) => {
    await page.context().setOffline(true)
    await route.abort('internetdisconnected')
  })

test('a page that has lost the network while the script loads has its elements when that is back', async ({
  page,
  demo,
}) => {
  const problems = watchPage(page)
  await loseAt(page, '**/latchkey/chunks/**')
  await page.goto(demo.site, { waitUntil: 'commit' })
  await expect.poll(() => page.evaluate(() => navigator.onLine)).toBe(false)
  await page.unroute('**/latchkey/chunks/**')
  expect(await page.evaluate(() => customElements.get('login-modal') === undefined)).toBe(true)
  await page.context().setOffline(false)
  await page.waitForFunction(() => customElements.get('login-modal') !== undefined)
  expect(problems.filter((each) => each.startsWith('uncaught'))).toEqual([])
})

test('a tab that could not follow a login in another one does so when the network is back', async ({
  page,
  demo,
  context,
}) => {
  await page.goto(demo.site)
  const other = await context.newPage()
  // As long as nobody is logged in, a page has no more than the shell of its elements.
  await other.goto(demo.site)
  await expect(other.locator('#trace')).toContainText('login-modal · lk-ready')
  await other.route('**/latchkey/**', (route) => route.abort('internetdisconnected'))
  await page.bringToFront()
  await page.locator('#log-in').click()
  await logIn(page, demo, emailOf('elsewhere'))
  await expect(page.locator('#status')).toHaveText('You are logged in.')
  await expect(other.locator('#trace')).toContainText('network_unavailable')
  await other.unroute('**/latchkey/**')
  await context.setOffline(true)
  await context.setOffline(false)
  await expect(other.locator('#email')).toHaveText(emailOf('elsewhere'), { timeout: 20_000 })
})
