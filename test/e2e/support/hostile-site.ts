/** A backend with a strict and a compatible app, people with wallets in them, and a host page that is hostile. */

import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { serve } from '@hono/node-server'
import type { BrowserContext, Page, Request } from '@playwright/test'
import { privateKeyToAccount } from 'viem/accounts'
import { type Backend, createBackend } from '../../../demo/backend/server.ts'
import type { AppSettings } from '../../../demo/backend/settings/demo-apps.ts'
import { createMailbox } from '../../../demo/world/mail/mailbox.ts'
import { DeviceKey } from '../../backend/support/device-key.ts'
import { limit } from '../../support/limit.ts'
import { hostile } from './hostile-page.ts'

export const modes = ['strict', 'compatible'] as const
export type Mode = (typeof modes)[number]
export const appOf = { strict: 'latchkey-hostile-strict01', compatible: 'latchkey-hostile-compat01' } as const
const minute = 60_000
const waits = { silent: limit(8_000), drawn: limit(6_000), ready: limit(10_000) }

/** A server on a port that is free, which takes its answers from where they are once they are there. */
async function listen(fetch: () => Backend['api'] | undefined, now: () => number) {
  const server = serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request, env) {
      const response = await fetch()?.fetch(request, env)
      if (!response) return new Response(null, { status: 503 })
      const headers = new Headers(response.headers)
      // A server whose clock is moved says so in each answer.
      headers.set('date', new Date(now()).toUTCString())
      const { status } = response
      return new Response(response.body, { status, headers })
    },
  })
  if (!server.listening) await new Promise((ready) => server.once('listening', ready))
  return { port: (server.address() as AddressInfo).port, stop: () => server.close() }
}

