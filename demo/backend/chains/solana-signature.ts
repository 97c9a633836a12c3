import { ed25519 } from '@noble/curves/ed25519.js'

/** Strictly by RFC 8032: libraries differ for unusual signatures, so this check decides. */
export function solanaKeySigned(key: Uint8Array, message: string, signature: Uint8Array): boolean {
  if (signature.length !== 64) return false
  try {
    return ed25519.verify(signature, new TextEncoder().encode(message), key, { zip215: false })
  } catch {
    return false
  }
}
