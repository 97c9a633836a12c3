import { deleteInBatches } from './delete-in-batches.ts'
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
    await deleteInBatches(database, oneTime.expiresAt, now)
    await deleteInBatches(database, rates.keepUntil, now)
    await deleteInBatches(database, tallies.hour, now - 2 * hour)
  },
}
