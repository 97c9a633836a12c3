import { asc, lt, type SQL, sql } from 'drizzle-orm'
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core'
import type { Database } from './database.ts'

/** Few enough that a statement, cascades included, holds its locks for milliseconds. */
const BATCH = 500

/**
 * For the planner, a batch is so much of a table with some ten thousand rows that it would read all of it for each one: here it looks
 * every row up by its key.
 */
const lookUpRows = sql.join(
  ['seqscan', 'hashjoin', 'mergejoin'].map((way) => sql.raw(`set_config('enable_${way}', 'off', true)`)),
  sql` || `,
)

/**
 * Deletes the rows whose time is earlier, the oldest first, in statements of their own: nobody waits for the whole. Rows
 * that somebody else has locked are left for the next sweep.
 * @param column an indexed column of Unix milliseconds
 */
export async function deleteInBatches(
  database: Database,
  column: PgColumn,
  before: number,
  condition?: SQL,
): Promise<void> {
  const table = column.table as PgTable
  const { columns, primaryKeys } = getTableConfig(table)
  const key = primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary)
  const names = sql.join(
    key.map(({ name }) => sql.identifier(name)),
    sql`, `,
  )
  for (;;) {
    const overdue = sql`
      select ${names} from ${table}
      where ${lt(column, before)} ${condition && sql`and ${condition}`}
      order by ${asc(column)} limit ${BATCH} for update skip locked`
    const deleted = await database.transaction(async (tx) => {
      await tx.select({ off: lookUpRows }).from(sql`(select 1) as one`)
      return tx.delete(table).where(sql`(${names}) in (${overdue})`).returning({ one: sql`1` })
    })
    if (deleted.length < BATCH) return
  }
}
