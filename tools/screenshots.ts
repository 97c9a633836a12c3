/**
 * Screenshots of every example in the gallery, to see what a change did to the screens:
 * `npm run screenshots -- take <folder> [words]` takes them (only of screens whose name holds one of the words, and only as `dark-drawer`
 * and so on where words name that), and
 * `npm run screenshots -- compare <before> <after> [differences]` compares two folders pixel by pixel. Exits 1 when they differ.
 */
import fs from 'node:fs'
import path from 'node:path'
import { serve } from '@hono/node-server'
import pixelmatch from 'pixelmatch'
import { type Browser, chromium } from 'playwright-core'
import { PNG } from 'pngjs'
import { type Address, writeAddress } from '../demo/gallery/address.ts'
import { galleryPages } from '../demo/pages.ts'
import '../test/config/speed.mjs'
import { limit } from '../test/support/limit.ts'
import { findChromium } from './chromium.mjs'

/** Each example is seen in each of these. */
const variants = [
  { name: 'light-dialog', theme: 'light', size: 'dialog', width: 600, height: 800 },
  { name: 'dark-dialog', theme: 'dark', size: 'dialog', width: 600, height: 800 },
  { name: 'light-drawer', theme: 'light', size: 'drawer', width: 400, height: 800 },
  { name: 'dark-drawer', theme: 'dark', size: 'drawer', width: 400, height: 800 },
  { name: 'light-window', theme: 'light', size: 'window', width: 420, height: 680 },
] as const
/** The page's clock starts here and advances by this much, so that countdowns show the same each time. */
const now = new Date('2026-01-02T03:04:05Z')
const arrival = 1_000
/** Drawing the same page twice differs by up to 7 of 255 steps where something had moved; this leaves just that out. */
const noise = 0.03
/** Milliseconds in which a page is there, on a machine that has other work to do. */
const patience = limit(30_000)
/** Pages that are looked at side by side. */
const pages = 2

const plain: Address = {
  screen: undefined,
  example: undefined,
  theme: 'auto',
  size: 'dialog',
  accent: undefined,
  dir: 'ltr',
  scale: 1,
}

async function take(folder: string, words: readonly string[]): Promise<void> {
  const { server, origin } = await serveGallery()
  const { path: executablePath, args } = findChromium()
  const browser = await chromium.launch({ executablePath, args: [...args, '--font-render-hinting=none'] })
  try {
    fs.mkdirSync(folder, { recursive: true })
    const all = await examples(browser, origin)
    const asked = variants.filter(({ name }) => words.includes(name))
    const parts = words.filter((word) => asked.every(({ name }) => name !== word))
    const chosen = all.filter(
      ({ screen }) => parts.length === 0 || parts.some((part) => screen.includes(part)),
    )
    let count = 0
    for (const variant of asked.length > 0 ? asked : variants) {
      const left = [...chosen]
      const work = async () => {
        const context = await browser.newContext({
          viewport: { width: variant.width, height: variant.height },
          locale: 'en-US',
          timezoneId: 'UTC',
        })
        const tab = await context.newPage()
        tab.setDefaultTimeout(patience)
        // It runs until it is paused, which a busy machine takes its time for.
        await tab.clock.install({ time: now.getTime() - patience })
        await tab.clock.pauseAt(now.getTime())
        for (let one = left.shift(); one; one = left.shift()) {
          await tab.goto(
            origin + writeAddress({ ...plain, ...one, theme: variant.theme, size: variant.size }),
          )
          await tab.locator('[part=dialog],[data-approval]').first().waitFor({ state: 'attached' })
          await tab.clock.runFor(arrival)
          await tab.evaluate(() => document.fonts.ready)
          const file = `${one.screen}--${one.example}--${variant.name}`.replace(/[^\w-]+/g, '-')
          await tab.screenshot({ path: path.join(folder, `${file}.png`), animations: 'disabled' })
          count++
        }
        await context.close()
      }
      await Promise.all(Array.from({ length: pages }, work))
    }
    console.log(`${count} screenshots of ${chosen.length} examples in ${folder}`)
  } finally {
    await browser.close()
    server.close()
  }
}

async function serveGallery() {
  const app = await galleryPages()
  return new Promise<{ server: { close(): void }; origin: string }>((resolve) => {
    const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
      resolve({ server, origin: `http://localhost:${port}/` }),
    )
  })
}

/** What the gallery's own list names. */
async function examples(browser: Browser, origin: string) {
  const tab = await browser.newPage()
  tab.setDefaultTimeout(patience)
  await tab.goto(origin)
  await tab.locator('iframe').first().waitFor({ state: 'attached' })
  const addresses = await tab
    .locator('iframe')
    .evaluateAll((frames) => frames.map((frame) => frame.getAttribute('src') ?? ''))
  await tab.close()
  return addresses.map((address) => {
    const query = new URLSearchParams(address)
    return { screen: query.get('screen') ?? '', example: query.get('example') ?? '' }
  })
}

/** Returns how many of the pictures differ, or are in one of the folders only. */
function compare(before: string, after: string, differences: string | undefined): number {
  const pictures = (folder: string) => fs.readdirSync(folder).filter((file) => file.endsWith('.png'))
  const [old, fresh] = [new Set(pictures(before)), new Set(pictures(after))]
  let different = 0
  const report = (file: string, what: string) => {
    different++
    console.log(`${file}: ${what}`)
  }
  for (const file of old) if (!fresh.has(file)) report(file, `is in ${before} only`)
  for (const file of fresh) if (!old.has(file)) report(file, `is in ${after} only`)
  for (const file of old) {
    if (!fresh.has(file)) continue
    const [one, other] = [before, after].map((folder) => fs.readFileSync(path.join(folder, file)))
    if (!one || !other || one.equals(other)) continue
    const [a, b] = [PNG.sync.read(one), PNG.sync.read(other)]
    if (a.width !== b.width || a.height !== b.height) {
      report(file, `${a.width} × ${a.height} became ${b.width} × ${b.height}`)
      continue
    }
    const shown = new PNG({ width: a.width, height: a.height })
    const pixels = pixelmatch(a.data, b.data, shown.data, a.width, a.height, {
      threshold: noise,
      includeAA: true,
    })
    if (pixels === 0) continue
    report(file, `${pixels} pixels differ`)
    if (!differences) continue
    fs.mkdirSync(differences, { recursive: true })
    fs.writeFileSync(path.join(differences, file), PNG.sync.write(shown))
  }
  console.log(`${different} of ${new Set([...old, ...fresh]).size} pictures differ`)
  return different
}

const [command, ...rest] = process.argv.slice(2)
const [first, second, third] = rest
if (command === 'take' && first) await take(first, rest.slice(1))
else if (command === 'compare' && first && second)
  process.exitCode = compare(first, second, third) > 0 ? 1 : 0
else {
  console.error(
    'Usage: npm run screenshots -- take <folder> [words] | compare <before> <after> [differences]',
  )
  process.exitCode = 2
}
