import { sha256 } from '@noble/hashes/sha2.js'
import type { Clock } from '../lib/clock.ts'
import { isPlainObject, type PlainObject, parsePlain } from '../lib/plain.ts'
import { bytesToHex, fromBase64url, utf8 } from './bytes.ts'
import { VaultError } from './errors.ts'

/** An access token, as far as the vault reads it. Whether it is genuine is for the server to say. */
export interface Token {
  readonly text: string
  readonly user: string
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
  /** Tells tokens apart without keeping them. */
  readonly fingerprint: string
}

/** The part of a vault that {@link readTokenOf} needs. */
interface TokenReader {
  readonly settings: { readonly appId: string }
  readonly clock: Pick<Clock, 'now'>
  aheadBy(): number | undefined
}

/**
 * Reads an access token of this app, by the server's time. Before the server has told it, only the server can say whether a token has
 * expired: the device's clock may be hours off. Throws {@link VaultError} when it can't be used.
 */
export function readTokenOf({ settings, clock, aheadBy }: TokenReader, text: string): Token {
  const ahead = aheadBy()
  return readToken(text, settings.appId, ahead === undefined ? undefined : clock.now() + ahead)
}

/** Reads an access token of this app. `now` in the server's milliseconds. Throws {@link VaultError} when it can't be used. */
export function readToken(text: string, appId: string, now: number | undefined): Token {
  const claims = readClaims(text)
  if (!claims) throw new VaultError('error', 'The access token is malformed')
  const { sub, exp, aid, aud } = claims
  if (typeof sub !== 'string' || sub === '' || typeof exp !== 'number')
    throw new VaultError('error', 'The access token is malformed')
  const app = aid ?? aud
  if (app !== appId && !(Array.isArray(app) && app.includes(appId)))
    throw new VaultError('error', 'The access token belongs to another app')
  if (now !== undefined && exp * 1000 <= now)
    throw new VaultError('error', 'The access token has expired', { remedy: 'login' })
  return { text, user: sub, expiresAt: exp * 1000, fingerprint: bytesToHex(sha256(utf8(text))) }
}

function readClaims(text: string): PlainObject | undefined {
  const parts = text.split('.')
  const bytes = parts.length === 3 ? fromBase64url(parts[1] ?? '') : undefined
  if (!bytes) return undefined
  try {
    const claims = parsePlain(new TextDecoder('utf-8', { fatal: true }).decode(bytes), text.length)
    return isPlainObject(claims) ? claims : undefined
  } catch {
    return undefined
  }
}
