/** Payments to the user's wallets that were handed to another wallet: written down first, so that none is made twice. */
import * as v from 'valibot'
import type { Storage } from '../../lib/storage.ts'
import type { BridgeEnd } from '../../protocol/bridges.ts'
import { fundingLimits } from '../limits.ts'
import type { FundingTarget } from '../target.ts'

const word = (length: number) => v.pipe(v.string(), v.minLength(1), v.maxLength(length))
const units = v.pipe(v.string(), v.regex(/^\d{1,78}$/))
const hash = v.pipe(v.string(), v.regex(/^[\w-]{1,128}$/))
const figure = v.object({
  symbol: word(32),
  decimals: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(36)),
  amount: units,
})
const payment = v.object({
  id: word(64),
  /** The wallet that is paid, its network in CAIP-2, and the contract or mint. */
  address: word(64),
  chain: word(64),
  token: v.optional(word(64)),
  receives: figure,
  wallet: v.object({
    id: word(64),
    name: word(64),
    address: word(64),
    chainType: v.picklist(['ethereum', 'solana']),
  }),
  /** The network that pays, in CAIP-2, and what leaves the wallet there. */
  from: word(64),
  network: word(64),
  pays: figure,
  /** Milliseconds since 1970. */
  startedAt: v.pipe(v.number(), v.minValue(0), v.maxValue(8.64e15)),
  /** `asked`: nobody knows whether the wallet has sent it. */
  state: v.picklist(['asked', 'sent']),
  /** Finds a transaction whose wallet never gave its hash, on Ethereum's networks. */
  trace: v.optional(
    v.object({
      nonce: units,
      block: units,
      to: word(64),
      value: units,
      data: v.pipe(v.string(), v.regex(/^0x[\da-f]*$/), v.maxLength(fundingLimits.paymentData)),
    }),
  ),
  /** The transaction that pays, once it is known. */
  hash: v.optional(hash),
  raw: v.optional(word(10_000)),
  lastValidBlockHeight: v.optional(units),
  /** By which the bridge knows it. */
  requestId: v.optional(hash),
  /** Seconds that the bridge usually takes. */
  seconds: v.optional(v.pipe(v.number(), v.minValue(0))),
})
export type Payment = Readonly<v.InferOutput<typeof payment>>

/** Stores payments per user; all tabs share them. */
export interface PaymentStore {
  /** The newest payment for this wallet, network and asset that nobody knows the end of. */
  find(target: Pick<FundingTarget, 'address' | 'chain' | 'token'>): Payment | undefined
  /** Adds a payment, or replaces the one with its id. */
  save(payment: Payment): void
  /** @param end how its bridge has ended; `none` where nothing was sent */
  remove(payment: Pick<Payment, 'id' | 'requestId'>, end?: BridgeEnd | 'none'): void
}

/** @param key the storage key of one user's payments in one app */
export function createPaymentStore(
  storage: Storage,
  { key, now }: { readonly key: string; readonly now: () => number },
): PaymentStore {
  // Another tab may have written since this one read.
  const list = () => read(storage.get(key), now())
  const write = (next: readonly Payment[]) =>
    next.length === 0
      ? storage.remove(key)
      : storage.set(key, JSON.stringify(next.slice(0, fundingLimits.payments)))
  return {
    find: ({ address, chain, token }) =>
      list().find((each) => each.address === address && each.chain === chain && each.token === token),
    save: (saved) => write([saved, ...list().filter(({ id }) => id !== saved.id)]),
    remove: ({ id }) => write(list().filter((each) => each.id !== id)),
  }
}

/** Payments that can't be read, as another version may have written them, are left out, and so are those of long ago. */
function read(stored: string | undefined, now: number): readonly Payment[] {
  if (stored === undefined) return []
  try {
    const list: unknown = JSON.parse(stored)
    if (!Array.isArray(list)) return []
    return list
      .flatMap((each) => {
        const parsed = v.safeParse(payment, each)
        return parsed.success ? parsed.output : []
      })
      .filter(({ startedAt }) => now - startedAt < fundingLimits.paymentLife)
  } catch {
    return []
  }
}
