import { addMonths, dropMonths } from '../store/partitions.ts'
import type { Stored } from '../store/stored.ts'
import { audit } from './tables.ts'

/** What happened to people's accounts; the admin API shows it. */
export const auditLog: Stored = {
  tables: [audit],
  async sweep(database, limits, now) {
    await addMonths(database, audit.at, now)
    await dropMonths(database, audit.at, now - limits.auditLife)
  },
}
