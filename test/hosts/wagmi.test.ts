/** An app that uses wagmi as its documentation says, with the wallet of somebody who is logged in. */
import path from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { type Address, parseEther } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { LoginModal } from '../../src/index.ts'
import { findChromium } from '../../tools/chromium.mjs'
import { approve, closeReceipt, inDialog, inWindow, pressIn } from '../e2e/support/approval.ts'
import { open, sponsored } from '../e2e/support/apps.ts'
import { type Demo, logIn, startDemo } from '../e2e/support/demo.ts'
import { chainOf, reviewOf } from '../e2e/support/sending.ts'
import { deploySimple7702Account } from '../ethereum/support/simple-7702.ts'
import { limit } from '../support/limit.ts'
import { newEmail } from './journey.ts'
import { makeProject, type Project, type Served, serveFiles } from './project.ts'

const minutes = 60_000

describe('an app with wagmi', () => {
  let project: Project
  let served: Served
  let browser: Browser
  let demo: Demo
  let stopDemo: () => Promise<void>
  beforeAll(async () => {
    const { path: executablePath, args } = findChromium()
    const [launched, started] = await Promise.all([chromium.launch({ executablePath, args }), startDemo()])
    browser = launched
    demo = started.demo
    stopDemo = started.stop
    project = await makeProject('wagmi')
    const node = process.execPath
    const checked = await project.run([node, 'node_modules/typescript/bin/tsc', '-p', '.'])
    if (checked.code !== 0) throw new Error(checked.output)
    const built = await project.run([node, 'node_modules/vite/bin/vite.js', 'build'], {
      VITE_APP_ID: open,
      VITE_API_URL: demo.api,
      VITE_VAULT_URL: demo.vault,
      VITE_RPC_URL: demo.chains[1] ?? '',
    })
    if (built.code !== 0) throw new Error(built.output)
    served = await serveFiles(path.join(project.folder, 'dist'))
  }, 10 * minutes)
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close()
  })
  afterAll(async () => {
    await served?.close()
    await browser?.close()
    await stopDemo?.()
    await project?.remove()
  }, minutes)

  /** Somebody who has logged in and connected their wallet by wagmi's own button. */
  async function connectedPerson(query = ''): Promise<{ page: Page; address: Address }> {
    const context = await browser.newContext({ reducedMotion: 'reduce' })
    const page = await context.newPage()
    page.setDefaultTimeout(limit(20_000))
    await page.goto(`${served.origin}/${query}`)
    await status(page, 'disconnected')
    await page.evaluate(() => {
      const login = document.querySelector('login-modal') as HTMLElement & { login(): Promise<unknown> }
      login.login().catch(() => {})
    })
    await logIn(page, demo, newEmail())
    await page.locator('#connect').waitFor()
    await closed(page)
    await page.locator('#connect').click()
    await status(page, 'connected')
    const address = (await page.locator('#address').textContent()) as Address
    expect(address).toMatch(/^0x[0-9a-fA-F]{40}$/)
    return { page, address }
  }
  const chain = () => chainOf(demo.chains[1] ?? '')
  /** Presses a button that sends a batch, and approves it after each call was read. */
  async function startBatch(page: Page, button: string): Promise<void> {
    await page.locator(`#${button}`).click()
    await (await reviewOf(page)).press('Approve')
  }
  async function sendBatch(page: Page, button: string, receipts: number): Promise<void> {
    await startBatch(page, button)
    await textOf(page, 'batch-done').toBe(`success ${receipts}`)
    await textOf(page, 'batch-status').toBe('200')
    await page.getByRole('button', { name: 'All Done' }).click()
    await closed(page)
  }
  async function cancel(page: Page): Promise<void> {
    await (await inDialog(page, (place) => place.getByRole('button', { name: 'Cancel' }))).click()
    await closed(page)
  }
  const closed = (page: Page) => page.getByRole('dialog').waitFor({ state: 'hidden' })
  const textOf = (page: Page, id: string) =>
    expect.poll(() => page.locator(`#${id}`).textContent(), { timeout: limit(60_000) })
  const status = (page: Page, is: string) => textOf(page, 'status').toBe(is)

  it(
    'is connected again after a reload, and signs',
    async () => {
      const { page, address } = await connectedPerson()
      await page.reload()
      await status(page, 'connected')
      expect(await page.locator('#address').textContent()).toBe(address)
      expect(await page.locator('#connect').count()).toBe(1)
      await page.locator('#sign').click()
      await approve(page)
      await textOf(page, 'signature').toMatch(/^0x[0-9a-f]{130}$/)

      // Somebody who has disconnected stays so, though the wallet is there.
      await closed(page)
      await page.locator('#disconnect').click()
      await status(page, 'disconnected')
      await page.reload()
      await page.locator('#connect').waitFor()
      await status(page, 'disconnected')
    },
    3 * minutes,
  )

  it(
    "signs typed data, sends and calls a contract, and has wagmi's own errors for what fails",
    async () => {
      const { page, address } = await connectedPerson()
      for (const [step, call] of [
        ['sign', 'sign'],
        ['sign-typed', 'signTyped'],
      ] as const) {
        await page.locator(`#${step}`).click()
        await cancel(page)
        await textOf(page, 'errors').toContain(`${call} UserRejectedRequestError:4001`)
      }
      await page.locator('#sign-typed').click()
      await approve(page)
      await textOf(page, 'typed-signature').toMatch(/^0x[0-9a-f]{130}$/)
      await closed(page)
      await page.locator('#move').click()
      // wagmi asks to add the unknown chain, and calls any error of that a rejection.
      await textOf(page, 'errors').toContain('move UserRejectedRequestError:4001')
      await page.locator('#sign-as').click()
      await textOf(page, 'errors').toContain('signAs UnauthorizedProviderError:4100')
      await page.locator('#sign-nothing').click()
      await textOf(page, 'errors').toContain('signNothing InvalidParamsRpcError:-32602')

      if (demo.chains[1]) {
        await chain().setBalance({ address, value: parseEther('1') })
        for (const call of ['send', 'write']) {
          await page.locator(`#${call}`).click()
          await cancel(page)
          await textOf(page, 'errors').toContain(`${call} UserRejectedRequestError:4001`)
        }
        await page.locator('#send').click()
        await approve(page, 'Approve')
        await closeReceipt(page)
        await textOf(page, 'receipt').toBe('success')
        await closed(page)
        await page.locator('#write').click()
        await approve(page, 'Approve')
        await closeReceipt(page)
        await textOf(page, 'written').toMatch(/^0x[0-9a-f]{64}$/)
        await closed(page)
      }

      // wagmi hears of the logout by the wallet's own events.
      await page.evaluate(() => (document.querySelector('login-modal') as LoginModal).logout())
      await status(page, 'disconnected')
    },
    5 * minutes,
  )

  it(
    'sends batches of calls by its hooks and by its actions, and learns what became of them',
    async ({ skip }) => {
      skip(!demo.chains[1], 'This machine has no anvil')
      const { page, address } = await connectedPerson()
      await chain().setBalance({ address, value: parseEther('1') })
      await textOf(page, 'atomic').toMatch(/^(ready|unsupported)$/)

      await page.locator('#batch').click()
      await cancel(page)
      await textOf(page, 'errors').toContain('batch UserRejectedRequestError:4001')

      await sendBatch(page, 'batch', 2)
      await startBatch(page, 'actions')
      await textOf(page, 'actions-done').toMatch(/^(ready|unsupported) success 200 2$/)
    },
    5 * minutes,
  )

  it(
    'sends a batch as one transaction from a wallet with code (EIP-7702)',
    async ({ skip }) => {
      skip(!demo.chains[1], 'This machine has no anvil')
      await deploySimple7702Account(demo.chains[1] ?? '')
      const { page, address } = await connectedPerson()
      await chain().setBalance({ address, value: parseEther('1') })
      await textOf(page, 'atomic').toBe('ready')
      await page.locator('#upgrade').click()
      await approve(page, 'Approve')
      await closeReceipt(page)
      await closed(page)
      await textOf(page, 'atomic').toBe('supported')
      await sendBatch(page, 'batch-atomic', 1)
    },
    5 * minutes,
  )

  it(
    'sends a batch as one operation from a smart wallet (ERC-4337), whose fee the sponsor pays',
    async ({ skip }) => {
      skip(!demo.chains[1], 'This machine has no anvil')
      const { page, address } = await connectedPerson(`?app=${sponsored.strict}`)
      await page.locator('#connect-smart').click()
      await (await reviewOf(page)).press('Sign and continue')
      await pressIn(await inWindow(page, page.context()), 'Add')
      await textOf(page, 'address').not.toBe(address)
      await status(page, 'connected')
      const smart = (await page.locator('#address').textContent()) as Address
      await chain().setBalance({ address: smart, value: 5n })
      await textOf(page, 'atomic').toBe('supported')
      await sendBatch(page, 'batch', 1)
      expect(await chain().getBalance({ address: smart })).toBe(0n)
    },
    5 * minutes,
  )

  it(
    'does not wait for ever for somebody whose session has ended meanwhile',
    async () => {
      const { page } = await connectedPerson()
      // What the server ends, this browser still remembers.
      await page.context().clearCookies()
      await page.evaluate(() => {
        for (const key of Object.keys(localStorage))
          if (key.endsWith(':token')) localStorage.setItem(key, 'not.a.token')
      })
      await page.reload()
      await status(page, 'disconnected')
    },
    3 * minutes,
  )

  it(
    'is not connected again where it forgets to announce the wallet early',
    async () => {
      const { page } = await connectedPerson('?late')
      await page.reload()
      await page.locator('#connect').waitFor()
      await status(page, 'disconnected')
    },
    3 * minutes,
  )
})
