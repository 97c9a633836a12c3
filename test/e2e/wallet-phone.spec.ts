import type { Browser, BrowserContext, BrowserContextOptions } from '@playwright/test'
import type { LoginModal } from '../../src/index.ts'
import { limit } from '../support/limit.ts'
import { type Demo, emailOf, expect, logIn, test } from './support/demo.ts'
import {
  answerOf,
  app,
  askToConnect,
  choose,
  connected,
  iPhone,
  pixel,
  readCode,
  status,
  walletElsewhere,
} from './support/elsewhere.ts'
import { untilIdle } from './support/idle.ts'
import { giveWallets, type WalletsOfPage } from './support/wallets.ts'

const contexts: BrowserContext[] = []
test.afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close()
})

/** A phone's browser, or a wallet's own, with what that puts into a page. Nobody outside is reached from it. */
async function phoneBrowser(browser: Browser, device: BrowserContextOptions, wallets: WalletsOfPage = {}) {
  const context = await browser.newContext(device)
  contexts.push(context)
  await giveWallets(context, wallets)
  // No app takes these schemes; Chromium would ask somebody, out of sight, and open no other page until they answer.
  await context.addInitScript(() =>
    addEventListener(
      'click',
      (event) => {
        const link = event.composedPath().find((each) => each instanceof HTMLAnchorElement)
        if (link && !/^https?:$/.test(link.protocol)) event.preventDefault()
      },
      true,
    ),
  )
  await context.route(/^https:/, (route) => route.fulfill({ body: 'The app’s own page' }))
  return context.newPage()
}
const inPhantom = (demo: Demo): WalletsOfPage => ({
  ethereum: [{ name: 'Phantom', rdns: 'app.phantom' }],
  solana: [{ name: 'Phantom' }],
  chains: demo.chains,
})

