/** The vault in its hidden frame, as a page that speaks to it by message alone has it. */
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { frameEvents, frameUrl, verifiers } from '../../src/protocol/frame/calls.ts'
import type { Demo } from '../e2e/support/demo.ts'
import { appOf, post, sendCodes } from './demo.ts'

/** A wallet as messages name it. */
export const named = (accessToken: string, entropyId: string) => ({
  accessToken,
  entropyId,
  entropyIdVerifier: verifiers.ethereum,
})

/** How long the browser takes to stretch a password by itself. */
export const stretchBare = (page: Page, password: string, rounds: number) =>
  page.evaluate(([password, rounds]) => (window as unknown as BenchPage).stretch(password, rounds), [
    password,
    rounds,
  ] as const)

/** Access tokens of that many new people of an app. */
export async function logIn(demo: Demo, appId: string, people: number): Promise<string[]> {
  const app = appOf(demo, appId)
  const addresses = Array.from(
    { length: people },
    (_, index) => `${appId}-${Date.now()}-${index}@example.com`,
  )
  const codes = await sendCodes(demo, addresses, app)
  const tokens: string[] = []
  for (const email of addresses) {
    const body = { email, code: codes.get(email) }
    const { token } = await post(demo, 'passwordless/authenticate', body, undefined, app)
    tokens.push(token ?? '')
  }
  return tokens
}

/** Runs in the page: asks the frame, and measures the time until the answer as a page sees it. */
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
  async function stretch(password, iterations) {
    const started = performance.now()
    const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(password), 'PBKDF2', false, ['deriveBits'])
    const salt = crypto.getRandomValues(new Uint8Array(16))
    await crypto.subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-256', salt, iterations }, key, 256)
    return performance.now() - started
  }
  async function openFrame(src) {
    const frame = Object.assign(document.createElement('iframe'), { src })
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }))
    document.body.append(frame)
    await loaded
  }`
interface BenchPage {
  openFrame(src: string): Promise<void>
  stretch(password: string, iterations: number): Promise<number>
  ask(event: string, data: object): Promise<{ took: number; data: Record<string, unknown> }>
}

/** A page on an origin of its own, because a frame only answers pages of an allowed origin. */
export async function hostPage() {
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

/** The vault of an app, ready, in a page of another origin. */
export async function openFrame(browser: Browser, address: string, demo: Demo, appId: string): Promise<Page> {
  // A browser context of its own, which stands for another device.
  const page = await (await browser.newContext()).newPage()
  await page.goto(address)
  const { clientId } = appOf(demo, appId)
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

/** Asks the frame, and resolves with its answer and how long that took. Rejects where the vault refuses. */
export const ask = (page: Page, event: string, data: object) =>
  page.evaluate(([event, data]) => (window as unknown as BenchPage).ask(event, data), [event, data] as const)
