import { sql } from 'drizzle-orm'
import type { Database } from './database.ts'

/** The database's clock, without asking it each time. */
export interface DatabaseClock {
  /** Unix milliseconds. */
  now: () => number
  stop(): void
}

const EVERY = 30_000
const SAMPLES = 3
/** A worse sample than this, in milliseconds there and back, is worth less than what is known already. */
const USABLE = 1_000
/** Milliseconds from which on an operator should hear of it. */
const NOTABLE = 5_000

/**
 * Measures the database's clock, which all processes on it share, and goes on from there by this machine's monotonic one:
 * what the machine takes for the time of day, and a change of it, decides nothing.
 */
export async function startDatabaseClock(
  database: Database,
  log: (line: string) => void,
): Promise<DatabaseClock> {
  let known = await measure(database)
  const difference = Math.round((Date.now() - (performance.now() + known.offset)) / 1_000)
  if (Math.abs(difference) * 1_000 >= NOTABLE)
    log(`This machine's clock is ${difference} s off the database's, which is the one that counts`)
  const timer = setInterval(() => {
    measure(database).then(
      (found) => {
        if (found.error <= USABLE) known = found
      },
      // The database is down; the store says so where it matters.
      () => {},
    )
  }, EVERY)
  timer.unref()
  return {
    now: () => Math.floor(performance.now() + known.offset),
    stop: () => clearInterval(timer),
  }
}

/** From the monotonic clock to the database's; of several samples the one that was answered fastest. */
async function measure(database: Database): Promise<{ offset: number; error: number }> {
  const samples = []
  for (let count = 0; count < SAMPLES; count++) {
    const asked = performance.now()
    const [row] = await database
      .select({ at: sql<string>`extract(epoch from clock_timestamp()) * 1000` })
      .from(sql`(select 1) as one`)
    const answered = performance.now()
    samples.push({ offset: Number(row?.at) - (asked + answered) / 2, error: answered - asked })
  }
  return samples.reduce((best, each) => (each.error < best.error ? each : best))
}
