import type { Page } from '@playwright/test'
import { startAuthenticator } from './support/authenticator.ts'
import { type Demo, emailOf, expect, logIn, test, watchPage } from './support/demo.ts'

const app = 'latchkey-demo-nowallet-08'
const otherApp = 'latchkey-demo-open-000001'
const rejected = 'Passkey request timed out or rejected by user.'

/** The site, with these methods; without an e-mail field nothing is offered before somebody asks for it. */
async function openSite(page: Page, demo: Demo, methods: string, id = app) {
  await page.goto(`${demo.site}/?app=${id}&methods=${methods}`)
  await page.waitForFunction(() => customElements.get('login-modal') !== undefined)
  await expect(page.locator('#status')).toHaveText('You are logged out.')
}
const press = async (page: Page) => {
  await page.locator('#log-in').click()
  await page.getByRole('button', { name: 'I have a passkey' }).click()
}
const signUp = (page: Page) => page.getByRole('button', { name: 'Sign up with a passkey' })
const userId = async (page: Page) => {
  await expect(page.locator('#status')).toHaveText('You are logged in.')
  return page.locator('#user-id').textContent()
}
async function logOut(page: Page) {
  await page.locator('#log-out').click()
  await expect(page.locator('#status')).toHaveText('You are logged out.')
}

/** A device with an authenticator of its own, and a person who does at once what it asks. */
async function addAuthenticator(page: Page) {
  const { cdp, authenticatorId } = await startAuthenticator(page)
  return {
    credentials: async () => (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
    /** Nobody touches it from now on. */
    ignored: () => cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: false }),
    touched: () => cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: true }),
    /** Whoever sits in front of it is somebody else. */
    stranger: () => cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false }),
    owner: () => cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true }),
  }
}

/** A new user by a passkey, who is in when this is done. */
async function newUser(page: Page) {
  await press(page)
  await expect(page.getByText(rejected)).toBeVisible()
  await signUp(page).click()
  return userId(page)
}

test('signs up with a passkey, logs out, and logs in as the same user', async ({ page, demo }) => {
  const problems = watchPage(page)
  const device = await addAuthenticator(page)
  await openSite(page, demo, 'google,passkey')
  await press(page)

  // There is no passkey yet: the words of the specification, and a way on.
  await expect(page.getByText(rejected)).toBeVisible()
  await expect(page.getByText('No passkey yet? Sign up with one now.')).toBeVisible()
  await signUp(page).click()
  await expect(page.getByRole('heading', { name: 'Passkey added' })).toBeVisible()
  const first = await userId(page)
  expect(await device.credentials()).toMatchObject([{ rpId: 'localhost', isResidentCredential: true }])

  await logOut(page)
  await press(page)
  await expect(page.getByRole('heading', { name: 'Passkey verified' })).toBeVisible()
  expect(await userId(page)).toBe(first)
  await page.reload()
  expect(await userId(page)).toBe(first)
  expect(problems).toEqual([])
})

test('logs in with a passkey that was picked where the e-mail address is typed @soak', async ({
  page,
  demo,
}) => {
  await addAuthenticator(page)
  await openSite(page, demo, 'google,passkey')
  const first = await newUser(page)
  await logOut(page)

  await openSite(page, demo, 'email,google,passkey')
  // The virtual device answers for the person who picks from the field's list.
  await page.locator('#log-in').click()
  await expect(page.getByLabel('Email address')).toHaveAttribute('autocomplete', 'username webauthn')
  expect(await userId(page)).toBe(first)
})

test('typing an address goes on although passkeys are offered there @soak', async ({ page, demo }) => {
  const device = await addAuthenticator(page)
  await openSite(page, demo, 'google,passkey')
  const first = await newUser(page)
  await logOut(page)

  await device.ignored()
  await openSite(page, demo, 'email,google,passkey')
  await page.locator('#log-in').click()
  await page.waitForResponse((response) => response.url().endsWith('/passkeys/authenticate/init'))
  await logIn(page, demo, emailOf('passkeys-aside'))
  expect(await userId(page)).not.toBe(first)
})

test('a person who is not the owner reads why, and the owner’s second try works @soak', async ({
  page,
  demo,
}) => {
  const device = await addAuthenticator(page)
  await openSite(page, demo, 'google,passkey')
  const first = await newUser(page)
  await logOut(page)

  await device.stranger()
  await press(page)
  await expect(page.getByText(rejected)).toBeVisible()
  await device.owner()
  await page.getByRole('button', { name: 'Try again' }).click()
  expect(await userId(page)).toBe(first)
})

test('a passkey that this app does not know is refused in words that lead on @soak', async ({
  page,
  demo,
}) => {
  const device = await addAuthenticator(page)
  await openSite(page, demo, 'google,passkey')
  const first = await newUser(page)
  await logOut(page)

  // The device has a passkey for this host, but it was made for another app.
  await openSite(page, demo, 'google,passkey', otherApp)
  await press(page)
  await expect(page.getByText('Unknown error occurred.')).toBeVisible()
  await signUp(page).click()
  // The login is over once the user has answered for their new wallet.
  await page.getByRole('button', { name: 'Not now' }).click()
  expect(await userId(page)).not.toBe(first)
  expect(await device.credentials()).toHaveLength(2)
})

test('going back ends the browser’s dialogue, and so does closing @soak', async ({ page, demo }) => {
  const problems = watchPage(page)
  const device = await addAuthenticator(page)
  await openSite(page, demo, 'google,passkey')
  const first = await newUser(page)
  await logOut(page)

  await device.ignored()
  await press(page)
  await expect(page.getByRole('heading', { name: 'Waiting for your passkey' })).toBeVisible()
  await page.getByRole('button', { name: 'Back' }).click()
  await page.getByRole('button', { name: 'I have a passkey' }).click()
  await expect(page.getByRole('heading', { name: 'Waiting for your passkey' })).toBeVisible()
  await page.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  // A request that was still open would stand in the way of the next one.
  await device.touched()
  await press(page)
  expect(await userId(page)).toBe(first)
  expect(problems).toEqual([])
})

test('a sign-up ends the login that waits for a passkey, and either can be left for a new one @soak', async ({
  page,
  demo,
}) => {
  const problems = watchPage(page)
  const device = await addAuthenticator(page)
  await openSite(page, demo, 'google,passkey')
  const first = await newUser(page)
  await logOut(page)

  await device.ignored()
  await press(page)
  await expect(page.getByRole('heading', { name: 'Waiting for your passkey' })).toBeVisible()
  await signUp(page).click()
  await expect(page.getByRole('heading', { name: 'Adding your passkey' })).toBeVisible()
  await page.getByRole('button', { name: 'Back' }).click()
  await device.touched()
  await page.getByRole('button', { name: 'I have a passkey' }).click()
  expect(await userId(page)).toBe(first)
  expect(await device.credentials()).toHaveLength(1)
  expect(problems).toEqual([])
})
