import * as v from 'valibot'
import type { CallOptions, Endpoint, Http } from './http.ts'
import { flag, optionalText, optionalUnixTime, readableItems, requiredText, unixTime } from './schema.ts'

/** The coin of a network, or USDC on it. */
export type FundingAsset = 'native-currency' | 'USDC'

/**
 * State of a purchase. `started`: nothing was paid yet. `waiting-payment`: a bank transfer is expected, for hours or days.
 * `waiting-authorization`: the bank asks the user. `abandoned` and `failed` can still become `completed`.
 */
export type PurchaseStatus =
  | 'started'
  | 'waiting-payment'
  | 'waiting-authorization'
  | 'pending'
  | 'completed'
  | 'failed'
  | 'abandoned'

/** Something to buy, for a wallet of the user. */
export interface FundingRequest {
  /** A wallet of the user. */
  address: string
  /** CAIP-2: `eip155:8453`, `solana:mainnet`. */
  chain: string
  asset: FundingAsset
  /** Whole units of the asset as digits: `0.05`. Never zero. */
  amount: string
  /** Three letters of ISO 4217; `USD` by default. */
  currency?: string | undefined
}

/** What one provider asks for an amount, by one payment method. */
export interface FundingQuote {
  readonly provider: string
  /** Name of the provider, for people. */
  readonly name: string
  /** `card`, `apple-pay`, `google-pay`, `bank-transfer` or `exchange`; a newer server knows others. */
  readonly method: string
  /** `popup` has to be opened within the press, `frame` is shown in the dialog, `url` may be either. */
  readonly opens: 'url' | 'frame' | 'popup'
  readonly isSandbox: boolean
  /** Amount that arrives, in whole units. */
  readonly receives: { readonly amount: string; readonly symbol: string }
  /** Everything that is paid, fees included; `undefined` where the provider says it only later. */
  readonly total?: string | undefined
  /** The part of it that is fees. */
  readonly fee?: string | undefined
  readonly currency: string
  /** How long it usually takes. */
  readonly seconds?: number | undefined
  readonly expiresAt?: Date | undefined
  /** Addresses that the user has to verify (again) before this one can be started: `email`, `phone`. */
  readonly missing: readonly string[]
  /** Countries (ISO 3166) to whose people it is limited; empty where it is for all. */
  readonly countries: readonly string[]
  /** The user accepts the provider's terms by starting, which has to be shown; `undefined` where the provider asks. */
  readonly termsUrl?: string | undefined
}
/** A provider that makes no quote for this amount, and why. */
export interface UnavailableProvider {
  readonly provider: string
  readonly name: string
  /** `not-supported`, `amount-too-low`, `amount-too-high`, `region`, `unavailable`; a newer server knows others. */
  readonly reason: string
  /** In whole units of the asset, where the provider says so. */
  readonly least?: string | undefined
  readonly most?: string | undefined
}
export interface FundingQuotes {
  readonly quotes: readonly FundingQuote[]
  readonly unavailable: readonly UnavailableProvider[]
  /** Price of one unit in dollars, where the server has a source. */
  readonly price?: { readonly usd: number; readonly at: Date } | undefined
}

/** Where a purchase is continued. */
export interface PurchaseOpening {
  readonly kind: 'url' | 'frame' | 'popup'
  readonly url: string
  readonly width?: number | undefined
  readonly height?: number | undefined
  /** After that {@link openPurchase} makes another one. */
  readonly expiresAt?: Date | undefined
}
/** A purchase of the user, in progress or over. */
export interface Purchase {
  readonly id: string
  readonly provider: string
  readonly name: string
  readonly method: string
  readonly status: PurchaseStatus
  /** Why it failed: `declined`, `authorization`, `funds`, `risk`, `limit`, `region`, `verification`, `canceled`, `expired`, `refunded`, `unknown`. */
  readonly failure?: string | undefined
  readonly isSandbox: boolean
  readonly address: string
  readonly chain: string
  readonly asset: FundingAsset
  readonly symbol: string
  /** Requested amount, in whole units; `undefined` where an unmodified client left it to the provider. */
  readonly amount?: string | undefined
  /** Amount that the provider reports as sent. */
  readonly received?: string | undefined
  readonly currency: string
  readonly total?: string | undefined
  readonly fee?: string | undefined
  /** Hash of the transfer to the wallet. */
  readonly transactionHash?: string | undefined
  readonly createdAt: Date
  readonly updatedAt: Date
}

