import { type SQL, sql } from 'drizzle-orm'
import { getTableConfig, type PgColumn } from 'drizzle-orm/pg-core'
import type { Database, Queries } from './database.ts'
import { deleteInBatches } from './delete-in-batches.ts'

// A table that is partitioned by the months (UTC) of a column of Unix milliseconds. `<table>_before` has all rows of the time before there
// were partitions, `<table>_<year>_<month>` those of a month, and `<table>_other`, the default partition, those whose month was not
// made ahead, so that none is ever refused.

/** Months that are made ahead, the present one included: a row finds its own even where nothing was swept for weeks. */
const MONTHS = 3
/** Making and dropping a partition stops those who write to the table: rather not today than for long. */
const LOCK_TIMEOUT = '1s'

interface Partition {
  name: string
  /** Unix milliseconds; none for the default partition. */
  end: number | undefined
}

/** Makes the partitions of the next months. */
export async function addMonths(database: Database, column: PgColumn, now: number): Promise<void> {
  const { name: table } = getTableConfig(column.table)
  const partitions = await partitionsOf(database, table)
  const present = new Date(now)
  for (let ahead = 0; ahead < MONTHS; ahead++) {
    const start = new Date(Date.UTC(present.getUTCFullYear(), present.getUTCMonth() + ahead))
    const end = Date.UTC(present.getUTCFullYear(), present.getUTCMonth() + ahead + 1)
    const name = `${table}_${start.toISOString().slice(0, 7).replace('-', '_')}`
    const covered = partitions.find((each) => each.name === `${table}_before`)?.end ?? 0
    if (partitions.some((each) => each.name === name) || covered >= end) continue
    await attach(database, { table, column, name, start: Math.max(start.getTime(), covered), end })
  }
}

/** Drops the partitions all of whose rows are earlier, and deletes such rows of those that have no end of their own. */
export async function dropMonths(database: Database, column: PgColumn, before: number): Promise<void> {
  const { name: table } = getTableConfig(column.table)
  const partitions = await partitionsOf(database, table)
  for (const { name, end } of partitions)
    if (end !== undefined && end <= before)
      await quickly(database, (tx) => tx.execute(sql`drop table ${sql.identifier(name)}`))
  const unending = [`${table}_before`, `${table}_other`].map((name) => sql`${name}`)
  await deleteInBatches(
    database,
    column,
    before,
    sql`${column.table}.tableoid in (
      select oid from pg_class where relname in (${sql.join(unending, sql`, `)}) and relnamespace = 'public'::regnamespace
    )`,
  )
}

async function attach(
  database: Database,
  month: { table: string; column: PgColumn; name: string; start: number; end: number },
): Promise<void> {
  const { column, start, end } = month
  const [table, own, other] = [month.table, month.name, `${month.table}_other`].map((name) =>
    sql.identifier(name),
  )
  const at = sql.identifier(column.name)
  await quickly(database, async (tx) => {
    await tx.execute(sql`create table ${own} (like ${table} including defaults)`)
    await tx.execute(sql`lock table ${other} in access exclusive mode`)
    await tx.execute(sql`
      with moved as (delete from ${other} where ${at} >= ${start} and ${at} < ${end} returning *)
      insert into ${own} select * from moved`)
    await tx.execute(
      sql`alter table ${table} attach partition ${own} for values from (${number(start)}) to (${number(end)})`,
    )
  })
}

/** Statements that change tables take no parameters. */
const number = (value: number): SQL => sql.raw(String(Math.floor(value)))

async function quickly(database: Database, work: (tx: Queries) => Promise<unknown>): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.execute(sql.raw(`set local lock_timeout = '${LOCK_TIMEOUT}'`))
    await work(tx)
  })
}

async function partitionsOf(database: Database, table: string): Promise<Partition[]> {
  const rows = await database
    .select({
      name: sql<string>`c.relname`,
      bound: sql<string>`pg_get_expr(c.relpartbound, c.oid)`,
    })
    .from(sql`pg_inherits i join pg_class c on c.oid = i.inhrelid`)
    .where(sql`i.inhparent = to_regclass(${`public.${table}`})`)
  return rows.map(({ name, bound }) => {
    const end = /TO \('(\d+)'\)$/.exec(bound)?.[1]
    return { name, end: end === undefined ? undefined : Number(end) }
  })
}
