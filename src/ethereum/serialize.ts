import type { TransactionSerializable } from 'viem'
import { serializeTransaction } from 'viem/utils'
import type { CompleteTransaction } from './transaction.ts'

const typeNames = ['legacy', 'eip2930', 'eip1559'] as const

type Signature = NonNullable<Parameters<typeof serializeTransaction>[1]>

/** The bytes of a transaction, 0x-hex: those that are signed, or with their signature those that the network takes. */
export const serialize = (transaction: CompleteTransaction, signature?: Signature): `0x${string}` =>
  serializeTransaction(serializable(transaction), signature)

function serializable({ type, nonce, gasLimit, ...request }: CompleteTransaction): TransactionSerializable {
  const { chainId, to, value, data, accessList, gasPrice, maxFeePerGas, maxPriorityFeePerGas } = request
  // Without a prototype, so that nothing which a hostile script puts on `Object.prototype` gets into the signature.
  return Object.assign(Object.create(null), {
    type: typeNames[type],
    chainId,
    to,
    value,
    data,
    nonce: Number(nonce),
    gas: gasLimit,
    ...(type !== 0 && { accessList: accessList ?? [] }),
    ...(type === 2 ? { maxFeePerGas, maxPriorityFeePerGas } : { gasPrice }),
  }) as TransactionSerializable
}
