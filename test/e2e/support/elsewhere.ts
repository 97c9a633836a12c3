/** Wallets that are not in the page: on a phone, over WalletConnect, and what a host sees of them. */
import { type BrowserContextOptions, devices, type Page } from '@playwright/test'
import { generatePrivateKey } from 'viem/accounts'
import { createEthereumWallet } from '../../../demo/world/wallet/ethereum.ts'
import { type PhoneSettings, startPhone } from '../../../demo/world/wallet/pairing.ts'
import type { WalletConnector } from '../../../src/index.ts'
import { type Demo, expect } from './demo.ts'
import { scan } from './scan.ts'

/** An app with wallets and e-mail, and no wallets of its own. */
export const app = 'latchkey-demo-wallets-012'

/** The demo's phones are Chromium that says it is one: what it would do with an app's scheme is left out. */
function phoneOf(name: string): BrowserContextOptions {
  const { defaultBrowserType: _, ...device } = devices[name] ?? {}
  return device
}
export const iPhone = phoneOf('iPhone 14')
export const pixel = phoneOf('Pixel 7')

/** A wallet on somebody's phone, with an account of its own. */
export async function walletElsewhere(
  demo: Demo,
  {
    name = 'Rainbow',
    url = 'https://rainbow.me',
    ...more
  }: { name?: string; url?: string } & Pick<PhoneSettings, 'approve'> = {},
) {
  const wallet = createEthereumWallet({
    privateKey: generatePrivateKey(),
    chains: Object.keys(demo.chains).length > 0 ? demo.chains : { 1: 'http://127.0.0.1:1' },
    name,
    rdns: 'org.example.elsewhere',
  })
  const phone = await startPhone({ relayUrl: demo.relayUrl, wallet, metadata: { url }, ...more })
  return { phone, wallet }
}

/** From the landing screen to the wallet of that name. */
export async function choose(page: Page, wallet: string): Promise<void> {
  await page.locator('#log-in').click()
  await page.getByRole('button', { name: 'Continue with a wallet' }).click()
  await page.getByRole('button', { name: wallet, exact: true }).click()
}

/** The text beside the code, once it is there and the code says the same to a camera. */
export async function readCode(page: Page): Promise<string> {
  const card = page.locator('[data-qr]')
  await expect(card).toContainText(/wc:[\da-f]{64}@2\?/)
  const text = ((await card.textContent()) ?? '').trim()
  await expect.poll(() => scan(card.locator('[part=qr]'))).toBe(text)
  return text
}

type Connector = WalletConnector & { heard: string[]; asked: Promise<unknown> }

/** Keeps what the page's `<wallet-connector>` tells from now on. */
export async function hearConnector(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await customElements.whenDefined('wallet-connector')
    const connector = document.querySelector('wallet-connector') as Connector
    connector.heard = []
    for (const type of ['lk-connect', 'lk-disconnect'])
      connector.addEventListener(type, (event) => {
        const { wallet } = (event as CustomEvent).detail
        connector.heard.push(`${type} ${wallet.meta.name}`)
      })
  })
}
export const heard = (page: Page): Promise<string[]> =>
  page.evaluate(() => (document.querySelector('wallet-connector') as Connector).heard)

/** What is connected, as a host has it. */
export const connected = (page: Page) =>
  page.evaluate(async () => {
    await customElements.whenDefined('wallet-connector')
    const wallets = (document.querySelector('wallet-connector') as Connector).wallets
    return Promise.all(
      wallets.map(async (wallet) => ({
        address: wallet.address,
        name: wallet.meta.name,
        by: wallet.connectorType,
        linked: wallet.linked,
        open: await wallet.isConnected(),
      })),
    )
  })

/** Asks a person to connect a wallet, as a host's own button would; what comes of it is told by {@link answerOf}. */
export const askToConnect = (page: Page, options: Parameters<WalletConnector['connect']>[0] = {}) =>
  page.evaluate((options) => {
    const connector = document.querySelector('wallet-connector') as Connector
    connector.asked = connector.connect(options).then(
      ({ address }) => address,
      (cause: { code?: string }) => cause.code,
    )
  }, options)
export const answerOf = (page: Page) =>
  page.evaluate(() => (document.querySelector('wallet-connector') as Connector).asked)

export const status = (page: Page) => page.locator('#status')