const digits = v.pipe(v.string(), v.regex(/^\d{1,30}(?:\.\d{1,30})?$/))
const optionalDigits = v.fallback(v.optional(digits), undefined)
const asset = v.picklist(['native-currency', 'USDC'])
/** Newer servers may know more; such a row is left out by its list. */
const kind = v.picklist(['url', 'frame', 'popup'])
const webAddress = v.pipe(v.string(), v.regex(/^https?:\/\/[^\s]+$/))

const quote = v.pipe(
  v.object({
    provider: requiredText,
    name: v.fallback(v.string(), ''),
    method: requiredText,
    opens: kind,
    is_sandbox: flag,
    receives: v.object({ amount: digits, symbol: requiredText }),
    total: optionalDigits,
    fee: optionalDigits,
    currency: requiredText,
    seconds: v.fallback(v.optional(v.pipe(v.number(), v.minValue(0))), undefined),
    expires_at: optionalUnixTime,
    missing: v.fallback(readableItems(v.string()), []),
    countries: v.fallback(readableItems(v.pipe(v.string(), v.regex(/^[A-Z]{2}$/))), []),
    terms_url: v.fallback(v.optional(webAddress), undefined),
  }),
  v.transform(
    ({ is_sandbox: isSandbox, expires_at: expiresAt, terms_url: termsUrl, ...more }): FundingQuote => ({
      ...more,
      name: more.name || more.provider,
      isSandbox,
      expiresAt,
      termsUrl,
    }),
  ),
)
const unavailable = v.pipe(
  v.object({
    provider: requiredText,
    name: v.fallback(v.string(), ''),
    reason: v.fallback(v.string(), 'unavailable'),
    least: optionalDigits,
    most: optionalDigits,
  }),
  v.transform((raw): UnavailableProvider => ({ ...raw, name: raw.name || raw.provider })),
)
const quotes = v.pipe(
  v.object({
    quotes: readableItems(quote),
    unavailable: v.fallback(readableItems(unavailable), []),
    price: v.fallback(
      v.optional(v.object({ usd: v.pipe(v.number(), v.gtValue(0), v.finite()), at: unixTime })),
      undefined,
    ),
  }),
  v.transform((raw): FundingQuotes => raw),
)
const purchase = v.pipe(
  v.object({
    id: requiredText,
    provider: requiredText,
    name: v.fallback(v.string(), ''),
    method: requiredText,
    status: v.picklist([
      'started',
      'waiting-payment',
      'waiting-authorization',
      'pending',
      'completed',
      'failed',
      'abandoned',
    ]),
    failure: optionalText,
    is_sandbox: flag,
    address: requiredText,
    chain: requiredText,
    asset,
    symbol: requiredText,
    amount: optionalDigits,
    received: optionalDigits,
    currency: requiredText,
    total: optionalDigits,
    fee: optionalDigits,
    transaction_hash: optionalText,
    created_at: unixTime,
    updated_at: unixTime,
  }),
  v.transform(
    ({
      is_sandbox: isSandbox,
      transaction_hash: transactionHash,
      created_at: createdAt,
      updated_at: updatedAt,
      ...more
    }): Purchase => ({
      ...more,
      name: more.name || more.provider,
      isSandbox,
      transactionHash,
      createdAt,
      updatedAt,
    }),
  ),
)
const opening = v.pipe(
  v.object({
    kind,
    url: webAddress,
    width: v.fallback(v.optional(v.number()), undefined),
    height: v.fallback(v.optional(v.number()), undefined),
    expires_at: optionalUnixTime,
  }),
  v.transform(({ expires_at: expiresAt, ...more }): PurchaseOpening => ({ ...more, expiresAt })),
)
const opened = v.object({ purchase, opening })
/** A purchase, and where it is continued. */
export interface OpenedPurchase {
  readonly purchase: Purchase
  readonly opening: PurchaseOpening
}

