/** Somebody who is logged in already, and adds accounts to theirs on the demo's page. */
import type { Browser, BrowserContext, Page } from '@playwright/test'
import type { LoginMethod } from '../../../src/index.ts'
import { type Demo, expect } from './demo.ts'
import { signedInContext } from './signed-in.ts'

/** It takes every method, and its people have no wallet until they log in by a screen. */
export const app = 'latchkey-demo-every-00009'

/** Another app, whose accounts that one takes. */
export const friend: LoginMethod = 'privy:latchkey-demo-friend-0010'

export interface Person {
  readonly context: BrowserContext
  readonly page: Page
  readonly id: string
}

/**
 * Logs somebody in by e-mail, and opens the page for them.
 * @param prepare what their browser has before that, such as wallets
 * @param query more of the page's address
 */
export async function somebody(
  browser: Browser,
  demo: Demo,
  email: string,
  { prepare, query = '' }: { prepare?: (context: BrowserContext) => Promise<void>; query?: string } = {},
): Promise<Person> {
  const context = await signedInContext(browser, demo, email, app)
  await prepare?.(context)
  const page = await openTab(context, demo, query)
  return { context, page, id: await idOf(page) }
}

export async function openTab(context: BrowserContext, demo: Demo, query = ''): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${demo.site}/?app=${app}${query}`)
  await page.waitForFunction(() => customElements.get('account-link') !== undefined)
  await expect(page.locator('#status')).toHaveText('You are logged in.')
  return page
}

export const idOf = async (page: Page) => (await page.locator('#user-id').textContent()) ?? ''
export const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })
export const entry = (page: Page, text: string) => page.locator('#account-list li').filter({ hasText: text })

/** Presses the page's own button for a method, also for those that the page does not list. */
export async function askToLink(page: Page, method: LoginMethod): Promise<void> {
  await page.locator('#link-method').evaluate((list: HTMLSelectElement, method) => {
    if (![...list.options].some(({ value }) => value === method)) list.append(new Option(method))
    list.value = method
  }, method)
  await page.getByRole('button', { name: 'Link', exact: true }).click()
}

/** What a person does on a provider's own page. */
export async function signInThere(page: Page, account: string): Promise<void> {
  await page.getByLabel('Account name or email').fill(account)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

export const told = async (page: Page) => (await page.locator('#trace li').allTextContents()).join('\n')
