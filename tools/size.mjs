/**
 * How many bytes and requests a page pays, beside the budgets of budgets.mjs: `npm run size`. What is loaded is seen in a
 * real browser, not guessed from names, for both ways of shipping: the files of the CDN, and the package bundled by a
 * host. `--check` leaves the list of files out; `--json <file>` also writes the figures. Exits 1 over budget.
 */
import fs from 'node:fs'
import path from 'node:path'
import measureFiles from '@size-limit/file'
import { chromium } from 'playwright-core'
import sizeLimit from 'size-limit'
import { requests, sizes } from './budgets.mjs'
import { findChromium } from './chromium.mjs'
import { closureOf, sizesOf } from './measure/bundle.mjs'
import { buildHostPage } from './measure/host-page.mjs'
import { serve } from './measure/serve.mjs'
import { appId, storedSession, walletAppId } from './measure/stub-api.mjs'
import { readJson, root, writeJson } from './setup/run.mjs'

const KiB = 1024
const dist = path.resolve(root, process.env.LATCHKEY_DIST ?? 'dist')
const shell = path.join(dist, 'cdn/latchkey.js')
const hostFolder = path.join(root, '.cache/size/host')
const limits = { screen: 15_000, quiet: 1_500 }

/** Each situation in a fresh browser profile, and the script files that it asked the server for. */
async function observe() {
  const bundled = await buildHostPage({
    body: landing(appId, '<script type="module" src="/main.js"></script>'),
    script: `import 'latchkey/elements/login-modal'`,
    dist,
    folder: hostFolder,
    base: '/host/',
  })
  const server = await serve({
    pages: {
      '/closed': page(appId, ''),
      '/open': page(appId, 'open'),
      '/landing': landing(appId),
      '/bundled': bundled,
      '/wallets': page(walletAppId, 'open'),
    },
    folders: { '/latchkey/': path.dirname(shell), '/host/': hostFolder },
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
    const asked = server.forget()
    await context.close()
    return asked
  }
  try {
    return {
      closed: await visit('/closed', untilQuiet),
      restored: await visit('/closed', untilReady, storedSession),
      open: await visit('/landing', untilLanding),
      bundled: await visit('/bundled', untilLanding),
      chosen: await visit('/open', untilChosen),
      list: await visit('/wallets', untilWallets),
    }
  } finally {
    await browser.close()
    server.close()
  }
}

const fromCdn = '<script type="module" src="/latchkey/latchkey.js"></script>'
const page =
  (id, attributes, script = fromCdn) =>
  (origin) =>
    `<!doctype html><meta charset=utf-8><title>Measured</title><link rel=icon href=data:,>
<script>addEventListener('lk-ready', () => { window.isReady = true })</script>
${script}
<login-modal app-id="${id}" api-url="${origin}" ${attributes}></login-modal>`

/** The same open, which says when the e-mail field can be seen. */
const landing = (id, script) => (origin) =>
  `${page(id, 'open', script)(origin)}
<script>
  const look = () => {
    const field = document.querySelector('login-modal').shadowRoot?.querySelector('input[type=email]')
    if (field?.checkVisibility({ visibilityProperty: true })) fetch('/landed')
    else requestAnimationFrame(look)
  }
  look()
</script>`

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

/** The lines of the table: what it is, what it weighs, what it may weigh, and what else must hold. */
async function figures() {
  const seen = await observe()
  const [closed, restored, open, chosen, list] = ['closed', 'restored', 'open', 'chosen', 'list'].map(
    (name) => seen[name].scripts,
  )
  const without = (files, ...others) => files.filter((file) => !others.some((other) => other.includes(file)))
  const vaultPages = readJson(path.join(dist, 'vault/manifest.json'))
  const vault = (page) => [path.join(dist, 'vault', vaultPages[page])]
  const beyond = without(restored, closed)
  const lines = [
    { ...sizes.carried, files: closed, wrong: withReact(closed) },
    {
      ...sizes.restored,
      files: beyond,
      wrong: beyond.length === 0 ? 'nothing was loaded: the session was not restored' : withReact(restored),
    },
    { ...sizes.landing, files: open },
    { ...sizes.bundled, files: seen.bundled.scripts },
    { ...sizes.walletList, files: without(list, open, chosen) },
    { ...sizes.vault, files: vault('main') },
    { ...sizes.vaultApproval, files: atOnce(vault('approval')[0]) },
    { ...sizes.vaultExport, files: atOnce(vault('export')[0]), wrong: waitsForMore(vault('export')[0]) },
    ...walletSdks(open),
  ]
  return { lines: [...(await measured(lines)), ...counted(seen)], loaded: { closed, restored, open } }
}

/** What a page loads at once. */
const atOnce = (entry) => [...closureOf(entry)]
/** Modules that an entry imports run before it, and nothing may run before this one has taken the token out of its address. */
const waitsForMore = (entry) =>
  atOnce(entry).length > 1 && 'another file runs before the token is taken out of the address'

/** Lets size-limit weigh the files of each line: each by itself, as servers send them. */
async function measured(lines) {
  const checks = lines.map(({ files, gzip = false }) => ({ files: [...new Set(files)], gzip }))
  const results = await sizeLimit([measureFiles], { checks })
  return lines.map(({ what, limit, gzip, wrong }, i) => ({
    what,
    wrong,
    value: results[i].size,
    unit: gzip ? 'gzip' : 'brotli',
    budget: limit && Number.parseFloat(limit) * KiB,
  }))
}

function counted(seen) {
  return [
    { ...requests.landing, value: seen.open.requests.length },
    { ...requests.bundled, value: seen.bundled.requests.length },
  ].map(({ what, limit, value }) => ({ what, value, budget: limit, unit: '' }))
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
    const more = [...closureOf(entry)].filter((file) => !loaded.includes(file))
    const early = loaded.includes(entry) && 'it is loaded before anybody has chosen it'
    return [{ what: `${what}, once it is chosen`, files: more, wrong: early }]
  })
}

/** React marks its elements with this name, and no minifier may change it. */
const hasReact = (file) => fs.readFileSync(file, 'utf8').includes('react.transitional.element')
const withReact = (files) =>
  files.some(hasReact) && `React is in ${files.filter(hasReact).map(nameOf).join(', ')}`
const nameOf = (file) => path.relative(dist, file)
const kib = (bytes) => `${(bytes / KiB).toFixed(1)} KiB`
const isOver = ({ value, budget }) => budget !== undefined && value > budget

function printTable(lines) {
  console.log(`${'Size'.padEnd(44)}${'figure'.padStart(10)}${'budget'.padStart(10)}`)
  for (const line of lines) {
    const { what, value, budget, unit, wrong } = line
    const text = (amount) => (unit ? kib(amount) : String(amount))
    const known = budget === undefined ? '' : 'ok'
    const verdict = isOver(line) ? `OVER by ${text(value - budget)}` : wrong ? `WRONG: ${wrong}` : known
    const limit = budget === undefined ? '' : text(budget)
    console.log(
      `${what.padEnd(44)}${text(value).padStart(10)}${limit.padStart(10)} ${unit.padEnd(7)}${verdict}`,
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
  const over = lines.filter((line) => isOver(line) || line.wrong)
  if (json > 0) writeJson(path.resolve(process.argv[json + 1]), { lines, over: over.map(({ what }) => what) })
  process.exitCode = over.length > 0 ? 1 : 0
} catch (error) {
  console.error(`Size could not be measured: ${error.message}`)
  process.exitCode = 1
}
