import { boolean, index, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { time } from '../store/columns.ts'
import { users } from '../users/tables.ts'
import type { FailureReason, PaymentMethod, Presentation, PurchaseStatus } from './provider.ts'

/** What users buy from providers of coins. */
export const purchases = pgTable(
  'purchases',
  {
    /** Also our name of it at the provider. */
    id: text('id').primaryKey(),
    appId: text('app_id').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The client's own name of its start; none of an unmodified client. */
    reference: text('reference'),
    provider: text('provider').notNull(),
    method: text('method').$type<PaymentMethod>().notNull(),
    isSandbox: boolean('is_sandbox').notNull(),
    status: text('status').$type<PurchaseStatus>().notNull(),
    failure: text('failure').$type<FailureReason>(),
    address: text('address').notNull(),
    /** CAIP-2. */
    chain: text('chain').notNull(),
    asset: text('asset').notNull(),
    symbol: text('symbol').notNull(),
    /** The provider's word for what is bought: what it says of anything else doesn't count. */
    product: text('product'),
    /** Digits in whole units. */
    amount: text('amount'),
    received: text('received'),
    currency: text('currency').notNull(),
    total: text('total'),
    fee: text('fee'),
    transactionHash: text('transaction_hash'),
    /** The provider's name for the order. */
    providerReference: text('provider_reference'),
    /** The provider's payment that the status is of, and when its record had changed. */
    transactionId: text('transaction_id'),
    observedAt: time('observed_at'),
    /** When the provider was asked last. */
    checkedAt: time('checked_at').notNull().default(0),
    presentation: jsonb('presentation').$type<Presentation>().notNull().default({}),
    /** Address at which it continues. */
    sealedOpening: text('sealed_opening'),
    termsAcceptedAt: time('terms_accepted_at'),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('purchases_reference').on(table.appId, table.userId, table.reference),
    index('purchases_user').on(table.userId, table.createdAt, table.id),
    index('purchases_updated').on(table.updatedAt),
  ],
)

/** Webhooks that were read, so that each counts once. */
export const rampEvents = pgTable(
  'ramp_events',
  {
    appId: text('app_id').notNull(),
    provider: text('provider').notNull(),
    /** Time in the body: a provider signs a repetition with the original time. */
    hash: text('hash').notNull(),
    at: time('at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.appId, table.provider, table.hash] }),
    index('ramp_events_at').on(table.at),
  ],
)

/** A transfer that the bridge was to make, as the page that started it describes it. */
export interface BridgeRecord {
  /** The page's own name of it. */
  id: string
  address: string
  /** CAIP-2. */
  chain: string
  token?: string | undefined
  receives: BridgeFigure
  wallet: { id: string; name: string; address: string; chain_type: 'ethereum' | 'solana' }
  from: string
  network: string
  pays: BridgeFigure
  /** Time that the bridge has said. */
  seconds?: number | undefined
  hash?: string | undefined
}
interface BridgeFigure {
  symbol: string
  decimals: number
  /** In smallest units. */
  amount: string
}

/** Bridges that users have started. What has become of one the bridge itself is asked. */
export const bridges = pgTable(
  'bridges',
  {
    appId: text('app_id').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    requestId: text('request_id').notNull(),
    record: jsonb('record').$type<BridgeRecord>().notNull(),
    status: text('status').$type<'open' | 'success' | 'refund' | 'failure'>().notNull(),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.appId, table.requestId] }),
    index('bridges_created').on(table.createdAt),
  ],
)
