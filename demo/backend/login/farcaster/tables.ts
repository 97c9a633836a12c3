import { pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { time } from '../../store/columns.ts'
import { users } from '../../users/tables.ts'

/**
 * Keys of users' vaults that have been approved on Farcaster, which knows each for good. An account that is unlinked is without its signer
 * here; the same user who links it again gets the key back, because Farcaster takes no key a second time.
 */
export const farcasterSigners = pgTable(
  'farcaster_signers',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The account whose owner has approved it. */
    fid: text('fid').notNull(),
    /** 0x-hex. */
    publicKey: text('public_key').notNull(),
    approvedAt: time('approved_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.fid, table.publicKey] })],
)
