import { keccak_256 } from '@noble/hashes/sha3.js'
import type { TransactionSerializable } from 'viem'
import { serializeTransaction } from 'viem/utils'
import type { CompleteTransaction } from '../../ethereum/transaction.ts'
import { type Bytes, bytesToHex, hexToBytes } from '../bytes.ts'
import { signDigest } from '../keys/signature.ts'

const typeNames = ['legacy', 'eip2930', 'eip1559'] as const

/** Signs a transaction for its own chain and no other. Gives it as 0x-hex, ready to be sent to the network. */
export function signTransaction(transaction: CompleteTransaction, privateKey: Bytes): string {
  const fields = serializable(transaction)
  const { r, s, yParity } = signDigest(keccak_256(toBytes(serializeTransaction(fields))), privateKey)
  return serializeTransaction(fields, { r: toHex(r), s: toHex(s), yParity, v: BigInt(27 + yParity) })
}

function serializable({ type, nonce, gasLimit, ...request }: CompleteTransaction): TransactionSerializable {
  const { chainId, to, value, data, accessList, gasPrice, maxFeePerGas, maxPriorityFeePerGas } = request
  // Without a prototype, so that nothing which a hostile script puts on `Object.prototype` gets into the signature.
  return Object.assign(Object.create(null), {
    ...{ type: typeNames[type], chainId, to, value, data, nonce: Number(nonce), gas: gasLimit },
    ...(type !== 0 && { accessList: accessList ?? [] }),
    ...(type === 2 ? { maxFeePerGas, maxPriorityFeePerGas } : { gasPrice }),
  }) as TransactionSerializable
}

const toHex = (bytes: Uint8Array): `0x${string}` => `0x${bytesToHex(bytes)}`
const toBytes = (hex: string) => hexToBytes(hex.slice(2))
