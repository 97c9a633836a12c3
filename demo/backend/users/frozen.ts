import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import { Refusal } from '../lib/refusal.ts'
import type { Queries } from '../store/database.ts'
import { users } from './tables.ts'

/** When the user was frozen by the link of a notice; `undefined` where that is not so. */
export async function frozenSince(db: Queries, userId: string): Promise<number | undefined> {
  const [user] = await db
    .select({ frozenAt: users.frozenAt })
    .from(users)
    .where(and(eq(users.id, userId), isNotNull(users.frozenAt)))
  return user?.frozenAt ?? undefined
}

/** Whether nothing of the user may be used or changed until they show a proof (docs/security.md). */
export const isFrozen = async (db: Queries, userId: string): Promise<boolean> =>
  (await frozenSince(db, userId)) !== undefined

/** @throws Refusal `account_frozen` */
export async function refuseFrozen(db: Queries, userId: string): Promise<void> {
  if (await isFrozen(db, userId)) throw accountFrozen()
}
export const accountFrozen = () =>
  new Refusal('account_frozen', 'This account is frozen. Show in the window of your wallet that it is yours.')

/** Marks the user as frozen. @returns whether that is new; a later request does not move the time */
export async function markFrozen(db: Queries, userId: string, now: number): Promise<boolean> {
  const rows = await db
    .update(users)
    .set({ frozenAt: now })
    .where(and(eq(users.id, userId), isNull(users.frozenAt)))
    .returning({ id: users.id })
  return rows.length > 0
}

/** Ends the freeze after a proof. */
export async function unfreezeUser(db: Queries, userId: string): Promise<void> {
  await db.update(users).set({ frozenAt: null }).where(eq(users.id, userId))
}
