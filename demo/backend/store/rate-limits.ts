import { and, eq, inArray, lt, sql } from 'drizzle-orm'
import type { WithSubquery } from 'drizzle-orm/subquery'
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
 * The statement that counts an event under a key, for one that does more: it returns a row if the windows let the event in. The key's
 * row stays locked until the transaction ends.
 * @param windows what is enforced; none to count only
 * @param longest how long the event is remembered, in milliseconds
 */
export function eventInsert(
  db: Queries,
  key: string,
  now: number,
  longest: number,
  windows: readonly Window[] = [],
) {
  // The index on it is untouched by all events of an hour but the first, so that these are heap-only updates.
  const keepUntil = roundUp(now + longest, hour)
  const since = (time: number) =>
    sql`from jsonb_array_elements(${rates.hits}) with ordinality as e(at, place) where e.at::bigint > ${time}::bigint`
  const hits = sql`(select coalesce(jsonb_agg(e.at order by e.place), '[]') ${since(now - longest)}) || ${now}::text::jsonb`
  const allowed = and(
    ...windows.map(({ most, span }) => sql`(select count(*) ${since(now - span)}) < ${most}::bigint`),
  )
  return db
    .insert(rates)
    .values({ key, hits: [now], keepUntil })
    .onConflictDoUpdate({
      target: rates.key,
      set: { hits, keepUntil },
      ...(allowed && { setWhere: allowed }),
    })
    .returning({ key: rates.key })
}

/** Counts an event under a key, as {@link eventInsert} says. @throws Refusal `too_many_requests` */
export async function countEvent(
  db: Queries,
  key: string,
  now: number,
  longest: number,
  windows: readonly Window[] = [],
): Promise<void> {
  if (windows.every(({ most }) => most >= 1)) {
    // Named, because it is asked with every send: the database plans it once.
    const named = eventInsert(db, key, now, longest, windows).prepare(`count_event_${windows.length}`)
    const counted = await named.execute()
    if (counted.length > 0) return
  }
  throw await eventRefusal(db, key, now, windows)
}

/** Why an event was not counted. */
export async function eventRefusal(
  db: Queries,
  key: string,
  now: number,
  windows: readonly Window[],
): Promise<Refusal> {
  const [row] = await db.select({ hits: rates.hits }).from(rates).where(eq(rates.key, key))
  const free = windows.map((window) => allowedAt(row?.hits ?? [], now, window) ?? now)
  return tooMany(Math.max(...free) - now)
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

/** A counter that many count in at once, with what the hour may have. */
export interface Counter {
  key: string
  most: number
}
interface Shard {
  key: string
  room: number
}

/**
 * Counts an event in this hour like {@link tally}, where many count at once: of each counter in one of several rows, so that only those
 * who meet in the same one wait for each other. The hour has no more than `most` events in all of them together.
 * @param also what the same statement does: the rows are locked for the one round trip of the commit. `name`: of the statement, which has
 * the same text for as many counters
 * @returns the row of each counter that has it, for {@link untally}, and whether it was the last one of the hour
 * @throws Refusal `too_many_requests`
 */
export async function tallySharded(
  tx: Transaction,
  counters: readonly Counter[],
  now: number,
  also: { name: string; parts: readonly WithSubquery[] } = { name: 'tally', parts: [] },
): Promise<(Counter & { row: string; isLast: boolean })[]> {
  const began = now - (now % hour)
  if (counters.some(({ most }) => most < 1)) throw tooMany(began + hour - now)
  const chosen = counters.map((counter) => {
    const others = shardsOf(counter)
    const [first] = others.splice(Math.floor(Math.random() * others.length), 1) as [Shard]
    return { counter, first, others }
  })
  const rooms = chosen.map(({ first }) => sql`when ${first.key} then ${first.room}::int`)
  const rows = await tx
    .with(...also.parts)
    .insert(tallies)
    .values(chosen.map(({ first }) => ({ key: first.key, hour: began, count: 1 })))
    .onConflictDoUpdate({
      target: [tallies.key, tallies.hour],
      set: { count: sql`${tallies.count} + 1` },
      setWhere: sql`${tallies.count} < case ${tallies.key} ${sql.join(rooms, sql` `)} end`,
    })
    .returning({ key: tallies.key, count: tallies.count })
    .prepare(`${also.name}_${counters.length}`)
    .execute()
  const counted = []
  for (const { counter, first, others } of chosen) {
    const row = rows.find(({ key }) => key === first.key)
    counted.push({
      ...counter,
      ...(row
        ? { row: row.key, isLast: await isLast(tx, first, row.count, others, now) }
        : await tallyInOthers(tx, others, now)),
    })
  }
  return counted
}

function shardsOf({ key, most }: Counter): Shard[] {
  const count = Math.min(MOST_SHARDS, Math.max(1, Math.floor(most / SHARD_ROOM)))
  return Array.from({ length: count }, (_, index) => ({
    key: count === 1 ? key : `${key} #${index}`,
    // The rooms add up to `most`.
    room: Math.floor(most / count) + (index < most % count ? 1 : 0),
  }))
}

/** Counts where the first choice was full. */
async function tallyInOthers(tx: Transaction, shards: Shard[], now: number) {
  for (;;) {
    const shard = await findRoom(tx, shards, now)
    if (!shard) throw tooMany(now - (now % hour) + hour - now)
    shards.splice(shards.indexOf(shard), 1)
    const counted = await tally(tx, shard.key, now, shard.room).catch((cause: unknown) => {
      if (cause instanceof Refusal) return undefined
      throw cause
    })
    if (counted !== undefined)
      return { row: shard.key, isLast: await isLast(tx, shard, counted, shards, now) }
  }
}

const isLast = async (
  tx: Transaction,
  shard: Shard,
  counted: number,
  others: readonly Shard[],
  now: number,
) => counted === shard.room && (await findRoom(tx, others, now)) === undefined

/** One of the shards that are not full. */
async function findRoom(tx: Transaction, shards: readonly Shard[], now: number): Promise<Shard | undefined> {
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
