/**
 * How many bytes a page pays, beside the budgets: `npm run size`. What is loaded is seen in a real browser, not guessed
 * from names. `--check` leaves the list of files out; `--json <file>` also writes the figures. Exits 1 over budget.
 */
import fs from 'node:fs'
import path from 'node:path'
import { chromium } from 'playwright-core'
import { findChromium } from './chromium.mjs'
import { closureOf, sizesOf, sum } from './measure/bundle.mjs'
import { serve } from './measure/serve.mjs'
import { appId, storedSession, walletAppId } from './measure/stub-api.mjs'
import { readJson, root, writeJson } from './setup/run.mjs'

const KiB = 1024
const dist = path.resolve(root, process.env.LATCHKEY_DIST ?? 'dist')
const shell = path.join(dist, 'cdn/latchkey.js')
const limits = { screen: 15_000, quiet: 1_500 }

/** Each situation in a fresh browser profile, and the script files that it asked the server for. */
async function observe() {
  const server = await serve({
    pages: {
      '/closed': page(appId, ''),
      '/open': page(appId, 'open'),
      '/wallets': page(walletAppId, 'open'),
    },
    folders: { '/latchkey/': path.dirname(shell) },
  })
  const { path: executablePath, args } = findChromium()
  const browser = await chromium.launch({ executablePath, args })
  const visit = async (name, until, stored = {}) => {
    const context = await browser.newContext()
    await context.addInitScript((items) => {
      for (const [key, value] of Object.entries(items)) localStorage.setItem(key, value)
    }, stored)
    const tab = await context.newPage()
    server.forget()
    await tab.goto(server.origin + name)
    await until(tab)
    const scripts = server.forget()
    await context.close()
    return scripts
  }
  try {
    return {
      closed: await visit('/closed', untilQuiet),
      restored: await visit('/closed', untilReady, storedSession),
      open: await visit('/open', untilLanding),
      chosen: await visit('/open', untilChosen),
      list: await visit('/wallets', untilWallets),
    }
  } finally {
    await browser.close()
    server.close()
  }
}

const page = (id, attributes) => (origin) =>
  `<!doctype html><meta charset=utf-8><title>Measured</title><link rel=icon href=data:,>
<script>addEventListener('lk-ready', () => { window.isReady = true })</script>
<script type="module" src="/latchkey/latchkey.js"></script>
<login-modal app-id="${id}" api-url="${origin}" ${attributes}></login-modal>`

const untilQuiet = async (tab) => {
  await defined(tab)
  await tab.waitForTimeout(limits.quiet)
}
const untilReady = async (tab) => {
  await defined(tab)
  await tab
    .waitForFunction(() => window.isReady, undefined, { timeout: limits.screen })
    .catch(() => {
      throw new Error('with a stored session <login-modal> never said lk-ready')
    })
  await tab.waitForTimeout(limits.quiet)
}
const untilLanding = async (tab) => {
  await defined(tab)
  const field = tab.locator('login-modal input[type=email]')
  await field.waitFor({ state: 'visible', timeout: limits.screen }).catch(() => {
    throw new Error('<login-modal open> never showed its landing screen (an e-mail field)')
  })
}
/** What any way in needs is there once somebody has chosen one: it is no part of the list. */
const untilChosen = async (tab) => {
  await untilLanding(tab)
  await tab.waitForTimeout(limits.quiet)
  await tab.locator('login-modal input[type=email]').fill('ada@example.com')
  await tab.keyboard.press('Enter')
  await tab.waitForTimeout(limits.quiet)
}
const untilWallets = async (tab) => {
  await untilLanding(tab)
  await tab.getByRole('button', { name: 'Continue with a wallet' }).click()
  await tab.getByRole('button', { name: /MetaMask/ }).waitFor({ state: 'visible', timeout: limits.screen })
  await tab.waitForTimeout(limits.quiet)
}
const defined = (tab) =>
  tab
    .waitForFunction(() => customElements.get('login-modal'), undefined, { timeout: limits.screen })
    .catch(() => {
      throw new Error('dist/cdn/latchkey.js never defined <login-modal>')
    })

