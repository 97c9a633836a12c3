import { and, eq, isNotNull } from 'drizzle-orm'
import type { MfaMethod } from '../sessions/second-factor.ts'
import type { Queries } from '../store/database.ts'
import { accounts } from '../users/tables.ts'
import { mfaFactors, mfaPasskeys } from './tables.ts'

/** A second factor that somebody has. */
export interface EnrolledMethod {
  type: MfaMethod
  verifiedAt: number
}

/** Several passkeys are one method, as old as the oldest of them. */
export function passkeyMethod(enrolled: readonly ({ verifiedAt: number } | null)[]): EnrolledMethod[] {
  const times = enrolled.flatMap((each) => (each ? [each.verifiedAt] : []))
  return times.length === 0 ? [] : [{ type: 'passkey', verifiedAt: Math.min(...times) }]
}
/** The oldest first. */
export const inOrder = (methods: readonly EnrolledMethod[]): EnrolledMethod[] =>
  methods.toSorted((one, other) => one.verifiedAt - other.verifiedAt)

/** The second factors of a person, the oldest first. */
export async function methodsOf(db: Queries, userId: string): Promise<EnrolledMethod[]> {
  const factors = await db
    .select({ type: mfaFactors.type, verifiedAt: mfaFactors.verifiedAt })
    .from(mfaFactors)
    .where(and(eq(mfaFactors.userId, userId), isNotNull(mfaFactors.verifiedAt)))
  const passkeys = await db
    .select({ verifiedAt: mfaPasskeys.verifiedAt })
    .from(mfaPasskeys)
    .innerJoin(accounts, eq(accounts.id, mfaPasskeys.accountId))
    .where(eq(accounts.userId, userId))
  const others = factors.flatMap(({ type, verifiedAt }) =>
    verifiedAt === null ? [] : [{ type, verifiedAt }],
  )
  return inOrder([...others, ...passkeyMethod(passkeys)])
}

/** Whether somebody has a second factor. */
export const hasSecondFactor = async (db: Queries, userId: string): Promise<boolean> =>
  (await methodsOf(db, userId)).length > 0
