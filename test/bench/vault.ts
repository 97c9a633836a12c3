/** How long the vault takes to create a wallet and to sign, through its real frame and against the demo's backend. */
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Browser, chromium, type Page } from 'playwright-core'
import { frameEvents, frameUrl } from '../../src/wire/frame.ts'
import { findChromium } from '../../tools/chromium.mjs'
import { type Demo, post, sendCodes, startDemo } from './demo.ts'
import { type Figure, median, quantile } from './figures.ts'

const times = 50
const budgets = { create: 500, sign: 10 }

export async function vaultFigures(): Promise<Figure[]> {
  const demo = await startDemo(4950)
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
        ...{ chainType: 'ethereum', requesterAppId: demo.app.id, hdWalletIndex: 0, request },
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
    await demo.stop()
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

/** An empty page on an origin of its own: a frame is only spoken to by a page of an allowed origin. */
async function hostPage() {
  const server = http.createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end('<!doctype html><title>Bench</title>')
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
  const source = frameUrl(demo.vault, { appId: demo.app.id, clientId: demo.app.clientId })
  await page.evaluate(async (src) => {
    const frame = Object.assign(document.createElement('iframe'), { src })
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }))
    document.body.append(frame)
    await loaded
  }, source)
  for (let tries = 0; tries < 100; tries++) {
    const answer = await Promise.race([
      ask(page, frameEvents.ready, {}),
      new Promise<undefined>((resolve) => setTimeout(resolve, 150)),
    ])
    if (answer) return page
  }
  throw new Error('the vault never said that it is ready')
}

let lastId = 0

/** Asks the frame from inside the page, so that the time is what a page sees. */
async function ask(page: Page, event: string, data: object) {
  return page.evaluate(
    ({ id, event, data }) =>
      new Promise<{ took: number; data: Record<string, unknown> }>((resolve, reject) => {
        const frame = document.querySelector('iframe')
        const origin = new URL(frame?.src ?? '').origin
        const started = performance.now()
        const hear = (message: MessageEvent) => {
          if (message.origin !== origin || message.data?.id !== id) return
          removeEventListener('message', hear)
          if (message.data.error) reject(new Error(`${event}: ${message.data.error.message}`))
          else resolve({ took: performance.now() - started, data: message.data.data })
        }
        addEventListener('message', hear)
        frame?.contentWindow?.postMessage({ id, event, data }, origin)
      }),
    { id: `id-${++lastId}`, event, data },
  )
}
