/** A wallet that comes back, and whose way back changes, in an app whose secrets only the vault's own frame and window ask for. */
import type { BrowserContext, Page } from '@playwright/test'
import { frameOf, look, makeStrict } from './support/approval.ts'
import { emailOf, expect, mailedCode, test } from './support/demo.ts'
import {
  addressesOf,
  anotherDevice,
  choosePasswordIn,
  type Device,
  dialogOf,
  entryOf,
  grant,
  newDevice,
  press,
  untilClosed,
} from './support/embedded.ts'

/** A login alone makes no device one of the person's, as the server of a strict app would say. */
async function needsFactor(context: BrowserContext): Promise<void> {
  await context.route('**/api/v1/devices/enroll', async (route) => {
    if (route.request().postDataJSON()?.factor !== 'login') return route.continue()
    const headers = { 'access-control-allow-origin': route.request().headers().origin ?? '*' }
    await route.fulfill({ status: 403, headers, json: { error: 'Prove it', code: 'enrolment_required' } })
  })
}

/** The vault's own window, opened by a press in its frame. */
async function toWindow({ page, context }: Device): Promise<Page> {
  const go = frameOf(page).getByRole('button', { name: 'Continue in a new window' })
  await go.waitFor({ timeout: 20_000 })
  await look(page)
  const [window] = await Promise.all([context.waitForEvent('page'), go.click()])
  await window.getByRole('heading').first().waitFor()
  return window
}
async function pressIn(window: Page, name: string): Promise<void> {
  const button = window.getByRole('button', { name, exact: true })
  await button.waitFor({ timeout: 20_000 })
  await look(window)
  await button.click()
}

/** Another device of somebody who has a wallet in a strict app. */
async function strictDevice(...given: Parameters<typeof anotherDevice>): Promise<Device> {
  const device = await anotherDevice(...given)
  await makeStrict(device.page)
  await needsFactor(device.context)
  return device
}
async function pressSign({ page }: Device): Promise<void> {
  await page.getByRole('button', { name: 'Sign', exact: true }).click()
  await frameOf(page).getByRole('button', { name: 'Sign and continue' }).waitFor({ timeout: 20_000 })
  await look(page)
  await frameOf(page).getByRole('button', { name: 'Sign and continue' }).click()
}
async function untilSigned({ page }: Device): Promise<void> {
  await expect(page.locator('#signature')).toHaveText(/^0x[0-9a-f]{130}$/, { timeout: 30_000 })
  await untilClosed(page)
}
const shownMethod = (page: Page, words: string) =>
  expect(page.locator('#embedded-list li').first()).toContainText(words, { timeout: 30_000 })

test('a new device is enrolled by a code in the vault’s window, and its person agrees to sign once', async ({
  browser,
  demo,
}) => {
  const email = emailOf('vault-code')
  await (await newDevice(browser, demo, email)).context.close()
  const device = await strictDevice(browser, demo, email)
  const since = Date.now() - 1000
  await pressSign(device)
  const window = await toWindow(device)
  await expect(window.getByRole('heading', { name: 'Confirm this device' })).toBeVisible({ timeout: 20_000 })
  await expect(window.getByText('This code lets this device use your wallet.')).toBeVisible()
  const code = await mailedCode(demo, email, since)
  const boxes = window.getByLabel(/^Confirmation code/)
  await look(window)
  await boxes.pressSequentially(code === '000000' ? '111111' : '000000')
  await expect(window.getByText('Invalid or expired verification code').first()).toBeVisible()
  await look(window)
  await boxes.pressSequentially(code)
  await untilSigned(device)
  expect(window.isClosed()).toBe(true)
  await device.context.close()
})

test('closing the window of an enrolment brings nothing to the device, and the person is still asked', async ({
  browser,
  demo,
}) => {
  const email = emailOf('vault-closes')
  await (await newDevice(browser, demo, email)).context.close()
  const device = await strictDevice(browser, demo, email)
  await pressSign(device)
  const window = await toWindow(device)
  await window.getByRole('heading', { name: 'Confirm this device' }).waitFor({ timeout: 20_000 })
  await window.close()
  const cancel = frameOf(device.page).getByRole('button', { name: 'Cancel' })
  await expect(frameOf(device.page).getByRole('button', { name: 'Sign and continue' })).toBeVisible()
  await look(device.page)
  await cancel.click()
  await untilClosed(device.page)
  // The device is still not one of theirs.
  await pressSign(device)
  const again = frameOf(device.page).getByRole('button', { name: 'Continue in a new window' })
  await expect(again).toBeVisible({ timeout: 20_000 })
  await device.context.close()
})

