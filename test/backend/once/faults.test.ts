/** Two server processes while their database, or the network to it, fails: a real PostgreSQL and a real PgBouncer. */

import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { defaultDatabaseSettings } from '../../../demo/backend/settings/database.ts'
import { ConnectionPool } from '../../../demo/backend/store/connection-pool.ts'
import { createMailbox, type Mailbox } from '../../../demo/world/mail/mailbox.ts'
import { limit } from '../../support/limit.ts'
import { startPgBouncer } from '../../support/pgbouncer.ts'
import { type RunningPostgres, startPostgres } from '../../support/postgres.ts'
import { soak } from '../../support/soak.ts'
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts'
import { postFrom, type ServerProcesses, startServerProcesses } from '../support/server-processes.ts'
import { createDatabase, newAddress, openApp } from '../support/world.ts'

const post = postFrom(openApp)
/** Limits that a single network address does not reach. */
const limits = {
  LIMITS: JSON.stringify({
    ...{ sendsPerIpMinute: 100_000, sendsPerIpHour: 100_000, guessesPerIpHour: 100_000 },
    ...{ startsPerIpMinute: 100_000, startsPerIpHour: 100_000, refreshesPerWindow: 100_000 },
  }),
}
/** With timeouts that make an outage short enough for a test. */
const env = {
  ...limits,
  DATABASE_CONNECT_TIMEOUT: '2000',
  DATABASE_QUERY_TIMEOUT: '3000',
}
/** Milliseconds in which a server answers again, on a machine that has other work to do. */
const PATIENCE = limit(30_000)

/** Milliseconds of one test, with all its outages. */
const TIMEOUT = limit(soak(120_000, 1_200_000))

interface Row {
  outage: string
  processes: number
  acknowledged: number
  lost: number
  'refused meanwhile': number
  'answers again after': string
}
const table: Row[] = []
const hosts = { postgres: undefined as RunningPostgres | undefined, skipped: '' }

beforeAll(async () => {
  const started = await startPostgres()
  if ('skipped' in started) hosts.skipped = started.skipped
  else hosts.postgres = started
  if (hosts.skipped) console.log(`The suite of faults is skipped: ${hosts.skipped}`)
})
afterAll(async () => {
  await hosts.postgres?.stop()
  if (table.length === 0) return
  const sum = (of: (row: Row) => number) => table.reduce((total, row) => total + of(row), 0)
  console.table([
    ...table,
    {
      outage: `${table.length} in all`,
      processes: 2,
      acknowledged: sum((row) => row.acknowledged),
      lost: sum((row) => row.lost),
      'refused meanwhile': sum((row) => row['refused meanwhile']),
      'answers again after': '',
    },
  ])
})
beforeEach((context) => {
  if (!hosts.postgres) context.skip(hosts.skipped)
})

const newCredential = () => randomBytes(32).toString('base64url')

/** Guests who log in and stay logged in by refreshing, at both processes, until they are told to end. */
function startLoad(servers: ServerProcesses, workers = 6) {
  /** The newest refresh token of each session that a server has acknowledged. */
  const acknowledged = new Map<number, string>()
  let refused = 0
  let isOver = false
  let number = 0
  async function work(worker: number) {
    while (!isOver) {
      const base = servers.bases[(worker + number) % 2] ?? ''
      const credential = newCredential()
      const login = await post(base, 'guest/authenticate', { guest_credential: credential }).catch(
        () => undefined,
      )
      if (login?.status !== 200) {
        refused++
        // As a client does that is told to come back later.
        await expect
          .poll(async () => isOver || (await statusOf(base, 'readyz')) === 200, { timeout: 2 * PATIENCE })
          .toBe(true)
        continue
      }
      const id = number++
      acknowledged.set(id, login.body.refresh_token)
      for (let turn = 0; turn < 2 && !isOver; turn++) {
        const refresh_token = acknowledged.get(id)
        const answer = await post(base, 'sessions', { refresh_token }).catch(() => undefined)
        if (answer?.status === 200) acknowledged.set(id, answer.body.refresh_token)
        else refused++
      }
    }
  }
  const working = Array.from({ length: workers }, (_, index) => work(index))
  return {
    get count() {
      return acknowledged.size
    },
    get refused() {
      return refused
    },
    async end() {
      isOver = true
      await Promise.all(working)
      return { refused }
    },
    /** How many of the acknowledged sessions no longer continue. */
    async countLost() {
      let lost = 0
      for (const [id, refresh_token] of acknowledged) {
        const answer = await post(servers.bases[id % 2 ? 1 : 0], 'sessions', { refresh_token })
        if (answer.status !== 200) lost++
      }
      return lost
    },
  }
}

const statusOf = async (base: string, path: string) =>
  (await fetch(`${base}/${path}`).catch(() => undefined))?.status

