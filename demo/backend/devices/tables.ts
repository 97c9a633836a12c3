import { bigint, index, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { texts, time } from '../store/columns.ts'
import { users } from '../users/tables.ts'

/** What showed that a browser is the person's own. */
export type EnrolledBy =
  | 'login'
  | 'login-code'
  | 'code'
  | 'recovery'
  | 'mfa'
  | 'device'
  | 'passkey'
  | 'wallet'
  | 'provider'

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

/** Browsers that ask an enrolled device of the user to approve them. */
export const deviceRequests = pgTable(
  'device_requests',
  {
    id: text('id').primaryKey(),
    appId: text('app_id').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    sessionId: text('session_id').notNull(),
    /** The thumbprint of the key that is to be enrolled. */
    thumbprint: text('thumbprint').notNull(),
    name: text('name').notNull(),
    place: text('place').notNull(),
    /** Shown on the new browser, and chosen among `numbers` on the enrolled device. */
    number: text('number').notNull(),
    numbers: texts('numbers'),
    status: text('status').$type<'pending' | 'approved' | 'denied'>().notNull(),
    /** The device that approved it. */
    approvedBy: text('approved_by'),
    createdAt: time('created_at').notNull(),
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [
    index('device_requests_user').on(table.userId),
    index('device_requests_expires').on(table.expiresAt),
  ],
)

/** Passkeys that are made and used on the vault's own pages alone, and let in further devices of the user. */
export const vaultPasskeys = pgTable(
  'vault_passkeys',
  {
    /** The credential id, in base64url. */
    id: text('id').notNull(),
    appId: text('app_id').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    rpId: text('rp_id').notNull(),
    /** COSE key, base64url. */
    publicKey: text('public_key').notNull(),
    counter: bigint('counter', { mode: 'number' }).notNull(),
    transports: texts('transports'),
    /** The authenticator's name for the user: random, the same for all of one user. */
    userHandle: text('user_handle').notNull(),
    /** The browser on which it was made, for people to read. */
    name: text('name').notNull(),
    /** The device that registered it. */
    deviceId: text('device_id').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.appId, table.id] }),
    index('vault_passkeys_user').on(table.userId),
  ],
)

/** Proofs that were used: by a hash of the key and the proof's id, for as long as it would be good. */
export const usedProofs = pgTable(
  'used_proofs',
  { hash: text('hash').primaryKey(), expiresAt: time('expires_at').notNull() },
  (table) => [index('used_proofs_expires').on(table.expiresAt)],
)
