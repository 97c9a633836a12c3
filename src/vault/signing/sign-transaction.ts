import { keccak_256 } from '@noble/hashes/sha3.js'
import { serialize } from '../../ethereum/serialize.ts'
import type { CompleteTransaction } from '../../ethereum/transaction.ts'
import { type Bytes, bytesToHex, hexToBytes } from '../bytes.ts'
import { signDigest } from '../keys/signature.ts'

/**
 * Gives what signs a transaction, for its own chain and no other, by a private key: as 0x-hex, ready to be sent to the network. All but
 * the signature is done here already.
 */
export function transactionSigner(transaction: CompleteTransaction): (privateKey: Bytes) => string {
  const digest = keccak_256(toBytes(serialize(transaction)))
  return (privateKey) => {
    const { r, s, yParity } = signDigest(digest, privateKey)
    return serialize(transaction, { r: toHex(r), s: toHex(s), yParity, v: BigInt(27 + yParity) })
  }
}

const toHex = (bytes: Uint8Array): `0x${string}` => `0x${bytesToHex(bytes)}`
const toBytes = (hex: string) => hexToBytes(hex.slice(2))
