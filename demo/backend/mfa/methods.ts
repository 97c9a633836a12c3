import { and, eq, inArray, isNotNull, or, sql } from 'drizzle-orm'
import { devices } from '../devices/tables.ts'
import type { MfaMethod } from '../sessions/second-factor.ts'
import type { Queries, Transaction } from '../store/database.ts'
import { rates } from '../store/tables.ts'
import { accounts } from '../users/tables.ts'
import { mfaFactors, mfaPasskeys, mfaRecoveryCodes, mfaTokens } from './tables.ts'

/** A second factor that somebody has. */
export interface EnrolledMethod {
  type: MfaMethod
  verifiedAt: number
}

/**
 * Several passkeys are one method, as old as the oldest of them.
 * @param verifiedAt of each passkey; `null` for one that is no second factor
 */
export function passkeyMethod(verifiedAt: readonly (number | null)[]): EnrolledMethod[] {
  const times = verifiedAt.filter((time) => time !== null)
  return times.length === 0 ? [] : [{ type: 'passkey', verifiedAt: Math.min(...times) }]
}
/** The oldest first; those of the same moment by their names, since a database has no order of its own. */
export const inOrder = (methods: readonly EnrolledMethod[]): EnrolledMethod[] =>
  methods.toSorted((one, other) => one.verifiedAt - other.verifiedAt || (one.type < other.type ? -1 : 1))

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
  return inOrder([...others, ...passkeyMethod(passkeys.map((row) => row.verifiedAt))])
}

/** Whether somebody has a second factor. */
export const hasSecondFactor = async (db: Queries, userId: string): Promise<boolean> =>
  (await methodsOf(db, userId)).length > 0

/** Under what a person's wrong tries are counted, over all factors; those of one source have its name behind this and a space. */
export const triesOf = (userId: string) => `mfa tries ${userId}`

/** Forgets a person's wrong tries. Resolves with whether there were any. */
export async function forgetTries(tx: Transaction, userId: string): Promise<boolean> {
  const key = triesOf(userId)
  const all = or(eq(rates.key, key), sql`starts_with(${rates.key}, ${`${key} `})`)
  return (await tx.delete(rates).where(all).returning({ key: rates.key })).length > 0
}

/**
 * Takes all second factors off somebody who has lost them, with what stands in for them and what was shown of them. Their
 * passkeys stay, as ways to log in. Resolves with what they had.
 */
export async function removeFactors(tx: Transaction, userId: string): Promise<MfaMethod[]> {
  const had = await methodsOf(tx, userId)
  const own = tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.userId, userId))
  await tx.delete(mfaPasskeys).where(inArray(mfaPasskeys.accountId, own))
  await tx.delete(mfaFactors).where(eq(mfaFactors.userId, userId))
  await tx.delete(mfaRecoveryCodes).where(eq(mfaRecoveryCodes.userId, userId))
  await tx.delete(mfaTokens).where(eq(mfaTokens.userId, userId))
  await tx.update(devices).set({ verifiedAt: null }).where(eq(devices.userId, userId))
  return had.map(({ type }) => type)
}
