import type { Page } from '@playwright/test'
import { codeBoxes, inDialog } from './support/approval.ts'
import { type Demo, expect, mailedCode, test, watchPage } from './support/demo.ts'

const open = async (page: Page, demo: Demo, methods = 'sms') => {
  await page.goto(`${demo.site}/?app=latchkey-demo-every-00009&methods=${methods}`)
  await page.locator('#log-in').click()
}
/** Not that of a screen which is leaving. */
const field = (page: Page) => page.locator('[data-layer]:not([inert])').getByLabel('Phone number')
const country = (page: Page) => page.getByRole('button', { name: /^Country/ })

async function enterCode(page: Page, demo: Demo, number: string, since: number) {
  const boxes = await codeBoxes(page)
  await boxes.pressSequentially(await mailedCode(demo, number, since))
}

test('a new person logs in by SMS, out, and in again as the same user @soak', async ({ page, demo }) => {
  const problems = watchPage(page)
  await open(page, demo)
  let since = Date.now() - 1000
  await field(page).pressSequentially('2133734253')
  await expect(field(page)).toHaveValue('(213) 373-4253')
  await page.getByRole('button', { name: 'Submit' }).click()
  await inDialog(page, (place) => place.getByText('+1 213 373 4253'))
  await enterCode(page, demo, '+12133734253', since)
  await expect(page.getByText('Welcome')).toBeVisible()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.locator('#user-id')).toHaveText(/^did:/)
  const user = await page.locator('#user-id').textContent()

  await page.locator('#log-out').click()
  await expect(page.locator('#status')).toHaveText('You are logged out.')
  await page.locator('#log-in').click()
  since = Date.now() - 1000
  await country(page).click()
  await page.getByRole('combobox', { name: 'Search countries' }).fill('switz')
  await page.keyboard.press('Enter')
  await expect(country(page)).toHaveText('CH +41')
  // A number that names its country takes the field there.
  await field(page).fill('+1 (213) 373 42 53')
  await expect(country(page)).toHaveText('US +1')
  await page.keyboard.press('Enter')
  await enterCode(page, demo, '+12133734253', since)
  await expect(page.locator('#user-id')).toHaveText(user ?? '')
  await expect(page.getByRole('dialog')).toBeHidden()
  expect(problems).toEqual([])
})

test('the message that brings the code is bound to the page that asked @soak', async ({ page, demo }) => {
  await open(page, demo)
  await field(page).fill('+4915112345670')
  await page.keyboard.press('Enter')
  const code = await mailedCode(demo, '+4915112345670', 0)
  const messages = (await (await fetch(`${demo.inbox}/messages.json`)).json()) as {
    to: string
    body: string
  }[]
  const body = messages.find(({ to }) => to === '+4915112345670')?.body
  expect(body?.split('\n').at(-1)).toBe(`@localhost #${code}`)
})

test('what is no number is said under the field, before anything is sent @soak', async ({ page, demo }) => {
  await open(page, demo)
  const sent: string[] = []
  page.on('request', (request) => request.url().includes('/api/v1/passwordless') && sent.push(request.url()))
  for (const [text, words] of [
    ['hello', 'Please enter a valid phone number.'],
    ['213', 'This phone number is too short.'],
    ['213373425399', 'This phone number is too long.'],
    ['+999 123 456 789', 'No country uses this calling code.'],
  ] as const) {
    await field(page).fill(text)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog').getByText(words).first()).toBeVisible()
  }
  expect(sent).toEqual([])
})

test('numbers that the gateway has no way to are told apart @soak', async ({ page, demo }) => {
  await open(page, demo)
  await field(page).fill('5005550003')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'This region is not supported' })).toBeVisible()
  await expect(page.getByText('SMS authentication from this region is not available')).toBeVisible()
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(field(page)).toHaveValue('(500) 555-0003')

  await field(page).fill('5005550004')
  await page.keyboard.press('Enter')
  await expect(page.getByText('This number has opted out of text messages.').first()).toBeVisible()
  await field(page).fill('5005550001')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Please enter a valid phone number.').first()).toBeVisible()
})

test('beside the e-mail it is a row that opens in its place, and Escape closes the picker alone @soak', async ({
  page,
  demo,
}) => {
  await open(page, demo, 'email,sms')
  await page.getByRole('button', { name: 'Continue with phone' }).click()
  await expect(field(page)).toBeFocused()
  await country(page).click()
  await expect(page.getByRole('listbox')).toBeVisible()
  for (let press = 0; press < 3; press++) {
    await page.keyboard.press('Escape')
    await expect(page.getByRole('listbox')).toBeHidden()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expect(country(page)).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('listbox')).toBeVisible()
  }
  await page.getByRole('option', { name: /Austria/ }).click()
  await expect(country(page)).toHaveText('AT +43')
  await expect(page.getByRole('button', { name: 'Continue with email' })).toBeVisible()
})
