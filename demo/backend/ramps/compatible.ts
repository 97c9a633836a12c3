import type { Hono } from 'hono'
import * as v from 'valibot'
import { readWalletAddress } from '../chains/address.ts'
import { readQuery } from '../http/body.ts'
import { notKept } from '../http/post.ts'
import type { ServerEnv } from '../http/services.ts'
import { Refusal } from '../lib/refusal.ts'
import { requireBearer } from '../sessions/bearer.ts'
import { postAsUser } from '../sessions/post-as-user.ts'
import type { App } from '../settings/app.ts'
import { countEvent } from '../store/rate-limits.ts'
import { refuseFrozen } from '../users/frozen.ts'
import { toDigits } from './amounts.ts'
import { symbolOf } from './assets.ts'
import {
  catchRampRefusal,
  type FundingContext,
  readBuyer,
  requireOwnAddress,
  requireRamp,
  requireRamps,
} from './context.ts'
import type { PaymentMethod } from './provider.ts'
import { coinbaseNetworks } from './providers/coinbase.ts'
import { moonpayCodes } from './providers/moonpay.ts'

const hour = 3_600_000

/** Payment methods of the protocol, by our own names. */
const moonpayMethods: Readonly<Record<string, PaymentMethod>> = {
  ach_bank_transfer: 'bank-transfer',
  credit_debit_card: 'card',
  gbp_bank_transfer: 'bank-transfer',
  gbp_open_banking_payment: 'bank-transfer',
  mobile_wallet: 'apple-pay',
  sepa_bank_transfer: 'bank-transfer',
  sepa_open_banking_payment: 'bank-transfer',
  pix_instant_payment: 'bank-transfer',
  yellow_card_bank_transfer: 'bank-transfer',
}
/** Currency codes that unmodified clients send for each kind of address. */
export const moonpayCodesByKind = {
  ethereum: [
    ...[
      'AVAX_CCHAIN',
      'CELO_CELO',
      'CUSD_CELO',
      'DAI_ETHEREUM',
      'ETH_ETHEREUM',
      'ETH_ARBITRUM',
      'ETH_OPTIMISM',
    ],
    ...['ETH_POLYGON', 'ETH_BASE', 'FIL_FVM', 'MATIC_ETHEREUM', 'MATIC_POLYGON', 'USDC_ETHEREUM'],
    ...['USDC_ARBITRUM', 'USDC_OPTIMISM', 'USDC_POLYGON', 'USDC_BASE', 'USDT_ETHEREUM', 'USDT_POLYGON'],
    ...['WETH_POLYGON', 'WBTC_ETHEREUM', 'BNB_BNB', 'BNB_BSC'],
  ],
  solana: ['SOL', 'USDC_SOL'],
} as const
/** The older forms. */
export const shortCodes: Readonly<Record<string, string>> = {
  CELO: 'CELO_CELO',
  CUSD: 'CUSD_CELO',
  DAI: 'DAI_ETHEREUM',
  ETH: 'ETH_ETHEREUM',
  FIL: 'FIL_FVM',
  MATIC: 'MATIC_ETHEREUM',
  USDC: 'USDC_ETHEREUM',
  USDT: 'USDT_ETHEREUM',
  WETH: 'WETH_POLYGON',
  WBTC: 'WBTC_ETHEREUM',
}

