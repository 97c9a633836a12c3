import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { Unavailable } from '../../lib/refusal.ts'
import { askOutside } from '../../outside/ask.ts'
import { sumOf, toDigits } from '../amounts.ts'
import {
  BadWebhook,
  failureOf,
  type Observation,
  type Order,
  type PaymentMethod,
  type RampContext,
  type RampProvider,
  RampRefusal,
} from '../provider.ts'
import { assertAge, assertSignature, hmac, readFields, readJsonBody } from '../signatures.ts'

/** What our methods are called there. A transfer is named by its currency. */
const methods: Readonly<Partial<Record<PaymentMethod, string>>> = {
  card: 'credit_debit_card',
  'apple-pay': 'mobile_wallet',
  'google-pay': 'mobile_wallet',
}
const transfers: Readonly<Record<string, string>> = {
  USD: 'ach_bank_transfer',
  EUR: 'sepa_bank_transfer',
  GBP: 'gbp_bank_transfer',
}
/** Codes of the protocol, by chain: the coin and USDC. docs/protocol.md, "Funding". */
export const moonpayCodes: Readonly<Record<string, readonly [coin: string, usdc?: string]>> = {
  'eip155:1': ['ETH_ETHEREUM', 'USDC_ETHEREUM'],
  'eip155:42161': ['ETH_ARBITRUM', 'USDC_ARBITRUM'],
  'eip155:8453': ['ETH_BASE', 'USDC_BASE'],
  'eip155:137': ['MATIC_POLYGON', 'USDC_POLYGON'],
  'eip155:43114': ['AVAX_CCHAIN'],
  'eip155:42220': ['CELO_CELO'],
  'solana:mainnet': ['SOL', 'USDC_SOL'],
}
/** Where the provider's code is not the protocol's in small letters. */
const ownCodes: Readonly<Record<string, string>> = {
  CELO_CELO: 'celo',
  CUSD_CELO: 'cusd',
  DAI_ETHEREUM: 'dai',
  ETH_ETHEREUM: 'eth',
  MATIC_ETHEREUM: 'matic',
  USDC_ETHEREUM: 'usdc',
  USDT_ETHEREUM: 'usdt',
  WBTC_ETHEREUM: 'wbtc',
}

