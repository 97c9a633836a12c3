/** A `fetch` that pays where the server asks for it by x402. */
import { KitError } from '../errors/kit-error.ts'
import type { ChainNode } from '../ethereum/rpc.ts'
import { type Clock, within } from '../lib/clock.ts'
import type { Fetch } from '../lib/retrying-fetch.ts'
import { USDC_DECIMALS, usdcOn } from '../lib/usdc.ts'
import type { Prices } from '../prices/prices.ts'
import {
  type PaymentTerms,
  readPaymentTerms,
  readSettlement,
  type Settlement,
  UnreadableTerms,
  writePayment,
} from '../protocol/outside/x402.ts'
import { authorize, createNonce, toTypedData } from './authorization.ts'
import { assetKey, type Limit, limitsOf, type PaymentCaps, toDollarValue } from './caps.ts'
import { x402Limits } from './limits.ts'
import { invalid, type Payable, readOffers, unsupported } from './offer.ts'
import type { Payments } from './payments.ts'
import type { Presses } from './presses.ts'
import { type RepeatableRequest, readRequest, toHostError } from './request.ts'
import { type Left, type NewPayment, OverCap } from './spending.ts'
import { checkToken, type PaymentToken } from './token.ts'

/** A payment that is about to be made. */
export interface ChosenPayment {
  readonly payable: Payable
  readonly token: PaymentToken
  /** The rest of the day's limits after it. */
  readonly left: readonly Left[]
  /** US dollars for one whole token, where the payment counts in dollars. */
  readonly price?: number | undefined
}

/** A payment that was signed, as a host gets it with an error. */
export interface SignedPayment {
  /** CAIP-2. */
  readonly chain: string
  /** The token's contract. */
  readonly asset: string
  /** In its smallest units. */
  readonly amount: bigint
  readonly payTo: string
  readonly from: string
  readonly nonce: string
  /** The seller may take it until then. */
  readonly validBefore: Date
  /** As the seller names it. */
  readonly transactionHash?: string | undefined
}

export interface PaymentContext {
  readonly fetch: Fetch
  readonly clock: Clock
  /** The server's time as far as it is known, in milliseconds since 1970: that of the device may be wrong. */
  now(): number
  readonly prices: Prices
  /** The address of the wallet that pays. */
  readonly wallet: string
  readonly caps: readonly PaymentCaps[]
  /** Whether the app lets its users pay without a review, once they have chosen so. */
  readonly canSkipReview: boolean
  readonly payments: Payments
  readonly presses: Presses
  hasChain(chainId: number): boolean
  nodeOf(chainId: number): ChainNode | undefined
  /** Has the user review and sign it. @throws KitError where the user declines */
  sign(payment: ChosenPayment, request: SignPayment): Promise<SignedByUser>
}
export interface SignPayment {
  readonly typedData: object
  /** `false`: the user has chosen to pay this seller without a review. */
  readonly isReviewed: boolean
}
export interface SignedByUser {
  readonly signature: string
  /** The user wants no review of the next payments; the greatest sum of these, in smallest units. */
  readonly withoutReview?: bigint | undefined
}

export async function fetchWithPayment(
  cx: PaymentContext,
  input: unknown,
  init?: RequestInit,
): Promise<Response> {
  const request = await readRequest(input, init)
  const press = cx.presses.begin(request.key)
  let hasPaid = false
  try {
    const first = await send(cx, request)
    if (first.status !== 402) return first
    press.pay()
    if (first.redirected) throw invalid('redirect', 'A request that was redirected is not paid')
    const terms = await readTerms(cx, first, request.signal)
    const chosen = await choose(cx, terms, request)
    const payment = await signOrRelease(cx, chosen, terms, request.signal)
    hasPaid = true
    return await sendPaid(cx, request, payment)
  } finally {
    press.end(hasPaid)
  }
}

async function send({ fetch, clock }: PaymentContext, request: RepeatableRequest): Promise<Response> {
  try {
    return await request.send(fetch, clock, { time: x402Limits.responseTime })
  } catch (cause) {
    throw toHostError(cause)
  }
}

