import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { vi } from 'vitest'
import { type Backend, type BackendSettings, createBackend } from '../../../demo/backend/server.ts'
import { type AppSettings, demoApps } from '../../../demo/backend/settings/demo-apps.ts'
import { openDatabase } from '../../../demo/backend/store/database.ts'
import { createMailbox, type Mailbox } from '../../../demo/world/mail/mailbox.ts'

// A database is started for each suite, on machines that have other work to do.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 })

export const apiUrl = 'http://localhost:4801'
export const vaultOrigin = 'http://localhost:4802'
export const site = 'http://localhost:3000'
export const openApp = 'latchkey-demo-open-000001'

/** Where a suite runs: on PGlite, or on the PostgreSQL that `TEST_DATABASE_URL` names. */
export interface Store {
  name: string
  url?: string
}
const server = process.env.TEST_DATABASE_URL
export const stores: Store[] = [server ? { name: 'PostgreSQL', url: server } : { name: 'PGlite' }]

/** A new, empty database on the server. */
export async function createDatabase(url: string): Promise<{ url: string; drop(): Promise<void> }> {
  const { default: pg } = await import('pg')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  async function query(text: string) {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(text)
    await client.end()
  }
  await query(`create database ${name}`)
  const own = new URL(url)
  own.pathname = `/${name}`
  return { url: own.href, drop: () => query(`drop database ${name} with (force)`) }
}

/** Puts a new, empty database into a folder: a copy of one that was made before, which takes a tenth of the time. */
async function copyTemplate(folder: string): Promise<undefined> {
  const migrations = resolve(import.meta.dirname, '../../../demo/backend/store/migrations')
  const tables = createHash('sha256').update(await readFile(join(migrations, 'meta/_journal.json')))
  for (const file of (await readdir(migrations)).filter((name) => name.endsWith('.sql')).sort())
    tables.update(await readFile(join(migrations, file)))
  const template = join(tmpdir(), `latchkey-test-template-${tables.digest('hex').slice(0, 16)}`)
  if (!existsSync(template)) {
    const draft = await mkdtemp(`${template}-`)
    await (await openDatabase({ dataDir: draft })).close()
    // Of several test files that begin at once, the first one's counts.
    await rename(draft, template).catch(() => rm(draft, { recursive: true }))
  }
  await cp(join(template, 'database'), folder, { recursive: true })
}

export interface World {
  backend: Backend
  mailbox: Mailbox
  dataDir: string
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
  const dataDir = await mkdtemp(join(tmpdir(), 'latchkey-backend-'))
  const [database, mailbox] = await Promise.all([
    store.url ? createDatabase(store.url) : copyTemplate(join(dataDir, 'database')),
    createMailbox(),
  ])
  const clock = {
    now: Date.UTC(2026, 0, 15, 12),
    pass(milliseconds: number) {
      clock.now += milliseconds
    },
  }
  const logged: string[] = []
  await writeFile(
    join(dataDir, 'manifest.json'),
    JSON.stringify({ main: 'main-abc123.js', export: 'export-abc123.js' }),
  )
  for (const name of ['main', 'export']) await writeFile(join(dataDir, `${name}-abc123.js`), 'export {}\n')
  async function cleanUp() {
    await mailbox.close()
    await database?.drop()
    await rm(dataDir, { recursive: true, force: true })
  }
  const backend = await createBackend({
    dataDir,
    ...(database && { databaseUrl: database.url }),
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
