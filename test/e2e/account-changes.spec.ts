/** Users with a wallet in a strict app change their accounts and sessions in the vault's own window, and nowhere else. */

import type { BrowserContext, Page } from '@playwright/test'
import type { LoginModal } from '../../src/index.ts'
import { DeviceKey } from '../backend/support/device-key.ts'
import { limit } from '../support/limit.ts'
import { codeBoxes, frameOf, look, openWindow, pressIn } from './support/approval.ts'
import { type Demo, emailOf, expect, mailedCode, test } from './support/demo.ts'
import { deviceWithWallet, dialogOf, untilClosed } from './support/embedded.ts'
import { app, askToLink, entry, openTab, signInThere, told } from './support/linking.ts'
import { enrollApp } from './support/second-factors.ts'
import { signedInContext } from './support/signed-in.ts'

const nameOf = (email: string) => email.split('@')[0] ?? ''

type HostCall = 'updateEmail' | 'endOthers'

/** Begins what the host's own code asks for; {@link outcomeOf} resolves with how that ends. */
const begin = (page: Page, call: HostCall): Promise<void> =>
  page.evaluate((call) => {
    const { kit } = document.querySelector('login-modal') as LoginModal
    if (!kit) throw new Error('There is no kit')
    const work: Promise<unknown> = call === 'updateEmail' ? kit.updateEmail() : kit.sessions.endOthers()
    const begun = work.then(
      () => 'done',
      (error: { code?: string }) => error.code ?? String(error),
    )
    Object.assign(window, { begun })
  }, call)
const outcomeOf = (page: Page): Promise<string> =>
  page.evaluate(() => (window as unknown as { begun: Promise<string> }).begun)

const emailIn = (page: Page) =>
  page.evaluate(() => (document.querySelector('login-modal') as LoginModal).kit?.user?.email?.address)

async function giveAddress(page: Page, demo: Demo, email: string): Promise<void> {
  const since = Date.now() - 1000
  await dialogOf(page).getByLabel('Email address').fill(email)
  await dialogOf(page).getByRole('button', { name: 'Submit' }).click()
  await (await codeBoxes(page)).pressSequentially(await mailedCode(demo, email, since))
}

/** The vault's window, which the user opens from its frame. */
async function windowFor(page: Page, context: BrowserContext): Promise<Page> {
  await expect(frameOf(page).getByRole('heading', { name: 'Confirm this change' })).toBeVisible({
    timeout: limit(30_000),
  })
  return openWindow(page, context)
}

/** Links a provider's account by the page's own button, and approves it. */
async function linkGitHub(page: Page, context: BrowserContext, account: string): Promise<void> {
  await askToLink(page, 'github')
  await signInThere(page, account)
  const window = await windowFor(page, context)
  await expect(window.getByRole('heading', { name: 'Add GitHub' })).toBeVisible()
  await pressIn(window, 'Add')
  await untilClosed(page)
}

test('update with a wallet: the window names both addresses, and its press alone replaces the old one @soak', async ({
  browser,
  demo,
}) => {
  const [old, next] = [emailOf('before'), emailOf('after')]
  const { page, context } = await deviceWithWallet(browser, demo, old, app)
  await begin(page, 'updateEmail')
  await giveAddress(page, demo, next)
  const window = await windowFor(page, context)
  await expect(window.getByText(old)).toBeVisible()
  await expect(window.getByText(next)).toBeVisible()
  expect(await emailIn(page)).toBe(old)
  await pressIn(window, 'Replace')
  expect(await outcomeOf(page)).toBe('done')
  expect(await emailIn(page)).toBe(next)
  await expect.poll(() => window.isClosed()).toBe(true)
})

test('update that is cancelled in the window: the old address stays, and a second attempt succeeds @soak', async ({
  browser,
  demo,
}) => {
  const [old, next, other] = [emailOf('keeps'), emailOf('wants'), emailOf('wants-now')]
  const { page, context } = await deviceWithWallet(browser, demo, old, app)
  await begin(page, 'updateEmail')
  await giveAddress(page, demo, next)
  await pressIn(await windowFor(page, context), 'Cancel')
  expect(await outcomeOf(page)).toBe('exited_update_flow')
  await untilClosed(page)
  expect(await emailIn(page)).toBe(old)
  // For half a minute no other code goes to an address that has got one.
  await begin(page, 'updateEmail')
  await giveAddress(page, demo, other)
  await pressIn(await windowFor(page, context), 'Replace')
  expect(await outcomeOf(page)).toBe('done')
  expect(await emailIn(page)).toBe(other)
})

