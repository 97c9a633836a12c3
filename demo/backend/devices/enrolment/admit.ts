import { and, eq } from 'drizzle-orm'
import type { Limits } from '../../settings/limits.ts'
import type { Transaction } from '../../store/database.ts'
import { hasWallets, type UserSession } from '../../wallets/context.ts'
import { noteRelease } from '../../wallets/releases.ts'
import { recoveryPresent, walletSets } from '../../wallets/tables.ts'
import type { Appearance } from '../describe.ts'
import { addDevice, type DeviceRow, devicesOf, endDevice } from '../devices.ts'
import type { EnrolledBy } from '../tables.ts'

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