/** Milliseconds until both processes are ready, as a load balancer asks. */
async function timeUntilReady(servers: ServerProcesses): Promise<number> {
  const began = performance.now()
  for (const base of servers.bases) {
    await expect.poll(() => statusOf(base, 'readyz'), { timeout: PATIENCE, interval: 50 }).toBe(200)
  }
  return performance.now() - began
}

/** Runs a fault under load, and checks that nothing acknowledged is lost and no process has ended. */
async function survive(
  outage: string,
  servers: ServerProcesses,
  fault: (load: ReturnType<typeof startLoad>) => Promise<void>,
): Promise<Row> {
  const load = startLoad(servers)
  const before = () => expect.poll(() => load.count, { timeout: PATIENCE }).toBeGreaterThan(20)
  await before()
  await fault(load)
  const readyAfter = await timeUntilReady(servers)
  const during = load.count
  await expect.poll(() => load.count, { timeout: PATIENCE }).toBeGreaterThan(during + 5)
  const { refused } = await load.end()
  const row = {
    outage,
    processes: servers.running().length,
    acknowledged: load.count,
    lost: await load.countLost(),
    'refused meanwhile': refused,
    'answers again after': `${(readyAfter / 1_000).toFixed(1)} s`,
  }
  table.push(row)
  expect(row).toMatchObject({ processes: 2, lost: 0 })
  return row
}

