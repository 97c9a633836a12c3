import type { Page, Request } from '@playwright/test'
import { codeBoxes } from './support/approval.ts'
import { type Demo, emailOf, expect, logIn, mailedCode, test, watchPage } from './support/demo.ts'

/** The apps of the demo whose captcha behaves in one way each. */
const apps = {
  passes: 'latchkey-demo-captcha-007',
  failsFirst: 'latchkey-demo-captcha-10a',
  expires: 'latchkey-demo-captcha-10b',
  asks: 'latchkey-demo-captcha-10c',
}
const dialog = (page: Page) => page.getByRole('dialog')
const heading = (page: Page, name: string) => dialog(page).getByRole('heading', { name })

/** Opens the dialog of an app and sends an address off. */
async function begin(page: Page, demo: Demo, app: string, email: string): Promise<number> {
  await page.goto(`${demo.site}/?app=${app}`)
  await page.locator('#log-in').click()
  const since = Date.now() - 1000
  await page.getByLabel('Email address').fill(email)
  await page.getByRole('button', { name: 'Submit' }).click()
  return since
}
async function enterCode(page: Page, demo: Demo, email: string, since: number): Promise<void> {
  const boxes = await codeBoxes(page)
  await boxes.pressSequentially(await mailedCode(demo, email, since))
  await expect(page.locator('#email')).toHaveText(email)
}
/** What the page asks of that address, as it happens. */
function calls(page: Page, path: string): Request[] {
  const seen: Request[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith(path)) seen.push(request)
  })
  return seen
}
const init = '/api/v1/passwordless/init'

/** All headings that were on the screen, however briefly. */
async function watchHeadings(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const seen: string[] = []
    Object.assign(window, { headings: seen })
    const look = () => {
      const root = document.querySelector('login-modal')?.shadowRoot
      const now = root?.querySelector('[data-layer]:not([inert]) [data-heading]')?.textContent
      if (now && now !== seen.at(-1)) seen.push(now)
      requestAnimationFrame(look)
    }
    look()
  })
  return () => page.evaluate(() => (window as unknown as { headings: string[] }).headings)
}

test('a captcha that is solved lets a new person in, and the same one again @soak', async ({
  page,
  demo,
}) => {
  const problems = watchPage(page)
  const headings = await watchHeadings(page)
  const email = emailOf('human')
  const since = await begin(page, demo, apps.passes, email)
  await enterCode(page, demo, email, since)
  const seen = await headings()
  const [checking, success, code] = seen.slice(seen.indexOf('Checking that you are a human...'))
  expect([checking, success, code]).toEqual([
    'Checking that you are a human...',
    'Success!',
    'Enter confirmation code',
  ])
  const id = await page.locator('#user-id').textContent()
  expect(id).toMatch(/^did:/)
  await expect(dialog(page)).toBeHidden()
  await page.locator('#log-out').click()
  await expect(page.locator('#status')).toHaveText('You are logged out.')

  await page.locator('#log-in').click()
  await logIn(page, demo, email)
  await expect(page.locator('#user-id')).toHaveText(id ?? '')
  expect(problems).toEqual([])
})

test('a captcha leaves nothing on the page @soak', async ({ page, demo }) => {
  const since = await begin(page, demo, apps.passes, emailOf('tidy'))
  await enterCode(page, demo, emailOf('tidy'), since)
  await expect(dialog(page)).toBeHidden()
  expect(await page.locator('iframe[src*="turnstile"]').count()).toBe(0)
  expect(await page.locator('login-modal > *').count()).toBe(0)
})

