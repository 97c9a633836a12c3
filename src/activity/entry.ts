/** A transaction that was sent, as a host gets it too. */

/**
 * `pending`: the network has not decided. `unknown`: nobody could say for long; it may still be confirmed. `dropped`: the network
 * no longer has it, and its nonce is free. `replaced`: another transaction used its nonce.
 */
export type ActivityStatus =
  | 'pending'
  | 'confirmed'
  | 'failed'
  | 'replaced'
  | 'dropped'
  | 'expired'
  | 'unknown'

/** A transaction that was sent. Amounts are decimal text, so that an entry is plain JSON. */
export interface ActivityEntry {
  /** CAIP-2: `eip155:1`, `solana:mainnet`. */
  readonly chain: string
  /** The address of the wallet that sent it. */
  readonly wallet: string
  /** The transaction's hash, its first signature on Solana, or the hash of a smart account's operation. */
  readonly hash: string
  /** What it does, as its review was titled. `cancel` sends nothing and takes the nonce of another one. */
  readonly title:
    | 'transfer'
    | 'approve'
    | 'revoke'
    | 'deploy'
    | 'call'
    | 'cancel'
    | 'add-code'
    | 'remove-code'
  /** The recipient or contract. */
  readonly to?: string | undefined
  /** The amount of `asset` that leaves, in its smallest units, decimal. */
  readonly amount?: string | undefined
  readonly asset?: { readonly symbol: string; readonly decimals: number } | undefined
  /** Milliseconds since 1970. */
  readonly sentAt: number
  readonly status: ActivityStatus
  /** The hash that was mined in its place. */
  readonly replacedBy?: string | undefined
  /** The block or slot of the receipt. */
  readonly block?: string | undefined
  /** The fee that the network took, in the chain's smallest unit. */
  readonly fee?: string | undefined
  /** Why it failed, in the words of the network. */
  readonly reason?: string | undefined
  /** The signed bytes and the fields by which it is followed after a reload. */
  readonly raw?: string | undefined
  readonly nonce?: string | undefined
  readonly lastValidBlockHeight?: string | undefined
  /**
   * Set for an operation of a smart account: `hash` is the operation's own, and `wallet` the account. `block`: at which it was prepared,
   * decimal.
   */
  readonly operation?: { readonly entryPoint: string; readonly block: string } | undefined
  /** The transaction in which an operation was included. */
  readonly transactionHash?: string | undefined
}
export type ActivityId = Pick<ActivityEntry, 'chain' | 'hash'>
export type ActivityChange = Partial<
  Pick<ActivityEntry, 'status' | 'replacedBy' | 'block' | 'fee' | 'reason' | 'transactionHash'>
>

/** The hash by which the network knows what was sent; `undefined` for an operation that was not included yet. */
export const networkHashOf = ({
  hash,
  operation,
  transactionHash,
}: Pick<ActivityEntry, 'hash' | 'operation' | 'transactionHash'>): string | undefined =>
  operation ? transactionHash : hash
