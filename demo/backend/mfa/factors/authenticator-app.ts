import { and, eq, isNotNull, isNull, lt, or } from 'drizzle-orm'
import { Refusal } from '../../lib/refusal.ts'
import { seal, unseal } from '../../secrets/sealing.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import type { Database, Transaction } from '../../store/database.ts'
import { mfaFactors } from '../tables.ts'
import { newTotpSecret, totpStep, totpUrl } from '../totp.ts'
import type { Judge } from './verification.ts'

/** The name under which a secret is sealed. */
export const totpSecretName = (userId: string) => `mfa totp ${userId}`

/** The authenticator app of a person: one, whose every code is good once. */
export function createAuthenticatorApp(deps: { database: Database; secrets: Secrets; clock: () => number }) {
  const { database, secrets, clock } = deps
  const own = (userId: string) => and(eq(mfaFactors.userId, userId), eq(mfaFactors.type, 'totp'))

  /** Of any number who bring a code, one has it. */
  async function use(tx: Transaction, userId: string, code: string, isNew: boolean): Promise<boolean> {
    const { verifiedAt, lastStep } = mfaFactors
    const row = and(own(userId), isNew ? isNull(verifiedAt) : isNotNull(verifiedAt))
    const [factor] = await tx.select().from(mfaFactors).where(row)
    if (!factor?.sealedSecret) return false
    const now = clock()
    const step = totpStep(unseal(secrets, totpSecretName(userId), factor.sealedSecret), code, now)
    if (step === undefined) return false
    const claimed = await tx
      .update(mfaFactors)
      .set({ lastStep: step, ...(isNew && { verifiedAt: now }) })
      .where(and(row, or(isNull(lastStep), lt(lastStep, step))))
      .returning({ type: mfaFactors.type })
    return claimed.length > 0
  }

  return {
    /**
     * A secret for a new app; one that was begun and not finished is forgotten.
     * @param given.issuer the name of the host's app
     * @param given.label whose it is
     * @throws Refusal `invalid_state` where there is an app already
     */
    async begin(userId: string, given: { issuer: string; label: string }) {
      const secret = newTotpSecret()
      const sealedSecret = seal(secrets, totpSecretName(userId), secret)
      const fresh = { sealedSecret, lastStep: null, createdAt: clock(), verifiedAt: null }
      const begun = await database
        .insert(mfaFactors)
        .values({ userId, type: 'totp', ...fresh })
        .onConflictDoUpdate({
          target: [mfaFactors.userId, mfaFactors.type],
          set: fresh,
          setWhere: isNull(mfaFactors.verifiedAt),
        })
        .returning({ type: mfaFactors.type })
      if (begun.length === 0)
        throw new Refusal('invalid_state', 'There is an authenticator app already. Remove it first.')
      return { secret, url: totpUrl(secret, given.issuer, given.label) }
    },
    /** Whether a code is of the app that is being set up, which is a factor then. */
    confirm:
      (userId: string, code: string): Judge =>
      (tx) =>
        use(tx, userId, code, true),
    /** Whether a code is of the app, now and for the first time. */
    judge:
      (userId: string, code: string): Judge =>
      (tx) =>
        use(tx, userId, code, false),
    /** @returns whether there was one */
    async remove(tx: Transaction, userId: string): Promise<boolean> {
      const removed = await tx.delete(mfaFactors).where(own(userId)).returning()
      return removed.some(({ verifiedAt }) => verifiedAt !== null)
    },
  }
}
