/**
 * The React client of the protocol's origin as it is published, with its own dialog, against a compatible app.
 *
 * It ends where the client needs somebody else: the list of wallets that it asks WalletConnect's explorer for, wallets outside, social
 * providers, drives and sellers of coins. Its scan of a transaction has no verdict here, since nothing of ours judges contracts, and its
 * screens have amounts in coins alone, since the app has no source of prices. Of the accounts that it knows for smart wallets it uses Safe's,
 * whose module comes from Safe's own package (safe-contracts.ts).
 */
import path from 'node:path'
import { build } from 'esbuild'
import { type Browser, chromium, type Page } from 'playwright-core'
import { createPublicClient, http, parseEther, verifyMessage, verifyTypedData } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { base } from 'viem/chains'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findChromium } from '../../tools/chromium.mjs'
import { limit } from '../support/limit.ts'
import { appId, type CompatibleSite, friend, permission, startCompatibleSite } from './compatible-site.ts'
import { makeProject, type Project } from './project.ts'
import { deploySafe } from './safe-contracts.ts'

type Address = `0x${string}`
/** The functions that its page offers to a test. */
interface Client {
  state(): {
    ready: boolean
    authenticated: boolean
    isReadyToSign: boolean
    hasSmartClient: boolean
    id: string | null
    wallets: { address: Address; delegated: boolean }[]
    smartWallet: Address | null
  }
  logIn(): void
  logOut(): Promise<void>
  token(): Promise<string | null>
  addWallet(): Promise<Address>
  exportWallet(address: Address): Promise<void>
  signMessage(message: string, address: Address): Promise<Address>
  signTypedData(data: object, address: Address): Promise<Address>
  sendTransaction(transaction: { to: Address; value: string }, address: Address): Promise<Address>
  request(method: string, params: unknown[]): Promise<string>
  delegate(address: Address): Promise<void>
  revoke(): Promise<void>
  delegateSilently(address: Address): Promise<void>
  revokeSilently(): Promise<void>
  signBySmartWallet(message: string): Promise<Address>
  sendBySmartWallet(call: { to: Address; value: string }): Promise<Address>
}

const minute = 60_000
const mail = {
  domain: { name: 'Ether Mail', version: '1', chainId: base.id },
  primaryType: 'Mail' as const,
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
    ],
    Mail: [{ name: 'contents', type: 'string' }],
  },
  message: { contents: 'Hello, Bob!' },
}

