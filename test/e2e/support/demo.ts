import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, expect, type Page } from '@playwright/test'
import { limit } from '../../support/limit.ts'
import { codeBoxes } from './approval.ts'
import type { Embedding } from './embedding.ts'
import type { ExportSite } from './export-site.ts'
import type { HostileSite } from './hostile-site.ts'

/** What `demo.json` says of a running demo. */
export interface Demo {
  site: string
  api: string
  vault: string
  inbox: string
  gallery: string
  world: string
  apps: {
    id: string
    clientId: string
    name: string
    vault: 'strict' | 'compatible'
    wallets: boolean
  }[]
  /** Nodes by chain id; empty where this machine has no anvil. */
  chains: Record<number, string>
  solanaRpcUrl: string
  relayUrl: string
}
interface Mail {
  to: string
  subject: string
  body: string
  code: string
  at: string
}

/**
 * A free port with some more free ones behind it. They are below those that systems give to whoever asks for any port,
 * or one could be gone before the demo listens.
 */
async function freePorts(): Promise<number> {
  for (;;) {
    const port = 20_000 + 16 * Math.floor(Math.random() * 790)
    const taken = await Promise.all(Array.from({ length: 11 }, (_, more) => isTaken(port + more)))
    if (!taken.includes(true)) return port
  }
}
const isTaken = (port: number) =>
  new Promise<boolean>((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(true))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(false)))
  })

/**
 * Starts the demo as `npm start` does, in a data folder of its own, and does not wait until it runs.
 * Resolves with that folder, and what ends the demo again.
 */
