import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { defaultDatabaseSettings, readDatabaseSettings } from '../../../demo/backend/settings/database.ts'
import { type Database, type OpenDatabase, openDatabase } from '../../../demo/backend/store/database.ts'
import { asOutage, DatabaseUnavailable } from '../../../demo/backend/store/failures.ts'
import { createOutageLog } from '../../../demo/backend/store/outage-log.ts'
import { startSweeping } from '../../../demo/backend/store/sweeping.ts'
import { tallies } from '../../../demo/backend/store/tables.ts'
import { createDatabase } from '../support/world.ts'

const server = process.env.TEST_DATABASE_URL

const failed = (code: string) => Object.assign(new Error('x'), { severity: 'ERROR', code })

test.each([
  ['57P01', 'connection'],
  ['08006', 'connection'],
  ['25P03', 'connection'],
  ['53300', 'overload'],
  ['57014', 'overload'],
  ['23505', undefined],
  ['40001', undefined],
])('database errors: %s is an outage of the kind %s', (code, kind) => {
  const outage = asOutage(failed(code))
  expect(outage instanceof DatabaseUnavailable ? outage.kind : undefined).toBe(kind)
})

test.each([
  'Connection terminated unexpectedly',
  'Query read timeout',
  'timeout exceeded when trying to connect',
  'Connection terminated due to connection timeout',
  'Client has encountered a connection error and is not queryable',
])('database errors: "%s" is a lost connection', (message) => {
  expect(asOutage(new Error(message))).toMatchObject({ kind: 'connection' })
})

test('database errors: sockets and names that cannot be resolved are lost connections, mistakes in code are not', () => {
  const socket = Object.assign(new Error('x'), { code: 'ECONNREFUSED', syscall: 'connect' })
  expect(asOutage(socket)).toMatchObject({ kind: 'connection' })
  expect(asOutage(new AggregateError([socket]))).toMatchObject({ kind: 'connection' })
  const mistake = new TypeError('Converting circular structure to JSON')
  expect(asOutage(mistake)).toBe(mistake)
})

test('outage log: one line when it begins and one when it is over, with failures and answers in turn', () => {
  const lines: string[] = []
  let now = 0
  const outages = createOutageLog(
    (line) => lines.push(line),
    () => now,
  )
  outages.answered()
  for (; now < 5_000; now += 500) {
    outages.failed(new Error('outer', { cause: new Error('refused') }))
    outages.answered()
  }
  now = 9_400
  outages.answered()
  expect(lines).toHaveLength(1)
  now = 9_500
  outages.answered()
  outages.answered()
  expect(lines).toEqual(['The database does not answer: refused', 'The database answers again after 4.5 s'])
})

test.each([
  ['an outage', new DatabaseUnavailable('connection', new Error('x')), []],
  ['a mistake', new TypeError('x'), ['Old rows could not be removed']],
])('sweeps: %s has a line of its own only where nothing else tells of it', async (_, failure, expected) => {
  vi.useFakeTimers()
  const lines: string[] = []
  const insert = vi.fn(() => {
    throw failure
  })
  const database = { insert } as unknown as Database
  const stop = startSweeping({ database, clock: () => 0, log: (line) => lines.push(line) }, async () => {})
  await vi.advanceTimersToNextTimerAsync()
  stop()
  vi.useRealTimers()
  expect(insert).toHaveBeenCalledOnce()
  expect(lines).toEqual(expected)
})

