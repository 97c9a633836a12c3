/** Two server processes on one PostgreSQL, as behind a load balancer. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { AppSettings } from '../../../demo/backend/settings/demo-apps.ts'
import { freePort } from '../../support/free-port.ts'
import { limit } from '../../support/limit.ts'
import { startProgram } from '../../support/program.ts'
import { crowd } from '../../support/soak.ts'
import { createDatabase, site } from './world.ts'

export interface ServerProcesses {
  /** Where each of them listens. */
  bases: readonly [string, string]
  dataDir: string
  databaseUrl: string
  /** Does something for a crowd of requests at once, half of them at each process. */
  atOnce<T>(work: (base: string) => Promise<T>): Promise<T[]>
  /** The processes that have not ended, whatever was done to their database. */
  running(): readonly ChildProcess[]
  /** The lines that they have written to their log. */
  said(): readonly string[]
  /** Asks the database itself. */
  query(text: string): Promise<unknown>
  /** Ends the second one as an operator does; resolves with its exit code. */
  endSecond(): Promise<number | null>
  stop(): Promise<void>
}

/** For tests that are not about the times of a database: a busy machine is slow, and no failure. */
const patientDatabase = {
  DATABASE_CONNECT_TIMEOUT: String(limit(30_000)),
  DATABASE_QUERY_TIMEOUT: String(limit(60_000)),
  DATABASE_STATEMENT_TIMEOUT: String(limit(50_000)),
}

/**
 * Starts both at once, on an empty database and an empty folder: tables and secrets are made by one of them.
 * @param apps the demo's apps by default
 * @param env what else the processes are told, such as `API_URL`
 * @param envOfSecond what the second one alone is told
 * @param isPatient `false`: their database has its default time limits
 * @param through the address by which the processes reach the database, if not its own
 * @param database one that stays; without it, a new one that is dropped in the end
 */
export async function startServerProcesses(
  server: string,
  {
    apps,
    env = {},
    envOfSecond = {},
    isPatient = true,
    through = (url) => url,
    database: given,
  }: {
    apps?: readonly AppSettings[]
    env?: NodeJS.ProcessEnv
    envOfSecond?: NodeJS.ProcessEnv
    isPatient?: boolean
    through?: (url: string) => string
    database?: { url: string }
  } = {},
): Promise<ServerProcesses> {
  const database = given ? { ...given, drop: async () => {} } : await createDatabase(server)
  const said: string[] = []
  const dataDir = await mkdtemp(join(tmpdir(), 'latchkey-processes-'))
  const children: ChildProcess[] = []
  if (apps) await writeFile(join(dataDir, 'apps.json'), JSON.stringify(apps))

  async function start(own: NodeJS.ProcessEnv = {}): Promise<string> {
    // Behind an address of their own, they don't say which port they have.
    const port = env.API_URL ? await freePort() : 0
    const child = await startProgram('demo/backend/main.ts', [], {
      PORT: String(port),
      DATABASE_URL: through(database.url),
      LATCHKEY_DATA: dataDir,
      ...(apps ? { APPS_FILE: join(dataDir, 'apps.json') } : { DEMO: '1' }),
      SMTP_URL: 'smtp://127.0.0.1:1',
      ...(isPatient && patientDatabase),
      ...env,
      ...own,
    })
    children.push(child)
    createInterface({ input: child.stderr }).on('line', (line) => said.push(line))
    for await (const line of createInterface({ input: child.stdout }))
      return port ? `http://127.0.0.1:${port}` : JSON.parse(line).api
    throw new Error(`The backend ended without starting: ${said.join(' ')}`)
  }
  async function end(child: ChildProcess | undefined) {
    child?.kill('SIGTERM')
    if (child?.exitCode === null) await once(child, 'exit')
    return child?.exitCode ?? null
  }
  async function stop() {
    for (const child of children) await end(child)
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  }

  try {
    const bases = await Promise.all([start(), start(envOfSecond)])
    return {
      bases,
      dataDir,
      stop,
      databaseUrl: database.url,
      running: () => children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null),
      said: () => said,
      query: (text) => queryDatabase(database.url, text),
      endSecond: () => end(children[1]),
      atOnce: (work) =>
        Promise.all(Array.from({ length: crowd }, (_, index) => work(bases[index % 2 ? 1 : 0]))),
    }
  } catch (cause) {
    await stop()
    throw cause
  }
}

async function queryDatabase(url: string, text: string): Promise<unknown> {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

/** What a page of an app posts to one of the processes. */
export const postFrom =
  (appId: string) =>
  async (base: string, path: string, body: object, headers: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(`${base}/api/v1/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'privy-app-id': appId, origin: site, ...headers },
      body: JSON.stringify(body),
    })
    return { status: response.status, headers: response.headers, body: await response.json() }
  }
