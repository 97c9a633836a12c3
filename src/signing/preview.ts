/** The preview of a transaction: plain data, the same for all chains, and all that a review screen displays. */
import { formatUnits } from '../ethereum/amounts.ts'
import type { TokenAction } from '../ethereum/call-decoder.ts'
import type { FeeConcern } from '../lib/fee-concern.ts'
import type { ShownInstruction } from './solana/instructions.tsx'

/** A coin or token, and how its smallest units are counted. */
export interface Asset {
  readonly symbol: string
  readonly decimals: number
}

/** What a transaction does, in typed fields. Amounts are in smallest units; the view formats them. */
export type Action =
  /** The network's own coin goes to `to`. */
  | { readonly kind: 'transfer'; readonly to: string; readonly amount: bigint }
  /** A known call of a token contract; `asset` if the token's figures are known. */
  | { readonly kind: 'token'; readonly call: TokenAction; readonly asset?: Asset | undefined }
  | { readonly kind: 'deploy' }
  /** Any other contract call. */
  | { readonly kind: 'call'; readonly to: string }
  | { readonly kind: 'instruction'; readonly instruction: ShownInstruction }

export type WarningCode =
  | 'insufficient-funds'
  | 'reverts'
  | 'may-fail'
  | 'unlimited-allowance'
  | 'allowance'
  | 'nodes-differ'
  | `solana-${'nonce' | 'authority' | 'approve' | 'close' | 'assign'}`

/** Why the user should look twice. The words are the view's. */
export interface Warning {
  readonly code: WarningCode
  readonly severity: 'warning' | 'danger'
  /** The address that an allowance is for. */
  readonly spender?: string | undefined
  /** The node's own words. */
  readonly reason?: string | undefined
}

/** An asset that leaves the wallet, or comes to it. */
export interface BalanceChange {
  /** `undefined`: its figures are unknown, or it has a number of its own. */
  readonly asset?: Asset | undefined
  /** The token's contract or mint; `undefined` for the network's own coin. */
  readonly token?: string | undefined
  /** The number of the one token. */
  readonly id?: bigint | undefined
  readonly amount: bigint
}
/** Somebody who may take something of the wallet afterwards. */
export interface AllowanceChange {
  readonly spender: string
  readonly token?: string | undefined
  readonly asset?: Asset | undefined
  /** `undefined`: as much as there is. */
  readonly amount?: bigint | undefined
  readonly isUnlimited: boolean
}
/** What a simulation says that the transaction changes for the wallet. */
export interface BalanceChanges {
  readonly out: readonly BalanceChange[]
  readonly in: readonly BalanceChange[]
  readonly allowances: readonly AllowanceChange[]
  /** `false`: there are more than these. */
  readonly isComplete: boolean
}

export interface TransactionPreview {
  readonly network: {
    readonly name: string
    /** The network is named by the host page alone. */
    readonly isClaimed?: boolean | undefined
  }
  /** The network's own coin. */
  readonly coin: Asset
  /** The origin of the host page. */
  readonly origin: string
  /** The address of the wallet that signs. */
  readonly wallet: string
  /** The network's coin that leaves the wallet beside the fee. */
  readonly value: bigint
  readonly actions: readonly Action[]
  /** The most that the network may take; `undefined` while it is unknown, or where somebody else pays. */
  readonly fee?: bigint | undefined
  /** A part of the fee is known from the host page alone. */
  readonly isFeeClaimed?: boolean | undefined
  /** The value and the fee together. */
  readonly total?: bigint | undefined
  /** The wallet's balance of the network's coin. */
  readonly balance?: bigint | undefined
  /** The wallet can't pay the total. */
  readonly isUnderfunded: boolean
  /** The amount by which the balance is below the total, where both are known. */
  readonly missing?: bigint | undefined
  /** `unavailable`: the network can't simulate. `undefined`: nobody has said yet, or the simulation failed. */
  readonly balanceChanges?: BalanceChanges | 'unavailable' | undefined
  /** The fee needs a confirmation of its own. */
  readonly feeConcern?: FeeConcern | undefined
  /** In any order; {@link rankWarnings} puts the gravest first. */
  readonly warnings: readonly Warning[]
  /** The call data, 0x-hex. */
  readonly data?: string | undefined
}

/** Formats an exact amount with its symbol. */
export const formatAmount = (units: bigint, { symbol, decimals }: Asset): string =>
  `${formatUnits(units, decimals)} ${symbol}`.trim()

/** Warnings by gravity, the gravest first. */
const ranks: readonly WarningCode[] = [
  'unlimited-allowance',
  'solana-authority',
  'solana-assign',
  'solana-approve',
  'allowance',
  'solana-close',
  'solana-nonce',
  'reverts',
  'may-fail',
  'insufficient-funds',
  'nodes-differ',
]

/** Sorts warnings by severity and then by gravity, and drops repeated ones. */
export function rankWarnings(warnings: readonly Warning[]): readonly Warning[] {
  const distinct = new Map(warnings.map((warning) => [`${warning.code} ${warning.spender ?? ''}`, warning]))
  const rank = ({ code, severity }: Warning) =>
    (severity === 'danger' ? 0 : ranks.length) + ranks.indexOf(code)
  return [...distinct.values()].sort((a, b) => rank(a) - rank(b))
}

/** The kind of transaction that its title names. */
export type PreviewTitle = 'transfer' | 'approve' | 'revoke' | 'deploy' | 'call'

/** The title of a preview: its one action beside Solana's budget and memos, or a call where it has several kinds. */
export function titleOf({ actions }: Pick<TransactionPreview, 'actions'>): PreviewTitle {
  const kinds = new Set(actions.flatMap((action) => titleOfAction(action) ?? []))
  const [first] = kinds
  return kinds.size === 1 && first ? first : 'call'
}

function titleOfAction(action: Action): PreviewTitle | undefined {
  switch (action.kind) {
    case 'transfer':
      return 'transfer'
    case 'deploy':
      return 'deploy'
    case 'token': {
      const { call } = action
      if (call.action === 'transfer') return 'transfer'
      return call.action === 'revokeAll' || (call.action === 'approve' && call.amount === 0n)
        ? 'revoke'
        : 'approve'
    }
    case 'instruction': {
      const name = action.instruction.action?.name
      if (name === undefined) return 'call'
      return instructionTitles.has(name) ? instructionTitles.get(name) : 'call'
    }
    default:
      return 'call'
  }
}

/** Instructions that only prepare a transfer have no title of their own. */
const instructionTitles = new Map<string, PreviewTitle | undefined>([
  ['transferSol', 'transfer'],
  ['transferToken', 'transfer'],
  ['approveToken', 'approve'],
  ['revokeToken', 'revoke'],
  ['computeLimit', undefined],
  ['computePrice', undefined],
  ['heapSize', undefined],
  ['dataSize', undefined],
  ['memo', undefined],
  ['createTokenAccount', undefined],
])
