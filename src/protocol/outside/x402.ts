/**
 * x402, by which a server asks for a payment with status 402. Version 2 speaks in headers; version 1 asks in the body of its response.
 * All that a seller says is a claim. https://github.com/coinbase/x402, specs/
 */
import { base64 } from '@scure/base'
import * as v from 'valibot'

/** One way to pay, as the seller offers it. */
export interface PaymentOffer {
  readonly version: 1 | 2
  readonly scheme: string
  /** CAIP-2, or the seller's own word where version 1 has a name that nobody knows. */
  readonly network: string
  /** In the asset's smallest units. */
  readonly amount: bigint
  readonly asset: string
  readonly payTo: string
  readonly maxTimeoutSeconds: number
  /** How the asset is transferred; `undefined`: as the scheme does by default. */
  readonly method?: string | undefined
  /** The name and version of the token's EIP-712 domain. */
  readonly name?: string | undefined
  readonly domainVersion?: string | undefined
  /** Address of the resource, as the seller names it. */
  readonly resource: string
  readonly description?: string | undefined
  /** The offer as it came, which version 2 wants back unchanged. */
  readonly raw: Readonly<Record<string, unknown>>
}

export interface PaymentTerms {
  readonly version: 1 | 2
  readonly offers: readonly PaymentOffer[]
  /** Resource and extensions of version 2, which go back unchanged. */
  readonly echo: Readonly<Record<string, unknown>>
}

/** A settlement, as the seller reports it. */
export interface Settlement {
  readonly isSuccess: boolean
  readonly reason?: string | undefined
  /** 0x-hex; `undefined` where there is none. */
  readonly transactionHash?: string | undefined
}

/** The authorization of a transfer (EIP-3009), in decimal text. */
export interface TransferAuthorization {
  readonly from: string
  readonly to: string
  readonly value: string
  readonly validAfter: string
  readonly validBefore: string
  /** 32 bytes, 0x-hex. */
  readonly nonce: string
}

/** Terms that can't be read; `isVersion`: they are of another version of x402. */
export class UnreadableTerms extends Error {
  override name = 'UnreadableTerms'
  readonly isVersion: boolean
  constructor(message: string, { isVersion = false }: { isVersion?: boolean } = {}) {
    super(message)
    this.isVersion = isVersion
  }
}

/** Characters of a header, and of the body of a response that asks for a payment. */
const MOST_HEADER = 32_768
const MOST_BODY = 65_536
const MOST_OFFERS = 32
const text = (length: number) => v.pipe(v.string(), v.minLength(1), v.maxLength(length))
const words = v.nullish(v.pipe(v.string(), v.maxLength(8_192)))
const units = v.pipe(
  v.string(),
  v.regex(/^\d{1,78}$/),
  v.transform((digits) => BigInt(digits)),
)
const seconds = v.pipe(v.number(), v.finite(), v.minValue(1))
const extra = v.nullish(
  v.looseObject({
    name: v.optional(v.string()),
    version: v.optional(v.string()),
    assetTransferMethod: v.optional(v.string()),
  }),
)
const common = {
  scheme: text(64),
  network: text(128),
  asset: text(128),
  payTo: text(128),
  maxTimeoutSeconds: seconds,
  extra,
}
const offer1 = v.looseObject({
  ...common,
  maxAmountRequired: units,
  resource: text(4_096),
  description: words,
})
const offer2 = v.looseObject({ ...common, amount: units })
const list = v.pipe(v.array(v.unknown()), v.minLength(1), v.maxLength(MOST_OFFERS))
const terms1 = v.looseObject({ x402Version: v.literal(1), accepts: list })
const resource2 = v.looseObject({ url: text(4_096), description: words })
const terms2 = v.looseObject({
  x402Version: v.literal(2),
  resource: resource2,
  accepts: list,
  extensions: v.nullish(v.record(v.string(), v.unknown())),
})
const settlement = v.looseObject({
  success: v.boolean(),
  errorReason: v.nullish(v.string()),
  transaction: v.nullish(v.string()),
})

/**
 * Reads what a response with status 402 asks for. An offer that can't be read is left out, because a seller may offer ways that a later
 * version of x402 brings.
 * @throws UnreadableTerms where nothing is left
 */
export async function readPaymentTerms(response: Response): Promise<PaymentTerms> {
  const header = response.headers.get('payment-required')
  const said = header === null ? await readBody(response) : decode(header)
  if (said === undefined)
    throw new UnreadableTerms(
      'The response names no terms that can be read. A seller on another origin must list PAYMENT-REQUIRED and PAYMENT-RESPONSE in Access-Control-Expose-Headers.',
    )
  const version = (said as { readonly x402Version?: unknown } | null)?.x402Version
  if (version !== 1 && version !== 2)
    throw new UnreadableTerms('The terms are of an unknown version of x402', {
      isVersion: typeof version === 'number',
    })
  const terms = version === 1 ? readVersion1(said) : readVersion2(said)
  if (!terms || terms.offers.length === 0) throw new UnreadableTerms("The terms can't be read")
  return terms
}

