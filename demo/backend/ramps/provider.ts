import type { Limits } from '../settings/limits.ts'

/** How a payment is made, by our own names. */
export type PaymentMethod = 'card' | 'apple-pay' | 'google-pay' | 'bank-transfer' | 'exchange'
export type OpeningKind = 'url' | 'frame' | 'popup'
export type PurchaseStatus =
  | 'started'
  | 'waiting-payment'
  | 'waiting-authorization'
  | 'pending'
  | 'completed'
  | 'failed'
  | 'abandoned'
export type FailureReason =
  | 'declined'
  | 'authorization'
  | 'funds'
  | 'risk'
  | 'limit'
  | 'region'
  | 'verification'
  | 'canceled'
  | 'expired'
  | 'refunded'
  | 'unknown'
export type RefusalReason = 'not-supported' | 'amount-too-low' | 'amount-too-high' | 'region' | 'unavailable'

/** The order: asset, amount and wallet. */
export interface Order {
  /** Our name of the purchase at the provider. */
  reference: string
  method: PaymentMethod
  address: string
  /** CAIP-2. */
  chain: string
  asset: string
  /** Digits in whole units; `null` where an unmodified client leaves it to the provider. */
  amount: string | null
  /** Three capital letters. */
  currency: string
  /** The provider's word for what is bought, where the chain and the asset don't say it. */
  product?: string | undefined
}
/** How the provider's page looks, and where it leads afterwards. */
export interface Presentation {
  theme?: 'light' | 'dark' | undefined
  accentColor?: string | undefined
  language?: string | undefined
  returnUrl?: string | undefined
  email?: string | undefined
}
/** The buyer: from a source that can be trusted, never from the request's body. */
export interface Buyer {
  userId: string
  /** Address in the network, as the connection or a trusted proxy says it. */
  ip: string | undefined
  email: string | undefined
  phone: { number: string; verifiedAt: number } | undefined
  termsAcceptedAt?: number | undefined
}
/** What a provider works with. */
export interface RampContext {
  limits: Limits
  /** Unix milliseconds. */
  now: () => number
  /** For the operator; never personal data. */
  log: (line: string) => void
}

export interface RampQuote {
  /** Amount that arrives, in whole units. */
  receives: string
  total?: string | undefined
  fee?: string | undefined
  currency: string
  seconds?: number | undefined
  expiresAt?: number | undefined
  missing?: readonly ('email' | 'phone')[] | undefined
}
export interface Opening {
  kind: OpeningKind
  url: string
  width?: number | undefined
  height?: number | undefined
  /** Unix milliseconds. */
  expiresAt?: number | undefined
}
export interface StartedPurchase {
  opening: Opening
  /** The provider's name for the order, where it has a name of its own before anything is paid. */
  providerReference?: string | undefined
}
/** What a provider says of a payment, from its API or in a signed webhook. */
export interface Observation {
  reference: string
  /** The provider's own id of the payment; one purchase may have several, of which a card was declined. */
  transactionId: string
  status: Extract<
    PurchaseStatus,
    'waiting-payment' | 'waiting-authorization' | 'pending' | 'completed' | 'failed'
  >
  failure?: FailureReason | undefined
  /** When the provider's own record changed, in Unix milliseconds. */
  at: number
  address: string
  /** The provider's name for the coin; compared with the purchase's. */
  product: string
  received?: string | undefined
  total?: string | undefined
  fee?: string | undefined
  currency?: string | undefined
  transactionHash?: string | undefined
}
export interface WebhookRequest {
  headers: Headers
  /** As it came. */
  body: Uint8Array
}

export interface RampMethod {
  readonly id: PaymentMethod
  readonly opens: OpeningKind
  /** The provider's terms, where the user has to accept them before, in the app. */
  readonly termsUrl?: string
  /** Countries (ISO 3166) to whose people it is limited, by their phone number. */
  readonly countries?: readonly string[]
}

/** A provider that sells coins, with the keys of one app. */
export interface Ramp {
  readonly id: string
  /** For people. */
  readonly name: string
  readonly sandbox: boolean
  readonly methods: readonly RampMethod[]
  /** The provider's word for an asset of a chain; `undefined` for one that it doesn't sell. */
  product(chain: string, asset: string): string | undefined
  /** The same for a code of the protocol, where unmodified clients name one. */
  productOfCode?(code: string): string
  /** The provider's id of the app, where unmodified clients need it. */
  readonly projectId?: string
  /** The response for unmodified clients instead of an address. @throws Unavailable */
  openSession?(
    session: {
      addresses: readonly { address: string; blockchains: readonly string[] }[]
      assets?: readonly string[] | undefined
    },
    buyer: Buyer,
    cx: RampContext,
  ): Promise<{ token: string; channelId: string }>
  /** @throws RampRefusal; Unavailable */
  quote(order: Order, buyer: Buyer, cx: RampContext): Promise<RampQuote>
  /**
   * Opens the page on which the purchase is paid. Called again for a purchase that was not paid, unless its last opening is still good.
   * @throws RampRefusal; Unavailable
   */
  start(order: Order, presentation: Presentation, buyer: Buyer, cx: RampContext): Promise<StartedPurchase>
  /**
   * All that the provider knows of a purchase's payments.
   * @throws Unavailable
   */
  status(
    purchase: { reference: string; providerReference: string | null },
    cx: RampContext,
  ): Promise<readonly Observation[]>
  /**
   * Reads a webhook. `undefined`: it is genuine and about something else.
   * @throws BadWebhook for a signature that is wrong, old or missing
   */
  verifyWebhook(request: WebhookRequest, cx: RampContext): Observation | undefined
}

/** A provider of coins. The third one is one more file in `providers/` and a line in `ramps.ts`. */
export interface RampProvider {
  readonly id: string
  /** Opens it with an app's settings. @throws Error that says which setting is wrong, without its value */
  open(settings: unknown): Ramp
}

/** The provider doesn't sell that. */
export class RampRefusal extends Error {
  override name = 'RampRefusal'
  constructor(
    readonly reason: RefusalReason,
    readonly details: {
      least?: string | undefined
      most?: string | undefined
      missing?: readonly ('email' | 'phone')[] | undefined
    } = {},
  ) {
    super(reason)
  }
}

/** A webhook that the provider has not signed, or not now. */
export class BadWebhook extends Error {
  override name = 'BadWebhook'
}

/** Reasons in the providers' words, the first that fits. Their texts are never shown. */
const failures: readonly (readonly [RegExp, FailureReason])[] = [
  [/refund/i, 'refunded'],
  [/3ds|three_?d|authori[sz]ation_(?:failed|timeout)|authenticat/i, 'authorization'],
  [/insufficient/i, 'funds'],
  [/risk|fraud|blocked|sanction/i, 'risk'],
  [/limit|transaction_count/i, 'limit'],
  [/region|country|state_not|geo/i, 'region'],
  [/kyc|verif|identity|document/i, 'verification'],
  [/cancel|rejected_by_customer|abandon/i, 'canceled'],
  [/expire|timeout|timed_out/i, 'expired'],
  [/declin|prepaid|invalid_card|card/i, 'declined'],
]

/** What a provider's reason means. */
export const failureOf = (text: string | null | undefined): FailureReason =>
  failures.find(([pattern]) => pattern.test(text ?? ''))?.[1] ?? 'unknown'
