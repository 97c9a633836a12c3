/** A second browser of a user with a wallet: each proof that lets it in, each one that keeps it out, and what it costs the user. */

import type { Page } from '@playwright/test'
import { limit } from '../support/limit.ts'
import { inDialog, look, openWindow } from './support/approval.ts'
import { open as app, strictKeeps } from './support/apps.ts'
import { type Demo, emailOf, expect, logIn, messagesTo, startDemo, test } from './support/demo.ts'
import {
  anotherDevice,
  choosePasswordIn,
  type Device,
  deviceWithWallet,
  dialogOf,
  press,
  typeCode,
  untilClosed,
  writeSignIn,
} from './support/embedded.ts'
import { withPasskeys } from './support/second-factors.ts'

/** Counts presses in the dialog, the vault's frame and its windows, and windows; the page's own buttons cost nothing. */
class Cost {
  presses = 0
  windows = 0
  /** Codes and passwords. */
  typed = 0

  constructor({ context }: Device) {
    context.on('page', () => this.windows++)
  }

  async press(window: Page, name: string | RegExp): Promise<void> {
    const button = window.getByRole('button', { name, exact: typeof name === 'string' })
    await button.waitFor({ timeout: limit(20_000) })
    await look(window)
    await button.click()
    this.presses++
  }

  async open({ page, context }: Device): Promise<Page> {
    const window = await openWindow(page, context)
    this.presses++
    return window
  }

  toString(): string {
    const presses = this.presses === 1 ? '1 press' : `${this.presses} presses`
    const windows = this.windows === 1 ? '1 window' : `${this.windows} windows`
    return `${presses}, ${windows}, ${this.typed} typed`
  }
}

const printCost = (journey: string, costs: Record<string, Cost>) =>
  console.log(
    `Cost of ${journey}: ${Object.entries(costs)
      .map(([where, cost]) => `${where} ${cost}`)
      .join('; ')}`,
  )

/** The first device of a user, which stays, and a second one where they are logged in. */
async function twoDevices(
  browser: Parameters<typeof deviceWithWallet>[0],
  demo: Demo,
  email: string,
  app: string,
) {
  const first = await deviceWithWallet(browser, demo, email, app)
  const second = await anotherDevice(browser, demo, email, app)
  return { first, second }
}

/** Asks the second device for a signature, as far as the vault's window. */
async function signAsFarAsWindow(device: Device, cost: Cost): Promise<Page> {
  const { page } = device
  await writeSignIn(page)
  await page.getByRole('button', { name: 'Sign', exact: true }).click()
  const agree = await inDialog(page, (place) => place.getByRole('button', { name: 'Sign and continue' }))
  await agree.click()
  cost.presses++
  return cost.open(device)
}

async function untilSigned({ page }: Device): Promise<void> {
  await expect(page.locator('#signature')).toHaveText(/^0x[0-9a-f]{130}$/, { timeout: limit(30_000) })
  await untilClosed(page)
}

const expectUnsigned = ({ page }: Device) => expect(page.locator('#signature')).toBeEmpty()

/** The number that the second device shows. */
async function numberIn(window: Page): Promise<string> {
  await expect(window.getByRole('heading', { name: 'Approve on your other device' })).toBeVisible()
  return (await window.getByText(/^\d\d$/).textContent()) ?? ''
}

/** Opens the request of the other device out of the account settings of the first one. */
async function openRequest(device: Device, cost: Cost): Promise<Page> {
  const { page } = device
  await page.locator('#settings').click()
  await press(page, /^A new browser wants to use your wallet/)
  cost.presses++
  const window = await cost.open(device)
  await expect(window.getByRole('heading', { name: 'Is this you?' })).toBeVisible()
  return window
}

/** Leaves the window and the settings after the answer. */
async function closeRequest({ page }: Device, window: Page, cost: Cost): Promise<void> {
  await cost.press(window, 'Close')
  await expect.poll(() => window.isClosed()).toBe(true)
  await expect(dialogOf(page).getByRole('heading', { name: 'Account settings' })).toBeVisible()
  await expect(dialogOf(page).getByText('A new browser wants to use your wallet')).toHaveCount(0)
  await press(page, 'Close')
  await untilClosed(page)
}

