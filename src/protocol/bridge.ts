/** The bridge's own protocol (Relay): what a wallet has to sign so that money arrives on another network, and what has become of it. */
import * as v from 'valibot'
import { KitError } from '../errors/kit-error.ts'
import type { Clock } from '../lib/clock.ts'
import { ExchangeError, type Fetch, retryingFetch } from '../lib/retrying-fetch.ts'
import { optionalText, parse, requiredText } from './schema.ts'

/** Addresses of the bridge, unless the app names others. */
export const bridgeHosts = {
  mainnet: 'https://api.relay.link',
  testnet: 'https://api.testnets.relay.link',
} as const

/** Solana, as the bridge numbers chains. */
export const BRIDGE_SOLANA = 792_703_809
/** The coin of a network, as the bridge names it. */
export const bridgeCoins = {
  ethereum: '0x0000000000000000000000000000000000000000',
  solana: '11111111111111111111111111111111',
} as const

/** A coin or token of one network, by the bridge's names. */
export interface BridgeAsset {
  readonly chainId: number
  readonly address: string
}
export interface BridgeRequest {
  /** The address of the wallet that pays. */
  readonly user: string
  readonly recipient: string
  readonly from: BridgeAsset
  readonly to: BridgeAsset
  /** The amount that has to arrive, in smallest units. */
  readonly amount: bigint
}

/** An amount that a quote names. */
export interface BridgeAmount extends BridgeAsset {
  readonly symbol: string
  readonly decimals: number
  readonly amount: bigint
}
export interface EthereumItem {
  readonly kind: 'ethereum'
  readonly chainId: number
  readonly from: string
  readonly to: string
  readonly value: bigint
  readonly data: `0x${string}`
}
export interface SolanaItem {
  readonly kind: 'solana'
  readonly instructions: readonly {
    readonly program: string
    readonly accounts: readonly {
      readonly address: string
      readonly signer: boolean
      readonly writable: boolean
    }[]
    readonly data: Uint8Array
  }[]
  readonly lookupTables: readonly string[]
}
/** Something to be signed that is no transaction, or that this version doesn't know. */
export interface UnknownItem {
  readonly kind: 'unknown'
}
export type BridgeItem = EthereumItem | SolanaItem | UnknownItem
export interface BridgeStep {
  /** `approve`, `deposit`; the bridge has others. */
  readonly id: string
  readonly requestId?: string | undefined
  readonly items: readonly BridgeItem[]
}
export interface BridgeQuote {
  readonly steps: readonly BridgeStep[]
  readonly sender: string
  readonly recipient: string
  /** The amount that the wallet pays, fees of the bridge included. */
  readonly pays: BridgeAmount
  readonly receives: BridgeAmount
  /** The part of it that is the bridge's fee, in the asset that the bridge takes it in. */
  readonly fee: BridgeAmount | undefined
  /** Seconds that it usually takes. */
  readonly seconds: number | undefined
}

/** `waiting`: the bridge has seen no deposit. `refund`: the deposit goes back. A newer bridge has other states, which are `pending`. */
export type BridgeState =
  | 'waiting'
  | 'depositing'
  | 'pending'
  | 'submitted'
  | 'success'
  | 'refund'
  | 'failure'
export interface BridgeStatus {
  readonly state: BridgeState
  /** Transactions of the wallet. */
  readonly deposits: readonly string[]
  /** Transactions of the bridge: the payment, or the refund. */
  readonly payments: readonly string[]
}

export interface BridgeClient {
  /**
   * Asks how an exact amount can arrive. `undefined`: the bridge doesn't take one of the addresses.
   * @throws KitError `provider_refused` ('Error fetching quote from relay'), `network_unavailable`, `malformed_response`
   */
  quote(request: BridgeRequest, signal?: AbortSignal): Promise<BridgeQuote | undefined>
  /** Asks what has become of a quote. Throws `network_unavailable` or `malformed_response`. */
  status(requestId: string, signal?: AbortSignal): Promise<BridgeStatus>
}

