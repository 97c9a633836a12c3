import { type Bytes, concatBytes, utf8, wipe } from '../bytes.ts'
import { vaultLimits } from '../limits.ts'

/** How a password becomes bytes. Stored in plain text with what it seals, so that it can be raised later. */
export interface Stretching {
  readonly iterations: number
  readonly salt: Bytes
}

/** Makes a guess expensive: PBKDF2-SHA256 over the password's NFKC form. 32 bytes; the caller wipes them. */
export async function stretch(password: string, { iterations, salt }: Stretching): Promise<Bytes> {
  const typed = utf8(password.normalize('NFKC'))
  try {
    const key = await crypto.subtle.importKey('raw', typed, 'PBKDF2', false, ['deriveBits'])
    const how = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations }
    return new Uint8Array(await crypto.subtle.deriveBits(how, key, vaultLimits.recoveryKeyBits))
  } finally {
    wipe(typed)
  }
}

/** What the server is shown of a password: nothing that it could be guessed from without stretching each guess. */
export const proofOf = (stretched: Bytes): Promise<Bytes> => derive(stretched, 'latchkey password proof')

/**
 * The key of a password: it takes the server's evaluation of the proof as well, and the secret behind that never
 * leaves the server. So neither a stolen database nor a stolen share lets anybody try a guess.
 */
export async function passwordKey(stretched: Bytes, evaluation: Bytes, salt: Bytes): Promise<Bytes> {
  const both = concatBytes(stretched, evaluation)
  try {
    return await derive(both, 'latchkey recovery key', salt)
  } finally {
    wipe(both)
  }
}

/** The key of a secret that the person's drive or the host keeps. */
export async function secretKey(secret: string): Promise<Bytes> {
  const bytes = utf8(secret)
  try {
    return await derive(bytes, 'latchkey recovery secret')
  } finally {
    wipe(bytes)
  }
}

/** Shows the server that somebody has the key of a drive or of the host's own secret, and nothing of the key. 32 bytes. */
export const verifierOf = (key: Bytes): Promise<Bytes> => derive(key, 'latchkey device enrolment')

/** Tells in the open whether a key is the right one, so that a wrong password is not taken for damage. 16 bytes. */
export const checkOf = async (key: Bytes): Promise<Bytes> =>
  (await derive(key, 'latchkey recovery check')).slice(0, 16)

async function derive(secret: Bytes, info: string, salt: Bytes = new Uint8Array()): Promise<Bytes> {
  const key = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits'])
  const how = { name: 'HKDF', hash: 'SHA-256', salt, info: utf8(info) }
  return new Uint8Array(await crypto.subtle.deriveBits(how, key, vaultLimits.recoveryKeyBits))
}
