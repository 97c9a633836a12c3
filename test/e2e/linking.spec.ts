import type { BrowserContext, Page } from '@playwright/test'
import { codeBoxes } from './support/approval.ts'
import { startAuthenticator } from './support/authenticator.ts'
import { type Demo, emailOf, expect, logIn, mailedCode, test, watchPage } from './support/demo.ts'

/** Without a wallet, for journeys that are not about one. */
const app = 'latchkey-demo-nowallet-08'

async function openSite(page: Page, demo: Demo, methods: string): Promise<void> {
  await page.goto(`${demo.site}/?app=${app}&methods=${methods}`)
  await page.waitForFunction(() => customElements.get('account-link') !== undefined)
}
const isIn = (page: Page) => expect(page.locator('#status')).toHaveText('You are logged in.')
const idOf = (page: Page) => page.locator('#user-id').textContent()

async function enterByEmail(page: Page, demo: Demo, email: string): Promise<void> {
  await openSite(page, demo, 'email')
  await page.locator('#log-in').click()
  await logIn(page, demo, email)
  await isIn(page)
}
/** What a person does on the provider's own page. */
async function signInThere(page: Page, account: string): Promise<void> {
  await page.getByLabel('Account name or email').fill(account)
  await page.getByRole('button', { name: 'Sign in' }).click()
}
async function enterByGitHub(page: Page, demo: Demo, account: string): Promise<void> {
  await openSite(page, demo, 'github')
  await page.locator('#log-in').click()
  await page.getByRole('dialog').getByRole('button', { name: 'GitHub' }).click()
  await signInThere(page, account)
  await isIn(page)
  await expect(page.getByRole('dialog')).toBeHidden()
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })
async function askToLink(page: Page, method: string): Promise<void> {
  await page.locator('#link-method').selectOption(method)
  await page.getByRole('button', { name: 'Link', exact: true }).click()
}
async function giveAddress(page: Page, demo: Demo, email: string): Promise<void> {
  const since = Date.now() - 1000
  await page.getByLabel('Email address').fill(email)
  await page.getByRole('button', { name: 'Submit' }).click()
  await (await codeBoxes(page)).pressSequentially(await mailedCode(demo, email, since))
}
const entry = (page: Page, text: string) => page.locator('#account-list li').filter({ hasText: text })
const told = async (page: Page) => (await page.locator('#trace li').allTextContents()).join('\n')

