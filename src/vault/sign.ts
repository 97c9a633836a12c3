import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { type Bytes, bytesToHex, concatBytes, hexToBytes, utf8 } from './bytes.ts'
import { VaultError } from './errors.ts'

/** The bytes that `personal_sign` is asked to sign: `0x` and hex digits mean those bytes, all else is text. */
export function messageBytes(message: string): Bytes {
  if (/^0x[0-9a-f]*$/i.test(message)) {
    // Wallets differ on half a byte: one pads in front, another behind. Nobody should sign what can be read twice.
    if (message.length % 2 === 1) throw invalid('The hex message has half a byte')
    return hexToBytes(message.slice(2))
  }
  // A lone surrogate has no UTF-8: another text than the one shown would be signed.
  if (/\p{Surrogate}/u.test(message)) throw invalid('The message is not well-formed text')
  return utf8(message)
}

const invalid = (text: string) => new VaultError('invalid_request_arguments', text)

/** Signs bytes as EIP-191 `personal_sign` does: r, s (the low one) and v (27 or 28) as 0x-hex of 65 bytes. */
export function signPersonal(message: Bytes, privateKey: Bytes): string {
  const prefix = utf8(`\x19Ethereum Signed Message:\n${message.length}`)
  const digest = keccak_256(concatBytes(prefix, message))
  const signature = secp256k1.sign(digest, privateKey, { prehash: false, lowS: true, format: 'recovered' })
  const recovery = signature[0] ?? 2
  if (recovery > 1) throw new Error('The signature has no Ethereum form')
  return `0x${bytesToHex(signature.subarray(1))}${(27 + recovery).toString(16)}`
}
