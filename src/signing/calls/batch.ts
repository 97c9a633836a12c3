/** A batch of calls that the user has approved: the transactions that carry it, and how far each is. */
import type { ActivityEntry } from '../../activity/entry.ts'

/**
 * `waiting`: not sent yet. `sent`: the network may have it. `confirmed`, `reverted`: it was included. `stopped`: it was never sent, or the
 * network has refused it, dropped it or let it expire.
 */
export type CallState = 'waiting' | 'sent' | 'confirmed' | 'reverted' | 'stopped'

/** A receipt as `wallet_getCallsStatus` has it. */
export interface CallReceipt {
  readonly logs: readonly {
    readonly address: string
    readonly data: string
    readonly topics: readonly string[]
  }[]
  readonly status: string
  readonly blockHash: string
  readonly blockNumber: string
  readonly gasUsed: string
  readonly transactionHash: string
}

/** A transaction of a batch. A wallet that is a key has one for each call; a contract has one for all of them. */
export interface BatchTransaction {
  /** As the activity stores it once it is sent. Without its signed bytes once nobody needs them any more. */
  readonly entry: ActivityEntry
  readonly state: CallState
  /** The hash that was confirmed in its place, such as after the user has sped it up, or that of the transaction with an operation. */
  readonly confirmedAs?: string | undefined
  /** Absent where it has to be read from the network. */
  readonly receipt?: CallReceipt | undefined
}

export interface CallBatch {
  readonly id: string
  /** CAIP-2. */
  readonly chain: string
  /** The address of the wallet. */
  readonly wallet: string
  /** Whether all calls take effect or none does. */
  readonly isAtomic: boolean
  /** When the user approved it, in milliseconds since 1970. */
  readonly approvedAt: number
  /** In the order in which they are sent. */
  readonly transactions: readonly BatchTransaction[]
  /** The calls, where one transaction carries all of them. */
  readonly calls?: readonly Pick<ActivityEntry, 'title' | 'amount' | 'asset'>[] | undefined
}

/** The status codes of EIP-5792. */
export type CallsStatusCode = 100 | 200 | 400 | 500 | 600

/** Whether a batch can still change. */
export const isOpen = ({ transactions }: Pick<CallBatch, 'transactions'>): boolean =>
  transactions.some(({ state }) => state === 'waiting' || state === 'sent')

/** The status of a batch by EIP-5792. */
export function statusOf(batch: Pick<CallBatch, 'transactions'>): CallsStatusCode {
  if (isOpen(batch)) return 100
  const count = (wanted: CallState) => batch.transactions.filter(({ state }) => state === wanted).length
  const confirmed = count('confirmed')
  if (confirmed === batch.transactions.length) return 200
  if (confirmed > 0) return 600
  return count('reverted') > 0 ? 500 : 400
}

/** The transactions that the network has included, in that order. */
export const includedOf = ({ transactions }: Pick<CallBatch, 'transactions'>): readonly BatchTransaction[] =>
  transactions.filter(({ state }) => state === 'confirmed' || state === 'reverted')

/** The hash by which the activity knows what was confirmed of a transaction: an operation's own stays the same. */
export const entryHashOf = (transaction: BatchTransaction): string =>
  transaction.entry.operation ? transaction.entry.hash : (transaction.confirmedAs ?? transaction.entry.hash)

/** The hash by which the network knows a transaction; `undefined` for an operation that was not included yet. */
export const hashOf = ({ entry, confirmedAs }: BatchTransaction): string | undefined =>
  confirmedAs ?? (entry.operation ? undefined : entry.hash)