function readVersion1(said: unknown): PaymentTerms | undefined {
  const parsed = v.safeParse(terms1, said)
  if (!parsed.success) return undefined
  const offers = parsed.output.accepts.flatMap((raw): readonly PaymentOffer[] => {
    const each = v.safeParse(offer1, raw)
    if (!each.success) return []
    const { maxAmountRequired: amount, network, resource, description, ...rest } = each.output
    return [
      {
        ...offerOf(1, rest, raw),
        network: networkOf(network),
        amount,
        resource,
        ...(description && { description }),
      },
    ]
  })
  return { version: 1, offers, echo: {} }
}

function readVersion2(said: unknown): PaymentTerms | undefined {
  const parsed = v.safeParse(terms2, said)
  if (!parsed.success) return undefined
  const { resource, extensions, accepts } = parsed.output
  const offers = accepts.flatMap((raw): readonly PaymentOffer[] => {
    const each = v.safeParse(offer2, raw)
    if (!each.success) return []
    const { amount, network, ...rest } = each.output
    const { url, description } = resource
    return [{ ...offerOf(2, rest, raw), network, amount, resource: url, ...(description && { description }) }]
  })
  return { version: 2, offers, echo: { resource, ...(extensions && { extensions }) } }
}

function offerOf(
  version: 1 | 2,
  { scheme, asset, payTo, maxTimeoutSeconds, extra: more }: Common,
  raw: unknown,
): Omit<PaymentOffer, 'network' | 'amount' | 'resource'> {
  return {
    version,
    scheme,
    asset,
    payTo,
    maxTimeoutSeconds,
    raw: raw as PaymentOffer['raw'],
    ...(more?.assetTransferMethod !== undefined && { method: more.assetTransferMethod }),
    ...(more?.name !== undefined && { name: more.name }),
    ...(more?.version !== undefined && { domainVersion: more.version }),
  }
}
type Common = Pick<v.InferOutput<typeof offer2>, 'scheme' | 'asset' | 'payTo' | 'maxTimeoutSeconds' | 'extra'>

/** Chains by their names in version 1. */
const namedChains: Readonly<Record<string, number>> = {
  ethereum: 1,
  sepolia: 11155111,
  abstract: 2741,
  'abstract-testnet': 11124,
  'base-sepolia': 84532,
  base: 8453,
  'avalanche-fuji': 43113,
  avalanche: 43114,
  iotex: 4689,
  sei: 1329,
  'sei-testnet': 1328,
  polygon: 137,
  'polygon-amoy': 80002,
  peaq: 3338,
  story: 1514,
  educhain: 41923,
  'skale-base-sepolia': 324705682,
  megaeth: 4326,
  monad: 143,
  stable: 988,
  'stable-testnet': 2201,
}
const networkOf = (name: string): string =>
  Object.hasOwn(namedChains, name)
    ? `eip155:${namedChains[name]}`
    : name === 'solana' || name === 'solana-devnet'
      ? `solana:${name}`
      : name

/** Writes the header with which the request is sent again. */
export function writePayment(
  { version, echo }: PaymentTerms,
  { raw }: PaymentOffer,
  payload: { readonly signature: string; readonly authorization: TransferAuthorization },
): readonly [name: string, value: string] {
  return version === 2
    ? ['PAYMENT-SIGNATURE', encode({ x402Version: 2, ...echo, accepted: raw, payload })]
    : ['X-PAYMENT', encode({ x402Version: 1, scheme: raw.scheme, network: raw.network, payload })]
}

/** Headers that carry a payment. */
export const paymentHeaders: readonly string[] = ['payment-signature', 'x-payment']

/** Reads what the seller says of the settlement; `undefined` where it says nothing that can be read. */
export function readSettlement(headers: Headers): Settlement | undefined {
  const header = headers.get('payment-response') ?? headers.get('x-payment-response')
  const said = v.safeParse(settlement, header === null ? undefined : decode(header))
  if (!said.success) return undefined
  const { success, errorReason, transaction } = said.output
  const hash = transaction && /^0x[0-9a-f]{64}$/i.test(transaction) ? transaction.toLowerCase() : undefined
  return {
    isSuccess: success,
    ...(errorReason && { reason: errorReason.slice(0, 200) }),
    ...(hash && { transactionHash: hash }),
  }
}

async function readBody(response: Response): Promise<unknown> {
  const reader = response.body?.getReader()
  if (!reader) return undefined
  const decoder = new TextDecoder()
  let body = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    body += decoder.decode(value, { stream: true })
    if (body.length > MOST_BODY) {
      await reader.cancel()
      return undefined
    }
  }
  return parseJson(body)
}

function decode(header: string): unknown {
  if (header.length > MOST_HEADER) return undefined
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(base64.decode(header.trim())))
  } catch {
    return undefined
  }
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

const encode = (value: object): string => base64.encode(new TextEncoder().encode(JSON.stringify(value)))
