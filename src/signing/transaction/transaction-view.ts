import { atMost, formatUnits } from '../../ethereum/amounts.ts'
import { decodeCall } from '../../ethereum/call-decoder.ts'
import { type ChainOptions, chainOf } from '../../ethereum/chains.ts'
import { feeLimitsOf } from '../../ethereum/fee-limits.ts'
import type { TransactionRequest } from '../../ethereum/transaction.ts'
import { feeConcern } from '../../lib/fee-concern.ts'
import type { ApproveTransactionProps } from './approve-transaction.tsx'

type Figures = Pick<
  ApproveTransactionProps,
  'chain' | 'to' | 'value' | 'data' | 'call' | 'fee' | 'total' | 'feeConcern'
>

/**
 * The preview of a transaction: its amount to the last figure, its costs as the most that they may be. Throws an `InvalidRequest` for an
 * absurd fee.
 */
export function figuresOf(
  chains: ChainOptions,
  { chainId, to, value, data }: TransactionRequest,
  cost?: bigint | undefined,
): Figures {
  const chain = chainOf(chains, chainId)
  // Whose coin it is can't be said of a chain that nobody here knows; all that run Ethereum's machine count it in 18 decimals.
  const { symbol, decimals } = chain?.nativeCurrency ?? { symbol: '', decimals: 18 }
  const amount = (units: bigint) => `${formatUnits(units, decimals)} ${symbol}`.trim()
  const call = to && decodeCall(data, to)
  const fee = cost === undefined ? undefined : atMost(cost)
  const concern = fee === undefined ? undefined : feeConcern(fee, value, feeLimitsOf(chain && symbol))
  return {
    chain: chain?.name ?? String(chainId),
    to,
    // Of a call that moves tokens and no coins, the tokens are what matters.
    value: call && value === 0n ? '' : amount(value),
    ...(data !== '0x' && { data }),
    ...(call && { call }),
    ...(fee !== undefined && { fee: amount(fee), total: amount(value + fee) }),
    ...(concern && { feeConcern: concern }),
  }
}
