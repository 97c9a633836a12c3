/** What a missing network has kept from a page comes with the network, without a reload. */

import type { Page } from '@playwright/test'
import { limit } from '../support/limit.ts'
import { codeBoxes, inDialog } from './support/approval.ts'
import { keeps, openPage } from './support/apps.ts'
import { type Demo, emailOf, expect, logIn, mailedCode, test } from './support/demo.ts'

/** What the page believes of its network; the other tab of the same browser has one. */
const setOnline = (page: Page, yes: boolean) =>
  page.evaluate((online) => {
    Object.defineProperty(navigator, 'onLine', { value: online, configurable: true })
    window.dispatchEvent(new Event(online ? 'online' : 'offline'))
  }, yes)

test('a tab that could not follow a login in another one does so when the network is back @soak', async ({
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
  await expect(other.locator('#email')).toHaveText(emailOf('elsewhere'))
})

const authenticate = '**/passwordless/authenticate'
const losses = [
  {
    how: 'that the browser knows to be gone',
    title: 'You seem to be offline',
    lose: (page: Page) => page.context().setOffline(true),
    regain: (page: Page) => page.context().setOffline(false),
  },
  {
    how: 'that drops unnoticed',
    title: 'Something went wrong',
    lose: (page: Page) => page.route(authenticate, (route) => route.abort('connectionfailed')),
    regain: (page: Page) => page.unroute(authenticate),
  },
]
const apps = [
  { where: 'in the vault’s frame', at: openPage },
  { where: 'on the page of a compatible app', at: ({ site }: Demo) => `${site}/?app=${keeps}` },
]
for (const { how, title, lose, regain } of losses)
  for (const { where, at } of apps) {
    test(`a code typed ${where} outlives a network ${how}, and is sent off by Try again @soak`, async ({
      page,
      demo,
    }) => {
      const email = emailOf('lost-code')
      const since = Date.now() - 1000
      await page.goto(at(demo))
      await page.locator('#log-in').click()
      await page.getByLabel('Email address').fill(email)
      await page.getByRole('button', { name: 'Submit' }).click()
      const boxes = await codeBoxes(page)
      const code = await mailedCode(demo, email, since)
      await lose(page)
      await boxes.pressSequentially(code)
      await inDialog(page, (place) => place.getByRole('heading', { name: title }))
      await regain(page)
      await (await inDialog(page, (place) => place.getByRole('button', { name: 'Try again' }))).click()
      await expect(page.locator('#email')).toHaveText(email, { timeout: limit(30_000) })
    })
  }
