import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { base58 } from '@scure/base'
import { Hono } from 'hono'
import { getAddress } from 'viem'
import type { BackendSettings } from '../../../demo/backend/server.ts'
import type { AppSettings } from '../../../demo/backend/settings/demo-apps.ts'
import { accounts } from '../../../demo/backend/users/tables.ts'
import {
  createCoinbaseOnramp,
  type OnrampAccount,
} from '../../../demo/world/coinbase-onramp/coinbase-onramp.ts'
import { createMoonpay, type MoonpayAccount } from '../../../demo/world/moonpay/moonpay.ts'
import type { Delivery, Treasury } from '../../../demo/world/payments/treasury.ts'
import { serveOn } from '../../support/serve.ts'
import { Client, type ClientOptions } from './client.ts'
import { type Store, site, startWorld, type World } from './world.ts'

export const rampApp = 'latchkey-test-ramps-00001'
export const otherRampApp = 'latchkey-test-ramps-00002'
/** Its providers may sell nothing. */
export const closedRampApp = 'latchkey-test-ramps-00009'
export const wallet = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
export const solanaWallet = '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV'

export const moonpayAccount: MoonpayAccount = {
  publishableKey: 'pk_test_ramps0001',
  secretKey: 'sk_test_ramps0001secret',
  webhookKey: 'wk_test_ramps0001webhook',
}
const { privateKey, publicKey } = generateKeyPairSync('ed25519')
/** As the provider gives it out: seed and public key in base64. */
export const cdpKey = Buffer.concat([
  privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32),
  publicKey.export({ format: 'der', type: 'spki' }).subarray(-32),
]).toString('base64')
export const onrampAccount: OnrampAccount = {
  projectId: 'a1b2c3d4-project',
  keyName: 'organizations/latchkey/apiKeys/ramps-test',
  publicKey: publicKey.export({ format: 'pem', type: 'spki' }) as string,
  webhookSecret: 'hook0-secret-of-the-test-00',
}

export type Ramps = Awaited<ReturnType<typeof startSellers>>

/** Both sellers over HTTP, whose treasury writes down what it pays. */
export async function startSellers(now: () => number) {
  const delivered: Delivery[] = []
  const treasury: Treasury = {
    address: '0x0000000000000000000000000000000000000001',
    has: (chain, symbol) =>
      symbol === 'USDC' ? chain.startsWith('eip155:') : /^(eip155:(1|8453)|solana:mainnet)$/.test(chain),
    async deliver(delivery) {
      delivered.push(delivery)
      return `0x${String(delivered.length).padStart(64, 'a')}`
    },
    collect: async () => `0x${'c'.repeat(64)}`,
  }
  /** Answers instead of the sellers, for what a test asks of them. */
  const instead: {
    answer: ((request: Request) => Response | undefined | Promise<Response | undefined>) | undefined
  } = {
    answer: undefined,
  }
  const requests: { method: string; path: string; body: string }[] = []
  const { app, origin, stop } = await serveOn((base) => {
    const common = { treasury, now, slowness: 3_600_000 }
    const moonpay = createMoonpay({ ...common, base: `${base}/moonpay`, accounts: [moonpayAccount] })
    const coinbase = createCoinbaseOnramp({
      ...common,
      base: `${base}/coinbase`,
      accounts: [onrampAccount],
    })
    const mounted = new Hono().route('/moonpay', moonpay.app).route('/coinbase', coinbase.app)
    return {
      moonpay,
      coinbase,
      async fetch(request: Request) {
        const { pathname } = new URL(request.url)
        requests.push({ method: request.method, path: pathname, body: await request.clone().text() })
        return (await instead.answer?.(request)) ?? mounted.fetch(request)
      },
    }
  }, 'localhost')
  const { moonpay, coinbase } = app
  return { moonpay, coinbase, origin, delivered, instead, requests, stop }
}

