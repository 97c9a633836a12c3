/** Actions of calls and messages, as far as they can be named with certainty. */
import type { InnerCall } from '../call.ts'

/** Addresses have their checksum. */
export type Action =
  | Transfer
  | Allowance
  | Operator
  | Control
  | Order
  | Delegation
  | SafeTransaction
  | UserOperation
  | Payment
  | Revocation
  | Refund

export interface Transfer {
  readonly kind: 'transfer'
  /** `token-or-nft`: the function is the same for both, and nobody has said which the contract is. */
  readonly standard: 'native' | 'token' | 'nft' | 'multi-token' | 'token-or-nft'
  readonly chainId?: number | undefined
  readonly contract?: string | undefined
  /** The owner of the tokens, where that isn't the signer by itself. */
  readonly from?: string | undefined
  readonly to: string
  /** In the smallest units. */
  readonly amount?: bigint | undefined
  readonly tokenId?: bigint | undefined
  /** An amount or the id of a token: see `token-or-nft`. */
  readonly amountOrId?: bigint | undefined
  /** Signed for somebody else to send (EIP-3009). */
  readonly isSigned: boolean
}
export interface Allowance {
  readonly kind: 'allowance'
  readonly method: 'approve' | 'increase' | 'permit' | 'permit2' | 'permit2-transfer'
  readonly chainId?: number | undefined
  readonly token?: string | undefined
  readonly spender: string
  readonly amount?: bigint | undefined
  readonly amountOrId?: bigint | undefined
  /** The greatest amount of its type: no limit. */
  readonly isUnlimited: boolean
  /** Whether it reaches all that the wallet has, or all that there is; absent if nobody has said how much that is. */
  readonly reach?: 'all' | 'part' | undefined
  /** It takes an allowance back. */
  readonly isRevoked: boolean
  /** Seconds since 1970 until when it may be used; absent if it has no end. */
  readonly expiresAt?: bigint | undefined
  /** The value that a wallet may change to allow less, and its type. */
  readonly editable?: { readonly path: string; readonly type: string } | undefined
  /** A signature over more than the allowance: an order of somebody else's contract. */
  readonly witness?: string | undefined
  readonly isSigned: boolean
}
/** Power over all tokens of a contract (`setApprovalForAll`). */
export interface Operator {
  readonly kind: 'operator'
  readonly chainId?: number | undefined
  readonly contract?: string | undefined
  readonly operator: string
  readonly isGranted: boolean
}
/** A change of who controls a contract or an account. */
export interface Control {
  readonly kind: 'control'
  readonly change:
    | 'owner'
    | 'code'
    | 'admin'
    | 'module'
    | 'signer'
    | 'threshold'
    | 'guard'
    | 'role'
    | 'fallback'
  readonly chainId?: number | undefined
  readonly contract?: string | undefined
  /** The party or the code that gets control. */
  readonly subject?: string | undefined
  readonly function: string
}
/** An offer that anybody may take. */
export interface Order {
  readonly kind: 'order'
  readonly protocol: 'seaport' | 'seaport-bulk' | 'cow' | 'zero-ex' | 'blur' | 'one-inch'
  readonly gives: readonly OrderItem[]
  readonly gets: readonly OrderItem[]
  readonly expiresAt?: bigint | undefined
  /** Somebody else than the one who signs gets what is paid. */
  readonly proceedsTo?: string | undefined
  /** The goods stand in a hash, which nobody can read. */
  readonly isUnreadable?: boolean | undefined
}
export interface OrderItem {
  readonly token: string
  readonly amount: bigint
  readonly tokenId?: bigint | undefined
  readonly recipient?: string | undefined
}
/** Somebody else may act for the account. */
export interface Delegation {
  readonly kind: 'delegation'
  readonly form:
    | 'erc7710'
    | 'spend-permission'
    | 'session-key'
    | 'eip7702'
    | 'agent'
    | 'registry'
    /** To vote with the account's tokens, and no more. */
    | 'votes'
    /** To take a fee from what the account does, and no more. */
    | 'fee'
  readonly delegate?: string | undefined
  /** No caveat bounds it. */
  readonly isOpen: boolean
  readonly chainId?: number | undefined
}
export interface SafeTransaction {
  readonly kind: 'safeTransaction'
  readonly safe?: string | undefined
  readonly to: string
  readonly value: bigint
  readonly isDelegateCall: boolean
  readonly calls: readonly InnerCall[]
}
export interface UserOperation {
  readonly kind: 'userOperation'
  readonly sender: string
  /** Somebody else sends its call through a forwarder. */
  readonly isForwarded?: boolean | undefined
  readonly calls: readonly InnerCall[]
}
/** Money that an app pays out for a signature, all of it in the app's own words. */
export interface Payment {
  readonly kind: 'payment'
  readonly to: string
  readonly amount: string
  readonly token?: string | undefined
}

/** A signed transfer that is taken back before it was sent (EIP-3009). */
export interface Revocation {
  readonly kind: 'revocation'
  readonly chainId?: number | undefined
  readonly contract?: string | undefined
}

/** What a Safe pays for its own sending, out of what it holds. */
export interface Refund {
  readonly kind: 'refund'
  readonly chainId?: number | undefined
  /** The Safe that pays. */
  readonly account?: string | undefined
  /** Absent for the network's coin. */
  readonly token?: string | undefined
  /** The most that it can be, in the smallest units: what is taken depends on the gas. */
  readonly most: bigint
  /** Absent: whoever sends the transaction. */
  readonly to?: string | undefined
}
