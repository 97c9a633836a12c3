import type { TransactionSerializable } from 'viem'
import { parseTransaction, serializeTransaction } from 'viem/utils'
import { InvalidRequest } from '../lib/invalid-request.ts'
import { checksumAddress } from './address.ts'
import type { SignedTransaction } from './replacement.ts'
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

/** Reads the bytes of a signed transaction back, whose sender is known. Throws an {@link InvalidRequest} for any others. */
export function deserialize(raw: string, from: string): SignedTransaction {
  try {
    const { type, chainId, to, nonce, gas, value, data, ...read } = parseTransaction(raw as `0x${string}`)
    const at = typeNames.indexOf(type as (typeof typeNames)[number])
    if (at < 0 || chainId === undefined || gas === undefined) throw new InvalidRequest('It is not complete')
    return {
      type: at as SignedTransaction['type'],
      from: from as `0x${string}`,
      chainId,
      to: to ? (checksumAddress(to.slice(2)) as `0x${string}`) : undefined,
      value: value ?? 0n,
      data: data ?? '0x',
      accessList: read.accessList?.length ? read.accessList : undefined,
      nonce: BigInt(nonce ?? 0),
      gasLimit: gas,
      gasPrice: read.gasPrice,
      maxFeePerGas: read.maxFeePerGas,
      maxPriorityFeePerGas: read.maxPriorityFeePerGas,
    }
  } catch (cause) {
    throw new InvalidRequest("The signed transaction can't be read", { cause })
  }
}
