/** Users with a single login, on a second device: the login lets them in and their wallet is left out. */
import type { Browser, Page } from '@playwright/test'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { inDialog, openWindow } from './support/approval.ts'
import { type Demo, expect, test } from './support/demo.ts'
import { createBy, untilRead } from './support/embedded.ts'
import { row, signIn } from './support/wallet-site.ts'
import { pressAndClose } from './support/windows.ts'

const every = 'latchkey-demo-every-00009'

interface Way {
  readonly app: string
  readonly methods?: string
  /** A fresh login in the vault's own window is a proof. */
  readonly proves?: true
  /** Logs the same user in on any device. */
  logIn(page: Page, browser: Browser): Promise<unknown>
}

const owner = privateKeyToAccount(generatePrivateKey())
const ways: Record<string, Way> = {
  Telegram: {
    app: every,
    methods: 'telegram',
    proves: true,
    async logIn(page) {
      await page.locator('#log-in').click()
      const [popup] = await Promise.all([page.waitForEvent('popup'), row(page, 'Telegram').click()])
      await popup.getByLabel('Name').fill('Only Telegram')
      await pressAndClose(popup, 'Accept')
    },
  },
  Farcaster: {
    app: every,
    methods: 'farcaster',
    proves: true,
    async logIn(page, browser) {
      const phone = await browser.newContext()
      await page.locator('#log-in').click()
      await row(page, /^Farcaster/).click()
      const screen = await phone.newPage()
      await screen.goto((await page.locator('[data-qr] a').getAttribute('href')) ?? '')
      await screen.getByRole('button', { name: 'Approve as Ada' }).click()
      await expect(screen.getByRole('heading', { name: 'You are signed in' })).toBeVisible()
      await phone.close()
    },
  },
  'an external wallet': {
    app: every,
    logIn: (page) =>
      signIn(page, { address: owner.address, signMessage: (message) => owner.signMessage({ message }) }),
  },
  'the app’s own login': {
    app: 'latchkey-demo-custom-0011',
    async logIn(page) {
      await page.locator('#own-name').fill('Only Here')
      await page.getByRole('button', { name: 'Log in there' }).click()
    },
  },
}

async function loggedIn(browser: Browser, demo: Demo, { app, methods, logIn }: Way) {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${demo.site}/?app=${app}${methods ? `&methods=${methods}` : ''}`)
  await expect(page.locator('#trace')).toContainText('lk-ready')
  await logIn(page, browser)
  await expect(page.locator('#status')).toHaveText('You are logged in.', { timeout: 20_000 })
  return { page, context }
}

for (const [name, way] of Object.entries(ways))
  test(`${name} as the only login: a second device is logged in and can’t use the wallet @soak`, async ({
    browser,
    demo,
  }) => {
    const first = await loggedIn(browser, demo, way)
    await untilRead(first.page)
    if ((await first.page.locator('#embedded-list li').count()) === 0)
      await createBy(first.page, '#create-ethereum')
    const address = await first.page.locator('#address').textContent()

    const second = await loggedIn(browser, demo, way)
    await untilRead(second.page)
    await expect(second.page.locator('#address')).toHaveText(address ?? '', { timeout: 20_000 })
    await second.page.getByRole('button', { name: 'Sign', exact: true }).click()
    const agree = await inDialog(second.page, (place) =>
      place.getByRole('button', { name: 'Sign and continue' }),
    )
    await agree.click()
    const window = await openWindow(second.page, second.context)
    // With another device as the only proof, nobody is asked to choose.
    await expect(
      window.getByRole('heading', {
        name: /^(This browser is new to your wallet|Approve on your other device)$/,
      }),
    ).toBeVisible({ timeout: 20_000 })
    const fresh = window.getByRole('button', { name: /^(Log in|Continue) (to|with) / })
    await expect(fresh).toHaveCount(way.proves ? 1 : 0)
    await expect(second.page.locator('#signature')).toBeEmpty()
    await Promise.all([first.context.close(), second.context.close()])
  })
