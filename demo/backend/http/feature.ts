import { deleteInBatches } from '../store/delete-in-batches.ts'
import type { Feature } from './definition.ts'
import { replyName } from './idempotency.ts'
import { idempotency } from './tables.ts'

/** The stored answers of requests with an idempotency key. */
export const idempotencyFeature: Feature = {
  tables: [idempotency],
  sealedColumns: [
    {
      table: idempotency,
      field: 'sealedReply',
      column: idempotency.sealedReply,
      key: [idempotency.appId, idempotency.path, idempotency.keyHash],
      sealedName: ({ appId = '', path = '', keyHash = '' }) => replyName({ appId, path, keyHash }),
    },
  ],
  async sweep(database, _, now) {
    await deleteInBatches(database, idempotency.expiresAt, now)
  },
}
