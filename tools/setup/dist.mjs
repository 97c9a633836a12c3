/** Builds `dist/` when it is missing or was made from other sources. */
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { root, run } from './run.mjs'

/** What a build is made from. */
const sources = [
  'src',
  'elements',
  'styles',
  'tools/build',
  'rollup.config.mjs',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
]
const dist = path.join(root, 'dist')
const stamp = path.join(root, '.cache/dist.sha256')

/** Resolves with whether it had to build. */
export async function ensureDist() {
  const now = fingerprint()
  if (fs.existsSync(path.join(dist, 'sri.json')) && readText(stamp) === now) return false
  console.log(fs.existsSync(dist) ? 'Building dist/ anew, its sources changed …' : 'Building dist/ …')
  const started = performance.now()
  await build(dist)
  fs.writeFileSync(stamp, now)
  console.log(`Built dist/ in ${((performance.now() - started) / 1000).toFixed(1)} s.`)
  return true
}

/** Builds next to `folder` and swaps it in, so that nobody sees an incomplete one. */
export async function build(folder) {
  const fresh = path.join(root, `.cache/dist-${process.pid}`)
  fs.mkdirSync(path.dirname(fresh), { recursive: true })
  fs.rmSync(fresh, { recursive: true, force: true })
  try {
    const rollup = path.join(root, 'node_modules/rollup/dist/bin/rollup')
    await run(process.execPath, [rollup, '-c', '--silent'], { env: { ...process.env, LATCHKEY_DIST: fresh } })
    const old = `${fresh}-old`
    if (fs.existsSync(folder)) fs.renameSync(folder, old)
    fs.renameSync(fresh, folder)
    fs.rmSync(old, { recursive: true, force: true })
  } finally {
    fs.rmSync(fresh, { recursive: true, force: true })
  }
}

/** A hash over the names and contents of all sources. */
export function fingerprint() {
  const hash = createHash('sha256')
  for (const file of sources.flatMap((source) => filesOf(path.join(root, source))).sort()) {
    hash
      .update(`${path.relative(root, file)}\0`)
      .update(fs.readFileSync(file))
      .update('\0')
  }
  return hash.digest('hex')
}

function filesOf(place) {
  const stat = fs.statSync(place, { throwIfNoEntry: false })
  if (!stat) return []
  if (!stat.isDirectory()) return [place]
  return fs
    .readdirSync(place, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
}

const readText = (file) => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined)
