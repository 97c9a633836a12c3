import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  boolean,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { devices } from '../devices/tables.ts'
import type { RecoveryMethod } from '../settings/names.ts'
import { time, times } from '../store/columns.ts'
import { accounts, users } from '../users/tables.ts'

/** What was given out; `recovery-hint` is where the person's own drive has the secret, or the salt of a password. */
export type ReleaseKind =
  | 'auth-share'
  | 'recovery-package'
  | 'recovery-key'
  | 'recovery-hint'
  | 'recovery-evaluation'
  | 'export'
  | 'recovery-change'
  | 'recovery-file'
  | 'device-enrolled'
  | 'device-removed'

/** What a recovery method needs in addition to the package, by method; sealed under its owner's name. */
const recoveryMaterial = () => ({
  /** Automatic: the key. */
  sealedRecoveryKey: text('sealed_recovery_key'),
  /** Password: what it is combined with. */
  recoverySecretId: text('recovery_secret_id').references((): AnyPgColumn => recoverySecrets.id),
  /** Salt of the password, or where in the person's own drive the secret is; JSON. */
  sealedRecoveryHints: text('sealed_recovery_hints'),
})

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
    index('wallets_user').on(table.userId),
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
    /** The device that made it and gets it; a set without one is given to nobody. */
    deviceId: text('device_id').references(() => devices.id, { onDelete: 'cascade' }),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.walletId, table.setId] }),
    index('wallet_sets_device').on(table.deviceId),
  ],
)

/** What a recovery password is combined with. It never leaves the server, so that nobody can try passwords without it. */
export const recoverySecrets = pgTable(
  'recovery_secrets',
  {
    id: text('id').primaryKey(),
    appId: text('app_id').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    sealedSecret: text('sealed_secret').notNull(),
    /** What a right password makes of it, for nothing but to tell that it is right; none for an older one. */
    verifier: text('verifier'),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    index('recovery_secrets_created').on(table.createdAt),
    index('recovery_secrets_user').on(table.userId),
  ],
)

/** Changes of the recovery method: prepared, and then confirmed. Of a confirmed one only the fact is kept. */
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

/** Tries of a recovery password from anywhere but an enrolled device, unless the wallet's own key came afterwards. */
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

/** The same of each device, and of each login on a browser that is not enrolled. */
export const recoverySourceTries = pgTable(
  'recovery_source_tries',
  {
    walletId: text('wallet_id')
      .notNull()
      .references(() => walletRoots.id, { onDelete: 'cascade' }),
    source: text('source').notNull(),
    userId: text('user_id').notNull(),
    hits: times('hits'),
    total: integer('total').notNull().default(0),
    lockedUntil: time('locked_until'),
  },
  (table) => [
    primaryKey({ columns: [table.walletId, table.source] }),
    index('recovery_source_tries_user').on(table.userId, table.source),
  ],
)

/** On which devices somebody has shown how a wallet is recovered, and when. */
export const recoveryPresent = pgTable(
  'recovery_present',
  {
    walletId: text('wallet_id')
      .notNull()
      .references(() => walletRoots.id, { onDelete: 'cascade' }),
    deviceId: text('device_id')
      .notNull()
      .references(() => devices.id, { onDelete: 'cascade' }),
    at: time('at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.walletId, table.deviceId] }),
    index('recovery_present_at').on(table.at),
    index('recovery_present_device').on(table.deviceId),
  ],
)

/** Transfers that the vault's frame has approved, for as long as they count against a limit. */
export const frameSpendings = pgTable(
  'frame_spendings',
  {
    appId: text('app_id').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** CAIP-2. */
    chain: text('chain').notNull(),
    /** A token's contract in lower case, or `native`. */
    asset: text('asset').notNull(),
    /** SHA-256 of what is signed, in hex: the same transaction counts once. */
    transaction: text('transaction').notNull(),
    /** In the smallest units, in decimal digits. */
    amount: text('amount').notNull(),
    at: time('at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.chain, table.transaction, table.asset] }),
    index('frame_spendings_at').on(table.at),
  ],
)

/** Who was given which share, and when; and what else a person should know of the use of their wallets. */
export const shareReleases = pgTable(
  'share_releases',
  {
    id: text('id').primaryKey(),
    at: time('at').notNull(),
    appId: text('app_id').notNull(),
    userId: text('user_id').notNull(),
    /** `operator`: this server's own tool. */
    sessionId: text('session_id').notNull(),
    /** None for what is about a device. */
    walletId: text('wallet_id'),
    /** By which it was asked for. */
    address: text('address'),
    setId: text('set_id'),
    what: text('what').$type<ReleaseKind>().notNull(),
  },
  (table) => [
    index('share_releases_wallet').on(table.walletId, table.at),
    index('share_releases_user').on(table.userId, table.at),
    index('share_releases_at').on(table.at),
  ],
)
