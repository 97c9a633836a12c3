import { ed25519 } from '@noble/curves/ed25519.js'

/** By RFC 8032 to the letter: libraries differ where a signature is odd, so this is the one that counts. */
export function solanaKeySigned(key: Uint8Array, message: string, signature: Uint8Array): boolean {
  if (signature.length !== 64) return false
  try {
    return ed25519.verify(signature, new TextEncoder().encode(message), key, { zip215: false })
  } catch {
    return false
  }
}
