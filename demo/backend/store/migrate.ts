import { readMigrationFiles } from 'drizzle-orm/migrator'
import pg from 'pg'

/** Any number, the same in every process: its holder may change the tables. */
const migrationLock = 7_265_431
/** So long one process waits for another one that changes the tables. */
const WAIT = '300s'
const table = 'drizzle.__drizzle_migrations'

/**
 * Brings the tables of a PostgreSQL up to date, in one transaction that holds the lock: it ends with the transaction, also behind a
 * pooler that gives each transaction another connection. A database that is up to date is neither locked nor changed.
 * @throws Error where another process has been changing the tables for too long
 */
export async function migrateServer(
  connectionString: string,
  options: { migrationsFolder: string; connectTimeout: number; log: (line: string) => void },
): Promise<void> {
  const { migrationsFolder, connectTimeout, log } = options
  const migrations = readMigrationFiles({ migrationsFolder })
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: connectTimeout,
    keepAlive: true,
  })
  client.on('error', () => {})
  const latest = async () => {
    const [found] = (await client.query(`select to_regclass('${table}') is not null as known`)).rows
    if (!found?.known) return 0
    const [last] = (await client.query(`select max(created_at) as at from ${table}`)).rows
    return Number(last?.at ?? 0)
  }
  await client.connect()
  try {
    if ((await latest()) >= Math.max(...migrations.map(({ folderMillis }) => folderMillis))) return
    await client.query(`begin; set local statement_timeout = 0; set local lock_timeout = '${WAIT}'`)
    const [free] = (await client.query(`select pg_try_advisory_xact_lock(${migrationLock}) as mine`)).rows
    if (!free?.mine) {
      log('Waiting for another process that changes the tables of the database')
      await client.query(`select pg_advisory_xact_lock(${migrationLock})`).catch((cause: unknown) => {
        throw new Error(`Another process has been changing the tables for ${WAIT}`, { cause })
      })
    }
    await client.query('create schema if not exists drizzle')
    await client.query(
      `create table if not exists ${table} (id serial primary key, hash text not null, created_at bigint)`,
    )
    const done = await latest()
    for (const { folderMillis, hash, sql } of migrations) {
      if (folderMillis <= done) continue
      for (const statement of sql) await client.query(statement)
      await client.query(`insert into ${table} (hash, created_at) values ($1, $2)`, [hash, folderMillis])
    }
    await client.query('commit')
  } finally {
    await client.end()
  }
}
