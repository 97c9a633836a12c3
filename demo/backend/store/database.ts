import { chmod, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SQLWrapper } from 'drizzle-orm'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import type { Pool } from 'pg'
import { type DatabaseSettings, defaultDatabaseSettings } from '../settings/database.ts'
import { failedWith, isConnectionLost } from './failures.ts'
import { lockFolder } from './folder-lock.ts'
import { createOutageLog } from './outage-log.ts'

/** Queries, on either kind of database. */
export type Database = PgDatabase<PgQueryResultHKT>
/** Queries inside one transaction. Inside its callback never use the database itself: PGlite would wait for ever. */
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0]
/** Either of the two. */
export type Queries = Database | Transaction

/** An insertion that is made by another statement, and costs no round trip of its own: for its `with()`. */
export const inserted = (db: Queries, name: string, insertion: SQLWrapper) =>
  db.$with(name, {}).as(insertion.getSQL())

export interface OpenDatabase {
  database: Database
  close(): Promise<void>
}

const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))

/**
 * Opens the database and brings its tables up to date.
 * @param options.dataDir folder that holds the PGlite files; not used with a `databaseUrl`
 * @param options.databaseUrl a PostgreSQL 15 or later, that several processes may share
 * @param options.log called with one line when the server stops answering, and one when it answers again
 * @throws Error when another process has the folder open, or the server does not answer
 */
export async function openDatabase(options: {
  dataDir: string
  databaseUrl?: string | undefined
  databaseSettings?: Partial<DatabaseSettings> | undefined
  log?: ((line: string) => void) | undefined
}): Promise<OpenDatabase> {
  const { dataDir, databaseUrl, databaseSettings, log = () => {} } = options
  if (!databaseUrl) return openFolder(join(dataDir, 'database'))
  return openServer(databaseUrl, { ...defaultDatabaseSettings, ...databaseSettings }, log)
}

async function openFolder(folder: string): Promise<OpenDatabase> {
  const [{ PGlite }, { drizzle }, { migrate }] = await Promise.all([
    import('@electric-sql/pglite'),
    import('drizzle-orm/pglite'),
    import('drizzle-orm/pglite/migrator'),
  ])
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const unlock = await lockFolder(folder)
  try {
    const client = await PGlite.create(folder)
    const database = drizzle(client)
    await migrate(database, { migrationsFolder })
    await restrictToOwner(folder)
    return {
      database,
      async close() {
        await client.close()
        await unlock()
      },
    }
  } catch (cause) {
    await unlock()
    throw cause
  }
}

/** PGlite unpacks its first files as readable and writable by every user of the machine. */
async function restrictToOwner(folder: string): Promise<void> {
  await chmod(folder, 0o700)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    await (entry.isDirectory() ? restrictToOwner(path) : chmod(path, 0o600))
  }
}

async function openServer(
  connectionString: string,
  settings: DatabaseSettings,
  log: (line: string) => void,
): Promise<OpenDatabase> {
  const [{ drizzle }, { ConnectionPool, Unrepeatable }, { migrateServer }] = await Promise.all([
    import('drizzle-orm/node-postgres'),
    import('./connection-pool.ts'),
    import('./migrate.ts'),
  ])
  try {
    await migrateServer(connectionString, { ...settings, migrationsFolder, log })
  } catch (cause) {
    throw new Error(`The database at ${withoutPassword(connectionString)} could not be opened`, { cause })
  }
  const pool = new ConnectionPool(connectionString, settings, createOutageLog(log))
  const database: Database = drizzle(pool as unknown as Pool)
  const transact = database.transaction.bind(database)
  database.transaction = (work, config) =>
    pool.retry(async () => {
      let failure: unknown
      let isDone = false
      try {
        return await transact(async (tx) => {
          try {
            const result = await work(tx)
            isDone = true
            return result
          } catch (cause) {
            failure = cause
            throw cause
          }
        }, config)
      } catch (cause) {
        // On a lost connection the rollback fails too, and its error hides the work's own.
        const error = failure ?? cause
        // From the commit on, a lost connection tells nothing of what has become of the transaction.
        throw isDone && isConnectionLost(error) ? new Unrepeatable(error) : error
      }
    })
  return { database, close: () => pool.end() }
}

function withoutPassword(url: string): string {
  try {
    const { hostname, port, pathname } = new URL(url)
    return `${hostname}${port && `:${port}`}${pathname}`
  } catch {
    return 'DATABASE_URL'
  }
}

/** Whether a query failed because a row with the same unique value is there already. */
export const isUniqueViolation = (error: unknown): boolean => failedWith(error, ['23505'])

/** Whether a query failed because a row that it depends on is not there any more. */
export const isMissingRow = (error: unknown): boolean => failedWith(error, ['23503'])

/** Whether a query failed because a text in it has a character that the database does not take. */
export const isUnstorableText = (error: unknown): boolean => failedWith(error, ['22021', '22P02', '22P05'])
