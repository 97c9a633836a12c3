import { index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { devices } from '../devices/tables.ts'
import { time } from '../store/columns.ts'
import { users } from '../users/tables.ts'

/** Every session that was opened, until its last end is over. */
export const sessions = pgTable(
  'sessions',
  {
    id: text('id').primaryKey(),
    appId: text('app_id').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: time('created_at').notNull(),
    /** When the person logged in, where that was in the session that this one came of. */
    authenticatedAt: time('authenticated_at'),
    /** By what the person may recognise the browser: as it was when the session was used last; empty where nobody knows. */
    name: text('name').notNull().default(''),
    place: text('place').notNull().default(''),
    lastUsedAt: time('last_used_at'),
    /** The session that this one was forked from, and ends with. */
    originId: text('origin_id'),
    /** The last device that has proved itself with this session. */
    deviceId: text('device_id').references(() => devices.id, { onDelete: 'set null' }),
    /** The end that no refresh moves. */
    endsAt: time('ends_at').notNull(),
    revokedAt: time('revoked_at'),
    revokedBecause: text('revoked_because').$type<'logout' | 'reuse' | 'ended'>(),
  },
  (table) => [
    index('sessions_user').on(table.userId),
    index('sessions_ends').on(table.endsAt),
    index('sessions_origin').on(table.originId),
    index('sessions_device').on(table.deviceId),
  ],
)

/**
 * Every refresh token that was handed out, by its hash; the rotated ones stay, to notice their reuse. No index has `rotated_at`, so
 * that a rotation is a heap-only update.
 */
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
    index('refresh_tokens_session').on(table.sessionId, table.issuedAt),
    index('refresh_tokens_expires').on(table.expiresAt),
  ],
)

/** Single-use tokens that open a second session of the same user elsewhere. */
export const forkTokens = pgTable(
  'fork_tokens',
  {
    hash: text('hash').primaryKey(),
    appId: text('app_id').notNull(),
    sessionId: text('session_id')
      .notNull()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    expiresAt: time('expires_at').notNull(),
    usedAt: time('used_at'),
  },
  (table) => [
    index('fork_tokens_session').on(table.sessionId),
    index('fork_tokens_expires').on(table.expiresAt),
  ],
)

/** The keys that sign the tokens of each app; the newest one signs now. */
export const appKeys = pgTable(
  'app_keys',
  {
    /** RFC 7638. */
    kid: text('kid').primaryKey(),
    appId: text('app_id').notNull(),
    /** PEM (PKCS #8), sealed. */
    sealedKey: text('sealed_key').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [index('app_keys_app').on(table.appId, table.createdAt)],
)

/**
 * Apps that users have let in with their account here, until they disconnect them. The tokens of such an app name the row, and are good
 * only as long as it is here.
 */
export const connectedApps = pgTable(
  'connected_apps',
  {
    id: text('id').primaryKey(),
    appId: text('app_id').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The app that was let in. */
    requester: text('requester').notNull(),
    connectedAt: time('connected_at').notNull(),
    lastUsedAt: time('last_used_at').notNull(),
    /** When the last of its tokens expires; `null` before the first. */
    tokensUntil: time('tokens_until'),
  },
  (table) => [
    uniqueIndex('connected_apps_user').on(table.userId, table.requester),
    index('connected_apps_used').on(table.lastUsedAt),
  ],
)