test('recovery goes from automatic to a password, to a drive and back, each time by the present one first', async ({
  browser,
  demo,
}) => {
  test.setTimeout(240_000)
  const email = emailOf('vault-changes')
  const first = await newDevice(browser, demo, email)
  await makeStrict(first.page)

  // Automatic → password, on the device that is enrolled.
  await first.page.locator('#set-recovery').click()
  await press(first.page, /^Password/)
  const set = await toWindow(first)
  await choosePasswordIn(set, 'tide&one!walker', () => look(set))
  await pressIn(set, 'Close')
  await shownMethod(first.page, 'recovery by password')
  await untilClosed(first.page)
  await first.context.close()

  // A device that was never here: the password enrols it and brings the wallet, at the second try.
  const second = await strictDevice(browser, demo, email)
  await pressSign(second)
  const window = await toWindow(second)
  const field = window.getByLabel('Password', { exact: true })
  await field.fill('tide&one!runner')
  await pressIn(window, 'Recover wallet')
  await expect(window.getByText('Invalid recovery password, please try again.').first()).toBeVisible({
    timeout: 20_000,
  })
  await field.fill('tide&one!walker')
  await pressIn(window, 'Recover wallet')
  await untilSigned(second)

  // Password → drive.
  await second.page.locator('#set-recovery').click()
  await press(second.page, /^Google Drive/)
  await grant(second.page, 'google-drive', 'Confirm with Google Drive', 'walker.two')
  const change = await toWindow(second)
  await expect(change.getByText('Enter the password that recovers your wallet now.')).toBeVisible({
    timeout: 20_000,
  })
  await change.getByLabel('Password', { exact: true }).fill('tide&one!walker')
  await pressIn(change, 'Continue')
  await pressIn(change, 'Back up wallet')
  await shownMethod(second.page, 'recovery with Google Drive')
  await untilClosed(second.page)
  await second.context.close()

  // The drive enrols the next device; the person is asked to sign once, after it.
  const third = await strictDevice(browser, demo, email)
  await third.page.getByRole('button', { name: 'Sign', exact: true }).click()
  await grant(third.page, 'google-drive', 'Confirm with Google Drive', 'somebody.else')
  await pressIn(await toWindow(third), 'Recover wallet')
  await expect(dialogOf(third.page).getByText('Recovery with Google Drive unsuccessful')).toBeVisible({
    timeout: 20_000,
  })
  await grant(third.page, 'google-drive', 'Try again', 'walker.two')
  await pressIn(await toWindow(third), 'Recover wallet')
  await frameOf(third.page).getByRole('button', { name: 'Sign and continue' }).waitFor({ timeout: 20_000 })
  await look(third.page)
  await frameOf(third.page).getByRole('button', { name: 'Sign and continue' }).click()
  await untilSigned(third)

  // The key is shown once the drive is.
  const [address = ''] = await addressesOf(third.page)
  await entryOf(third.page, address).getByRole('button', { name: 'Export' }).click()
  await grant(third.page, 'google-drive', 'Confirm with Google Drive', 'walker.two')
  const key = await toWindow(third)
  await pressIn(key, 'Show private key')
  await expect(key.getByRole('group', { name: 'Private key' }).locator('code')).toHaveText(/^0x[0-9a-f]{64}$/)
  await pressIn(key, 'Done')
  await untilClosed(third.page)

  // Drive → automatic, by the drive first.
  await third.page.evaluate(() => {
    const element = document.querySelector('wallet-recovery') as HTMLElement & {
      setRecovery(options: object): Promise<unknown>
    }
    void element.setRecovery({ showAutomaticRecovery: true })
  })
  await grant(third.page, 'google-drive', 'Confirm with Google Drive', 'walker.two')
  await pressIn(await toWindow(third), 'Confirm')
  await shownMethod(third.page, 'automatic recovery')
  await untilClosed(third.page)
  await third.context.close()
})
