import { index, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { time } from '../store/columns.ts'

/** What clients report about their use; nothing in it says who somebody is. */
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
  (table) => [
    index('analytics_events_app').on(table.appId, table.at),
    index('analytics_events_at').on(table.at),
  ],
)