test('a token is good for one call, whoever makes the second @soak', async ({ page, demo, request }) => {
  const sent = calls(page, init)
  await begin(page, demo, apps.passes, emailOf('reuse'))
  await codeBoxes(page)
  const token: string = sent[0]?.postDataJSON()?.token ?? ''
  expect(token).toBeTruthy()
  const again = async (body: object) => {
    const answer = await request.post(`${demo.api}${init}`, {
      headers: { 'privy-app-id': apps.passes, 'privy-client': 'test:1', origin: demo.site },
      data: { email: emailOf('somebody'), ...body },
    })
    return { status: answer.status(), code: (await answer.json()).code }
  }
  const refused = { status: 400, code: 'invalid_captcha' }
  expect(await again({ token })).toEqual(refused)
  expect(await again({ token: `${token.slice(0, -1)}x` })).toEqual(refused)
  expect(await again({})).toEqual(refused)
})

test('after three retries it is said what may help, and the next one gets through @soak', async ({
  page,
  demo,
}) => {
  const email = emailOf('patient')
  const since = await begin(page, demo, apps.failsFirst, email)
  const advice = dialog(page).locator('[part=banner]', { hasText: 'adblocker or a VPN' })
  const retry = dialog(page).getByRole('button', { name: 'Retry' })
  for (let failures = 1; failures <= 4; failures++) {
    await expect(page.locator('#trace li', { hasText: 'captcha_failure' })).toHaveCount(failures)
    await expect(heading(page, 'Something went wrong')).toBeVisible()
    await expect(dialog(page).getByText('You did not pass CAPTCHA. Please try again.').first()).toBeVisible()
    if (failures <= 3) await expect(advice).toBeHidden()
    else await expect(advice).toBeVisible()
    await retry.click()
  }
  await enterCode(page, demo, email, since)
})

test('a token that expires is replaced before anything is sent @soak', async ({ page, demo }) => {
  const sent = calls(page, init)
  const challenges = calls(page, '/turnstile/v0/challenge')
  const email = emailOf('late')
  const since = await begin(page, demo, apps.expires, email)
  await enterCode(page, demo, email, since)
  const tokens = new Set(sent.map((each) => each.postDataJSON()?.token))
  expect([challenges.length, tokens.size]).toEqual([2, 1])
})

test('a question of the vendor can be answered inside the dialog @soak', async ({ page, demo }) => {
  const email = emailOf('asked')
  const since = await begin(page, demo, apps.asks, email)
  await expect(dialog(page).getByText('Answer the question below to continue.').first()).toBeVisible()
  await page.frameLocator('iframe[src*="turnstile"]').getByLabel('Verify you are human').click()
  await enterCode(page, demo, email, since)
})

test('a script that is blocked is told at once, and found when it is no longer blocked @soak', async ({
  page,
  demo,
}) => {
  const email = emailOf('blocked')
  await page.route('**/turnstile/v0/api.js*', (route) => route.abort())
  const since = await begin(page, demo, apps.passes, email)
  await expect(heading(page, 'Something went wrong')).toBeVisible()
  await expect(dialog(page).locator('[part=banner]', { hasText: 'adblocker' })).toBeVisible()
  await page.unroute('**/turnstile/v0/api.js*')
  await dialog(page).getByRole('button', { name: 'Retry' }).click()
  await enterCode(page, demo, email, since)
})

test('going back and closing while it checks leave nothing behind @soak', async ({ page, demo }) => {
  const sent = calls(page, init)
  await page.route('**/turnstile/v0/challenge', () => {})
  await begin(page, demo, apps.passes, emailOf('gone'))
  await expect(heading(page, 'Checking that you are a human...')).toBeVisible()
  await expect(page.locator('iframe[src*="turnstile"]')).toHaveCount(1)
  await dialog(page).getByRole('button', { name: 'Back' }).click()
  await expect(page.getByLabel('Email address')).toHaveValue(emailOf('gone'))
  await expect(page.locator('iframe[src*="turnstile"]')).toHaveCount(0)
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(heading(page, 'Checking that you are a human...')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeHidden()
  await expect(page.locator('iframe[src*="turnstile"]')).toHaveCount(0)
  expect(sent).toEqual([])
})
