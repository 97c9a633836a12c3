import { and, eq, inArray, isNull, lte, type SQL } from 'drizzle-orm'
import type { Transaction } from '../store/database.ts'
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
async function end(
  tx: Transaction,
  which: SQL | undefined,
  by: GrantEnd,
  now: number,
): Promise<EndedGrant[]> {
  const { id, appId, userId, walletId, permission } = grants
  const due = and(isNull(grants.endedAt), which)
  // The wallets first, as a use does that is being counted: otherwise each would wait for the other.
  const held = await tx
    .select({ id: wallets.id })
    .from(wallets)
    .where(inArray(wallets.id, tx.select({ walletId }).from(grants).where(due)))
    .orderBy(wallets.id)
    .for('update')
  const heldIds = held.map((wallet) => wallet.id)
  if (heldIds.length === 0) return []
  const ended = await tx
    .update(grants)
    .set({ endedAt: now, endedBy: by, encryptedShare: null, sealedShare: null })
    .where(and(due, inArray(walletId, heldIds)))
    .returning({ id, appId, userId, walletId, permission })
  const freed = ended.map((grant) => grant.walletId)
  await tx.update(wallets).set({ delegated: false }).where(inArray(wallets.id, freed))
  return ended
}

/** Ends all grants of a user. */
export const endGrantsOf = (tx: Transaction, userId: string, by: GrantEnd, now: number) =>
  end(tx, eq(grants.userId, userId), by, now)

/** Ends one grant of a user. */
export const endGrant = (tx: Transaction, given: { userId: string; id: string }, by: GrantEnd, now: number) =>
  end(tx, and(eq(grants.userId, given.userId), eq(grants.id, given.id)), by, now)

/** Ends grants whose time is over: of one wallet, or of all. */
export const endExpiredGrants = (tx: Transaction, now: number, walletId?: string) =>
  end(
    tx,
    and(lte(grants.notAfter, now), walletId === undefined ? undefined : eq(grants.walletId, walletId)),
    'expiry',
    now,
  )
