import { keccak_256 } from '@noble/hashes/sha3.js'
import type { Authorization } from '../../ethereum/newer-types.ts'
import { authorizationDigest, serialize } from '../../ethereum/serialize.ts'
import type { CompleteTransaction } from '../../ethereum/transaction.ts'
import type { CodeAuthorization } from '../../ethereum/wallet-code.ts'
import { type Bytes, bytesToHex, hexToBytes } from '../bytes.ts'
import { signDigest } from '../keys/signature.ts'

/**
 * Gives what signs a transaction, for its own chain and no other, by a private key: as 0x-hex, ready to be sent to the network. All but
 * the signature is done here already, unless the transaction has an authorization, which the same key signs first.
 */
export function transactionSigner(transaction: CompleteTransaction): (privateKey: Bytes) => string {
  const { authorizationList: own } = transaction
  if (own) return (privateKey) => signWith(withSignatures(transaction, own, privateKey), privateKey)
  const digest = digestOf(transaction)
  return (privateKey) => signWith(transaction, privateKey, digest)
}

/** Signs code for the address of the key itself (EIP-7702). */
export function signAuthorization(authorization: CodeAuthorization, privateKey: Bytes) {
  const digest = toBytes(authorizationDigest(authorization))
  const { r, s, yParity } = signDigest(digest, privateKey)
  return { r: toHex(r), s: toHex(s), yParity }
}

function signWith(
  transaction: CompleteTransaction,
  privateKey: Bytes,
  digest = digestOf(transaction),
): string {
  const { r, s, yParity } = signDigest(digest, privateKey)
  return serialize(transaction, { r: toHex(r), s: toHex(s), yParity, v: BigInt(27 + yParity) })
}

const withSignatures = (
  transaction: CompleteTransaction,
  list: readonly Authorization[],
  privateKey: Bytes,
): CompleteTransaction => ({
  ...transaction,
  authorizationList: list.map((each) => {
    const { address, chainId, nonce = transaction.nonce + 1n } = each
    return { ...each, signature: signAuthorization({ address, chainId: Number(chainId), nonce }, privateKey) }
  }),
})

const digestOf = (transaction: CompleteTransaction) => keccak_256(toBytes(serialize(transaction)))
const toHex = (bytes: Uint8Array): `0x${string}` => `0x${bytesToHex(bytes)}`
const toBytes = (hex: string) => hexToBytes(hex.slice(2))
