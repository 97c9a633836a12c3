/** The preview of a smart account's operation: its calls, and what the operation as a whole costs. The page and the vault both use it. */
import { atMost } from '../../ethereum/amounts.ts'
import { feeLimitsOf } from '../../ethereum/fee-limits.ts'
import { feeConcern } from '../../lib/fee-concern.ts'
import { type CallsPreview, toCallsPreview } from '../calls/preview.ts'
import type { StandingAllowance, TransactionPreview, Warning } from '../preview.ts'

/** The contract that the EntryPoint takes the cost from. */
export interface OperationSponsor {
  readonly name?: string | undefined
  readonly address?: string | undefined
  /** The app's own settings name it. Any other may charge the account for the cost, or for more. */
  readonly isNamedByApp: boolean
  /** Allowances that the account has given it. `undefined`: nobody has been asked, or the answer may still come; `unread`: nobody has said them. */
  readonly mayTake?: readonly StandingAllowance[] | 'unread' | undefined
}

/** The facts of an operation beside its calls. */
export interface OperationFacts {
  /** The most that it can cost, in wei, whoever pays; `undefined` while it is unknown. */
  readonly fee?: bigint | undefined
  /** The part of the fee that the account has deposited at the EntryPoint, in wei. */
  readonly deposit?: bigint | undefined
  readonly sponsor?: OperationSponsor | undefined
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
  const isSponsored = sponsor?.isNamedByApp === true
  // The account pays before the first call, so what that one brings in can't pay the fee.
  const upfront = !sponsor && fee !== undefined && fee > deposit ? fee - deposit : 0n
  const paid = calls.map((call, at) => ({ ...call, total: call.value + (at === 0 ? upfront : 0n) }))
  const { calls: stepsWithTotals, ...sum } = toCallsPreview(paid)
  const most = fee === undefined ? undefined : atMost(fee)
  const symbol = sum.coin.symbol === '' ? undefined : sum.coin.symbol
  // Who pays is a claim, and what it can cost is in the bytes: an absurd cost is refused whoever is to pay it.
  const concern = most === undefined ? undefined : feeConcern(most, sum.value, feeLimitsOf(symbol))
  const shownFee = isSponsored ? undefined : most
  const { total: _, ...totals } = sum
  return {
    ...totals,
    isAtomic: true,
    ...(shownFee !== undefined && { fee: shownFee }),
    ...(isSponsored && sponsor.name !== undefined && { sponsorName: sponsor.name }),
    ...(sponsor?.address !== undefined && { sponsor: sponsor.address }),
    ...(!isSponsored && sponsor?.mayTake && { sponsorMayTake: sponsor.mayTake }),
    ...(deploysAccount && { deploysAccount }),
    ...((fee !== undefined || isSponsored) && { total: sum.value + (shownFee ?? 0n) }),
    ...(concern && !isSponsored && { feeConcern: concern }),
    warnings: [...totals.warnings, ...(sponsor && !isSponsored ? [chargingWarning(sponsor)] : [])],
    calls: stepsWithTotals.map(({ total: _, ...call }) => call),
  }
}

const chargingWarning = ({ address }: OperationSponsor): Warning => ({
  code: 'charging-paymaster',
  severity: 'danger',
  ...(address !== undefined && { spender: address }),
})
