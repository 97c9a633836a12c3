import { chmod, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type SQLWrapper, sql } from 'drizzle-orm'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { lockFolder } from './folder-lock.ts'

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
/** Any number, the same in every process: its holder may change the tables. */
const migrationLock = 7_265_431

/**
 * Opens the database and brings its tables up to date.
 * @param options.dataDir folder that holds the PGlite files; not used with a `databaseUrl`
 * @param options.databaseUrl a PostgreSQL 15 or later, that several processes may share
 * @throws Error when another process has the folder open, or the server does not answer
 */
export async function openDatabase(options: {
  dataDir: string
  databaseUrl?: string | undefined
}): Promise<OpenDatabase> {
  return options.databaseUrl ? openServer(options.databaseUrl) : openFolder(join(options.dataDir, 'database'))
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

async function openServer(connectionString: string): Promise<OpenDatabase> {
  const [{ default: pg }, { drizzle }, { migrate }] = await Promise.all([
    import('pg'),
    import('drizzle-orm/node-postgres'),
    import('drizzle-orm/node-postgres/migrator'),
  ])
  const pool = new pg.Pool({ connectionString, max: 20, connectionTimeoutMillis: 10_000 })
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {})
  try {
    const connection = await pool.connect()
    try {
      const single = drizzle(connection)
      await single.execute(sql`select pg_advisory_lock(${migrationLock})`)
      await migrate(single, { migrationsFolder })
      await single.execute(sql`select pg_advisory_unlock(${migrationLock})`)
    } catch (cause) {
      connection.release(true)
      throw cause
    }
    connection.release()
  } catch (cause) {
    await pool.end()
    throw new Error(`The database at ${withoutPassword(connectionString)} could not be opened`, { cause })
  }
  return { database: drizzle(pool), close: () => pool.end() }
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

function failedWith(error: unknown, codes: readonly unknown[]): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('code' in at && codes.includes(at.code)) return true
  }
  return false
}