async function readTerms(
  { clock }: PaymentContext,
  response: Response,
  signal: AbortSignal,
): Promise<PaymentTerms> {
  try {
    return await within(clock, x402Limits.termsTime, () => readPaymentTerms(response), signal)
  } catch (cause) {
    signal.throwIfAborted()
    if (!(cause instanceof UnreadableTerms)) throw toHostError(cause)
    throw cause.isVersion ? unsupported('version', cause.message) : invalid('unreadable', cause.message)
  }
}

interface Reserved extends ChosenPayment {
  readonly record: NewPayment
}

/** The first offer that can be paid within the caps; it counts for them from now on. */
async function choose(
  cx: PaymentContext,
  terms: PaymentTerms,
  { url, signal }: RepeatableRequest,
): Promise<Reserved> {
  const offers = readOffers(terms, { url, wallet: cx.wallet, hasChain: cx.hasChain })
  let first: unknown
  for (const payable of offers.slice(0, x402Limits.offers)) {
    try {
      return await reserve(cx, payable, signal)
    } catch (cause) {
      signal.throwIfAborted()
      first ??= cause
    }
  }
  throw first
}

async function reserve(cx: PaymentContext, payable: Payable, signal: AbortSignal): Promise<Reserved> {
  const { chain, chainId, token: contract, amount, payTo, origin } = payable
  const limits = limitsOf(cx.caps, assetKey(chain, contract))
  const node = cx.nodeOf(chainId)
  if (!node) throw unsupported('network', 'The app has no node for the network of the payment')
  const nonce = createNonce()
  const token = await within(
    cx.clock,
    x402Limits.tokenTime,
    (own) => checkToken(node, payable, cx.wallet, { nonce, signal: own }),
    signal,
  ).catch((cause: unknown) => {
    signal.throwIfAborted()
    if (cause instanceof KitError) throw cause
    throw new KitError('network_unavailable', "The token's network does not answer", {
      cause,
      retryable: true,
    })
  })
  const price = limits.some(({ unit }) => unit === 'usd') ? await priceOf(cx, payable, token) : undefined
  const record: NewPayment = {
    id: nonce,
    state: 'reserved',
    chain,
    token: contract,
    symbol: token.symbol,
    decimals: token.decimals,
    amount: String(amount),
    ...(price !== undefined && { value: String(toDollarValue(amount, token.decimals, price)) }),
    wallet: cx.wallet,
    payTo,
    origin,
    nonce,
    fromBlock: String(token.block),
  }
  try {
    const left = await cx.payments.spending.reserve(record, limits)
    return { payable, token, left, price, record }
  } catch (cause) {
    throw cause instanceof OverCap ? overCap(cause, record) : cause
  }
}

/** US dollars for one whole token. USDC counts as one dollar, whatever it costs on a market today. */
async function priceOf(
  { prices }: PaymentContext,
  { chain, token }: Payable,
  { decimals }: PaymentToken,
): Promise<number> {
  if (usdcOn(chain)?.toLowerCase() === token.toLowerCase() && decimals === USDC_DECIMALS) return 1
  const price = await prices.of({ chain, token, decimals })
  if (price) return Number(price.units) / 10 ** price.scale
  throw new KitError(
    'payment_cap_missing',
    'The price of the token is unknown, so no cap in dollars holds for it',
    {
      data: { asset: assetKey(chain, token) },
    },
  )
}

function overCap({ limit, left }: OverCap, { chain, token, amount }: NewPayment): KitError {
  const { per, unit, most } = limit
  return new KitError('payment_over_cap', `The payment is above the greatest amount per ${per}`, {
    data: {
      per,
      ...inUnit(unit, { cap: most, left }),
      amount: BigInt(amount),
      asset: assetKey(chain, token),
    },
  })
}

/** Dollars as a number, units as they are. */
const inUnit = (unit: Limit['unit'], { cap, left }: { cap: bigint; left: bigint }) =>
  unit === 'usd' ? { unit, cap: Number(cap) / 1e6, left: Number(left) / 1e6 } : { unit, cap, left }

interface ReadyPayment {
  readonly header: readonly [name: string, value: string]
  readonly chosen: Reserved
  readonly signed: SignedPayment
}