/** An app with both providers. */
export const rampSettings = (
  { origin }: Pick<Ramps, 'origin'>,
  {
    id = rampApp,
    coinbase = {},
    moonpay = {},
    bridging = false,
  }: { id?: string; coinbase?: object; moonpay?: object; bridging?: boolean } = {},
): AppSettings => ({
  id,
  name: 'Ramps',
  allowedDomains: [site],
  redirectUrls: [`${site}/*`],
  methods: ['email', 'sms'],
  funding: {
    chain: 'eip155:8453',
    amount: '0.05',
    methods: ['moonpay', 'coinbase-onramp', 'external'],
    options: [],
    bridging,
  },
  onRamps: {
    providers: {
      moonpay: {
        publishableKey: moonpayAccount.publishableKey,
        secretKey: moonpayAccount.secretKey,
        webhookKey: moonpayAccount.webhookKey,
        methods: ['card', 'bank-transfer'],
        hosts: {
          buy: `${origin}/moonpay/buy`,
          sandboxBuy: `${origin}/moonpay/buy`,
          api: `${origin}/moonpay`,
        },
        ...moonpay,
      },
      'coinbase-onramp': {
        keyName: onrampAccount.keyName,
        privateKey: cdpKey,
        projectId: onrampAccount.projectId,
        webhookSecret: onrampAccount.webhookSecret,
        sandbox: true,
        methods: ['card', 'exchange', 'apple-pay'],
        hosts: {
          api: `${origin}/coinbase`,
          platform: `${origin}/coinbase`,
          pay: `${origin}/coinbase`,
          sandboxPay: `${origin}/coinbase/sandbox`,
        },
        ...coinbase,
      },
    },
  },
})

export interface RampWorld extends World {
  sellers: Ramps
}

/** A backend whose app sells coins by both stand-ins. */
export async function startRampWorld(
  store: Store,
  settings: Partial<BackendSettings> & { app?: Parameters<typeof rampSettings>[1] } = {},
): Promise<RampWorld> {
  let world: World | undefined
  const sellers = await startSellers(() => world?.clock.now ?? Date.now())
  const { app, ...rest } = settings
  try {
    world = await startWorld(store, {
      moreApps: [
        rampSettings(sellers, app),
        rampSettings(sellers, { ...app, id: otherRampApp }),
        { ...rampSettings(sellers, { ...app, id: closedRampApp }), fiatOnRamp: false },
      ],
      ...rest,
      limits: { purchasesPerHour: 10_000, fundingQuotesPerMinute: 10_000, purchaseCheck: 0, ...rest.limits },
    })
  } catch (cause) {
    await sellers.stop()
    throw cause
  }
  const running = world
  return {
    ...running,
    sellers,
    async stop() {
      await sellers.stop()
      await running.stop()
    },
  }
}

/** Somebody who is logged in and has two wallets of their own. */
export async function newBuyer(
  world: World,
  { phone, wallets = true, ...options }: ClientOptions & { phone?: string; wallets?: boolean } = {},
): Promise<{ client: Client; userId: string; address: string; solana: string }> {
  const client = new Client(world, { appId: rampApp, ...options })
  const login = await client.login(`buyer-${randomUUID()}@example.com`)
  if (login.status !== 200) throw new Error(login.text)
  const userId: string = login.body.user.id
  const address = checksummedRandom()
  const solana = randomSolana()
  const at = world.clock.now
  const row = { appId: client.appId, userId, linkedAt: at, verifiedAt: at }
  if (wallets)
    await world.backend.database.insert(accounts).values([
      { ...row, type: 'ethereum-wallet' as const, subject: address },
      { ...row, type: 'solana-wallet' as const, subject: solana },
    ])
  if (phone) await world.backend.database.insert(accounts).values({ ...row, type: 'phone', subject: phone })
  return { client, userId, address, solana }
}

const checksummedRandom = () => getAddress(`0x${randomUUID().replaceAll('-', '')}${randomUUID().slice(0, 8)}`)
const randomSolana = () => base58.encode(crypto.getRandomValues(new Uint8Array(32)))

/** Plays the buyer on a seller's page. @returns the page that comes then */
export async function playPage(url: string, play: string): Promise<{ status: number; html: string }> {
  const shown = await fetch(url)
  const html = await shown.text()
  if (shown.status !== 200) return { status: shown.status, html }
  const action = /<form method="post" action="([^"]+)"/.exec(html)?.[1] ?? ''
  const fields = new URLSearchParams()
  for (const [, name = '', value = ''] of html.matchAll(
    /<input type="hidden" name="([^"]+)" value="([^"]*)"/g,
  ))
    fields.set(name, plain(value))
  fields.set('play', play)
  const next = await fetch(plain(action), { method: 'POST', body: fields })
  return { status: next.status, html: await next.text() }
}
/** Answers the bank's question on that page. */
export async function answerBank(html: string, answer: 'yes' | 'no'): Promise<string> {
  const action = /<form method="post" action="([^"]+)"/.exec(html)?.[1] ?? ''
  const id = /name="id" value="([^"]+)"/.exec(html)?.[1] ?? ''
  const next = await fetch(plain(action), { method: 'POST', body: new URLSearchParams({ id, answer }) })
  return next.text()
}
const plain = (text: string) => text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
