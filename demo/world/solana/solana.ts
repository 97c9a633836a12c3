import { createServer, type IncomingMessage } from 'node:http'
import * as v from 'valibot'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Done } from './ledger.ts'

export interface Solana {
  readonly url: string
  /** One port further, where the client libraries look for it. */
  readonly wsUrl: string
  /** Lets blocks pass in which nothing happens: after 150 a blockhash has expired. */
  advance(blocks: number): Promise<void>
  close(): Promise<void>
}

const request = v.object({
  jsonrpc: v.literal('2.0'),
  id: v.union([v.number(), v.string(), v.null()]),
  method: v.string(),
  params: v.optional(v.array(v.unknown()), () => []),
})
type Request = v.InferOutput<typeof request>
interface Subscription {
  kind: 'signature' | 'account' | 'slot'
  key: string
  socket: WebSocket
}
const bodyLimit = 200_000

/**
 * A node of Solana with a chain of its own in this process: JSON-RPC over HTTP, and a websocket one port further. The
 * machine is loaded when somebody first asks for something, so that nobody else waits for it.
 */
export async function startSolana({
  port,
  now = Date.now,
}: {
  port: number
  now?: () => number
}): Promise<Solana> {
  const subscriptions = new Map<number, Subscription>()
  let nextId = 1
  let loading: ReturnType<typeof load> | undefined

  async function load() {
    const [{ createLedger, RpcError }, { createMethods }] = await Promise.all([
      import('./ledger.ts'),
      import('./methods.ts'),
    ])
    const ledger = createLedger({ now })
    // After the answer to the sender.
    const methods = createMethods(ledger, (one) => void setImmediate(() => tell(one)))
    return { ledger, methods, RpcError }
  }
  const machine = () => {
    loading ??= load()
    return loading
  }

  async function answer(given: unknown): Promise<object> {
    const asked = v.safeParse(request, given)
    if (!asked.success)
      return { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'Invalid request' } }
    const { id, method, params } = asked.output
    const { methods, RpcError } = await machine()
    try {
      const found = Object.hasOwn(methods, method) ? methods[method] : undefined
      if (!found) throw new RpcError(-32601, 'Method not found')
      return { jsonrpc: '2.0', id, result: found(params) }
    } catch (cause) {
      const { code, message, data } = cause instanceof RpcError ? cause : new RpcError(-32603, String(cause))
      return { jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } }
    }
  }

  const send = (socket: WebSocket, message: object) => {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify({ jsonrpc: '2.0', ...message }))
  }
  const notify = (id: number, { kind, socket }: Subscription, value: unknown, slot: number) => {
    const result = kind === 'slot' ? value : { context: { slot }, value }
    send(socket, { method: `${kind}Notification`, params: { subscription: id, result } })
  }
  function tellSignature(id: number, subscription: Subscription, { error: err, slot }: Done) {
    subscriptions.delete(id)
    notify(id, subscription, { err }, slot)
  }
  async function tell(one: Done) {
    const { methods, ledger } = await machine()
    const slot = ledger.slot()
    for (const [id, subscription] of subscriptions) {
      const { kind, key } = subscription
      if (kind === 'slot')
        notify(id, subscription, { parent: slot - 1, root: Math.max(0, slot - 32), slot }, slot)
      else if (kind === 'signature' && key === one.signature) tellSignature(id, subscription, one)
      else if (kind === 'account' && one.touched.some((each) => each === key))
        notify(id, subscription, valueIn(methods.getAccountInfo?.([key])), slot)
    }
  }

  async function subscribe(socket: WebSocket, { id, method, params }: Request) {
    const kind = /^(signature|account|slot)Subscribe$/.exec(method)?.[1] as Subscription['kind'] | undefined
    if (kind) {
      const number = nextId++
      const subscription = { kind, key: String(params[0]), socket }
      subscriptions.set(number, subscription)
      send(socket, { id, result: number })
      if (kind !== 'signature') return
      const known = (await machine()).ledger.done.get(subscription.key)
      if (known && subscriptions.has(number)) tellSignature(number, subscription, known)
    } else if (method.endsWith('Unsubscribe'))
      send(socket, { id, result: subscriptions.delete(Number(params[0])) })
    else if (method === 'ping') send(socket, { id, result: null })
    else send(socket, { id, error: { code: -32601, message: 'Method not found' } })
  }

  const server = createServer(async (incoming, response) => {
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('access-control-allow-headers', '*')
    response.setHeader('content-type', 'application/json')
    if (incoming.method === 'OPTIONS') return void response.writeHead(204).end()
    const body = readJson(await readBody(incoming))
    const all = Array.isArray(body) ? await Promise.all(body.slice(0, 100).map(answer)) : await answer(body)
    response.end(JSON.stringify(all))
  })
  const sockets = new WebSocketServer({ port: port + 1, host: '127.0.0.1', maxPayload: bodyLimit })
  sockets.on('connection', (socket) => {
    socket.on('error', () => socket.terminate())
    socket.on('message', (raw) => {
      const asked = v.safeParse(request, readJson(String(raw)))
      if (asked.success) void subscribe(socket, asked.output)
    })
    socket.on('close', () => {
      for (const [id, each] of subscriptions) if (each.socket === socket) subscriptions.delete(id)
    })
  })

  const close = async () => {
    for (const socket of sockets.clients) socket.terminate()
    server.closeAllConnections()
    await Promise.all([
      new Promise<void>((done) => sockets.close(() => done())),
      new Promise<void>((done) => server.close(() => done())),
    ])
  }
  const taken = (at: number) => (cause: NodeJS.ErrnoException) =>
    cause.code === 'EADDRINUSE'
      ? new Error(`Port ${at}, for Solana, is taken. Set LATCHKEY_PORT to another one.`)
      : cause
  try {
    await Promise.all([
      new Promise<void>((done, fail) => {
        sockets.once('error', (cause) => fail(taken(port + 1)(cause)))
        sockets.once('listening', done)
      }),
      new Promise<void>((done, fail) => {
        server.once('error', (cause) => fail(taken(port)(cause)))
        server.listen(port, '127.0.0.1', done)
      }),
    ])
  } catch (cause) {
    await close()
    throw cause
  }
  const advance = async (blocks: number) => (await machine()).ledger.advance(blocks)
  return { url: `http://localhost:${port}`, wsUrl: `ws://localhost:${port + 1}`, advance, close }
}

const valueIn = (answer: unknown) => (answer as { value: unknown } | undefined)?.value

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > bodyLimit) return ''
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
