/** Two server processes on one PostgreSQL, as behind a load balancer. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { AppSettings } from '../../../demo/backend/settings/demo-apps.ts'
import { freePort } from '../../support/free-port.ts'
import { createDatabase, site } from './world.ts'

export interface ServerProcesses {
  /** Where each of them listens. */
  bases: readonly [string, string]
  dataDir: string
  databaseUrl: string
  /** Does something a hundred times at once, half of them at each process. */
  hundred<T>(work: (base: string) => Promise<T>): Promise<T[]>
  /** Ends the second one as an operator does; resolves with its exit code. */
  endSecond(): Promise<number | null>
  stop(): Promise<void>
}

/**
 * Starts both at once, on an empty database and an empty folder: tables and secrets are made by one of them.
 * @param apps the demo's apps by default
 * @param env what else the processes are told, such as `API_URL`
 */
export async function startServerProcesses(
  server: string,
  { apps, env = {} }: { apps?: readonly AppSettings[]; env?: NodeJS.ProcessEnv } = {},
): Promise<ServerProcesses> {
  const database = await createDatabase(server)
  const dataDir = await mkdtemp(join(tmpdir(), 'latchkey-processes-'))
  const children: ChildProcess[] = []
  if (apps) await writeFile(join(dataDir, 'apps.json'), JSON.stringify(apps))

  async function start(): Promise<string> {
    // Behind an address of their own, they don't say which port they have.
    const port = env.API_URL ? await freePort() : 0
    const child = spawn(process.execPath, ['--import', 'tsx', 'demo/backend/main.ts'], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...process.env,
        PORT: String(port),
        DATABASE_URL: database.url,
        LATCHKEY_DATA: dataDir,
        ...(apps && { APPS_FILE: join(dataDir, 'apps.json') }),
        SMTP_URL: 'smtp://127.0.0.1:1',
        ...env,
      },
    })
    children.push(child)
    for await (const line of createInterface({ input: child.stdout }))
      return port ? `http://127.0.0.1:${port}` : JSON.parse(line).api
    throw new Error('The backend ended without starting')
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
    const bases = await Promise.all([start(), start()])
    return {
      bases,
      dataDir,
      stop,
      databaseUrl: database.url,
      endSecond: () => end(children[1]),
      hundred: (work) =>
        Promise.all(Array.from({ length: 100 }, (_, index) => work(bases[index % 2 ? 1 : 0]))),
    }
  } catch (cause) {
    await stop()
    throw cause
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
    return { status: response.status, body: await response.json() }
  }
