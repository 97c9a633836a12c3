import { and, eq, lt, sql } from 'drizzle-orm'
import { Refusal } from '../lib/refusal.ts'
import type { Queries, Transaction } from './database.ts'
import { rates, tallies } from './tables.ts'

/** At most `most` events within any `span` milliseconds. */
export interface Window {
  most: number
  span: number
}

/** When an event is allowed again, given earlier ones in rising order; `undefined` when it is allowed now. */
export function allowedAt(hits: readonly number[], now: number, { most, span }: Window): number | undefined {
  const inside = hits.filter((at) => at > now - span)
  if (inside.length < most) return undefined
  const first = inside[inside.length - most]
  return first === undefined ? now + span : first + span
}

/** @throws Refusal `too_many_requests` with the time until the window lets another event in */
export function enforceWindows(hits: readonly number[], now: number, windows: readonly Window[]): void {
  const free = Math.max(...windows.map((window) => allowedAt(hits, now, window) ?? 0))
  if (free > now) throw tooMany(free - now)
}

/** @param retryAfter milliseconds */
export const tooMany = (retryAfter: number) =>
  new Refusal('too_many_requests', 'Too many requests. Please wait a while and try again.', { retryAfter })

/**
 * Counts an event under a key. The key's row stays locked until the transaction ends.
 * @param windows what is enforced; none to count only
 * @param longest how long the event is remembered, in milliseconds
 */
export async function countEvent(
  tx: Transaction,
  key: string,
  now: number,
  longest: number,
  windows: readonly Window[] = [],
): Promise<void> {
  const [row] = await tx
    .insert(rates)
    .values({ key, keepUntil: now + longest })
    .onConflictDoUpdate({ target: rates.key, set: { keepUntil: now + longest } })
    .returning()
  const hits = (row?.hits ?? []).filter((at) => at > now - longest)
  enforceWindows(hits, now, windows)
  await tx
    .update(rates)
    .set({ hits: [...hits, now] })
    .where(eq(rates.key, key))
}

/** Takes an event back that did not happen after all. */
export async function uncountEvent(tx: Transaction, key: string, at: number): Promise<void> {
  const [row] = await tx.select().from(rates).where(eq(rates.key, key)).for('update')
  const index = row?.hits.indexOf(at) ?? -1
  if (row && index >= 0)
    await tx
      .update(rates)
      .set({ hits: row.hits.toSpliced(index, 1) })
      .where(eq(rates.key, key))
}

const hour = 3_600_000

/**
 * Counts an event in this hour of the clock. To be done last in a transaction: all who count under the key wait for it.
 * @param most how many the hour may have
 * @returns how many it has now
 * @throws Refusal `too_many_requests`
 */
export async function tally(tx: Queries, key: string, now: number, most: number): Promise<number> {
  const began = now - (now % hour)
  const [row] =
    most < 1
      ? []
      : await tx
          .insert(tallies)
          .values({ key, hour: began, count: 1 })
          .onConflictDoUpdate({
            target: [tallies.key, tallies.hour],
            set: { count: sql`${tallies.count} + 1` },
            setWhere: lt(tallies.count, most),
          })
          .returning({ count: tallies.count })
  if (!row) throw tooMany(began + hour - now)
  return row.count
}

/** Takes an event back that did not happen after all. @param at when it was counted */
export async function untally(tx: Transaction, key: string, at: number): Promise<void> {
  await tx
    .update(tallies)
    .set({ count: sql`${tallies.count} - 1` })
    .where(and(eq(tallies.key, key), eq(tallies.hour, at - (at % hour))))
}
