import { and, eq, gt } from 'drizzle-orm'
import { Refusal } from '../../lib/refusal.ts'
import type { Queries } from '../../store/database.ts'
import type { RootRow, WalletContext } from '../context.ts'
import { rootOwner } from '../sealed-names.ts'
import { recoveryPresent, recoverySecrets } from '../tables.ts'
import { openRecord } from './record.ts'

interface Place {
  walletId: string
  deviceId: string
}

/** Remembers that somebody has shown on this device how the wallet is recovered. */
export async function notePresent(db: Queries, place: Place, now: number): Promise<void> {
  await db
    .insert(recoveryPresent)
    .values({ ...place, at: now })
    .onConflictDoUpdate({ target: [recoveryPresent.walletId, recoveryPresent.deviceId], set: { at: now } })
}

/** The wallet is recovered in another way now. */
export async function forgetPresent(db: Queries, walletId: string): Promise<void> {
  await db.delete(recoveryPresent).where(eq(recoveryPresent.walletId, walletId))
}

/**
 * A wallet that is recovered in the person's own way wants to see that way, just now and on this device. One that was
 * set up before it could be checked wants nothing: nobody could ever change it.
 * @throws Refusal `recovery_proof_required`
 */
export async function requirePresent(
  { secrets, limits, clock }: Pick<WalletContext, 'secrets' | 'limits' | 'clock'>,
  db: Queries,
  root: RootRow,
  deviceId: string,
): Promise<void> {
  if (!(await canBeShown(secrets, db, root))) return
  const since = clock() - limits.recoveryPresentLife
  const { walletId, deviceId: device, at } = recoveryPresent
  const shown = and(eq(walletId, root.id), eq(device, deviceId), gt(at, since))
  if ((await db.$count(recoveryPresent, shown)) === 0)
    throw new Refusal('recovery_proof_required', 'Show first how this wallet is recovered now.')
}

/** Whether somebody can show that they recover a wallet. Nobody can for the automatic way, nor for some older ones. */
export async function canBeShown(
  secrets: WalletContext['secrets'],
  db: Queries,
  root: RootRow,
): Promise<boolean> {
  if (root.recoveryMethod === 'privy') return false
  const { secretId, verifierHash } = openRecord(secrets, rootOwner(root.id), root)
  if (secretId === undefined) return verifierHash !== undefined
  const [row] = await db.select().from(recoverySecrets).where(eq(recoverySecrets.id, secretId))
  return !!row?.verifier
}