describe('an unmodified React client', () => {
  let project: Project
  let browser: Browser
  let site: CompatibleSite
  let script: string
  beforeAll(async () => {
    const { path: executablePath, args } = findChromium()
    browser = await chromium.launch({ executablePath, args })
    site = await startCompatibleSite()
    project = await makeProject('react-auth')
    await deploySafe(site, project.folder)
    const { outputFiles } = await build({
      entryPoints: [path.join(project.folder, 'main.jsx')],
      bundle: true,
      format: 'iife',
      write: false,
      target: 'es2022',
      jsx: 'automatic',
      define: { 'process.env.NODE_ENV': '"production"', global: 'window' },
    })
    script = outputFiles[0]?.text ?? ''
  }, 10 * minute)
  afterAll(async () => {
    await browser?.close()
    await site?.stop()
    await project?.remove()
  }, minute)

  const dialog = (page: Page) => page.locator('#privy-dialog')
  const press = (page: Page, name: string | RegExp) => dialog(page).getByRole('button', { name }).click()
  const closed = (page: Page) => dialog(page).waitFor({ state: 'detached' })

  /** Has the page's client do something. */
  const does = <K extends keyof Client>(page: Page, what: K, ...given: Parameters<Client[K]>) =>
    page.evaluate(
      ([what, given]) => {
        const { client } = window as unknown as { client: Record<string, (...given: unknown[]) => unknown> }
        return client[what]?.(...given)
      },
      [what as string, given as unknown[]] as const,
    ) as Promise<Awaited<ReturnType<Client[K]>>>
  const state = (page: Page) => does(page, 'state')
  const becomes = (page: Page, expected: object) =>
    expect.poll(() => state(page).catch(() => undefined), { timeout: limit(40_000) }).toMatchObject(expected)

  async function begin(page: Page): Promise<void> {
    const settings = { appId, apiUrl: site.apiUrl, rpcUrl: site.chain.url }
    await page.goto(site.host)
    await page.evaluate((settings) => Object.assign(window, { settings }), settings)
    await page.addScriptTag({ content: script })
    await becomes(page, { ready: true })
  }

  let users = 0
  /** A new user who has logged in by the client's dialog, which has made a wallet with coins in it. */
  async function newUser() {
    const page = await (await browser.newContext()).newPage()
    page.setDefaultTimeout(limit(30_000))
    // Nobody outside this machine is asked.
    await page.route(
      ({ hostname }) => !['localhost', '127.0.0.1'].includes(hostname),
      (route) => route.abort(),
    )
    const calls: { path: string; status: number; body: Promise<string> }[] = []
    page.on('response', (response) => {
      const { origin, pathname } = new URL(response.url())
      if (origin === site.apiUrl && response.request().method() !== 'OPTIONS')
        calls.push({
          path: pathname.replace('/api/v1/', ''),
          status: response.status(),
          body: response.text().catch(() => ''),
        })
    })
    await begin(page)
    const email = `react.${process.pid}.${++users}@example.com`
    await does(page, 'logIn')
    await dialog(page).locator('input[type=email]').fill(email)
    await press(page, 'Submit')
    await dialog(page).locator('input[name=code-0]').waitFor()
    const code = site.mailbox.messages().find(({ to }) => to === email)?.code ?? ''
    for (const [at, digit] of [...code].entries())
      await dialog(page).locator(`input[name=code-${at}]`).fill(digit)
    await becomes(page, { authenticated: true, isReadyToSign: true })
    await closed(page)
    const [wallet] = (await state(page)).wallets
    if (!wallet) throw new Error('There is no wallet')
    await site.tester.setBalance({ address: wallet.address, value: parseEther('10') })
    return { page, address: wallet.address, calls }
  }

  it(
    'logs in by e-mail, makes wallets, signs and sends in its own dialog, is there again after a reload, and leaves',
    async () => {
      const { page, address, calls } = await newUser()
      expect((await state(page)).id).toMatch(/^did:privy:/)

      const message = 'Hello from an unmodified client'
      const signing = does(page, 'signMessage', message, address)
      await press(page, 'Sign and continue')
      expect(await verifyMessage({ address, message, signature: await signing })).toBe(true)
      await closed(page)

      const typed = does(page, 'signTypedData', mail, address)
      await press(page, 'Sign and continue')
      expect(await verifyTypedData({ ...mail, address, signature: await typed })).toBe(true)
      await closed(page)

      const sending = does(page, 'sendTransaction', { to: friend, value: '0x38d7ea4c68000' }, address)
      await dialog(page).getByText('0.001').first().waitFor()
      await press(page, 'Approve')
      await dialog(page).getByText('Transaction complete!').waitFor()
      await press(page, 'All Done')
      const receipt = await site.client.getTransactionReceipt({ hash: await sending })
      expect(receipt).toMatchObject({ status: 'success', from: address.toLowerCase() })
      const scan = calls.find(({ path }) => path === 'scan/transaction')
      expect(JSON.parse((await scan?.body) ?? '{}')).toMatchObject({ simulation: { status: 'Success' } })
      expect(calls.map(({ path }) => path)).toContain('token_price')
      await closed(page)

      // As libraries send, by the wallet's provider.
      const asking = does(page, 'request', 'eth_sendTransaction', [
        { from: address, to: friend, value: '0x1' },
      ])
      await press(page, 'Approve')
      await press(page, 'All Done')
      const hash = (await asking) as Address
      expect((await site.client.getTransactionReceipt({ hash })).status).toBe('success')
      await closed(page)

      const second = await does(page, 'addWallet')
      await becomes(page, { wallets: [{ address }, { address: second }] })

      await begin(page)
      await becomes(page, {
        authenticated: true,
        isReadyToSign: true,
        wallets: [{ address }, { address: second }],
      })
      const again = does(page, 'signMessage', message, second)
      await press(page, 'Sign and continue')
      expect(await verifyMessage({ address: second, message, signature: await again })).toBe(true)
      await closed(page)

      await does(page, 'logOut')
      expect(await does(page, 'token')).toBeNull()
      await begin(page)
      await becomes(page, { authenticated: false, wallets: [] })
      expect(calls.filter(({ status }) => status >= 400)).toEqual([])
      await page.context().close()
    },
    5 * minute,
  )

  it(
    'exports the very key in the frame of the vault that its dialog has, and says when the user is done',
    async () => {
      const { page, address, calls } = await newUser()
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      const exporting = does(page, 'exportWallet', address)
      const frame = page.frameLocator('iframe[src*="embedded-wallets/export"]')
      // The vault takes a press once its button has been in sight for a while, and a page reads what was copied while it has the focus.
      const copied = async () => {
        await frame
          .getByRole('button', { name: 'Copy private key' })
          .click({ timeout: 2_000 })
          .catch(() => {})
        await dialog(page).getByText('Transfer wallet').click()
        return page.evaluate(() => navigator.clipboard.readText())
      }
      await expect.poll(copied, { timeout: limit(30_000) }).toMatch(/^0x[0-9a-f]{64}$/)
      const text = (await page.evaluate(() => navigator.clipboard.readText())) as Address
      expect(privateKeyToAccount(text).address).toBe(address)
      await page.keyboard.press('Escape')
      await exporting
      await closed(page)
      expect(calls.filter(({ status }) => status >= 400)).toEqual([])
      await page.context().close()
    },
    5 * minute,
  )

  it(
    'lets the app’s server act with a wallet, and ends that, with its dialog and without',
    async () => {
      const { page, address, calls } = await newUser()
      const find = () => site.grants.find({ permission, address })
      const send = async (name: string) => {
        const [grant] = await find()
        return site.grants.send({
          grant: grant?.id ?? '',
          chain: `eip155:${base.id}`,
          transaction: { to: friend, value: '7' },
          idempotencyKey: `mooring-of-${address}-${name}`,
        })
      }
      const delegating = does(page, 'delegate', address)
      await press(page, 'Accept')
      await delegating
      await becomes(page, { wallets: [{ address, delegated: true }] })
      expect(await send('today')).toMatchObject({ status: 'sent' })
      await closed(page)

      const revoking = does(page, 'revoke')
      await press(page, 'Confirm')
      await revoking
      await becomes(page, { wallets: [{ address, delegated: false }] })
      await expect(send('tomorrow')).rejects.toMatchObject({ code: 'permission_denied' })
      await closed(page)

      await does(page, 'delegateSilently', address)
      await becomes(page, { wallets: [{ address, delegated: true }] })
      await does(page, 'revokeSilently')
      await becomes(page, { wallets: [{ address, delegated: false }] })
      expect((await find()).map(({ isActive }) => isActive)).toEqual([false, false])
      expect(calls.filter(({ status }) => status >= 400)).toEqual([])
      await page.context().close()
    },
    5 * minute,
  )

  it(
    'makes and links a smart wallet, signs with it before it is deployed, and sends by the bundler',
    async () => {
      const { page, calls } = await newUser()
      await becomes(page, { smartWallet: expect.stringMatching(/^0x/), hasSmartClient: true })
      const account = (await state(page)).smartWallet as Address
      const chain = createPublicClient({ chain: base, transport: http(site.chain.url) })
      expect(await chain.getCode({ address: account })).toBeUndefined()

      const message = 'Hello from a smart wallet'
      const signing = does(page, 'signBySmartWallet', message)
      await press(page, 'Sign and continue')
      expect(await chain.verifyMessage({ address: account, message, signature: await signing })).toBe(true)
      await closed(page)

      await site.tester.setBalance({ address: account, value: parseEther('1') })
      const before = await chain.getBalance({ address: friend })
      const sending = does(page, 'sendBySmartWallet', { to: friend, value: '5' })
      await press(page, 'Approve')
      await press(page, 'All Done')
      const { status } = await chain.getTransactionReceipt({ hash: await sending })
      expect(status).toBe('success')
      expect((await chain.getBalance({ address: friend })) - before).toBe(5n)
      expect(await chain.getCode({ address: account })).toBeDefined()
      expect(calls.filter(({ status }) => status >= 400)).toEqual([])
      await page.context().close()
    },
    5 * minute,
  )
})