test('second device: the number chosen on the first one lets it in', async ({ browser, demo }) => {
  const { first, second } = await twoDevices(browser, demo, emailOf('approves'), app)
  const [here, there] = [new Cost(second), new Cost(first)]
  const window = await signAsFarAsWindow(second, here)
  await here.press(window, /^Approve on your other device/)
  const number = await numberIn(window)
  await expectUnsigned(second)

  const request = await openRequest(first, there)
  await there.press(request, number)
  await expect(request.getByRole('heading', { name: 'Approved' })).toBeVisible()
  await closeRequest(first, request, there)
  await untilSigned(second)
  printCost('a second device by approval', { 'new device': here, 'other device': there })
})

test('second device: a wrong number denies it, and the next request has a number of its own @soak', async ({
  browser,
  demo,
}) => {
  const { first, second } = await twoDevices(browser, demo, emailOf('mistakes'), app)
  const [here, there] = [new Cost(second), new Cost(first)]
  const window = await signAsFarAsWindow(second, here)
  await here.press(window, /^Approve on your other device/)
  const number = await numberIn(window)

  const request = await openRequest(first, there)
  const numbers = await request.getByRole('button', { name: /^\d\d$/ }).allTextContents()
  expect(numbers).toContain(number)
  expect(new Set(numbers).size).toBe(3)
  await there.press(request, numbers.find((each) => each !== number) ?? '')
  await expect(request.getByRole('heading', { name: 'Another number was shown there' })).toBeVisible()
  await closeRequest(first, request, there)
  await expect(window.getByRole('heading', { name: 'This was denied' })).toBeVisible()
  await expectUnsigned(second)

  await here.press(window, 'Ask again')
  const next = await numberIn(window)
  const again = await openRequest(first, there)
  await there.press(again, next)
  await expect(again.getByRole('heading', { name: 'Approved' })).toBeVisible()
  await closeRequest(first, again, there)
  await untilSigned(second)
})

test('second device: “This isn’t me” on the first one denies it, and a code to the address still lets it in @soak', async ({
  browser,
  demo,
}) => {
  const email = emailOf('denies')
  const { first, second } = await twoDevices(browser, demo, email, app)
  const [here, there] = [new Cost(second), new Cost(first)]
  const window = await signAsFarAsWindow(second, here)
  await here.press(window, /^Approve on your other device/)
  await numberIn(window)

  const request = await openRequest(first, there)
  await there.press(request, "This isn't me")
  await expect(request.getByRole('heading', { name: 'Denied' })).toBeVisible()
  await closeRequest(first, request, there)
  await expect(window.getByRole('heading', { name: 'This was denied' })).toBeVisible()
  await expectUnsigned(second)

  await here.press(window, 'Back')
  const since = Date.now() - 1000
  await here.press(window, /^Code by email/)
  await typeCode(window, demo, email, since)
  here.typed++
  await untilSigned(second)
})

test('second device: a code to the user’s address lets it in @soak', async ({ browser, demo }) => {
  const email = emailOf('codes')
  const { second } = await twoDevices(browser, demo, email, app)
  const here = new Cost(second)
  const window = await signAsFarAsWindow(second, here)
  const since = Date.now() - 1000
  await here.press(window, /^Code by email/)
  await typeCode(window, demo, email, since)
  here.typed++
  await untilSigned(second)
  printCost('a second device by a code', { 'new device': here })
})

test('second device: a passkey made in the vault’s window of the first one lets it in @soak', async ({
  browser,
  demo,
}) => {
  const { first, second } = await twoDevices(browser, demo, emailOf('passkeys'), app)
  const [here, there] = [new Cost(second), new Cost(first)]
  await first.page.locator('#settings').click()
  await press(first.page, /^Passkeys for your wallet/)
  there.presses++
  const adding = await there.open(first)
  const kept = await withPasskeys(adding)
  await there.press(adding, 'Add a passkey')
  await there.press(adding, 'Add passkey')
  await expect(adding.getByRole('button', { name: /Added/ })).toBeVisible()
  const credentials = await kept()
  expect(credentials).toHaveLength(1)
  expect(credentials[0]?.rpId).toBe(new URL(demo.vault).hostname)
  await there.press(adding, 'Done')
  await expect(dialogOf(first.page).getByRole('heading', { name: 'Account settings' })).toBeVisible()

  const window = await signAsFarAsWindow(second, here)
  await withPasskeys(window, credentials)
  await here.press(window, /^Passkey for your wallet/)
  await here.press(window, 'Use passkey')
  await untilSigned(second)
  printCost('a second device by a passkey', { 'new device': here, 'adding the passkey before': there })
})

