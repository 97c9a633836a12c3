import { index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { time } from '../store/columns.ts'
import { users } from '../users/tables.ts'

/** What showed that a browser is the person's own. */
export type EnrolledBy = 'login' | 'code' | 'recovery' | 'share' | 'login-code' | 'mfa'

/** The browsers of each person, by the key that the vault keeps there. */
export const devices = pgTable(
  'devices',
  {
    id: text('id').primaryKey(),
    appId: text('app_id').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** RFC 7638. */
    thumbprint: text('thumbprint').notNull(),
    name: text('name').notNull(),
    place: text('place').notNull(),
    enrolledBy: text('enrolled_by').$type<EnrolledBy>().notNull(),
    createdAt: time('created_at').notNull(),
    lastUsedAt: time('last_used_at').notNull(),
    removedAt: time('removed_at'),
    /** When the person was first verified on it by a second factor. */
    verifiedAt: time('verified_at'),
  },
  (table) => [
    uniqueIndex('devices_key').on(table.appId, table.userId, table.thumbprint),
    index('devices_user').on(table.userId),
  ],
)

/** Proofs that were used: by a hash of the key and the proof's id, for as long as it would be good. */
export const usedProofs = pgTable(
  'used_proofs',
  { hash: text('hash').primaryKey(), expiresAt: time('expires_at').notNull() },
  (table) => [index('used_proofs_expires').on(table.expiresAt)],
)
