import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Limits } from '../settings/limits.ts'
import type { Database } from './database.ts'

/** A column that holds sealed values. */
export interface SealedColumn {
  table: PgTable
  /** The column's name in the schema. */
  field: string
  column: PgColumn
  /** The primary key. */
  key: readonly PgColumn[]
  /** The name under which the value of a row is sealed. @param row the fields of the key */
  sealedName(row: Record<string, string>): string
}

/** What a feature keeps in the database. */
export interface Stored {
  tables: readonly PgTable[]
  /** Every column of its tables whose values are sealed: a rotation of the sealing key goes through these. */
  sealedColumns?: readonly SealedColumn[]
  /** Removes what nobody can use any longer. @param now Unix milliseconds */
  sweep?: (database: Database, limits: Limits, now: number) => Promise<void>
}
