/** How long people wait for the vault, through its real frame and against the demo's backend. */
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Browser, chromium, type Page } from 'playwright-core'
import { frameEvents, frameUrl, recoveryMethods, verifiers } from '../../src/protocol/frame/calls.ts'
import { bounds } from '../../src/vault/bounds.ts'
import { findChromium } from '../../tools/chromium.mjs'
import { unmodified as appId } from '../e2e/support/apps.ts'
import { type Demo, startDemo } from '../e2e/support/demo.ts'
import { appOf, post, sendCodes } from './demo.ts'
import { type Figure, median, quantile } from './figures.ts'

const times = 50
/** Passwords are stretched for each of these people three times; and the server allows few guesses. */
const passwords = 15
const budgets = { create: 500, connect: 100, sign: 10, recovery: 1.5 }

export async function vaultFigures(): Promise<Figure[]> {
  const { demo, stop } = await startDemo()
  const { path: executablePath, args } = findChromium()
  const browser = await chromium.launch({ executablePath, args })
  const host = await hostPage()
  try {
    const tokens = await logIn(demo, times + passwords)
    const page = await openFrame(browser, host.address, demo)
    const creations: number[] = []
    let address = ''
    for (const accessToken of tokens.slice(0, times)) {
      const { took, data } = await ask(page, frameEvents.createWallet, { accessToken })
      creations.push(took)
      address = String(data.address)
    }
    const accessToken = tokens[times - 1] ?? ''
    const connections: number[] = []
    for (let turn = 0; turn < times; turn++)
      connections.push((await ask(page, frameEvents.connectWallet, named(accessToken, address))).took)
    return [
      figure('create a wallet', creations, budgets.create),
      figure('connect', connections, budgets.connect),
      ...(await signatureFigures(page, accessToken, address)),
      ...(await recoveryFigures(page, await openFrame(browser, host.address, demo), tokens.slice(times))),
    ]
  } finally {
    await browser.close()
    host.close()
    await stop()
  }
}

const named = (accessToken: string, entropyId: string) => ({
  accessToken,
  entropyId,
  entropyIdVerifier: verifiers.ethereum,
})
const figure = (what: string, values: number[], budget?: number): Figure => ({
  ...{ what, value: median(values), unit: 'ms' },
  ...(budget !== undefined && { budget }),
  note: `median of ${values.length}, ${quantile(values, 0).toFixed(1)} to ${quantile(values, 1).toFixed(1)}`,
})

/** Each method that signs. */
async function signatureFigures(page: Page, accessToken: string, address: string): Promise<Figure[]> {
  const wallet = named(accessToken, address)
  await ask(page, frameEvents.addWallet, { ...wallet, chainType: 'solana', hdWalletIndex: 0 })
  const domain = { name: 'Bench', chainId: 1 }
  const types = {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'chainId', type: 'uint256' },
    ],
    Note: [{ name: 'turn', type: 'uint256' }],
  }
  const transaction = (turn: number) => ({
    ...{ from: address, to: address, value: '0x1', chainId: 1, nonce: turn, gasLimit: '0x5208' },
    ...{ maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x3b9aca00', type: 2 },
  })
  const methods: [method: string, params: (turn: number) => unknown][] = [
    ['personal_sign', (turn) => [`Message ${turn}`, address]],
    ['eth_signTypedData_v4', (turn) => [address, { types, primaryType: 'Note', domain, message: { turn } }]],
    ['eth_signTransaction', (turn) => [transaction(turn)]],
    ['signMessage', (turn) => ({ message: btoa(`Message ${turn}`) })],
  ]
  const figures: Figure[] = []
  for (const [method, params] of methods) {
    const took: number[] = []
    for (let turn = 0; turn < times; turn++) {
      const request = { method, params: params(turn) }
      const chainType = method === 'signMessage' ? 'solana' : 'ethereum'
      const path = { chainType, requesterAppId: appId, hdWalletIndex: 0 }
      took.push((await ask(page, frameEvents.walletRpc, { ...wallet, ...path, request })).took)
    }
    figures.push(figure(method, took, budgets.sign))
  }
  return figures
}

/** Recovery by password on a second device, alternating with the bare stretching of the same password. */
async function recoveryFigures(first: Page, second: Page, tokens: readonly string[]): Promise<Figure[]> {
  const recoveryPassword = 'a password for the bench'
  const bare: number[] = []
  const whole: number[] = []
  for (const accessToken of tokens) {
    const wish = { recoveryMethod: recoveryMethods.password, recoveryPassword }
    const { data } = await ask(first, frameEvents.createWallet, { accessToken, ...wish })
    const wallet = named(accessToken, String(data.address))
    bare.push(await stretchBare(second, recoveryPassword))
    whole.push((await ask(second, frameEvents.recoverWallet, { ...wallet, recoveryPassword })).took)
  }
  const ratio = median(whole) / median(bare)
  return [
    figure(`PBKDF2, ${bounds.passwordRounds} rounds, alone`, bare),
    figure('recovery by password', whole),
    { what: 'recovery by password, times that', value: ratio, unit: '×', budget: budgets.recovery },
  ]
}

const stretchBare = (page: Page, password: string) =>
  page.evaluate(([password, iterations]) => (window as unknown as BenchPage).stretch(password, iterations), [
    password,
    bounds.passwordRounds,
  ] as const)

/** Access tokens of that many new people. */
async function logIn(demo: Demo, people: number): Promise<string[]> {
  const app = appOf(demo, appId)
  const addresses = Array.from({ length: people }, (_, index) => `vault-${Date.now()}-${index}@example.com`)
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

const ask = (page: Page, event: string, data: object) =>
  page.evaluate(([event, data]) => (window as unknown as BenchPage).ask(event, data), [event, data] as const)
