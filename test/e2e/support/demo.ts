import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, expect, type Page } from '@playwright/test'

/** What `demo.json` says of a running demo. */
export interface Demo {
  site: string
  api: string
  vault: string
  inbox: string
  gallery: string
  world: string
  apps: { id: string; clientId: string; name: string; wallets: boolean }[]
  /** Nodes by chain id; empty where this machine has no anvil. */
  chains: Record<number, string>
  solanaRpcUrl: string
  relayUrl: string
}
interface Mail {
  to: string
  code: string
  at: string
}

/** A free port with some more free ones behind it. */
async function freePorts(): Promise<number> {
  for (let port = 20_000 + Math.floor(Math.random() * 20_000); ; port += 16) {
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

/** Starts the demo as `npm start` does, in a data folder of its own. */
export async function startDemo(
  env: Record<string, string> = {},
): Promise<{ demo: Demo; stop: () => Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'latchkey-e2e-'))
  const child = spawn(process.execPath, ['--import', 'tsx', 'demo/start.ts'], {
    env: { ...process.env, LATCHKEY_PORT: String(await freePorts()), LATCHKEY_DATA: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(String(chunk)))
  const demo = await manifest(join(dataDir, 'demo.json'), child, output)
  const stop = async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await ended
    await rm(dataDir, { recursive: true, force: true })
  }
  return { demo, stop }
}

async function manifest(file: string, child: ChildProcess, output: string[]): Promise<Demo> {
  for (let tries = 0; tries < 600; tries++) {
    if (child.exitCode !== null) throw new Error(`The demo ended:\n${output.join('')}`)
    const text = await readFile(file, 'utf8').catch(() => undefined)
    if (text?.endsWith('\n')) return JSON.parse(text)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  child.kill('SIGKILL')
  throw new Error(`The demo did not start:\n${output.join('')}`)
}

/** The newest code that was mailed to an address after `since` (milliseconds). */
export async function mailedCode(demo: Demo, to: string, since: number): Promise<string> {
  for (let tries = 0; tries < 100; tries++) {
    const mails = (await (await fetch(`${demo.inbox}/messages.json`)).json()) as Mail[]
    const mail = mails.find((each) => each.to === to && Date.parse(each.at) >= since)
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
  await expect(page.getByRole('heading', { name: 'Enter confirmation code' })).toBeVisible()
  await page.getByLabel(/^Confirmation code/).pressSequentially(await mailedCode(demo, email, since))
}

/** Everything on the page that a person or a developer should not have met. */
export function watchPage(page: Page) {
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(`uncaught: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()}`)
  })
  return problems
}

export const test = base.extend<object, { demo: Demo }>({
  demo: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern
    async ({}, use) => {
      const { demo, stop } = await startDemo()
      await use(demo)
      await stop()
    },
    { scope: 'worker', timeout: 90_000 },
  ],
})
export { expect }
