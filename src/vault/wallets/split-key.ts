/** A wallet's key in two halves for a server: neither says anything of the key without the other. */
import { type Bytes, concatBytes, randomBytes, toBase64url, utf8, wipe } from '../bytes.ts'

const KEY = 32
const INFO = 'latchkey grant share 1'

/** Names the owner of the halves: the encrypted one opens with the same words alone. */
export const shareContext = (given: { app: string; user: string; address: string }): string =>
  `latchkey grant ${given.app} ${given.user} ${given.address}`

/**
 * Splits a key of 32 bytes.
 * @param publicKey the server's key for permissions, an uncompressed point of P-256
 * @param context see {@link shareContext}
 * @returns one half encrypted to that key, and the other one, in base64url
 */
export async function splitKey(
  privateKey: Uint8Array,
  publicKey: Bytes,
  context: string,
): Promise<{ encryptedShare: string; share: string }> {
  if (privateKey.length !== KEY) throw new Error('A key has 32 bytes')
  const share = randomBytes(KEY)
  const other = new Uint8Array(KEY)
  for (let at = 0; at < KEY; at++) other[at] = (share[at] ?? 0) ^ (privateKey[at] ?? 0)
  try {
    return {
      encryptedShare: toBase64url(await encrypt(other, publicKey, context)),
      share: toBase64url(share),
    }
  } finally {
    wipe(share, other)
  }
}

/** ECDH with a key for this once, HKDF-SHA-256 and AES-256-GCM; the point, the iv and the sealed bytes in one. */
async function encrypt(secret: Bytes, publicKey: Bytes, context: string): Promise<Bytes> {
  const curve = { name: 'ECDH', namedCurve: 'P-256' }
  const theirs = await crypto.subtle.importKey('raw', publicKey, curve, false, [])
  const own = await crypto.subtle.generateKey(curve, false, ['deriveBits'])
  const point = new Uint8Array(await crypto.subtle.exportKey('raw', own.publicKey))
  const shared = new Uint8Array(
    await crypto.subtle.deriveBits({ name: 'ECDH', public: theirs }, own.privateKey, 8 * KEY),
  )
  try {
    const base = await crypto.subtle.importKey('raw', shared, 'HKDF', false, ['deriveKey'])
    const key = await crypto.subtle.deriveKey(
      { name: 'HKDF', hash: 'SHA-256', salt: point, info: utf8(INFO) },
      base,
      { name: 'AES-GCM', length: 256 },
      false,
      ['encrypt'],
    )
    const iv = randomBytes(12)
    const sealed = await crypto.subtle.encrypt(
      { name: 'AES-GCM', iv, additionalData: utf8(context) },
      key,
      secret,
    )
    return Uint8Array.from(concatBytes(point, iv, new Uint8Array(sealed)))
  } finally {
    wipe(shared)
  }
}
