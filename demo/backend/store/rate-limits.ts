import { and, eq, inArray, lt, sql } from 'drizzle-orm'
import { Refusal } from '../lib/refusal.ts'
import { roundUp } from '../lib/time.ts'
import type { Queries, Transaction } from './database.ts'
import { rates, tallies } from './tables.ts'

const hour = 3_600_000

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
  // The index on it is untouched by all events of an hour but the first, so that these are heap-only updates.
  const keepUntil = roundUp(now + longest, hour)
  const [row] = await tx
    .insert(rates)
    .values({ key, keepUntil })
    .onConflictDoUpdate({ target: rates.key, set: { keepUntil } })
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

/** A shard has room for at least so many events: with fewer, most of them would be full long before the others. */
const SHARD_ROOM = 50
const MOST_SHARDS = 64

/**
 * Counts an event in this hour like {@link tally}, where many count at once: in one of several rows, so that only those who meet
 * in the same one wait for each other. The hour has no more than `most` events in all of them together.
 * @returns the row that has it, for {@link untally}, and whether it was the last one of the hour
 * @throws Refusal `too_many_requests`
 */
export async function tallySharded(
  tx: Transaction,
  key: string,
  now: number,
  most: number,
): Promise<{ key: string; isLast: boolean }> {
  const count = Math.min(MOST_SHARDS, Math.max(1, Math.floor(most / SHARD_ROOM)))
  const shards = Array.from({ length: count }, (_, index) => ({
    key: count === 1 ? key : `${key} #${index}`,
    // The rooms add up to `most`.
    room: Math.floor(most / count) + (index < most % count ? 1 : 0),
  }))
  let [shard] = shards.splice(Math.floor(Math.random() * count), 1)
  while (shard) {
    const { key: own, room } = shard
    const counted = await tally(tx, own, now, room).catch((cause: unknown) => {
      if (cause instanceof Refusal) return undefined
      throw cause
    })
    if (counted !== undefined) {
      const isLast = counted === room && (await findRoom(tx, shards, now)) === undefined
      return { key: own, isLast }
    }
    shard = await findRoom(tx, shards, now)
    if (shard) shards.splice(shards.indexOf(shard), 1)
  }
  throw tooMany(now - (now % hour) + hour - now)
}

/** One of the shards that are not full. */
async function findRoom(
  tx: Transaction,
  shards: readonly { key: string; room: number }[],
  now: number,
): Promise<{ key: string; room: number } | undefined> {
  if (shards.length === 0) return undefined
  const keys = shards.map((shard) => shard.key)
  const counted = await tx
    .select({ key: tallies.key, count: tallies.count })
    .from(tallies)
    .where(and(inArray(tallies.key, keys), eq(tallies.hour, now - (now % hour))))
  const counts = new Map(counted.map((row) => [row.key, row.count]))
  const free = shards.filter((shard) => (counts.get(shard.key) ?? 0) < shard.room)
  return free[Math.floor(Math.random() * free.length)]
}
