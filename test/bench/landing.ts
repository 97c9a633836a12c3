/**
 * How long until the landing screen can be seen on a slow phone: our page against the floor page (bare React, r2wc and
 * Emotion, which asks for the same settings), in turns within one run. Both are measured in both ways of shipping: as
 * files of a CDN, and bundled by a host with Vite. From the CDN ours is measured twice: by its tag alone, and with the
 * links that docs/elements.md names for a dialog that is open from the start. `BENCH_BEFORE` names the folder of other sources, with
 * their own `dist/`, whose page is measured in turns with these: ours is to be no more than a tenth slower.
 */
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium } from 'playwright-core'
import { rollup } from 'rollup'
import { program } from '../../tools/build/program.mjs'
import { findChromium } from '../../tools/chromium.mjs'
import { buildHostPage } from '../../tools/measure/host-page.mjs'
import { serve } from '../../tools/measure/serve.mjs'
import { appId } from '../../tools/measure/stub-api.mjs'
import { type Figure, median, quantile } from './figures.ts'
import { openPlainly } from './plain-page.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const dist = path.resolve(root, process.env.LATCHKEY_DIST ?? 'dist')
const before = process.env.BENCH_BEFORE && path.resolve(process.env.BENCH_BEFORE, 'dist')
/** The most that our page may take of the time of the one before. */
const mostAgainstBefore = 1.1
const work = path.join(root, '.cache/bench')
const floorFolder = path.join(root, 'test/bench/floor')
const cpuSlowdown = 4
/** How often each page is visited, beside a first visit that warms server and browser up and isn't counted. */
const rounds = Number(process.env.LATCHKEY_ROUNDS ?? 7)

/**
 * "Slow 4G" is a round trip of 150 ms and 1.6 Mbit/s (Lighthouse, PageSpeed). The preset of that name in DevTools
 * charges every request 3.75 round trips, as if each needed a connection of its own.
 */
const slow4g = { latency: 150, downloadThroughput: 204_800, uploadThroughput: 96_000 }
const networks = { 'slow CPU': undefined, 'slow CPU, slow 4G': slow4g } as const
type Network = (typeof networks)[keyof typeof networks]

/** Notes the first frame in which an e-mail field can be seen, in whatever shadow root, and the long tasks before it. */
const watch = `<script>
  const longTasks = []
  new PerformanceObserver((list) => longTasks.push(...list.getEntries())).observe({ type: 'longtask', buffered: true })
  const inside = (root) => root.querySelector('input[type=email]') ??
    [...root.querySelectorAll('*')].map((one) => one.shadowRoot && inside(one.shadowRoot)).find(Boolean)
  const look = () => {
    const field = inside(document)
    if (!field?.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return requestAnimationFrame(look)
    const landed = performance.now()
    // Long tasks are told a while after they are over.
    setTimeout(() => {
      const before = longTasks.filter(({ startTime }) => startTime < landed)
      const longTime = before.reduce((total, { duration }) => total + duration, 0)
      fetch('/told', { method: 'POST', body: JSON.stringify({ landed, longTasks: longTime }) })
    }, 500)
  }
  look()
</script>`
const page = (body: string) =>
  `<!doctype html><meta charset=utf-8><title>Bench</title><link rel=icon href=data:,>${watch}${body}`

const module = (address: string) => `<script type="module" src="${address}"></script>`
const ours =
  (script: string, head = '') =>
  (origin: string) =>
    page(`${head}${module(script)}<login-modal app-id="${appId}" api-url="${origin}" open></login-modal>`)
const floor = (script: string) => (origin: string) =>
  page(`${module(script)}<floor-modal settings-url="${origin}/api/v1/apps/${appId}"></floor-modal>`)

/** What docs/elements.md tells a page to add whose dialog is open from the start. */
const preloads = (dist: string, base: string) => {
  const files: string[] = JSON.parse(fs.readFileSync(path.join(dist, 'cdn/preload.json'), 'utf8'))
  return files.map((file) => `<link rel="modulepreload" href="${base}${file}">`).join('')
}

/** Pages that are measured in turns, by their addresses. */
interface Pages {
  readonly floor: string
  readonly ours: string
  readonly before?: string
}
const shippings: Record<string, Pages> = {
  CDN: { floor: '/floor', ours: '/ours', ...(before && { before: '/before' }) },
  'CDN with preloads': {
    floor: '/floor',
    ours: '/ours-preloaded',
    ...(before && { before: '/before-preloaded' }),
  },
  Vite: { floor: '/floor-bundled', ours: '/ours-bundled', ...(before && { before: '/before-bundled' }) },
}

type Server = Awaited<ReturnType<typeof serve>>

interface Visit {
  readonly landed: number
  readonly longTasks: number
}

