import { lt } from 'drizzle-orm'
import type { Stored } from '../store/stored.ts'
import { audit } from './tables.ts'

/** What happened to people's accounts; the admin API shows it. */
export const auditLog: Stored = {
  tables: [audit],
  async sweep(database, limits, now) {
    await database.delete(audit).where(lt(audit.at, now - limits.auditLife))
  },
}
