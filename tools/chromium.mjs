/** Which Chromium the tests and measurements start, and with which switches. `tools/setup.mjs` chose it. */
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Where the set-up writes its choice: { path, args, from, version, headlessShell }. */
export const chromiumRecord = fileURLToPath(new URL('../.cache/chromium.json', import.meta.url))

/** No sandbox, because containers seldom allow one; nothing that talks to the outside by itself. */
const switches = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** The program's path and the switches to start it with. Throws when the set-up has not run. */
export function findChromium() {
  const { path, args } = recorded()
  return { path, args: [...new Set([...switches, ...args])] }
}

/** The same engine without the browser's own windows, for whatever is about pages alone; Chromium where there is none. */
export function findHeadlessShell() {
  const chromium = findChromium()
  return { ...chromium, path: recorded().headlessShell ?? chromium.path }
}

function recorded() {
  if (!fs.existsSync(chromiumRecord)) {
    throw new Error('No Chromium has been chosen yet. Run: node tools/setup.mjs test')
  }
  return JSON.parse(fs.readFileSync(chromiumRecord, 'utf8'))
}

/** What the program says of itself, or undefined when it does not start. */
export function chromiumVersion({ path }) {
  const said = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 20_000 })
  return said.status === 0 ? said.stdout.trim().replace(/ built on.*$/, '') : undefined
}
