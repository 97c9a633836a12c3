import { keccak_256 } from '@noble/hashes/sha3.js'
import { type Bytes, bytesToHex, concatBytes, utf8 } from '../bytes.ts'
import { sign } from './secp256k1.ts'

/** A signature by a secp256k1 key, with the low s of the two that fit. */
export interface Signature {
  readonly r: Bytes
  readonly s: Bytes
  readonly yParity: 0 | 1
}

/** Signs 32 bytes that are a digest already. */
export function signDigest(digest: Uint8Array, privateKey: Bytes): Signature {
  const signature = sign(digest, privateKey, { prehash: false, lowS: true, format: 'recovered' })
  const [yParity] = signature
  // 2 and 3 mean an r above the group's order, which practically never occurs.
  if (yParity !== 0 && yParity !== 1) throw new Error('The signature has no Ethereum form')
  return { r: signature.slice(1, 33), s: signature.slice(33), yParity }
}

/** r, s and v (27 or 28) as 0x-hex of 65 bytes. */
export const toHexSignature = ({ r, s, yParity }: Signature): string =>
  `0x${bytesToHex(concatBytes(r, s, Uint8Array.of(27 + yParity)))}`

/** EIP-191, version 0x45: what `personal_sign` and `eth_sign` put before a message. */
export const personalDigest = (message: Bytes): Uint8Array =>
  keccak_256(concatBytes(utf8(`\x19Ethereum Signed Message:\n${message.length}`), message))

/** Signs bytes as EIP-191 `personal_sign` does: r, s (the low one) and v (27 or 28) as 0x-hex of 65 bytes. */
export const signPersonal = (message: Bytes, privateKey: Bytes): string =>
  toHexSignature(signDigest(personalDigest(message), privateKey))
