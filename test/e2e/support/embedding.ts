/** A vault with one allowed origin, and pages of every origin that try to hold it. */

import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { serve } from '@hono/node-server'
import type { Frame, Page } from '@playwright/test'
import { createBackend } from '../../../demo/backend/server.ts'
import { freePort } from '../../support/free-port.ts'
import { limit } from '../../support/limit.ts'

const appId = 'latchkey-embedding-000001'
export const allowedHost = 'host1.localhost'

/** How a page holds another one. */
export interface Holder {
  readonly tag?: 'iframe' | 'object' | 'embed'
  readonly sandbox?: string
  readonly credentialless?: boolean
  /** What is held: an address, or the text of a page, as `srcdoc`, `data:` or `blob:`. */
  readonly address?: string
  readonly text?: string
  readonly as?: 'srcdoc' | 'data' | 'blob'
}
interface Marks {
  answers: number
  done: boolean
}

/** Runs in a page: holds what it is told to, asks it ten times whether it is a ready vault, and counts the answers. */
function hold(holder: Holder): void {
  const marks: Marks = Object.assign(window, { answers: 0, done: false })
  const element = document.createElement(holder.tag ?? 'iframe') as HTMLIFrameElement
  const held = () => element.contentWindow ?? window[0]
  // The page around this one asks as well, and says the same.
  addEventListener('message', ({ data, source }) => {
    if (data?.event === 'privy:iframe:ready' && source === held()) marks.answers++
  })
  if (holder.sandbox !== undefined) element.setAttribute('sandbox', holder.sandbox)
  if (holder.credentialless) element.setAttribute('credentialless', '')
  const { text = '' } = holder
  if (holder.as === 'srcdoc') element.srcdoc = text
  else {
    const blob = () => URL.createObjectURL(new Blob([text], { type: 'text/html' }))
    const address =
      holder.as === 'data'
        ? `data:text/html,${encodeURIComponent(text)}`
        : holder.as === 'blob'
          ? blob()
          : holder.address
    element.setAttribute('type', 'text/html')
    element.setAttribute(holder.tag === 'object' ? 'data' : 'src', address ?? 'about:blank')
  }
  let started = false
  const ask = () => {
    if (started) return
    started = true
    let left = 10
    const timer = setInterval(() => {
      const message = { id: `${Math.random()}`, event: 'privy:iframe:ready', data: {} }
      held()?.postMessage(left % 2 ? message : JSON.stringify(message), '*')
      if (--left > 0) return
      clearInterval(timer)
      marks.done = true
    }, 50)
  }
  // A page that may not be loaded is an error for some elements, and loaded for others.
  for (const type of ['load', 'error']) element.addEventListener(type, ask)
  setTimeout(ask, 3_000)
  document.body.append(element)
}

/** The text of a page that holds something. */
export const holding = (holder: Holder): string =>
  `<!doctype html><meta charset="utf-8"><title>Holder</title><body><script>(${hold})(${JSON.stringify(holder).replaceAll('<', '\\u003c')})</script>`

export async function startEmbedding() {
  const pages = [await startPages(), await startPages()] as const
  const [port, otherPort] = pages.map((server) => (server.address() as AddressInfo).port)
  const vaultPort = await freePort()
  const vault = `http://vault.localhost:${vaultPort}`
  const dataDir = await mkdtemp(join(tmpdir(), 'latchkey-embedding-'))
  const allowed = `http://${allowedHost}:${port}`
  const backend = await createBackend({
    dataDir,
    apiUrl: `http://localhost:${vaultPort}`,
    vaultOrigin: vault,
    apps: [{ id: appId, name: 'Embedding', allowedDomains: [allowed] }],
    smtpUrl: 'smtp://127.0.0.1:1?ignoreTLS=true',
    vaultFiles: resolve(process.env.LATCHKEY_DIST ?? 'dist', 'vault'),
  })
  const server = serve({ fetch: backend.vault.fetch, port: vaultPort, hostname: '127.0.0.1' })
  return {
    allowed,
    vault,
    vaultPage: `${vault}/apps/${appId}/embedded-wallets`,
    /** The origin of a host on the pages' port, or on the other one. */
    origin: (host: string, other = false) => `http://${host}:${other ? otherPort : port}`,
    /** The address of a page of that origin that holds something. */
    page: (origin: string, holder: Holder) => `${origin}/?${encodeURIComponent(JSON.stringify(holder))}`,
    async stop() {
      for (const one of [...pages, server]) one.close()
      await backend.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
export type Embedding = Awaited<ReturnType<typeof startEmbedding>>

/** Serves, for every name, a page that holds what its query says. */
async function startPages(): Promise<Server> {
  const server = createServer((request, response) => {
    const { search } = new URL(request.url ?? '/', 'http://localhost')
    const holder = search ? decodeURIComponent(search.slice(1)) : '{}'
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(holding(JSON.parse(holder)))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return server
}

/** How many answers of a ready vault all pages within a page have got, once all of them have asked to the end. */
export async function answersIn(page: Page): Promise<number> {
  let sum = 0
  for (const frame of page.frames()) {
    const marks = await marksOf(frame)
    if (!marks) continue
    if (!marks.done)
      await frame.waitForFunction(() => (window as unknown as Marks).done, undefined, {
        timeout: limit(15_000),
      })
    sum += (await marksOf(frame))?.answers ?? 0
  }
  return sum
}

/** `undefined` for the vault itself, and for what was never loaded. */
const marksOf = (frame: Frame): Promise<Marks | undefined> =>
  frame
    .evaluate(() => {
      const { answers, done } = window as unknown as Partial<Marks>
      return typeof answers === 'number' ? { answers, done: done === true } : undefined
    })
    .catch(() => undefined)
