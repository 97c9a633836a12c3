import { createHash, createPublicKey, type KeyObject, timingSafeEqual } from 'node:crypto'
import { calculateJwkThumbprint, decodeProtectedHeader, jwtVerify } from 'jose'
import * as v from 'valibot'
import type { CoreServices, ServerContext } from '../http/services.ts'
import { Refusal } from '../lib/refusal.ts'
import { keyedHash } from '../secrets/secrets.ts'
import { usedProofs } from './tables.ts'

/** A key whose owner sent this very request. */
export interface ProvedKey {
  /** RFC 7638. */
  thumbprint: string
  publicKey: KeyObject
  /** SHA-256, in base64url, of the statement that the user approved in the vault's window with this request. */
  statementHash: string | undefined
}
export interface Proofs {
  /** A nonce for the next proof, good in every process. */
  nonce(): string
  /**
   * Checks the proof of a request (RFC 9449), and uses it up.
   * @param accessToken the request's own, if it has one
   * @throws Refusal `use_dpop_nonce`, `invalid_dpop_proof`
   */
  check(c: ServerContext, accessToken: string | undefined): Promise<ProvedKey>
}

const coordinate = v.pipe(v.string(), v.regex(/^[\w-]{43}$/))
const header = v.strictObject({
  typ: v.literal('dpop+jwt'),
  alg: v.literal('ES256'),
  jwk: v.strictObject({ kty: v.literal('EC'), crv: v.literal('P-256'), x: coordinate, y: coordinate }),
})
const claims = v.strictObject({
  htm: v.string(),
  htu: v.string(),
  iat: v.pipe(v.number(), v.safeInteger()),
  jti: v.pipe(v.string(), v.uuid(), v.toLowerCase()),
  ath: v.optional(v.string()),
  nonce: v.optional(v.string()),
  stm: v.optional(v.pipe(v.string(), v.regex(/^[\w-]{43}$/))),
})

const MOST_CHARACTERS = 4_096
const invalid = () =>
  new Refusal('invalid_dpop_proof', "The proof of this browser's key is missing or not valid.")

/** Proofs that a request comes from the browser which holds a key: each is good once, for one call. */
export function createProofs(
  deps: Pick<CoreServices, 'database' | 'secrets' | 'limits' | 'clock' | 'apiOrigin'>,
): Proofs {
  const { database, secrets, limits, clock, apiOrigin } = deps
  const seal = (seconds: string) => keyedHash(secrets, 'proof-nonce', seconds)

  /** A nonce says when it was given, so that no process need remember it. */
  function isFresh(nonce: string): boolean {
    const [, seconds = '', mac = ''] = /^(\d{1,12})\.([\w-]{43})$/.exec(nonce) ?? []
    if (mac === '' || !timingSafeEqual(Buffer.from(mac, 'base64url'), seal(seconds))) return false
    const age = clock() - Number(seconds) * 1_000
    // Another process may have given it, whose clock goes before this one's.
    return age > -limits.proofSkew && age <= limits.proofNonceLife
  }

  async function read(text: string) {
    const { jwk } = v.parse(header, decodeProtectedHeader(text))
    const publicKey = createPublicKey({ key: jwk, format: 'jwk' })
    const { payload } = await jwtVerify(text, publicKey, {
      algorithms: ['ES256'],
      typ: 'dpop+jwt',
      currentDate: new Date(clock()),
    })
    return {
      key: { thumbprint: await calculateJwkThumbprint(jwk), publicKey },
      said: v.parse(claims, payload),
    }
  }

  return {
    nonce() {
      const seconds = String(Math.floor(clock() / 1_000))
      return `${seconds}.${seal(seconds).toString('base64url')}`
    },
    async check(c, accessToken) {
      const text = c.req.header('dpop') ?? ''
      if (text === '' || text.length > MOST_CHARACTERS) throw invalid()
      const { key, said } = await read(text).catch(() => {
        throw invalid()
      })
      const ath = accessToken && createHash('sha256').update(accessToken).digest('base64url')
      if (
        said.htm !== c.req.method ||
        said.htu !== apiOrigin + new URL(c.req.url).pathname ||
        said.ath !== ath
      )
        throw invalid()
      // Before the time: who learns the nonce learns this clock with it, and comes again with both.
      if (said.nonce === undefined || !isFresh(said.nonce))
        throw new Refusal('use_dpop_nonce', 'The proof needs the nonce of this answer.')
      if (Math.abs(clock() - said.iat * 1_000) > limits.proofSkew) throw invalid()
      const hash = createHash('sha256')
        .update(`${c.get('app').id} ${key.thumbprint} ${said.jti}`)
        .digest('base64url')
      const used = { hash, expiresAt: clock() + limits.proofIdLife }
      const rows = await database.insert(usedProofs).values(used).onConflictDoNothing().returning()
      if (rows.length === 0) throw invalid()
      return { ...key, statementHash: said.stm }
    },
  }
}
