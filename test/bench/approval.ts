/** What it costs that the vault decides: a signature after the press, the proof of a call, and getting a wallet ready, in a strict app. */
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { type Browser, chromium, type Page } from 'playwright-core'
import type { LoginModal } from '../../src/index.ts'
import { frameEvents } from '../../src/protocol/frame/calls.ts'
import { findChromium } from '../../tools/chromium.mjs'
import { frameOf, look } from '../e2e/support/approval.ts'
import { open as appId } from '../e2e/support/apps.ts'
import { type Demo, startDemo } from '../e2e/support/demo.ts'
import { newDevice, vaultOf } from '../e2e/support/embedded.ts'
import { ownSignIn } from '../support/own-sign-in.ts'
import { type Figure, timesOf } from './figures.ts'
import { ask, hostPage, logIn, named, openFrame } from './vault-frame.ts'

const signatures = 15
const connections = 50
const proofs = 200
/**
 * `sign`: no key exists before the press, so that shares, seed, path and signature follow it: about 3 ms of arithmetic, and some
 * twenty calls of the browser's own cryptography, each of which needs the one before. Those take as long as other threads let them.
 */
const budgets = { sign: 15, signInWindow: 25, window: 1_500, proof: 5, connect: 120 }

export async function approvalFigures(): Promise<Figure[]> {
  const { demo, stop } = await startDemo()
  const { path: executablePath, args } = findChromium()
  const browser = await chromium.launch({ executablePath, args })
  try {
    return [
      ...(await signatureFigures(browser, demo)),
      await proofFigure(browser, demo),
      await connectFigure(browser, demo),
    ]
  } finally {
    await browser.close()
    await stop()
  }
}

/** Signs in at the page itself in the vault's frame, and typed data in its window. */
async function signatureFigures(browser: Browser, demo: Demo): Promise<Figure[]> {
  const { page, context } = await newDevice(browser, demo, `signs-${Date.now()}@example.com`, appId)
  await context.addInitScript(watchPress)
  await page.reload()
  await page.waitForFunction(() => document.querySelector('#address')?.textContent?.startsWith('0x'))
  const address = await page.locator('#address').textContent()
  const chain = Number(await requested(page, 'eth_chainId', []))
  const types = {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'chainId', type: 'uint256' },
    ],
    Note: [{ name: 'turn', type: 'uint256' }],
  }
  const domain = { name: 'Bench', chainId: chain }
  const inFrame: number[] = []
  for (let turn = 0; turn < signatures; turn++) {
    const message = ownSignIn(page.url(), address ?? '')
    inFrame.push(await signedInFrame(page, 'personal_sign', [message, address]))
  }
  const opened: number[] = []
  const inWindow: number[] = []
  for (let turn = 0; turn < signatures; turn++) {
    const data = { types, primaryType: 'Note', domain, message: { turn } }
    const { readable, took } = await signedInWindow(page, 'eth_signTypedData_v4', [address, data])
    opened.push(readable)
    inWindow.push(took)
  }
  await context.close()
  return [
    timesOf('a sign-in in the frame, from the press on, without network', inFrame, budgets.sign),
    timesOf(
      'window of the vault, from the press that opens it to a readable request',
      opened,
      budgets.window,
    ),
    timesOf('typed data in the window, from the press on, without network', inWindow, budgets.signInWindow),
  ]
}

/** Presses in the vault's frame. Resolves with the time until the signature was sent, network left out. */
async function signedInFrame(page: Page, method: string, params: unknown[]): Promise<number> {
  const signature = requested(page, method, params)
  await frameOf(page).getByText('Sign and continue').waitFor()
  // A press counts once everything has been in view for a second.
  await look(page)
  return pressed(page, signature, () => frameOf(page).getByText('Sign and continue').click())
}

/** Opens the vault's window and presses there. Resolves with the time until it was readable, and until the signature was sent. */
async function signedInWindow(page: Page, method: string, params: unknown[]) {
  const signature = requested(page, method, params)
  const open = frameOf(page).getByRole('button', { name: 'Continue in a new window' })
  // A pointer at rest shows only when it moves that another frame is under it.
  await open.hover()
  await look(page)
  const [window] = await Promise.all([page.context().waitForEvent('page'), open.click()])
  const agree = window.getByRole('button', { name: 'Sign and continue' })
  await agree.waitFor()
  const readable = await window.evaluate(() => performance.now())
  await look(window)
  const took = await pressed(page, signature, () => agree.click())
  return { readable, took }
}

