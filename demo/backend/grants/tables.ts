import { sql } from 'drizzle-orm'
import { bigint, index, jsonb, numeric, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { time } from '../store/columns.ts'
import { users } from '../users/tables.ts'
import { wallets } from '../wallets/tables.ts'
import type { GrantTerms } from './terms.ts'

/** `user`: by the user. `freeze`: with the account. `removed`: with the user. `expiry`: its time is over. */
export type GrantEnd = 'user' | 'freeze' | 'removed' | 'expiry'

/** Permissions that users have given to servers of apps. */
export const grants = pgTable(
  'grants',
  {
    id: text('id').primaryKey(),
    appId: text('app_id').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    walletId: text('wallet_id')
      .notNull()
      .references(() => wallets.id, { onDelete: 'cascade' }),
    /** The app's name for it. */
    permission: text('permission').notNull(),
    /** As the user has read them: a later change of the app's settings changes nothing here. */
    terms: jsonb('terms').$type<GrantTerms>().notNull(),
    /** Two halves of the wallet's key, neither of which says anything of it: encrypted to the server's key for grants … */
    encryptedShare: text('encrypted_share'),
    /** … whose id this is, … */
    keyId: text('key_id').notNull(),
    /** … and sealed at rest. Both are gone with the end of the grant. */
    sealedShare: text('sealed_share'),
    notBefore: time('not_before').notNull(),
    notAfter: time('not_after').notNull(),
    createdAt: time('created_at').notNull(),
    endedAt: time('ended_at'),
    endedBy: text('ended_by').$type<GrantEnd>(),
  },
  (table) => [
    uniqueIndex('grants_active').on(table.walletId).where(sql`${table.endedAt} is null`),
    index('grants_user').on(table.userId, table.createdAt),
    index('grants_wallet').on(table.walletId),
    index('grants_not_after').on(table.notAfter),
  ],
)

/**
 * `reserved`: counted, and not sent yet. `unknown`: whether the network has it isn't known. `refused`: its nodes have refused it, but
 * it is signed. `failed` and `dropped` are known to have moved nothing.
 */
export type UseStatus = 'reserved' | 'sent' | 'unknown' | 'refused' | 'confirmed' | 'failed' | 'dropped'

/** Every use of a grant. Rows are added and move on; none is removed before its grant. */
export const grantUses = pgTable(
  'grant_uses',
  {
    id: text('id').primaryKey(),
    grantId: text('grant_id')
      .notNull()
      .references(() => grants.id, { onDelete: 'cascade' }),
    walletId: text('wallet_id').notNull(),
    /** The signer's name for the use: the same request twice is one use. */
    key: text('key').notNull(),
    /** SHA-256 of what it asked for. */
    request: text('request').notNull(),
    /** CAIP-2. */
    chain: text('chain').notNull(),
    /** Recipient or contract. */
    target: text('target').notNull(),
    status: text('status').$type<UseStatus>().notNull(),
    /** Name of the transaction at its chain. */
    hash: text('hash'),
    /** The signed transaction, which is sent again as long as it isn't known what became of it. */
    raw: text('raw'),
    nonce: bigint('nonce', { mode: 'number' }),
    /** On Solana the block height after which it can no longer be included. */
    lastBlock: bigint('last_block', { mode: 'number' }),
    at: time('at').notNull(),
    checkedAt: time('checked_at').notNull(),
  },
  (table) => [
    uniqueIndex('grant_uses_key').on(table.grantId, table.key),
    index('grant_uses_at').on(table.grantId, table.at),
    index('grant_uses_wallet').on(table.walletId, table.chain, table.nonce),
    index('grant_uses_open')
      .on(table.checkedAt)
      .where(sql`${table.status} in ('reserved', 'sent', 'unknown', 'refused')`),
  ],
)

/** Amounts that uses have reserved, in smallest units. Those of a use that has failed are zero. */
export const grantAmounts = pgTable(
  'grant_amounts',
  {
    useId: text('use_id')
      .notNull()
      .references(() => grantUses.id, { onDelete: 'cascade' }),
    grantId: text('grant_id').notNull(),
    chain: text('chain').notNull(),
    asset: text('asset').notNull(),
    amount: numeric('amount', { precision: 78, scale: 0 }).notNull(),
    /** The part of it that the network takes, also for a transaction that fails. */
    fee: numeric('fee', { precision: 78, scale: 0 }).notNull(),
    at: time('at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.useId, table.asset] }),
    index('grant_amounts_asset').on(table.grantId, table.chain, table.asset, table.at),
  ],
)
