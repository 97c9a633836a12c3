/** WebKit as WebKitGTK has it, driven by WebDriver, on a display of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import { inPath } from '../../tools/setup/run.mjs'
import { freePort } from '../support/free-port.ts'
import type { Engine, InputSource, Missing, Tab } from './engine.ts'

/** Each device is a driver and a browser of its own, because a driver drives one. */
export async function startWebKit(): Promise<Engine | Missing> {
  const driver = inPath('WebKitWebDriver')
  const display = inPath('Xvfb')
  const browser = miniBrowser()
  if (!driver || !browser) return { missing: 'there is no webkit2gtk-driver on this machine' }
  if (!display) return { missing: 'there is no Xvfb on this machine' }

  const screen = await startDisplay(display)
  const devices: Device[] = []
  const newDevice = async () => {
    const device = await startDevice(driver, browser, screen.name)
    devices.push(device)
    return device
  }
  const close = async () => {
    for (const device of devices) await device.close()
    await screen.close()
  }
  try {
    const first = await newDevice()
    let unused: Device | undefined = first
    return {
      version: `WebKitGTK ${first.version}`,
      async newDevice() {
        const { session } = unused ?? (await newDevice())
        unused = undefined
        return tabOf(session, (await call('GET', `${session}/window`)) as string)
      },
      close,
    }
  } catch (cause) {
    await close()
    throw cause
  }
}

interface Device {
  readonly version: string
  /** The address of its session. */
  readonly session: string
  close(): Promise<void>
}

async function startDevice(driver: string, browser: string, display: string): Promise<Device> {
  const port = await freePort()
  const child = spawn(driver, ['-p', String(port)], {
    env: {
      ...process.env,
      // No graphics card is asked for, and no screen reader.
      LIBGL_ALWAYS_SOFTWARE: '1',
      WEBKIT_DISABLE_COMPOSITING_MODE: '1',
      NO_AT_BRIDGE: '1',
      DISPLAY: display,
      GDK_BACKEND: 'x11',
    },
    stdio: 'ignore',
    // With a group of its own, because the browser has processes too.
    detached: true,
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const end = async () => {
    if (child.pid && child.exitCode === null && child.signalCode === null) process.kill(-child.pid, 'SIGKILL')
    await ended
  }
  const base = `http://127.0.0.1:${port}`
  try {
    await answering(base, child)
    const options = { binary: browser, args: ['--automation'] }
    const timeouts = { script: 30_000, pageLoad: 60_000 }
    const { sessionId, capabilities } = (await call('POST', `${base}/session`, {
      capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': options, timeouts } },
    })) as { sessionId: string; capabilities: { browserVersion: string } }
    const session = `${base}/session/${sessionId}`
    return {
      version: capabilities.browserVersion,
      session,
      async close() {
        await call('DELETE', session).catch(() => {})
        await end()
      },
    }
  } catch (cause) {
    await end()
    throw cause
  }
}

/** The browser that comes with the library, outside the folders where programs are looked for. */
function miniBrowser(): string | undefined {
  const folders = ['/usr/lib', '/usr/libexec'].filter((folder) => fs.existsSync(folder))
  const inside = folders.flatMap((folder) =>
    fs.readdirSync(folder).flatMap((name) => [`${folder}/${name}`, ...inner(`${folder}/${name}`)]),
  )
  return inside.map((folder) => `${folder}/MiniBrowser`).find((file) => fs.existsSync(file))
}
function inner(folder: string): string[] {
  try {
    return fs
      .readdirSync(folder)
      .filter((name) => name.startsWith('webkit'))
      .map((name) => `${folder}/${name}`)
  } catch {
    return []
  }
}

/** A display that nobody sees, with the first number that is free. */
async function startDisplay(program: string): Promise<{ name: string; close(): Promise<void> }> {
  const child = spawn(program, ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const number = await new Promise<string>((resolve, reject) => {
    child.stdio[3]?.once('data', (chunk) => resolve(String(chunk).trim()))
    child.once('exit', () => reject(new Error('Xvfb ended')))
    child.once('error', reject)
  })
  return {
    name: `:${number}`,
    async close() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

async function answering(base: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 100 && child.exitCode === null; tries++) {
    if (
      await fetch(`${base}/status`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('WebKitWebDriver does not answer')
}

async function call(method: string, address: string, body?: object): Promise<unknown> {
  const answer = await fetch(address, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  const { value } = (await answer.json()) as { value: unknown }
  if (answer.ok) return value
  const { error, message } = value as { error: string; message: string }
  throw new Error(`${error}: ${message}`)
}

/**
 * The page in one of a session's windows.
 * @param driven the window that the session drives now, one at a time
 */
function tabOf(session: string, handle: string, driven = { handle }): Tab {
  const post = (path: string, body: object) => call('POST', `${session}${path}`, body)
  // A window that is turned to takes the focus from its frames, even if it is the one that is driven already.
  const here = async () => {
    if (driven.handle === handle) return
    await post('/window', { handle })
    driven.handle = handle
  }
  async function evaluateNow<T>(expression: string): Promise<T> {
    const script = `const done = arguments[0]
      ;(async () => JSON.stringify(await (${expression}) ?? null))().then(
        (json) => done({ json }), (cause) => done({ failed: String(cause) }))`
    const said = (await post('/execute/async', { script, args: [] })) as { json?: string; failed?: string }
    if (said.failed !== undefined) throw new Error(said.failed)
    return JSON.parse(said.json ?? 'null')
  }
  return {
    async goto(url) {
      await here()
      await post('/url', { url })
    },
    async evaluate(expression) {
      await here()
      return evaluateNow(expression)
    },
    async evaluateInFrame(address, expression) {
      await here()
      const found = (await post('/execute/sync', {
        script: `const all = (root) => [...root.querySelectorAll('*')].flatMap((each) =>
            [...(each.localName === 'iframe' && each.src.startsWith(arguments[0]) ? [each] : []),
              ...(each.shadowRoot ? all(each.shadowRoot) : [])])
          return all(document)`,
        args: [address],
      })) as object[]
      if (found.length !== 1) throw new Error(`There are ${found.length} frames of ${address}`)
      await post('/frame', { id: found[0] })
      try {
        return await evaluateNow(expression)
      } finally {
        await post('/frame', { id: null })
      }
    },
    async act(actions: readonly InputSource[]) {
      await here()
      await post('/actions', { actions })
    },
    async window(address) {
      const handles = (await call('GET', `${session}/window/handles`)) as string[]
      for (const other of handles) {
        const tab = tabOf(session, other, driven)
        if ((await tab.evaluate<string>('location.href')).startsWith(address)) return tab
      }
      throw new Error(`There is no window of ${address}`)
    },
  }
}
