/** How a server uses its PostgreSQL. Times are milliseconds; 0 is no limit. */
export interface DatabaseSettings {
  /** Connections of one process. */
  poolSize: number
  /** Until a connection is there: a new one, or a free one of a pool that is busy. */
  connectTimeout: number
  /** Until a query is answered; its connection is given up then. The only limit that holds in a silent network. */
  queryTimeout: number
  /** Until the database itself cancels a statement of a transaction. Shorter than `queryTimeout`. */
  statementTimeout: number
  /** Until the database ends a transaction whose process has gone silent, and frees its locks. */
  idleTransactionTimeout: number
  /** Silence after which TCP asks whether the other side is still there. */
  keepAlive: number
  /**
   * Whether the hottest statements have names, so that the database plans each once per connection. Never behind a pooler that works by
   * transactions. `direct`: on connections that are shown to end at PostgreSQL itself.
   */
  namedStatements: boolean | 'direct'
}

const second = 1_000
/** A client stops waiting after 20 s: every limit ends before, so that it hears why. */
export const defaultDatabaseSettings: DatabaseSettings = {
  poolSize: 20,
  connectTimeout: 5 * second,
  queryTimeout: 10 * second,
  statementTimeout: 8 * second,
  idleTransactionTimeout: 10 * second,
  keepAlive: 10 * second,
  namedStatements: 'direct',
}

const numbers = {
  DATABASE_POOL_SIZE: { setting: 'poolSize', least: 1 },
  DATABASE_CONNECT_TIMEOUT: { setting: 'connectTimeout', least: 0 },
  DATABASE_QUERY_TIMEOUT: { setting: 'queryTimeout', least: 0 },
  DATABASE_STATEMENT_TIMEOUT: { setting: 'statementTimeout', least: 0 },
  DATABASE_IDLE_TRANSACTION_TIMEOUT: { setting: 'idleTransactionTimeout', least: 0 },
  DATABASE_KEEP_ALIVE: { setting: 'keepAlive', least: 0 },
} as const

/** Reads the variables that differ from {@link defaultDatabaseSettings}. @throws Error that names the one that is wrong */
export function readDatabaseSettings(env: NodeJS.ProcessEnv): Partial<DatabaseSettings> {
  const settings: Partial<DatabaseSettings> = {}
  for (const [name, { setting, least }] of Object.entries(numbers)) {
    const text = env[name]
    if (text === undefined || text === '') continue
    if (!/^\d{1,9}$/.test(text) || Number(text) < least)
      throw new Error(`${name} must be a whole number from ${least} on`)
    settings[setting] = Number(text)
  }
  const named = env.DATABASE_NAMED_STATEMENTS
  if (named && !['0', '1'].includes(named)) throw new Error('DATABASE_NAMED_STATEMENTS must be 0 or 1')
  if (named) settings.namedStatements = named === '1'
  return settings
}
