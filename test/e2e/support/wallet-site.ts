/** The demo's host page with a `<wallet-connector>` on it, and what that says of wallets. */
import type { Page } from '@playwright/test'
import type { HostConfig } from '../../../src/index.ts'
import { type Demo, expect } from './demo.ts'

declare global {
  interface Window {
    /** The connector's events, in order. */
    heard?: string[]
  }
}

export const walletApp = 'latchkey-demo-wallets-012'

/** Opens the page of an app. What comes later in this page, a reload included, has the connector from the start. */
export async function openSite(page: Page, demo: Demo, app = walletApp): Promise<void> {
  await page.addInitScript(() => {
    window.heard = []
    document.addEventListener('DOMContentLoaded', () => {
      const connector = document.createElement('wallet-connector')
      for (const type of ['lk-connect', 'lk-disconnect', 'lk-wallets'])
        connector.addEventListener(type, (event) => {
          const { wallet, wallets = [wallet] } = (event as CustomEvent).detail
          const told = wallets.map((each: { walletClientType: string }) => each.walletClientType)
          window.heard?.push([type, ...told].join(' '))
        })
      document.body.append(connector)
    })
  })
  await page.goto(`${demo.site}/?app=${app}`)
  await page.evaluate(() => customElements.whenDefined('wallet-connector').then(() => {}))
}

/** What the host wishes, over what the demo's page has set. */
export const configure = (page: Page, config: HostConfig): Promise<void> =>
  page.evaluate((config) => {
    const login = document.querySelector('login-modal')
    if (login) login.config = { ...login.config, ...config }
  }, config)

/** What is connected, in the words of the public interface. */
export const connected = (page: Page) =>
  page.evaluate(async () => {
    await customElements.whenDefined('wallet-connector')
    const wallets = document.querySelector('wallet-connector')?.wallets ?? []
    return wallets.map(({ walletClientType, address, chainId, linked }) => ({
      walletClientType,
      address,
      chainId,
      linked,
    }))
  })

export const heard = (page: Page) => page.evaluate(() => window.heard ?? [])

/** The dialog, and the row of a wallet in it. */
export const dialog = (page: Page) => page.getByRole('dialog')
export const row = (page: Page, name: string | RegExp) => dialog(page).getByRole('button', { name })
export const status = (page: Page) => page.locator('#status')

/** Opens the list of wallets from the landing screen. */
export async function openList(page: Page): Promise<void> {
  await page.locator('#log-in').click()
  await row(page, /^Continue with a wallet/).click()
  await expect(page.getByRole('heading', { name: 'Select your wallet' })).toBeVisible()
}

/** The accounts of who is logged in, as `type address`. */
export const accountsOf = (page: Page) =>
  page.evaluate(() =>
    (document.querySelector('login-modal')?.user?.linkedAccounts ?? []).map((account) =>
      [account.type, 'address' in account ? account.address : ''].join(' '),
    ),
  )

/** Logs in without our screens, as any page may; the wallet is elsewhere. Resolves with `done`, or the code of a failure. */
export async function signIn(
  page: Page,
  wallet: { address: string; signMessage(message: string): Promise<string> },
): Promise<string> {
  const message = await page.evaluate(async (address) => {
    const login = document.querySelector('login-modal')
    await login?.getAccessToken()
    return (await login?.kit?.siwe.generateMessage({ address, chainId: 'eip155:1' })) ?? ''
  }, wallet.address)
  const signature = await wallet.signMessage(message)
  return page.evaluate(
    async (signed) =>
      document
        .querySelector('login-modal')
        ?.kit?.siwe.login(signed)
        .then(
          () => 'done',
          ({ code }) => String(code),
        ) ?? 'no kit',
    { message, signature },
  )
}