/** Milliseconds from a trusted press, wherever it was, until the frame has sent the answer; network left out. */
async function pressed(page: Page, signature: Promise<unknown>, press: () => Promise<void>): Promise<number> {
  const context = page.context()
  const next = (kind: string) =>
    context.waitForEvent('console', (message) => message.text().startsWith(`${mark}${kind}`))
  const [begun, done] = await Promise.all([next('press'), next('done'), press()])
  if (!/^0x/.test(String(await signature))) throw new Error('Nothing was signed')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  const start = Number(begun.text().slice(`${mark}press`.length))
  const { sent, asked } = JSON.parse(done.text().slice(`${mark}done`.length)) as Answered
  let waited = 0
  let until = start
  for (const [from, to] of asked.toSorted(([one], [other]) => one - other))
    if (to > until) {
      waited += Math.max(0, Math.min(sent, to) - Math.max(until, from))
      until = to
    }
  return sent - start - waited
}
/** When the frame has sent its answer, and from when to when it has waited for the network. */
interface Answered {
  sent: number
  asked: [from: number, to: number][]
}

/** Asks the page's wallet. What fails before the signature is what is told. */
function requested(page: Page, method: string, params: unknown[]): Promise<unknown> {
  const signature = page.evaluate(
    async ([method, params]) => {
      const { kit } = document.querySelector('login-modal') as LoginModal
      while (!kit?.embeddedWallets.get().length) await new Promise((resolve) => setTimeout(resolve, 50))
      const provider = kit.embeddedWallets.get()[0]?.getProvider() as unknown as {
        request(asked: object): Promise<unknown>
      }
      return provider.request({ method, params })
    },
    [method, params] as const,
  )
  signature.catch(() => {})
  return signature
}

const mark = 'bench: '
/** Runs in every frame and window, before its own code: prints when a user has pressed, and when an answer was sent. */
const watchPress = `{
  const origin = performance.timeOrigin
  const now = () => origin + performance.now()
  addEventListener('click', ({ isTrusted }) => isTrusted && console.info('${mark}press' + now()), true)
  const send = MessagePort.prototype.postMessage
  MessagePort.prototype.postMessage = function (message, ...more) {
    if (message?.type === 'done') {
      const asked = performance.getEntriesByType('resource')
        .map(({ startTime, responseEnd }) => [origin + startTime, origin + responseEnd])
      console.info('${mark}done' + JSON.stringify({ sent: now(), asked }))
    }
    return send.call(this, message, ...more)
  }
}`

/** The vault's own code, with a key of its own, in the vault's page. */
async function proofFigure(browser: Browser, demo: Demo): Promise<Figure> {
  const host = await hostPage()
  try {
    const page = await openFrame(browser, host.address, demo, appId)
    const source = (file: string) =>
      JSON.stringify(fileURLToPath(new URL(`../../src/vault/device/${file}`, import.meta.url)))
    const { outputFiles } = await build({
      stdin: {
        contents: `export * from ${source('key.ts')}; export * from ${source('proof.ts')}`,
        resolveDir: fileURLToPath(new URL('.', import.meta.url)),
      },
      bundle: true,
      format: 'iife',
      globalName: 'device',
      minify: true,
      write: false,
      target: 'es2022',
    })
    const took: number[] = await vaultOf(page, demo).evaluate(`(async () => {
      ${outputFiles[0]?.text}
      const key = await device.openKeyPair(await device.newKeyPair())
      const accessToken = 'x'.repeat(600)
      const call = { method: 'POST', url: location.origin + '/api/v1/embedded_wallets', accessToken, nonce: 'n'.repeat(64) }
      const took = []
      for (let turn = 0; turn < ${proofs}; turn++) {
        const started = performance.now()
        await device.proveCall(key, { ...call, now: Date.now() })
        took.push(performance.now() - started)
      }
      return took
    })()`)
    const mean = took.reduce((total, one) => total + one, 0) / took.length
    return {
      ...timesOf('proof of a call', took, budgets.proof),
      value: mean,
      note: `mean of ${took.length}, at most ${Math.max(...took).toFixed(1)}`,
    }
  } finally {
    host.close()
  }
}

/** In a vault that is ready, on a device that is enrolled. */
async function connectFigure(browser: Browser, demo: Demo): Promise<Figure> {
  const host = await hostPage()
  try {
    const [accessToken = ''] = await logIn(demo, appId, 1)
    const page = await openFrame(browser, host.address, demo, appId)
    const { data } = await ask(page, frameEvents.createWallet, { accessToken })
    const took: number[] = []
    for (let turn = 0; turn < connections; turn++)
      took.push((await ask(page, frameEvents.connectWallet, named(accessToken, String(data.address)))).took)
    return timesOf('connect', took, budgets.connect)
  } finally {
    host.close()
  }
}
