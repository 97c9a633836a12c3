import type { TransactionSerializable } from 'viem'
import { hashAuthorization, parseTransaction, serializeTransaction } from 'viem/utils'
import { InvalidRequest } from '../lib/invalid-request.ts'
import { checksumAddress } from './address.ts'
import type { Authorization } from './newer-types.ts'
import type { SignedTransaction } from './replacement.ts'
import type { CompleteTransaction, TransactionType } from './transaction.ts'
import type { CodeAuthorization } from './wallet-code.ts'

const typeNames = { 0: 'legacy', 1: 'eip2930', 2: 'eip1559', 4: 'eip7702' } as const
type TypeName = (typeof typeNames)[TransactionType]
const typesByName = new Map(
  Object.entries(typeNames).map(([type, name]) => [name, Number(type) as TransactionType]),
)

type Signature = NonNullable<Parameters<typeof serializeTransaction>[1]>

/**
 * The bytes of a transaction, 0x-hex: those that are signed, or with their signature those that the network takes. Its authorizations are signed
 * before.
 */
export const serialize = (transaction: CompleteTransaction, signature?: Signature): `0x${string}` =>
  serializeTransaction(serializable(transaction), signature)

function serializable({ type, nonce, gasLimit, ...request }: CompleteTransaction): TransactionSerializable {
  const { chainId, to, value, data, accessList, gasPrice, maxFeePerGas, maxPriorityFeePerGas } = request
  const { authorizationList } = request
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
    ...(type === 2 || type === 4 ? { maxFeePerGas, maxPriorityFeePerGas } : { gasPrice }),
    ...(type === 4 && { authorizationList: authorizationList?.map(signedAuthorization) }),
  }) as TransactionSerializable
}

function signedAuthorization({ address, chainId, nonce = 0n, signature }: Authorization): object {
  if (!signature) throw new InvalidRequest('The authorization is not signed')
  const own = { address, chainId: Number(chainId), nonce: Number(nonce), ...signature }
  return Object.assign(Object.create(null), own)
}

/** The digest that the wallet signs for an authorization (EIP-7702). */
export const authorizationDigest = ({ address, chainId, nonce }: CodeAuthorization): `0x${string}` =>
  hashAuthorization({ address, chainId, nonce: Number(nonce) })

/** Reads the bytes of a signed transaction back, whose sender is known. Throws an {@link InvalidRequest} for any others. */
export function deserialize(raw: string, from: string): SignedTransaction {
  try {
    const { type, chainId, to, nonce, gas, value, data, ...read } = parseTransaction(raw as `0x${string}`)
    const known = typesByName.get(type as TypeName)
    if (known === undefined || chainId === undefined || gas === undefined)
      throw new InvalidRequest('It is not complete')
    return {
      type: known,
      from: from as `0x${string}`,
      chainId,
      to: to ? (checksumAddress(to.slice(2)) as `0x${string}`) : undefined,
      value: value ?? 0n,
      data: data ?? '0x',
      accessList: read.accessList?.length ? read.accessList : undefined,
      ...(known === 4 && { authorizationList: (read.authorizationList ?? []).map(readAuthorization) }),
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

/** As it was asked for: the same transaction signed once more has its authorization signed anew. */
const readAuthorization = ({
  address,
  chainId,
  nonce,
}: {
  readonly address: string
  readonly chainId: number
  readonly nonce: number
}): Authorization => ({
  address: checksumAddress(address.slice(2)) as `0x${string}`,
  chainId: BigInt(chainId),
  nonce: BigInt(nonce),
})
