/**
 * What server processes bear on PostgreSQL: sends, logins, refreshes and reads of the own user per second, with what each costs in CPU, empty and
 * beside many users, with one and with two processes, in turns. `BENCH_BEFORE` names the folder of other sources, with their own
 * `node_modules`, that are measured beside these; `BENCH_USERS` and `BENCH_PEOPLE` say how many are seeded, and how many come.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { createMailbox } from '../../demo/world/mail/mailbox.ts'
import { startPostgres } from '../support/postgres.ts'
import { type Figure, printFigures } from './figures.ts'
import { seedUsers } from './seed-users.ts'

const app = 'latchkey-demo-open-000001'
const seeded = Number(process.env.BENCH_USERS ?? 200_000)
/** Fewer than the inbox keeps messages. */
const people = Math.min(400, Number(process.env.BENCH_PEOPLE ?? 200))
const parallel = 16
const WARM_UP = 60
const here = resolve(import.meta.dirname, '../..')

interface Measured {
  /** Per second. */
  rate: number
  /** Milliseconds of CPU for each. */
  node: number
  postgres: number
}
type Operation = 'send' | 'login' | 'refresh' | 'users/me'

export async function serverFigures(): Promise<Figure[]> {
  const sources = { now: here, ...(process.env.BENCH_BEFORE && { before: process.env.BENCH_BEFORE }) }
  const postgres = await startPostgres()
  if ('skipped' in postgres) {
    console.log(`Nothing is measured: ${postgres.skipped}`)
    return []
  }
  const figures: Figure[] = []
  const table: Record<string, string | number>[] = []
  try {
    for (const users of seeded > 0 ? [0, seeded] : [0]) {
      const databases: Record<string, string> = {}
      for (const [name, root] of Object.entries(sources))
        databases[name] = await prepare(postgres.url, root, users)
      for (const processes of [1, 2])
        for (const [name, root] of Object.entries(sources)) {
          const measured = await measure(databases[name] ?? '', root, processes)
          for (const [operation, { rate, node, postgres }] of Object.entries(measured)) {
            table.push({
              ...{ sources: name, users, processes, operation },
              ...{ '/s': rate.toFixed(0), 'Node ms': node.toFixed(1), 'PostgreSQL ms': postgres.toFixed(1) },
            })
            const figure: Figure = {
              what: `${name}, ${users} users, ${processes} × ${operation}`,
              ...{ value: rate, unit: '/s' },
              note: `CPU: Node ${node.toFixed(1)} ms, PostgreSQL ${postgres.toFixed(1)} ms`,
            }
            // One by one: a run that is cut off has told what it knows.
            printFigures([figure])
            figures.push(figure)
          }
        }
    }
  } finally {
    await postgres.stop()
    for (const folder of folders) await rm(folder, { recursive: true, force: true })
  }
  console.table(table)
  return figures
}