test('an e-mail address is linked, seen in the other tab and unlinked there, but never the last way in', async ({
  page,
  context,
  demo,
}) => {
  const problems = watchPage(page)
  const email = emailOf('linked')
  await enterByGitHub(page, demo, email.split('@')[0] ?? '')
  const id = await idOf(page)
  const other = await context.newPage()
  await openSite(other, demo, 'github')
  await isIn(other)

  await askToLink(page, 'email')
  await expect(heading(page, 'Link email')).toBeVisible()
  await giveAddress(page, demo, email)
  await expect(entry(page, email)).toBeVisible()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(entry(other, email)).toBeVisible()
  expect(await idOf(other)).toBe(id)
  expect(await told(page)).toMatch(/account-link · lk-link/)

  await askToLink(page, 'email')
  await expect(page.getByText('User already has an account of type email linked.')).toBeVisible()
  await page.getByRole('button', { name: 'Close' }).last().click()
  await expect(page.getByRole('dialog')).toBeHidden()

  await entry(other, email).getByRole('button', { name: 'Unlink' }).click()
  await expect(entry(other, email)).toHaveCount(0)
  await expect(entry(page, email)).toHaveCount(0)

  await entry(page, 'github').getByRole('button', { name: 'Unlink' }).click()
  await expect(heading(page, 'Remove your last login?')).toBeVisible()
  await page.getByRole('button', { name: 'Keep it' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(entry(page, 'github')).toBeVisible()
  expect(problems).toEqual([])
})

test('an address of somebody else is taken over after a question, and they are gone @soak', async ({
  page,
  browser,
  demo,
}) => {
  const email = emailOf('taken')
  const theirs: BrowserContext = await browser.newContext()
  try {
    const them = await theirs.newPage()
    await enterByEmail(them, demo, email)
    await enterByGitHub(page, demo, emailOf('taker').split('@')[0] ?? '')
    const id = await idOf(page)
    await askToLink(page, 'email')
    await giveAddress(page, demo, email)
    await expect(heading(page, 'This email address is associated with another account')).toBeVisible()
    await page.getByRole('button', { name: 'Transfer and delete account' }).click()
    await expect(entry(page, email)).toBeVisible()
    await expect(page.getByRole('dialog')).toBeHidden()
    expect(await idOf(page)).toBe(id)
    await them.reload()
    await expect(them.locator('#status')).toHaveText('You are logged out.')
    await them.locator('#log-in').click()
    await logIn(them, demo, email)
    await isIn(them)
    expect(await idOf(them)).toBe(id)
  } finally {
    await theirs.close()
  }
})

test('a profile at a provider is linked by leaving the page, and logs in as the same person @soak', async ({
  page,
  demo,
}) => {
  const problems = watchPage(page)
  const email = emailOf('profile')
  await enterByEmail(page, demo, email)
  const id = await idOf(page)
  await expect(page.getByRole('dialog')).toBeHidden()
  const address = page.url()
  await askToLink(page, 'github')
  await expect(heading(page, 'Sign in to GitHub')).toBeVisible()
  await signInThere(page, email.split('@')[0] ?? '')
  await expect(entry(page, 'github')).toBeVisible()
  await expect(page.getByRole('dialog')).toBeHidden()
  expect(page.url()).toBe(address)
  expect(await told(page)).toMatch(/account-link · lk-link/)
  expect(await told(page)).not.toMatch(/lk-login/)
  await page.locator('#log-out').click()
  await enterByGitHub(page, demo, email.split('@')[0] ?? '')
  expect(await idOf(page)).toBe(id)
  expect(problems).toEqual([])
})

test('a passkey is linked, and logs in as the same person @soak', async ({ page, demo }) => {
  await startAuthenticator(page)
  await enterByEmail(page, demo, emailOf('passkey'))
  const id = await idOf(page)
  await askToLink(page, 'passkey')
  await expect(heading(page, 'Add a passkey')).toBeVisible()
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await expect(entry(page, 'passkey')).toBeVisible()
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.locator('#log-out').click()
  await openSite(page, demo, 'passkey')
  await page.locator('#log-in').click()
  await page.getByRole('button', { name: 'I have a passkey' }).click()
  await isIn(page)
  expect(await idOf(page)).toBe(id)
})

test('an e-mail address is replaced with the code that went to the new one, and with no older code @soak', async ({
  page,
  demo,
}) => {
  const [old, next] = [emailOf('old'), emailOf('new')]
  const began = Date.now() - 1000
  await enterByEmail(page, demo, old)
  const id = await idOf(page)
  const oldCode = await mailedCode(demo, old, began)
  await page.getByRole('button', { name: 'Update email' }).click()
  await expect(heading(page, 'Update email')).toBeVisible()
  const since = Date.now() - 1000
  await page.getByLabel('Email address').fill(next)
  await page.getByRole('button', { name: 'Submit' }).click()
  const boxes = await codeBoxes(page)
  await boxes.pressSequentially(oldCode)
  await expect(page.getByText('Invalid or expired verification code').first()).toBeVisible()
  await expect(boxes).toHaveValue('')
  await boxes.pressSequentially(await mailedCode(demo, next, since))
  await expect(entry(page, next)).toBeVisible()
  await expect(entry(page, old)).toHaveCount(0)
  await expect(page.getByRole('dialog')).toBeHidden()
  expect(await idOf(page)).toBe(id)
  expect(await told(page)).toMatch(/account-link · lk-update/)
})

test('a phone number is linked, replaced and unlinked @soak', async ({ page, demo }) => {
  await enterByEmail(page, demo, emailOf('phone'))
  const numbers = ['202-555-0171', '202-555-0172']
  for (const [at, number] of numbers.entries()) {
    const since = Date.now() - 1000
    if (at === 0) await askToLink(page, 'sms')
    else await page.getByRole('button', { name: 'Update phone' }).click()
    await expect(heading(page, at === 0 ? 'Link phone' : 'Update phone')).toBeVisible()
    await page.getByLabel('Phone number').fill(number)
    await page.getByRole('button', { name: 'Submit' }).click()
    const code = await mailedCode(demo, `+1${number.replaceAll('-', '')}`, since)
    await (await codeBoxes(page)).pressSequentially(code)
    await expect(entry(page, `+1${number.replaceAll('-', '')}`)).toBeVisible()
    await expect(page.getByRole('dialog')).toBeHidden()
  }
  await entry(page, '+12025550172').getByRole('button', { name: 'Unlink' }).click()
  await expect(page.locator('#account-list li')).toHaveCount(1)
})
