/** A wallet that outlives its device where only the vault's own frame and window ask for what brings it back. */

import type { Page } from '@playwright/test'
import { limit } from '../support/limit.ts'
import { approve, inWindow, look, openWindow, pressIn } from './support/approval.ts'
import { open, strictKeeps } from './support/apps.ts'
import { type Demo, emailOf, expect, test } from './support/demo.ts'
import {
  addressesOf,
  anotherDevice,
  choosePasswordIn,
  confirmByCode,
  type Device,
  directionsOf,
  driveNames,
  type Known,
  type Method,
  newDevice,
  press,
  shownAs,
  signOnEthereum,
  untilClosed,
  visitDrive,
  walks,
  writeSignIn,
} from './support/embedded.ts'
import { button, enrollApp, row, withPasskeys } from './support/second-factors.ts'

const isDrive = (method: Method): method is keyof typeof driveNames => method in driveNames

/** Signs on a device that was never here: the vault asks for what brings the wallet. */
async function signByRecovery(
  { page, context }: Device,
  { demo, email, method, known }: { demo: Demo; email: string; method: Method; known: Known },
): Promise<void> {
  const secret = known[method] ?? ''
  await writeSignIn(page)
  await page.getByRole('button', { name: 'Sign', exact: true }).click()
  if (isDrive(method)) {
    // The wallet is brought here before anything is shown that it could sign.
    const window = await inWindow(page, context)
    await visitDrive(window, method, secret)
    await pressIn(window, 'Recover wallet')
    await approve(page)
  } else {
    await approve(page)
    const window = await inWindow(page, context)
    if (method === 'password') {
      await window.getByLabel('Password', { exact: true }).fill(secret)
      await pressIn(window, 'Recover wallet')
    } else await confirmByCode(window, demo, email)
  }
  await untilSigned(page)
}
async function untilSigned(page: Page): Promise<void> {
  await expect(page.locator('#signature')).toHaveText(/^0x[0-9a-f]{130}$/, { timeout: limit(30_000) })
  await untilClosed(page)
}
const nameOf = (method: Method) => driveNames[method as keyof typeof driveNames]

/** Goes over to another method, by the present one first. */
async function change({ page, context }: Device, from: Method, to: Method, known: Known, next: string) {
  if (to === 'automatic')
    await page.evaluate(() => {
      const element = document.querySelector('wallet-recovery') as HTMLElement & {
        setRecovery(options: object): Promise<unknown>
      }
      void element.setRecovery({ showAutomaticRecovery: true })
    })
  else {
    await page.locator('#set-recovery').click()
    await press(page, to === 'password' ? /^(Password|Reset password)/ : new RegExp(`^${nameOf(to)}`))
  }
  const window = await openWindow(page, context)
  if (isDrive(from)) await visitDrive(window, from, known[from] ?? '')
  if (from === 'password') {
    await window.getByLabel('Password', { exact: true }).fill(known.password ?? '')
    await pressIn(window, 'Continue')
  }
  if (to === 'password') {
    await window.getByRole('heading', { name: /password$/ }).waitFor({ timeout: limit(20_000) })
    await choosePasswordIn(window, next, () => look(window))
    await pressIn(window, 'Close')
  } else {
    if (isDrive(to)) await visitDrive(window, to, next)
    await pressIn(window, to === 'automatic' ? 'Confirm' : 'Store recovery file')
  }
  await expect(page.locator('#embedded-list li').first()).toContainText(shownAs[to], {
    timeout: limit(30_000),
  })
  await untilClosed(page)
  known[to] = next
}

for (const [number, walk] of walks.entries())
  test(`a wallet signs on a new device after each change of recovery in a strict app: ${walk.join(', ')} @soak`, async ({
    demo,
    browser,
  }) => {
    test.setTimeout(limit(400_000))
    const email = emailOf(`strict-walker-${number}`)
    const begun = await newDevice(browser, demo, email, strictKeeps)
    const [address = ''] = await addressesOf(begun.page)
    const known: Known = {}
    let device = begun
    for (const [at, method] of walk.entries()) {
      const before = walk[at - 1]
      if (before) {
        // Another one each time, so that the former can't be what opens the wallet.
        const next = method === 'password' ? `tide&${at}!walker` : `walker.${number}.${at}`
        await change(device, before, method, known, next)
      }
      await device.context.close()
      // For half a minute after a code no other one is sent there.
      await expect(async () => {
        device = await anotherDevice(browser, demo, email, strictKeeps)
      }).toPass({ timeout: limit(60_000), intervals: [5_000] })
      expect(await addressesOf(device.page)).toEqual([address])
      await signByRecovery(device, { demo, email, method, known })
      await device.page.getByRole('button', { name: 'Verify', exact: true }).click()
      await expect(device.page.locator('#verdict')).toHaveText(`Valid: signed by ${address}`)
    }
    await device.context.close()
    console.log(`Recovery in a strict app: ${walk.length} new devices, ${directionsOf(walk).join('; ')}`)
  })

test('a second device of somebody with an authenticator app is enrolled by its code alone @soak', async ({
  browser,
  demo,
}) => {
  const email = emailOf('second-totp')
  const first = await newDevice(browser, demo, email, open)
  const [address = ''] = await addressesOf(first.page)
  const code = await enrollApp(first.page)
  await first.context.close()

  // The code of the login doesn't do: this device is not one of theirs yet.
  const { page, context } = await newDevice(browser, demo, email, open)
  await signOnEthereum(page, address, async () => {
    const window = await inWindow(page, context)
    await pressIn(window, 'Verification method')
    const boxes = window.getByLabel(/^Confirmation code/)
    await boxes.waitFor({ timeout: limit(20_000) })
    await look(window)
    await boxes.pressSequentially(code())
  })
  await context.close()
})

test('a second device of somebody whose second factor is a passkey is enrolled by a code and the passkey, never by the passkey alone @soak', async ({
  browser,
  demo,
}) => {
  const email = emailOf('second-passkey')
  const first = await newDevice(browser, demo, email, open)
  const [address = ''] = await addressesOf(first.page)
  const credentials = await withPasskeys(first.page)
  await first.page.locator('#enroll-factor').click()
  await (await button(first.page, 'Continue')).click()
  await (await row(first.page, /^Passkey/)).click()
  await (await button(first.page, 'Add a new passkey')).click()
  const adding = await inWindow(first.page, first.context)
  await pressIn(adding, 'Add')
  await pressIn(adding, 'Enable passkeys')
  await (await button(first.page, 'Done')).click()
  await untilClosed(first.page)
  const kept = await credentials()
  await first.context.close()

  const { page, context } = await newDevice(browser, demo, email, open)
  await withPasskeys(page, kept)
  await signOnEthereum(page, address, async () => {
    const window = await inWindow(page, context)
    const code = window.getByRole('button', { name: /^Code by email/ })
    await code.waitFor({ timeout: limit(20_000) })
    await expect(window.getByRole('button', { name: 'Verification method' })).toHaveCount(0)
    await confirmByCode(window, demo, email)
  })
  await context.close()
})
