import type { Limits } from '../settings/limits.ts'
import type { UseStatus } from './tables.ts'
import type { WalletChain } from './wallet-key.ts'

/** The most that a use takes of one asset; the fee is part of the amount. */
export interface Cost {
  asset: string
  amount: bigint
  fee: bigint
}
/** A transaction that its grant allows, before anything is counted or signed. */
export interface Plan {
  chain: string
  /** The recipient or the contract, for the user's log. */
  target: string
  costs: Cost[]
  /** The next number of the wallet's transactions as the chain's nodes say it. */
  nonce?: number
  /** On Solana the block height after which the message can't be included any longer. */
  lastBlock?: number
  /** Signs it. @param nonce the number that was reserved for it */
  sign(key: Uint8Array, nonce: number | undefined): Signed
  send(raw: string): Promise<Extract<UseStatus, 'sent' | 'refused' | 'unknown'>>
}
export interface Signed {
  /** Its name at the chain. */
  hash: string
  /** As nodes take it: in hex, or on Solana in base64. */
  raw: string
}
export interface GrantWallet {
  id: string
  chainType: WalletChain
  address: string
}
export interface PlanContext {
  limits: Limits
  /** Unix milliseconds. */
  now: () => number
}

/** Adds amounts up by asset. */
export function sumCosts(costs: readonly Cost[]): Cost[] {
  const sums = new Map<string, Cost>()
  for (const { asset, amount, fee } of costs) {
    const sum = sums.get(asset) ?? { asset, amount: 0n, fee: 0n }
    sums.set(asset, { asset, amount: sum.amount + amount, fee: sum.fee + fee })
  }
  return [...sums.values()]
}

/** The larger of two readings of each asset that leaves a wallet. */
export function largerOf(
  one: ReadonlyMap<string, bigint>,
  other: ReadonlyMap<string, bigint>,
): Map<string, bigint> {
  const larger = new Map(one)
  for (const [asset, amount] of other) if (amount > (larger.get(asset) ?? 0n)) larger.set(asset, amount)
  return larger
}
