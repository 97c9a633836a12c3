import { test as base, expect, type Page } from '@playwright/test'
import { verifyMessage } from 'viem'
import type { Relay } from '../../demo/world/relay/relay.ts'
import { startRelay } from '../../demo/world/relay/relay.ts'
import { freePort } from '../support/free-port.ts'
import { limit } from '../support/limit.ts'
import { type Phone, startPhone } from '../support/phone.ts'
import type { Rig } from '../support/wallet-sdks/page.ts'
import { type SdkPages, serveSdkPages } from '../support/wallet-sdks/serve.ts'

declare const rig: Rig

interface Watched {
  violations: string[]
  /** Hosts that are not this machine. */
  outside: string[]
  problems: string[]
}

const test = base.extend<{ watched: Watched }, { relay: Relay; pages: SdkPages }>({
  relay: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright goes by it
    async ({}, use) => {
      const relay = await startRelay({ port: await freePort() })
      await use(relay)
      await relay.close()
    },
    { scope: 'worker' },
  ],
  pages: [
    async ({ relay }, use) => {
      const pages = await serveSdkPages(relay.url)
      await use(pages)
      await pages.close()
    },
    { scope: 'worker', timeout: limit(120_000) },
  ],
  /** The page is open; nothing outside can be reached from it. */
  watched: async ({ page, pages }, use) => {
    const watched: Watched = { violations: [], outside: [], problems: [] }
    const note = (address: string) => {
      const { hostname } = new URL(address)
      if (!['localhost', '127.0.0.1', ''].includes(hostname)) watched.outside.push(hostname)
    }
    page.context().on('request', (request) => note(request.url()))
    page.on('websocket', (socket) => note(socket.url()))
    page.on('pageerror', (error) => watched.problems.push(error.message))
    page.on('console', (message) => message.type() === 'error' && watched.problems.push(message.text()))
    await page.exposeFunction('violated', (text: string) => watched.violations.push(text))
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) => {
        const report = (window as unknown as { violated(text: string): void }).violated
        report(`${event.effectiveDirective}: ${event.blockedURI} ${event.sample}`)
      })
    })
    await page.goto(pages.page)
    await use(watched)
  },
})

// In one worker, one after the other: the page is bundled for each worker, which takes longer than all of the tests.
test.describe.configure({ mode: 'default' })

const outcome = async (page: Page) => {
  await page.waitForFunction(() => rig.outcome, undefined, { timeout: limit(15_000) })
  return page.evaluate(() => rig.outcome)
}
const globals = (page: Page) =>
  page.evaluate(() =>
    Object.keys(window).filter((name) =>
      /buffer$|^process|^global|^_(?!_playwright)|wallet|coinbase|download/i.test(name),
    ),
  )
const drawn = (page: Page) =>
  page.evaluate(() => document.querySelectorAll('body > *, html > *, iframe').length)

test.describe('WalletConnect on a page under a strict policy', () => {
  let phone: Phone
  test.afterEach(() => phone?.close())

  test('connects, signs and leaves, and speaks to its relay alone @soak', async ({
    page,
    relay,
    watched,
  }) => {
    phone = await startPhone({ relayUrl: relay.url })
    const before = await drawn(page)
    await page.evaluate((url) => rig.walletConnect(url), relay.url)
    await page.click('button')
    await page.waitForFunction(() => rig.uri)
    await phone.pair(String(await page.evaluate(() => rig.uri)))
    const { address } = phone.account
    expect(await outcome(page)).toEqual({ accounts: [{ address, chainId: 'eip155:1' }] })
    expect(await page.evaluate(() => rig.meta())).toEqual({ id: 'rainbow', name: 'Rainbow' })

    const sign = () => page.evaluate((address) => rig.sign(address, 'Hello'), address)
    expect(
      await verifyMessage({ address, message: 'Hello', signature: (await sign()) as `0x${string}` }),
    ).toBe(true)
    expect(await globals(page)).toEqual([])
    expect(await drawn(page)).toBe(before)

    await page.evaluate(() => rig.disconnect())
    expect(await page.evaluate(() => rig.accounts())).toEqual([])
    console.log(
      `WalletConnect: ${watched.violations.length} violations, outside: ${watched.outside.join() || 'nothing'}`,
    )
    expect(watched).toEqual({ violations: [], outside: [], problems: [] })
  })
})

test.describe('Coinbase on a page under a strict policy', () => {
  test('opens its window within the press, connects, signs and leaves @soak', async ({
    page,
    pages,
    watched,
  }) => {
    const before = await drawn(page)
    await page.evaluate((url) => rig.coinbase(url, 'smartWalletOnly'), pages.keys)
    await page.click('button')
    const found = await outcome(page)
    const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
    expect(found).toEqual({ accounts: [{ address, chainId: 'eip155:1' }] })
    expect(await page.evaluate(() => rig.meta().id)).toBe('coinbase_smart_wallet')
    const signature = await page.evaluate((address) => rig.sign(address, 'Hello'), address)
    expect(await verifyMessage({ address, message: 'Hello', signature: signature as `0x${string}` })).toBe(
      true,
    )

    await page.reload()
    await page.evaluate((url) => rig.coinbase(url, 'smartWalletOnly'), pages.keys)
    await expect.poll(() => page.evaluate(() => rig.accounts())).toEqual([{ address, chainId: 'eip155:1' }])
    await page.evaluate(() => rig.disconnect())
    expect(await page.evaluate(() => rig.accounts())).toEqual([])
    expect(await globals(page)).toEqual([])
    expect(await drawn(page)).toBe(before)
    console.log(
      `Coinbase: ${watched.violations.length} violations, outside: ${watched.outside.join() || 'nothing'}`,
    )
    expect(watched).toEqual({ violations: [], outside: [], problems: [] })
  })

  test('is said no to in its window @soak', async ({ page, pages, watched }) => {
    await page.evaluate((url) => rig.coinbase(`${url}/?no`, 'all'), pages.keys)
    await page.click('button')
    expect(await outcome(page)).toEqual({ error: 'wallet_rejected' })
    expect(watched.violations).toEqual([])
  })

  test('says so when the browser opens no window, and waits for nobody @soak', async ({
    page,
    pages,
    watched,
  }) => {
    await page.evaluate(() => {
      window.open = () => null
    })
    const before = await drawn(page)
    await page.evaluate((url) => rig.coinbase(url, 'all'), pages.keys)
    await page.click('button')
    expect(await outcome(page)).toEqual({ error: 'popup_blocked' })
    expect(watched.violations).toEqual([])
    expect(await drawn(page)).toBeLessThanOrEqual(before + 1)
  })
})
