import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { texts, time, times } from '../store/columns.ts'

/**
 * What is known about an address that codes are sent to: the one code that is alive, the sendings that nobody
 * answered, and the failed guesses. One row each, so that locking it orders everything that happens to it.
 */
export const codeAddresses = pgTable(
  'code_addresses',
  {
    appId: text('app_id').notNull(),
    channel: text('channel').$type<'email' | 'sms'>().notNull(),
    address: text('address').notNull(),
    codeId: text('code_id'),
    salt: text('salt'),
    hash: text('hash'),
    /** Where the sending of that code is counted, if not here. */
    mailbox: text('mailbox'),
    expiresAt: time('expires_at'),
    tries: integer('tries').notNull().default(0),
    sent: times('sent'),
    failed: times('failed'),
    /** When the last pause ends, or has ended. */
    lockedUntil: time('locked_until'),
    /** From where codes of this address have let somebody in, as keyed hashes, the latest last. */
    sources: texts('sources'),
    /** The end of the day (UTC) on which something last happened: the index is untouched by what else happens on it. */
    touchedAt: time('touched_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.appId, table.channel, table.address] }),
    index('code_addresses_touched').on(table.touchedAt),
  ],
)