const quoting: Endpoint<object, FundingQuotes> = {
  method: 'POST',
  path: '/api/v1/funding/quotes',
  answer: quotes,
}
const starting: Endpoint<object, OpenedPurchase> = {
  method: 'POST',
  path: '/api/v1/funding/purchases',
  answer: opened,
}
const listing = (query: string): Endpoint<undefined, PurchaseList> => ({
  method: 'GET',
  path: `/api/v1/funding/purchases${query}`,
  answer: v.pipe(
    v.object({ purchases: readableItems(purchase), next: optionalText }),
    v.transform(({ purchases, next }): PurchaseList => ({ purchases, next })),
  ),
  inBackground: true,
})
const reading = (id: string): Endpoint<undefined, Purchase> => ({
  method: 'GET',
  path: `/api/v1/funding/purchases/${encodeURIComponent(id)}`,
  answer: purchase,
  // Asked for in intervals, which are its retries.
  retries: false,
  inBackground: true,
})
const opens = (id: string): Endpoint<object, OpenedPurchase> => ({
  method: 'POST',
  path: `/api/v1/funding/purchases/${encodeURIComponent(id)}/open`,
  answer: opened,
})
const abandoning = (id: string): Endpoint<object, Purchase> => ({
  method: 'POST',
  path: `/api/v1/funding/purchases/${encodeURIComponent(id)}/abandon`,
  answer: purchase,
})

export interface PurchaseList {
  /** The newest first. */
  readonly purchases: readonly Purchase[]
  /** For the next page; `undefined` after the last one. */
  readonly next?: string | undefined
}
/** How a purchase is started. */
export interface PurchaseRequest extends FundingRequest {
  /** A UUID that this start has for all its attempts, also in another tab: a second one gives the same purchase. */
  reference: string
  provider: string
  method: string
  /** The total that was shown. A higher one by more than the server's limit is refused (`quote_changed`). */
  expectedTotal?: string | undefined
  theme?: 'light' | 'dark' | undefined
  accentColor?: string | undefined
  /** BCP 47. */
  language?: string | undefined
  /** The address that the provider's page leads to afterwards: on an origin of the app, or one of its `redirectUrls`. `lk_purchase` is added to its query. */
  returnUrl?: string | undefined
  /** When the user accepted the provider's terms, where the quote names them. */
  termsAcceptedAt?: Date | undefined
}

/** `POST /funding/quotes`: quotes of all providers that the app has. Throws what {@link Http.call} throws. */
export const getFundingQuotes = (
  http: Http,
  request: FundingRequest & { method?: string | undefined },
  options?: CallOptions,
): Promise<FundingQuotes> => http.call(quoting, { ...request }, options)

/**
 * `POST /funding/purchases`: starts a purchase, or finds the one with this reference. Throws what {@link Http.call} throws, among it
 * `quote_changed`, `contact_not_verified`, `provider_refused` and `not_supported`.
 */
export const startPurchase = (
  http: Http,
  { expectedTotal, accentColor, returnUrl, termsAcceptedAt, ...more }: PurchaseRequest,
  options?: CallOptions,
): Promise<OpenedPurchase> =>
  http.call(
    starting,
    {
      ...more,
      expected_total: expectedTotal,
      accent_color: accentColor,
      return_url: returnUrl,
      terms_accepted_at: termsAcceptedAt && Math.floor(termsAcceptedAt.getTime() / 1_000),
    },
    options,
  )

/** `GET /funding/purchases`: the user's purchases on all devices, the newest first. Throws what {@link Http.call} throws. */
export const listPurchases = (
  http: Http,
  { before, ...options }: CallOptions & { before?: string | undefined } = {},
): Promise<PurchaseList> =>
  http.call(listing(before === undefined ? '' : `?before=${encodeURIComponent(before)}`), undefined, options)

/** `GET /funding/purchases/:id`: as the provider says it is now. Throws what {@link Http.call} throws. */
export const getPurchase = (http: Http, id: string, options?: CallOptions): Promise<Purchase> =>
  http.call(reading(id), undefined, options)

/**
 * `POST /funding/purchases/:id/open`: where a purchase that was not paid yet is continued. Throws what {@link Http.call} throws;
 * `purchase_not_open` for one that is.
 */
export const openPurchase = (http: Http, id: string, options?: CallOptions): Promise<OpenedPurchase> =>
  http.call(opens(id), {}, options)

/**
 * `POST /funding/purchases/:id/abandon`: the user left before paying. A payment that comes all the same still counts. Throws
 * what {@link Http.call} throws; `purchase_not_open` for one that is paid.
 */
export const abandonPurchase = (http: Http, id: string, options?: CallOptions): Promise<Purchase> =>
  http.call(abandoning(id), {}, options)
