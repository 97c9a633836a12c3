/** What it costs that the vault decides: a signature after the press, the proof of a call, and getting a wallet ready, in a strict app. */
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { type Browser, chromium, type Page } from 'playwright-core'
import type { LoginModal } from '../../src/index.ts'
import { frameEvents } from '../../src/protocol/frame/calls.ts'
import { findChromium } from '../../tools/chromium.mjs'
import { look } from '../e2e/support/approval.ts'
import { open as appId } from '../e2e/support/apps.ts'
import { type Demo, startDemo } from '../e2e/support/demo.ts'
import { newDevice, vaultOf } from '../e2e/support/embedded.ts'
import { type Figure, timesOf } from './figures.ts'
import { ask, hostPage, logIn, named, openFrame } from './vault-frame.ts'

const signatures = 15
const connections = 50
const proofs = 200
const budgets = { sign: 10, proof: 5, connect: 120 }

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

/** What people sign, each by a press in the vault's frame. */
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
  const kinds: [method: string, params: (turn: number) => unknown[]][] = [
    ['personal_sign', (turn) => [`0x${Buffer.from(`Message ${turn}`).toString('hex')}`, address]],
    ['eth_signTypedData_v4', (turn) => [address, { types, primaryType: 'Note', domain, message: { turn } }]],
  ]
  const figures: Figure[] = []
  for (const [method, params] of kinds) {
    const took: number[] = []
    for (let turn = 0; turn < signatures; turn++) took.push(await signed(page, method, params(turn)))
    figures.push(timesOf(`${method}, from the press on, without network`, took, budgets.sign))
  }
  await context.close()
  return figures
}

/** Presses in the vault's frame, and resolves with how long that took until the signature was sent, network left out. */
async function signed(page: Page, method: string, params: unknown[]): Promise<number> {
  const signature = requested(page, method, params)
  const agree = page.getByRole('dialog').frameLocator('iframe[title="Wallet"]').getByText('Sign and continue')
  await agree.waitFor()
  // Only what has been in sight for a while can be pressed.
  await look(page)
  const took = page.waitForEvent('console', (message) => message.text().startsWith(mark))
  await agree.click()
  const text = (await took).text()
  if (!/^0x/.test(String(await signature))) throw new Error(`${method} was not signed`)
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  return Number(text.slice(mark.length))
}

const requested = (page: Page, method: string, params: unknown[]) =>
  page.evaluate(
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

const mark = 'after the press: '
/** Runs in every frame, before its own code: notes the last press, and prints how long the answer has taken since. */
const watchPress = `{
  let pressed
  addEventListener('click', ({ isTrusted }) => { if (isTrusted) pressed = performance.now() }, true)
  const send = MessagePort.prototype.postMessage
  MessagePort.prototype.postMessage = function (message, ...more) {
    if (message?.type === 'done' && pressed !== undefined) {
      const sent = performance.now()
      let waited = 0
      let until = pressed
      const asked = performance.getEntriesByType('resource').sort((a, b) => a.startTime - b.startTime)
      for (const { startTime, responseEnd } of asked)
        if (responseEnd > until) {
          waited += Math.min(sent, responseEnd) - Math.max(until, startTime)
          until = responseEnd
        }
      console.info('${mark}' + (sent - pressed - waited))
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
