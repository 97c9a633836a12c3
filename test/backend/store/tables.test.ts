import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { audit } from '../../../demo/backend/audit/tables.ts'
import { sweep } from '../../../demo/backend/features.ts'
import { defaultLimits } from '../../../demo/backend/settings/limits.ts'
import type { Database } from '../../../demo/backend/store/database.ts'
import { tallySharded, untally } from '../../../demo/backend/store/rate-limits.ts'
import { takeTurn } from '../../../demo/backend/store/sweeping.ts'
import { oneTime, tallies } from '../../../demo/backend/store/tables.ts'
import { userCounts, users } from '../../../demo/backend/users/tables.ts'
import { days, hours, minutes, startWorld, stores, type World } from '../support/world.ts'

describe.each(stores)('tables on $name', (store) => {
  let world: World
  let database: Database
  beforeAll(async () => {
    world = await startWorld(store, { limits: { sendsPerIpMinute: 1_000, sendsPerIpHour: 1_000 } })
    database = world.backend.database
  })
  afterAll(() => world?.stop())
  const rowsOf = async (query: ReturnType<typeof sql>) =>
    ((await database.execute(query)) as unknown as { rows: Record<string, unknown>[] }).rows

  test('tables: every foreign key has an index that begins with its columns', async () => {
    const missing = await rowsOf(sql`
      select c.conname as name from pg_constraint c
      where c.contype = 'f' and not exists (
        select 1 from pg_index i
        where i.indrelid = c.conrelid and i.indpred is null
          and (i.indkey::int2[])[0:cardinality(c.conkey) - 1] @> c.conkey
      )`)
    expect(missing).toEqual([])
  })

  test('sweep: more rows than one batch are removed, and rows that are good stay', async () => {
    const now = world.clock.now
    await database.delete(oneTime)
    const rows = Array.from({ length: 1_203 }, (_, index) => ({
      hash: `sweep-${index}`,
      kind: 'test',
      appId: 'app',
      sealedData: '',
      expiresAt: now - 1 + (index < 1_200 ? 0 : 1_000),
    }))
    await database.insert(oneTime).values(rows)
    await sweep(database, defaultLimits, now)
    expect(await database.$count(oneTime)).toBe(3)
  })

  test('audit: months have partitions made ahead, rows of a month made late move to it, and months that are over are dropped', async () => {
    const entry = (at: number) => ({
      ...{ at, appId: 'partitioned', actorType: 'system' as const, actor: '', place: '' },
      action: 'session-ended' as const,
    })
    const partitionOf = async (at: number) =>
      (await rowsOf(sql`select tableoid::regclass::text as name from audit where at = ${at}`)).map(
        ({ name }) => name,
      )
    const kept = { ...defaultLimits, auditLife: days(365) }
    // No earlier month than this: those from before the migration are in one partition.
    const [may, june, july] = [4, 5, 6].map((month) => Date.UTC(2029, month, 15)) as [number, number, number]
    await database.insert(audit).values(entry(may))
    expect(await partitionOf(may)).toEqual(['audit_other'])
    await sweep(database, kept, may)
    expect(await partitionOf(may)).toEqual(['audit_2029_05'])
    await database.insert(audit).values([june, july].map(entry))
    expect(await partitionOf(june)).toEqual(['audit_2029_06'])
    expect(await partitionOf(july)).toEqual(['audit_2029_07'])
    await sweep(database, kept, Date.UTC(2030, 4, 31))
    expect(await partitionOf(may)).toEqual(['audit_2029_05'])
    await sweep(database, kept, Date.UTC(2030, 5, 1))
    expect(await partitionOf(may)).toEqual([])
    expect(await partitionOf(june)).toEqual(['audit_2029_06'])
    const ids = await database.select({ id: audit.id }).from(audit).where(sql`app_id = 'partitioned'`)
    expect(new Set(ids.map(({ id }) => id)).size).toBe(2)
  })

  test('audit: rows without a month of their own are deleted when they are old', async () => {
    const at = Date.UTC(2040, 0, 1)
    await database.insert(audit).values({
      ...{ at, appId: 'late', actorType: 'system', actor: '', place: '', action: 'session-ended' },
    })
    await sweep(database, { ...defaultLimits, auditLife: 1_000 }, at + 500)
    await sweep(database, { ...defaultLimits, auditLife: 1_000 }, Date.UTC(2041, 0, 1))
    expect(await database.$count(audit, sql`app_id = 'late'`)).toBe(0)
  })

  test('sweep: of several processes one has the turn, and another follows when it is over', async () => {
    const now = world.clock.now
    const turns = await Promise.all([1, 2, 3].map(() => takeTurn(database, now)))
    expect(turns.filter(Boolean)).toHaveLength(1)
    expect(await takeTurn(database, now + minutes(1))).toBe(false)
    expect(await takeTurn(database, now + minutes(10))).toBe(true)
  })

  test('counters: an hour has exactly as many events in all shards as it may, and one that is taken back is free', async () => {
    const now = world.clock.now
    const most = 160
    const count = async (key: string) => {
      const [counted] = await database.transaction((tx) => tallySharded(tx, [{ key, most }], now))
      if (!counted) throw new Error('Not counted')
      return counted
    }
    const counted: { row: string; isLast: boolean }[] = []
    for (let event = 0; event < most; event++) counted.push(await count('test'))
    expect(counted.filter(({ isLast }) => isLast)).toEqual([counted.at(-1)])
    expect(new Set(counted.map(({ row }) => row)).size).toBe(3)
    await expect(count('test')).rejects.toMatchObject({ code: 'too_many_requests' })
    await database.transaction((tx) => untally(tx, counted[0]?.row ?? '', now))
    expect((await count('test')).isLast).toBe(true)
    await expect(count('test')).rejects.toMatchObject({ code: 'too_many_requests' })
    await sweep(database, defaultLimits, now + hours(4))
    expect(await database.$count(tallies)).toBe(0)
  })

  test('users: the count follows sign-ups, removals, restorations and deletions', async () => {
    const total = async () => {
      const rows = await database.select().from(userCounts)
      return rows.filter(({ appId }) => appId === 'counted').reduce((sum, { count }) => sum + count, 0)
    }
    const user = (id: string) => ({ id, appId: 'counted', createdAt: 1 })
    await database.insert(users).values(['a', 'b', 'c', 'd'].map(user))
    expect(await total()).toBe(4)
    await database.update(users).set({ removedAt: 5 }).where(sql`id in ('a', 'b')`)
    await database.update(users).set({ removedAt: 6 }).where(sql`id = 'a'`)
    expect(await total()).toBe(2)
    await database.update(users).set({ removedAt: null }).where(sql`id = 'b'`)
    expect(await total()).toBe(3)
    await database.delete(users).where(sql`app_id = 'counted'`)
    expect(await total()).toBe(0)
  })
})