export async function launchDemo(
  env: Record<string, string> = {},
): Promise<{ folder: string; stop: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-e2e-'))
  const output = await open(join(folder, 'output.txt'), 'w')
  const child = spawn(process.execPath, ['--import', 'tsx', 'demo/start.ts'], {
    env: { ...process.env, LATCHKEY_PORT: String(await freePorts()), LATCHKEY_DATA: folder, ...env },
    stdio: ['ignore', output.fd, output.fd],
  })
  await output.close()
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  void ended.then(() => writeFile(join(folder, 'ended'), '')).catch(() => {})
  return {
    folder,
    async stop() {
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The same, once it runs. */
export async function startDemo(
  env: Record<string, string> = {},
): Promise<{ demo: Demo; stop: () => Promise<void> }> {
  const { folder, stop } = await launchDemo(env)
  return { demo: await demoIn(folder), stop }
}

/** A demo in which nobody has to show anew for ten minutes how a wallet is recovered, only for these few seconds. */
const proofLife = limit(4_000)
export const shortProofs = { LIMITS: JSON.stringify({ recoveryPresentLife: proofLife }) }
/** By the server's clock, which is this machine's. */
export async function untilProofsEnd(): Promise<void> {
  const end = Date.now() + proofLife
  await expect.poll(() => Date.now() > end, { timeout: 2 * proofLife }).toBe(true)
}

/** The demo that keeps its files in this folder, once it runs. Throws with what it printed when it does not. */
async function demoIn(folder: string): Promise<Demo> {
  const read = (name: string) => readFile(join(folder, name), 'utf8').catch(() => undefined)
  for (const end = Date.now() + limit(120_000); Date.now() < end; ) {
    const text = await read('demo.json')
    if (text?.endsWith('\n')) return JSON.parse(text)
    if ((await read('ended')) !== undefined) throw new Error(`The demo ended:\n${await read('output.txt')}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`The demo did not start:\n${await read('output.txt')}`)
}

/** Where the global setup tells the workers which demo they share. */
export const demoFolderVariable = 'LATCHKEY_E2E_DEMO'

/**
 * An e-mail address that nobody else has, in this test or another: all tests share one demo. The same name is the same
 * address for as long as a test runs, and another one when it runs again.
 */
export function emailOf(name: string): string {
  const { testId, retry, repeatEachIndex } = test.info()
  const run = createHash('sha256').update(`${testId} ${retry} ${repeatEachIndex}`).digest('hex').slice(0, 8)
  return `${name}.${run}@example.com`
}

/** Every message to an address or number, the newest first. */
export async function messagesTo(demo: Demo, to: string): Promise<Mail[]> {
  const messages = (await (await fetch(`${demo.inbox}/messages.json`)).json()) as Mail[]
  return messages.filter((each) => each.to === to)
}

/** The newest code that was mailed to an address after `since` (milliseconds). */
export async function mailedCode(demo: Demo, to: string, since: number): Promise<string> {
  for (const end = Date.now() + limit(30_000); Date.now() < end; ) {
    // Notices go to the same address.
    const mail = (await messagesTo(demo, to)).find(({ code, at }) => code && Date.parse(at) >= since)
    if (mail) return mail.code
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`No mail for ${to}`)
}

/** Types an address and the code that was mailed to it. */
export async function logIn(page: Page, demo: Demo, email: string): Promise<void> {
  const since = Date.now() - 1000
  await page.getByLabel('Email address').fill(email)
  await page.getByRole('button', { name: 'Submit' }).click()
  const boxes = await codeBoxes(page)
  await boxes.pressSequentially(await mailedCode(demo, email, since))
}

/** Everything on the page that a person or a developer should not have met. */
export function watchPage(page: Page) {
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(`uncaught: ${error.message}`))
  page.on('console', (message) => {
    // A resource that fails is named by its address alone.
    if (message.type() === 'error') problems.push(`console: ${message.text()} ${message.location().url}`)
  })
  return problems
}

type Kept<T> = [
  (given: object, use: (started: T) => Promise<void>) => Promise<void>,
  { scope: 'worker'; timeout: number },
]
/** Something that a worker starts when a journey first needs it, and keeps for those after it. */
const kept = <T extends { stop(): Promise<void> }>(start: () => Promise<T>): Kept<T> => [
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern
  async ({}, use) => {
    const started = await start()
    await use(started)
    await started.stop()
  },
  { scope: 'worker', timeout: limit(180_000) },
]

/**
 * What journeys have to do with. All of them have one list, whatever each needs of it: for another list Playwright ends
 * its workers, and starts others with browsers of their own. What only some need is imported by those.
 */
interface Places {
  demo: Demo
  sight: boolean
  /** One whose chains no other worker uses: its blocks may wait, be given up, or come at once. */
  ownDemo: { readonly demo: Demo }
  hostileSite: HostileSite
  embedding: Embedding
  exportSite: ExportSite
}
export const test = base.extend<{ ownContexts: undefined }, Places>({
  /** A page that outlives its journey takes time from the others of its worker. */
  ownContexts: [
    async ({ browser }, use) => {
      await use(undefined)
      await Promise.all(browser.contexts().map((context) => context.close()))
    },
    { auto: true },
  ],
  /** Whether browsers can tell a frame what people see of it; the vault opens a window for everything where they can't. */
  sight: [true, { scope: 'worker', option: true }],
  browser: [
    async ({ browser, sight }, use) => {
      const { newContext } = browser
      if (!sight)
        browser.newContext = async (...options) => {
          const context = await newContext.apply(browser, options)
          await context.addInitScript(() => {
            delete (IntersectionObserverEntry.prototype as { isVisible?: unknown }).isVisible
          })
          return context
        }
      await use(browser)
      browser.newContext = newContext
    },
    { scope: 'worker' },
  ],
  demo: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern
    async ({}, use) => {
      await use(await demoIn(process.env[demoFolderVariable] ?? ''))
    },
    { scope: 'worker', timeout: limit(150_000) },
  ],
  ownDemo: kept(() => startDemo()),
  hostileSite: kept(async () => (await import('./hostile-site.ts')).startHostileSite()),
  embedding: kept(async () => (await import('./embedding.ts')).startEmbedding()),
  exportSite: kept(async () => (await import('./export-site.ts')).startExportSite()),
})
export { expect }