const address = v.pipe(v.string(), v.regex(/^(?:0x[\da-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$/))
const units = v.pipe(
  v.union([v.pipe(v.string(), v.regex(/^\d{1,78}$/)), v.pipe(v.number(), v.safeInteger(), v.minValue(0))]),
  v.transform((value) => BigInt(value)),
)
const chainId = v.pipe(
  v.union([v.pipe(v.string(), v.regex(/^\d{1,15}$/)), v.number()]),
  v.transform(Number),
  v.safeInteger(),
  v.minValue(1),
)
const symbol = v.pipe(v.string(), v.minLength(1), v.maxLength(32))
const amount = v.pipe(
  v.object({
    currency: v.object({
      chainId,
      address,
      symbol,
      decimals: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(36)),
    }),
    amount: units,
  }),
  v.transform(({ currency, amount: sum }): BridgeAmount => ({ ...currency, amount: sum })),
)
const bytes = v.pipe(
  v.string(),
  v.regex(/^0x(?:[\da-f]{2})*$/i),
  v.transform((text) => text.toLowerCase() as `0x${string}`),
)
const ethereumItem = v.pipe(
  v.object({
    data: v.object({
      from: v.pipe(v.string(), v.regex(/^0x[\da-fA-F]{40}$/)),
      to: v.pipe(v.string(), v.regex(/^0x[\da-fA-F]{40}$/)),
      value: v.optional(units, 0),
      chainId,
      data: v.optional(bytes, '0x'),
    }),
  }),
  v.transform(({ data }): EthereumItem => ({ kind: 'ethereum', ...data })),
)
const solanaItem = v.pipe(
  v.object({
    data: v.object({
      instructions: v.pipe(
        v.array(
          v.object({
            keys: v.array(v.object({ pubkey: address, isSigner: v.boolean(), isWritable: v.boolean() })),
            programId: address,
            data: v.pipe(v.string(), v.regex(/^(?:[\da-f]{2})*$/i)),
          }),
        ),
        v.minLength(1),
        v.maxLength(32),
      ),
      addressLookupTableAddresses: v.optional(v.pipe(v.array(address), v.maxLength(16)), []),
    }),
  }),
  v.transform(
    ({ data }): SolanaItem => ({
      kind: 'solana',
      instructions: data.instructions.map(({ keys, programId, data: text }) => ({
        program: programId,
        accounts: keys.map(({ pubkey, isSigner, isWritable }) => ({
          address: pubkey,
          signer: isSigner,
          writable: isWritable,
        })),
        data: Uint8Array.from(text.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16)),
      })),
      lookupTables: data.addressLookupTableAddresses,
    }),
  ),
)
/** An item that was done before, such as an allowance that the wallet has given already. */
const doneItem = v.pipe(
  v.object({ status: v.literal('complete') }),
  v.transform(() => ({ kind: 'done' }) as const),
)
const unknownItem = v.pipe(
  v.unknown(),
  v.transform((): UnknownItem => ({ kind: 'unknown' })),
)
const requestId = v.pipe(v.string(), v.regex(/^[\w-]{1,128}$/))
const step = v.pipe(
  v.object({
    id: requiredText,
    kind: v.fallback(v.string(), ''),
    requestId: v.fallback(v.optional(requestId), undefined),
    items: v.pipe(v.array(v.union([doneItem, ethereumItem, solanaItem, unknownItem])), v.maxLength(16)),
  }),
  v.transform(({ kind, items, ...more }): BridgeStep => {
    const open = items.flatMap((item) => (item.kind === 'done' ? [] : item))
    return { ...more, items: kind === 'transaction' ? open : open.map(() => ({ kind: 'unknown' })) }
  }),
)
const quote = v.pipe(
  v.object({
    steps: v.pipe(v.array(step), v.minLength(1), v.maxLength(16)),
    fees: v.fallback(v.object({ relayer: v.fallback(v.optional(amount), undefined) }), {}),
    details: v.object({
      sender: address,
      recipient: address,
      currencyIn: amount,
      currencyOut: amount,
      timeEstimate: v.fallback(v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(604_800))), undefined),
    }),
  }),
  v.transform(
    ({ steps, fees, details }): BridgeQuote => ({
      steps,
      sender: details.sender,
      recipient: details.recipient,
      pays: details.currencyIn,
      receives: details.currencyOut,
      fee: fees.relayer,
      seconds: details.timeEstimate,
    }),
  ),
)
const hashes = v.fallback(v.pipe(v.array(v.pipe(v.string(), v.regex(/^[\w-]{1,128}$/))), v.maxLength(16)), [])
const known = ['waiting', 'depositing', 'pending', 'submitted', 'success', 'refund', 'failure'] as const
const status = v.pipe(
  v.object({ status: v.string(), inTxHashes: hashes, txHashes: hashes }),
  v.transform(
    ({ status: name, inTxHashes, txHashes }): BridgeStatus => ({
      // The first version of these states calls a refund so.
      state: name === 'fallback' ? 'refund' : (known.find((each) => each === name) ?? 'pending'),
      deposits: inTxHashes,
      payments: txHashes,
    }),
  ),
)
const refusal = v.object({ message: v.fallback(optionalText, undefined) })

/** A bridge at an address, whose quotes are asked for by either of its two calls. */
export function createBridgeClient({
  url,
  protocol,
  fetch,
  clock,
}: {
  readonly url: string
  readonly protocol: 'quote' | 'swap'
  readonly fetch: Fetch
  readonly clock: Clock
}): BridgeClient {
  async function ask(path: string, body: object | undefined, signal: AbortSignal | undefined) {
    try {
      return await retryingFetch(fetch, clock, {
        url: `${url}${path}`,
        method: body ? 'POST' : 'GET',
        ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
        credentials: 'omit',
        redirect: 'error',
        signal,
      })
    } catch (cause) {
      signal?.throwIfAborted()
      if (!(cause instanceof ExchangeError)) throw cause
      throw new KitError('network_unavailable', 'The bridge did not answer', { cause, retryable: true })
    }
  }
  return {
    async quote({ user, recipient, from, to, amount: exact }, signal) {
      const { status: code, text } = await ask(
        protocol === 'swap' ? '/execute/swap' : '/quote/v2',
        {
          tradeType: 'EXACT_OUTPUT',
          user,
          recipient,
          refundTo: user,
          originChainId: from.chainId,
          originCurrency: from.address,
          destinationChainId: to.chainId,
          destinationCurrency: to.address,
          amount: String(exact),
        },
        signal,
      )
      const answer = readJson(text)
      if (code < 200 || code >= 300) {
        const { message = '' } = v.is(refusal, answer) ? parse(refusal, answer, 'bridge') : {}
        // It is no fault that a wallet of one kind of network can't pay on another.
        if (message.startsWith('Invalid address')) return undefined
        throw new KitError('provider_refused', 'Error fetching quote from relay', {
          details: `${code} ${message.slice(0, 200)}`,
          status: code,
          retryable: code >= 500 || code === 429,
        })
      }
      return parse(quote, answer, 'quote of the bridge')
    },
    async status(id, signal) {
      const { status: code, text } = await ask(
        `/intents/status/v3?requestId=${encodeURIComponent(id)}`,
        undefined,
        signal,
      )
      if (code < 200 || code >= 300)
        throw new KitError('network_unavailable', 'The bridge did not answer', {
          details: `status: ${code}`,
          status: code,
          retryable: true,
        })
      return parse(status, readJson(text), 'status of the bridge')
    },
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
