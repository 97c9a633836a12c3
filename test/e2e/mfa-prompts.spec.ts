/** What asks a person for a second factor, how long it waits, and what comes of leaving it. */
import type { Browser, Page } from '@playwright/test'
import type { HostConfig, LoginModal } from '../../src/index.ts'
import { approve, inDialog } from './support/approval.ts'
import { keeps, open as strict } from './support/apps.ts'
import { type Demo, emailOf, expect, test } from './support/demo.ts'
import {
  addressesOf,
  changeTo,
  deviceWithWallet,
  dialogOf,
  open,
  press,
  signOnEthereum,
  untilClosed,
  untilIn,
  visit,
} from './support/embedded.ts'
import { passTurns } from './support/idle.ts'
import {
  boxes,
  button,
  enrollApp,
  enrollAppAtOnce,
  enrollPhoneAtOnce,
  outcomeOf,
  row,
} from './support/second-factors.ts'

const prompted = 'Verify your identity'
const late = 'You have exceeded the time limit for code entry. Please try again in 30 seconds.'

/** The vault's own frame shows the key, and nobody is asked for a code. Closing ends the export. */
async function seeKey(page: Page): Promise<void> {
  const frame = page.frameLocator('iframe[title="Private key"]')
  await expect(frame.getByRole('button').first()).toBeVisible()
  await expect(dialogOf(page).getByLabel(/^Confirmation code/)).toHaveCount(0)
  await dialogOf(page).getByRole('button', { name: 'Close', exact: true }).last().click()
}

test('a change of recovery and an export each want one code, of their own @soak', async ({
  browser,
  demo,
}) => {
  const { page, context } = await deviceWithWallet(browser, demo, emailOf('fresh'), keeps)
  const text = await enrollPhoneAtOnce(page, demo)
  const giveCode = async (since: number) => (await boxes(page)).pressSequentially(await text(since))

  let since = Date.now()
  await changeTo(page, 'password', { password: 'Neues-Pferd-und-Wagen' }, () => giveCode(since))
  // For wallets as they are used every day that is enough.
  const signed = outcomeOf(page, 'sign')
  await approve(page)
  expect(await signed).toBe('done')
  await untilClosed(page)

  since = Date.now()
  const exported = outcomeOf(page, 'export')
  await giveCode(since)
  await seeKey(page)
  expect(await exported).toBe('done')
  await untilClosed(page)
  await context.close()
})

test('an export wants another code once the last one is a minute old @soak', async ({ browser, demo }) => {
  const { page, context } = await deviceWithWallet(browser, demo, emailOf('minute'), keeps)
  await page.clock.install()
  await open(page, demo)
  const text = await enrollPhoneAtOnce(page, demo)
  for (const wants of [true, false, true]) {
    const since = Date.now()
    const exported = outcomeOf(page, 'export')
    if (wants) await (await boxes(page)).pressSequentially(await text(since))
    await seeKey(page)
    expect(await exported).toBe('done')
    await untilClosed(page)
    if (!wants) await page.clock.fastForward(61_000)
  }
  await context.close()
})

test('a page that draws its own prompt hears who is to be verified, and gives the code or gives up @soak', async ({
  browser,
  demo,
}) => {
  const { page, context } = await deviceWithWallet(browser, demo, emailOf('own-prompt'), keeps)
  const code = await enrollAppAtOnce(page)
  await page.evaluate(
    (own) => {
      const login = document.querySelector('login-modal') as LoginModal
      login.config = { ...login.config, ...own }
    },
    { mfa: { noPromptOnMfaRequired: true } } satisfies HostConfig,
  )
  const state = () =>
    page.evaluate(() => (document.querySelector('login-modal') as LoginModal).kit?.mfa.state.get())
  const submit = (given: string) =>
    page.evaluate(
      (given) =>
        (document.querySelector('login-modal') as LoginModal).kit?.mfa.submit('totp', given).then(
          () => 'done',
          ({ code }) => String(code),
        ),
      given,
    )
  const required = page.locator('#trace li').filter({ hasText: 'mfa-enroll · lk-mfa-required' })

  expect(await submit('000000')).toBe('invalid_state')
  const signed = outcomeOf(page, 'sign')
  await approve(page)
  await expect(required).toHaveCount(1)
  expect(await state()).toEqual({ status: 'required', methods: ['totp'] })
  await expect(dialogOf(page).getByLabel(/^Confirmation code/)).toHaveCount(0)
  expect(await submit('000000')).toBe('missing_or_invalid_mfa')
  expect(await submit(code())).toBe('done')
  expect(await signed).toBe('done')
  await untilClosed(page)

  const exported = outcomeOf(page, 'export')
  await expect(required).toHaveCount(2)
  await page.evaluate(() => (document.querySelector('login-modal') as LoginModal).kit?.mfa.cancel())
  expect(await exported).toBe('mfa_canceled')
  expect(await state()).toEqual({ status: 'idle' })
  await untilClosed(page)
  await context.close()
})

/** Lets time pass in leaps that are shorter than the page's patience with a vault that does not answer meanwhile. */
async function pass(page: Page, milliseconds: number): Promise<void> {
  for (let left = milliseconds; left > 0; left -= 1_500) {
    await page.clock.fastForward(Math.min(left, 1_500))
    // Enough for an answer of the vault. What waits for the user is busy all the time.
    await passTurns(page, 3)
  }
}

