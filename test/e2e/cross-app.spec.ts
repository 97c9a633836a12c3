import type { Page } from '@playwright/test'
import { limit } from '../support/limit.ts'
import { openWindow, pressIn } from './support/approval.ts'
import { type Demo, emailOf, expect, logIn, test } from './support/demo.ts'
import { untilRead } from './support/embedded.ts'

const every = 'latchkey-demo-every-00009'
const friend = 'latchkey-demo-friend-0010'
const addressOf = (demo: Demo, provider = friend) => `${demo.site}/?app=${every}&methods=privy:${provider}`

async function choose(page: Page): Promise<Page> {
  await page.locator('#log-in').click()
  const row = page.getByRole('dialog').getByRole('button', { name: 'Friendly App' })
  const [popup] = await Promise.all([page.waitForEvent('popup'), row.click()])
  return popup
}

async function userId(page: Page): Promise<string> {
  await page.mouse.move(0, 0)
  // The page learns of the login once its dialog is over.
  await untilRead(page)
  await expect(page.locator('#status')).toHaveText('You are logged in.')
  return (await page.locator('#user-id').textContent()) ?? ''
}

test('another app’s account logs in the same person twice @soak', async ({ page, context, demo }) => {
  await page.goto(addressOf(demo))
  const first = await choose(page)
  await first.getByRole('button', { name: 'Log in' }).click()
  await logIn(first, demo, emailOf('friend'))
  await first.getByRole('button', { name: 'Allow' }).click({ timeout: limit(20_000) })
  // They have a wallet there.
  await pressIn(await openWindow(first, context), 'Allow')
  const id = await userId(page)
  expect([first.isClosed(), page.url()]).toEqual([true, addressOf(demo)])

  await page.locator('#log-out').click()
  await expect(page.locator('#status')).toHaveText('You are logged out.')
  const second = await choose(page)
  await second.getByRole('button', { name: 'Allow' }).click()
  await pressIn(await openWindow(second, context), 'Allow')
  expect(await userId(page)).toBe(id)
})

test('a denial says so, and a closed window too @soak', async ({ page, demo }) => {
  await page.goto(addressOf(demo))
  const denied = await choose(page)
  await denied.getByRole('button', { name: 'Deny' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('User denied confirmation during cross-app auth flow')).toBeVisible()

  const [closed] = await Promise.all([
    page.waitForEvent('popup'),
    dialog.getByRole('button', { name: 'Try again' }).click(),
  ])
  await closed.getByRole('button', { name: 'Deny' }).waitFor()
  await closed.close()
  await expect(dialog.getByText('User rejected request')).toBeVisible()
})

test('an app that is not connected is refused in words @soak', async ({ page, demo }) => {
  await page.goto(addressOf(demo, 'latchkey-demo-open-000001'))
  await page.locator('#log-in').click()
  const dialog = page.getByRole('dialog')
  const popup = page.waitForEvent('popup')
  await dialog.getByRole('button', { name: 'Latchkey Demo' }).click()
  await expect(dialog.getByText('Invalid connected app')).toBeVisible()
  await expect.poll(async () => (await popup).isClosed()).toBe(true)
})
