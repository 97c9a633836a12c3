/** Second factors: how people set them up, are verified by them, and give them up again. */

import type { Page } from '@playwright/test'
import type { MfaEnroll } from '../../src/index.ts'
import { limit } from '../support/limit.ts'
import { approve, frameOf, inWindow, look, openWindow, pressIn } from './support/approval.ts'
import { compatibleApps, keeps, open } from './support/apps.ts'
import { startAuthenticator } from './support/authenticator.ts'
import { emailOf, expect, mailedCode, test } from './support/demo.ts'
import { deviceWithWallet, dialogOf, press, untilClosed } from './support/embedded.ts'
import {
  addAuthenticator,
  boxes,
  button,
  enrollApp,
  enrollAppAtOnce,
  enrollPhoneAtOnce,
  outcomeOf,
  row,
} from './support/second-factors.ts'

test('in a strict app the vault itself shows the secret, asks for codes, and has a factor removed in its own window', async ({
  browser,
  demo,
}) => {
  const { page, context } = await deviceWithWallet(browser, demo, emailOf('protects'), open)
  const code = await enrollApp(page)
  // Nothing of it has been drawn by the page.
  expect(await page.getByRole('dialog').locator('[data-secret]').count()).toBe(0)

  // What was released before is good no more: the prompt, a wrong code, then the right one.
  const signed = outcomeOf(page, 'sign')
  await look(page)
  await approve(page)
  await (await boxes(page)).pressSequentially('000000')
  await expect(frameOf(page).getByText('The code you entered is not valid').first()).toBeVisible()
  await expect(await boxes(page)).toHaveValue('')
  await (await boxes(page)).pressSequentially(code())
  expect(await signed).toBe('done')
  await untilClosed(page)
  // For a quarter of an hour nothing more is asked for what wallets are used for.
  const again = outcomeOf(page, 'sign')
  await approve(page)
  expect(await again).toBe('done')
  await untilClosed(page)

  // An export wants a code of its own; whoever has none to give exports nothing.
  const exported = outcomeOf(page, 'export')
  const shown = await openWindow(page, context)
  await shown.getByRole('button', { name: 'Not now' }).click()
  expect(await exported).toBe('mfa_canceled')
  await expect.poll(() => shown.isClosed()).toBe(true)
  await untilClosed(page)

  // Removal is agreed to in the vault's window, and verified there.
  await page.locator('#enroll-factor').click()
  await (await button(page, 'Remove Authenticator app')).click()
  const removing = await inWindow(page, context)
  await pressIn(removing, 'Remove')
  await removing.getByLabel(/^Confirmation code/).waitFor()
  await look(removing)
  await removing.getByLabel(/^Confirmation code/).pressSequentially(code())
  await expect((await row(page, /^Authenticator app/)).getByText('Recommended')).toBeVisible()
  await removing.close()
  await untilClosed(page)
  await expect(page.locator('#factor-list')).toHaveText('None yet.')
  await context.close()
})

test('four wrong codes end the prompt of what waits for it, and nothing else happens @soak', async ({
  browser,
  demo,
}) => {
  const { page, context } = await deviceWithWallet(browser, demo, emailOf('guesses'), keeps)
  await enrollApp(page)
  const asked = outcomeOf(page, 'sign')
  await approve(page)
  for (const wrong of ['000000', '111111', '222222', '333333']) {
    await (await boxes(page)).pressSequentially(wrong)
    await expect(
      dialogOf(page)
        .getByText(/The code you entered|You have exceeded/)
        .first(),
    ).toBeVisible()
    await expect(await boxes(page)).toHaveValue('')
  }
  await expect(
    dialogOf(page)
      .getByText(
        'You have exceeded the maximum number of attempts. Please close this window and try again in 10 seconds.',
      )
      .first(),
  ).toBeVisible()
  await press(page, 'Not now')
  expect(await asked).toBe('mfa_verification_max_attempts_reached')
  await untilClosed(page)
  await context.close()
})

test('in a compatible app a text message or a recovery code verifies, and closing cancels @soak', async ({
  browser,
  demo,
}) => {
  const { page, context } = await deviceWithWallet(browser, demo, emailOf('texts'), keeps)
  const number = `+1201555${String(Math.floor(1_000 + Math.random() * 8_999))}`
  await page.locator('#enroll-factor').click()
  await press(page, 'Continue')
  await (await row(page, /^SMS/)).click()
  await expect(
    dialogOf(page).getByText(/you agree to receive text messages from Wallets For Keeps/),
  ).toBeVisible()
  const since = Date.now() - 1_000
  await dialogOf(page).getByLabel('Phone number').fill(number)
  await page.keyboard.press('Enter')
  await (await boxes(page)).pressSequentially(await mailedCode(demo, number, since))
  // The code that was just given is good for recovery codes, too.
  await press(page, 'Get recovery codes')
  const codes = dialogOf(page).getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  const [first = ''] = await codes.allTextContents()
  await press(page, 'I have saved them')
  await untilClosed(page)
  await expect(page.locator('#factor-list')).toHaveText('sms')

  const canceled = outcomeOf(page, 'prompt')
  await boxes(page)
  await press(page, 'Close')
  expect(await canceled).toBe('mfa_canceled')
  await untilClosed(page)

  // Who has lost the phone has a code.
  const verified = outcomeOf(page, 'prompt')
  await press(page, 'Choose another method')
  await (await row(page, /^Recovery code/)).click()
  await dialogOf(page).getByLabel('Recovery code').fill(first)
  await press(page, 'Verify')
  expect(await verified).toBe('done')
  await untilClosed(page)
  await context.close()
})

