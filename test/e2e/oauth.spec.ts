import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page, Route } from '@playwright/test'
import { type Demo, expect, test, watchPage } from './support/demo.ts'
import { untilIdle } from './support/idle.ts'

const every = 'latchkey-demo-every-00009'
/** Without a wallet, for journeys that are not about one. */
const walletless = 'latchkey-demo-nowallet-08'
const providers = [
  ...['google', 'apple', 'twitter', 'discord', 'github', 'linkedin', 'spotify', 'instagram', 'tiktok'],
] as const
const nameOf = (provider: string) =>
  ({ github: 'GitHub', linkedin: 'LinkedIn', tiktok: 'TikTok' })[provider] ??
  provider[0]?.toUpperCase() + provider.slice(1)

/** The demo's page with one provider alone, and things in its address that are nobody's business. */
const addressOf = (demo: Demo, provider: string, more = '', app = walletless) =>
  `${demo.site}/?app=${app}&methods=${provider}${more}&q=a%20b+%C3%BC;c=#part?two`

/** The row is also called 'Recent' once it was used. */
const rowOf = (page: Page, provider: string) =>
  page.getByRole('dialog').getByRole('button', { name: nameOf(provider) })

async function chooseProvider(page: Page, provider: string): Promise<void> {
  await page.locator('#log-in').click()
  await rowOf(page, provider).click()
}

/** What a person does on the provider's own page. */
async function signIn(page: Page, account: string): Promise<void> {
  await page.getByLabel('Account name or email').fill(account)
  await page.getByRole('button', { name: 'Sign in' }).click()
}
const deny = (page: Page) => page.getByRole('button', { name: 'Deny' }).click()

async function userId(page: Page): Promise<string> {
  // 'Wallet created' stays as long as the pointer is on it.
  await page.mouse.move(0, 0)
  await expect(page.locator('#status')).toHaveText('You are logged in.')
  await expect(page.getByRole('dialog')).toBeHidden()
  return (await page.locator('#user-id').textContent()) ?? ''
}

async function logOut(page: Page): Promise<void> {
  await page.locator('#log-out').click()
  await expect(page.locator('#status')).toHaveText('You are logged out.')
}

const popupOf = (page: Page, press: () => Promise<void>) =>
  Promise.all([page.waitForEvent('popup'), press()]).then(([popup]) => popup)