export type HostileSite = Awaited<ReturnType<typeof startHostileSite>>
export async function startHostileSite() {
  let ahead = 0
  const now = () => Date.now() + ahead
  const pages = createServer((_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(
      `<!doctype html><meta charset="utf-8"><title>Host</title><link rel="icon" href="data:,"><body style="margin:0;background:#fff"><div id="place"></div><script>(${hostile})(${JSON.stringify(waits)})</script>`,
    )
  })
  await new Promise<void>((ready) => pages.listen(0, '127.0.0.1', ready))
  const pagesPort = (pages.address() as AddressInfo).port
  const origin = (name: string) => `http://${name}.localhost:${pagesPort}`
  const host = origin('host1')
  let backend: Backend | undefined
  const [api, vault] = await Promise.all([listen(() => backend?.api, now), listen(() => backend?.vault, now)])
  const apiUrl = `http://localhost:${api.port}`
  const vaultOrigin = `http://vault.localhost:${vault.port}`
  const mailbox = await createMailbox()
  const dataDir = await mkdtemp(join(tmpdir(), 'latchkey-hostile-'))
  const app = (mode: Mode): AppSettings => ({
    id: appOf[mode],
    name: 'Held by others',
    allowedDomains: [host],
    vault: mode,
    embeddedWallets: {
      createOnLogin: 'users-without-wallets',
      recoveryOptions: ['user-passcode', 'google-drive', 'icloud'],
      ownKeyRecovery: true,
    },
    mfaMethods: ['totp'],
    methods: ['email', 'wallet'],
  })
  backend = await createBackend({
    dataDir,
    apiUrl,
    vaultOrigin,
    smtpUrl: mailbox.smtp.url,
    clock: now,
    apps: modes.map(app),
    vaultFiles: resolve(process.env.LATCHKEY_DIST ?? 'dist', 'vault'),
    // One person has as many codes sent here as others have in a month.
    limits: {
      sendsPerIpMinute: 1_000,
      sendsPerIpHour: 1_000,
      exportTicketsPerHour: 1_000,
      resendLock: 0,
      sendsPerAddressHour: 100,
      sendsPerAddressDay: 100,
    },
  })
  return {
    apiUrl,
    vaultOrigin,
    host,
    origin,
    mailbox,
    now,
    /** Where the vault's pages of an app are. */
    pages: (mode: Mode) => `${vaultOrigin}/apps/${appOf[mode]}/embedded-wallets`,
    /** Moves the clock of the server. */
    pass(milliseconds: number) {
      ahead += milliseconds
    },
    async stop() {
      api.stop()
      vault.stop()
      pages.close()
      await backend?.close()
      await mailbox.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** What an attempt has brought, in one word each. */
export type Loot =
  | 'key'
  | 'share'
  | 'signature'
  | 'recovery changed'
  | 'device added'
  | 'device removed'
  | 'wallet added'

interface Answer {
  status: number
  text: string
  body: Record<string, unknown>
  nonce: string | null
}

/** An HTTP client outside of every browser, which writes what headers it likes. */
export class Outsider {
  nonce: string | undefined
  constructor(
    readonly site: HostileSite,
    readonly mode: Mode,
    readonly token: string | undefined,
    /** `null`: it has none, and sends no proofs. */
    readonly key: DeviceKey | null = new DeviceKey(),
  ) {}

  urlOf = (path: string) => `${this.site.apiUrl}/api/v1/${path}`
  /** @param changed what is other than it should be */
  proofFor(path: string, changed?: { claims?: object; header?: object }): string {
    if (!this.key) throw new Error('No key')
    const of = {
      htm: 'POST',
      htu: this.urlOf(path),
      at: this.site.now(),
      token: this.token,
      nonce: this.nonce,
    }
    return this.key.proof(of, changed)
  }
  async send(
    path: string,
    body: object,
    headers: Record<string, string> = {},
    method = 'POST',
  ): Promise<Answer> {
    const response = await fetch(this.urlOf(path), {
      method,
      ...(method === 'POST' && { body: JSON.stringify(body) }),
      headers: {
        'content-type': 'application/json',
        'privy-app-id': appOf[this.mode],
        'privy-client': 'x:1',
        'privy-ca-id': '',
        origin: this.site.vaultOrigin,
        ...(this.token && { authorization: `Bearer ${this.token}` }),
        ...headers,
      },
    })
    const text = await response.text()
    const nonce = response.headers.get('dpop-nonce')
    this.nonce = nonce ?? this.nonce
    let read = {}
    try {
      read = JSON.parse(text)
    } catch {}
    return { status: response.status, text, body: read, nonce }
  }
  get = (path: string, headers?: Record<string, string>) => this.send(path, {}, headers, 'GET')
  /** With a proof of its own key, if it has one. */
  async post(
    path: string,
    body: object = {},
    changed?: { claims?: object; header?: object },
  ): Promise<Answer> {
    const send = () => this.send(path, body, this.key ? { dpop: this.proofFor(path, changed) } : {})
    const first = await send()
    return first.text.includes('use_dpop_nonce') ? send() : first
  }
}

/** A call of the vault as it went over the wire. */
export interface Captured {
  path: string
  headers: Record<string, string>
  body: string
}

/** Somebody with a wallet, in a browser in which a hostile page of an allowed origin stands around the vault. */
export interface Victim {
  mode: Mode
  email: string
  token: string
  refreshToken: string
  address: string
  solana: string
  context: BrowserContext
  page: Page
  calls: Captured[]
  setIds: string[]
}

/** A login by e-mail, outside of a browser. */
export async function logIn(site: HostileSite, mode: Mode, email: string) {
  const page = new Outsider(site, mode, undefined, null)
  const headers = { origin: site.host }
  await page.send('passwordless/init', { email }, headers)
  const { code } = site.mailbox.messages().find(({ to, code }) => to === email && code) ?? {}
  const { body, text } = await page.send('passwordless/authenticate', { email, code }, headers)
  const { token = '', refresh_token: refreshToken = '' } = body as Record<string, string>
  if (!token) throw new Error(`No login: ${text}`)
  return { token, refreshToken }
}

type Created = Readonly<Record<string, string | undefined>>
let people = 0
/** @param first what happens before there is a wallet */
export async function newVictim(
  site: HostileSite,
  context: BrowserContext,
  mode: Mode,
  first: (token: string) => Promise<void> = async () => {},
): Promise<Victim> {
  const email = `victim.${mode}.${process.pid}.${++people}@example.com`
  const { token, refreshToken } = await logIn(site, mode, email)
  await first(token)
  const calls: Captured[] = []
  const page = await openHostile(site, context, mode)
  const keep = (request: Request) => {
    if (request.method() !== 'POST' || !request.url().startsWith(`${site.apiUrl}/api/v1/`)) return
    const path = request.url().slice(`${site.apiUrl}/api/v1/`.length)
    calls.push({ path, headers: request.headers(), body: request.postData() ?? '' })
  }
  context.on('request', keep)
  const create = async (event: string) => (await say(page, event, { accessToken: token })) as never as Created
  const ethereum = await create('privy:wallet:create')
  const { address } = ethereum
  const made = await create('privy:solana-wallet:create')
  const { publicKey: solana } = made
  if (!address || !solana) throw new Error(`No wallet: ${JSON.stringify([ethereum, made])}`)
  const setIds = [
    ...new Set(
      calls.flatMap(({ body }) => [...body.matchAll(/"set_id":"([\w-]+)"/g)].map(([, id = '']) => id)),
    ),
  ]
  return { mode, email, token, refreshToken, address, solana, context, page, calls, setIds }
}

/** The hostile page with a hidden vault in it that has answered its handshake. */
export async function openHostile(site: HostileSite, context: BrowserContext, mode: Mode): Promise<Page> {
  const page = await context.newPage()
  await page.goto(site.host)
  await page.evaluate((url) => window.hostile.hide(url), site.pages(mode))
  return page
}

/** Says one thing to the hidden vault. Resolves with its data, or its error. */
export const say = (page: Page, event: string, data: object): Promise<Record<string, unknown>> =>
  page.evaluate(([event, data]) => window.hostile.ask(event, data), [event, data] as const)

/** Everything that the hostile page has heard since it was asked last. */
export const heardBy = (page: Page): Promise<string[]> => page.evaluate(() => window.hostile.heard.splice(0))

const shareNames = /"(auth_share|recovery_package|recovery_key|evaluation|recovery_code)":"[^"]{16,}"/
/** What of value is in what somebody has got hold of. */
export function lootIn(texts: readonly string[], address: string): Loot[] {
  const found = new Set<Loot>()
  for (const text of texts) {
    if (shareNames.test(text)) found.add('share')
    if (/0x[0-9a-f]{130,}/i.test(text) || /"signature":"[A-Za-z0-9+/]{86}=="/.test(text))
      found.add('signature')
    for (const [key] of text.matchAll(/[0-9a-f]{64}/gi))
      try {
        if (privateKeyToAccount(`0x${key.toLowerCase()}`).address === address) found.add('key')
      } catch {}
    if (/(?:\b[a-z]{3,8} ){11}[a-z]{3,8}\b/.test(text)) found.add('key')
  }
  return [...found]
}

/** What a person has, as the server tells it to their page; `undefined` once their session has ended. */
export async function stateOf(site: HostileSite, { mode, token }: Pick<Victim, 'mode' | 'token'>) {
  const page = new Outsider(site, mode, token, null)
  const headers = { origin: site.host }
  const [devices, me] = await Promise.all([page.get('devices', headers), page.get('users/me', headers)])
  const { devices: known } = devices.body as { devices?: { id: string }[] }
  const { user } = me.body as { user?: { linked_accounts: Record<string, string>[] } }
  if (!known || !user) return undefined
  const wallets = user.linked_accounts.filter(({ type }) => type === 'wallet')
  return {
    devices: known.map(({ id }) => id),
    wallets: wallets.map(({ address }) => address ?? ''),
    recovery: wallets.map(({ address, recovery_method: method }) => `${address} ${method}`),
  }
}
type State = Awaited<ReturnType<typeof stateOf>>
export function changesOf(before: State, after: State): Loot[] {
  if (!before || !after) return []
  const more = (a: readonly string[], b: readonly string[]) => b.some((one) => !a.includes(one))
  const known = after.recovery.filter((one) => before.wallets.some((address) => one.startsWith(address)))
  return [
    ...(more(before.devices, after.devices) ? (['device added'] as const) : []),
    ...(more(after.devices, before.devices) ? (['device removed'] as const) : []),
    ...(more(before.wallets, after.wallets) ? (['wallet added'] as const) : []),
    ...(more(before.recovery, known) ? (['recovery changed'] as const) : []),
  ]
}

/** Attempts and what came of them, one row each. */
export function createTable(title: string) {
  const rows: { attempt: string; got: string }[] = []
  return {
    rows,
    note(attempt: string, got: readonly string[]) {
      rows.push({ attempt, got: got.length > 0 ? got.join(', ') : '–' })
    },
    print() {
      const width = Math.max(...rows.map(({ attempt }) => attempt.length))
      const lines = rows.map(
        ({ attempt, got }, at) => `${String(at + 1).padStart(3)}  ${attempt.padEnd(width)}  ${got}`,
      )
      const won = rows.filter(({ got }) => got !== '–').length
      console.log([`${title}: ${won} of ${rows.length} attempts brought something`, ...lines].join('\n'))
    },
    /** By name, those that have brought something. */
    won: () =>
      Object.fromEntries(rows.filter(({ got }) => got !== '–').map(({ attempt, got }) => [attempt, got])),
  }
}

export { minute }
