/** The preview of a smart account's operation: its calls, and what the operation as a whole costs. The page and the vault both use it. */
import { atMost } from '../../ethereum/amounts.ts'
import { feeLimitsOf } from '../../ethereum/fee-limits.ts'
import { feeConcern } from '../../lib/fee-concern.ts'
import { type CallsPreview, toCallsPreview } from '../calls/preview.ts'
import type { TransactionPreview } from '../preview.ts'

/** The facts of an operation beside its calls. */
export interface OperationFacts {
  /** The most that it costs the account, in wei; `undefined` while it is unknown, or where a sponsor pays. */
  readonly fee?: bigint | undefined
  /** The part of the fee that the account has deposited at the EntryPoint, in wei. */
  readonly deposit?: bigint | undefined
  /** The sponsor: its name, the address of its contract, or both. */
  readonly sponsor?: { readonly name?: string | undefined; readonly address?: string | undefined } | undefined
  readonly deploysAccount: boolean
}

/**
 * Adds up the calls of an operation.
 * @param calls each by itself, without a fee
 * @throws InvalidRequest if the fee is absurd
 */
export function toOperationPreview(
  calls: readonly TransactionPreview[],
  { fee, deposit = 0n, sponsor, deploysAccount }: OperationFacts,
): CallsPreview {
  // The account pays before the first call, so what that one brings in can't pay the fee.
  const upfront = fee !== undefined && fee > deposit ? fee - deposit : 0n
  const paid = calls.map((call, at) => ({ ...call, total: call.value + (at === 0 ? upfront : 0n) }))
  const { calls: stepsWithTotals, ...sum } = toCallsPreview(paid)
  const most = fee === undefined ? undefined : atMost(fee)
  const isKnown = fee !== undefined || sponsor !== undefined
  const symbol = sum.coin.symbol === '' ? undefined : sum.coin.symbol
  const concern = most === undefined ? undefined : feeConcern(most, sum.value, feeLimitsOf(symbol))
  const { total: _, ...totals } = sum
  return {
    ...totals,
    isAtomic: true,
    ...(most !== undefined && { fee: most }),
    ...(sponsor?.name !== undefined && { sponsorName: sponsor.name }),
    ...(sponsor?.address !== undefined && { sponsor: sponsor.address }),
    ...(deploysAccount && { deploysAccount }),
    ...(isKnown && { total: sum.value + (most ?? 0n) }),
    ...(concern && { feeConcern: concern }),
    calls: stepsWithTotals.map(({ total: _, ...call }) => call),
  }
}
