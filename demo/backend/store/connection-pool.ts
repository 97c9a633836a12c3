import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { DatabaseSettings } from '../settings/database.ts'
import { asOutage, DatabaseUnavailable, isConflict, isConnectionLost, isUnavailable } from './failures.ts'
import type { OutageLog } from './outage-log.ts'

/** A query as drizzle-orm hands it to a driver. */
type Statement = pg.QueryConfig & { rowMode?: 'array' }
type Values = unknown[]

/** A connection that is taken for one transaction. */
export interface PooledConnection {
  query(statement: Statement, values?: Values): Promise<pg.QueryResult>
  release(): void
}

/** Attempts after the first one, and for how long new ones begin: a client waits for all of them together. */
const RETRIES = 5
const RETRY_FOR = 3_000

/**
 * Connections to PostgreSQL that outages do not break: a lost one is replaced, and nothing waits for ever.
 *
 * drizzle-orm takes a connection for each transaction from an object whose class has `Pool` in its name.
 */
export class ConnectionPool {
  readonly #pool: pg.Pool
  readonly #settings: DatabaseSettings
  readonly #outages: OutageLog
  readonly #begin: string
  /** Raised by every timeout: idle connections from before are as dead as the one that was noticed. */
  #generation = 0
  readonly #generations = new WeakMap<pg.PoolClient, number>()
  /** Whether statements on a connection have their names. */
  readonly #named = new WeakMap<pg.PoolClient, boolean>()

  constructor(connectionString: string, settings: DatabaseSettings, outages: OutageLog) {
    this.#settings = settings
    this.#outages = outages
    this.#begin = beginWith(settings)
    this.#pool = new pg.Pool({
      connectionString,
      max: settings.poolSize,
      connectionTimeoutMillis: settings.connectTimeout,
      query_timeout: settings.queryTimeout,
      keepAlive: settings.keepAlive > 0,
      keepAliveInitialDelayMillis: settings.keepAlive,
    })
    // Without a listener, an error of an idle connection ends the process; the pool replaces the connection.
    this.#pool.on('error', () => {})
    this.#pool.on('connect', (client) => {
      // The pool itself listens only while a connection is idle. A query under way rejects with the same error.
      client.on('error', () => {})
      this.#generations.set(client, this.#generation)
    })
  }

  /** @throws DatabaseUnavailable */
  async connect(): Promise<PooledConnection> {
    for (;;) {
      const client = await this.#pool.connect().catch((cause: unknown) => {
        throw asOutage(cause)
      })
      if (this.#generations.get(client) === this.#generation)
        return this.#wrap(client, await this.#canNameStatements(client))
      client.release(true)
    }
  }

  async #canNameStatements(client: pg.PoolClient): Promise<boolean> {
    const { namedStatements } = this.#settings
    if (namedStatements !== 'direct') return namedStatements
    const known = this.#named.get(client)
    if (known !== undefined) return known
    const isDirect = await isDirectConnection(client).catch((cause: unknown) => {
      client.release(true)
      throw asOutage(cause)
    })
    this.#named.set(client, isDirect)
    return isDirect
  }

  /** One statement, on any connection. */
  async query(statement: Statement, values?: Values): Promise<pg.QueryResult> {
    // A read can be repeated when nobody knows how far it came.
    const isRead = /^select\b/i.test(statement.text)
    return this.retry(async () => {
      const connection = await this.connect()
      try {
        return await connection.query(statement, values)
      } catch (cause) {
        if (isConnectionLost(cause) && !isRead) throw new Unrepeatable(cause)
        throw cause
      } finally {
        connection.release()
      }
    })
  }

  /**
   * Does work again that the database has rolled back because of other work (40001, 40P01), and work whose connection was
   * lost before it could have had an effect. @throws Unrepeatable's cause for any other
   */
  async retry<T>(work: () => Promise<T>): Promise<T> {
    const began = performance.now()
    for (let retries = 0; ; retries++) {
      try {
        return await work()
      } catch (error) {
        const cause = error instanceof Unrepeatable ? error.cause : error
        const canRepeat = error === cause && (isConflict(cause) || isConnectionLost(cause))
        if (!canRepeat || retries >= RETRIES || performance.now() - began > RETRY_FOR) {
          if (isUnavailable(cause)) this.#outages.failed(cause)
          throw cause
        }
        // Those that have met each other must not meet again at the same moment.
        await sleep(Math.random() * 20 * 2 ** retries)
      }
    }
  }

  /** Ends every connection. What is still under way after `patience` milliseconds is cut off. */
  async end(patience = 2_000): Promise<void> {
    const timer = new AbortController()
    await Promise.race([
      this.#pool.end().finally(() => timer.abort()),
      sleep(patience, undefined, { ref: false, signal: timer.signal }).catch(() => {}),
    ])
  }

  #wrap(client: pg.PoolClient, isNamed: boolean): PooledConnection {
    let broken: unknown
    return {
      query: async (statement, values) => {
        // A rollback on a broken connection would wait for as long once more.
        if (broken !== undefined) throw broken
        try {
          const result = await client.query(this.#prepare(statement, isNamed), values)
          this.#outages.answered()
          return result
        } catch (cause) {
          const error = asOutage(cause)
          if (error instanceof DatabaseUnavailable && error.kind === 'connection') {
            broken = error
            if (cause instanceof Error && cause.message === 'Query read timeout') this.#generation++
          }
          throw error
        }
      },
      release: () => client.release(broken !== undefined),
    }
  }

  #prepare(statement: Statement, isNamed: boolean): Statement {
    const { name, ...rest } = statement
    const text = rest.text === 'begin' ? this.#begin : rest.text
    return { ...rest, text, ...(isNamed && name !== undefined && { name }) }
  }
}

/**
 * Whether a connection ends at the back end itself, which alone keeps statements for it: the back end has the process id that the
 * connection began with, and sees it come from this end's port. A pooler has connections and ports of its own, and makes up an id.
 */
async function isDirectConnection(client: pg.PoolClient): Promise<boolean> {
  const { processID, connection } = client as unknown as {
    processID: number
    connection: { stream: Socket }
  }
  const { rows } = await client.query('select pg_backend_pid() as pid, inet_client_port() as port')
  return rows[0].pid === processID && rows[0].port === connection.stream.localPort
}

/** Work that may have had an effect, and failed. */
export class Unrepeatable extends Error {
  constructor(cause: unknown) {
    super('Not repeated', { cause })
  }
}

/** A pooler refuses settings of a session, or gives them to another one: the transaction itself brings them. */
function beginWith({ statementTimeout, idleTransactionTimeout }: DatabaseSettings): string {
  return [
    'begin',
    ...(statementTimeout > 0 ? [`set local statement_timeout = ${statementTimeout}`] : []),
    ...(idleTransactionTimeout > 0
      ? [`set local idle_in_transaction_session_timeout = ${idleTransactionTimeout}`]
      : []),
  ].join('; ')
}
