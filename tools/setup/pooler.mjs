/**
 * Brings PgBouncer for the backend's suite of faults: Debian's package. Where that isn't possible, the suite skips what
 * needs it and says so.
 */
import { existsSync } from 'node:fs'
import { inPath, run } from './run.mjs'

export async function ensurePooler() {
  if (existsSync('/usr/sbin/pgbouncer') || inPath('pgbouncer')) return
  if (process.getuid?.() !== 0 || !inPath('apt-get')) {
    console.log('Not here: pgbouncer. Installing it takes root and apt-get; the tests go without.')
    return
  }
  console.log('Installing the Debian package pgbouncer (about 1 MB) …')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args) => run('apt-get', [...args, '-qq'], { quiet: true, env })
  const install = () => apt('install', '-y', '--no-install-recommends', 'pgbouncer')
  try {
    // Without a list of packages, or with an old one, the first try fails.
    await install().catch(() => apt('update').then(install))
  } catch (error) {
    console.log(`That did not work (${error.message}). The tests go without it.`)
  }
}
