import { and, eq, isNull, lte, type SQL } from 'drizzle-orm'
import type { Queries } from '../store/database.ts'
import { wallets } from '../wallets/tables.ts'
import { type GrantEnd, grants } from './tables.ts'

/** A grant that has ended with this. */
export type EndedGrant = Pick<
  typeof grants.$inferSelect,
  'id' | 'appId' | 'userId' | 'walletId' | 'permission'
>

/**
 * Ends grants that have not ended yet. Both halves of the key are deleted with it, so that nothing is left to sign with.
 * @param now Unix milliseconds
 */
async function end(db: Queries, which: SQL | undefined, by: GrantEnd, now: number): Promise<EndedGrant[]> {
  const { id, appId, userId, walletId, permission } = grants
  const ended = await db
    .update(grants)
    .set({ endedAt: now, endedBy: by, encryptedShare: null, sealedShare: null })
    .where(and(isNull(grants.endedAt), which))
    .returning({ id, appId, userId, walletId, permission })
  for (const grant of ended)
    await db.update(wallets).set({ delegated: false }).where(eq(wallets.id, grant.walletId))
  return ended
}

/** Ends all grants of a user. */
export const endGrantsOf = (db: Queries, userId: string, by: GrantEnd, now: number) =>
  end(db, eq(grants.userId, userId), by, now)

/** Ends one grant of a user. */
export const endGrant = (db: Queries, given: { userId: string; id: string }, by: GrantEnd, now: number) =>
  end(db, and(eq(grants.userId, given.userId), eq(grants.id, given.id)), by, now)

/** Ends grants whose time is over: of one wallet, or of all. */
export const endExpiredGrants = (db: Queries, now: number, walletId?: string) =>
  end(
    db,
    and(lte(grants.notAfter, now), walletId === undefined ? undefined : eq(grants.walletId, walletId)),
    'expiry',
    now,
  )