async function signOrRelease(
  cx: PaymentContext,
  chosen: Reserved,
  terms: PaymentTerms,
  signal: AbortSignal,
): Promise<ReadyPayment> {
  const { spending } = cx.payments
  const { record } = chosen
  try {
    return await sign(cx, chosen, terms, signal)
  } catch (cause) {
    await spending.release(record.id)
    throw cause
  }
}

async function sign(
  cx: PaymentContext,
  chosen: Reserved,
  terms: PaymentTerms,
  signal: AbortSignal,
): Promise<ReadyPayment> {
  const { payments, wallet } = cx
  const { payable, record } = chosen
  const nonce = record.id
  const isReviewed = !(cx.canSkipReview && (await payments.spending.takeFromConsent(record)))
  const now = Math.floor(cx.now() / 1_000)
  const authorization = authorize(payable, { wallet, nonce, now, isReviewed })
  const validBefore = Number(authorization.validBefore)
  const typedData = toTypedData(payable, authorization)
  const { signature, withoutReview } = await cx.sign(chosen, { typedData, isReviewed })
  signal.throwIfAborted()
  if (!/^0x[0-9a-f]{130}$/i.test(signature))
    throw new KitError('unable_to_sign', 'The signature is none that a token takes')
  if (cx.now() / 1_000 + x402Limits.settlingTime > validBefore) throw tooLate()
  // From here on the seller may take it, whatever happens to this page.
  if (!(await payments.spending.noteSigned(record.id, validBefore))) throw tooLate()
  if (withoutReview !== undefined && cx.canSkipReview)
    await payments.spending.consent({
      origin: record.origin,
      wallet: record.wallet,
      chain: record.chain,
      token: record.token,
      payTo: record.payTo,
      most: record.amount,
      left: String(withoutReview),
      until: cx.now() + x402Limits.day,
    })
  return {
    header: writePayment(terms, payable.offer, { signature, authorization }),
    chosen,
    signed: {
      chain: payable.chain,
      asset: payable.token,
      amount: payable.amount,
      payTo: payable.payTo,
      from: wallet,
      nonce,
      validBefore: new Date(validBefore * 1_000),
    },
  }
}

const tooLate = () =>
  new KitError('client_request_timeout', 'The payment was approved too late', { retryable: true })

/** Sends the request with its payment. From now on every error says what was paid. */
async function sendPaid(
  { fetch, clock, payments }: PaymentContext,
  request: RepeatableRequest,
  { header, chosen, signed }: ReadyPayment,
): Promise<Response> {
  const { payable, record } = chosen
  const { timeout } = payable
  let response: Response
  try {
    const time = timeout * 1_000 + x402Limits.answerMargin
    response = await request.send(fetch, clock, { time, payment: header })
  } catch (cause) {
    payments.follow(record.id)
    throw new KitError('payment_unanswered', 'The payment was sent, and no answer came to it', {
      cause,
      data: { payment: signed },
    })
  }
  const settlement = readSettlement(response.headers)
  const claimed = settlement?.transactionHash
  if (claimed) await payments.spending.update(record.id, { claimedHash: claimed })
  payments.follow(record.id)
  if (response.status !== 402) return response
  const payment = { ...signed, ...(claimed && { transactionHash: claimed }) }
  throw await refusal(clock, response, { payable, payment, settlement })
}

/** A seller that asks again after it was paid: for the same, or for something else. */
async function refusal(
  clock: Clock,
  response: Response,
  {
    payable: { offer },
    payment,
    settlement,
  }: { payable: Payable; payment: SignedPayment; settlement: Settlement | undefined },
): Promise<KitError> {
  const { reason } = settlement ?? {}
  const data = { payment, ...(reason !== undefined && { reason }) }
  const terms = await within(clock, x402Limits.termsTime, () => readPaymentTerms(response)).catch(
    () => undefined,
  )
  const isSame = terms?.offers.some((each) =>
    (['scheme', 'network', 'amount', 'asset', 'payTo'] as const).every((name) => each[name] === offer[name]),
  )
  return terms && !isSame
    ? new KitError('payment_terms_changed', 'The seller asks for something else after it was paid', { data })
    : new KitError('payment_refused', 'The seller asks again after it was paid', { data })
}
