import { and, eq } from 'drizzle-orm'
import { noteOwn } from '../../audit/audit.ts'
import type { Sessions } from '../../sessions/sessions.ts'
import type { Limits } from '../../settings/limits.ts'
import type { Transaction } from '../../store/database.ts'
import { users } from '../../users/tables.ts'
import { hasWallets, type UserSession } from '../../wallets/context.ts'
import { noteRelease } from '../../wallets/releases.ts'
import { recoveryPresent, walletSets } from '../../wallets/tables.ts'
import type { Appearance } from '../describe.ts'
import { addDevice, type DeviceRow, devicesOf, endDevice } from '../devices.ts'
import { deviceRequests, type EnrolledBy } from '../tables.ts'

/** A key that somebody has just shown to be theirs. */
export type NewDevice = Appearance & {
  thumbprint: string
  enrolledBy: EnrolledBy
  /** Whether a second factor was shown on it for that. */
  isVerified: boolean
}

export interface Admitted {
  device: DeviceRow
  isNew: boolean
  /** The first one of somebody without wallets: there is nothing yet that it could be given. */
  isFirst: boolean
}

const ownerOf = ({ app, userId }: UserSession) => ({ appId: app.id, userId })

/** Makes a key one of the person's and notes it. Where there are too many, the one that was used longest ago goes. */
export async function admit(
  tx: Transaction,
  session: UserSession,
  given: NewDevice,
  { now, limits }: { now: number; limits: Limits },
): Promise<Admitted> {
  const owner = ownerOf(session)
  const { device, isNew } = await addDevice(tx, owner, { ...given, now })
  if (!isNew) return { device, isNew, isFirst: false }
  await noteRelease(tx, session, { at: now, what: 'device-enrolled' })
  const others = (await devicesOf(tx, owner)).filter(({ id }) => id !== device.id)
  for (const { id } of others.slice(limits.devicesPerUser - 1)) await dismiss(tx, session, id, now)
  return { device, isNew, isFirst: others.length === 0 && !(await hasWallets(tx, session)) }
}

/**
 * Ends the freeze of an account with the device that has just shown a proof: it alone stays, since nobody knows whose the others
 * are.
 */
export async function unfreeze(
  tx: Transaction,
  session: UserSession,
  { sessions, deviceId, now }: { sessions: Pick<Sessions, 'endAll'>; deviceId: string; now: number },
): Promise<void> {
  const { userId, sessionId } = session
  const owner = ownerOf(session)
  for (const { id } of await devicesOf(tx, owner)) if (id !== deviceId) await dismiss(tx, session, id, now)
  await tx.delete(deviceRequests).where(eq(deviceRequests.userId, userId))
  await sessions.endAll(tx, owner, sessionId)
  await tx.update(users).set({ frozenAt: null }).where(eq(users.id, userId))
  await noteOwn(tx, session, 'account-unfrozen', now)
}

/**
 * Ends a device: its key gets nothing from now on, and the server's half of its shares is deleted.
 * @returns `undefined` where the person has no such device
 */
export async function dismiss(
  tx: Transaction,
  session: UserSession,
  id: string,
  now: number,
): Promise<DeviceRow | undefined> {
  const device = await endDevice(tx, ownerOf(session), id, now)
  if (!device) return undefined
  await tx.delete(walletSets).where(and(eq(walletSets.deviceId, id)))
  await tx.delete(recoveryPresent).where(eq(recoveryPresent.deviceId, id))
  await noteRelease(tx, session, { at: now, what: 'device-removed' })
  return device
}
