import { lt } from 'drizzle-orm'
import { oneTimeName } from './one-time.ts'
import type { Stored } from './stored.ts'
import { installation, oneTime, rates, tallies } from './tables.ts'

const hour = 3_600_000

/** The tables that all features share. */
export const shared: Stored = {
  tables: [installation, oneTime, rates, tallies],
  sealedColumns: [
    {
      table: oneTime,
      field: 'sealedData',
      column: oneTime.sealedData,
      key: [oneTime.hash],
      sealedName: ({ hash = '' }) => oneTimeName(hash),
    },
  ],
  async sweep(database, _, now) {
    await database.delete(oneTime).where(lt(oneTime.expiresAt, now))
    await database.delete(rates).where(lt(rates.keepUntil, now))
    await database.delete(tallies).where(lt(tallies.hour, now - 2 * hour))
  },
}
