/** A wallet that comes back, and whose way back changes, in an app whose secrets only the vault's own frame and window ask for. */

import type { Browser, Page } from '@playwright/test'
import { limit } from '../support/limit.ts'
import { approve, frameOf, look, openWindow, pressIn, pressSeen } from './support/approval.ts'
import { strictKeeps } from './support/apps.ts'
import { type Demo, emailOf, expect, mailedCode, test } from './support/demo.ts'
import {
  addressesOf,
  anotherDevice,
  choosePasswordIn,
  type Device,
  deviceWithWallet,
  entryOf,
  press,
  untilClosed,
  visitDrive,
  writeSignIn,
} from './support/embedded.ts'

const toWindow = ({ page, context }: Device) => openWindow(page, context)

async function pressSign({ page }: Device): Promise<void> {
  await writeSignIn(page)
  await page.getByRole('button', { name: 'Sign', exact: true }).click()
  await frameOf(page)
    .getByRole('button', { name: 'Sign and continue' })
    .waitFor({ timeout: limit(20_000) })
  await look(page)
  await frameOf(page).getByRole('button', { name: 'Sign and continue' }).click()
}
async function untilSigned({ page }: Device): Promise<void> {
  await expect(page.locator('#signature')).toHaveText(/^0x[0-9a-f]{130}$/, { timeout: limit(30_000) })
  await untilClosed(page)
}
const shownMethod = (page: Page, words: string) =>
  expect(page.locator('#embedded-list li').first()).toContainText(words, { timeout: limit(30_000) })

test('a new device is enrolled by a code in the vault’s window, and its person agrees to sign once @soak', async ({
  browser,
  demo,
}) => {
  const email = emailOf('vault-code')
  await (await deviceWithWallet(browser, demo, email, strictKeeps)).context.close()
  const device = await anotherDevice(browser, demo, email, strictKeeps)
  const since = Date.now() - 1000
  await pressSign(device)
  const window = await toWindow(device)
  await pressIn(window, /^Code by email/)
  await expect(window.getByRole('heading', { name: 'Confirm this device' })).toBeVisible()
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

test('closing the window of an enrolment brings nothing to the device, and the person is still asked @soak', async ({
  browser,
  demo,
}) => {
  const email = emailOf('vault-closes')
  await (await deviceWithWallet(browser, demo, email, strictKeeps)).context.close()
  const device = await anotherDevice(browser, demo, email, strictKeeps)
  await pressSign(device)
  const window = await toWindow(device)
  await pressIn(window, /^Code by email/)
  await window.getByRole('heading', { name: 'Confirm this device' }).waitFor({ timeout: limit(20_000) })
  await window.close()
  const frame = frameOf(device.page)
  await expect(frame.getByText('The window was closed before you finished.').first()).toBeVisible()
  await expect(frame.getByRole('button', { name: 'Open again' })).toBeVisible()
  await pressSeen(frame.getByRole('button', { name: 'Cancel' }))
  await frame.getByRole('button', { name: 'Sign and continue' }).waitFor({ timeout: limit(20_000) })
  await pressSeen(frame.getByRole('button', { name: 'Cancel' }))
  await untilClosed(device.page)
  // The device is still not one of theirs.
  await pressSign(device)
  const again = frameOf(device.page).getByRole('button', { name: 'Continue in a new window' })
  await expect(again).toBeVisible()
  await device.context.close()
})

/** Automatic → password, and with it to another device. Resolves with that. */
async function toPassword(browser: Browser, demo: Demo, email: string): Promise<Device> {
  const first = await deviceWithWallet(browser, demo, email, strictKeeps)

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
  const second = await anotherDevice(browser, demo, email, strictKeeps)
  await pressSign(second)
  const window = await toWindow(second)
  const field = window.getByLabel('Password', { exact: true })
  await field.fill('tide&one!runner')
  await pressIn(window, 'Recover wallet')
  await expect(window.getByText('Invalid recovery password, please try again.').first()).toBeVisible()
  await field.fill('tide&one!walker')
  await pressIn(window, 'Recover wallet')
  await untilSigned(second)
  return second
}

test('recovery goes from automatic to a password, which brings the wallet to another device', async ({
  browser,
  demo,
}) => {
  await (await toPassword(browser, demo, emailOf('vault-password'))).context.close()
})

test('recovery goes from automatic to a password, to a drive and back, each time by the present one first @soak', async ({
  browser,
  demo,
}) => {
  const email = emailOf('vault-changes')
  const second = await toPassword(browser, demo, email)

  // Password → drive.
  await second.page.locator('#set-recovery').click()
  await press(second.page, /^Google Drive/)
  const change = await toWindow(second)
  await expect(change.getByText('Enter the password that recovers your wallet now.')).toBeVisible()
  await change.getByLabel('Password', { exact: true }).fill('tide&one!walker')
  await pressIn(change, 'Continue')
  await visitDrive(change, 'google-drive', 'walker.two')
  await expect(change.getByText('walker.two')).toBeVisible()
  await pressIn(change, 'Store recovery file')
  await shownMethod(second.page, 'recovery with Google Drive')
  await untilClosed(second.page)
  await second.context.close()

  // The drive enrols the next device; the person is asked to sign once, after it.
  const third = await anotherDevice(browser, demo, email, strictKeeps)
  await writeSignIn(third.page)
  await third.page.getByRole('button', { name: 'Sign', exact: true }).click()
  const back = await toWindow(third)
  await visitDrive(back, 'google-drive', 'somebody.else')
  await pressIn(back, 'Recover wallet')
  await expect(back.getByRole('heading', { name: 'Recovery with Google Drive unsuccessful' })).toBeVisible()
  await visitDrive(back, 'google-drive', 'walker.two')
  await pressIn(back, 'Recover wallet')
  await approve(third.page)
  await untilSigned(third)

  // The drive was shown just now, on this device: the key needs nothing more.
  const [address = ''] = await addressesOf(third.page)
  await entryOf(third.page, address).getByRole('button', { name: 'Export' }).click()
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
  const last = await toWindow(third)
  await visitDrive(last, 'google-drive', 'walker.two')
  await pressIn(last, 'Confirm')
  await shownMethod(third.page, 'automatic recovery')
  await untilClosed(third.page)
  await third.context.close()
})
