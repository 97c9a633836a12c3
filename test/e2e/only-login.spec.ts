/** Users with a single login, on a second device: a login alone never brings their wallet there, and what they can prove does. */

import type { Browser, Page } from '@playwright/test'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { limit } from '../support/limit.ts'
import { inDialog, look, openWindow, pressIn } from './support/approval.ts'
import { type Demo, expect, test } from './support/demo.ts'
import {
  createBy,
  type Device,
  dialogOf,
  press,
  untilClosed,
  untilRead,
  writeSignIn,
} from './support/embedded.ts'
import { signInThere } from './support/linking.ts'
import { withPasskeys } from './support/second-factors.ts'
import { row, signIn } from './support/wallet-site.ts'
import { giveWallets } from './support/wallets.ts'
import { pressAndClose } from './support/windows.ts'

const every = 'latchkey-demo-every-00009'

interface Way {
  readonly app: string
  readonly methods?: string
  /** What its browsers have before the page is there. */
  prepare?(page: Page, demo: Demo): Promise<void>
  /** Logs the same user in on any device. */
  logIn(page: Page, browser: Browser): Promise<unknown>
  /** Prepares a proof on the first device, which a login alone is none for. */
  before?(first: Device): Promise<void>
  /** Shows in the vault's window that the second device is the user's. Absent: nothing can. */
  prove?(window: Page, browser: Browser): Promise<void>
}

/** Opens a provider from the vault's window. */
async function visit(window: Page, provider: string): Promise<Page> {
  await choose(window, new RegExp(`^Log in to ${provider}`))
  const open = window.getByRole('button', { name: `Continue with ${provider}` })
  await open.waitFor({ timeout: limit(20_000) })
  await look(window)
  const [popup] = await Promise.all([window.waitForEvent('popup'), open.click()])
  return popup
}

/** Picks one of the proofs that the vault's window offers. */
async function choose(window: Page, proof: RegExp): Promise<void> {
  await expect(window.getByRole('heading', { name: 'This browser is new to your wallet' })).toBeVisible()
  await pressIn(window, proof)
}

async function approveInWarpcast(browser: Browser, uri: string): Promise<void> {
  const phone = await browser.newContext()
  const screen = await phone.newPage()
  await screen.goto(uri)
  await screen.getByRole('button', { name: 'Approve as Ada' }).click()
  await expect(screen.getByRole('heading', { name: 'You are signed in' })).toBeVisible()
  await phone.close()
}

const privateKey = generatePrivateKey()
const owner = privateKeyToAccount(privateKey)
/** The passkeys of a user whose password manager has them on each device: page and vault share a host here, as they don't in earnest. */
let readPasskeys: Awaited<ReturnType<typeof withPasskeys>> = async () => []
const synced: Record<'page' | 'vault', Awaited<ReturnType<typeof readPasskeys>>> = { page: [], vault: [] }