export async function landingFigures(): Promise<Figure[]> {
  const bundled = (
    name: string,
    body: (script: string) => (origin: string) => string,
    source: string,
    from = dist,
  ) =>
    buildHostPage({
      body: body('/main.js'),
      script: source,
      dist: from,
      folder: path.join(work, name),
      base: `/${name}/`,
    })
  const floorModal = JSON.stringify(path.join(floorFolder, 'floor-modal.tsx'))
  const ourSource = `import 'latchkey/elements/login-modal'`
  const floorSource = `import { define } from ${floorModal}; define()`
  await buildFloor()
  const server = await serve({
    folders: {
      '/latchkey/': path.join(dist, 'cdn'),
      '/floor/': path.join(work, 'floor'),
      '/floor-host/': path.join(work, 'floor-host'),
      '/ours-host/': path.join(work, 'ours-host'),
      ...(before && {
        '/latchkey-before/': path.join(before, 'cdn'),
        '/before-host/': path.join(work, 'before-host'),
      }),
    },
    pages: {
      '/floor': floor('/floor/floor.js'),
      '/ours': ours('/latchkey/latchkey.js'),
      '/ours-preloaded': ours('/latchkey/latchkey.js', preloads(dist, '/latchkey/')),
      '/floor-bundled': await bundled('floor-host', floor, floorSource),
      '/ours-bundled': await bundled('ours-host', ours, ourSource),
      ...(before && {
        '/before': ours('/latchkey-before/latchkey.js'),
        '/before-preloaded': ours('/latchkey-before/latchkey.js', preloads(before, '/latchkey-before/')),
        '/before-bundled': await bundled('before-host', ours, ourSource, before),
      }),
    },
  })
  const { path: executablePath, args } = findChromium()
  const browser = await chromium.launch({ executablePath, args })
  try {
    const figures: Figure[] = []
    for (const [name, network] of Object.entries(networks))
      for (const [shipping, pages] of Object.entries(shippings))
        figures.push(...(await compare(browser, server, `${shipping}, ${name}`, pages, network)))
    return figures
  } finally {
    await browser.close()
    server.close()
  }
}

/** The pages in turns, so that whatever else the machine does slows down each. */
async function compare(
  browser: Browser,
  server: Server,
  name: string,
  pages: Pages,
  network: Network,
): Promise<Figure[]> {
  const visits = { floor: [] as Visit[], ours: [] as Visit[], before: [] as Visit[] }
  for (let round = 0; round <= rounds; round++)
    for (const one of ['floor', 'ours', 'before'] as const) {
      const address = pages[one]
      if (!address) continue
      const seen = await visit(browser, server, address, network)
      if (round > 0) visits[one].push(seen)
    }
  const valuesOf = (one: keyof typeof visits, of: keyof Visit) => visits[one].map((seen) => seen[of])
  const time = (what: string, one: keyof typeof visits, of: keyof Visit): Figure => {
    const values = valuesOf(one, of)
    const [least, most] = [quantile(values, 0), quantile(values, 1)]
    return {
      what: `${name}: ${what}`,
      value: median(values),
      unit: 'ms',
      note: `median of ${rounds}, ${least.toFixed(0)} to ${most.toFixed(0)}`,
    }
  }
  const ratio = (what: string, of: keyof Visit): Figure => {
    const [own, bare] = [median(valuesOf('ours', of)), median(valuesOf('floor', of))]
    // Neither page may have had a long task.
    const value = own === bare ? 1 : own / bare
    return { what: `${name}: ${what}, ratio`, value, unit: '×' }
  }
  const times = [
    time('bare dialog', 'floor', 'landed'),
    time('landing screen', 'ours', 'landed'),
    ratio('landing screen', 'landed'),
    ...(pages.before
      ? [
          time('landing screen before', 'before', 'landed'),
          {
            what: `${name}: landing screen against before`,
            value: median(valuesOf('ours', 'landed')) / median(valuesOf('before', 'landed')),
            unit: '×' as const,
            budget: mostAgainstBefore,
          },
        ]
      : []),
  ]
  if (network) return times
  return [
    ...times,
    time('long tasks of the bare dialog', 'floor', 'longTasks'),
    time('long tasks', 'ours', 'longTasks'),
    ratio('long tasks', 'longTasks'),
  ]
}

async function buildFloor() {
  const bundle = await rollup({ input: path.join(floorFolder, 'main.ts'), ...program() })
  await bundle.write({ file: path.join(work, 'floor/floor.js'), format: 'es' })
  await bundle.close()
}

async function visit(browser: Browser, server: Server, address: string, network: Network): Promise<Visit> {
  const slowness = { cpu: cpuSlowdown, network }
  return openPlainly(browser, server.origin + address, slowness, async () => {
    const late = new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error(`${address} showed no e-mail field within 30 s`)), 30_000).unref()
    })
    return (await Promise.race([server.told(), late])) as Visit
  })
}
