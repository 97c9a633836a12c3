import { bigint, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { accounts } from '../users/tables.ts'

/** What a passkey account needs to be proved again. */
export const passkeys = pgTable(
  'passkeys',
  {
    accountId: bigint('account_id', { mode: 'number' })
      .primaryKey()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    rpId: text('rp_id').notNull(),
    /** COSE key, base64url. */
    publicKey: text('public_key').notNull(),
    counter: bigint('counter', { mode: 'number' }).notNull(),
    transports: jsonb('transports').$type<string[]>().notNull().default([]),
    /** What the authenticator calls the user: random, the same for all passkeys of one. */
    userHandle: text('user_handle').notNull(),
  },
  (table) => [index('passkeys_handle').on(table.userHandle)],
)
