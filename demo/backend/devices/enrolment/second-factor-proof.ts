import { and, count, eq, isNull, min } from 'drizzle-orm'
import * as v from 'valibot'
import { Refusal } from '../../lib/refusal.ts'
import { methodsOf } from '../../mfa/methods.ts'
import { mfaRecoveryCodes } from '../../mfa/tables.ts'
import type { ShownFactor } from '../../sessions/second-factor.ts'
import type { Queries } from '../../store/database.ts'
import { type ProofKind, proofKind } from './proof-kind.ts'
import type { Standing } from './standing.ts'

/**
 * Second factors that enrol a device alone. Text messages can be read by whoever can read the codes of a login, and a page can
 * relay the challenge of a passkey of its own origin.
 */
const isEnough = (factor: ShownFactor) => factor === 'totp' || factor === 'recovery-code'

/** The second factors of a user that count, with the recovery codes that stand in for them. */
export async function countedFactors(
  db: Queries,
  userId: string,
  { counts }: Standing,
): Promise<ShownFactor[]> {
  const methods = await methodsOf(db, userId)
  const counted: ShownFactor[] = methods
    .filter(({ verifiedAt }) => counts(verifiedAt))
    .map(({ type }) => type)
  if (methods.length === 0) return []
  const [codes] = await db
    .select({ left: count(), since: min(mfaRecoveryCodes.createdAt) })
    .from(mfaRecoveryCodes)
    .where(and(eq(mfaRecoveryCodes.userId, userId), isNull(mfaRecoveryCodes.usedAt)))
  return codes && codes.left > 0 && counts(codes.since ?? 0) ? [...counted, 'recovery-code'] : counted
}

/** Those of them that are proofs by themselves. */
export const factorsAlone = async (db: Queries, userId: string, standing: Standing): Promise<ShownFactor[]> =>
  (await countedFactors(db, userId, standing)).filter(isEnough)

/** A second factor alone, of which the guard has seen the proof. */
export function createSecondFactorProof(): ProofKind {
  return proofKind({
    body: v.strictObject({ factor: v.literal('mfa') }),
    secondFactor: 'itself',
    async prove(_, __, { secondFactor }) {
      // The guard lets pass who has no second factor: that is no proof.
      if (secondFactor === undefined)
        throw new Refusal('missing_mfa_enrollment', 'There is no second factor to show.')
      if (!isEnough(secondFactor))
        throw new Refusal(
          'enrolment_required',
          'This second factor alone does not show that a browser is yours.',
        )
      return { enrolledBy: 'mfa' }
    },
  })
}
