import type { Config } from '../../app/config.ts'
import { atMost, formatUnits } from '../../ethereum/amounts.ts'
import { chainOf } from '../../ethereum/chains.ts'
import type { TransactionRequest } from '../../ethereum/transaction.ts'
import type { ApproveTransactionProps } from './approve-transaction.tsx'

type Figures = Pick<ApproveTransactionProps, 'chain' | 'to' | 'value' | 'data' | 'fee' | 'total'>

/** What a person reads of a transaction: its amount to the last figure, its costs as the most that they may be. */
export function figuresOf(
  config: Config,
  { chainId, to, value, data }: TransactionRequest,
  cost?: bigint | undefined,
): Figures {
  const chain = chainOf(config, chainId)
  const { symbol, decimals } = chain?.nativeCurrency ?? { symbol: 'ETH', decimals: 18 }
  const amount = (units: bigint) => `${formatUnits(units, decimals)} ${symbol}`
  const fee = cost === undefined ? undefined : atMost(cost)
  return {
    chain: chain?.name ?? String(chainId),
    to,
    value: amount(value),
    ...(data !== '0x' && { data }),
    ...(fee !== undefined && { fee: amount(fee), total: amount(value + fee) }),
  }
}
