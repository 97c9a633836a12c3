import { randomInt } from 'node:crypto'
import { and, eq, isNull } from 'drizzle-orm'
import { keyedHash, type Secrets } from '../../secrets/secrets.ts'
import type { Queries, Transaction } from '../../store/database.ts'
import { mfaRecoveryCodes } from '../tables.ts'
import type { Judge } from './verification.ts'

const COUNT = 10
/** Without letters and digits that look alike; ten of these have 49 random bits. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz'
const letters = (count: number) =>
  Array.from({ length: count }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
const unused = (userId: string) => and(eq(mfaRecoveryCodes.userId, userId), isNull(mfaRecoveryCodes.usedAt))

/** Codes on paper, for somebody who has lost their factors: each stands in for one, once. */
export function createRecoveryCodes({ secrets, clock }: { secrets: Secrets; clock: () => number }) {
  const hashOf = (userId: string, code: string) =>
    keyedHash(secrets, 'recovery-code', userId, code.toLowerCase().replace(/[^0-9a-z]/g, '')).toString(
      'base64url',
    )
  return {
    /** New ones in the place of all earlier ones. */
    async make(tx: Transaction, userId: string): Promise<string[]> {
      const codes = Array.from({ length: COUNT }, () => `${letters(5)}-${letters(5)}`)
      await tx.delete(mfaRecoveryCodes).where(eq(mfaRecoveryCodes.userId, userId))
      const createdAt = clock()
      await tx
        .insert(mfaRecoveryCodes)
        .values(codes.map((code) => ({ userId, hash: hashOf(userId, code), createdAt })))
      return codes
    },
    /** Whether a code is one of the person's that nobody has used yet. */
    judge:
      (userId: string, code: string): Judge =>
      async (tx) => {
        const used = await tx
          .update(mfaRecoveryCodes)
          .set({ usedAt: clock() })
          .where(and(unused(userId), eq(mfaRecoveryCodes.hash, hashOf(userId, code))))
          .returning()
        return used.length > 0
      },
    left: (db: Queries, userId: string): Promise<number> => db.$count(mfaRecoveryCodes, unused(userId)),
    async remove(tx: Transaction, userId: string): Promise<void> {
      await tx.delete(mfaRecoveryCodes).where(eq(mfaRecoveryCodes.userId, userId))
    },
  }
}
