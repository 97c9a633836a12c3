import { index, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { time } from '../../store/columns.ts'
import { users } from '../../users/tables.ts'
import type { AccountChange } from './change.ts'

/** Changes of accounts and sessions that wait for an enrolled device of the user to approve them. */
export const accountChanges = pgTable(
  'account_changes',
  {
    /** SHA-256 of the id: the table alone names no change. */
    hash: text('hash').primaryKey(),
    appId: text('app_id').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The session that asked for it, and that alone may approve it. */
    sessionId: text('session_id').notNull(),
    change: jsonb('change').$type<AccountChange>().notNull(),
    createdAt: time('created_at').notNull(),
    expiresAt: time('expires_at').notNull(),
    /** An applied change stays until it expires, so that a repeated request gets the same answer. */
    usedAt: time('used_at'),
  },
  (table) => [
    index('account_changes_session').on(table.sessionId, table.createdAt),
    index('account_changes_user').on(table.userId),
    index('account_changes_expires').on(table.expiresAt),
  ],
)
