/** Starts the demo for a measurement, on ports and with data of its own, and speaks to it as a script would. */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const patience = 60_000

export interface Demo {
  readonly api: string
  readonly vault: string
  readonly inbox: string
  readonly app: { readonly id: string; readonly clientId: string; readonly name: string }
  stop(): Promise<void>
}

/** Resolves when everything answers. With `databaseUrl` the backend keeps its data in that PostgreSQL. */
export async function startDemo(port: number, databaseUrl?: string): Promise<Demo> {
  const data = mkdtempSync(path.join(os.tmpdir(), 'latchkey-bench-'))
  const { DATABASE_URL: _, ...rest } = process.env
  const env = { ...rest, LATCHKEY_PORT: String(port), LATCHKEY_DATA: data }
  const child = spawn(process.execPath, ['--import', 'tsx', 'demo/start.ts'], {
    cwd: root,
    env: databaseUrl ? { ...env, DATABASE_URL: databaseUrl } : env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()))
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
    rmSync(data, { recursive: true, force: true })
  }

  const manifest = path.join(data, 'demo.json')
  const until = Date.now() + patience
  while (!existsSync(manifest)) {
    if (child.exitCode !== null || Date.now() > until) {
      await stop()
      throw new Error(`the demo did not start\n${said}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const { apps, ...addresses } = JSON.parse(readFileSync(manifest, 'utf8'))
  return { ...addresses, app: apps[0], stop }
}

/** Posts to the API as the kit does. Throws with the server's words when it refuses. */
export async function post(
  demo: Demo,
  to: string,
  body: object,
  token?: string,
): Promise<Record<string, string>> {
  const response = await fetch(`${demo.api}/api/v1/${to}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'privy-app-id': demo.app.id,
      'privy-client-id': demo.app.clientId,
      'privy-client': 'latchkey-bench:1',
      origin: new URL(demo.api).origin,
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${to} answered ${response.status}: ${text.slice(0, 200)}`)
  return JSON.parse(text)
}

/** The newest code in the inbox for each address. */
export async function codesOf(demo: Demo): Promise<Map<string, string>> {
  const response = await fetch(`${demo.inbox}/messages.json`)
  const messages = (await response.json()) as { to: string; code: string }[]
  return new Map(messages.reverse().map(({ to, code }) => [to, code]))
}

/** Sends a code to each address and waits until all have come. */
export async function sendCodes(demo: Demo, addresses: readonly string[]): Promise<Map<string, string>> {
  for (const email of addresses) await post(demo, 'passwordless/init', { email })
  for (let tries = 0; tries < 200; tries++) {
    const codes = await codesOf(demo)
    if (addresses.every((address) => codes.has(address))) return codes
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('not all codes came into the inbox')
}
