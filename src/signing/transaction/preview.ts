import { atMost } from '../../ethereum/amounts.ts'
import { decodeCall } from '../../ethereum/call-decoder.ts'
import { type ChainOptions, chainOf } from '../../ethereum/chains.ts'
import { feeLimitsOf } from '../../ethereum/fee-limits.ts'
import { isAllowance, type TokenAction } from '../../ethereum/token-action.ts'
import type { TransactionRequest } from '../../ethereum/transaction.ts'
import { feeConcern } from '../../lib/fee-concern.ts'
import type { Action, Asset, TransactionPreview, Warning } from '../preview.ts'

/** Values that the transaction itself does not contain. */
export interface PreviewContext {
  readonly origin: string
  readonly wallet: string
  /** The decoded call, if more is known of it than its bytes say. */
  readonly call?: TokenAction | undefined
  /** The most that the network may take, in wei. */
  readonly fee?: bigint | undefined
  /** A part of the fee is known from the host page alone. */
  readonly isFeeClaimed?: boolean | undefined
  /** The figures of the token that the call is about. */
  readonly asset?: Asset | undefined
  readonly balanceChanges?: TransactionPreview['balanceChanges']
  /** The wallet's balance, in wei. */
  readonly balance?: bigint | undefined
  /** The wallet can't pay for it; derived from the balance where that is known. */
  readonly isUnderfunded?: boolean | undefined
  /** Warnings that come from a node, such as a failing estimate. */
  readonly warnings?: readonly Warning[] | undefined
}

/**
 * Creates the preview of an Ethereum transaction from its own fields, and of what a node said about it.
 * @throws InvalidRequest if the fee is absurd
 */
export function toPreview(
  chains: ChainOptions,
  { chainId, to, value, data }: TransactionRequest,
  { origin, wallet, fee: cost, balance, warnings = [], ...context }: PreviewContext,
): TransactionPreview {
  const chain = chainOf(chains, chainId)
  // An unknown chain's coin has no known symbol; every EVM chain counts it in 18 decimals.
  const { symbol, decimals } = chain?.nativeCurrency ?? { symbol: '', decimals: 18 }
  const call = context.call ?? (to ? decodeCall(data, to) : undefined)
  const fee = cost === undefined ? undefined : atMost(cost)
  const total = fee === undefined ? undefined : value + fee
  const concern = fee === undefined ? undefined : feeConcern(fee, value, feeLimitsOf(chain && symbol))
  // The exact cost decides about funds, and the rounded one is displayed.
  const needed = cost === undefined ? undefined : value + cost
  const missing =
    balance !== undefined && needed !== undefined && needed > balance ? needed - balance : undefined
  const isUnderfunded = context.isUnderfunded || missing !== undefined
  return {
    network: { name: chain?.name ?? String(chainId) },
    coin: { symbol, decimals },
    origin,
    wallet,
    value,
    actions: [actionOf(to, value, data, call, context.asset)],
    ...(fee !== undefined && { fee, total }),
    ...(fee !== undefined && context.isFeeClaimed && { isFeeClaimed: true }),
    ...(balance !== undefined && { balance }),
    isUnderfunded,
    ...(missing !== undefined && { missing }),
    ...(context.balanceChanges && { balanceChanges: context.balanceChanges }),
    ...(concern && { feeConcern: concern }),
    warnings: [
      ...(call ? allowanceWarnings(call) : []),
      ...warnings,
      ...(isUnderfunded ? [{ code: 'insufficient-funds', severity: 'danger' } as const] : []),
    ],
    ...(data !== '0x' && { data }),
  }
}

function actionOf(
  to: string | undefined,
  value: bigint,
  data: string,
  call: TokenAction | undefined,
  asset: Asset | undefined,
): Action {
  if (!to) return { kind: 'deploy' }
  if (call) return { kind: 'token', call, ...(asset && { asset }) }
  return data === '0x' ? { kind: 'transfer', to, amount: value } : { kind: 'call', to }
}

/** Warns of an allowance, unless it is known to reach a part of the tokens alone. */
export function allowanceWarnings(call: TokenAction): readonly Warning[] {
  if (!isAllowance(call) || call.reach === 'part') return []
  const code = call.unlimited || call.reach === 'all' ? 'unlimited-allowance' : 'allowance'
  return [{ code, severity: code === 'allowance' ? 'warning' : 'danger', spender: call.party }]
}
