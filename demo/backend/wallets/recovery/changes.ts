import { createHash } from 'node:crypto'
import { and, desc, eq, inArray, isNull } from 'drizzle-orm'
import { Refusal } from '../../lib/refusal.ts'
import type { RecoveryMethod } from '../../settings/names.ts'
import type { Transaction } from '../../store/database.ts'
import { createNotices } from '../../users/notices.ts'
import { type DeviceSession, noSuchWallet, ownRoot, signerOf, type WalletContext } from '../context.ts'
import { requireDeviceProof, statements } from '../proofs.ts'
import { noteRelease } from '../releases.ts'
import { changeOwner, rootOwner } from '../sealed-names.ts'
import { recoveryChanges, recoverySecrets, walletRoots } from '../tables.ts'
import { forgetPresent, notePresent, requirePresent } from './present.ts'
import {
  openRecord,
  type RecoveryRecord,
  requireFreeSecret,
  requireOffered,
  requireOwnWay,
  sealRecord,
} from './record.ts'
import { forgetAllTries } from './tries.ts'

export interface Changes {
  /**
   * Keeps another recovery method in addition to the active one, until it is confirmed. The same change again changes
   * nothing. Resolves with the package as it is stored.
   * @throws Refusal `disallowed_recovery_method`, `invalid_credentials`, `recovery_proof_required`, `resource_conflict`
   */
  prepare(
    session: DeviceSession,
    root: string,
    change: { changeId: string; recovery: RecoveryRecord; deviceProof: string },
  ): Promise<string>
  /** Puts it in the place of the old one, whose material is deleted. Again: the same answer. @throws Refusal */
  confirm(
    session: DeviceSession,
    root: string,
    change: { changeId: string; deviceProof: string },
  ): Promise<RecoveryMethod>
}

const nothing = {
  sealedRecoveryPackage: null,
  sealedRecoveryKey: null,
  recoverySecretId: null,
  sealedRecoveryHints: null,
}
const noSuchChange = () => new Refusal('linked_account_not_found', 'There is no such change.')

/** A change of recovery has two phases, so that at every moment one of the methods works. */
export function createChanges(cx: WalletContext): Changes {
  const { database, secrets, limits, clock } = cx

  const notices = createNotices(cx)

  /** What happens to one root happens in a row. */
  async function lockRoot(tx: Transaction, walletId: string) {
    const [root] = await tx.select().from(walletRoots).where(eq(walletRoots.id, walletId)).for('update')
    if (!root) throw noSuchWallet()
    return root
  }
  const rowOf = (walletId: string, id: string) =>
    and(eq(recoveryChanges.walletId, walletId), eq(recoveryChanges.id, id))

  /** Repeated attempts leave only a few unconfirmed changes. */
  async function forgetOldest(tx: Transaction, walletId: string): Promise<void> {
    const pending = await tx
      .select()
      .from(recoveryChanges)
      .where(and(eq(recoveryChanges.walletId, walletId), isNull(recoveryChanges.confirmedAt)))
      .orderBy(desc(recoveryChanges.createdAt))
    const old = pending.slice(limits.pendingRecoveryChanges - 1)
    if (old.length === 0) return
    const ids = old.map(({ id }) => id)
    await tx
      .delete(recoveryChanges)
      .where(and(eq(recoveryChanges.walletId, walletId), inArray(recoveryChanges.id, ids)))
    await forgetSecrets(tx, old)
  }

  return {
    async prepare(session, address, { changeId, recovery, deviceProof }) {
      const { root } = await ownRoot(database, session, address)
      const walletId = root.id
      const packageHash = createHash('sha256').update(recovery.package).digest('hex')
      const { method } = recovery
      const text = statements.recoveryChange(signerOf(session), { walletId, changeId, method, packageHash })
      requireDeviceProof(session.device.publicKey, text, deviceProof)
      requireOffered(session.app, method)
      requireOwnWay(session.app, method)
      return database.transaction(async (tx) => {
        const before = await lockRoot(tx, walletId)
        const [known] = await tx.select().from(recoveryChanges).where(rowOf(walletId, changeId))
        if (known && (known.packageHash !== packageHash || known.recoveryMethod !== method))
          throw new Refusal('resource_conflict', 'This change already exists with another package.')
        if (known?.confirmedAt !== null && known) return recovery.package
        if (known) return openRecord(secrets, changeOwner(walletId, changeId), known).package
        await requirePresent(cx, tx, before, session.device.id)
        await requireFreeSecret(cx, tx, session, recovery.secretId)
        await forgetOldest(tx, walletId)
        const sealed = sealRecord(secrets, changeOwner(walletId, changeId), recovery)
        const row = { walletId, id: changeId, createdAt: clock(), packageHash, ...sealed }
        const [stored] = await tx.insert(recoveryChanges).values(row).returning()
        if (!stored) throw new Error('A change of recovery was not stored')
        return openRecord(secrets, changeOwner(walletId, changeId), stored).package
      })
    },

    async confirm(session, address, { changeId, deviceProof }) {
      const { root, named } = await ownRoot(database, session, address)
      const walletId = root.id
      const text = statements.recoveryConfirmed(signerOf(session), { walletId, changeId })
      requireDeviceProof(session.device.publicKey, text, deviceProof)
      const { method, isNew } = await database.transaction(async (tx) => {
        const before = await lockRoot(tx, walletId)
        const [change] = await tx.select().from(recoveryChanges).where(rowOf(walletId, changeId))
        if (!change) throw noSuchChange()
        if (change.confirmedAt !== null) return { method: change.recoveryMethod, isNew: false }
        const now = clock()
        if (change.createdAt <= now - limits.recoveryChangeLife) throw noSuchChange()
        // Once more: since it was prepared, the person may have chosen a way of their own.
        await requirePresent(cx, tx, before, session.device.id)
        const record = openRecord(secrets, changeOwner(walletId, changeId), change)
        // First out of the change: a secret has one owner.
        await tx
          .update(recoveryChanges)
          .set({ ...nothing, confirmedAt: now })
          .where(rowOf(walletId, changeId))
        await tx
          .update(walletRoots)
          .set(sealRecord(secrets, rootOwner(walletId), record))
          .where(eq(walletRoots.id, walletId))
        await forgetSecrets(tx, [before])
        // Tries of the old password tell nothing about the new one, and who could show the old way can't show the new one.
        await forgetAllTries(tx, walletId)
        await forgetPresent(tx, walletId)
        await notePresent(tx, { walletId, deviceId: session.device.id }, now)
        await noteRelease(tx, session, { at: now, walletId, address: named.address, what: 'recovery-change' })
        return { method: record.method, isNew: true }
      })
      if (isNew) notices.tell(session, { what: 'recovery-change', address: named.address })
      return method
    },
  }
}

async function forgetSecrets(tx: Transaction, rows: readonly { recoverySecretId: string | null }[]) {
  const ids = rows.flatMap(({ recoverySecretId: id }) => (id === null ? [] : [id]))
  if (ids.length > 0) await tx.delete(recoverySecrets).where(inArray(recoverySecrets.id, ids))
}
