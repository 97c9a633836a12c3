import { bigint, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import type { ProvedPurpose, ShownFactor } from '../sessions/second-factor.ts'
import { sessions } from '../sessions/tables.ts'
import { time } from '../store/columns.ts'
import { accounts, users } from '../users/tables.ts'

const owner = () =>
  text('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })

/** The authenticator app and the number of each person; those without `verifiedAt` are being set up. */
export const mfaFactors = pgTable(
  'mfa_factors',
  {
    userId: owner(),
    type: text('type').$type<'sms' | 'totp'>().notNull(),
    /** Base32, sealed. */
    sealedSecret: text('sealed_secret'),
    /** E.164. */
    phone: text('phone'),
    /** The latest step of time whose code was used: no code is good twice. */
    lastStep: integer('last_step'),
    createdAt: time('created_at').notNull(),
    verifiedAt: time('verified_at'),
  },
  (table) => [primaryKey({ columns: [table.userId, table.type] })],
)

/** The passkeys that are second factors. */
export const mfaPasskeys = pgTable('mfa_passkeys', {
  accountId: bigint('account_id', { mode: 'number' })
    .primaryKey()
    .references(() => accounts.id, { onDelete: 'cascade' }),
  verifiedAt: time('verified_at').notNull(),
})

/** Proofs of a second factor, each for one session on one browser. */
export const mfaTokens = pgTable(
  'mfa_tokens',
  {
    hash: text('hash').primaryKey(),
    userId: owner(),
    sessionId: text('session_id')
      .notNull()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    /** The key of the browser (RFC 7638), which need not be enrolled yet. */
    thumbprint: text('thumbprint').notNull(),
    /** What was shown. */
    factor: text('factor').$type<ShownFactor>().notNull(),
    purpose: text('purpose').$type<ProvedPurpose>().notNull(),
    at: time('at').notNull(),
  },
  (table) => [
    index('mfa_tokens_at').on(table.at),
    index('mfa_tokens_user').on(table.userId),
    index('mfa_tokens_session').on(table.sessionId),
  ],
)

/** What stands in for a factor that was lost; each is good once. */
export const mfaRecoveryCodes = pgTable(
  'mfa_recovery_codes',
  {
    userId: owner(),
    hash: text('hash').notNull(),
    usedAt: time('used_at'),
    createdAt: time('created_at').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.userId, table.hash] })],
)
