import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { time, times } from './columns.ts'

// The tables that all features share; each feature has its own in its `tables.ts`. They are the same on PGlite and on
// PostgreSQL 15 or later. Times are Unix milliseconds by the backend's own clock. Sealed columns hold
// `<key id>.<iv>.<ciphertext>` (secrets/sealing.ts); a new one is named in its feature's `sealedColumns`.
// After a change of any of them: npx drizzle-kit generate --dialect postgresql --schema 'demo/backend/**/tables.ts'
// --out demo/backend/store/migrations --name <what changed>, and commit what it writes.

/** Facts about this installation: the fingerprint of the secrets that the rows below depend on. */
export const installation = pgTable('installation', {
  name: text('name').primaryKey(),
  value: text('value').notNull(),
})

/** Values that are good for one use: states, codes, nonces, challenges (one-time.ts). */
export const oneTime = pgTable(
  'one_time',
  {
    hash: text('hash').primaryKey(),
    kind: text('kind').notNull(),
    appId: text('app_id').notNull(),
    sealedData: text('sealed_data').notNull(),
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [index('one_time_expires').on(table.expiresAt)],
)

/** Sliding windows of events by key, such as one network address. */
export const rates = pgTable(
  'rates',
  { key: text('key').primaryKey(), hits: times('hits'), keepUntil: time('keep_until').notNull() },
  (table) => [index('rates_keep').on(table.keepUntil)],
)

/** How much of something happened in one hour of the clock, where it is too much for a list of times. */
export const tallies = pgTable(
  'tallies',
  {
    key: text('key').notNull(),
    /** When the hour began. */
    hour: time('hour').notNull(),
    count: integer('count').notNull(),
  },
  (table) => [primaryKey({ columns: [table.key, table.hour] }), index('tallies_hour').on(table.hour)],
)
