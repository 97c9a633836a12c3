import { index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { time } from '../store/columns.ts'

/** Answers of requests that carried an idempotency key; `lease` (the database's own clock) says who still works on it. */
export const idempotency = pgTable(
  'idempotency',
  {
    appId: text('app_id').notNull(),
    path: text('path').notNull(),
    keyHash: text('key_hash').notNull(),
    fingerprint: text('fingerprint').notNull(),
    owner: text('owner').notNull(),
    leaseUntil: time('lease_until').notNull(),
    sealedReply: text('sealed_reply'),
    /** The result of the part of the work that may happen once: of a request without a reply, which is done from there on. */
    sealedOutcome: text('sealed_outcome'),
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.appId, table.path, table.keyHash] }),
    index('idempotency_expires').on(table.expiresAt),
  ],
)
