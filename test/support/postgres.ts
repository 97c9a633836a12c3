import { execFile, execFileSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { chown, mkdtemp, readFile, rm } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from './free-port.ts'
import { scratch } from './scratch.ts'

const run = promisify(execFile)

/** A PostgreSQL of its own for tests: `url` names its database `postgres`; every role and file is temporary. */
export interface RunningPostgres {
  url: string
  /** What it has written to its log. */
  log(): Promise<string>
  /** Ends it at once, as a power failure does; its files stay. */
  crash(): Promise<void>
  /** Starts it again after a crash, on the same port. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/**
 * Starts a PostgreSQL on a free port with its files in a temporary folder. On Debian, as root, it is installed when
 * it is missing. It is stopped by `stop`, and in any case when this process ends.
 * Resolves with `skipped` and the reason where there is none to be had.
 */
export async function startPostgres(): Promise<RunningPostgres | { skipped: string }> {
  const bin = findBinaries() ?? (await install())
  if (typeof bin !== 'string') return bin
  const root = process.getuid?.() === 0
  const account = root ? await postgresAccount() : undefined
  if (root && !account)
    return { skipped: 'PostgreSQL refuses to run as root, and there is no user "postgres"' }

  // Not below TMPDIR: that may be a folder which the user postgres cannot enter.
  const folder = await mkdtemp(join(scratch === '/dev/shm' ? scratch : '/tmp', 'latchkey-postgres-'))
  if (account) await chown(folder, account.uid, account.gid)
  const data = join(folder, 'data')
  const port = await freePort()
  const command = (name: string, ...args: string[]): [string, string[]] =>
    account
      ? ['su', ['postgres', '-s', '/bin/sh', '-c', [join(bin, name), ...args].map(quoted).join(' ')]]
      : [join(bin, name), args]
  const options = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c fsync=off -c max_connections=200`
  const startNow = command('pg_ctl', '-D', data, '-l', join(folder, 'log'), '-o', options, '-w', 'start')
  const stopNow = command('pg_ctl', '-D', data, '-m', 'immediate', 'stop')
  const atExit = () => {
    execFileSync(...stopNow, { stdio: 'ignore', cwd: '/' })
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await run(...command('initdb', '-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'), {
      cwd: '/',
    })
    await run(...startNow, { cwd: '/' })
  } catch (cause) {
    const log = await readFile(join(folder, 'log'), 'utf8').catch(() => '')
    await rm(folder, { recursive: true, force: true })
    return {
      skipped: `PostgreSQL did not start: ${log.trim() || (cause instanceof Error ? cause.message : cause)}`,
    }
  }
  process.once('exit', atExit)
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    log: () => readFile(join(folder, 'log'), 'utf8'),
    async crash() {
      await run(...stopNow, { cwd: '/' })
    },
    async restart() {
      await run(...startNow, { cwd: '/' })
    },
    async stop() {
      process.off('exit', atExit)
      await run(...stopNow, { cwd: '/' })
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function findBinaries(): string | undefined {
  const packaged = '/usr/lib/postgresql'
  const versions = existsSync(packaged) ? readdirSync(packaged).sort((a, b) => Number(b) - Number(a)) : []
  // The distribution's folders first: in PATH there may be wrappers without pg_ctl beside them.
  const folders = [
    ...versions.map((version) => join(packaged, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ]
  return folders.find((folder) =>
    ['initdb', 'postgres', 'pg_ctl'].every((name) => existsSync(join(folder, name))),
  )
}

async function install(): Promise<string | { skipped: string }> {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
    return { skipped: 'PostgreSQL is not installed, and only root on Debian can be helped with that' }
  console.log('PostgreSQL is missing: installing it with apt-get')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args: string[]) => run('apt-get', args, { env })
  const get = () => apt('install', '-y', '--no-install-recommends', 'postgresql')
  try {
    // Without a list of packages, or with an old one, the first try fails.
    await get().catch(() => apt('update').then(get))
  } catch {
    return { skipped: 'PostgreSQL is not installed, and apt-get could not install it' }
  }
  return findBinaries() ?? { skipped: 'PostgreSQL was installed, but initdb is not where it should be' }
}

async function postgresAccount(): Promise<{ uid: number; gid: number } | undefined> {
  const line = (await readFile('/etc/passwd', 'utf8'))
    .split('\n')
    .find((entry) => entry.startsWith('postgres:'))
  const [, , uid, gid] = line?.split(':') ?? []
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : undefined
}

const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`
