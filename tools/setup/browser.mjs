/**
 * Finds a Chromium for the tests and the measurements, and brings one when there is none. In this order: the variable
 * CHROMIUM, one that the system has, Debian's package (as root), the npm package @sparticuz/chromium. Beside Debian's
 * Chromium it brings the headless shell of the same version: the same engine without the browser's own windows, which
 * takes a quarter less work.
 */
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { chromiumRecord, chromiumVersion } from '../chromium.mjs'
import { npm } from './packages.mjs'
import { inPath, isProgram, readJson, root, run, writeJson } from './run.mjs'

const systemNames = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const fromNpm = '@sparticuz/chromium@147.0.0'
const systemsOwn = 'the system'
const shellPackage = 'chromium-headless-shell'

export async function ensureChromium() {
  const found = named() ?? (await known()) ?? system() ?? (await fromDebian()) ?? (await fromPackage())
  const version = chromiumVersion(found)
  if (!version) {
    throw new Error(
      `${found.path} (${found.from}) does not start. Set the variable CHROMIUM to a Chromium or Chrome that does.`,
    )
  }
  const headlessShell = await shellBeside(found, version)
  writeJson(chromiumRecord, { ...found, version, headlessShell })
  console.log(`Chromium for tests: ${version}, ${found.path} (${found.from}).`)
  console.log(
    headlessShell
      ? `Without a window: ${headlessShell}.`
      : 'There is no headless shell of it; tests take longer.',
  )
}

/**
 * The path of the headless shell of a Chromium, or null. Whoever names a program wants that one; the npm package is
 * such a shell itself, so it stands in for both.
 */
async function shellBeside(found, version) {
  if (found.from === fromNpm) return found.path
  if (found.from !== systemsOwn) return null
  const there = () => {
    const path = inPath(shellPackage)
    return path && chromiumVersion({ path }) === version ? path : null
  }
  const before = readJson(chromiumRecord)
  // What could not be had once is not asked for again with every command.
  const isKnownMissing =
    before?.path === found.path && before.version === version && before.headlessShell === null
  return there() ?? (isKnownMissing || !(await bringShell(found)) ? null : there())
}

/** Installs the headless shell of the Chromium that is there, whose version stays as it is. */
async function bringShell({ path }) {
  if (!hasApt() || path !== inPath('chromium')) return false
  const asked = spawnSync('dpkg-query', ['-W', 'chromium'], { encoding: 'utf8' })
  const [, version] = asked.stdout?.trim().split('\t') ?? []
  if (asked.status !== 0 || !version) return false
  console.log(`Installing the Debian package "${shellPackage}" (about 60 MB) …`)
  return install(`${shellPackage}=${version}`)
}

function named() {
  const path = process.env.CHROMIUM
  if (!path) return undefined
  if (!isProgram(path)) throw new Error(`CHROMIUM is set to ${path}, but there is no program at this path.`)
  return { path, args: [], from: 'the variable CHROMIUM' }
}

function system() {
  const path = systemNames.map(inPath).find(Boolean)
  return path && { path, args: [], from: systemsOwn }
}

/** What an earlier run unpacked from npm: unpacking it again would take seconds. */
async function known() {
  const record = readJson(chromiumRecord)
  if (record?.from !== fromNpm || system()) return undefined
  return isProgram(record.path) ? record : undefined
}

async function fromDebian() {
  if (!hasApt()) return undefined
  console.log('No Chromium found. Installing the Debian package "chromium" (about 80 MB) …')
  return (await install('chromium', 'fonts-liberation')) ? system() : undefined
}

const hasApt = () => process.getuid?.() === 0 && inPath('apt-get') !== undefined

/** Installs Debian's packages, and resolves with whether that worked. */
async function install(...packages) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args) => run('apt-get', [...args, '-qq'], { quiet: true, env })
  // What they recommend is twice their size and for people: drivers of graphics cards, a sandbox, a notifier.
  const bring = () => apt('install', '-y', '--no-install-recommends', ...packages)
  try {
    // Without a list of packages, or with an old one, the first try fails.
    await bring().catch(() => apt('update').then(bring))
    return true
  } catch (error) {
    console.log(`That did not work (${error.message}).`)
    return false
  }
}

async function fromPackage() {
  const folder = path.join(root, '.cache/chromium')
  console.log(`No Chromium found. Bringing ${fromNpm} from npm into .cache/ …`)
  fs.mkdirSync(folder, { recursive: true })
  const flags = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  await run(npm, ['install', '--prefix', folder, ...flags, fromNpm])
  const entry = path.join(folder, 'node_modules/@sparticuz/chromium/build/esm/index.js')
  const { default: chromium } = await import(entry)
  // It unpacks itself into the temporary folder; ours is still there after a restart. Its own switches are left out:
  // they turn web security off, which is what some tests are about.
  process.env.TMPDIR = folder
  return { path: await chromium.executablePath(), args: [], from: fromNpm }
}
