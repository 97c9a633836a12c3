/** What people type for the vault alone, in apps whose keys only the vault may use: codes and passwords. */

import type { CDPSession, Page } from '@playwright/test'
import { limit } from '../support/limit.ts'
import { approve, frameOf, look, openWindow, pressIn } from './support/approval.ts'
import { open, openPage, ownKey } from './support/apps.ts'
import { type Demo, emailOf, expect, mailedCode, test } from './support/demo.ts'
import { eavesdrop, overheard } from './support/eavesdropper.ts'
import {
  deviceWithWallet,
  dialogOf,
  press,
  signOnEthereum,
  untilClosed,
  untilRead,
} from './support/embedded.ts'
import { secretsIn, secretText } from './support/secret-search.ts'

const boxesOf = (page: Page) => frameOf(page).getByLabel(/^Confirmation code/)

/** Types the address and waits for the vault's boxes. Resolves with the code that was mailed. */
async function untilBoxes(page: Page, demo: Demo, email: string): Promise<string> {
  const since = Date.now() - 1_000
  await page.getByLabel('Email address').fill(email)
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(frameOf(page).getByRole('heading', { name: 'Enter confirmation code' })).toBeVisible()
  await look(page)
  return mailedCode(demo, email, since)
}

/** Presses Back as a user does: once more where the vault has taken the press for one that came too early. */
async function goBack(page: Page, email: string): Promise<void> {
  const address = page.getByLabel('Email address')
  await expect(async () => {
    if (!(await address.isVisible()))
      await frameOf(page)
        .getByRole('button', { name: 'Back' })
        .click({ timeout: limit(2_000) })
    await expect(address).toHaveValue(email, { timeout: limit(4_000) })
  }).toPass({ timeout: limit(40_000) })
}

/** The input method of a person whose caret is in the vault's frame. */
async function inputMethod(page: Page, vault: string): Promise<CDPSession> {
  const frame = page.frames().find((each) => each.url().startsWith(vault) && each.url().includes('/approval'))
  // A frame has a session of its own where it runs in a process of its own.
  return page
    .context()
    .newCDPSession(frame ?? page)
    .catch(() => page.context().newCDPSession(page))
}

async function start(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await page.locator('#log-in').click()
}

test('one code logs in and lets a new browser sign, and a page that hooks everything never reads it', async ({
  page,
  demo,
}) => {
  await eavesdrop(page, demo.site)
  const logins: { from: string; proof: boolean }[] = []
  page.on('request', (request) => {
    if (request.method() !== 'POST' || !request.url().endsWith('/passwordless/authenticate')) return
    logins.push({ from: new URL(request.frame().url()).origin, proof: 'dpop' in request.headers() })
  })
  await start(page, openPage(demo))
  const code = await untilBoxes(page, demo, emailOf('fields'))
  const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
  // Whoever has the code types it, without a press on the boxes before.
  await expect(boxesOf(page)).toBeFocused()
  await page.keyboard.type(wrong)
  await expect(frameOf(page).getByText('Invalid or expired verification code').first()).toBeVisible()
  // A Japanese keyboard puts full-width digits together, which are no code as long as others can be chosen.
  const { origin } = new URL(demo.vault)
  const keyboard = await inputMethod(page, origin)
  const wide = code.replace(/./g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0))
  for (let typed = 1; typed <= wide.length; typed++)
    await keyboard.send('Input.imeSetComposition', {
      text: wide.slice(0, typed),
      selectionStart: typed,
      selectionEnd: typed,
    })
  await expect(boxesOf(page)).toHaveValue(new RegExp(`${wide}$`))
  expect(logins).toHaveLength(1)
  await keyboard.send('Input.insertText', { text: wide })
  await expect(page.locator('#address')).toHaveText(/^0x/)
  await untilRead(page)
  expect(logins).toEqual([
    { from: origin, proof: true },
    { from: origin, proof: true },
  ])
  const heard = (await overheard(page)).map(({ text }) => text)
  expect(heard.filter((text) => text.includes(code) || text.includes(wrong))).toEqual([])

  const address = await page.locator('#address').textContent()
  await page.reload()
  await expect(page.locator('#address')).toHaveText(address ?? '')
  await page.getByRole('button', { name: 'Sign', exact: true }).click()
  await approve(page)
  await expect(page.locator('#signature')).toHaveText(/^0x[0-9a-f]{130}$/)
})

test('back leads to the address, and the code that was sent is good after it @soak', async ({
  page,
  demo,
}) => {
  await start(page, openPage(demo))
  const email = emailOf('returns')
  const code = await untilBoxes(page, demo, email)
  await goBack(page, email)
  // No other one is sent.
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(boxesOf(page)).toBeVisible()
  await look(page)
  await boxesOf(page).pressSequentially(code)
  await expect(page.locator('#address')).toHaveText(/^0x/)
})

