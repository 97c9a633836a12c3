import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { delimiter, join } from 'node:path'
import { freePort } from './free-port.ts'

/** A PgBouncer in transaction mode in front of a PostgreSQL. */
export interface RunningPgBouncer {
  /** The address of a database behind it. */
  urlOf(databaseUrl: string): string
  stop(): Promise<void>
}

/**
 * Starts a PgBouncer on a free port. Each transaction gets another of its few connections.
 * Resolves with `skipped` and the reason where there is none: `node tools/setup.mjs test backend` brings Debian's package.
 */
export async function startPgBouncer(postgresUrl: string): Promise<RunningPgBouncer | { skipped: string }> {
  const program = findPgBouncer()
  if (!program) return { skipped: 'PgBouncer is not installed (Debian: pgbouncer)' }
  const { hostname, port: target } = new URL(postgresUrl)
  const folder = await mkdtemp('/tmp/latchkey-pgbouncer-')
  // It gives up being root, and reads its files as another user.
  await chmod(folder, 0o755)
  const port = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(join(folder, 'users.txt'), '"postgres" ""\n')
  await writeFile(
    file,
    [
      '[databases]',
      `* = host=${hostname} port=${target} user=postgres`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = any',
      'pool_mode = transaction',
      'default_pool_size = 8',
      'max_client_conn = 500',
      // Another connection for each transaction shows what depends on a session.
      'server_round_robin = 1',
      '',
    ].join('\n'),
  )
  const child = spawn(program, [...(process.getuid?.() === 0 ? ['-u', 'postgres'] : []), file], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const said: string[] = []
  child.stderr.on('data', (chunk) => said.push(String(chunk)))
  const atExit = () => child.kill('SIGKILL')
  process.once('exit', atExit)
  const stop = async () => {
    process.off('exit', atExit)
    await end(child)
    await rm(folder, { recursive: true, force: true })
  }
  while (child.exitCode === null && !(await isListening(port)))
    await new Promise((later) => setTimeout(later, 50))
  if (child.exitCode !== null) {
    await stop()
    return { skipped: `PgBouncer did not start: ${said.join('').trim()}` }
  }
  return {
    urlOf(databaseUrl) {
      const url = new URL(databaseUrl)
      url.port = String(port)
      return url.href
    },
    stop,
  }
}

async function end(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

const isListening = (port: number) =>
  new Promise<boolean>((answer) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => answer(true))
    socket.once('error', () => answer(false))
    socket.once('connect', () => socket.destroy())
  })

function findPgBouncer(): string | undefined {
  const folders = ['/usr/sbin', ...(process.env.PATH ?? '').split(delimiter)]
  return folders.map((folder) => join(folder, 'pgbouncer')).find((file) => existsSync(file))
}
