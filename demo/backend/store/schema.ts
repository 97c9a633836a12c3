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
import type { AccountType, RecoveryMethod } from '../domain/accounts.ts'
import type { ReleaseKind } from '../domain/embedded/releases.ts'

/**
 * The tables, the same on PGlite and on PostgreSQL 15 or later. Times are Unix milliseconds by the backend's own
 * clock, so that a test can move it. Sealed columns hold `<key id>.<iv>.<ciphertext>` (domain/sealing.ts).
 * After a change: `npx drizzle-kit generate --dialect postgresql --schema demo/backend/store/schema.ts
 * --out demo/backend/store/migrations --name <what changed>`, and commit what it writes.
 */
const time = (name: string) => bigint(name, { mode: 'number' })
const times = (name: string) => jsonb(name).$type<number[]>().notNull().default([])

/** What a way of recovery needs besides the package, by method; sealed under its owner's name. */
const recoveryMaterial = () => ({
  /** Automatic: the key. */
  sealedRecoveryKey: text('sealed_recovery_key'),
  /** Password: what it is combined with. */
  recoverySecretId: text('recovery_secret_id').references((): AnyPgColumn => recoverySecrets.id),
  /** Salt of the password, or where in the person's own drive the secret is; JSON. */
  sealedRecoveryHints: text('sealed_recovery_hints'),
})

/** Facts about this installation: the fingerprint of the secrets that the rows below depend on. */
export const installation = pgTable('installation', {
  name: text('name').primaryKey(),
  value: text('value').notNull(),
})

export const users = pgTable(
  'users',
  {
    id: text('id').primaryKey(),
    appId: text('app_id').notNull(),
    createdAt: time('created_at').notNull(),
    acceptedTermsAt: time('accepted_terms_at'),
    isGuest: boolean('is_guest').notNull().default(false),
    customMetadata: jsonb('custom_metadata').$type<Record<string, string | number | boolean>>(),
  },
  (table) => [index('users_app').on(table.appId)],
)

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
    /** What else is known of it (domain/accounts.ts). */
    details: jsonb('details').$type<Record<string, unknown>>().notNull().default({}),
    verifiedAt: time('verified_at').notNull(),
    firstVerifiedAt: time('first_verified_at'),
    latestVerifiedAt: time('latest_verified_at'),
  },
  (table) => [
    uniqueIndex('accounts_subject').on(table.appId, table.type, table.subject),
    index('accounts_user').on(table.userId),
  ],
)

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

/**
 * The secrets from which embedded wallets come, each known by its wallet id. A whole secret is never here: the auth
 * share, and the recovery share in its package.
 */
export const walletRoots = pgTable(
  'wallet_roots',
  {
    id: text('id').primaryKey(),
    appId: text('app_id').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    secretKind: text('secret_kind').$type<'entropy' | 'key'>().notNull(),
    /** The wallet that it was made with. */
    chainType: text('chain_type').$type<'ethereum' | 'solana'>().notNull(),
    address: text('address').notNull(),
    createdAt: time('created_at').notNull(),
    recoveryMethod: text('recovery_method').$type<RecoveryMethod>().notNull(),
    sealedRecoveryPackage: text('sealed_recovery_package').notNull(),
    ...recoveryMaterial(),
  },
  (table) => [
    uniqueIndex('wallet_roots_entropy').on(table.userId).where(sql`${table.secretKind} = 'entropy'`),
    index('wallet_roots_user').on(table.userId),
    uniqueIndex('wallet_roots_secret').on(table.recoverySecretId),
  ],
)

/** Embedded wallets: the addresses that come from a root. */
export const wallets = pgTable(
  'wallets',
  {
    id: text('id').primaryKey(),
    rootId: text('root_id')
      .notNull()
      .references(() => walletRoots.id, { onDelete: 'cascade' }),
    appId: text('app_id').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    accountId: bigint('account_id', { mode: 'number' })
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    chainType: text('chain_type').$type<'ethereum' | 'solana'>().notNull(),
    address: text('address').notNull(),
    walletIndex: integer('wallet_index').notNull(),
    imported: boolean('imported').notNull().default(false),
    delegated: boolean('delegated').notNull().default(false),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    uniqueIndex('wallets_index')
      .on(table.userId, table.chainType, table.walletIndex)
      .where(sql`not ${table.imported}`),
    uniqueIndex('wallets_account').on(table.accountId),
    index('wallets_root').on(table.rootId),
  ],
)

/** The auth share of each set of shares: one set for each place that holds the device share. */
export const walletSets = pgTable(
  'wallet_sets',
  {
    walletId: text('wallet_id')
      .notNull()
      .references(() => walletRoots.id, { onDelete: 'cascade' }),
    setId: text('set_id').notNull(),
    sealedAuthShare: text('sealed_auth_share').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.walletId, table.setId] })],
)

/** What a recovery password is combined with (security S4). It never leaves the server. */
export const recoverySecrets = pgTable(
  'recovery_secrets',
  {
    id: text('id').primaryKey(),
    appId: text('app_id').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    sealedSecret: text('sealed_secret').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [index('recovery_secrets_created').on(table.createdAt)],
)

/** Changes of the way of recovery: prepared, and then confirmed. Of a confirmed one only the fact is kept. */
export const recoveryChanges = pgTable(
  'recovery_changes',
  {
    walletId: text('wallet_id')
      .notNull()
      .references(() => walletRoots.id, { onDelete: 'cascade' }),
    id: text('id').notNull(),
    createdAt: time('created_at').notNull(),
    confirmedAt: time('confirmed_at'),
    packageHash: text('package_hash').notNull(),
    recoveryMethod: text('recovery_method').$type<RecoveryMethod>().notNull(),
    sealedRecoveryPackage: text('sealed_recovery_package'),
    ...recoveryMaterial(),
  },
  (table) => [
    primaryKey({ columns: [table.walletId, table.id] }),
    uniqueIndex('recovery_changes_secret').on(table.recoverySecretId),
    index('recovery_changes_created').on(table.createdAt),
  ],
)

/** Tries of a recovery password that nobody has followed up with the wallet's own key (security T27). */
export const recoveryTries = pgTable(
  'recovery_tries',
  {
    walletId: text('wallet_id')
      .primaryKey()
      .references(() => walletRoots.id, { onDelete: 'cascade' }),
    userId: text('user_id').notNull(),
    /** Those of the last hour. */
    hits: times('hits'),
    total: integer('total').notNull().default(0),
    lockedUntil: time('locked_until'),
  },
  (table) => [index('recovery_tries_user').on(table.userId)],
)

/** Who was given which share, and when. */
export const shareReleases = pgTable(
  'share_releases',
  {
    id: text('id').primaryKey(),
    at: time('at').notNull(),
    appId: text('app_id').notNull(),
    userId: text('user_id').notNull(),
    /** `operator`: this server's own tool. */
    sessionId: text('session_id').notNull(),
    walletId: text('wallet_id').notNull(),
    /** By which it was asked for. */
    address: text('address').notNull(),
    setId: text('set_id'),
    what: text('what').$type<ReleaseKind>().notNull(),
  },
  (table) => [
    index('share_releases_wallet').on(table.walletId, table.at),
    index('share_releases_user').on(table.userId, table.at),
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
