import { createPrivateKey, type KeyObject, randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { SignJWT } from 'jose'
import * as v from 'valibot'
import { readPhoneNumber } from '../../codes/phone-number.ts'
import { Unavailable } from '../../lib/refusal.ts'
import { fetchOutside, parseJson } from '../../outside/ask.ts'
import { sumOf, toDigits } from '../amounts.ts'
import { symbolOf } from '../assets.ts'
import {
  BadWebhook,
  type Buyer,
  failureOf,
  type Observation,
  type Order,
  type RampContext,
  type RampProvider,
  type RampQuote,
  RampRefusal,
} from '../provider.ts'
import { assertAge, assertSignature, hmac, readFields, readJsonBody } from '../signatures.ts'

/** Names of networks there, by chain. */
export const coinbaseNetworks: Readonly<Record<string, string>> = {
  'eip155:1': 'ethereum',
  'eip155:10': 'optimism',
  'eip155:137': 'polygon',
  'eip155:8453': 'base',
  'eip155:42161': 'arbitrum',
  'solana:mainnet': 'solana',
}
/** USDC is sold on all but this one. */
const WITHOUT_USDC = 'eip155:42161'
/** The window that the provider's page is made for. */
const POPUP = { width: 440, height: 680 }
const SESSION_LIFE = 5 * 60_000
/** For so long a number counts as verified there. */
const PHONE_LIFE = 60 * 86_400_000
/** The order API is for people of these countries alone, with a phone number there. */
const GUEST_COUNTRIES = ['US']
const TERMS = 'https://www.coinbase.com/legal/guest-checkout/us'

const host = v.pipe(
  v.string(),
  v.regex(/^https?:\/\/[^\s?#]*[^\s?#/]$/, 'must be an address without a / at its end'),
)
const settings = v.strictObject({
  /** Name of the secret API key: `organizations/…/apiKeys/…`, or a UUID. */
  keyName: v.pipe(v.string(), v.regex(/^[\w/-]{8,200}$/)),
  /** Secret: 64 bytes in base64 (Ed25519), or a P-256 key in PEM. */
  privateKey: v.pipe(v.string(), v.minLength(1)),
  /** Name of the app id in unmodified clients. */
  projectId: v.pipe(v.string(), v.regex(/^[\w-]{8,64}$/)),
  /** Secret: of the webhook subscription. Without it none are taken, and a status is known once it is asked for. */
  webhookSecret: v.optional(
    v.pipe(v.string(), v.regex(/^[\x21-\x7e]{16,256}$/, 'must have 16 characters or more')),
  ),
  sandbox: v.boolean(),
  methods: v.optional(
    v.pipe(v.array(v.picklist(['card', 'exchange', 'apple-pay', 'google-pay'])), v.minLength(1)),
    () => ['card' as const, 'exchange' as const],
  ),
  /** Country and state (ISO 3166) for which quotes of cards are made. */
  country: v.optional(v.pipe(v.string(), v.regex(/^[A-Z]{2}$/)), 'US'),
  subdivision: v.optional(v.pipe(v.string(), v.regex(/^[A-Z\d]{1,3}$/))),
  /** The page's domain that is allowed to show the payment's frame, where that is on the web. */
  frameDomain: v.optional(v.pipe(v.string(), v.regex(/^[a-z\d.:-]{1,253}$/i))),
  hosts: v.optional(
    v.strictObject({
      api: v.optional(host, 'https://api.developer.coinbase.com'),
      platform: v.optional(host, 'https://api.cdp.coinbase.com'),
      pay: v.optional(host, 'https://pay.coinbase.com'),
      sandboxPay: v.optional(host, 'https://pay-sandbox.coinbase.com'),
    }),
    {},
  ),
})
type Settings = v.InferOutput<typeof settings>
interface Key {
  key: KeyObject
  algorithm: 'EdDSA' | 'ES256'
}

const money = v.object({ value: v.union([v.string(), v.number()]), currency: v.string() })
const optionalMoney = v.fallback(v.nullish(money), undefined)
const optionalText = v.fallback(v.nullish(v.pipe(v.string(), v.maxLength(512))), undefined)
const requiredText = v.pipe(v.string(), v.minLength(1), v.maxLength(512))
const token = v.object({ token: requiredText, channelId: v.optional(v.string(), '') })
const fees = v.fallback(
  v.array(v.object({ amount: v.union([v.string(), v.number()]), currency: v.optional(v.string()) })),
  [],
)
const sessionQuote = v.object({
  quote: v.object({
    paymentTotal: v.string(),
    purchaseAmount: v.string(),
    paymentCurrency: v.string(),
    fees,
  }),
})
const order = v.object({
  orderId: requiredText,
  status: v.string(),
  destinationAddress: v.string(),
  destinationNetwork: v.string(),
  purchaseCurrency: v.string(),
  purchaseAmount: optionalText,
  paymentTotal: optionalText,
  paymentCurrency: optionalText,
  fees,
  txHash: optionalText,
  partnerUserRef: optionalText,
  createdAt: optionalText,
  updatedAt: optionalText,
  failureReason: optionalText,
})
const orderAnswer = v.object({ order })
const newOrder = v.object({ order, paymentLink: v.object({ url: requiredText }) })
const transaction = v.object({
  transactionId: requiredText,
  status: v.string(),
  walletAddress: v.string(),
  purchaseCurrency: v.string(),
  purchaseNetwork: v.string(),
  partnerUserRef: optionalText,
  purchaseAmount: optionalMoney,
  paymentTotal: optionalMoney,
  coinbaseFee: optionalMoney,
  networkFee: optionalMoney,
  txHash: optionalText,
  createdAt: optionalText,
  completedAt: optionalText,
  failureReason: optionalText,
  errorCode: optionalText,
})
const refusal = v.object({ errorType: v.optional(v.string(), '') })

const transactionStatuses: Readonly<Record<string, Observation['status']>> = {
  ONRAMP_TRANSACTION_STATUS_CREATED: 'pending',
  ONRAMP_TRANSACTION_STATUS_IN_PROGRESS: 'pending',
  ONRAMP_TRANSACTION_STATUS_SUCCESS: 'completed',
  ONRAMP_TRANSACTION_STATUS_FAILED: 'failed',
}
/** Those before a payment are left out: nothing was paid yet. */
const orderStatuses: Readonly<Record<string, Observation['status']>> = {
  ONRAMP_ORDER_STATUS_PENDING_PAYMENT: 'pending',
  ONRAMP_ORDER_STATUS_PROCESSING: 'pending',
  ONRAMP_ORDER_STATUS_COMPLETED: 'completed',
  ONRAMP_ORDER_STATUS_FAILED: 'failed',
}
/** Refusals of the order API. */
const refusals: Readonly<Record<string, ConstructorParameters<typeof RampRefusal>>> = {
  guest_region_forbidden: ['region'],
  guest_region_mismatch: ['region'],
  guest_permission_denied: ['region'],
  guest_transaction_limit: ['amount-too-high'],
  guest_transaction_count: ['amount-too-high'],
  network_not_tradable: ['not-supported'],
  asset_not_tradable: ['not-supported'],
  phone_number_verification_expired: ['unavailable', { missing: ['phone'] }],
}

/** Coinbase: a page of theirs in a window, and for guests their payment button in a frame (order API v2). */
export const coinbase: RampProvider = {
  id: 'coinbase-onramp',
  open(given) {
    const set = v.parse(settings, given)
    const key = readKey(set.privateKey)
    const prefix = set.sandbox ? 'sandbox-' : ''
    const refOf = (reference: string) => `${prefix}${reference}`
    const product = (chain: string, asset: string) => {
      const network = Object.hasOwn(coinbaseNetworks, chain) ? coinbaseNetworks[chain] : undefined
      if (network === undefined || (asset === 'USDC' && chain === WITHOUT_USDC)) return undefined
      return `${symbolOf(chain, asset)} on ${network}`
    }
    /** @throws RampRefusal */
    function read({ chain, asset }: Order): { symbol: string; network: string } {
      const [symbol, network] = product(chain, asset)?.split(' on ') ?? []
      if (symbol === undefined || network === undefined) throw new RampRefusal('not-supported')
      return { symbol, network }
    }
    const call = (address: string, body: object | undefined, cx: RampContext) =>
      ask(set, key, address, body, cx)

    async function openSession(
      session: { addresses: readonly object[]; assets?: readonly string[] | undefined },
      buyer: Buyer,
      cx: RampContext,
    ) {
      const address = `${set.hosts.api}/onramp/v1/token`
      const { body } = await call(address, { ...session, clientIp: publicIp(set, buyer, cx) }, cx)
      const found = v.safeParse(token, camelCased(dataOf(body)))
      if (!found.success) throw down('token')
      return found.output
    }

    async function createOrder(each: Order, buyer: Buyer, cx: RampContext, more: object) {
      const { symbol, network } = read(each)
      const missing = missingContacts(buyer, cx.now())
      const { email, phone } = buyer
      assertGuestCountry(buyer)
      if (missing.length > 0 || !email || !phone) throw new RampRefusal('unavailable', { missing })
      if (each.currency !== 'USD') throw new RampRefusal('region')
      const { body } = await call(
        `${set.hosts.platform}/platform/v2/onramp/orders`,
        {
          destinationAddress: each.address,
          destinationNetwork: network,
          purchaseCurrency: symbol,
          purchaseAmount: each.amount,
          paymentCurrency: each.currency,
          paymentMethod:
            each.method === 'apple-pay' ? 'GUEST_CHECKOUT_APPLE_PAY' : 'GUEST_CHECKOUT_GOOGLE_PAY',
          email,
          phoneNumber: phone.number,
          phoneNumberVerifiedAt: new Date(phone.verifiedAt).toISOString(),
          ...(buyer.termsAcceptedAt !== undefined && {
            agreementAcceptedAt: new Date(buyer.termsAcceptedAt).toISOString(),
          }),
          partnerUserRef: refOf(each.reference),
          clientIp: publicIp(set, buyer, cx),
          ...(set.frameDomain && { domain: set.frameDomain }),
          ...more,
        },
        cx,
      )
      return body
    }

    return {
      id: 'coinbase-onramp',
      name: 'Coinbase',
      sandbox: set.sandbox,
      projectId: set.projectId,
      methods: set.methods.map((id) =>
        isGuest(id)
          ? { id, opens: 'frame' as const, termsUrl: TERMS, countries: GUEST_COUNTRIES }
          : { id, opens: 'popup' as const },
      ),
      product,
      openSession,

      async quote(each, buyer, cx): Promise<RampQuote> {
        const { symbol, network } = read(each)
        // Coins that are there already cost nothing; the network's fee is said on the provider's page.
        if (each.method === 'exchange')
          return { receives: each.amount ?? '0', currency: each.currency, seconds: 120 }
        if (isGuest(each.method)) {
          assertGuestCountry(buyer)
          const missing = missingContacts(buyer, cx.now())
          const about = { currency: each.currency, seconds: 60 }
          if (missing.length > 0) return { ...about, receives: each.amount ?? '0', missing }
          const found = v.safeParse(orderAnswer, await createOrder(each, buyer, cx, { isQuote: true }))
          if (!found.success) throw down('quote')
          const { paymentTotal, purchaseAmount, fees } = found.output.order
          return {
            ...about,
            receives: toDigits(purchaseAmount) ?? each.amount ?? '0',
            total: toDigits(paymentTotal),
            fee: feeOf(fees),
          }
        }
        const { body } = await call(
          `${set.hosts.platform}/platform/v2/onramp/sessions`,
          {
            purchaseCurrency: symbol,
            destinationNetwork: network,
            destinationAddress: each.address,
            purchaseAmount: each.amount,
            paymentCurrency: each.currency,
            paymentMethod: 'CARD',
            country: set.country,
            ...(set.subdivision && { subdivision: set.subdivision }),
            clientIp: publicIp(set, buyer, cx),
            partnerUserRef: refOf(each.reference),
          },
          cx,
        )
        const found = v.safeParse(sessionQuote, body)
        if (!found.success) throw down('quote')
        const { paymentTotal, purchaseAmount, paymentCurrency, fees } = found.output.quote
        const receives = toDigits(purchaseAmount)
        if (receives === undefined) throw down('quote')
        return {
          receives,
          total: toDigits(paymentTotal),
          fee: feeOf(fees),
          currency: paymentCurrency,
          seconds: 300,
        }
      },

      async start(each, presentation, buyer, cx) {
        const { symbol, network } = read(each)
        if (isGuest(each.method)) {
          const locale = presentation.language && { locale: presentation.language }
          const found = v.safeParse(
            newOrder,
            await createOrder(each, buyer, cx, { isQuote: false, ...locale }),
          )
          if (!found.success) throw down('order')
          return {
            opening: { kind: 'frame', url: found.output.paymentLink.url },
            providerReference: found.output.order.orderId,
          }
        }
        const { token: sessionToken } = await openSession(
          { addresses: [{ address: each.address, blockchains: [network] }], assets: [symbol] },
          buyer,
          cx,
        )
        const isExchange = each.method === 'exchange'
        const query = new URLSearchParams({
          sessionToken,
          defaultNetwork: network,
          defaultAsset: symbol,
          ...(each.amount !== null && { presetCryptoAmount: each.amount }),
          fiatCurrency: each.currency,
          defaultExperience: isExchange ? 'send' : 'buy',
          defaultPaymentMethod: isExchange ? 'CRYPTO_ACCOUNT' : 'CARD',
          partnerUserRef: refOf(each.reference),
          ...(presentation.returnUrl !== undefined && { redirectUrl: presentation.returnUrl }),
        })
        const page = set.sandbox ? `${set.hosts.sandboxPay}/` : `${set.hosts.pay}/buy/select-asset`
        return {
          opening: { kind: 'popup', url: `${page}?${query}`, ...POPUP, expiresAt: cx.now() + SESSION_LIFE },
        }
      },

      async status({ reference, providerReference }, cx) {
        if (providerReference !== null) {
          const path = `/platform/v2/onramp/orders/${encodeURIComponent(providerReference)}`
          const { status, body } = await call(`${set.hosts.platform}${path}`, undefined, cx)
          if (status === 404) return []
          const found = v.safeParse(orderAnswer, body)
          if (!found.success) throw down('order')
          return [observedOrder(found.output.order, reference) ?? []].flat()
        }
        const path = `/onramp/v1/buy/user/${encodeURIComponent(refOf(reference))}/transactions?page_size=20`
        const { status, body } = await call(`${set.hosts.api}${path}`, undefined, cx)
        if (status === 404) return []
        const list = (dataOf(body) as { transactions?: unknown } | undefined)?.transactions
        if (!Array.isArray(list)) throw down('transactions')
        return list.flatMap((one) => {
          const found = v.safeParse(transaction, camelCased(one))
          return (found.success && observedTransaction(found.output, reference)) || []
        })
      },

      verifyWebhook({ headers, body }, cx) {
        if (set.webhookSecret === undefined) throw new BadWebhook('no key')
        const { t, h = '', v1 = '' } = readFields(headers.get('x-hook0-signature'), ['t', 'v0', 'h', 'v1'])
        assertAge(t, cx)
        const values =
          h === ''
            ? ''
            : h
                .split(' ')
                .map((name) => headerOf(headers, name))
                .join('.')
        const signed = Buffer.concat([Buffer.from(`${t}.${h}.${values}.`), body])
        assertSignature(hmac(set.webhookSecret, signed, 'hex'), v1)
        const said = readJsonBody(body)
        const name = (said as { eventType?: unknown } | null)?.eventType
        if (typeof name !== 'string' || !/^onramp\.transaction\.(created|updated|success|failed)$/.test(name))
          return undefined
        const asOrder = v.safeParse(order, said)
        const asTransaction = v.safeParse(transaction, said)
        const ref = (said as { partnerUserRef?: unknown }).partnerUserRef
        // Sandbox and live states say nothing of each other.
        if (typeof ref !== 'string' || ref.startsWith('sandbox-') !== set.sandbox) return undefined
        const reference = ref.slice(prefix.length)
        if (asOrder.success) return observedOrder(asOrder.output, reference)
        return asTransaction.success ? observedTransaction(asTransaction.output, reference) : undefined
      },
    }
  },
}

const isGuest = (method: Order['method']) => method === 'apple-pay' || method === 'google-pay'

/**
 * The number says where its owner is from: +1 is that of Canada and of islands as well.
 * @throws RampRefusal for a number of another country
 */
function assertGuestCountry({ phone }: Buyer): void {
  if (!phone) return
  const countries = readPhoneNumber(phone.number)?.countries ?? []
  if (!countries.some((each) => GUEST_COUNTRIES.includes(each))) throw new RampRefusal('region')
}

function missingContacts({ email, phone }: Buyer, now: number): ('email' | 'phone')[] {
  const isFresh = phone && now - phone.verifiedAt <= PHONE_LIFE
  return [...(email ? [] : ['email' as const]), ...(isFresh ? [] : ['phone' as const])]
}

/**
 * The buyer's address in the network, which the provider wants to have.
 * @throws RampRefusal where this server doesn't see it
 */
function publicIp({ sandbox }: Settings, { ip }: Buyer, { log }: RampContext): string {
  if (ip !== undefined && isIP(ip) !== 0 && (sandbox || !isPrivate(ip))) return ip
  log("Coinbase needs callers' public addresses: see TRUSTED_PROXIES")
  throw new RampRefusal('unavailable')
}

const isPrivate = (ip: string) =>
  /^(?:0|10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./.test(
    ip,
  ) || /^(?:::1?$|f[cd]|fe[89ab])/i.test(ip)

/** @throws Error that says nothing of the key */
function readKey(text: string): Key {
  try {
    if (text.includes('-----BEGIN')) {
      const key = createPrivateKey(text)
      if (key.asymmetricKeyType === 'ed25519') return { key, algorithm: 'EdDSA' }
      if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return { key, algorithm: 'ES256' }
    }
    const bytes = Buffer.from(text, 'base64')
    if (bytes.length === 64) {
      const der = Buffer.concat([
        Buffer.from('302e020100300506032b657004220420', 'hex'),
        bytes.subarray(0, 32),
      ])
      return { key: createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }), algorithm: 'EdDSA' }
    }
  } catch {}
  throw new Error('privateKey: must be 64 bytes in base64, or a P-256 or Ed25519 key in PEM')
}

/** A token for one call, good for two minutes. */
function bearerFor(set: Settings, { key, algorithm }: Key, method: string, address: URL, now: number) {
  const seconds = Math.floor(now / 1_000)
  return new SignJWT({ uris: [`${method} ${address.host}${address.pathname}`] })
    .setProtectedHeader({
      alg: algorithm,
      kid: set.keyName,
      typ: 'JWT',
      nonce: randomBytes(16).toString('hex'),
    })
    .setIssuer('cdp')
    .setSubject(set.keyName)
    .setNotBefore(seconds - 5)
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + 120)
    .sign(key)
}

/** @throws RampRefusal for what is refused for a reason; Unavailable */
async function ask(set: Settings, key: Key, text: string, body: object | undefined, cx: RampContext) {
  const address = new URL(text)
  const method = body ? 'POST' : 'GET'
  const bearer = await bearerFor(set, key, method, address, cx.now())
  const response = await fetchOutside(
    'Coinbase',
    address.href,
    {
      method,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${bearer}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    },
    { timeout: cx.limits.outsideTimeout, most: cx.limits.outsideAnswerSize },
  )
  const answer = { status: response.status, body: parseJson(await response.text()) }
  if (response.ok || (!body && answer.status === 404)) return answer
  const told = v.safeParse(refusal, answer.body)
  const known =
    told.success && Object.hasOwn(refusals, told.output.errorType) && refusals[told.output.errorType]
  if (known) throw new RampRefusal(...known)
  if (answer.status === 401 || answer.status === 403) cx.log('Coinbase refuses the API key')
  if (answer.status >= 400 && answer.status < 500 && answer.status !== 429 && body)
    throw new RampRefusal('unavailable')
  throw down(`status ${answer.status}`)
}

const down = (what: string) =>
  new Unavailable('Coinbase could not be reached. Please try again.', { cause: new Error(what) })

/** Older answers are wrapped. */
const dataOf = (body: unknown): unknown => {
  const inner = (body as { data?: unknown } | null | undefined)?.data
  return typeof inner === 'object' && inner !== null ? inner : body
}

/** The older API has its names in snake_case. */
function camelCased(given: unknown): unknown {
  if (typeof given !== 'object' || given === null) return given
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  )
}

