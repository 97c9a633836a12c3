/** Two apps of the demo, of which one asks the wallets of the other's users. */
import type { BrowserContext, Locator, Page } from '@playwright/test'
import { limit } from '../../support/limit.ts'
import { openWindow, pressIn } from './approval.ts'
import { type Demo, emailOf, expect, logIn } from './demo.ts'
import { untilRead } from './embedded.ts'
import type { Mode } from './sending.ts'

/** The app that asks. */
export const every = 'latchkey-demo-every-00009'
/** The apps that are asked, by who draws the review. */
export const friends = {
  strict: { id: 'latchkey-demo-friend-0010', name: 'Friendly App' },
  compatible: { id: 'latchkey-demo-friend-comp', name: 'Friendly App (compatible)' },
} as const

/** Logs in at the app that asks with an account of the other one, where the user has a wallet, and gives that one's address. */
export async function logInByFriend(
  page: Page,
  context: BrowserContext,
  demo: Demo,
  { mode = 'strict', email = emailOf('friend') }: { mode?: Mode; email?: string } = {},
): Promise<string> {
  const { id, name } = friends[mode]
  await page.goto(`${demo.site}/?app=${every}&methods=privy:${id}`)
  await page.locator('#log-in').click()
  const row = page.getByRole('dialog').getByRole('button', { name, exact: true })
  const [popup] = await Promise.all([page.waitForEvent('popup'), row.click()])
  const allow = popup.getByRole('button', { name: 'Allow' })
  const enter = popup.getByRole('button', { name: 'Log in' })
  await expect(allow.or(enter)).toBeVisible({ timeout: limit(20_000) })
  if (await enter.isVisible()) {
    await enter.click()
    await logIn(popup, demo, email)
  }
  await allow.click({ timeout: limit(20_000) })
  if (mode === 'strict') await pressIn(await openWindow(popup, context), 'Allow')
  // The page learns of the login once its dialog is over.
  await untilRead(page)
  await expect(page.locator('#other-wallet')).toHaveText(/^0x/, { timeout: limit(30_000) })
  return (await page.locator('#other-wallet').textContent()) ?? ''
}

/** Presses a button of the page, and gives the window in which the other app reviews the request. */
export async function ask(page: Page, name: string): Promise<Page> {
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('button', { name, exact: true }).click(),
  ])
  return popup
}
/** The other app's own page, where the user is logged in. */
export async function visitFriend(context: BrowserContext, demo: Demo, mode: Mode): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${demo.site}/?app=${friends[mode].id}`)
  await expect(page.locator('#status')).toHaveText('You are logged in.', { timeout: limit(20_000) })
  return page
}
export const answerOf = (page: Page): Locator => page.locator('#other-answer')
export const expectSignature = (page: Page): Promise<void> =>
  expect(answerOf(page)).toHaveText(/^0x[\da-f]{130}$/, { timeout: limit(30_000) })
export const isOver = (popup: Page): Promise<void> =>
  expect.poll(() => popup.isClosed(), { timeout: limit(20_000) }).toBe(true)
export const noted = (page: Page, text: string): Promise<void> =>
  expect(page.locator('#trace').getByText(text).first()).toBeVisible({ timeout: limit(20_000) })
