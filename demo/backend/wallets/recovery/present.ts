import { and, eq, gt, inArray } from 'drizzle-orm'
import { Refusal } from '../../lib/refusal.ts'
import type { Queries } from '../../store/database.ts'
import type { RootRow, WalletContext } from '../context.ts'
import { rootOwner } from '../sealed-names.ts'
import { recoveryPresent, recoverySecrets, walletRoots } from '../tables.ts'
import { openRecord } from './record.ts'

type PresentContext = Pick<WalletContext, 'secrets' | 'limits' | 'clock'>
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
  cx: PresentContext,
  db: Queries,
  root: RootRow,
  deviceId: string,
): Promise<void> {
  if (!(await isAnyShown(cx, db, [root], deviceId)))
    throw new Refusal('recovery_proof_required', 'Show first how this wallet is recovered now.')
}

/**
 * Wants the same of a person, for what is about none of their wallets: one of the ways that are their own is enough. A key that
 * the host keeps says nothing of them.
 * @throws Refusal `recovery_proof_required`
 */
export async function requireAnyPresent(
  cx: PresentContext,
  db: Queries,
  userId: string,
  deviceId: string,
): Promise<void> {
  const roots = await db.select().from(walletRoots).where(eq(walletRoots.userId, userId))
  const own = roots.filter(({ recoveryMethod }) => recoveryMethod !== 'recovery-encryption-key')
  if (!(await isAnyShown(cx, db, own, deviceId)))
    throw new Refusal('recovery_proof_required', 'Show first how one of your wallets is recovered now.')
}

/** Whether somebody has just shown how one of these is recovered; also where none of them could be shown. */
async function isAnyShown(
  { secrets, limits, clock }: PresentContext,
  db: Queries,
  roots: readonly RootRow[],
  deviceId: string,
): Promise<boolean> {
  const ids: string[] = []
  for (const root of roots) if (await canBeShown(secrets, db, root)) ids.push(root.id)
  if (ids.length === 0) return true
  const { walletId, deviceId: device, at } = recoveryPresent
  const since = clock() - limits.recoveryPresentLife
  const shown = and(inArray(walletId, ids), eq(device, deviceId), gt(at, since))
  return (await db.$count(recoveryPresent, shown)) > 0
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
