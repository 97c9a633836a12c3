/** What a person does in a host app, and what the app must hear of it. Every app of this folder has the same pages. */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import { approve } from '../e2e/support/approval.ts'
import { type Demo, logIn } from '../e2e/support/demo.ts'
import { limit } from '../support/limit.ts'

export const text = (page: Page, id: string) =>
  expect.poll(() => page.locator(`#${id}`).textContent(), { timeout: limit(20_000), message: `#${id}` })
/** A press by the page itself, which also comes where a dialog covers the button. */
export const pressInPage = (page: Page, id: string) =>
  page.evaluate((id) => document.getElementById(id)?.click(), id)

/** Everything that a person or a developer should not have met on the app's pages. */
export function watch(page: Page): string[] {
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(`uncaught: ${error.message}`))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()))
      problems.push(`${message.type()}: ${message.text()} (${message.location().url})`)
  })
  return problems
}

/** A failure with what the page said before it, which often is the reason. */
export function withProblems(cause: unknown, problems: readonly string[]): unknown {
  if (cause instanceof Error && problems.length > 0)
    cause.message += `\nThe page said:\n${problems.join('\n')}`
  return cause
}

/** The apps name no nodes, so the kit asks Base's public one: the demo's chain answers in its place. */
async function routeNodes(context: BrowserContext, { chains }: Demo): Promise<void> {
  const url = chains[8453]
  if (url)
    await context.route('https://mainnet.base.org/**', async (route) =>
      route.fulfill({ response: await route.fetch({ url }) }),
    )
}

let people = 0
export const newEmail = () => `host${++people}.${Date.now()}@example.com`

/** A visit of somebody new, with what the pages said of problems. */
async function visitOf(
  browser: Browser,
  origin: string,
  demo: Demo,
  live: (page: Page, person: { email: string; logIn(): Promise<void> }) => Promise<void>,
): Promise<string[]> {
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  await routeNodes(context, demo)
  const page = await context.newPage()
  page.setDefaultTimeout(limit(20_000))
  const problems = watch(page)
  const email = newEmail()
  try {
    // Nobody is logged in, and the element can act.
    await page.goto(origin)
    await text(page, 'heard').toBe('ready')

    // The app's settings have arrived: of all its methods only e-mail is offered.
    await page.locator('#log-in').click()
    await page.getByLabel('Email address').waitFor()
    expect(
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /Google|Apple|wallet/ })
        .count(),
    ).toBe(0)

    await live(page, { email, logIn: () => logIn(page, demo, email) })

    await page.locator('#log-out').click()
    await text(page, 'user').toBe('nobody')
    return problems
  } catch (cause) {
    throw withProblems(cause, problems)
  } finally {
    await context.close()
  }
}

/** One login, which is remembered. */
export const visit = (browser: Browser, origin: string, demo: Demo): Promise<string[]> =>
  visitOf(browser, origin, demo, async (page, person) => {
    await person.logIn()
    await text(page, 'user').toBe(person.email)
    await text(page, 'heard').toBe('ready login:email close:true')
    await page.reload()
    await text(page, 'user').toBe(person.email)
  })

/** From the first visit to a signature on another page of the app. */
export const walkThrough = (browser: Browser, origin: string, demo: Demo): Promise<string[]> =>
  visitOf(browser, origin, demo, async (page, person) => {
    const { email } = person
    const dialog = page.getByRole('dialog')
    // Taken out while it is open, the element says that it was closed, to those who still listen.
    await pressInPage(page, 'toggle')
    await text(page, 'heard').toBe('ready close:false')
    await dialog.waitFor({ state: 'hidden' })
    await page.locator('#toggle').click()
    await text(page, 'heard').toBe('ready close:false ready')

    // Put back, it works.
    await page.locator('#log-in').click()
    await person.logIn()
    await text(page, 'user').toBe(email)
    await text(page, 'heard').toBe('ready close:false ready login:email close:true')

    // An element that comes later hears who is logged in, also when it comes again.
    for (let visit = 0; visit < 2; visit++) {
      await page.locator('#show-late').click()
      await text(page, 'late').toBe(email)
      await page.locator('#show-late').click()
    }

    // So does one on another page of the app, and signs.
    await page.locator('#go').click()
    await text(page, 'second-user').toBe(email)
    await page.locator('#sign').click()
    await approve(page)
    await text(page, 'signature').toMatch(/^0x[0-9a-f]{130}$/)
    await dialog.waitFor({ state: 'hidden' })

    // An element that funds opens with what its attributes say, and the page gets the code of a user who leaves.
    await page.locator('#fund').click()
    await dialog.getByRole('button', { name: 'Receive funds' }).click()
    await dialog.getByRole('heading', { name: 'Receive 0.05 ETH' }).waitFor()
    await dialog.getByText('Only send ETH on Base.').waitFor()
    await page.keyboard.press('Escape')
    await text(page, 'funded').toBe('exited_funding_flow')
    await dialog.waitFor({ state: 'hidden' })

    // And after a reload, there and on the first page.
    await page.reload()
    await text(page, 'second-user').toBe(email)
    await page.locator('#back').click()
    await text(page, 'user').toBe(email)
    await page.reload()
    await text(page, 'user').toBe(email)
    await text(page, 'heard').toBe('ready')
  })
