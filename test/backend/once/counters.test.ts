/** Counters that all sends share, on a real PostgreSQL: PGlite has one connection, so nothing waits for anything there. */

import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../demo/backend/store/database.ts'
import { tallySharded } from '../../../demo/backend/store/rate-limits.ts'
import { tallies } from '../../../demo/backend/store/tables.ts'
import { startPostgres } from '../../support/postgres.ts'
import { createDatabase } from '../support/world.ts'

/** Transactions that have begun to count, and none of which ends. */
const senders = 40

test('counters: of 40 sends at once at least 10 hold both counters, where one held them before there were shards', async (context) => {
  const postgres = await startPostgres()
  if ('skipped' in postgres) return context.skip(postgres.skipped)
  const own = await createDatabase(postgres.url)
  const { database, close } = await openDatabase({
    dataDir: '',
    databaseUrl: own.url,
    databaseSettings: {
      // One more connection watches the others.
      poolSize: senders + 1,
      ...{ connectTimeout: 0, queryTimeout: 0, statementTimeout: 0, idleTransactionTimeout: 0 },
    },
  })
  const counters = ['send email app', 'send email'].map((key) => ({ key, most: 1_000_000 }))
  const now = Date.now()
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let holding = 0
  try {
    const counting = Array.from({ length: senders }, () =>
      database.transaction(async (tx) => {
        await tallySharded(tx, counters, now)
        holding++
        await released
      }),
    )
    try {
      const waiting = () =>
        database.$count(
          sql`pg_stat_activity`,
          sql`datname = current_database() and wait_event_type = 'Lock' and query like '%tallies%'`,
        )
      await expect.poll(async () => holding + (await waiting())).toBe(senders)
      expect(holding).toBeGreaterThanOrEqual(10)
      console.log(`Counters: ${holding} of ${senders} sends hold both at once`)
    } finally {
      release()
      await Promise.all(counting)
    }
    const rows = await database.select().from(tallies)
    expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(2 * senders)
  } finally {
    await close()
    await postgres.stop()
  }
})
