/**
 * How long until the landing screen can be seen, on a slow phone with a slow connection: our page against the floor
 * page (bare React, r2wc and Emotion, built by the same rollup), in turns within one run.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium } from 'playwright-core'
import { rollup } from 'rollup'
import { program } from '../../tools/build/program.mjs'
import { findChromium } from '../../tools/chromium.mjs'
import { serve } from '../../tools/measure/serve.mjs'
import { appId } from '../../tools/measure/stub-api.mjs'
import { type Figure, median, quantile } from './figures.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const cdn = path.join(root, 'dist/cdn')
const floorFolder = path.join(root, '.cache/bench/floor')
const cpuSlowdown = 4

interface Network {
  readonly name: string
  /** Milliseconds before each answer. */
  readonly latency: number
  /** Bytes per second. */
  readonly download: number
  readonly upload: number
  readonly rounds: number
  readonly budget?: number
}
/**
 * "Slow 4G" is a round trip of 150 ms and 1.6 Mbit/s (Lighthouse, PageSpeed). The preset of that name in DevTools
 * charges every request 3.75 round trips, as if each needed a connection of its own; it is printed to be known.
 */
const networks: readonly Network[] = [
  { name: 'slow 4G', latency: 150, download: 204_800, upload: 96_000, rounds: 9, budget: 1.3 },
  { name: 'DevTools preset', latency: 562.5, download: 180_000, upload: 84_375, rounds: 5 },
]

/** Notes the time of the first frame in which an e-mail field can be seen, in whatever shadow root. */
const watch = `<script>
  const inside = (root) => root.querySelector('input[type=email]') ??
    [...root.querySelectorAll('*')].map((one) => one.shadowRoot && inside(one.shadowRoot)).find(Boolean)
  const look = () => {
    const field = inside(document)
    if (field?.checkVisibility({ opacityProperty: true, visibilityProperty: true })) window.landed = performance.now()
    else requestAnimationFrame(look)
  }
  look()
</script>`
const page = (body: string) =>
  `<!doctype html><meta charset=utf-8><title>Bench</title><link rel=icon href=data:,>${watch}${body}`

/** Our page, and the same as a login page would write it: with the files named that its dialog needs (preload.json). */
const ours = (origin: string) => `<script type=module src=/latchkey/latchkey.js></script>
  <login-modal app-id=${appId} api-url=${origin} open></login-modal>`
const preload = (files: readonly string[]) =>
  files.map((file) => `<link rel=modulepreload href=/latchkey/${file}>`).join('')

export async function landingFigures(): Promise<Figure[]> {
  await buildFloor()
  const files: string[] = JSON.parse(readFileSync(path.join(cdn, 'preload.json'), 'utf8'))
  const server = await serve({
    folders: { '/latchkey/': cdn, '/floor/': floorFolder },
    pages: {
      '/floor': () => page('<script type=module src=/floor/floor.js></script><floor-modal></floor-modal>'),
      '/plain': (origin) => page(ours(origin)),
      '/preloading': (origin) => page(preload(files) + ours(origin)),
    },
  })
  const { path: executablePath, args } = findChromium()
  const browser = await chromium.launch({ executablePath, args })
  try {
    const figures: Figure[] = []
    for (const network of networks) figures.push(...(await compare(browser, server.origin, network)))
    return figures
  } finally {
    await browser.close()
    server.close()
  }
}

/** The pages in turns; the first visit of each warms server and browser up, and isn't counted. */
async function compare(browser: Browser, origin: string, network: Network): Promise<Figure[]> {
  const { name, rounds, budget } = network
  const times = { floor: [] as number[], plain: [] as number[], preloading: [] as number[] }
  const pages = Object.keys(times) as (keyof typeof times)[]
  for (let round = 0; round <= rounds; round++)
    for (const one of pages) {
      const time = await visit(browser, `${origin}/${one}`, network)
      if (round > 0) times[one].push(time)
    }
  const figure = (what: string, values: number[]): Figure => ({
    ...{ what: `${name}: ${what}`, value: median(values), unit: 'ms' },
    note: `median of ${rounds}, ${quantile(values, 0).toFixed(0)} to ${quantile(values, 1).toFixed(0)}`,
  })
  const ratio = (what: string, values: number[]): Figure => ({
    ...{ what: `${name}: ${what}, ratio`, value: median(values) / median(times.floor), unit: '×' },
    ...(budget && { budget }),
  })
  return [
    figure('bare dialog', times.floor),
    figure('landing screen', times.plain),
    figure('landing screen, preloaded', times.preloading),
    ratio('landing screen', times.plain),
    ratio('landing screen, preloaded', times.preloading),
  ]
}

async function buildFloor() {
  const bundle = await rollup({ input: path.join(root, 'test/bench/floor/floor-modal.tsx'), ...program() })
  await bundle.write({ file: path.join(floorFolder, 'floor.js'), format: 'es' })
  await bundle.close()
}

async function visit(browser: Browser, address: string, network: Network): Promise<number> {
  const context = await browser.newContext()
  try {
    const tab = await context.newPage()
    const devtools = await context.newCDPSession(tab)
    await devtools.send('Network.enable')
    await devtools.send('Network.setCacheDisabled', { cacheDisabled: true })
    await devtools.send('Network.emulateNetworkConditions', {
      ...{ offline: false, latency: network.latency },
      ...{ downloadThroughput: network.download, uploadThroughput: network.upload },
    })
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
    await tab.goto(address, { waitUntil: 'commit' })
    const landed = await tab
      .waitForFunction(() => (window as { landed?: number }).landed, undefined, { timeout: 30_000 })
      .catch(() => {
        throw new Error(`${new URL(address).pathname} showed no e-mail field within 30 s`)
      })
    return Number(await landed.jsonValue())
  } finally {
    await context.close()
  }
}
