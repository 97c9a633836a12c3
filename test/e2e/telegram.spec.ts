import type { Page } from '@playwright/test'
import type { Demo } from './support/demo.ts'
import { expect, test, watchPage } from './support/demo.ts'
import { pressAndClose } from './support/windows.ts'

const app = 'latchkey-demo-every-00009'
const pageOf = (demo: Demo) => `${demo.site}/?app=${app}&methods=telegram,email`

/** Presses the row, and answers as somebody in Telegram's own window. */
async function withTelegram(page: Page, name: string, answer: 'Accept' | 'Decline' = 'Accept') {
  await page.locator('#log-in').click()
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('button', { name: 'Telegram' }).click(),
  ])
  await answerIn(popup, name, answer)
}
async function answerIn(popup: Page, name: string, answer: 'Accept' | 'Decline' = 'Accept') {
  await popup.getByLabel('Name').fill(name)
  await pressAndClose(popup, answer)
}

test('a new user logs in in Telegram’s window, logs out, and is the same user again @soak', async ({
  page,
  demo,
}) => {
  const problems = watchPage(page)
  await page.goto(pageOf(demo))
  await withTelegram(page, 'Ann Lee')
  await expect(page.getByText('Successfully connected with Telegram').first()).toBeVisible()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.locator('#status')).toHaveText('You are logged in.')
  const id = (await page.locator('#user-id').textContent()) ?? ''
  expect(id).toMatch(/^did:latchkey:/)
  await expect(page.locator('#address')).toHaveText(/^0x[0-9a-fA-F]{40}$/)

  await page.locator('#log-out').click()
  await expect(page.locator('#status')).toHaveText('You are logged out.')
  await withTelegram(page, 'Ann Lee')
  await expect(page.locator('#user-id')).toHaveText(id)

  await page.locator('#log-out').click()
  await expect(page.locator('#status')).toHaveText('You are logged out.')
  await withTelegram(page, 'Bob')
  await expect(page.locator('#user-id')).toHaveText(/^did:latchkey:/)
  await expect(page.locator('#user-id')).not.toHaveText(id)
  expect(problems).toEqual([])
})

test('who declines, or closes the window, may try again @soak', async ({ page, demo }) => {
  await page.goto(pageOf(demo))
  await withTelegram(page, 'Ann Lee', 'Decline')
  const canceled = page.getByText('Telegram auth failed or was canceled by the client').first()
  await expect(canceled).toBeVisible()
  const [second] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('button', { name: 'Retry' }).click(),
  ])
  await second.waitForLoadState()
  await second.close()
  await expect(canceled).toBeVisible()
  const [third] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('button', { name: 'Retry' }).click(),
  ])
  await answerIn(third, 'Carol')
  await expect(page.locator('#status')).toHaveText('You are logged in.')
})

test('where no window opens, Telegram sends the person back to the page @soak', async ({ page, demo }) => {
  // What a browser without windows does.
  await page.addInitScript(() => {
    window.open = () => null
  })
  await page.goto(`${pageOf(demo)}&kept=%20x`)
  await page.locator('#log-in').click()
  await page.getByRole('button', { name: 'Telegram' }).click()
  await page.getByRole('heading', { name: 'Log in with Telegram' }).waitFor()
  await page.getByLabel('Name').fill('Dora')
  await page.getByRole('button', { name: 'Accept' }).click()
  await expect(page.getByText('Successfully connected with Telegram').first()).toBeVisible()
  await expect(page.locator('#status')).toHaveText('You are logged in.')
  expect(page.url()).toBe(`${pageOf(demo)}&kept=%20x`)
  await expect(page.locator('#trace')).toContainText('login-modal · lk-login')
})

test('a link with somebody else’s data logs nobody in @soak', async ({ page, demo }) => {
  const signed = await page.request.post(`${demo.world}/telegram/auth/sign`, {
    data: { bot_id: '7000000001', name: 'Mallory' },
  })
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto(`${pageOf(demo)}&${new URLSearchParams(await signed.json())}`)
  await expect(page).toHaveURL(pageOf(demo))
  await expect(page.locator('#status')).toHaveText('You are logged out.')
  await page.waitForLoadState('networkidle')
  expect(asked.filter((url) => url.startsWith(demo.api))).toEqual([])
  await expect(page.getByRole('dialog')).toBeHidden()
})

test('a mini app logs in by itself inside of Telegram, and is the same user as by the window @soak', async ({
  page,
  demo,
}) => {
  await page.goto(pageOf(demo))
  await withTelegram(page, 'Eve Adams')
  await expect(page.locator('#status')).toHaveText('You are logged in.')
  const id = (await page.locator('#user-id').textContent()) ?? ''
  await page.locator('#log-out').click()
  await expect(page.locator('#status')).toHaveText('You are logged out.')

  const client = `${demo.world}/telegram/client?${new URLSearchParams({ page: pageOf(demo) })}`
  const inside = page.frameLocator('iframe[title="Mini app"]')
  const start = async (name: string) => {
    await page.goto(client)
    await page.getByLabel('Name').fill(name)
    await page.getByRole('button', { name: 'Open mini app' }).click()
  }
  await start('Eve Adams')
  await expect(inside.locator('#status')).toHaveText('You are logged in.')
  await expect(inside.locator('#user-id')).toHaveText(id)
  expect(page.frames().some((frame) => frame.url().includes('tgWebAppData'))).toBe(false)

  await inside.locator('#log-out').click()
  await expect(inside.locator('#status')).toHaveText('You are logged out.')
  await start('Eve Adams')
  await expect(inside.locator('#user-id')).toHaveText(id)
  await inside.locator('#log-out').click()
  await expect(inside.locator('#status')).toHaveText('You are logged out.')
  await start('Frank')
  await expect(inside.locator('#user-id')).toHaveText(/^did:latchkey:/)
  await expect(inside.locator('#user-id')).not.toHaveText(id)
})

test('what starts a mini app logs nobody in outside of Telegram @soak', async ({ page, demo }) => {
  const started = await page.request.post(`${demo.world}/telegram/client/start`, {
    data: { name: 'Mallory' },
  })
  const { data } = (await started.json()) as { data: string }
  await page.goto(`${pageOf(demo)}#${new URLSearchParams({ tgWebAppData: data })}`)
  await expect(page.locator('#status')).toHaveText('You are logged out.')
  await page.waitForLoadState('networkidle')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.locator('#status')).toHaveText('You are logged out.')
})
