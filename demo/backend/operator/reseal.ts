import { and, asc, eq, getTableColumns, getTableName, isNotNull, type SQL, sql } from 'drizzle-orm'
import { seal, unseal } from '../secrets/sealing.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { Database } from '../store/database.ts'
import type { SealedColumn } from '../store/stored.ts'

const BATCH = 200

export interface Resealed {
  /** Values that were sealed again. */
  done: number
  /** Where values are that none of the keys opens; they were left as they are. */
  unreadable: string[]
}

/**
 * Seals every value that is under another key again, under the first of the keys. If it is interrupted, it continues where it
 * was; a value that somebody else changes meanwhile is not touched.
 * @param onBatch called after each batch with the number of values that were sealed again so far
 */
export async function reseal(
  columns: readonly SealedColumn[],
  database: Database,
  secrets: Secrets,
  onBatch: (done: number) => void = () => {},
): Promise<Resealed> {
  const result: Resealed = { done: 0, unreadable: [] }
  for (const column of columns) await resealColumn(database, secrets, column, result, onBatch)
  return result
}

/** How many values are sealed under another key than the first one. */
export async function countOld(
  columns: readonly SealedColumn[],
  database: Database,
  secrets: Secrets,
): Promise<number> {
  const counts = []
  for (const { table, column } of columns)
    counts.push(await database.$count(table, underOther(column, secrets)))
  return counts.reduce((sum, count) => sum + count, 0)
}

function underOther(column: SealedColumn['column'], { sealingKeys: [first] }: Secrets): SQL | undefined {
  return and(isNotNull(column), sql`split_part(${column}, '.', 1) <> ${first?.id ?? ''}`)
}

async function resealColumn(
  database: Database,
  secrets: Secrets,
  { table, field, column, key, sealedName }: SealedColumn,
  result: Resealed,
  onBatch: (done: number) => void,
): Promise<void> {
  const fields = Object.entries(getTableColumns(table))
  const keyFields = fields.filter(([, each]) => key.includes(each))
  const selection = Object.fromEntries([...keyFields, [field, column]])
  // Those that cannot be opened stay in front, for the order is that of the key.
  for (let skipped = 0; ; ) {
    const rows = (await database
      .select(selection)
      .from(table)
      .where(underOther(column, secrets))
      .orderBy(...key.map((each) => asc(each)))
      .limit(BATCH)
      .offset(skipped)) as Record<string, string>[]
    if (rows.length === 0) return
    for (const row of rows) {
      const old = row[field] ?? ''
      let text: string
      try {
        text = unseal(secrets, sealedName(row), old)
      } catch {
        skipped++
        result.unreadable.push(
          `${getTableName(table)}.${column.name} of ${keyFields.map(([name]) => row[name]).join(' ')}`,
        )
        continue
      }
      const updated = await database
        .update(table)
        .set({ [field]: seal(secrets, sealedName(row), text) })
        .where(and(...keyFields.map(([name, each]) => eq(each, row[name])), eq(column, old)))
        .returning({ is: column })
      result.done += updated.length
    }
    onBatch(result.done)
  }
}