/** A database with the tables of these sources, and so many users. */
async function prepare(server: string, root: string, users: number): Promise<string> {
  const name = `bench_${Date.now()}`
  await query(server, `create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  const servers = await startServers(url.href, root, 1, 'smtp://127.0.0.1:1')
  await servers.stop()
  if (users > 0) await seedUsers(url.href, { users, app, log: (line) => console.log(line) })
  return url.href
}

/** Starts processes of some sources; those on one database have the same secrets. */
async function startServers(databaseUrl: string, root: string, processes: number, smtpUrl: string) {
  const dataDir = join(tmpdir(), `latchkey-${new URL(databaseUrl).pathname.slice(1)}`)
  folders.add(dataDir)
  const children: ChildProcess[] = []
  async function start(): Promise<string> {
    const child = spawn(process.execPath, ['--import', 'tsx', 'demo/backend/main.ts'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...process.env,
        // On a busy machine the figures that count are those of CPU, and time limits only end the run.
        ...{ DATABASE_STATEMENT_TIMEOUT: '0', DATABASE_QUERY_TIMEOUT: '0' },
        ...{ PORT: '0', DATABASE_URL: databaseUrl, LATCHKEY_DATA: dataDir, DEMO: '1', SMTP_URL: smtpUrl },
        LIMITS: JSON.stringify({
          ...{ sendsPerIpMinute: 1_000_000, sendsPerIpHour: 1_000_000, startsPerIpMinute: 1_000_000 },
          ...{ startsPerIpHour: 1_000_000, mailsPerAppHour: 1_000_000, mailsPerHour: 1_000_000 },
        }),
      },
    })
    children.push(child)
    for await (const line of createInterface({ input: child.stdout })) return JSON.parse(line).api
    throw new Error(`The backend of ${root} ended without starting`)
  }
  const bases: string[] = []
  for (let count = 0; count < processes; count++) bases.push(await start())
  return {
    bases,
    children,
    async stop() {
      for (const child of children) {
        child.kill('SIGTERM')
        if (child.exitCode === null) await once(child, 'exit')
      }
    },
  }
}

let turns = 0
/** Data folders of the servers. */
const folders = new Set<string>()

async function measure(
  databaseUrl: string,
  root: string,
  processes: number,
): Promise<Record<Operation, Measured>> {
  const mailbox = await createMailbox()
  const servers = await startServers(databaseUrl, root, processes, mailbox.smtp.url)
  const { bases, children } = servers
  try {
    // What Node has not compiled yet would be measured too.
    await run(WARM_UP)
    return await run(people)
  } finally {
    await servers.stop()
    await mailbox.close()
  }

  async function run(people: number): Promise<Record<Operation, Measured>> {
    const turn = ++turns
    const addresses = Array.from({ length: people }, (_, index) => `bench-${turn}-${index}@example.org`)
    const call = async (
      index: number,
      method: string,
      path: string,
      given: { body?: object; token?: string },
    ) => {
      const response = await fetch(`${bases[index % processes]}/api/v1/${path}`, {
        method,
        headers: {
          'content-type': 'application/json',
          'privy-app-id': app,
          origin: 'http://localhost:3000',
          ...(given.token && { authorization: `Bearer ${given.token}` }),
        },
        ...(given.body && { body: JSON.stringify(given.body) }),
      })
      if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
      return response.json()
    }
    const sessions: { token: string; refresh_token: string }[] = []
    const timed = async (count: number, work: (index: number) => Promise<unknown>): Promise<Measured> => {
      const before = await cpuTimes(children, databaseUrl)
      const began = performance.now()
      let next = 0
      const worker = async () => {
        while (next < count) await work(next++)
      }
      await Promise.all(Array.from({ length: parallel }, worker))
      const seconds = (performance.now() - began) / 1_000
      const after = await cpuTimes(children, databaseUrl)
      return {
        rate: count / seconds,
        node: (after.node - before.node) / count,
        postgres: (after.postgres - before.postgres) / count,
      }
    }
    const codeOf = async (email: string) => {
      for (;;) {
        const found = mailbox.messages().find(({ to }) => to === email)
        if (found) return found.code
        await new Promise((later) => setTimeout(later, 20))
      }
    }
    const send = await timed(people, (index) =>
      call(index, 'POST', 'passwordless/init', { body: { email: addresses[index] } }),
    )
    const codes = await Promise.all(addresses.map(codeOf))
    const login = await timed(people, async (index) => {
      const body = { email: addresses[index], code: codes[index] }
      sessions[index] = await call(index, 'POST', 'passwordless/authenticate', { body })
    })
    const refresh = await timed(people * 3, async (index) => {
      const at = index % people
      const { refresh_token } = sessions[at] as { refresh_token: string }
      sessions[at] = await call(index, 'POST', 'sessions', { body: { refresh_token } })
    })
    const me = await timed(people * 3, (index) =>
      call(index, 'GET', 'users/me', { token: sessions[index % people]?.token ?? '' }),
    )
    return { send, login, refresh, 'users/me': me }
  }
}

async function query(url: string, text: string): Promise<Record<string, string>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

/** Milliseconds of CPU so far, as Linux counts them: of the server processes, and of all of PostgreSQL's. */
async function cpuTimes(children: readonly ChildProcess[], server: string) {
  const [postmaster] = await query(
    server,
    `select split_part(pg_read_file('postmaster.pid'), e'\\n', 1) as pid`,
  )
  const root = Number(postmaster?.pid)
  let postgres = 0
  let node = 0
  for (const pid of (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry)).map(Number)) {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
    // The name of the program, in brackets, may have spaces.
    const fields = text
      ?.slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map((field) => Number(field))
    if (!fields) continue
    const [, parent, , , , , , , , , , user = 0, system = 0, ofEndedUser = 0, ofEndedSystem = 0] = fields
    const ticks = user + system
    if (children.some((child) => child.pid === pid)) node += ticks
    // Back ends that have ended are in the figures of their parent.
    if (pid === root) postgres += ticks + ofEndedUser + ofEndedSystem
    else if (parent === root) postgres += ticks
  }
  return { node: node * TICK, postgres: postgres * TICK }
}
/** Linux counts in hundredths of a second. */
const TICK = 10
