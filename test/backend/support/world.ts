import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Backend, type BackendSettings, createBackend } from '../../../demo/backend/server.ts'
import { type AppSettings, demoApps } from '../../../demo/backend/settings/demo-apps.ts'
import { openDatabase } from '../../../demo/backend/store/database.ts'
import { createMailbox, type Mailbox } from '../../../demo/world/mail/mailbox.ts'
import { limit } from '../../support/limit.ts'
import { scratch } from '../../support/scratch.ts'

export const apiUrl = 'http://localhost:4801'
export const vaultOrigin = 'http://localhost:4802'
export const site = 'http://localhost:3000'
export const openApp = 'latchkey-demo-open-000001'
/** Its twin, whose page decides what is signed, and whose logins enrol devices. */
export const compatibleApp = 'latchkey-demo-open-compat'

/** Where a suite runs: on PGlite, or on the PostgreSQL that `TEST_DATABASE_URL` names. */
export interface Store {
  name: string
  url?: string
}
const server = process.env.TEST_DATABASE_URL
export const stores: readonly [Store] = [server ? { name: 'PostgreSQL', url: server } : { name: 'PGlite' }]

interface OwnDatabase {
  url: string
  drop(): Promise<void>
}

async function onServer<Result>(url: string, work: (query: Query) => Promise<Result>): Promise<Result> {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work((text) => client.query(text))
  } finally {
    await client.end()
  }
}
type Query = (text: string) => Promise<{ rowCount: number | null }>

function named(url: string, name: string): string {
  const own = new URL(url)
  own.pathname = `/${name}`
  return own.href
}

/** A new database on the server. @param template whose tables it has from the start; without one it is empty */
export async function createDatabase(url: string, template?: string): Promise<OwnDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await onServer(url, (query) => query(`create database ${name} ${template ? `template ${template}` : ''}`))
  const drop = () => onServer(url, (query) => query(`drop database ${name} with (force)`))
  return { url: named(url, name), drop: async () => void (await drop()) }
}

/** A new database with all tables: a copy of one that the first test file of a run makes. */
async function copyDatabase(url: string): Promise<OwnDatabase> {
  const template = `template_${await migrationsDigest()}`
  await onServer(url, async (query) => {
    const isThere = async () =>
      (await query(`select 1 from pg_database where datname = '${template}'`)).rowCount === 1
    if (await isThere()) return
    // Of several test files that begin at once, one makes it while the others wait.
    await query('select pg_advisory_lock(1)')
    if (await isThere()) return
    const draft = await createDatabase(url)
    await (await openDatabase({ dataDir: '', databaseUrl: draft.url })).close()
    await query(`alter database ${new URL(draft.url).pathname.slice(1)} rename to ${template}`)
  })
  return createDatabase(url, template)
}

/** Times that a database may take on a machine with other work to do: a test is not about them. */
const patient = {
  connectTimeout: limit(30_000),
  queryTimeout: limit(60_000),
  statementTimeout: limit(50_000),
}

/** Puts a PGlite database with all tables into a folder: a copy of one that was made before, for making one takes seconds. */
export async function copyFolder(folder: string): Promise<undefined> {
  const template = join(scratch, `latchkey-test-template-${await migrationsDigest()}`)
  if (!existsSync(template)) {
    const draft = await mkdtemp(`${template}-`)
    await (await openDatabase({ dataDir: draft })).close()
    // Of several test files that begin at once, the first one's counts.
    await rename(draft, template).catch(() => rm(draft, { recursive: true }))
  }
  await cp(join(template, 'database'), folder, { recursive: true })
}

/** A database with all tables for a backend that keeps its files in `dataDir`. `undefined`: it is there, on PGlite. */
export async function newDatabase({ url }: Store, dataDir: string): Promise<OwnDatabase | undefined> {
  return url ? copyDatabase(url) : copyFolder(join(dataDir, 'database'))
}

/** Names the tables that a template has. */
async function migrationsDigest(): Promise<string> {
  const migrations = resolve(import.meta.dirname, '../../../demo/backend/store/migrations')
  const tables = createHash('sha256').update(await readFile(join(migrations, 'meta/_journal.json')))
  for (const file of (await readdir(migrations)).filter((name) => name.endsWith('.sql')).sort())
    tables.update(await readFile(join(migrations, file)))
  return tables.digest('hex').slice(0, 16)
}

export interface World {
  backend: Backend
  mailbox: Mailbox
  dataDir: string
  /** The database on the server, if it is there. */
  databaseUrl: string | undefined
  /** The backend's clock, in Unix milliseconds; moved by hand. */
  clock: { now: number; pass(milliseconds: number): void }
  logged: string[]
  stop(): Promise<void>
  /** The same for a backend that is closed already. */
  cleanUp(): Promise<void>
}

export const seconds = (count: number) => count * 1_000
export const minutes = (count: number) => seconds(60 * count)
export const hours = (count: number) => minutes(60 * count)
export const days = (count: number) => hours(24 * count)

/** A backend with an inbox, and a clock that only a test moves. */
export async function startWorld(
  store: Store,
  { moreApps = [], ...settings }: Partial<BackendSettings> & { moreApps?: AppSettings[] } = {},
): Promise<World> {
  const dataDir = await mkdtemp(join(scratch, 'latchkey-backend-'))
  const [database, mailbox] = await Promise.all([newDatabase(store, dataDir), createMailbox()])
  let passed = Date.UTC(2026, 0, 15, 12)
  const clock = {
    get now() {
      return settings.clock?.() ?? passed
    },
    set now(at: number) {
      passed = at
    },
    pass(milliseconds: number) {
      passed += milliseconds
    },
  }
  const logged: string[] = []
  await writeFile(
    join(dataDir, 'manifest.json'),
    JSON.stringify({
      main: 'main-abc123.js',
      export: 'export-abc123.js',
      approval: 'approval-abc123.js',
      window: 'window-abc123.js',
      imports: { approval: ['screens-abc123.js'], window: ['screens-abc123.js'] },
    }),
  )
  for (const name of ['main', 'export']) await writeFile(join(dataDir, `${name}-abc123.js`), 'export {}\n')
  async function cleanUp() {
    await mailbox.close()
    await database?.drop()
    await rm(dataDir, { recursive: true, force: true })
  }
  const backend = await createBackend({
    dataDir,
    ...(database && { databaseUrl: database.url, databaseSettings: patient }),
    apiUrl,
    vaultOrigin,
    apps: [...demoApps, ...moreApps],
    smtpUrl: mailbox.smtp.url,
    vaultFiles: dataDir,
    clock: () => clock.now,
    log: (line) => logged.push(line),
    ...settings,
  }).catch(async (cause: unknown) => {
    await cleanUp()
    throw cause
  })
  return {
    backend,
    mailbox,
    dataDir,
    databaseUrl: database?.url,
    clock,
    logged,
    cleanUp,
    async stop() {
      await backend.close()
      await cleanUp()
    },
  }
}

let people = 0
/** An address that nobody had before. */
export const newAddress = () => `person-${++people}-${randomUUID().slice(0, 8)}@example.com`