test.describe('by leaving the page', () => {
  for (const provider of providers) {
    // The page's way is the same for all but Apple's, and Google's goes by a window below; whose account it is, the backend's tests ask of each provider.
    const often = provider === 'apple' ? '' : ' @soak'
    test(`${nameOf(provider)} logs in the same person twice, and leaves no trace in the address${often}`, async ({
      page,
      demo,
    }) => {
      const problems = watchPage(page)
      const address = addressOf(demo, provider)
      const ids: string[] = []
      await page.goto(address)
      for (let time = 0; time < 2; time++) {
        await chooseProvider(page, provider)
        await expect(page.getByRole('heading', { name: `Sign in to ${nameOf(provider)}` })).toBeVisible()
        await signIn(page, 'ada.by.redirect')
        ids.push(await userId(page))
        expect(page.url()).toBe(address)
        await logOut(page)
      }
      expect(ids[0]).toMatch(/^did:latchkey:/)
      expect(new Set(ids).size).toBe(1)
      expect(problems).toEqual([])
    })
  }

  test('the host hears the same events as of any login @soak', async ({ page, demo }) => {
    await page.goto(addressOf(demo, 'discord', '', every))
    await chooseProvider(page, 'discord')
    await signIn(page, 'events')
    await userId(page)
    const trace = (await page.locator('#trace li').allTextContents()).reverse().map((line) => line.trim())
    const told = trace.filter((line) => line.startsWith('login-modal') && !line.endsWith('starting'))
    expect(told).toEqual([
      'login-modal · lk-ready',
      'login-modal · lk-open',
      'login-modal · lk-step · awaiting-oauth',
      'login-modal · lk-step · creating-wallet',
      'login-modal · lk-step · wallet-created',
      'login-modal · lk-login',
      'login-modal · lk-close · completed',
    ])
  })

  test('a denial says what to do; another try gets in @soak', async ({ page, demo }) => {
    const address = addressOf(demo, 'github')
    await page.goto(address)
    await chooseProvider(page, 'github')
    await deny(page)
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByText('Retry and check GitHub to finish connecting your account.')).toBeVisible()
    expect(page.url()).toBe(address)
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await signIn(page, 'second.thought')
    expect(await userId(page)).toMatch(/^did:latchkey:/)
  })

  test('a suspended account ends in words and a way to the other methods @soak', async ({ page, demo }) => {
    await page.goto(addressOf(demo, 'linkedin'))
    await chooseProvider(page, 'linkedin')
    await signIn(page, 'suspended.ada')
    const dialog = page.getByRole('dialog')
    await expect(
      dialog.getByText('Your LinkedIn account is suspended. Please try another login method.'),
    ).toBeVisible()
    await dialog.getByRole('button', { name: 'Use another method' }).click()
    await expect(dialog.getByRole('button', { name: 'LinkedIn' })).toBeVisible()
  })

  test('the browser’s back button at the provider finds the page usable again @soak', async ({
    page,
    demo,
  }) => {
    await page.goto(addressOf(demo, 'spotify'))
    await chooseProvider(page, 'spotify')
    await expect(page.getByRole('heading', { name: 'Sign in to Spotify' })).toBeVisible()
    await page.goBack()
    const row = rowOf(page, 'spotify')
    await expect(row.or(page.locator('#log-in')).first()).toBeVisible()
    if (!(await row.isVisible())) await page.locator('#log-in').click()
    await row.click()
    await signIn(page, 'back.and.forth')
    expect(await userId(page)).toMatch(/^did:latchkey:/)
  })

  test('a forged return opens nothing and asks nothing @soak', async ({ page, demo }) => {
    const asked: string[] = []
    page.on('request', (request) => void (request.url().includes('/oauth/') && asked.push(request.url())))
    const planted = 'privy_oauth_code=c0de&privy_oauth_state=planted&privy_oauth_provider=google'
    await page.goto(`${demo.site}/?app=${every}&${planted}&q=a%20b#part`)
    await expect(page.locator('#status')).toHaveText('You are logged out.')
    await expect(page).toHaveURL(`${demo.site}/?app=${every}&q=a%20b#part`)
    await untilIdle(page)
    await expect(page.getByRole('dialog')).toBeHidden()
    expect(asked).toEqual([])
  })

  test('a forged state in the tab of a real login warns of phishing and asks nothing', async ({
    page,
    demo,
  }) => {
    await page.goto(addressOf(demo, 'google'))
    await chooseProvider(page, 'google')
    await expect(page.getByRole('heading', { name: 'Sign in to Google' })).toBeVisible()
    const asked: string[] = []
    page.on(
      'request',
      (request) => void (request.url().includes('/oauth/authenticate') && asked.push(request.url())),
    )
    const planted = 'privy_oauth_code=c0de&privy_oauth_state=planted&privy_oauth_provider=google'
    await page.goto(`${demo.site}/?app=${walletless}&${planted}`)
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByText('Unexpected auth flow. This may be a phishing attempt.')).toBeVisible()
    await expect(page.locator('#trace')).toContainText('oauth_unexpected')
    expect([page.url(), asked]).toEqual([`${demo.site}/?app=${walletless}`, []])
  })
})

