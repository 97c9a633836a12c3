import { bigint, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { time, times } from './tables/columns.ts'
import { accounts, users } from './tables/users.ts'

export * from './tables/embedded-wallets.ts'
export * from './tables/users.ts'

/**
 * The tables, the same on PGlite and on PostgreSQL 15 or later. Times are Unix milliseconds by the backend's own
 * clock. Sealed columns hold `<key id>.<iv>.<ciphertext>` (domain/sealing.ts); a new one is named in sealed-columns.ts.
 * After a change: `npx drizzle-kit generate --dialect postgresql --schema demo/backend/store/schema.ts
 * --out demo/backend/store/migrations --name <what changed>`, and commit what it writes.
 */

/** Facts about this installation: the fingerprint of the secrets that the rows below depend on. */
export const installation = pgTable('installation', {
  name: text('name').primaryKey(),
  value: text('value').notNull(),
})

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

/** Values that are good for one use: states, codes, nonces, challenges (domain/one-time.ts). */
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
    expiresAt: time('expires_at'),
    tries: integer('tries').notNull().default(0),
    sent: times('sent'),
    failed: times('failed'),
    lockedUntil: time('locked_until'),
    touchedAt: time('touched_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.appId, table.channel, table.address] }),
    index('code_addresses_touched').on(table.touchedAt),
  ],
)

/** Sliding windows of events by key, such as one network address (security T35). */
export const rates = pgTable(
  'rates',
  { key: text('key').primaryKey(), hits: times('hits'), keepUntil: time('keep_until').notNull() },
  (table) => [index('rates_keep').on(table.keepUntil)],
)

export const sessions = pgTable(
  'sessions',
  {
    id: text('id').primaryKey(),
    appId: text('app_id').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: time('created_at').notNull(),
    /** The end that no refresh moves. */
    endsAt: time('ends_at').notNull(),
    revokedAt: time('revoked_at'),
    revokedBecause: text('revoked_because').$type<'logout' | 'reuse'>(),
  },
  (table) => [index('sessions_user').on(table.userId), index('sessions_ends').on(table.endsAt)],
)

/** Every refresh token that was handed out, by its hash; the rotated ones stay, to notice their reuse. */
export const refreshTokens = pgTable(
  'refresh_tokens',
  {
    hash: text('hash').primaryKey(),
    sessionId: text('session_id')
      .notNull()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    issuedAt: time('issued_at').notNull(),
    expiresAt: time('expires_at').notNull(),
    rotatedAt: time('rotated_at'),
  },
  (table) => [
    index('refresh_tokens_session').on(table.sessionId, table.rotatedAt),
    index('refresh_tokens_expires').on(table.expiresAt),
  ],
)

/** Single-use tokens that open a second session of the same user elsewhere. */
export const forkTokens = pgTable('fork_tokens', {
  hash: text('hash').primaryKey(),
  appId: text('app_id').notNull(),
  sessionId: text('session_id')
    .notNull()
    .references(() => sessions.id, { onDelete: 'cascade' }),
  expiresAt: time('expires_at').notNull(),
  usedAt: time('used_at'),
})

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
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.appId, table.path, table.keyHash] }),
    index('idempotency_expires').on(table.expiresAt),
  ],
)

export const analyticsEvents = pgTable(
  'analytics_events',
  {
    id: text('id').primaryKey(),
    at: time('at').notNull(),
    appId: text('app_id').notNull(),
    name: text('name').notNull(),
    clientId: text('client_id'),
    payload: jsonb('payload').$type<Record<string, string | number | boolean>>().notNull(),
  },
  (table) => [index('analytics_events_app').on(table.appId, table.at)],
)
