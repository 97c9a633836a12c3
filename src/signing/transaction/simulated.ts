/** A simulation in the terms of a preview. */
import type { AssetChange, AllowanceChange as SimulatedAllowance } from '../../ethereum/asset-changes.ts'
import { UNLIMITED } from '../../ethereum/asset-changes.ts'
import type { Simulation, SimulationUnavailable } from '../../ethereum/simulate.ts'
import type { RoleChange } from '../../ethereum/state-reads.ts'
import type { AllowanceChange, Asset, BalanceChange, TransactionPreview, Warning } from '../preview.ts'

export type Simulated = Simulation | SimulationUnavailable

/** Balance changes with the tokens' own figures, or why there are none. */
export function toBalanceChanges(
  simulated: Simulated,
  coin: Asset,
): NonNullable<TransactionPreview['balanceChanges']> {
  if (simulated.outcome === 'unavailable') return simulated.isUnanswered ? 'unanswered' : 'unavailable'
  const { status, leaves, comes, allowances, roles, isComplete } = simulated
  if (status === 'failed') return 'failed'
  const toChange = ({ kind, token, id, amount }: AssetChange): BalanceChange => {
    const asset = kind === 'native' ? coin : kind === 'erc20' ? assetOf(simulated, token) : undefined
    return { amount, ...(token && { token }), ...(id !== undefined && { id }), ...(asset && { asset }) }
  }
  return {
    out: leaves.map(toChange),
    in: comes.map(toChange),
    allowances: [
      ...allowances.flatMap((change) => toAllowance(simulated, change)),
      ...roles.map((role) => toRole(simulated, role)),
    ],
    isComplete,
  }
}

/** An allowance that is taken back lets nobody spend anything. */
function toAllowance(
  simulation: Simulation,
  { kind, token, spender, amount, id, isUnlimited }: SimulatedAllowance,
): readonly AllowanceChange[] {
  if (amount === 0n && !isUnlimited) return []
  const asset = kind === 'amount' ? assetOf(simulation, token) : undefined
  return [
    {
      kind: 'spender',
      spender,
      token,
      amount,
      isUnlimited: isUnlimited || amount >= UNLIMITED,
      ...(id !== undefined && { id }),
      ...(asset && { asset }),
    },
  ]
}

function toRole(simulation: Simulation, { kind, account, spender, amount }: RoleChange): AllowanceChange {
  // A delegate's amount is counted in the token of the debt.
  const asset = kind === 'delegate' ? assetOf(simulation, account) : undefined
  return {
    kind,
    account,
    spender,
    ...(amount !== undefined && { amount }),
    isUnlimited: amount === undefined || amount >= UNLIMITED,
    ...(asset && { asset }),
  }
}

/** Symbol and decimals of a token; `undefined` unless its contract has said both. */
export function assetOf({ tokens }: Simulation, token: string | undefined): Asset | undefined {
  const found = token !== undefined && Object.hasOwn(tokens, token) ? tokens[token] : undefined
  return found?.kind === 'token' ? { symbol: found.symbol, decimals: found.decimals } : undefined
}

/** Warns of a transaction that failed on trial, with the contract's own words. Missing funds are displayed as an amount. */
export function failureWarnings(simulated: Simulated): readonly Warning[] {
  if (simulated.outcome === 'unavailable' || simulated.status === 'success') return []
  const { kind, message } = simulated.reason ?? {}
  if (kind === 'insufficient-funds') return []
  return [{ code: 'reverts', severity: 'danger', ...(message && { reason: message }) }]
}

/** Whether two simulations say the same about the wallet. */
export const isSameOutcome = (one: Simulated | undefined, other: Simulated | undefined): boolean =>
  summaryOf(one) === summaryOf(other)

function summaryOf(simulated: Simulated | undefined): string | undefined {
  if (simulated?.outcome !== 'simulated') return simulated?.outcome
  const { status, leaves, comes, allowances, roles, isComplete } = simulated
  return JSON.stringify([status, leaves, comes, allowances, roles, isComplete], (_, value) =>
    typeof value === 'bigint' ? String(value) : value,
  )
}
