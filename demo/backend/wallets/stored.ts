import { and, eq, notExists } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Limits } from '../settings/limits.ts'
import type { Database } from '../store/database.ts'
import { deleteInBatches } from '../store/delete-in-batches.ts'
import type { SealedColumn } from '../store/stored.ts'
import { authShareName, changeOwner, recordNames, recoverySecretName, rootOwner } from './sealed-names.ts'
import {
  frameSpendings,
  recoveryChanges,
  recoveryPresent,
  recoverySecrets,
  shareReleases,
  walletRoots,
  walletSets,
} from './tables.ts'

type Owned = Pick<typeof walletRoots, 'sealedRecoveryPackage' | 'sealedRecoveryKey' | 'sealedRecoveryHints'>

/** The three columns of a recovery method. */
function recordColumns(
  of: typeof walletRoots | typeof recoveryChanges,
  key: readonly PgColumn[],
  owner: (row: Record<string, string>) => string,
): SealedColumn[] {
  const fields = {
    sealedRecoveryPackage: recordNames.package,
    sealedRecoveryKey: recordNames.key,
    sealedRecoveryHints: recordNames.hints,
  } satisfies Record<keyof Owned, (owner: string) => string>
  return Object.entries(fields).map(([field, nameOf]) => ({
    table: of,
    field,
    key,
    column: of[field as keyof Owned],
    sealedName: (row) => nameOf(owner(row)),
  }))
}

/** Every column of the wallets whose values are sealed. */
export const sealedColumns: readonly SealedColumn[] = [
  ...recordColumns(walletRoots, [walletRoots.id], ({ id = '' }) => rootOwner(id)),
  ...recordColumns(
    recoveryChanges,
    [recoveryChanges.walletId, recoveryChanges.id],
    ({ walletId = '', id = '' }) => changeOwner(walletId, id),
  ),
  {
    table: walletSets,
    field: 'sealedAuthShare',
    column: walletSets.sealedAuthShare,
    key: [walletSets.walletId, walletSets.setId],
    sealedName: ({ walletId = '', setId = '' }) => authShareName(walletId, setId),
  },
  {
    table: recoverySecrets,
    field: 'sealedSecret',
    column: recoverySecrets.sealedSecret,
    key: [recoverySecrets.id],
    sealedName: ({ id = '' }) => recoverySecretName(id),
  },
]

/** Removes what nobody can use any longer. @param now Unix milliseconds */
export async function sweep(database: Database, limits: Limits, now: number): Promise<void> {
  await deleteInBatches(database, shareReleases.at, now - limits.shareReleaseLife)
  await deleteInBatches(database, recoveryChanges.createdAt, now - 2 * limits.recoveryChangeLife)
  await deleteInBatches(database, frameSpendings.at, now - limits.frameSpendingSpan)
  await deleteInBatches(database, recoveryPresent.at, now - limits.recoveryPresentLife)
  // A wallet can no longer take a secret of this age, so nobody can start using it now.
  await deleteInBatches(
    database,
    recoverySecrets.createdAt,
    now - 2 * limits.recoverySecretLife,
    and(notExists(usesIn(database, walletRoots)), notExists(usesIn(database, recoveryChanges))),
  )
}

const usesIn = (database: Database, users: typeof walletRoots | typeof recoveryChanges) =>
  database.select().from(users).where(eq(users.recoverySecretId, recoverySecrets.id))
