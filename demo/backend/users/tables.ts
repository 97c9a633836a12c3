import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { time } from '../store/columns.ts'
import type { AccountType } from './account.ts'

/** The account that a removed user lost, and who has it now. */
export interface RemovedWith {
  type: AccountType
  subject: string
  userId: string
  /** Since when the account was the removed user's, and when a device of theirs approved that. */
  linkedAt?: number
  confirmedAt?: number | null
}

/** The people of each app. */
export const users = pgTable(
  'users',
  {
    id: text('id').primaryKey(),
    appId: text('app_id').notNull(),
    createdAt: time('created_at').notNull(),
    acceptedTermsAt: time('accepted_terms_at'),
    isGuest: boolean('is_guest').notNull().default(false),
    customMetadata: jsonb('custom_metadata').$type<Record<string, string | number | boolean>>(),
    /** When the user was given up; nobody is this user any more, and the rows are kept only to be restored. */
    removedAt: time('removed_at'),
    /** When the user froze the account by the link of a notice; it ends with a proof (devices/enrolment). */
    frozenAt: time('frozen_at'),
    /** The account with which that happened, and who has it now. */
    removedWith: jsonb('removed_with').$type<RemovedWith>(),
  },
  (table) => [
    index('users_app').on(table.appId),
    index('users_removed').on(table.removedAt).where(sql`${table.removedAt} is not null`),
    index('users_frozen').on(table.frozenAt).where(sql`${table.frozenAt} is not null`),
  ],
)

/**
 * How many users of each app there are, those that were removed left out, in several rows: only sign-ups that meet in one wait for
 * each other. Triggers on `users` keep it (the migration `the_server_stays_up`).
 */
export const userCounts = pgTable(
  'user_counts',
  {
    appId: text('app_id').notNull(),
    shard: integer('shard').notNull(),
    count: bigint('count', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.appId, table.shard] })],
)

/** The address, and the name, that a provider says of an account. */
export const emailOf = ({ details }: { details: AnyPgColumn }) => sql`(${details}->>'email')`
export const usernameOf = ({ details }: { details: AnyPgColumn }) => sql`(${details}->>'username')`

/** One row for each way in which a user is known. `subject` is its normalised name and unique within the app. */
export const accounts = pgTable(
  'accounts',
  {
    /** Counts up: the order in which accounts were added. */
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    appId: text('app_id').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    type: text('type').$type<AccountType>().notNull(),
    subject: text('subject').notNull(),
    /** What else is known of it (account.ts). */
    details: jsonb('details').$type<Record<string, unknown>>().notNull().default({}),
    /** Since when it has been this user's. */
    linkedAt: time('linked_at').notNull(),
    /**
     * When an enrolled device of the user approved that it was linked. With a wallet, an account counts as a proof for a new
     * device if it is older than the wallet or has been confirmed; time alone changes nothing.
     */
    confirmedAt: time('confirmed_at'),
    verifiedAt: time('verified_at').notNull(),
    firstVerifiedAt: time('first_verified_at'),
    latestVerifiedAt: time('latest_verified_at'),
  },
  (table) => [
    uniqueIndex('accounts_subject').on(table.appId, table.type, table.subject),
    index('accounts_user').on(table.userId),
    // By which an operator looks for somebody: what providers say.
    index('accounts_email')
      .on(table.appId, emailOf(table))
      .where(sql`${emailOf(table)} is not null`),
    index('accounts_username')
      .on(table.appId, usernameOf(table))
      .where(sql`${usernameOf(table)} is not null`),
  ],
)

/**
 * Addresses and numbers that a user had until they were removed or replaced. They are told of what happens for a while
 * (`accountChangeWait`), so that nobody who takes an account over can silence its owner first.
 */
export const formerAddresses = pgTable(
  'former_addresses',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    channel: text('channel').$type<'email' | 'sms'>().notNull(),
    /** A normalised address, or a number in E.164. */
    address: text('address').notNull(),
    /** Since when the account had been theirs, and when an enrolled device approved that. */
    linkedAt: time('linked_at').notNull(),
    confirmedAt: time('confirmed_at'),
    removedAt: time('removed_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.channel, table.address] }),
    index('former_addresses_removed').on(table.removedAt),
  ],
)