function headerOf(headers: Headers, name: string): string {
  if (!/^[\w-]{1,64}$/.test(name)) throw new BadWebhook('header')
  return headers.get(name) ?? ''
}

const feeOf = (list: v.InferOutput<typeof fees>) =>
  sumOf(list.flatMap(({ amount }) => toDigits(amount) ?? []))

/** The provider writes the year 1 for a time that there is none of. */
function timeOf(...texts: readonly (string | null | undefined)[]): number | undefined {
  return texts.map((each) => Date.parse(each ?? '')).find((at) => at > 0)
}

function observedTransaction(
  said: v.InferOutput<typeof transaction>,
  reference: string,
): Observation | undefined {
  const status = Object.hasOwn(transactionStatuses, said.status)
    ? transactionStatuses[said.status]
    : undefined
  const at = timeOf(said.completedAt, said.createdAt)
  if (!status || at === undefined || !isOf(said.partnerUserRef, reference)) return undefined
  return {
    reference,
    transactionId: said.transactionId,
    status,
    failure: status === 'failed' ? failureOf(known(said.failureReason) ?? known(said.errorCode)) : undefined,
    at,
    address: said.walletAddress,
    product: `${said.purchaseCurrency.toUpperCase()} on ${said.purchaseNetwork.toLowerCase()}`,
    received: toDigits(said.purchaseAmount?.value),
    total: toDigits(said.paymentTotal?.value),
    fee: sumOf([said.coinbaseFee, said.networkFee].flatMap((each) => toDigits(each?.value) ?? [])),
    currency: said.paymentTotal?.currency,
    transactionHash: known(said.txHash),
  }
}

function observedOrder(said: v.InferOutput<typeof order>, reference: string): Observation | undefined {
  const status = Object.hasOwn(orderStatuses, said.status) ? orderStatuses[said.status] : undefined
  const at = timeOf(said.updatedAt, said.createdAt)
  if (!status || at === undefined || !isOf(said.partnerUserRef, reference)) return undefined
  return {
    reference,
    transactionId: said.orderId,
    status,
    failure: status === 'failed' ? failureOf(said.failureReason) : undefined,
    at,
    address: said.destinationAddress,
    product: `${said.purchaseCurrency.toUpperCase()} on ${said.destinationNetwork.toLowerCase()}`,
    received: toDigits(said.purchaseAmount),
    total: toDigits(said.paymentTotal),
    fee: feeOf(said.fees),
    currency: said.paymentCurrency ?? undefined,
    transactionHash: known(said.txHash),
  }
}

const isOf = (ref: string | null | undefined, reference: string) =>
  !ref || ref.replace(/^sandbox-/, '') === reference
/** The provider writes out that there is nothing. */
const known = (said: string | null | undefined) =>
  said && said !== '0x' && !said.endsWith('_UNSPECIFIED') ? said : undefined