const ways: Record<string, Way> = {
  Google: {
    app: every,
    methods: 'google',
    async logIn(page) {
      await page.locator('#log-in').click()
      await row(page, 'Google').click()
      await signInThere(page, 'only.google')
    },
    async prove(window) {
      await signInThere(await visit(window, 'Google'), 'only.google')
    },
  },
  Telegram: {
    app: every,
    methods: 'telegram',
    async logIn(page) {
      await page.locator('#log-in').click()
      const [popup] = await Promise.all([page.waitForEvent('popup'), row(page, 'Telegram').click()])
      await popup.getByLabel('Name').fill('Only Telegram')
      await pressAndClose(popup, 'Accept')
    },
    async prove(window) {
      const popup = await visit(window, 'Telegram')
      await popup.getByLabel('Name').fill('Only Telegram')
      await pressAndClose(popup, 'Accept')
    },
  },
  Farcaster: {
    app: every,
    methods: 'farcaster',
    async logIn(page, browser) {
      await page.locator('#log-in').click()
      await row(page, /^Farcaster/).click()
      await approveInWarpcast(browser, (await page.locator('[data-qr] a').getAttribute('href')) ?? '')
    },
    async prove(window, browser) {
      await choose(window, /^Log in to Farcaster/)
      await approveInWarpcast(browser, (await window.locator('[data-qr] a').getAttribute('href')) ?? '')
    },
  },
  'an external wallet': {
    app: every,
    prepare: (page, { chains }) =>
      giveWallets(page.context(), {
        ethereum: [{ name: 'MetaMask', rdns: 'io.metamask', privateKey }],
        solana: [],
        chains,
      }),
    logIn: (page) =>
      signIn(page, { address: owner.address, signMessage: (message) => owner.signMessage({ message }) }),
    async prove(window) {
      await choose(window, /^Sign with your wallet/)
      await pressIn(window, /^MetaMask/)
    },
  },
  'a passkey': {
    app: every,
    methods: 'google,passkey',
    async prepare(page) {
      readPasskeys = await withPasskeys(page, synced.page)
    },
    async logIn(page) {
      await page.locator('#log-in').click()
      await row(page, 'I have a passkey').click()
      if (synced.page.length > 0) return
      await row(page, 'Sign up with a passkey').click()
      // The login is over once the user has answered for their new wallet.
      await press(page, 'Not now')
      await expect(page.locator('#status')).toHaveText('You are logged in.')
      synced.page = await readPasskeys()
    },
    async before({ page, context }) {
      await page.locator('#settings').click()
      await press(page, /^Passkeys for your wallet/)
      const adding = await openWindow(page, context)
      const read = await withPasskeys(adding)
      await pressIn(adding, 'Add a passkey')
      await pressIn(adding, 'Add passkey')
      await expect(adding.getByRole('button', { name: /Added/ })).toBeVisible()
      synced.vault = await read()
      await pressIn(adding, 'Done')
      await expect(dialogOf(page).getByRole('heading', { name: 'Account settings' })).toBeVisible()
      await press(page, 'Close')
      await untilClosed(page)
    },
    async prove(window) {
      await withPasskeys(window, synced.vault)
      await choose(window, /^Passkey for your wallet/)
      await pressIn(window, 'Use passkey')
    },
  },
  "the app's own login": {
    app: 'latchkey-demo-custom-0011',
    async logIn(page) {
      await page.locator('#own-name').fill('Only Here')
      await page.getByRole('button', { name: 'Log in there' }).click()
    },
  },
}

async function loggedIn(
  browser: Browser,
  demo: Demo,
  { app, methods, prepare, logIn }: Way,
): Promise<Device> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await prepare?.(page, demo)
  await page.goto(`${demo.site}/?app=${app}${methods ? `&methods=${methods}` : ''}`)
  await expect(page.locator('#trace')).toContainText('lk-ready')
  await logIn(page, browser)
  await expect(page.locator('#status')).toHaveText('You are logged in.')
  return { page, context }
}

/** Asks for a signature, as far as the vault's window. */
async function signAsFarAsWindow({ page, context }: Device): Promise<Page> {
  await writeSignIn(page)
  await page.getByRole('button', { name: 'Sign', exact: true }).click()
  const agree = await inDialog(page, (place) => place.getByRole('button', { name: 'Sign and continue' }))
  await agree.click()
  return openWindow(page, context)
}

for (const [name, way] of Object.entries(ways))
  test(`${name} as the only login: a second device is logged in, and ${way.prove ? "a proof in the vault's window brings" : 'nothing brings'} its user’s wallet @soak`, async ({
    browser,
    demo,
  }) => {
    const first = await loggedIn(browser, demo, way)
    await untilRead(first.page)
    if ((await first.page.locator('#embedded-list li').count()) === 0)
      await createBy(first.page, '#create-ethereum')
    const address = await first.page.locator('#address').textContent()
    await way.before?.(first)

    const second = await loggedIn(browser, demo, way)
    await untilRead(second.page)
    await expect(second.page.locator('#address')).toHaveText(address ?? '')
    const window = await signAsFarAsWindow(second)
    if (way.prove) {
      await way.prove(window, browser)
      await expect(second.page.locator('#signature')).toHaveText(/^0x[0-9a-f]{130}$/, {
        timeout: limit(30_000),
      })
    } else {
      // With another device as the only proof, nobody is asked to choose.
      await expect(window.getByRole('heading', { name: 'Approve on your other device' })).toBeVisible()
      await expect(second.page.locator('#signature')).toBeEmpty()
    }
    await Promise.all([first.context.close(), second.context.close()])
  })
