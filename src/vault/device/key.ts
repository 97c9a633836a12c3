import { sha256 } from '@noble/hashes/sha2.js'
import { toBase64url, utf8 } from '../bytes.ts'

/** A P-256 key whose private half no script can read; IndexedDB can store both. */
export interface KeyPair {
  readonly privateKey: CryptoKey
  readonly publicKey: CryptoKey
}
/** The public half, as it stands in a proof. */
export interface PublicKey {
  readonly kty: 'EC'
  readonly crv: 'P-256'
  readonly x: string
  readonly y: string
}
/** By what the server knows this browser: one key for each app. */
export interface DeviceKey {
  readonly publicKey: PublicKey
  /** RFC 7638. */
  readonly thumbprint: string
  /** ES256 over a text's UTF-8: r and s, base64url. */
  sign(text: string): Promise<string>
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' }
const SIGNATURE = { name: 'ECDSA', hash: 'SHA-256' }

export const newKeyPair = (): Promise<KeyPair> =>
  crypto.subtle.generateKey(ALGORITHM, false, ['sign', 'verify'])

/** Makes a stored pair ready for use. */
export async function openKeyPair({ privateKey, publicKey: stored }: KeyPair): Promise<DeviceKey> {
  const { x = '', y = '' } = await crypto.subtle.exportKey('jwk', stored)
  const publicKey: PublicKey = { kty: 'EC', crv: 'P-256', x, y }
  return {
    publicKey,
    // RFC 7638: the required members alone, in this order and without a space.
    thumbprint: toBase64url(sha256(utf8(JSON.stringify({ crv: 'P-256', kty: 'EC', x, y })))),
    sign: async (text) => {
      const signature = await crypto.subtle.sign(SIGNATURE, privateKey, utf8(text))
      return toBase64url(new Uint8Array(signature))
    },
  }
}