test('second device: a passkey that does not verify its user leaves it out @soak', async ({
  browser,
  demo,
}) => {
  const { first, second } = await twoDevices(browser, demo, emailOf('unverified'), app)
  const [here, there] = [new Cost(second), new Cost(first)]
  await first.page.locator('#settings').click()
  await press(first.page, /^Passkeys for your wallet/)
  const adding = await there.open(first)
  const kept = await withPasskeys(adding)
  await there.press(adding, 'Add a passkey')
  await there.press(adding, 'Add passkey')
  await expect(adding.getByRole('button', { name: /Added/ })).toBeVisible()
  const credentials = await kept()

  const window = await signAsFarAsWindow(second, here)
  await withPasskeys(window, credentials, { isUserVerified: false })
  await here.press(window, /^Passkey for your wallet/)
  await here.press(window, 'Use passkey')
  await expect(
    window.getByText(/got no answer from a passkey|isn't one for your wallet/).first(),
  ).toBeVisible()
  await expectUnsigned(second)
})

test('second device: the recovery password lets it in and brings the wallet @soak', async ({
  browser,
  demo,
}) => {
  const { first, second } = await twoDevices(browser, demo, emailOf('password'), strictKeeps)
  const [here, there] = [new Cost(second), new Cost(first)]
  await first.page.locator('#set-recovery').click()
  await press(first.page, /^Password/)
  there.presses++
  const setting = await there.open(first)
  await choosePasswordIn(setting, 'tide&one!walker', () => look(setting))
  there.presses += 5
  there.typed += 2
  await there.press(setting, 'Close')
  await untilClosed(first.page)

  await second.page.reload()
  await expect(second.page.locator('#address')).toHaveText(/^0x/)
  const window = await signAsFarAsWindow(second, here)
  await window.getByLabel('Password', { exact: true }).fill('tide&one!walker')
  here.typed++
  await here.press(window, 'Recover wallet')
  await untilSigned(second)
  printCost('a second device by a recovery password', {
    'new device': here,
    'setting the password before': there,
  })
})

test('frozen account: the link of a notice ends every session, and a proof in the vault’s window opens it again @soak', async ({
  browser,
}) => {
  // A proof counts here if it is older than these seconds; in earnest that is a week.
  const accountChangeWait = limit(20_000)
  const { demo, stop } = await startDemo({ LIMITS: JSON.stringify({ accountChangeWait }) })
  try {
    const email = emailOf('frozen')
    const { first, second } = await twoDevices(browser, demo, email, app)
    const ready = Date.now()
    await expect.poll(() => Date.now() - ready, { timeout: limit(60_000) }).toBeGreaterThan(accountChangeWait)
    const [here, there] = [new Cost(first), new Cost(second)]
    const since = Date.now() - 1000
    const letIn = await signAsFarAsWindow(second, there)
    await there.press(letIn, /^Code by email/)
    await typeCode(letIn, demo, email, since)
    there.typed++
    await untilSigned(second)

    const link = await freezeLink(demo, email, /^A new device can use your wallets/)
    const inbox = await first.context.newPage()
    here.windows = 0
    await inbox.goto(link)
    await inbox.getByRole('button', { name: 'Freeze account' }).click()
    here.presses++
    await expect(inbox.getByRole('heading', { name: 'Your account is frozen' })).toBeVisible()
    await inbox.goto(link)
    await expect(inbox.getByRole('heading', { name: 'This link is no longer good' })).toBeVisible()
    await inbox.close()
    for (const { page } of [first, second]) {
      await page.reload()
      await expect(page.locator('#status')).toHaveText('You are logged out.')
    }

    const { page } = first
    await page.locator('#log-in').click()
    await logIn(page, demo, email)
    await expect(page.locator('#address')).toHaveText(/^0x/)
    await untilClosed(page)
    const window = await signAsFarAsWindow(first, here)
    await expect(window.getByRole('heading', { name: 'Your account is frozen' })).toBeVisible()
    const again = Date.now() - 1000
    await here.press(window, "Confirm it's you")
    await expect(window.getByRole('button', { name: /^Approve on your other device/ })).toHaveCount(0)
    await typeCode(window, demo, email, again)
    here.typed++
    await untilSigned(first)
    printCost('freezing an account and the way back', { 'the user’s device': here })
  } finally {
    await stop()
  }
})

/** The link in the newest notice with such a subject. */
async function freezeLink(demo: Demo, email: string, subject: RegExp): Promise<string> {
  let link = ''
  await expect
    .poll(async () => {
      const notice = (await messagesTo(demo, email)).find((each) => subject.test(each.subject))
      link = /http\S+\/freeze\/[\w-]{22}/.exec(notice?.body ?? '')?.[0] ?? ''
      return link
    })
    .not.toBe('')
  return link
}