test.describe('by leaving the page, and reloading it while the server looks at what came back', () => {
  const authenticate = '**/api/v1/oauth/authenticate'

  /** Signs in at Google, and comes back to a page whose first question about that is answered by `first`. */
  async function comeBack(page: Page, demo: Demo, first: (route: Route) => Promise<unknown>): Promise<void> {
    await page.goto(addressOf(demo, 'google'))
    await chooseProvider(page, 'google')
    let isAsked = false
    const answer = async (route: Route) => {
      await first(route)
      isAsked = true
    }
    await page.route(authenticate, answer, { times: 1 })
    await signIn(page, 'reloads')
    await expect.poll(() => isAsked).toBe(true)
  }

  test('logs in all the same where the question had not gone out yet @soak', async ({ page, demo }) => {
    // Neither answered nor refused: it goes with the page.
    await comeBack(page, demo, async () => {})
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.reload()
    expect(await userId(page)).toMatch(/^did:latchkey:/)
  })

  test('logs in all the same where the server has answered and nobody heard it @soak', async ({
    page,
    demo,
  }) => {
    let answered = 0
    await comeBack(page, demo, async (route) => {
      answered = (await route.fetch()).status()
    })
    expect(answered).toBe(200)
    await page.reload()
    expect(await userId(page)).toMatch(/^did:latchkey:/)
    await page.reload()
    await expect(page.locator('#status')).toHaveText('You are logged in.')
    await expect(page.getByRole('dialog')).toBeHidden()
  })

  test('says so where the code is not good any more, and another try gets in @soak', async ({
    page,
    demo,
  }) => {
    await comeBack(page, demo, async () => {})
    await page.route(
      authenticate,
      (route) =>
        route.fulfill({
          status: 401,
          headers: { 'access-control-allow-origin': demo.site, 'access-control-allow-credentials': 'true' },
          json: { code: 'invalid_credentials', error: 'This login is no longer valid.' },
        }),
      { times: 1 },
    )
    await page.reload()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await signIn(page, 'reloads')
    expect(await userId(page)).toMatch(/^did:latchkey:/)
  })

  /** Comes back to a page that can't load some of its parts. */
  async function comeBackWithout(page: Page, demo: Demo, parts: string | RegExp): Promise<void> {
    await page.goto(addressOf(demo, 'google'))
    await chooseProvider(page, 'google')
    await page.getByLabel('Account name or email').fill('reloads')
    await page.route(parts, (route) => route.abort())
    await page.getByRole('button', { name: 'Sign in' }).click()
  }
  const advice = 'Check your connection and try again, or reload the page.'
  const notLoaded = `That didn't load. ${advice}`

  test('goes on after a reload where what reads the return did not load, and says so before @soak', async ({
    page,
    demo,
  }) => {
    await comeBackWithout(page, demo, '**/chunks/arrival-*.js')
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByText(advice)).toBeVisible()
    // The browser remembers that it failed.
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await expect(dialog.getByText(advice)).toBeVisible()
    await page.unroute('**/chunks/arrival-*.js')
    await page.reload()
    expect(await userId(page)).toMatch(/^did:latchkey:/)
  })

  test('goes on after a reload where nothing of the dialog did load, and says so before @soak', async ({
    page,
    demo,
  }) => {
    const parts = /\/chunks\/(?!shell-)/
    await comeBackWithout(page, demo, parts)
    await expect(page.getByRole('alert').filter({ hasText: notLoaded })).toBeVisible()
    await page.unroute(parts)
    await page.reload()
    expect(await userId(page)).toMatch(/^did:latchkey:/)
  })

  test('stays over for whoever has closed the dialog @soak', async ({ page, demo }) => {
    await comeBack(page, demo, async () => {})
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await expect(page.getByRole('dialog')).toBeHidden()
    await page.reload()
    await expect(page.locator('#log-in')).toBeEnabled()
    await untilIdle(page)
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(page.locator('#status')).toHaveText('You are logged out.')
  })
})

