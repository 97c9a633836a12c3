/** The client of the protocol's origin as it is published, against a compatible app: what it does as ever, and what who steals its token gets. */
import path from 'node:path'
import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import { build } from 'esbuild'
import { generateSync } from 'otplib'
import { type Browser, chromium, type Page } from 'playwright-core'
import { verifyMessage, verifyTypedData } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findChromium } from '../../tools/chromium.mjs'
import {
  appOf,
  type HostileSite,
  lootIn,
  minute,
  Outsider,
  startHostileSite,
} from '../e2e/support/hostile-site.ts'
import { makeProject, type Project } from './project.ts'

type Address = `0x${string}`
/** What its page lets a test ask. */
interface Client {
  start(): Promise<void>
  sendCode(email: string): Promise<{ success: boolean }>
  logIn(email: string, code: string): Promise<string>
  create(): Promise<Address>
  createSolana(): Promise<string>
  request(method: string, params: unknown[]): Promise<Address>
  signSolana(message: string): Promise<string>
  linkEmail(email: string, code: string): Promise<unknown>
  siweMessage(address: string): Promise<string>
  /** Each resolves with the kinds of accounts that there are then, without embedded wallets. */
  linkWallet(signature: string): Promise<string[]>
  unlinkWallet(address: string): Promise<string[]>
  updateEmail(old: string, email: string, code: string): Promise<string[]>
  initTotp(): Promise<{ secret: string; authUrl: string }>
  submitTotp(code: string): Promise<unknown>
  requestVerified(
    code: string,
    method: string,
    params: unknown[],
  ): Promise<{ answer: Address; asked: number }>
  token(): Promise<string | null>
  logOut(): Promise<void>
}

describe('an unmodified client', () => {
  let project: Project
  let browser: Browser
  let site: HostileSite
  let script: string
  beforeAll(async () => {
    const { path: executablePath, args } = findChromium()
    browser = await chromium.launch({ executablePath, args })
    site = await startHostileSite()
    project = await makeProject('js-sdk-core')
    const { outputFiles } = await build({
      entryPoints: [path.join(project.folder, 'main.js')],
      bundle: true,
      format: 'iife',
      write: false,
      target: 'es2022',
    })
    script = outputFiles[0]?.text ?? ''
  }, 5 * minute)
  afterAll(async () => {
    await browser?.close()
    await site?.stop()
    await project?.remove()
  }, minute)

  async function open(): Promise<Page> {
    const page = await (await browser.newContext()).newPage()
    await begin(page)
    return page
  }
  async function begin(page: Page): Promise<void> {
    const settings = { appId: appOf.compatible, baseUrl: site.apiUrl, vaultUrl: site.vaultOrigin }
    await page.goto(site.host)
    await page.evaluate((settings) => Object.assign(window, { settings }), settings)
    await page.addScriptTag({ content: script })
    await does(page, 'start')
  }
  const mailedTo = (email: string) => site.mailbox.messages().find(({ to }) => to === email)?.code ?? ''
  /** Has the page's client do something. */
  const does = <K extends keyof Client>(page: Page, what: K, ...given: Parameters<Client[K]>) =>
    page.evaluate(
      ([what, given]) => {
        const { client } = window as unknown as { client: Record<string, (...given: unknown[]) => unknown> }
        return client[what]?.(...given)
      },
      [what as string, given as unknown[]] as const,
    ) as ReturnType<Client[K]>

  it(
    'logs in, links and unlinks a wallet of the person’s own, makes wallets, signs and leaves; who steals its token has nothing of it after the time for new devices',
    async () => {
      const page = await open()
      const setIds = new Set<string>()
      page.on('request', (request) => {
        for (const [, id = ''] of (request.postData() ?? '').matchAll(/"set_id":"([\w-]+)"/g)) setIds.add(id)
      })
      const email = `unmodified.${process.pid}@example.com`
      expect(await does(page, 'sendCode', email)).toMatchObject({ success: true })
      const id = await does(page, 'logIn', email, mailedTo(email))
      expect(id).toMatch(/^did:/)

      // While the page's clock and the server's are the same: a message is good for minutes.
      const outside = privateKeyToAccount(generatePrivateKey())
      const text = await does(page, 'siweMessage', outside.address)
      expect(await does(page, 'linkWallet', await outside.signMessage({ message: text }))).toEqual([
        ...['email', 'wallet'],
      ])
      expect(await does(page, 'unlinkWallet', outside.address)).toEqual(['email'])

      const address = await does(page, 'create')
      const message = 'Hello from an unmodified client'
      const signature = await does(page, 'request', 'personal_sign', [message, address])
      expect(await verifyMessage({ address, message, signature })).toBe(true)
      const data = {
        domain: { name: 'Ether Mail', version: '1', chainId: 1 },
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
      const typed = await does(page, 'request', 'eth_signTypedData_v4', [address, data])
      expect(await verifyTypedData({ ...data, address, signature: typed })).toBe(true)

      const solana = await does(page, 'createSolana')
      const said = new TextEncoder().encode(message)
      const bySolana = await does(page, 'signSolana', Buffer.from(said).toString('base64'))
      expect(ed25519.verify(Buffer.from(bySolana, 'base64'), said, base58.decode(solana))).toBe(true)

      // The page's token goes to somebody else, who has a browser and a key of their own.
      const token = (await does(page, 'token')) ?? ''
      site.pass(16 * minute)
      expect(setIds.size).toBeGreaterThan(0)
      const thief = new Outsider(site, 'compatible', token)
      const answers = [await thief.post('devices/enroll', { factor: 'login' })]
      for (const part of ['auth_share', 'recovery/package', 'recovery/key_material'])
        answers.push(
          await thief.post(
            `embedded_wallets/${address}/${part}`,
            part === 'auth_share' ? { set_ids: [...setIds] } : {},
          ),
        )
      expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403])
      expect(
        lootIn(
          answers.map(({ text }) => text),
          address,
        ),
      ).toEqual([])
      // The person's own browser goes on.
      const later = await does(page, 'request', 'personal_sign', [message, address])
      expect(later).toBe(signature)

      await does(page, 'logOut')
      expect(await does(page, 'token')).toBeNull()
      await page.context().close()
    },
    3 * minute,
  )

  it(
    'has one address and replaces it, enrols an authenticator app, and signs once its person is verified',
    async () => {
      const page = await open()
      const [email, second] = ['first', 'second'].map((name) => `${name}.${process.pid}@example.com`) as [
        string,
        string,
      ]
      await does(page, 'sendCode', email)
      await does(page, 'logIn', email, mailedTo(email))
      const address = await does(page, 'create')
      await does(page, 'sendCode', second)
      await expect(does(page, 'linkEmail', second, mailedTo(second))).rejects.toThrow(
        'User already has an account of type email linked.',
      )
      await does(page, 'sendCode', second)
      expect(await does(page, 'updateEmail', email, second, mailedTo(second))).toEqual([second])

      const { secret, authUrl } = await does(page, 'initTotp')
      expect(authUrl).toMatch(/^otpauth:\/\/totp\//)
      const code = () => generateSync({ secret, epoch: Math.floor(site.now() / 1000) })
      await does(page, 'submitTotp', code())
      // A page that is loaded anew has nothing of what was released before.
      await begin(page)
      site.pass(minute)
      const message = 'Signed after the prompt'
      const { answer, asked } = await does(page, 'requestVerified', code(), 'personal_sign', [
        message,
        address,
      ])
      expect(asked).toBe(1)
      expect(await verifyMessage({ address, message, signature: answer })).toBe(true)
      await page.context().close()
    },
    3 * minute,
  )
})
