import { atMost, formatUnits } from '../../chains/amounts.ts'
import { chainOf } from '../../chains/chains.ts'
import { formatQuantity } from '../../chains/hex.ts'
import type { PreparedTransaction } from '../../chains/prepare.ts'
import type { TransactionRequest } from '../../chains/transaction.ts'
import type { Config } from '../../config.ts'
import type { ApproveTransactionProps } from '../../screens/sign/approve-transaction.tsx'
import type { PlainObject } from '../../wire/frame/plain.ts'

type Figures = Pick<ApproveTransactionProps, 'chain' | 'to' | 'value' | 'data' | 'fee' | 'total'>

/** What a person reads of a transaction: its amount to the last figure, its costs as the most that they may be. */
export function figuresOf(config: Config, transaction: TransactionRequest | PreparedTransaction): Figures {
  const { chainId, to, value, data } = transaction
  const chain = chainOf(config, chainId)
  const { symbol, decimals } = chain?.nativeCurrency ?? { symbol: 'ETH', decimals: 18 }
  const amount = (units: bigint) => `${formatUnits(units, decimals)} ${symbol}`
  const fee = 'fee' in transaction ? atMost(transaction.fee) : undefined
  return {
    chain: chain?.name ?? String(chainId),
    to,
    value: amount(value),
    ...(data !== '0x' && { data }),
    ...(fee !== undefined && { fee: amount(fee), total: amount(value + fee) }),
  }
}

/** The same as the vault takes it (wire 7.6). */
export function wireOf(transaction: PreparedTransaction): PlainObject {
  const { from, to, value, data, chainId, nonce, gas, fees, accessList } = transaction
  return {
    ...{ from, data, chainId, ...(to && { to }) },
    type: formatQuantity(fees.type),
    value: formatQuantity(value),
    nonce: formatQuantity(nonce),
    gasLimit: formatQuantity(gas),
    ...(fees.type === 2
      ? {
          maxFeePerGas: formatQuantity(fees.maxFeePerGas),
          maxPriorityFeePerGas: formatQuantity(fees.maxPriorityFeePerGas),
        }
      : { gasPrice: formatQuantity(fees.gasPrice) }),
    ...(accessList && fees.type !== 0 && { accessList: accessList.map((entry) => ({ ...entry })) }),
  }
}
