import { deleteInBatches } from '../store/delete-in-batches.ts'
import type { Feature } from './definition.ts'
import { outcomeName, replyName } from './idempotency.ts'
import { idempotency } from './tables.ts'

/** The stored answers of requests with an idempotency key. */
export const idempotencyFeature: Feature = {
  tables: [idempotency],
  sealedColumns: (
    [
      ['sealedReply', replyName],
      ['sealedOutcome', outcomeName],
    ] as const
  ).map(([field, nameOf]) => ({
    table: idempotency,
    field,
    column: idempotency[field],
    key: [idempotency.appId, idempotency.path, idempotency.keyHash],
    sealedName: ({ appId = '', path = '', keyHash = '' }) => nameOf({ appId, path, keyHash }),
  })),
  async sweep(database, _, now) {
    await deleteInBatches(database, idempotency.expiresAt, now)
  },
}
