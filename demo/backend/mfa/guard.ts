import { createHash, randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { Refusal } from '../lib/refusal.ts'
import {
  type GuardedPurpose,
  mfaPurposes,
  type ProvedPurpose,
  type ShownFactor,
} from '../sessions/second-factor.ts'
import type { MfaGuard, Prover } from '../sessions/services.ts'
import type { Limits } from '../settings/limits.ts'
import type { Database, Transaction } from '../store/database.ts'
import { methodsOf } from './methods.ts'
import { mfaTokens } from './tables.ts'

const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url')

/** What a verification answers, and lets pass afterwards: good in this session on this browser alone. */
export async function issueMfaToken(
  tx: Transaction,
  { userId, sessionId, thumbprint }: Prover,
  given: { factor: ShownFactor; purpose: ProvedPurpose },
  now: number,
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const row = { hash: hashOf(token), userId, sessionId, thumbprint, ...given, at: now }
  await tx.insert(mfaTokens).values(row)
  return token
}

/** What each purpose is met by. */
const metBy: Readonly<Record<GuardedPurpose, readonly ProvedPurpose[]>> = {
  use: mfaPurposes,
  adding: ['factors', 'enrolment'],
  export: ['export'],
  recovery: ['recovery'],
  factors: ['factors'],
  device: ['device'],
  account: ['account'],
}

/** Asks people who have a second factor to have shown it. */
export function createMfaGuard(deps: { database: Database; limits: Limits; clock: () => number }): MfaGuard {
  const { database, limits, clock } = deps
  return {
    async require({ userId, sessionId, thumbprint }, purpose, token) {
      const methods = await methodsOf(database, userId)
      if (methods.length === 0) return undefined
      // What the vault knows of purposes is what people are verified for.
      const data = {
        purpose: purpose === 'adding' ? 'factors' : purpose,
        methods: methods.map(({ type }) => type),
      }
      const missing = () =>
        new Refusal('missing_or_invalid_mfa', "Verify it's you with a second factor first.", { data })
      if (token === undefined) throw missing()
      const [proof] = await database
        .select()
        .from(mfaTokens)
        .where(eq(mfaTokens.hash, hashOf(token)))
      if (!proof || proof.userId !== userId || proof.sessionId !== sessionId) throw missing()
      if (proof.thumbprint !== thumbprint || !metBy[purpose].includes(proof.purpose)) throw missing()
      if (proof.at <= clock() - (purpose === 'use' ? limits.mfaLife : limits.mfaFreshLife))
        throw new Refusal('expired_or_invalid_mfa_token', 'That was too long ago. Please verify again.', {
          data,
        })
      return proof.factor
    },
  }
}
