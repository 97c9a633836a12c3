import type { Page } from '@playwright/test'
import { limit } from '../support/limit.ts'
import { approve, look, openWindow, pressIn } from './support/approval.ts'
import { open as app } from './support/apps.ts'
import { startAuthenticator } from './support/authenticator.ts'
import { emailOf, expect, test, watchPage } from './support/demo.ts'
import {
  addressesOf,
  dialogOf,
  newDevice,
  press,
  signOnEthereum,
  untilClosed,
  writeSignIn,
} from './support/embedded.ts'
import { pressAndClose } from './support/windows.ts'

const heading = (page: Page, name: string) => dialogOf(page).getByRole('heading', { name, exact: true })
async function openSettings(page: Page): Promise<void> {
  await page.locator('#settings').click()
  await expect(heading(page, 'Account settings')).toBeVisible()
}
const section = (page: Page, name: string) => dialogOf(page).getByRole('region', { name })
/** Those of a list that are not where the person is. */
const elsewhere = (page: Page, list: string) =>
  section(page, list)
    .getByRole('button', { name: /^Chrom/ })
    .filter({ hasNotText: 'This device' })
const sessions = "Where you're logged in"
const devices = 'Devices that can use your wallets'

test('in the settings a person adds and removes an account, names a passkey, removes a device and logs out elsewhere @soak', async ({
  browser,
  demo,
}) => {
  const email = emailOf('settings')
  const other = await newDevice(browser, demo, email, app)
  const { page, context } = await newDevice(browser, demo, email, app)
  const problems = watchPage(page)
  const [address = ''] = await addressesOf(page)
  await signOnEthereum(other.page, address)
  await startAuthenticator(page)

  // A provider is visited by leaving the page; the settings are open again afterwards.
  await openSettings(page)
  await press(page, 'Add an account')
  await press(page, 'GitHub')
  await page.getByLabel('Account name or email').fill(email.split('@')[0] ?? '')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await pressIn(await openWindow(page, context), 'Add')
  await expect(page.locator('#account-list li').filter({ hasText: 'github' })).toBeVisible()
  await section(page, 'Linked accounts')
    .getByRole('button', { name: /GitHub/ })
    .click()
  await press(page, 'Remove')
  await pressIn(await openWindow(page, context), 'Remove')
  await expect(heading(page, 'Account settings')).toBeVisible()
  await expect(section(page, 'Linked accounts').getByRole('button', { name: /GitHub/ })).toHaveCount(0)

  await press(page, 'Add a passkey')
  await press(page, 'Add passkey')
  await pressIn(await openWindow(page, context), 'Add')
  const passkey = section(page, 'Passkeys').getByRole('button', { name: /Added/ })
  await passkey.click({ timeout: limit(20_000) })
  await press(page, 'Rename')
  await dialogOf(page).getByLabel('Name').fill('Work laptop')
  await press(page, 'Save')
  await expect(heading(page, 'Rename passkey')).toBeHidden()
  await press(page, 'Back')
  await expect(passkey).toContainText('Work laptop on ')

  await elsewhere(page, devices).click()
  await press(page, 'Remove device')
  const window = await openWindow(page, context)
  await window.getByRole('button', { name: 'Remove device' }).waitFor({ timeout: limit(20_000) })
  await look(window)
  await pressAndClose(window, 'Remove device')
  await expect(heading(page, 'Account settings')).toBeVisible()
  await expect(elsewhere(page, devices)).toHaveCount(0)
  await writeSignIn(other.page)
  await other.page.getByRole('button', { name: 'Sign', exact: true }).click()
  await approve(other.page)
  const proof = await openWindow(other.page, other.context)
  await expect(proof.getByRole('heading', { name: 'This browser is new to your wallet' })).toBeVisible()
  await proof.close()

  await elsewhere(page, sessions).click()
  await press(page, 'Log out')
  await pressIn(await openWindow(page, context), 'Log out')
  await expect(heading(page, 'Account settings')).toBeVisible()
  await expect(elsewhere(page, sessions)).toHaveCount(0)
  await other.page.reload()
  await expect(other.page.locator('#status')).toHaveText('You are logged out.')

  await press(page, 'Close')
  await untilClosed(page)
  await expect(page.locator('#status')).toHaveText('You are logged in.')
  expect(problems).toEqual([])
  await Promise.all([context.close(), other.context.close()])
})