const address = v.pipe(v.string(), v.minLength(1), v.maxLength(64))
const signBody = v.object({
  address,
  useSandbox: v.optional(v.boolean(), false),
  config: v.object({
    quoteCurrencyAmount: v.optional(v.pipe(v.number(), v.finite(), v.gtValue(0), v.maxValue(1e12))),
    email: v.optional(v.pipe(v.string(), v.email(), v.maxLength(254))),
    paymentMethod: v.optional(v.picklist(Object.keys(moonpayMethods))),
    currencyCode: v.optional(v.pipe(v.string(), v.maxLength(32))),
    uiConfig: v.optional(
      v.object({
        accentColor: v.optional(v.pipe(v.string(), v.regex(/^#[\da-f]{3,8}$/i))),
        theme: v.optional(v.picklist(['light', 'dark'])),
      }),
    ),
  }),
})
const network = v.picklist([
  ...([
    'ethereum',
    'bitcoin',
    'base',
    'avacchain',
    'optimism',
    'solana',
    'polygon',
    'arbitrum',
    'stellar',
  ] as const),
])
const initBody = v.object({
  addresses: v.pipe(
    v.array(v.object({ address, blockchains: v.pipe(v.array(network), v.minLength(1), v.maxLength(16)) })),
    v.minLength(1),
    v.maxLength(8),
  ),
  assets: v.optional(v.pipe(v.array(v.pipe(v.string(), v.regex(/^[A-Za-z]{2,8}$/))), v.maxLength(8))),
})

/** The calls of unmodified clients. docs/protocol.md, "Funding". */
export function compatibleRoutes(api: Hono<ServerEnv>, context: FundingContext): void {
  const { services, purchases, cx } = context
  const { database, limits, clock } = services

  async function requireWallet(app: App, userId: string, text: string) {
    const wallet = readWalletAddress(text)
    if (!wallet) throw new Refusal('invalid_data', 'Invalid or missing: address')
    const chain = wallet.chainType === 'solana' ? 'solana:mainnet' : 'eip155:1'
    await requireOwnAddress(database, app, userId, { chain, address: wallet.address })
    return wallet
  }
  const countStart = (userId: string) =>
    countEvent(database, `purchases ${userId}`, clock(), hour, [
      { most: limits.purchasesPerHour, span: hour },
    ])

  api.post(
    '/api/v1/plugins/moonpay_on_ramp/sign',
    postAsUser(services, {
      body: signBody,
      async handle({ c, app, body, bearer: { userId } }) {
        requireRamps(app)
        const ramp = requireRamp(app, 'moonpay')
        // Nobody pays with real money because a page has left the flag out, or in.
        if (body.useSandbox && !ramp.sandbox)
          throw new Refusal('feature_not_enabled', 'This app does not use the sandbox.')
        const { config } = body
        const wallet = await requireWallet(app, userId, body.address)
        const code = readCode(wallet.chainType, config.currencyCode)
        const { chain, asset, symbol } = placeOf(code)
        const product = ramp.productOfCode?.(code)
        const amount = toDigits(config.quoteCurrencyAmount) ?? null
        const method = moonpayMethods[config.paymentMethod ?? 'credit_debit_card'] ?? 'card'
        await countStart(userId)
        const presentation = {
          theme: config.uiConfig?.theme,
          accentColor: config.uiConfig?.accentColor,
        }
        const order = { address: wallet.address, chain, asset, amount, currency: 'USD', method, product }
        const row = await purchases.create({
          ...order,
          appId: app.id,
          userId,
          reference: null,
          provider: ramp.id,
          isSandbox: ramp.sandbox,
          symbol,
          product: product ?? null,
          presentation,
          termsAcceptedAt: null,
        })
        const buyer = await readBuyer(context, c, userId)
        const started = await catchRampRefusal(() =>
          ramp.start({ ...order, reference: row.id }, { ...presentation, email: config.email }, buyer, cx),
        )
        await purchases.setOpening(row, started)
        return { body: { signedUrl: started.opening.url, externalTransactionId: row.id } }
      },
    }),
  )

  api.post(
    '/api/v1/funding/coinbase_on_ramp/init',
    postAsUser(services, {
      actor: notKept,
      body: initBody,
      async handle({ c, app, body, bearer: { userId } }) {
        requireRamps(app)
        const ramp = requireRamp(app, 'coinbase-onramp')
        if (!ramp.openSession) throw new Error('The provider has no sessions')
        const wallets = await Promise.all(
          body.addresses.map((each) => requireWallet(app, userId, each.address)),
        )
        const [wallet] = wallets
        const blockchain = body.addresses[0]?.blockchains[0]
        if (!wallet || !blockchain) throw new Refusal('invalid_data', 'Invalid or missing: addresses')
        await countStart(userId)
        const chain =
          Object.entries(coinbaseNetworks).find(([, name]) => name === blockchain)?.[0] ??
          (wallet.chainType === 'solana' ? 'solana:mainnet' : 'eip155:1')
        const symbol = body.assets?.[0]?.toUpperCase() ?? symbolOf(chain, 'native-currency') ?? 'ETH'
        const session = {
          addresses: body.addresses.map(({ blockchains }, at) => ({
            address: wallets[at]?.address ?? '',
            blockchains,
          })),
          assets: body.assets?.map((each) => each.toUpperCase()),
        }
        const buyer = await readBuyer(context, c, userId)
        const { token, channelId } = await catchRampRefusal(async () => {
          if (!ramp.openSession) throw new Error('The provider has no sessions')
          return ramp.openSession(session, buyer, cx)
        })
        const row = await purchases.create({
          appId: app.id,
          userId,
          reference: null,
          provider: ramp.id,
          method: 'card',
          isSandbox: ramp.sandbox,
          address: wallet.address,
          chain,
          asset: symbol === 'USDC' ? 'USDC' : 'native-currency',
          symbol,
          // The page that the client opens says which one of them.
          product: null,
          amount: null,
          currency: 'USD',
          presentation: {},
          termsAcceptedAt: null,
        })
        return {
          body: {
            app_id: ramp.projectId ?? '',
            session_token: token,
            channel_id: channelId,
            partner_user_id: `${ramp.sandbox ? 'sandbox-' : ''}${row.id}`,
          },
        }
      },
    }),
  )

  api.get('/api/v1/funding/coinbase_on_ramp/status', async (c) => {
    const app = c.get('app')
    const { userId } = await requireBearer(c, services)
    await refuseFrozen(database, userId)
    const ramp = requireRamp(app, 'coinbase-onramp')
    const id = (readQuery(c).get('partnerUserId') ?? '').replace(/^sandbox-/, '')
    const row = await purchases.require({ appId: app.id, userId }, id)
    if (row.provider !== ramp.id) throw new Refusal('invalid_data', 'Invalid or missing: partnerUserId')
    const { status } = await purchases.refresh(row, ramp)
    const said = status === 'completed' ? 'success' : status === 'failed' ? 'failure' : 'pending'
    return c.json({ status: said })
  })
}

/** The long form of a code, if it is one for such an address. */
function readCode(kind: 'ethereum' | 'solana', given: string | undefined): string {
  const named = given ?? (kind === 'solana' ? 'SOL' : 'ETH_ETHEREUM')
  const code = kind === 'ethereum' && Object.hasOwn(shortCodes, named) ? shortCodes[named] : named
  const known: readonly string[] = moonpayCodesByKind[kind]
  if (code === undefined || !known.includes(code))
    throw new Refusal('invalid_data', 'Invalid or missing: config.currencyCode')
  return code
}

/** Coin of a currency code. Codes without a chain in our table have a name alone. */
function placeOf(code: string): { chain: string; asset: string; symbol: string } {
  const row = Object.entries(moonpayCodes).find(([, codes]) => codes.includes(code))
  const [symbol = code] = code.split('_')
  if (!row) return { chain: 'eip155:1', asset: symbol, symbol }
  const [chain, [, usdc]] = row
  const asset = code === usdc ? 'USDC' : 'native-currency'
  return { chain, asset, symbol: symbolOf(chain, asset) ?? symbol }
}
