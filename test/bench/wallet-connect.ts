/** How long from a press until the code for a wallet elsewhere is there: our connector against the library alone. */
import { type Browser, chromium } from 'playwright-core'
import { startRelay } from '../../demo/world/relay/relay.ts'
import { findChromium } from '../../tools/chromium.mjs'
import { freePort } from '../support/free-port.ts'
import type { Rig } from '../support/wallet-sdks/page.ts'
import { serveSdkPages } from '../support/wallet-sdks/serve.ts'
import { type Figure, median, quantile } from './figures.ts'

const rounds = 7
const budget = 1.5

declare const rig: Rig

export async function walletConnectFigures(): Promise<Figure[]> {
  const relay = await startRelay({ port: await freePort() })
  const pages = await serveSdkPages(relay.url)
  const { path: executablePath, args } = findChromium()
  const browser = await chromium.launch({ executablePath, args })
  const times = { bare: [] as number[], ours: [] as number[] }
  try {
    // In turns; the first visit of each warms everything up, and isn't counted.
    for (let round = 0; round <= rounds; round++)
      for (const which of ['bare', 'ours'] as const) {
        const time = await visit(browser, pages.page, relay.url, which)
        if (round > 0) times[which].push(time)
      }
  } finally {
    await browser.close()
    await pages.close()
    await relay.close()
  }
  const figure = (what: string, values: number[]): Figure => ({
    what,
    value: median(values),
    unit: 'ms',
    note: `median of ${rounds}, ${quantile(values, 0).toFixed(0)} to ${quantile(values, 1).toFixed(0)}`,
  })
  return [
    figure('code shown, bare client', times.bare),
    figure('code shown, our connector', times.ours),
    { what: 'code shown, ratio', value: median(times.ours) / median(times.bare), unit: '×', budget },
  ]
}

async function visit(browser: Browser, address: string, relay: string, which: 'bare' | 'ours') {
  const context = await browser.newContext()
  try {
    const tab = await context.newPage()
    await tab.goto(address)
    await tab.waitForFunction(() => 'rig' in window)
    return await tab.evaluate(([which, relay]) => rig[which](relay), [which, relay] as const)
  } finally {
    await context.close()
  }
}
