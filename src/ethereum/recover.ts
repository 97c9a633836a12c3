import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { Point, recoverPublicKey } from '@noble/secp256k1'
import { checksumAddress } from './address.ts'

/**
 * The address whose key has signed a digest, with its checksum; `undefined` if no key can have.
 * @param signature 65 bytes: which of the points it is, then `r` and `s`
 */
export function recoverAddress(signature: Uint8Array, digest: Uint8Array): string | undefined {
  try {
    const key = Point.fromBytes(recoverPublicKey(signature, digest, { prehash: false })).toBytes(false)
    return checksumAddress(bytesToHex(keccak_256(key.subarray(1)).subarray(12)))
  } catch {
    return undefined
  }
}
