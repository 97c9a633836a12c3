import { sha256 } from '@noble/hashes/sha2.js'
import { toBase64url, utf8 } from '../bytes.ts'
import type { DeviceKey } from './key.ts'

/** The call that a proof is for. */
export interface ProvenCall {
  readonly method: 'GET' | 'POST'
  readonly url: string
  /** The access token that goes along; without one, the proof names none. */
  readonly accessToken?: string | undefined
  /** The server's last one. */
  readonly nonce?: string | undefined
  /** The statement that the user approved in the vault's window, which the key signs with this call. */
  readonly statement?: string | undefined
  /** Milliseconds since the epoch, by the server's clock. */
  readonly now: number
}

const encode = (value: object) => toBase64url(utf8(JSON.stringify(value)))

/** A proof in the form of RFC 9449 that a call comes from this device. It is good for this call alone, and once. */
export async function proveCall(
  key: DeviceKey,
  { method, url, accessToken, nonce, statement, now }: ProvenCall,
): Promise<string> {
  const { origin, pathname } = new URL(url)
  const signed = [
    encode({ typ: 'dpop+jwt', alg: 'ES256', jwk: key.publicKey }),
    encode({
      htm: method,
      htu: origin + pathname,
      iat: Math.floor(now / 1000),
      jti: crypto.randomUUID(),
      ath: accessToken && toBase64url(sha256(utf8(accessToken))),
      nonce,
      stm: statement && toBase64url(sha256(utf8(statement))),
    }),
  ].join('.')
  return `${signed}.${await key.sign(signed)}`
}