describe('faults: a PostgreSQL that two processes share', { timeout: TIMEOUT }, () => {
  let servers: ServerProcesses
  let proxy: TcpProxy
  const postgres = () => hosts.postgres as RunningPostgres

  beforeAll(async () => {
    if (!hosts.postgres) return
    proxy = await startTcpProxy(Number(new URL(postgres().url).port))
    servers = await startServerProcesses(postgres().url, {
      isPatient: false,
      env,
      through: (url) => withPort(url, proxy.port),
    })
  })
  afterAll(async () => {
    await servers?.stop()
    await proxy?.stop()
  })

  test('faults: terminated back ends end no process and cost no acknowledged session', async () => {
    await survive('four back ends terminated', servers, async (load) => {
      for (let round = 0; round < soak(2, 60); round++) {
        const before = load.count
        await servers.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and pid <> pg_backend_pid() limit 4`,
        )
        await expect.poll(() => load.count, { timeout: PATIENCE }).toBeGreaterThan(before)
      }
    })
  })

  test('faults: an immediate stop ends no process, answers 503 with retry-after, and one line tells of it', async () => {
    for (let round = 0; round < soak(1, 5); round++) {
      // An outage of before that isn't over would have no line of its own here.
      const openOutages = async () => {
        for (const base of servers.bases) await statusOf(base, 'readyz')
        const count = (start: string) => servers.said().filter((line) => line.startsWith(start)).length
        return count('The database does not answer') - count('The database answers again')
      }
      await expect.poll(openOutages, { timeout: PATIENCE }).toBe(0)
      const linesBefore = servers.said().length
      await survive('immediate stop', servers, async (load) => {
        const began = performance.now()
        await postgres().crash()
        for (const base of servers.bases) {
          const answer = await post(base, 'guest/authenticate', { guest_credential: newCredential() })
          expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2'])
          expect(await statusOf(base, 'readyz')).toBe(503)
          expect(await statusOf(base, 'livez')).toBe(200)
        }
        const isLongEnough = () => load.refused > 0 && performance.now() - began > soak(0, 20_000)
        await expect.poll(isLongEnough, { timeout: PATIENCE }).toBe(true)
        await postgres().restart()
      })
      const lines = () => servers.said().slice(linesBefore)
      const linesOf = (start: string) => lines().filter((line) => line.startsWith(start)).length
      // An outage is over with an answer after five seconds without a failure. The next one would count to it before.
      const hasEnded = async () => {
        for (const base of servers.bases) await statusOf(base, 'readyz')
        return linesOf('The database answers again')
      }
      await expect.poll(hasEnded, { timeout: PATIENCE }).toBe(2)
      expect(linesOf('The database does not answer')).toBe(2)
      expect(lines().filter((line) => !line.startsWith('The database '))).toEqual([])
    }
  })

  test('faults: a network that goes silent is given up within seconds', async () => {
    for (let round = 0; round < soak(1, 5); round++)
      await survive('silent network, half-open connections', servers, async () => {
        proxy.silence()
        await expect.poll(() => statusOf(servers.bases[0], 'readyz'), { timeout: PATIENCE }).toBe(503)
        proxy.restore()
      })
  })

  test('faults: SIGTERM ends a busy process within its drain time while the network is silent', async () => {
    const load = startLoad(servers)
    await expect.poll(() => load.count, { timeout: PATIENCE }).toBeGreaterThan(5)
    proxy.silence()
    const began = performance.now()
    const code = await servers.endSecond()
    const took = performance.now() - began
    proxy.restore()
    await load.end()
    expect(code).toBe(0)
    expect(took).toBeLessThan(PATIENCE)
  })
})

describe('faults: PgBouncer in transaction mode', { timeout: TIMEOUT }, () => {
  let mailbox: Mailbox
  beforeAll(async () => {
    mailbox = await createMailbox()
  })
  afterAll(() => mailbox?.close())

  test('faults: sends, logins and refreshes behind PgBouncer succeed, and processes start again', async (context) => {
    const postgres = hosts.postgres as RunningPostgres
    const pooler = await startPgBouncer(postgres.url)
    if ('skipped' in pooler) return context.skip(pooler.skipped)
    const count = soak(40, 1_000)
    // Processes on one database have the same secrets.
    let secrets = {}
    const open = () =>
      startServerProcesses(postgres.url, {
        isPatient: false,
        env: { ...limits, ...secrets, SMTP_URL: mailbox.smtp.url },
        through: (url) => pooler.urlOf(url),
        database,
      })
    const database = await createDatabase(postgres.url)
    try {
      for (const start of ['first', 'second']) {
        const servers = await open()
        if (start === 'first')
          secrets = { LATCHKEY_SECRETS: await readFile(join(servers.dataDir, 'secrets.json'), 'utf8') }
        try {
          const statuses = await inTurns(count, async (index) => {
            const base = servers.bases[index % 2 ? 1 : 0]
            const email = newAddress()
            const sent = await post(base, 'passwordless/init', { email })
            const code = mailbox.messages().find(({ to }) => to === email)?.code ?? ''
            const login = await post(base, 'passwordless/authenticate', { email, code })
            const { refresh_token } = login.body
            const refreshed = await post(base, 'sessions', { refresh_token })
            return [sent.status, login.status, refreshed.status].join(' ')
          })
          expect([start, tallyOf(statuses)]).toEqual([start, { '200 200 200': count }])
          table.push({
            outage: `none: PgBouncer, ${start} start`,
            processes: servers.running().length,
            acknowledged: count,
            lost: 0,
            'refused meanwhile': 0,
            'answers again after': '-',
          })
        } finally {
          await servers.stop()
        }
      }
    } finally {
      await pooler.stop()
      await database.drop()
    }
  })
})

describe('named statements: by default', { timeout: TIMEOUT }, () => {
  test('named statements: a direct connection has them, one through PgBouncer or a proxy has none', async (context) => {
    const { url } = hosts.postgres as RunningPostgres
    const pooler = await startPgBouncer(url)
    if ('skipped' in pooler) return context.skip(pooler.skipped)
    const proxy = await startTcpProxy(Number(new URL(url).port))
    try {
      expect([
        await namesKept(url),
        await namesKept(pooler.urlOf(url)),
        await namesKept(withPort(url, proxy.port)),
      ]).toEqual([['hot'], [], []])
    } finally {
      await pooler.stop()
      await proxy.stop()
    }
  })
})

/** The names of the statements that a back end keeps for a connection, once one that has a name was sent. */
async function namesKept(url: string): Promise<string[]> {
  const pool = new ConnectionPool(url, defaultDatabaseSettings, { failed() {}, answered() {} })
  const connection = await pool.connect()
  try {
    await connection.query({ name: 'hot', text: 'select $1::int' }, [1])
    const { rows } = await connection.query({ text: 'select name from pg_prepared_statements' })
    return rows.map(({ name }) => name)
  } finally {
    connection.release()
    await pool.end()
  }
}

describe('faults: clocks', { timeout: TIMEOUT }, () => {
  test('faults: a clock 60 s off between two processes logs nobody out', async () => {
    const servers = await startServerProcesses((hosts.postgres as RunningPostgres).url, {
      isPatient: false,
      env,
      envOfSecond: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(aMinuteAhead)}` },
    })
    try {
      const [one, other] = servers.bases
      const { body } = await post(one, 'guest/authenticate', { guest_credential: newCredential() })
      const first = await post(one, 'sessions', { refresh_token: body.refresh_token })
      // The answer was lost, and the repetition reaches the other process: within the grace by any one clock.
      const repeated = await post(other, 'sessions', { refresh_token: body.refresh_token })
      expect([first.status, repeated.status]).toEqual([200, 200])
      const next = await post(one, 'sessions', { refresh_token: repeated.body.refresh_token })
      expect(next.status).toBe(200)
      expect(servers.said().filter((line) => line.includes('60 s off the database'))).toHaveLength(1)
    } finally {
      await servers.stop()
    }
  })
})

const aMinuteAhead = 'const now = Date.now; Date.now = () => now() + 60_000'

/** A few at a time, as a burst of users is. */
async function inTurns<T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = []
  let next = 0
  const worker = async () => {
    while (next < count) results.push(await work(next++))
  }
  await Promise.all(Array.from({ length: 16 }, worker))
  return results
}

function tallyOf(values: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1
  return counts
}

function withPort(url: string, port: number): string {
  const changed = new URL(url)
  changed.port = String(port)
  return changed.href
}
