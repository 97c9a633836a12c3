import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import {
  authSharePlace,
  changeOwner,
  recordPlaces,
  rootOwner,
  secretPlace,
} from '../domain/embedded/places.ts'
import { idempotencyPlace } from '../domain/idempotency.ts'
import { oneTimePlace } from '../domain/one-time.ts'
import * as table from './schema.ts'

/** A column that holds sealed values, and the name under which that of a row is sealed. */
export interface SealedColumn {
  table: PgTable
  /** The column's name in the schema. */
  field: string
  column: PgColumn
  key: readonly PgColumn[]
  place(row: Record<string, string>): string
}

const { idempotency, oneTime, recoveryChanges, recoverySecrets, walletRoots, walletSets } = table
type Owned = Pick<typeof walletRoots, 'sealedRecoveryPackage' | 'sealedRecoveryKey' | 'sealedRecoveryHints'>

/** The three columns of a way of recovery. */
function recordColumns(
  of: typeof walletRoots | typeof recoveryChanges,
  key: readonly PgColumn[],
  owner: (row: Record<string, string>) => string,
): SealedColumn[] {
  const fields = {
    sealedRecoveryPackage: recordPlaces.package,
    sealedRecoveryKey: recordPlaces.key,
    sealedRecoveryHints: recordPlaces.hints,
  } satisfies Record<keyof Owned, (owner: string) => string>
  return Object.entries(fields).map(([field, place]) => ({
    ...{ table: of, field, key, column: of[field as keyof Owned] },
    place: (row) => place(owner(row)),
  }))
}

/** Every column whose values are sealed: what a rotation of the sealing key goes through. */
export const sealedColumns: readonly SealedColumn[] = [
  ...recordColumns(walletRoots, [walletRoots.id], ({ id = '' }) => rootOwner(id)),
  ...recordColumns(
    recoveryChanges,
    [recoveryChanges.walletId, recoveryChanges.id],
    ({ walletId = '', id = '' }) => changeOwner(walletId, id),
  ),
  {
    ...{ table: walletSets, field: 'sealedAuthShare', column: walletSets.sealedAuthShare },
    key: [walletSets.walletId, walletSets.setId],
    place: ({ walletId = '', setId = '' }) => authSharePlace(walletId, setId),
  },
  {
    ...{ table: recoverySecrets, field: 'sealedSecret', column: recoverySecrets.sealedSecret },
    key: [recoverySecrets.id],
    place: ({ id = '' }) => secretPlace(id),
  },
  {
    ...{ table: oneTime, field: 'sealedData', column: oneTime.sealedData, key: [oneTime.hash] },
    place: ({ hash = '' }) => oneTimePlace(hash),
  },
  {
    ...{ table: idempotency, field: 'sealedReply', column: idempotency.sealedReply },
    key: [idempotency.appId, idempotency.path, idempotency.keyHash],
    place: ({ appId = '', path = '', keyHash = '' }) => idempotencyPlace({ appId, path, keyHash }),
  },
]
