import { randomUUID } from 'node:crypto'
import { and, desc, eq, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import type { Queries, Transaction } from '../store/database.ts'
import type { Appearance } from './describe.ts'
import type { ProvedKey } from './proofs.ts'
import { devices, type EnrolledBy } from './tables.ts'

export type DeviceRow = typeof devices.$inferSelect
/** A key that is one of the person's. */
export interface EnrolledDevice extends ProvedKey {
  id: string
}
/** Whose key it is asked about. */
export interface Owner {
  appId: string
  userId: string
}

/** Enough to tell when a browser was used last, without a row written for every call. */
const USE_EVERY = 60_000

const ownedBy = ({ appId, userId }: Owner) => and(eq(devices.appId, appId), eq(devices.userId, userId))

/** The device of a key, unless it was removed. */
export async function deviceOf(
  db: Queries,
  owner: Owner,
  thumbprint: string,
): Promise<DeviceRow | undefined> {
  const [row] = await db
    .select()
    .from(devices)
    .where(and(ownedBy(owner), eq(devices.thumbprint, thumbprint), isNull(devices.removedAt)))
  return row
}

/** Notes that a device was used now. */
export async function noteUse(db: Queries, { id, lastUsedAt }: DeviceRow, now: number): Promise<void> {
  if (lastUsedAt > now - USE_EVERY) return
  await db
    .update(devices)
    .set({ lastUsedAt: now })
    .where(and(eq(devices.id, id), lt(devices.lastUsedAt, now)))
}

/** Whether a second factor was ever shown on a device. */
export async function isVerifiedDevice(db: Queries, id: string): Promise<boolean> {
  return (await db.$count(devices, and(eq(devices.id, id), isNotNull(devices.verifiedAt)))) > 0
}
/** Notes that a second factor was shown on it. */
export async function noteVerified(db: Queries, id: string, now: number): Promise<void> {
  await db
    .update(devices)
    .set({ verifiedAt: now })
    .where(and(eq(devices.id, id), isNull(devices.verifiedAt)))
}

/** All devices that were not removed, the one used last first. */
export function devicesOf(db: Queries, owner: Owner): Promise<DeviceRow[]> {
  return db
    .select()
    .from(devices)
    .where(and(ownedBy(owner), isNull(devices.removedAt)))
    .orderBy(desc(devices.lastUsedAt), desc(devices.createdAt))
}

/**
 * Makes a key one of the person's. One that is there already stays as it is, and one that was removed is a new device.
 */
export async function addDevice(
  tx: Transaction,
  owner: Owner,
  given: Appearance & {
    thumbprint: string
    enrolledBy: EnrolledBy
    /** Whether a second factor was shown on it for that. */
    isVerified: boolean
    now: number
  },
): Promise<{ device: DeviceRow; isNew: boolean }> {
  const { now, isVerified, ...row } = given
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`devices ${owner.userId}`}, 0))`)
  const known = await deviceOf(tx, owner, given.thumbprint)
  if (known) return { device: known, isNew: false }
  const verifiedAt = isVerified ? now : null
  const fresh = { ...row, createdAt: now, lastUsedAt: now, removedAt: null, verifiedAt }
  const [device] = await tx
    .insert(devices)
    .values({ id: randomUUID(), appId: owner.appId, userId: owner.userId, ...fresh })
    .onConflictDoUpdate({ target: [devices.appId, devices.userId, devices.thumbprint], set: fresh })
    .returning()
  if (!device) throw new Error('A device was not stored')
  return { device, isNew: true }
}

/** From now on the key gets nothing. @returns `undefined` where the person has no such device */
export async function endDevice(
  tx: Transaction,
  owner: Owner,
  id: string,
  now: number,
): Promise<DeviceRow | undefined> {
  const [row] = await tx
    .update(devices)
    .set({ removedAt: now })
    .where(and(ownedBy(owner), eq(devices.id, id), isNull(devices.removedAt)))
    .returning()
  return row
}
