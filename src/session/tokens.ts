import type { JWTPayload } from 'jose'
import { decodeJwt } from 'jose/jwt/decode'
import type { Clock } from '../lib/clock.ts'
import type { Storage } from '../lib/storage.ts'
import { malformed } from '../protocol/schema.ts'
import type { SessionAnswer } from '../protocol/sessions.ts'
import type { User } from '../protocol/user.ts'
import { type SessionKey, sessionKey } from './keys.ts'
import { sessionLimits } from './limits.ts'

/** What the page's storage says about the session. */
export type StoredSession =
  | { readonly state: 'none' }
  /** No valid token, but the server may have what is needed for a new one. */
  | { readonly state: 'inactive'; readonly refreshable: boolean; readonly userId?: string | undefined }
  | { readonly state: 'active'; readonly token: string; readonly userId: string | undefined }
  /** Not a JWT, or a token of another app. */
  | { readonly state: 'broken'; readonly why: 'malformed' | 'wrong-app' }

export interface Tokens {
  read(): StoredSession
  /** The time at the server as far as the last token tells, in Unix milliseconds. */
  serverNow(): number
  /** The token for the `authorization` header, as it is. */
  bearer(): string | undefined
  /**
   * Stores what the server sent, according to its action. Throws `malformed_response` when a token is no JWT
   * of this app; then nothing is stored.
   */
  keep(answer: SessionAnswer): void
  keepIdentity(token: string | undefined): void
  identity(): string | undefined
  /** Notes how the server describes the person now. Returns whether a page of this browser last knew them otherwise. */
  noteUser(user: User): boolean
  /** Removes a guest's credential: its account is a regular one now, and the credential no longer works. */
  forgetGuest(): void
  /** Removes everything that belongs to a session. */
  clear(): void
}

interface Claims {
  readonly appId: string | undefined
  readonly userId: string | undefined
  /** Milliseconds. */
  readonly expiresAt: number
  readonly issuedAt: number | undefined
}

const clearedAtLogout: readonly SessionKey[] = [
  'token',
  'second-token',
  'identity',
  'refresh',
  'skew',
  'client-id',
  'guest',
  'unfinished',
  'transfer',
  'cross-app',
  'custom',
  'person',
]

/**
 * The tokens of one app in the page's storage. Refresh tokens never get here: the server keeps them in a
 * cookie.
 */
export function createTokens({
  appId,
  storage,
  clock,
}: {
  appId: string
  storage: Storage
  clock: Clock
}): Tokens {
  const key = (name: SessionKey) => sessionKey(appId, name)
  const get = (name: SessionKey) => storage.get(key(name))
  const put = (name: SessionKey, value: string | undefined) =>
    value === undefined ? storage.remove(key(name)) : storage.set(key(name), value)

  /** The server's clock: ours, corrected by the time in the last token. */
  const serverNow = () => clock.now() + (Number(get('skew')) || 0)

  const checked = (token: string | undefined) => {
    if (token === undefined) return undefined
    const claims = readClaims(token)
    if (!claims || claims.appId !== appId) throw malformed('session', 'a token that is not a JWT of this app')
    return claims
  }

  return {
    serverNow,
    read() {
      const token = get('token')
      const refreshable = get('refresh') !== undefined
      if (token === undefined) return refreshable ? { state: 'inactive', refreshable } : { state: 'none' }
      const claims = readClaims(token)
      if (!claims) return { state: 'broken', why: 'malformed' }
      if (claims.appId !== appId) return { state: 'broken', why: 'wrong-app' }
      const { userId, expiresAt } = claims
      return expiresAt - serverNow() > sessionLimits.tokenInactiveWithin
        ? { state: 'active', token, userId }
        : { state: 'inactive', refreshable, userId }
    },
    bearer: () => get('second-token') ?? get('token'),
    identity: () => get('identity'),
    keepIdentity: (token) => token !== undefined && put('identity', token),
    keep(answer) {
      const claims = checked(answer.token)
      checked(answer.secondToken)
      put('token', answer.token)
      put('second-token', answer.secondToken)
      put('identity', answer.identityToken)
      if (claims?.issuedAt !== undefined) put('skew', String(claims.issuedAt - clock.now()))
      if (answer.action === 'set') put('refresh', answer.refreshable ? 't' : undefined)
    },
    forgetGuest() {
      if (get('guest') !== undefined) put('guest', undefined)
    },
    noteUser(user) {
      // Only a checksum: the storage keeps nothing about the person.
      let sum = 0
      for (const char of JSON.stringify(user)) sum = (sum * 31 + char.charCodeAt(0)) | 0
      const before = get('person')
      put('person', String(sum))
      return before !== undefined && before !== String(sum)
    },
    clear() {
      for (const name of clearedAtLogout) put(name, undefined)
    },
  }
}

function readClaims(token: string): Claims | undefined {
  let payload: JWTPayload & { aid?: unknown }
  try {
    payload = decodeJwt(token)
  } catch {
    return undefined
  }
  if (typeof payload.exp !== 'number') return undefined
  const audience = Array.isArray(payload.aud) ? payload.aud[0] : payload.aud
  return {
    appId: typeof payload.aid === 'string' ? payload.aid : audience,
    userId: typeof payload.sub === 'string' ? payload.sub : undefined,
    expiresAt: payload.exp * 1000,
    issuedAt: typeof payload.iat === 'number' ? payload.iat * 1000 : undefined,
  }
}