/** The page that a link into Phantom's browser opens. */
function pageIn(link: string | null): string {
  const { origin, pathname, searchParams } = new URL(link ?? '')
  expect(`${origin}${pathname}`).toMatch(/^https:\/\/phantom\.app\/ul\/browse\//)
  expect(decodeURIComponent(pathname.replace('/ul/browse/', ''))).toBe(searchParams.get('ref'))
  return searchParams.get('ref') ?? ''
}

test('on an iPhone MetaMask is a link, then another one, then a code and the shop; and it signs somebody in @soak', async ({
  browser,
  demo,
}) => {
  const page = await phoneBrowser(browser, iPhone)
  const { phone, wallet } = await walletElsewhere(demo, { name: 'MetaMask', url: 'https://metamask.io' })
  await page.goto(`${demo.site}/?app=${app}`)
  await choose(page, 'MetaMask')

  const link = page.getByRole('link', { name: 'Open MetaMask' })
  await expect(link).toHaveAttribute('href', /^metamask:\/\/wc\?uri=wc%3A[\da-f]{64}%402%3F/)
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer')
  await expect(page.locator('[data-qr]')).toBeHidden()
  const native = (await link.getAttribute('href')) ?? ''
  const uri = new URL(native).searchParams.get('uri') ?? ''

  // Nothing opens, and the page stays in sight.
  await link.click()
  await expect(link).toHaveAttribute('href', /^https:/, { timeout: limit(5_000) })
  await expect(link).toHaveAttribute('href', `https://metamask.app.link/wc?uri=${encodeURIComponent(uri)}`)
  await expect(link).toHaveAttribute('target', '_blank')
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer')
  const [opened] = await Promise.all([page.context().waitForEvent('page'), link.click()])
  expect(await opened.evaluate(() => window.opener)).toBeNull()
  await opened.close()

  expect(await readCode(page)).toBe(uri)
  await expect(page.getByText("Didn't open? Scan the code with another device").first()).toBeVisible()
  await expect(page.getByRole('link', { name: 'Get MetaMask' })).toHaveAttribute('href', /^https:\/\//)

  await phone.pair(uri)
  // The wallet is another app: whoever is back from it goes there once more to sign.
  await expect(page.getByRole('heading', { name: 'Waiting for MetaMask' })).toBeVisible()
  await expect(link).toHaveAttribute('href', /^metamask:\/\//)
  await expect(status(page)).toHaveText('You are logged in.')
  await expect(page.locator('#address')).toHaveText(wallet.address)
  await phone.close()
})

test('a link opens the page in Phantom, where the login goes on by itself, and nowhere else @soak', async ({
  browser,
  demo,
}) => {
  const page = await phoneBrowser(browser, pixel)
  const own = `/?app=${app}&text=a+b%2Fc%20%C3%A9&empty=&x#below`
  await page.goto(`${demo.site}${own}`)
  await page.evaluate(() => {
    const login = document.querySelector('login-modal')
    if (login) login.config = { ...login.config, appearance: { walletList: ['phantom', 'metamask'] } }
  })
  await choose(page, 'Phantom')
  await expect(page.getByRole('heading', { name: 'Continue in Phantom' })).toBeVisible()
  const link = page.getByRole('link', { name: 'Open Phantom' })
  await expect(link).toHaveAttribute('target', '_blank')
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer')
  const ref = pageIn(await link.getAttribute('href'))
  const brought = 'privy_connector=injected&privy_wallet_client=phantom'
  // Without the slash at the end of the path; the browser puts it back.
  expect(ref).toBe(`${demo.site}${own.replace('#', `&${brought}#`).slice(1)}`)

  const [opened] = await Promise.all([page.context().waitForEvent('page'), link.click()])
  await opened.close()
  const still = page.getByRole('link', { name: 'Still here?' })
  await expect(still).toBeVisible({ timeout: limit(5_000) })
  await expect(still).toHaveAttribute(
    'href',
    `phantom://browse/${encodeURIComponent(ref)}?ref=${encodeURIComponent(ref)}`,
  )
  await expect(page.getByText('get Phantom from your app store').first()).toBeVisible()

  const elsewhere = await phoneBrowser(browser, pixel)
  const [inWallet] = await Promise.all([
    phoneBrowser(browser, pixel, inPhantom(demo)).then(async (page) => {
      await page.goto(ref)
      return page
    }),
    elsewhere.goto(ref),
  ])
  await expect(status(inWallet)).toHaveText('You are logged in.')
  await expect(inWallet.locator('#address')).toHaveText('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266')
  expect(inWallet.url()).toBe(`${demo.site}${own}`)

  expect(elsewhere.url()).toBe(`${demo.site}${own}`)
  await expect(status(elsewhere)).toHaveText('You are logged out.')
  await untilIdle(elsewhere)
  await expect(elsewhere.getByRole('dialog')).toBeHidden()
  await expect(elsewhere.locator('#trace')).not.toContainText('lk-error')
  await expect(elsewhere.locator('#trace')).not.toContainText('lk-open')
})

test('who is logged in continues in Phantom by connecting it: the link has no login in it, and none can be made for one @soak', async ({
  browser,
  demo,
}) => {
  const page = await phoneBrowser(browser, iPhone)
  const own = `/?app=${app}&kept=%7E`
  await page.goto(`${demo.site}${own}`)
  await page.locator('#log-in').click()
  await logIn(page, demo, emailOf('phantom'))
  await expect(status(page)).toHaveText('You are logged in.')
  await expect(page.getByRole('dialog')).toBeHidden()
  const wanted = { walletList: ['phantom'], walletChainType: 'solana-only' } as const
  await askToConnect(page, wanted)
  await page.getByRole('button', { name: 'Phantom' }).click()
  const ref = pageIn(await page.getByRole('link', { name: 'Open Phantom' }).getAttribute('href'))
  await page.getByRole('button', { name: 'Close' }).click()
  expect(await answerOf(page)).toBe('generic_connect_wallet_error')
  const brought = 'privy_connector=solana_adapter&privy_wallet_client=phantom&privy_connect_only=true'
  expect(ref).toBe(`${demo.site}${own.slice(1)}&${brought}`)

  // The page's own script gets no login for another browser out of its cookie either.
  const forked = await page.evaluate(
    async ([url, app]) => {
      const { kit } = document.querySelector('login-modal') as LoginModal
      const token = await kit?.getAccessToken()
      const headers = { 'privy-app-id': app, 'privy-client': 'x:1', 'latchkey-session': 'cookie' }
      const response = await fetch(url, {
        method: 'POST',
        credentials: 'include',
        headers: { ...headers, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: '{}',
      })
      return { status: response.status, text: await response.text() }
    },
    [`${demo.api}/api/v1/sessions/fork`, app] as const,
  )
  expect(forked.status).toBe(403)
  expect(forked.text).toContain('approval_required')
  expect(forked.text).not.toContain('new_session_refresh_token')

  // A browser without that wallet does nothing with the link.
  const bare = await phoneBrowser(browser, iPhone)
  await bare.goto(ref)
  await expect(status(bare)).toHaveText('You are logged out.')

  const wallet = await phoneBrowser(browser, iPhone, inPhantom(demo))
  await wallet.goto(ref)
  await expect
    .poll(() => connected(wallet))
    .toMatchObject([{ name: 'Phantom', by: 'solana_adapter', linked: false, open: true }])
  await expect(wallet.getByRole('dialog')).toBeHidden()
  await expect(status(wallet)).toHaveText('You are logged out.')
  expect(wallet.url()).toBe(`${demo.site}${own}`)
  await expect(bare.getByRole('dialog')).toBeHidden()
  await expect(status(page)).toHaveText('You are logged in.')

  // A link that claims to bring a login brings none.
  const made = ref.replace('privy_connect_only=true', `privy_token=${'x'.repeat(43)}`)
  const thief = await phoneBrowser(browser, iPhone, inPhantom(demo))
  await thief.goto(made)
  await thief.getByRole('button', { name: 'Continue', exact: true }).click()
  await expect(thief.locator('#trace')).toContainText('lk-error · missing_or_invalid_token')
  await expect(status(thief)).toHaveText('You are logged out.')
  await expect(
    thief.getByRole('dialog').getByRole('heading', { name: 'Unable to authorize user' }),
  ).toBeVisible()
  expect(thief.url()).not.toContain('privy_')
})
