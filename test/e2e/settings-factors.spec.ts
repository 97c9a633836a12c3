/** Second factors and passkeys, as people meet them in the settings of their account and in the list of their passkeys. */

import type { Page } from '@playwright/test'
import { limit } from '../support/limit.ts'
import { inWindow, look, openWindow, pressIn } from './support/approval.ts'
import { compatibleApps, keeps, open as strict } from './support/apps.ts'
import { emailOf, expect, test } from './support/demo.ts'
import { deviceWithWallet, dialogOf, press, untilClosed } from './support/embedded.ts'
import {
  addAuthenticator,
  boxes,
  button,
  enrollAppAtOnce,
  row,
  throughApp,
} from './support/second-factors.ts'

const heading = (page: Page, name: string | RegExp) =>
  dialogOf(page).getByRole('heading', { name, exact: typeof name === 'string' })
const section = (page: Page, name: string) => dialogOf(page).getByRole('region', { name })
const factors = 'Verification methods'

async function openSettings(page: Page): Promise<void> {
  await page.locator('#settings').click()
  await expect(heading(page, 'Account settings')).toBeVisible()
}

for (const [where, app] of [
  ['', keeps],
  [' of a strict app', strict],
] as const)
  test(`in the settings${where} a person sets an authenticator app up, and takes it away again @soak`, async ({
    browser,
    demo,
  }) => {
    const { page, context } = await deviceWithWallet(browser, demo, emailOf('protects'), app)
    await openSettings(page)
    await press(page, /^Set up verification/)
    const code = await throughApp(page)
    await expect(heading(page, 'Account settings')).toBeVisible()
    await expect(section(page, factors)).toContainText(/Authenticator app.*Enabled/)

    await press(page, /^Manage verification/)
    await (await button(page, 'Remove Authenticator app')).click()
    if (app === strict) {
      const window = await inWindow(page, context)
      await pressIn(window, 'Remove')
      const field = window.getByLabel(/^Confirmation code/)
      await field.waitFor()
      await look(window)
      await field.pressSequentially(code())
    } else {
      await press(page, 'Remove')
      await (await boxes(page)).pressSequentially(code())
    }
    await expect((await row(page, /^Authenticator app/)).getByText('Recommended')).toBeVisible()
    await (await button(page, 'Back')).click()
    await expect(heading(page, 'Account settings')).toBeVisible()
    await expect(section(page, factors)).not.toContainText('Enabled')
    await press(page, 'Close')
    await untilClosed(page)
    await expect(page.locator('#factor-list')).toHaveText('None yet.')
    await context.close()
  })

test('somebody has five passkeys at most, of which two are shown at first @soak', async ({
  browser,
  demo,
}) => {
  const { page, context } = await deviceWithWallet(browser, demo, emailOf('passkeys'), strict)
  await page.locator('#passkeys').click()
  const rows = dialogOf(page).getByRole('button', { name: /Added/ })
  for (let count = 1; count <= 5; count++) {
    // Each on a device of its own: none makes a second one for the same person.
    const takeAway = await addAuthenticator(page)
    await press(page, 'Add a passkey')
    await press(page, 'Add passkey')
    await pressIn(await openWindow(page, context), 'Add')
    await expect(heading(page, 'Passkeys')).toBeVisible()
    await expect(rows).toHaveCount(Math.min(count, 2))
    await takeAway()
  }
  await expect(dialogOf(page).getByText('Cannot link more passkeys to account.')).toBeVisible()
  await expect(dialogOf(page).getByRole('button', { name: 'Add a passkey' })).toHaveCount(0)
  await press(page, 'View all')
  await expect(rows).toHaveCount(5)
  await context.close()
})

test('a passkey is renamed, and unlinked only by somebody who gives the code of their second factor @soak', async ({
  browser,
  demo,
}) => {
  const { page, context } = await deviceWithWallet(browser, demo, emailOf('keeper'), compatibleApps[0])
  await addAuthenticator(page)
  const code = await enrollAppAtOnce(page)
  await page.locator('#passkeys').click()
  const rows = dialogOf(page).getByRole('button', { name: /Added/ })
  await press(page, 'Add a passkey')
  await press(page, 'Add passkey')
  await rows.click({ timeout: limit(20_000) })
  await press(page, 'Rename')
  await dialogOf(page).getByLabel('Name').fill('Work laptop')
  await press(page, 'Save')
  await expect(heading(page, 'Rename passkey')).toBeHidden()

  await press(page, 'Remove')
  await heading(page, 'Remove this passkey?').waitFor()
  await press(page, 'Remove')
  await boxes(page)
  await press(page, 'Not now')
  await expect(heading(page, /^Work laptop on /)).toBeVisible()
  await press(page, 'Remove')
  await heading(page, 'Remove this passkey?').waitFor()
  await press(page, 'Remove')
  await (await boxes(page)).pressSequentially(code())
  await expect(heading(page, 'Passkeys')).toBeVisible()
  await expect(rows).toHaveCount(0)
  await press(page, 'Close')
  await untilClosed(page)
  await expect(page.locator('#account-list li').filter({ hasText: 'passkey' })).toHaveCount(0)
  await context.close()
})