test.describe('by a window', () => {
  for (const provider of ['google', 'apple'] as const) {
    const often = provider === 'google' ? '' : ' @soak'
    test(`${nameOf(provider)} logs in the same person twice, and the page stays${often}`, async ({
      page,
      demo,
    }) => {
      const problems = watchPage(page)
      const address = addressOf(demo, provider, '&popup')
      const ids: string[] = []
      await page.goto(address)
      await page.evaluate(() => Object.assign(window, { stayed: true }))
      for (let time = 0; time < 2; time++) {
        const popup = await popupOf(page, () => chooseProvider(page, provider))
        await signIn(popup, 'ada.by.window')
        ids.push(await userId(page))
        expect([popup.isClosed(), page.url()]).toEqual([true, address])
        await logOut(page)
      }
      expect(ids[1]).toBe(ids[0])
      expect(await page.evaluate(() => 'stayed' in window)).toBe(true)
      expect(problems).toEqual([])
    })
  }

  test('is the same person as by leaving the page @soak', async ({ page, demo }) => {
    await page.goto(addressOf(demo, 'google'))
    await chooseProvider(page, 'google')
    await signIn(page, 'one.person')
    const id = await userId(page)
    await logOut(page)
    await page.goto(addressOf(demo, 'google', '&popup'))
    await signIn(await popupOf(page, () => chooseProvider(page, 'google')), 'one.person')
    expect(await userId(page)).toBe(id)
  })

  test('that is closed says what to do, and opens again @soak', async ({ page, demo }) => {
    await page.goto(addressOf(demo, 'google', '&popup'))
    const first = await popupOf(page, () => chooseProvider(page, 'google'))
    await first.getByLabel('Account name or email').waitFor()
    await first.close()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByText('Retry and check Google to finish connecting your account.')).toBeVisible()
    const second = await popupOf(page, () => dialog.getByRole('button', { name: 'Try again' }).click())
    await signIn(second, 'closed.once')
    expect(await userId(page)).toMatch(/^did:latchkey:/)
  })

  test('that is denied says so @soak', async ({ page, demo }) => {
    await page.goto(addressOf(demo, 'github', '&popup'))
    const popup = await popupOf(page, () => chooseProvider(page, 'github'))
    await deny(popup)
    await expect(
      page.getByRole('dialog').getByText('Retry and check GitHub to finish connecting your account.'),
    ).toBeVisible()
    await expect.poll(() => popup.isClosed()).toBe(true)
  })

  test('goes by itself when the page that opened it was loaded anew, and a new try gets in @soak', async ({
    page,
    demo,
  }) => {
    await page.goto(addressOf(demo, 'google', '&popup'))
    const orphan = await popupOf(page, () => chooseProvider(page, 'google'))
    await orphan.getByLabel('Account name or email').waitFor()
    await page.reload()
    const gone = orphan.waitForEvent('close')
    await signIn(orphan, 'orphan')
    await gone
    await expect(page.locator('#status')).toHaveText('You are logged out.')
    await signIn(await popupOf(page, () => chooseProvider(page, 'google')), 'orphan')
    expect(await userId(page)).toMatch(/^did:latchkey:/)
  })

  test('of a page that is cut off from all others is heard all the same @soak', async ({
    page,
    demo,
    context,
  }) => {
    const { site, close } = await isolatedSite(demo)
    await page.goto(addressOf({ ...demo, site }, 'google', '&popup'))
    const [popup] = await Promise.all([context.waitForEvent('page'), chooseProvider(page, 'google')])
    await signIn(popup, 'cut.off')
    expect(await userId(page)).toMatch(/^did:latchkey:/)
    await expect.poll(() => popup.isClosed()).toBe(true)
    await close()
  })
})

/** The demo's pages on another port, where they share no window with pages of other origins. */
async function isolatedSite(demo: Demo): Promise<{ site: string; close: () => Promise<unknown> }> {
  const server = createServer(async ({ url }, response) => {
    const original = await fetch(demo.site + url)
    const kept = ['content-type', 'content-security-policy'].flatMap((name): [string, string][] => {
      const value = original.headers.get(name)
      return value ? [[name, value]] : []
    })
    response.writeHead(original.status, {
      ...Object.fromEntries(kept),
      'cross-origin-opener-policy': 'same-origin',
    })
    response.end(Buffer.from(await original.arrayBuffer()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  server.unref()
  return {
    site: `http://localhost:${port}`,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}

test.describe('inside another app', () => {
  test.use({
    userAgent:
      'Mozilla/5.0 (Linux; Android 14; Pixel 8; wv) AppleWebKit/537.36 Chrome/121.0 Mobile Safari/537.36 Instagram 317.0',
  })

  test('Google is not tried, other providers are @soak', async ({ page, demo }) => {
    await page.goto(`${demo.site}/?app=${every}&methods=google,github`)
    await chooseProvider(page, 'google')
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('heading', { name: 'Could not log in with provider' })).toBeVisible()
    await expect(
      dialog.getByText(
        "It looks like you're using an in-app browser. To log in, please try again using an external browser.",
      ),
    ).toBeVisible()
    await expect(dialog.getByText(page.url())).toBeVisible()
    await dialog.getByRole('button', { name: 'Use another method' }).click()
    await dialog.getByRole('button', { name: 'GitHub' }).click()
    await signIn(page, 'in.app')
    expect(await userId(page)).toMatch(/^did:latchkey:/)
  })
})