test('database settings: are read from the environment, and wrong ones are named', () => {
  expect(readDatabaseSettings({})).toEqual({})
  expect(
    readDatabaseSettings({
      DATABASE_POOL_SIZE: '5',
      DATABASE_QUERY_TIMEOUT: '0',
      DATABASE_NAMED_STATEMENTS: '1',
      DATABASE_KEEP_ALIVE: '',
    }),
  ).toEqual({ poolSize: 5, queryTimeout: 0, namedStatements: true })
  expect(readDatabaseSettings({ DATABASE_NAMED_STATEMENTS: '0' })).toEqual({ namedStatements: false })
  for (const [name, value] of [
    ['DATABASE_POOL_SIZE', '0'],
    ['DATABASE_POOL_SIZE', '1.5'],
    ['DATABASE_CONNECT_TIMEOUT', '-1'],
    ['DATABASE_STATEMENT_TIMEOUT', '5s'],
    ['DATABASE_IDLE_TRANSACTION_TIMEOUT', '1e3'],
    ['DATABASE_KEEP_ALIVE', ' 1'],
    ['DATABASE_NAMED_STATEMENTS', 'yes'],
  ] as const)
    expect(() => readDatabaseSettings({ [name]: value }), `${name}=${value}`).toThrow(name)
  const { queryTimeout, statementTimeout } = defaultDatabaseSettings
  expect(statementTimeout).toBeLessThan(queryTimeout)
})

describe.skipIf(!server)('transactions on PostgreSQL', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>
  let store: OpenDatabase
  beforeAll(async () => {
    database = await createDatabase(server ?? '')
    store = await openDatabase({ dataDir: '', databaseUrl: database.url })
  })
  afterAll(async () => {
    await store?.close()
    await database?.drop()
  })

  test('transactions: two that lock each other out both succeed', async () => {
    const { database } = store
    const values = ['a', 'b'].map((key) => ({ key, hour: 0, count: 0 }))
    await database.insert(tallies).values(values)
    let met = 0
    let announce = () => {}
    const both = new Promise<void>((met) => {
      announce = met
    })
    const add = (first: string, second: string) =>
      database.transaction(async (tx) => {
        for (const key of [first, second]) {
          await tx
            .update(tallies)
            .set({ count: sql`${tallies.count} + 1` })
            .where(sql`key = ${key}`)
          if (++met === 2) announce()
          await both
        }
      })
    await Promise.all([add('a', 'b'), add('b', 'a')])
    expect((await database.select().from(tallies)).map(({ count }) => count)).toEqual([2, 2])
  })

  test('transactions: a serialization failure is repeated a limited number of times', async () => {
    let attempts = 0
    const fail = store.database.transaction(async (tx) => {
      attempts++
      await tx.execute(sql`do $$ begin raise exception 'again' using errcode = '40001'; end $$`)
    })
    await expect(fail).rejects.toThrow()
    expect(attempts).toBe(6)
  })

  test('transactions: a connection that is lost before the commit is replaced, and the work done once', async () => {
    let attempts = 0
    await store.database.transaction(async (tx) => {
      await tx.insert(tallies).values({ key: 'once', hour: 0, count: 1 })
      if (attempts++ === 0) {
        const { rows } = (await tx.execute(sql`select pg_backend_pid() as pid`)) as unknown as {
          rows: { pid: number }[]
        }
        await store.database.execute(sql`select pg_terminate_backend(${rows[0]?.pid})`)
      }
      await tx.execute(sql`select 1`)
    })
    expect(attempts).toBe(2)
    expect(await store.database.$count(tallies, sql`key = 'once'`)).toBe(1)
  })

  test('transactions: statements and silence have limits, and no setting stays on the connection', async () => {
    const shown = (rows: unknown) => (rows as { rows: Record<string, string>[] }).rows[0]
    const inside = await store.database.transaction(async (tx) => [
      shown(await tx.execute(sql`show statement_timeout`)),
      shown(await tx.execute(sql`show idle_in_transaction_session_timeout`)),
    ])
    expect(inside).toEqual([{ statement_timeout: '8s' }, { idle_in_transaction_session_timeout: '10s' }])
    expect(shown(await store.database.execute(sql`show statement_timeout`))).toEqual({
      statement_timeout: '0',
    })
    const { rows } = (await store.database.execute(
      sql`select count(*)::int as named from pg_prepared_statements`,
    )) as unknown as { rows: { named: number }[] }
    expect(rows[0]?.named).toBe(0)
  })
})
