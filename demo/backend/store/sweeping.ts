import { sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { isUnavailable } from './failures.ts'
import { installation } from './tables.ts'

const EVERY = 10 * 60_000
/** Processes that were started together do not begin together, and none before it serves. */
const FIRST = { least: 60_000, spread: 60_000 }
/** A little shorter than the interval, or whoever swept last would find its own turn taken. */
const TURN = 9 * 60_000

/**
 * Removes old rows from time to time: of all processes on a database, one in each interval.
 * @param sweep removes what nobody can use any longer at that time
 * @returns ends it
 */
export function startSweeping(
  deps: { database: Database; clock: () => number; log: (line: string) => void },
  sweep: (now: number) => Promise<void>,
): () => void {
  const { database, clock, log } = deps
  let isEnded = false
  let timer: NodeJS.Timeout
  const next = (wait: number) => {
    timer = setTimeout(turn, wait)
    timer.unref()
  }
  async function turn() {
    try {
      const now = clock()
      if (await takeTurn(database, now)) await sweep(now)
    } catch (cause) {
      // An outage has a line of its own already.
      if (!isEnded && !isUnavailable(cause)) log('Old rows could not be removed')
    }
    if (!isEnded) next(EVERY)
  }
  next(FIRST.least + Math.random() * FIRST.spread)
  return () => {
    isEnded = true
    clearTimeout(timer)
  }
}

/** Whether this process is the one that sweeps now. A process that dies in its turn is followed after it. */
export async function takeTurn(database: Database, now: number): Promise<boolean> {
  const value = String(now + TURN)
  const taken = await database
    .insert(installation)
    .values({ name: 'sweep', value })
    .onConflictDoUpdate({
      target: installation.name,
      set: { value },
      setWhere: sql`${installation.value}::bigint <= ${now}`,
    })
    .returning({ name: installation.name })
  return taken.length > 0
}