const host = v.pipe(
  v.string(),
  v.regex(/^https?:\/\/[^\s?#]*[^\s?#/]$/, 'must be an address without a / at its end'),
)
const key = (kind: 'pk' | 'sk') =>
  v.pipe(
    v.string(),
    v.regex(
      new RegExp(`^${kind}_(?:test|live)_\\w{4,128}$`),
      `must begin with ${kind}_test_ or ${kind}_live_`,
    ),
  )
const settings = v.pipe(
  v.strictObject({
    publishableKey: key('pk'),
    /** Secret: signs addresses. */
    secretKey: key('sk'),
    /** Secret: checks webhooks. Without it none are taken, and a status is known once it is asked for. */
    webhookKey: v.optional(
      v.pipe(v.string(), v.regex(/^[\x21-\x7e]{16,256}$/, 'must have 16 characters or more')),
    ),
    methods: v.optional(
      v.pipe(v.array(v.picklist(['card', 'apple-pay', 'google-pay', 'bank-transfer'])), v.minLength(1)),
      () => ['card' as const],
    ),
    /** The provider's codes, where they have changed: `{ "MATIC_POLYGON": "pol_polygon" }`. */
    codes: v.optional(v.record(v.string(), v.pipe(v.string(), v.regex(/^[a-z\d_]{1,32}$/))), {}),
    hosts: v.optional(
      v.strictObject({
        buy: v.optional(host, 'https://buy.moonpay.com'),
        sandboxBuy: v.optional(host, 'https://buy-sandbox.moonpay.com'),
        api: v.optional(host, 'https://api.moonpay.com'),
      }),
      {},
    ),
  }),
  v.check(
    ({ publishableKey, secretKey }) => publishableKey.split('_')[1] === secretKey.split('_')[1],
    'has a key of the sandbox beside a live one',
  ),
)
type Settings = v.InferOutput<typeof settings>

const amount = v.fallback(v.nullish(v.union([v.number(), v.string()])), undefined)
const text = v.fallback(v.nullish(v.pipe(v.string(), v.maxLength(512))), undefined)
const transaction = v.object({
  id: v.pipe(v.string(), v.minLength(1), v.maxLength(128)),
  status: v.string(),
  updatedAt: text,
  createdAt: text,
  failureReason: text,
  stages: v.fallback(v.nullish(v.array(v.object({ status: text, failureReason: text }))), undefined),
  walletAddress: v.string(),
  currency: v.object({ code: v.string() }),
  externalTransactionId: v.nullish(v.string()),
  baseCurrencyAmount: amount,
  quoteCurrencyAmount: amount,
  feeAmount: amount,
  extraFeeAmount: amount,
  networkFeeAmount: amount,
  baseCurrency: v.fallback(v.nullish(v.object({ code: v.string() })), undefined),
  cryptoTransactionId: text,
})
const event = v.object({ type: v.string(), data: v.unknown() })
const quoteAnswer = v.object({
  quoteCurrencyAmount: v.union([v.number(), v.string()]),
  totalAmount: v.union([v.number(), v.string()]),
  feeAmount: amount,
  extraFeeAmount: amount,
  networkFeeAmount: amount,
})
const limitsAnswer = v.object({
  quoteCurrency: v.object({ minBuyAmount: amount, maxBuyAmount: amount }),
})

/** Both spellings of the one are in use. */
const statuses: Readonly<Record<string, Observation['status']>> = {
  waitingPayment: 'waiting-payment',
  waitingAuthorization: 'waiting-authorization',
  awaitingAuthorization: 'waiting-authorization',
  pending: 'pending',
  completed: 'completed',
  failed: 'failed',
}

/** MoonPay: a page whose address is signed here, so that a page of the app can change nothing of it. */
export const moonpay: RampProvider = {
  id: 'moonpay',
  open(given) {
    const set = v.parse(settings, given)
    const sandbox = set.publishableKey.startsWith('pk_test_')
    function product(chain: string, asset: string): string | undefined {
      const row = Object.hasOwn(moonpayCodes, chain) ? moonpayCodes[chain] : undefined
      const code = row?.[asset === 'USDC' ? 1 : 0]
      return code && moonpayProduct(set, code)
    }
    /** An unmodified client names codes that have no row above. */
    function requireProduct({ chain, asset, product: named }: Order): string {
      const code = named ?? product(chain, asset)
      if (code === undefined) throw new RampRefusal('not-supported')
      return code
    }
    return {
      id: 'moonpay',
      name: 'MoonPay',
      sandbox,
      methods: set.methods.map((id) => ({ id, opens: 'url' as const })),
      product,
      productOfCode: (code) => moonpayProduct(set, code),
      quote: async (order, _, cx) => fetchQuote(set, order, requireProduct(order), cx),
      async start(order, presentation, buyer) {
        const code = requireProduct(order)
        return {
          opening: {
            kind: 'url',
            url: signedUrl(set, sandbox, {
              currencyCode: code,
              walletAddress: order.address,
              baseCurrencyCode: order.currency.toLowerCase(),
              quoteCurrencyAmount: order.amount ?? undefined,
              // Without it the amount could be changed on the page.
              lockAmount: order.amount === null ? undefined : 'true',
              paymentMethod: methodName(order),
              externalTransactionId: order.reference,
              // The same for all purchases of a user, and says nothing of who they are.
              externalCustomerId: createHash('sha256').update(buyer.userId).digest('base64url').slice(0, 32),
              email: presentation.email,
              theme: presentation.theme,
              colorCode: presentation.accentColor,
              language: presentation.language,
              redirectURL: presentation.returnUrl,
            }),
          },
        }
      },
      async status({ reference }, cx) {
        const path = `/v1/transactions/ext/${encodeURIComponent(reference)}`
        const { status, body } = await ask(set, path, {}, cx)
        if (status === 404) return []
        const found = v.safeParse(v.array(transaction), body)
        if (status !== 200 || !found.success) throw down(`status ${status}`)
        return found.output.flatMap((each) => observed({ ...each, externalTransactionId: reference }) ?? [])
      },
      verifyWebhook({ headers, body }, cx) {
        if (set.webhookKey === undefined) throw new BadWebhook('no key')
        const { t, s = '' } = readFields(headers.get('moonpay-signature-v2'), ['t', 's'])
        assertAge(t, cx)
        const signed = Buffer.concat([Buffer.from(`${t}.`), body])
        assertSignature(hmac(set.webhookKey, signed, 'hex'), s)
        const told = v.safeParse(event, readJsonBody(body))
        if (!told.success || !/^transaction_(created|updated|failed)$/.test(told.output.type))
          return undefined
        const found = v.safeParse(transaction, told.output.data)
        return found.success ? observed(found.output) : undefined
      },
    }
  },
}

/** The provider's code for one of the protocol's. */
const moonpayProduct = ({ codes }: Pick<Settings, 'codes'>, code: string): string =>
  (Object.hasOwn(codes, code) ? codes[code] : ownCodes[code]) ?? code.toLowerCase()

function methodName({ method, currency }: Order): string {
  const name = method === 'bank-transfer' ? transfers[currency] : methods[method]
  if (name === undefined) throw new RampRefusal('not-supported')
  return name
}

/** The page's address with the signature at its end, after which nothing may be added. */
function signedUrl(
  { publishableKey, secretKey, hosts }: Settings,
  sandbox: boolean,
  fields: Readonly<Record<string, string | undefined>>,
): string {
  const query = Object.entries({ apiKey: publishableKey, ...fields })
    .flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}=${encodeURIComponent(value).replaceAll("'", '%27')}`],
    )
    .join('&')
  const signature = hmac(secretKey, `?${query}`, 'base64')
  return `${sandbox ? hosts.sandboxBuy : hosts.buy}?${query}&signature=${encodeURIComponent(signature)}`
}

async function fetchQuote(set: Settings, order: Order, code: string, cx: RampContext) {
  const query = {
    baseCurrencyCode: order.currency.toLowerCase(),
    quoteCurrencyAmount: order.amount ?? '',
    paymentMethod: methodName(order),
    areFeesIncluded: 'true',
  }
  const { status, body } = await ask(set, `/v3/currencies/${code}/buy_quote`, query, cx)
  if (status >= 400 && status < 500) throw await readRefusal(set, order, code, cx)
  const found = v.safeParse(quoteAnswer, body)
  const receives = found.success ? toDigits(found.output.quoteCurrencyAmount) : undefined
  if (!found.success || receives === undefined) throw down(`quote ${status}`)
  return {
    receives,
    total: toDigits(found.output.totalAmount),
    fee: feeOf(found.output),
    currency: order.currency,
    seconds: order.method === 'bank-transfer' ? 86_400 : 300,
  }
}

/** Why there is no quote: the limits say more than the text of the error, which may change. */
async function readRefusal(set: Settings, order: Order, code: string, cx: RampContext) {
  const query = {
    baseCurrencyCode: order.currency.toLowerCase(),
    paymentMethod: methodName(order),
    areFeesIncluded: 'true',
  }
  const { status, body } = await ask(set, `/v3/currencies/${code}/limits`, query, cx)
  if (status === 404) return new RampRefusal('not-supported')
  const found = v.safeParse(limitsAnswer, body)
  if (status !== 200 || !found.success) return new RampRefusal('unavailable')
  const least = toDigits(found.output.quoteCurrency.minBuyAmount)
  const most = toDigits(found.output.quoteCurrency.maxBuyAmount)
  const asked = Number(order.amount)
  if (least !== undefined && asked < Number(least)) return new RampRefusal('amount-too-low', { least, most })
  if (most !== undefined && asked > Number(most)) return new RampRefusal('amount-too-high', { least, most })
  return new RampRefusal('unavailable')
}

const ask = (
  { publishableKey, hosts }: Settings,
  path: string,
  query: Readonly<Record<string, string>>,
  { limits }: RampContext,
) =>
  askOutside('MoonPay', `${hosts.api}${path}?${new URLSearchParams({ apiKey: publishableKey, ...query })}`, {
    timeout: limits.outsideTimeout,
    most: limits.outsideAnswerSize,
  })

const down = (what: string) =>
  new Unavailable('MoonPay could not be reached. Please try again.', { cause: new Error(what) })

const feeOf = (
  given: Pick<v.InferOutput<typeof transaction>, 'feeAmount' | 'extraFeeAmount' | 'networkFeeAmount'>,
) =>
  sumOf(
    [given.feeAmount, given.extraFeeAmount, given.networkFeeAmount].flatMap((each) => toDigits(each) ?? []),
  )

function observed(said: v.InferOutput<typeof transaction>): Observation | undefined {
  const status = Object.hasOwn(statuses, said.status) ? statuses[said.status] : undefined
  const at = Date.parse(said.updatedAt ?? said.createdAt ?? '')
  if (!status || !said.externalTransactionId || Number.isNaN(at)) return undefined
  const stage = said.stages?.find((each) => each.status === 'failed')
  const received = toDigits(said.quoteCurrencyAmount)
  const paid = toDigits(said.baseCurrencyAmount)
  const fee = feeOf(said)
  return {
    reference: said.externalTransactionId,
    transactionId: said.id,
    status,
    failure: status === 'failed' ? failureOf(stage?.failureReason ?? said.failureReason) : undefined,
    at,
    address: said.walletAddress,
    product: said.currency.code.toLowerCase(),
    received,
    total: paid === undefined ? undefined : sumOf([paid, fee]),
    fee,
    currency: said.baseCurrency?.code.toUpperCase(),
    transactionHash: said.cryptoTransactionId ?? undefined,
  }
}
