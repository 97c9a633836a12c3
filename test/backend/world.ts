import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { type AppSettings, demoApps } from '../../demo/backend/apps.ts'
import { type Backend, type BackendSettings, createBackend } from '../../demo/backend/server.ts'
import { createMailbox, type Mailbox } from '../../demo/world/mail/mailbox.ts'

// A database is started for each suite, on machines that have other work to do.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 })

export const apiUrl = 'http://localhost:4801'
export const vaultOrigin = 'http://localhost:4802'
export const site = 'http://localhost:3000'
export const openApp = 'latchkey-demo-open-000001'

/** Where a suite runs: PGlite always, PostgreSQL when `TEST_DATABASE_URL` names one. */
export interface Store {
  name: string
  url?: string
}
const server = process.env.TEST_DATABASE_URL
export const stores: Store[] = [{ name: 'PGlite' }, ...(server ? [{ name: 'PostgreSQL', url: server }] : [])]

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

/** A backend with an inbox, and a clock that stands still unless it is moved. */
export async function startWorld(
  store: Store,
  { moreApps = [], ...settings }: Partial<BackendSettings> & { moreApps?: AppSettings[] } = {},
): Promise<World> {
  const dataDir = await mkdtemp(join(tmpdir(), 'latchkey-backend-'))
  const [database, mailbox] = await Promise.all([
    store.url ? createDatabase(store.url) : undefined,
    createMailbox(),
  ])
  const clock = {
    now: Date.UTC(2026, 0, 15, 12),
    pass(milliseconds: number) {
      clock.now += milliseconds
    },
  }
  const logged: string[] = []
  await writeFile(join(dataDir, 'manifest.json'), JSON.stringify({ main: 'main-abc123.js' }))
  await writeFile(join(dataDir, 'main-abc123.js'), 'export {}\n')
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