/** One line of the table: what it is, what it weighs, what it may weigh, and what else must hold. */
async function figures() {
  const { closed, restored, open, chosen, list } = await observe()
  const carried = new Set(closed)
  const beyond = (scripts) => scripts.filter((file) => !carried.has(file))
  const vaultPages = readJson(path.join(dist, 'vault/manifest.json'))
  const vault = (page) => sizesOf(path.join(dist, 'vault', vaultPages[page])).brotli
  return {
    lines: [
      {
        what: 'page that only carries <login-modal>',
        bytes: sum(carried, 'gzip'),
        form: 'gzip',
        budget: 8 * KiB,
        wrong: closed.some(hasReact) && `React is in ${closed.filter(hasReact).map(nameOf).join(', ')}`,
      },
      {
        what: 'restoring a session, beyond that',
        bytes: sum(beyond(restored), 'brotli'),
        form: 'brotli',
        budget: 20 * KiB,
        wrong:
          (beyond(restored).length === 0 && 'nothing was loaded: the session was not restored') ||
          (restored.some(hasReact) && `React is in ${restored.filter(hasReact).map(nameOf).join(', ')}`),
      },
      {
        what: 'landing screen, everything loaded',
        bytes: sum(new Set(open), 'brotli'),
        form: 'brotli',
        budget: 85 * KiB,
      },
      {
        what: 'wallet list, beyond that and any login',
        bytes: sum(
          list.filter((file) => !open.includes(file) && !chosen.includes(file)),
          'brotli',
        ),
        form: 'brotli',
        budget: 25 * KiB,
      },
      { what: 'vault', bytes: vault('main'), form: 'brotli', budget: 60 * KiB },
      { what: 'vault, the page that shows a key', bytes: vault('export'), form: 'brotli', budget: 40 * KiB },
      ...walletSdks(new Set(open)),
    ],
    loaded: { closed, restored, open },
  }
}

/** What somebody loads beyond the landing screen who chooses a wallet that needs an SDK; known by a word of the SDK's. */
function walletSdks(loaded) {
  const folder = path.dirname(shell)
  const files = fs.readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.js'))
  const parts = { WalletConnect: 'wc_sessionPropose', 'Coinbase Wallet': 'walletlink.org' }
  return Object.entries(parts).flatMap(([what, word]) => {
    const entry = files
      .map((file) => path.join(folder, file))
      .find((file) => fs.readFileSync(file, 'utf8').includes(word))
    if (!entry) return []
    const more = [...closureOf(entry)].filter((file) => !loaded.has(file))
    const early = loaded.has(entry) && 'it is loaded before anybody has chosen it'
    return [{ what: `${what}, once it is chosen`, bytes: sum(more, 'brotli'), form: 'brotli', wrong: early }]
  })
}

/** React marks its elements with this name, and no minifier may change it. */
const hasReact = (file) => fs.readFileSync(file, 'utf8').includes('react.transitional.element')
const nameOf = (file) => path.relative(dist, file)
const kib = (bytes) => `${(bytes / KiB).toFixed(1)} KiB`

function printTable(lines) {
  console.log(`${'Size'.padEnd(38)}${'figure'.padStart(10)}${'budget'.padStart(10)}`)
  for (const { what, bytes, form, budget, wrong } of lines) {
    const known = budget === undefined ? '' : 'ok'
    const verdict = bytes > budget ? `OVER by ${kib(bytes - budget)}` : wrong ? `WRONG: ${wrong}` : known
    const limit = budget === undefined ? '' : kib(budget)
    console.log(
      `${what.padEnd(38)}${kib(bytes).padStart(10)}${limit.padStart(10)} ${form.padEnd(7)}${verdict}`,
    )
  }
}

function printFiles({ closed, restored, open }) {
  console.log(`\n${'File of dist/cdn'.padEnd(38)}${'brotli'.padStart(10)}${'gzip'.padStart(10)}  loaded when`)
  for (const file of [...new Set([...closed, ...restored, ...open])]) {
    const { brotli, gzip } = sizesOf(file)
    const when = [
      closed.includes(file) && 'carried',
      restored.includes(file) && 'restored',
      open.includes(file) && 'landing',
    ]
    const name = path.relative(path.dirname(shell), file).padEnd(38)
    console.log(
      `${name}${kib(brotli).padStart(10)}${kib(gzip).padStart(10)}  ${when.filter(Boolean).join(', ')}`,
    )
  }
}

try {
  if (!fs.existsSync(shell)) throw new Error(`${nameOf(shell)} is missing. Run: npm run build`)
  const { lines, loaded } = await figures()
  printTable(lines)
  if (!process.argv.includes('--check')) printFiles(loaded)
  const json = process.argv.indexOf('--json')
  const over = lines.filter(({ bytes, budget, wrong }) => bytes > budget || wrong)
  if (json > 0) writeJson(path.resolve(process.argv[json + 1]), { lines, over: over.length })
  process.exitCode = over.length > 0 ? 1 : 0
} catch (error) {
  console.error(`Size could not be measured: ${error.message}`)
  process.exitCode = 1
}