test('link and unlink with a wallet: each is one window, and the other tab sees both @soak', async ({
  browser,
  demo,
}) => {
  const email = emailOf('links')
  const { page, context } = await deviceWithWallet(browser, demo, email, app)
  const other = await openTab(context, demo)
  await linkGitHub(page, context, nameOf(email))
  await expect(entry(page, 'github')).toBeVisible()
  await expect(entry(other, 'github')).toBeVisible()
  expect(await told(page)).toMatch(/account-link · lk-link/)

  await entry(other, 'github').getByRole('button', { name: 'Unlink' }).click()
  const window = await windowFor(other, context)
  await expect(window.getByRole('heading', { name: 'Remove GitHub' })).toBeVisible()
  await pressIn(window, 'Remove')
  await expect(entry(other, 'github')).toHaveCount(0)
  await expect(entry(page, 'github')).toHaveCount(0)
})

test('unlinking the last login: the window warns of it @soak', async ({ browser, demo }) => {
  const email = emailOf('last')
  const { page, context } = await deviceWithWallet(browser, demo, email, app)
  await entry(page, email).getByRole('button', { name: 'Unlink' }).click()
  await dialogOf(page).getByRole('button', { name: 'Remove' }).click()
  const window = await windowFor(page, context)
  await expect(window.getByText('This is your last login')).toBeVisible()
  await pressIn(window, 'Cancel')
  await untilClosed(page)
  await expect(entry(page, email)).toBeVisible()
})

test('transfer with a wallet: the window names the wallet that the other account loses @soak', async ({
  browser,
  demo,
}) => {
  const [mine, theirs] = [emailOf('takes'), emailOf('gives')]
  const given = await deviceWithWallet(browser, demo, theirs, app)
  const address = (await given.page.locator('#address').textContent()) ?? ''
  await linkGitHub(given.page, given.context, nameOf(theirs))
  await given.context.close()

  const { page, context } = await deviceWithWallet(browser, demo, mine, app)
  await askToLink(page, 'github')
  await signInThere(page, nameOf(theirs))
  await dialogOf(page).getByRole('button', { name: 'Continue' }).click()
  await dialogOf(page).getByRole('button', { name: 'Transfer and delete account' }).click()
  const window = await windowFor(page, context)
  await expect(window.getByText('You lose this wallet')).toBeVisible()
  await expect(window.locator('[data-card]')).toContainText(address.slice(-6))
  await pressIn(window, 'Transfer and delete account')
  await untilClosed(page)
  await expect(entry(page, 'github')).toBeVisible()
})

test('ending sessions with a wallet: the other browser is logged out after the press @soak', async ({
  browser,
  demo,
}) => {
  const email = emailOf('ends')
  const { page, context } = await deviceWithWallet(browser, demo, email, app)
  const elsewhere = await signedInContext(browser, demo, email, app)
  const there = await openTab(elsewhere, demo)
  await begin(page, 'endOthers')
  const window = await windowFor(page, context)
  await expect(window.getByRole('heading', { name: 'Log out all other devices' })).toBeVisible()
  await pressIn(window, 'Log out all others')
  expect(await outcomeOf(page)).toBe('done')
  await there.reload()
  await expect(there.locator('#status')).not.toHaveText('You are logged in.')
  await expect(page.locator('#status')).toHaveText('You are logged in.')
})

test('a second factor: the window asks for it before the change is made @soak', async ({ browser, demo }) => {
  const email = emailOf('factor')
  const { page, context } = await deviceWithWallet(browser, demo, email, app)
  await linkGitHub(page, context, nameOf(email))
  const code = await enrollApp(page)
  await entry(page, 'github').getByRole('button', { name: 'Unlink' }).click()
  const window = await windowFor(page, context)
  await pressIn(window, 'Remove')
  await expect(window.getByLabel(/^Confirmation code/).first()).toBeVisible()
  await expect(entry(page, 'github')).toBeVisible()
  await look(window)
  await window
    .getByLabel(/^Confirmation code/)
    .first()
    .pressSequentially(code())
  await expect(entry(page, 'github')).toHaveCount(0)
})