test('back leads to the address, another code is sent when it is asked for, and closing ends the login @soak', async ({
  page,
  demo,
}) => {
  await start(page, openPage(demo))
  const email = emailOf('resends')
  await untilBoxes(page, demo, email)
  await goBack(page, email)
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(boxesOf(page)).toBeVisible()
  await look(page)
  const since = Date.now()
  await frameOf(page)
    .getByRole('button', { name: 'Resend code' })
    .click({ timeout: limit(40_000) })
  await boxesOf(page).pressSequentially(await mailedCode(demo, email, since))
  await expect(page.locator('#address')).toHaveText(/^0x/)
  await untilRead(page)
})

test('a guest whose code is that of somebody else takes the account over, or leaves it, and signs @soak', async ({
  browser,
  page,
  demo,
}) => {
  const email = emailOf('taken')
  const theirs = await deviceWithWallet(browser, demo, email, open)
  await theirs.context.close()
  await page.goto(openPage(demo))
  await page.locator('#guest').click()
  await expect(page.locator('#address')).toHaveText(/^0x/)
  await untilRead(page)
  const id = (await page.locator('#user-id').textContent()) ?? ''
  const address = (await page.locator('#address').textContent()) ?? ''

  await page.locator('#log-in').click()
  const conflict = dialogOf(page).getByRole('heading', {
    name: 'This email address is associated with another account',
  })
  await boxesOf(page).pressSequentially(await untilBoxes(page, demo, email))
  await expect(conflict).toBeVisible()
  await expect(dialogOf(page).getByText(email)).toBeVisible()
  // The code is used up, so that whoever comes again is sent another one.
  await press(page, 'No thanks')
  await boxesOf(page).pressSequentially(await untilBoxes(page, demo, email))
  await expect(conflict).toBeVisible()
  await press(page, 'Continue')
  await press(page, 'Transfer and delete account')
  // The guest has a wallet, so that the change is approved in the window.
  await pressIn(await openWindow(page, page.context()), 'Transfer and delete account')
  await expect(page.locator('#email')).toHaveText(email)
  await untilClosed(page)
  expect(await page.locator('#user-id').textContent()).toBe(id)
  await expect(page.locator('#address')).toHaveText(address)
  await signOnEthereum(page, address)
})

test('boxes that can’t be loaded are a screen that says so, and never the page’s own @soak', async ({
  page,
  demo,
}) => {
  await page.route(/embedded-wallets\/approval\?/, (route) => route.abort())
  await start(page, openPage(demo))
  await page.getByLabel('Email address').fill(emailOf('unreachable'))
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(dialogOf(page).getByRole('button', { name: 'Try again' })).toBeVisible({
    timeout: limit(60_000),
  })
  await expect(dialogOf(page).getByLabel(/^Confirmation code/)).toHaveCount(0)
  await page.unroute(/embedded-wallets\/approval\?/)
  await dialogOf(page).getByRole('button', { name: 'Try again' }).click()
  await expect(boxesOf(page)).toBeVisible()
  await look(page)
  await frameOf(page).getByRole('button', { name: 'Close' }).click()
  await untilClosed(page)
})

test('a new wallet’s password is typed into the vault’s own frame, and the page never reads it @soak', async ({
  page,
  demo,
}) => {
  await eavesdrop(page, demo.site)
  await start(page, `${demo.site}/?app=${ownKey}`)
  await boxesOfLogin(page, demo, emailOf('keeps'))
  const password = 'harbor-tide&Lantern7'
  await dialogOf(page)
    .getByRole('button', { name: /password/i })
    .click()
  const frame = frameOf(page)
  await frame.getByRole('heading', { name: 'Set your password' }).waitFor()
  await look(page)
  await frame.getByLabel('Password', { exact: true }).fill(password)
  await frame.getByRole('button', { name: 'Continue' }).click()
  await expect(frame.getByRole('heading', { name: 'Save your password' })).toBeVisible()
  await frame.getByRole('button', { name: 'Continue' }).click()
  await frame.getByLabel('Password', { exact: true }).fill(password)
  await frame.getByRole('button', { name: 'Continue' }).click()
  await frame.getByRole('checkbox').check()
  await frame.getByRole('button', { name: 'Set Password' }).click()
  await expect(page.locator('#address')).toHaveText(/^0x/, { timeout: limit(30_000) })
  await untilRead(page)
  const heard = (await overheard(page)).map(({ text }) => text)
  expect(heard.filter((text) => secretsIn(text, [secretText('password', password)]).length > 0)).toEqual([])
})

/** Logs in with the vault's boxes. */
async function boxesOfLogin(page: Page, demo: Demo, email: string): Promise<void> {
  const code = await untilBoxes(page, demo, email)
  await boxesOf(page).pressSequentially(code)
}
