/**
 * Finds a Chromium for the tests and the measurements, and brings one when there is none. In this order: the variable
 * CHROMIUM, one that the system has, Debian's package (as root), the npm package @sparticuz/chromium.
 */
import fs from 'node:fs'
import path from 'node:path'
import { chromiumRecord, chromiumVersion } from '../chromium.mjs'
import { npm } from './packages.mjs'
import { inPath, isProgram, readJson, root, run, writeJson } from './run.mjs'

const systemNames = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const fromNpm = '@sparticuz/chromium@147.0.0'

export async function ensureChromium() {
  const found = named() ?? (await known()) ?? system() ?? (await fromDebian()) ?? (await fromPackage())
  const version = chromiumVersion(found)
  if (!version) {
    throw new Error(
      `${found.path} (${found.from}) does not start. Set the variable CHROMIUM to a Chromium or Chrome that does.`,
    )
  }
  writeJson(chromiumRecord, { ...found, version })
  console.log(`Chromium for tests: ${version}, ${found.path} (${found.from}).`)
}

function named() {
  const path = process.env.CHROMIUM
  if (!path) return undefined
  if (!isProgram(path)) throw new Error(`CHROMIUM is set to ${path}, but there is no program at this path.`)
  return { path, args: [], from: 'the variable CHROMIUM' }
}

function system() {
  const path = systemNames.map(inPath).find(Boolean)
  return path && { path, args: [], from: 'the system' }
}

/** What an earlier run unpacked from npm: unpacking it again would take seconds. */
async function known() {
  const record = readJson(chromiumRecord)
  if (record?.from !== fromNpm || system()) return undefined
  return isProgram(record.path) ? record : undefined
}

async function fromDebian() {
  if (process.getuid?.() !== 0 || !inPath('apt-get')) return undefined
  console.log('No Chromium found. Installing the Debian package "chromium" (about 80 MB) …')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args) => run('apt-get', [...args, '-qq'], { quiet: true, env })
  // What it recommends is twice its size and for people: drivers of graphics cards, a sandbox, a notifier.
  const install = () => apt('install', '-y', '--no-install-recommends', 'chromium', 'fonts-liberation')
  try {
    // Without a list of packages, or with an old one, the first try fails.
    await install().catch(() => apt('update').then(install))
  } catch (error) {
    console.log(`That did not work (${error.message}).`)
    return undefined
  }
  return system()
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