test('a passkey that the page adds becomes a factor in the vault’s window alone, and verifies without a press @soak', async ({
  browser,
  demo,
}) => {
  const { page, context } = await deviceWithWallet(browser, demo, emailOf('fingers'), open)
  await startAuthenticator(page)
  await page.locator('#enroll-factor').click()
  await expect(frameOf(page).getByRole('heading', { name: 'Set up two-step verification' })).toBeVisible()
  await (await button(page, 'Continue')).click()
  await (await row(page, /^Passkey/)).click()
  await (await button(page, 'Add a new passkey')).click()
  // A page could have brought another one: it is a login once the window has shown it, and a factor after one more press there.
  const agreeing = await inWindow(page, context)
  await pressIn(agreeing, 'Add')
  await agreeing.getByRole('button', { name: 'Enable passkeys' }).waitFor({ timeout: limit(20_000) })
  expect(await factors(page)).toEqual([])
  await pressIn(agreeing, 'Enable passkeys')
  await (await button(page, 'Done')).click()
  await untilClosed(page)
  await expect(page.locator('#factor-list')).toHaveText('passkey')
  expect(await factors(page)).toEqual(['passkey'])
  const signed = outcomeOf(page, 'sign')
  await approve(page)
  expect(await signed).toBe('done')
  await untilClosed(page)
  await context.close()
})

const codeIsWrong = 'The code you entered is not valid'

test('a text message: a wrong code, the right one for a signature, and its removal, which wants another one @soak', async ({
  browser,
  demo,
}) => {
  const { page, context } = await deviceWithWallet(browser, demo, emailOf('texted'), keeps)
  const text = await enrollPhoneAtOnce(page, demo)
  let since = Date.now()
  const signed = outcomeOf(page, 'sign')
  await approve(page)
  await (await boxes(page)).pressSequentially('000000')
  await expect(dialogOf(page).getByText(codeIsWrong).first()).toBeVisible()
  await expect(await boxes(page)).toHaveValue('')
  await (await boxes(page)).pressSequentially(await text(since))
  expect(await signed).toBe('done')
  await untilClosed(page)

  since = Date.now()
  await page.locator('#enroll-factor').click()
  await press(page, 'Remove SMS')
  await expect(dialogOf(page).getByRole('heading', { name: 'Remove SMS verification?' })).toBeVisible()
  await press(page, 'Remove')
  await (await boxes(page)).pressSequentially(await text(since))
  await expect(await row(page, /^SMS/)).not.toContainText('Enabled')
  await press(page, 'Close')
  await untilClosed(page)
  await expect(page.locator('#factor-list')).toHaveText('None yet.')
  await context.close()
})

test('a passkey signs without a press beside an authenticator app, which can be chosen instead, and is removed but stays a way in @soak', async ({
  browser,
  demo,
}) => {
  const { page, context } = await deviceWithWallet(browser, demo, emailOf('finger'), compatibleApps[0])
  await addAuthenticator(page)
  await page.locator('#enroll-factor').click()
  await press(page, 'Continue')
  await (await row(page, /^Passkey/)).click()
  await press(page, 'Add a new passkey')
  await press(page, 'Done')
  await untilClosed(page)
  // Within a minute of the first factor nothing more is asked for the second one.
  const code = await enrollAppAtOnce(page)
  await expect(page.locator('#factor-list')).toHaveText('passkey, totp')

  const signed = outcomeOf(page, 'sign')
  await approve(page)
  await (await row(page, /^Passkey/)).click()
  expect(await signed).toBe('done')
  await untilClosed(page)

  await page.locator('#enroll-factor').click()
  await press(page, 'Remove Passkey')
  await expect(dialogOf(page).getByRole('heading', { name: 'Remove passkey verification?' })).toBeVisible()
  await press(page, 'Remove')
  await (await row(page, /^Authenticator app/)).click()
  await (await boxes(page)).pressSequentially('000000')
  await expect(dialogOf(page).getByText(codeIsWrong).first()).toBeVisible()
  await press(page, 'Choose another method')
  await (await row(page, /^Authenticator app/)).click()
  await (await boxes(page)).pressSequentially(code())
  await expect(await row(page, /^Passkey/)).not.toContainText('Enabled')
  await press(page, 'Close')
  await untilClosed(page)
  await expect(page.locator('#factor-list')).toHaveText('totp')
  await expect(page.locator('#account-list li').filter({ hasText: 'passkey' })).toHaveCount(1)
  await context.close()
})

const factors = (page: Page) =>
  page.evaluate(() => (document.querySelector('mfa-enroll') as MfaEnroll).kit?.mfa.methods)