for (const [where, app] of [
  ['in a compatible app', keeps],
  ['in the vault’s own field', strict],
] as const)
  test(`a prompt is open for five minutes, and takes nothing afterwards, ${where} @soak`, async ({
    browser,
    demo,
  }) => {
    const { page, context } = await deviceWithWallet(browser, demo, emailOf('late'), app)
    await (app === keeps ? enrollAppAtOnce(page) : enrollApp(page))
    await page.clock.install()
    await open(page, demo, app)
    const signed = outcomeOf(page, 'sign')
    await approve(page)
    await boxes(page)
    // The page's time goes on by itself as well, by as much as a busy machine takes.
    await pass(page, 200_000)
    await expect(await boxes(page)).toBeEditable()
    await pass(page, 103_000)
    await inDialog(page, (place) => place.getByText(late).first())
    await expect(await boxes(page)).not.toBeEditable()
    await (await button(page, 'Not now')).click()
    expect(await signed).toBe('mfa_timeout')
    await untilClosed(page)
    await context.close()
  })

for (const [way, minutes] of [
  ['fast', 5],
  ['slow', -5],
] as const)
  test(`somebody whose clock is five minutes ${way} sets a factor up, signs and exports with it @soak`, async ({
    browser,
    demo,
  }) => {
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.clock.install({ time: Date.now() + minutes * 60_000 })
    await visit(page, demo, emailOf(way), keeps)
    await untilIn(page)
    const code = await enrollAppAtOnce(page)
    const signed = outcomeOf(page, 'sign')
    await approve(page)
    await (await boxes(page)).pressSequentially(code())
    expect(await signed).toBe('done')
    await untilClosed(page)
    const exported = outcomeOf(page, 'export')
    await (await boxes(page)).pressSequentially(code())
    await seeKey(page)
    expect(await exported).toBe('done')
    await context.close()
  })

/** Somebody with an app and a phone. */
async function withTwoFactors(browser: Browser, demo: Demo, name: string) {
  const device = await deviceWithWallet(browser, demo, emailOf(name), keeps)
  const { page } = device
  const text = await enrollPhoneAtOnce(page, demo)
  // The code that has set the first one up is good for the second one, too.
  return { ...device, text, code: await enrollAppAtOnce(page) }
}

test('wherever a prompt is closed, what waited for it is canceled and nothing else happens @soak', async ({
  browser,
  demo,
}) => {
  const { context, code } = await withTwoFactors(browser, demo, 'closes')
  // Nobody has been verified in this tab.
  const page = await context.newPage()
  await open(page, demo)
  const [address = ''] = await addressesOf(page)
  const heading = (name: string) => dialogOf(page).getByRole('heading', { name })
  const leaves: Record<string, (page: Page) => Promise<void>> = {
    async 'at the choice of a method'() {
      await page.keyboard.press('Escape')
    },
    async 'at the code of a text message'() {
      await (await row(page, /^SMS/)).click()
      await boxes(page)
      await press(page, 'Close')
    },
    async 'at another method, by its own button'() {
      await (await row(page, /^SMS/)).click()
      await press(page, 'Choose another method')
      await (await row(page, /^Authenticator app/)).click()
      await boxes(page)
      await press(page, 'Not now')
    },
    async 'while the code is being checked'() {
      const checks = '**/api/v1/mfa/totp/verify'
      let endCheck = () => {}
      const closed = new Promise<void>((resolve) => {
        endCheck = resolve
      })
      const begun = page.waitForRequest(checks)
      await context.route(checks, async (route) => {
        await closed
        await route.abort().catch(() => {})
      })
      await (await row(page, /^Authenticator app/)).click()
      await (await boxes(page)).pressSequentially('000000')
      await begun
      await press(page, 'Close')
      endCheck()
      await context.unroute(checks)
    },
  }
  for (const [where, leave] of Object.entries(leaves)) {
    const asked = outcomeOf(page, 'sign')
    await approve(page)
    await expect(heading(prompted)).toBeVisible()
    await leave(page)
    expect([where, await asked]).toEqual([where, 'mfa_canceled'])
    await untilClosed(page)
  }
  await signOnEthereum(page, address, async () => {
    await (await row(page, /^Authenticator app/)).click()
    await (await boxes(page)).pressSequentially(code())
  })
  await context.close()
})

test('closing the dialog in which the vault asks for a code cancels what waited for it @soak', async ({
  browser,
  demo,
}) => {
  const { page, context } = await deviceWithWallet(browser, demo, emailOf('closes'), strict)
  const code = await enrollApp(page)
  for (const leave of ['Close', 'Not now']) {
    const asked = outcomeOf(page, 'sign')
    await approve(page)
    await boxes(page)
    await (await button(page, leave)).click()
    expect([leave, await asked]).toEqual([leave, 'mfa_canceled'])
    await untilClosed(page)
  }
  const signed = outcomeOf(page, 'sign')
  await approve(page)
  await (await boxes(page)).pressSequentially(code())
  expect(await signed).toBe('done')
  await context.close()
})
