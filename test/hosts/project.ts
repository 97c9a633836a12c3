/** A host app on disk, with the packages of its lock file and the packed package, built and served. */
import { execFile, spawn } from 'node:child_process'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import { listen } from '../../demo/listen.ts'
import { freePort } from '../support/free-port.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'

/** What a program said, and how it ended. */
export interface Said {
  readonly code: number
  readonly output: string
}

export interface Project {
  /** Outside the repository, so that no package of ours is found by chance. */
  readonly folder: string
  /** Runs a program of the project to its end. */
  run(command: readonly string[], env?: Record<string, string>): Promise<Said>
  remove(): Promise<void>
}

/**
 * Copies an app to a folder of its own and unpacks the package there as npm installs it, and the packages of the app's lock
 * file beside it where it has one. Rejects with what npm says.
 */
export async function makeProject(name: string): Promise<Project> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), `latchkey-${name}-`))
  await fs.cp(sourcesOf(name), folder, { recursive: true })
  await installPackages(folder)
  await unpack(folder)
  return projectIn(folder)
}

export const projectIn = (folder: string): Project => ({
  folder,
  run: (command, env) => runIn(folder, command, env),
  remove: () => fs.rm(folder, { recursive: true, force: true }),
})

/** Where an app's own files are. */
export const sourcesOf = (name: string) => fileURLToPath(new URL(`./${name}/`, import.meta.url))

/** Installs the packages of a folder's lock file. Rejects with what npm says. */
export async function installPackages(folder: string): Promise<void> {
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline']
  await run(npm, ['ci', ...quiet], { cwd: folder, maxBuffer: 2 ** 24 })
}

/** Packs the package and installs it in a project. */
export async function unpack(folder: string): Promise<void> {
  const installed = path.join(folder, 'node_modules/latchkey')
  const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
  const { stdout } = await run(npm, pack, { cwd: root })
  const tarball = path.join(folder, JSON.parse(stdout)[0].filename)
  await fs.mkdir(installed, { recursive: true })
  await run('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1'])
  await fs.rm(tarball)
}

/**
 * What a developer's machine has set says nothing of the app; nothing is told to the vendors of the tools. Node warns
 * where colours are both forced and refused.
 */
const environment = (env: Record<string, string> = {}): NodeJS.ProcessEnv => {
  const { NODE_ENV: _, VITEST: __, FORCE_COLOR: ___, ...rest } = process.env
  return {
    ...rest,
    NEXT_TELEMETRY_DISABLED: '1',
    NG_CLI_ANALYTICS: 'false',
    CI: '1',
    NO_COLOR: '1',
    ...env,
  } as NodeJS.ProcessEnv
}

/** Some colour what they say whatever they are told. */
const plain = (said: string) => said.replaceAll(new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, 'g'), '')

async function runIn(
  folder: string,
  command: readonly string[],
  env?: Record<string, string>,
): Promise<Said> {
  const [program = '', ...args] = command
  try {
    const options = { cwd: folder, env: environment(env), maxBuffer: 2 ** 26 }
    const { stdout, stderr } = await run(program, args, options)
    return { code: 0, output: plain(stdout + stderr) }
  } catch (cause) {
    const { code, stdout = '', stderr = '' } = cause as { code?: unknown; stdout?: string; stderr?: string }
    if (typeof code !== 'number') throw cause
    return { code, output: plain(stdout + stderr) }
  }
}

export interface Served {
  readonly origin: string
  /** What the server itself has said so far. */
  output(): string
  close(): Promise<void>
}

/** Serves built files; every path that is no file is the app's page, as hosts of such apps do it. */
export async function serveFiles(folder: string): Promise<Served> {
  const port = await freePort()
  const html = await fs.readFile(path.join(folder, 'index.html'), 'utf8')
  const app = new Hono()
    .get('/', (c) => c.html(html))
    .use('*', serveStatic({ root: folder }))
    .get('*', (c) => c.html(html))
  const server = await listen(port, app, 'host')
  return { origin: `http://localhost:${port}`, output: () => '', close: () => server.close() }
}

/** Serves what another server answers, with other words in place of some: what is built once is served with addresses of now. */
export async function serveWith(served: Served, words: Record<string, string>): Promise<Served> {
  const port = await freePort()
  const put = (text: string) =>
    Object.entries(words).reduce((before, [word, other]) => before.replaceAll(word, other), text)
  const app = new Hono().get('*', async ({ req }) => {
    const { pathname, search } = new URL(req.url)
    const asked = new Headers(req.raw.headers)
    for (const name of ['host', 'connection']) asked.delete(name)
    const answer = await fetch(`${served.origin}${pathname}${search}`, { headers: asked })
    const headers = new Headers(answer.headers)
    // Its length and its packing were those of the other server.
    for (const name of ['content-length', 'content-encoding', 'transfer-encoding', 'connection'])
      headers.delete(name)
    const isText = /^text\/|javascript/.test(headers.get('content-type') ?? '')
    const body = isText ? put(await answer.text()) : await answer.arrayBuffer()
    // What the browser has kept still is as it was.
    return new Response(answer.body && body, { status: answer.status, headers })
  })
  const server = await listen(port, app, 'host')
  return {
    origin: `http://localhost:${port}`,
    output: served.output,
    async close() {
      await server.close()
      await served.close()
    },
  }
}

/** Starts an app's own server, and waits until it answers. Rejects with what it said if it doesn't. */
export async function serveBy(
  project: Project,
  command: (port: number) => string[],
  env: Record<string, string>,
): Promise<Served> {
  const port = await freePort()
  const [program = '', ...args] = command(port)
  const child = spawn(program, args, { cwd: project.folder, env: environment(env), detached: true })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      said += chunk
    })
  let ended = false
  const end = new Promise<void>((resolve) =>
    child.once('close', () => {
      ended = true
      resolve()
    }),
  )
  const close = async () => {
    // Its workers too.
    if (!ended && child.pid) process.kill(-child.pid, 'SIGTERM')
    await end
  }
  const origin = `http://localhost:${port}`
  for (let tries = 0; tries < 600 && !ended; tries++) {
    const answer = await fetch(origin).catch(() => undefined)
    if (answer?.ok) return { origin, output: () => plain(said), close }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  await close()
  throw new Error(`The server did not answer:\n${said}`)
}
