import { and, eq, gt, isNotNull, notInArray } from 'drizzle-orm'
import type { Database, Queries } from '../store/database.ts'
import { deleteInBatches } from '../store/delete-in-batches.ts'
import { type VerifiedAddress, verifiedAddresses } from './addresses.ts'
import { formerAddresses, users } from './tables.ts'

/** An address that a user no longer has, and that still speaks for them for a while. */
export interface FormerAddress extends Omit<VerifiedAddress, 'accountId'> {
  removedAt: number
}
/** An address or number to which notices go. */
export type Reached = Pick<VerifiedAddress, 'channel' | 'address'>

/** Stores the addresses that a change has taken away from a user. @param before those that the user had until then */
export async function keepFormerAddresses(
  db: Queries,
  { appId, userId }: { appId: string; userId: string },
  before: readonly VerifiedAddress[],
  now: number,
): Promise<void> {
  const left = new Set((await verifiedAddresses(db, appId, userId)).map(({ address }) => address))
  for (const { channel, address, linkedAt, confirmedAt } of before) {
    if (left.has(address)) continue
    const row = { linkedAt, confirmedAt, removedAt: now }
    await db
      .insert(formerAddresses)
      .values({ userId, channel, address, ...row })
      .onConflictDoUpdate({
        target: [formerAddresses.userId, formerAddresses.channel, formerAddresses.address],
        set: row,
      })
  }
}

/**
 * The addresses that a user has lost less than `wait` ago. For a frozen user the wait stands still, so that a way back
 * does not run out meanwhile.
 */
export async function formerAddressesOf(
  db: Queries,
  userId: string,
  { wait, now }: { wait: number; now: number },
): Promise<FormerAddress[]> {
  const [user] = await db.select({ frozenAt: users.frozenAt }).from(users).where(eq(users.id, userId))
  return db
    .select({
      channel: formerAddresses.channel,
      address: formerAddresses.address,
      linkedAt: formerAddresses.linkedAt,
      confirmedAt: formerAddresses.confirmedAt,
      removedAt: formerAddresses.removedAt,
    })
    .from(formerAddresses)
    .where(
      and(eq(formerAddresses.userId, userId), gt(formerAddresses.removedAt, (user?.frozenAt ?? now) - wait)),
    )
}

/** All addresses that are told of what happens to a user: those of now, and the former ones in their wait. */
export async function reachedAddresses(
  db: Queries,
  { appId, userId }: { appId: string; userId: string },
  at: { wait: number; now: number },
): Promise<Reached[]> {
  const found = [
    ...(await verifiedAddresses(db, appId, userId)),
    ...(await formerAddressesOf(db, userId, at)),
  ]
  return [...new Map(found.map(({ channel, address }) => [address, { channel, address }])).values()]
}

/** Deletes former addresses whose wait is over. @param now Unix milliseconds */
export async function sweepFormerAddresses(db: Database, wait: number, now: number): Promise<void> {
  const frozen = db.select({ id: users.id }).from(users).where(isNotNull(users.frozenAt))
  const { removedAt, userId } = formerAddresses
  await deleteInBatches(db, removedAt, now - wait, notInArray(userId, frozen))
}
