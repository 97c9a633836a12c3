import { lt } from 'drizzle-orm'
import { oneTimeName } from './one-time.ts'
import type { Stored } from './stored.ts'
import { installation, oneTime, rates } from './tables.ts'

/** The tables that all features share. */
export const shared: Stored = {
  tables: [installation, oneTime, rates],
  sealedColumns: [
    {
      ...{ table: oneTime, field: 'sealedData', column: oneTime.sealedData, key: [oneTime.hash] },
      sealedName: ({ hash = '' }) => oneTimeName(hash),
    },
  ],
  async sweep(database, _, now) {
    await database.delete(oneTime).where(lt(oneTime.expiresAt, now))
    await database.delete(rates).where(lt(rates.keepUntil, now))
  },
}
