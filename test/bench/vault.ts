/** How long the vault takes to create a wallet and to sign, through its real frame and against the demo's backend. */
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Browser, chromium, type Page } from 'playwright-core'
import { frameEvents, frameUrl } from '../../src/wire/frame/calls.ts'
import { findChromium } from '../../tools/chromium.mjs'
import { type Demo, startDemo } from '../e2e/support/demo.ts'
import { firstApp, post, sendCodes } from './demo.ts'
import { type Figure, median, quantile } from './figures.ts'

const times = 50
const budgets = { create: 500, sign: 10 }

export async function vaultFigures(): Promise<Figure[]> {
  const { demo, stop } = await startDemo()
  const { path: executablePath, args } = findChromium()
  const browser = await chromium.launch({ executablePath, args })
  const host = await hostPage()
  try {
    const tokens = await logIn(demo)
    const page = await openFrame(browser, host.address, demo)
    const creations: number[] = []
    let address = ''
    for (const accessToken of tokens) {
      const { took, data } = await ask(page, frameEvents.createWallet, { accessToken })
      creations.push(took)
      address = String(data.address)
    }
    const accessToken = tokens.at(-1) ?? ''
    const wallet = { accessToken, entropyId: address, entropyIdVerifier: 'ethereum-address-verifier' }
    await ask(page, frameEvents.connectWallet, wallet)
    const signatures: number[] = []
    for (let turn = 0; turn < times; turn++) {
      const request = { method: 'personal_sign', params: [`Message ${turn}`, address] }
      const { took } = await ask(page, frameEvents.walletRpc, {
        ...wallet,
        ...{ chainType: 'ethereum', requesterAppId: firstApp(demo).id, hdWalletIndex: 0, request },
      })
      signatures.push(took)
    }
    const figure = (what: string, values: number[], budget: number): Figure => ({
      ...{ what, budget, value: median(values), unit: 'ms' },
      note: `median of ${values.length}, ${quantile(values, 0).toFixed(1)} to ${quantile(values, 1).toFixed(1)}`,
    })
    return [
      figure('create a wallet', creations, budgets.create),
      figure('personal_sign', signatures, budgets.sign),
    ]
  } finally {
    await browser.close()
    host.close()
    await stop()
  }
}

/** Access tokens of that many new people. */
async function logIn(demo: Demo): Promise<string[]> {
  const addresses = Array.from({ length: times }, (_, index) => `vault-${Date.now()}-${index}@example.com`)
  const codes = await sendCodes(demo, addresses)
  const tokens: string[] = []
  for (const email of addresses) {
    const { token } = await post(demo, 'passwordless/authenticate', { email, code: codes.get(email) })
    tokens.push(token ?? '')
  }
  return tokens
}

/** In the page: asks the frame and resolves with the answer and how long it took, as a page sees it. */
const script = `
  let lastId = 0
  function ask(event, data) {
    const frame = document.querySelector('iframe')
    const origin = new URL(frame.src).origin
    const id = 'id-' + ++lastId
    return new Promise((resolve, reject) => {
      const started = performance.now()
      addEventListener('message', function hear(message) {
        if (message.origin !== origin || message.data.id !== id) return
        removeEventListener('message', hear)
        const { error, data } = message.data
        if (error) reject(new Error(event + ': ' + error.message))
        else resolve({ took: performance.now() - started, data })
      })
      frame.contentWindow.postMessage({ id, event, data }, origin)
    })
  }
  async function openFrame(src) {
    const frame = Object.assign(document.createElement('iframe'), { src })
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }))
    document.body.append(frame)
    await loaded
  }`
interface BenchPage {
  openFrame(src: string): Promise<void>
  ask(event: string, data: object): Promise<{ took: number; data: Record<string, unknown> }>
}

/** A page on an origin of its own: a frame is only spoken to by a page of an allowed origin. */
async function hostPage() {
  const server = http.createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end(`<!doctype html><title>Bench</title><body><script>${script}</script>`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    address: `http://localhost:${port}/`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function openFrame(browser: Browser, address: string, demo: Demo): Promise<Page> {
  const page = await browser.newPage()
  await page.goto(address)
  const { id: appId, clientId } = firstApp(demo)
  const source = frameUrl(demo.vault, { appId, clientId })
  await page.evaluate((src) => (window as unknown as BenchPage).openFrame(src), source)
  for (let tries = 0; tries < 100; tries++) {
    const answer = await Promise.race([
      ask(page, frameEvents.ready, {}),
      new Promise<undefined>((resolve) => setTimeout(resolve, 150)),
    ])
    if (answer) return page
  }
  throw new Error('the vault never said that it is ready')
}

const ask = (page: Page, event: string, data: object) =>
  page.evaluate(([event, data]) => (window as unknown as BenchPage).ask(event, data), [event, data] as const)