test('without a wallet: accounts change without a window @soak', async ({ browser, demo }) => {
  const email = emailOf('plain')
  const context = await signedInContext(browser, demo, email, app)
  const page = await openTab(context, demo)
  await askToLink(page, 'github')
  await signInThere(page, nameOf(email))
  await expect(entry(page, 'github')).toBeVisible()
  await entry(page, 'github').getByRole('button', { name: 'Unlink' }).click()
  await expect(entry(page, 'github')).toHaveCount(0)
})

test('a page that holds the token: tries every route and changes nothing', async ({ browser, demo }) => {
  const [email, thief] = [emailOf('victim'), emailOf('thief')]
  const { page, context } = await deviceWithWallet(browser, demo, email, app)
  await linkGitHub(page, context, nameOf(email))
  await signedInContext(browser, demo, email, app)
  const token = await page.evaluate(() =>
    (document.querySelector('login-modal') as LoginModal).kit?.getAccessToken(),
  )
  const key = new DeviceKey()
  let nonce = ''
  const call = async (path: string, body?: object, origin = demo.site) => {
    const url = `${demo.api}/api/v1/${path}`
    const send = () =>
      fetch(url, {
        method: body ? 'POST' : 'GET',
        ...(body && { body: JSON.stringify(body) }),
        headers: {
          ...{ 'content-type': 'application/json', 'privy-app-id': app, 'privy-client': 'x:1', origin },
          authorization: `Bearer ${token}`,
          ...(origin !== demo.site && {
            dpop: key.proof({ htm: 'POST', htu: url, at: Date.now(), token: token ?? '', nonce }),
          }),
        },
      })
    const first = await send()
    nonce = first.headers.get('dpop-nonce') ?? nonce
    const response = first.status === 401 && origin !== demo.site ? await send() : first
    return { status: response.status, body: (await response.json()) as Record<string, never> }
  }
  const stateNow = async () => {
    const { user } = (await call('users/me')).body as unknown as { user: { linked_accounts: object[] } }
    const { sessions } = (await call('users/me/sessions')).body as unknown as { sessions: { id: string }[] }
    return { accounts: user.linked_accounts.length, sessions: sessions.map(({ id }) => id).sort() }
  }
  const codeFor = async (address: string) => {
    const since = Date.now() - 1000
    await call('passwordless/init', { email: address })
    return mailedCode(demo, address, since)
  }
  const before = await stateNow()
  const changes: string[] = []
  const attempts: [string, object][] = [
    ['passwordless/update', { oldAddress: email, newAddress: thief, code: await codeFor(thief) }],
    ['passwordless/unlink', { address: email }],
    ['passwordless/unlink', { address: email, even_if_sole: true }],
    ['oauth/unlink', { provider: 'github', subject: await subjectOf(page) }],
    ['oauth/unlink', { provider: 'github', subject: await subjectOf(page), even_if_sole: true }],
    ['users/me/sessions/end_others', {}],
    ...before.sessions.map((id): [string, object] => [`users/me/sessions/${id}/end`, {}]),
  ]
  for (const [path, body] of attempts) {
    const { status, body: answer } = await call(path, body)
    expect([400, 403, 422], path).toContain(status)
    const { change } = (answer.data ?? {}) as { change?: string }
    if (change) changes.push(change)
  }
  expect(changes.length).toBeGreaterThan(3)
  for (const change of changes)
    for (const action of ['review', 'approve'])
      for (const origin of [demo.site, new URL(demo.vault).origin]) {
        const { status } = await call(`users/me/changes/${change}/${action}`, {}, origin)
        expect([400, 401, 403], action).toContain(status)
      }
  expect(await stateNow()).toEqual(before)
})

const subjectOf = (page: Page) =>
  page.evaluate(() => {
    const { kit } = document.querySelector('login-modal') as LoginModal
    const found = kit?.user?.linkedAccounts.find(({ type }) => type === 'github')
    return found && 'subject' in found ? found.subject : ''
  })
