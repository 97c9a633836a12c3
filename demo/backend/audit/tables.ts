import { bigint, index, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { time } from '../store/columns.ts'

/** What somebody did. */
export type AuditAction =
  | 'login'
  | 'account-linked'
  | 'account-unlinked'
  | 'account-updated'
  | 'account-transferred'
  | 'account-attached'
  | 'login-granted'
  | 'cross-app-request'
  | 'cross-app-disconnected'
  | 'passkey-renamed'
  | 'factor-added'
  | 'factor-removed'
  | 'recovery-codes-made'
  | 'recovery-code-used'
  | 'device-enrolled'
  | 'device-removed'
  | 'vault-passkey-added'
  | 'vault-passkey-removed'
  | 'export'
  | 'recovery-changed'
  | 'logout'
  | 'session-ended'
  | 'sessions-ended'
  | 'user-created'
  | 'user-removed'
  | 'user-restored'
  | 'user-frozen'
  | 'user-unfrozen'
  | 'tries-forgotten'
  | 'metadata-set'
  | 'purchase-completed'
  | 'permission-given'
  | 'permission-ended'
  | 'admin-read'
  | 'operator-export'
  | 'signing-key-renewed'
  | 'sealing-key-changed'

/**
 * What happened to people's accounts, and by whom. It outlives the people themselves, so it names them without
 * depending on their rows, and holds nothing secret.
 */
export const audit = pgTable(
  'audit',
  {
    /** Counts up: the order in which things happened. */
    id: bigint('id', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    at: time('at').notNull(),
    appId: text('app_id').notNull(),
    actorType: text('actor_type').$type<'user' | 'admin' | 'operator' | 'system'>().notNull(),
    /** The person's id, or the name of the admin key or the tool; empty for this server itself. */
    actor: text('actor').notNull(),
    action: text('action').$type<AuditAction>().notNull(),
    /** Whom it is about; none for a call that is about nobody in particular. */
    userId: text('user_id'),
    place: text('place').notNull(),
    details: jsonb('details').$type<Record<string, unknown>>().notNull().default({}),
  },
  (table) => [
    primaryKey({ columns: [table.id, table.at] }),
    index('audit_app').on(table.appId, table.id),
    index('audit_user').on(table.userId, table.id),
    index('audit_at').on(table.at),
  ],
)
