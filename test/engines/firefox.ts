/** Firefox, driven by WebDriver BiDi, which it speaks itself. */
import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { WebSocket } from 'ws'
import { inPath } from '../../tools/setup/run.mjs'
import type { Engine, InputSource, Missing, Tab } from './engine.ts'

/** Nothing that talks to its maker, and no first visit. */
const preferences = {
  'browser.shell.checkDefaultBrowser': false,
  'browser.aboutwelcome.enabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'app.update.enabled': false,
  'browser.safebrowsing.update.enabled': false,
  'services.settings.server': 'data:,#remote-settings-dummy/v1',
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'remote.active-protocols': 1,
  'ui.prefersReducedMotion': 1,
}

/** Starts it without a window, in a profile of its own. */
export async function startFirefox(): Promise<Engine | Missing> {
  const program = inPath('firefox-esr') ?? inPath('firefox')
  if (!program) return { missing: 'there is no firefox-esr or firefox on this machine' }
  const profile = await fs.mkdtemp(path.join(os.tmpdir(), 'latchkey-firefox-'))
  const lines = Object.entries(preferences).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  )
  await fs.writeFile(path.join(profile, 'user.js'), `${lines.join('\n')}\n`)
  const child = spawn(
    program,
    ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0', 'about:blank'],
    { env: { ...process.env, MOZ_CRASHREPORTER_DISABLE: '1' }, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const stop = async () => {
    child.kill('SIGKILL')
    await ended
    await fs.rm(profile, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    const bidi = await connect(`${await addressOf(child)}/session`)
    const { capabilities } = (await bidi.send('session.new', { capabilities: {} })) as {
      capabilities: { browserName: string; browserVersion: string }
    }
    return {
      version: `${capabilities.browserName} ${capabilities.browserVersion}`,
      newDevice: () => newTab(bidi),
      async close() {
        bidi.close()
        await stop()
      },
    }
  } catch (cause) {
    await stop()
    throw cause
  }
}

/** Where it listens, which it says once it does. */
const addressOf = (child: ChildProcess) =>
  new Promise<string>((resolve, reject) => {
    let said = ''
    child.stderr?.on('data', (chunk) => {
      said += chunk
      const address = /WebDriver BiDi listening on (ws:\/\/\S+)/.exec(said)?.[1]
      if (address) resolve(address)
    })
    child.once('exit', () => reject(new Error(`Firefox ended:\n${said}`)))
    child.once('error', reject)
  })

interface Bidi {
  send(method: string, params: object): Promise<unknown>
  close(): void
}

async function connect(address: string): Promise<Bidi> {
  const socket = new WebSocket(address)
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve())
    socket.once('error', reject)
  })
  const waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>()
  let last = 0
  socket.on('message', (data) => {
    const { id, result, error, message } = JSON.parse(String(data))
    const wait = waiting.get(id)
    waiting.delete(id)
    if (error) wait?.reject(new Error(`${error}: ${message}`))
    else wait?.resolve(result)
  })
  socket.on('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('Firefox has closed the connection'))
  })
  return {
    send: (method, params) =>
      new Promise((resolve, reject) => {
        last += 1
        waiting.set(last, { resolve, reject })
        socket.send(JSON.stringify({ id: last, method, params }))
      }),
    close: () => socket.close(),
  }
}

interface Context {
  readonly context: string
  readonly url: string
  readonly children: readonly Context[] | null
}

async function newTab(bidi: Bidi): Promise<Tab> {
  const { userContext } = (await bidi.send('browser.createUserContext', {})) as { userContext: string }
  const { context } = (await bidi.send('browsingContext.create', { type: 'tab', userContext })) as {
    context: string
  }
  await bidi.send('browsingContext.activate', { context })
  return tabOf(bidi, context)
}

function tabOf(bidi: Bidi, context: string): Tab {
  async function evaluate<T>(where: string, expression: string): Promise<T> {
    const said = (await bidi.send('script.evaluate', {
      expression: `(async () => JSON.stringify(await (${expression}) ?? null))()`,
      target: { context: where },
      awaitPromise: true,
      userActivation: false,
    })) as { result?: { value: string }; exceptionDetails?: { text: string } }
    if (said.exceptionDetails || !said.result) throw new Error(said.exceptionDetails?.text)
    return JSON.parse(said.result.value)
  }
  return {
    goto: async (url) =>
      void (await bidi.send('browsingContext.navigate', { context, url, wait: 'complete' })),
    evaluate: (expression) => evaluate(context, expression),
    async evaluateInFrame(address, expression) {
      const { contexts } = (await bidi.send('browsingContext.getTree', { root: context })) as {
        contexts: Context[]
      }
      return evaluate(only(contexts.flatMap(below), address).context, expression)
    },
    act: async (actions: readonly InputSource[]) =>
      void (await bidi.send('input.performActions', { context, actions })),
    async window(address) {
      const { contexts } = (await bidi.send('browsingContext.getTree', {})) as { contexts: Context[] }
      return tabOf(bidi, only(contexts, address).context)
    },
  }
}
function only(all: readonly Context[], address: string): Context {
  const found = all.filter(({ url }) => url.startsWith(address))
  const [first] = found
  if (!first || found.length > 1) throw new Error(`There are ${found.length} pages of ${address}`)
  return first
}
const below = ({ children }: Context): Context[] =>
  (children ?? []).flatMap((child) => [child, ...below(child)])
