import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import * as v from 'valibot'
import { type WebSocket, WebSocketServer } from 'ws'

export interface Relay {
  /** `ws://localhost:4810` */
  readonly url: string
  readonly control: {
    /** Ends all connections, and takes no new ones until `up()`. */
    down(): void
    up(): void
    /** Ends the connections of the client that came `at`-th of those that are connected; they may come again. */
    drop(at: number): void
    /** Nobody gets anything from now on, though everything is taken; `false` ends that. */
    mute(muted: boolean): void
    /** How many are connected. */
    clients(): number
    /** What was asked, by method, since the start. */
    seen(): readonly string[]
  }
  close(): Promise<void>
}

const topic = v.pipe(v.string(), v.regex(/^[\da-f]{64}$/))
const message = v.pipe(v.string(), v.maxLength(1_000_000))
const publishing = v.object({
  topic,
  message,
  ttl: v.optional(v.number(), 300),
  tag: v.optional(v.number(), 0),
})
const one = v.object({ topic })
const many = v.object({ topics: v.pipe(v.array(topic), v.maxLength(500)) })
const proposal = v.object({ pairingTopic: topic, sessionProposal: message })
const approval = v.object({
  pairingTopic: topic,
  sessionTopic: topic,
  sessionProposalResponse: message,
  sessionSettlementRequest: message,
})
const request = v.object({
  id: v.union([v.number(), v.string()]),
  jsonrpc: v.literal('2.0'),
  method: v.string(),
  params: v.optional(v.unknown()),
})

interface Client {
  /** Stays the same when it comes again. */
  id: string
  socket: WebSocket
}
interface Subscriber {
  id: string
  topic: string
  client: Client
}
interface Kept {
  message: string
  publishedAt: number
  tag: number
  until: number
  from: string
}

/**
 * WalletConnect's relay: it hands sealed messages from one side to the other by topic, keeps them while the other side is
 * away, and can't read them.
 */
export async function startRelay({
  port,
  now = Date.now,
}: {
  port: number
  now?: () => number
}): Promise<Relay> {
  const subscribers = new Map<string, Subscriber>()
  const mailbox = new Map<string, Kept[]>()
  const seen: string[] = []
  let isDown = false
  let muted = false
  let nextId = Date.now() * 1_000

  const send = (socket: WebSocket, answer: object) => {
    if (!muted && socket.readyState === socket.OPEN)
      socket.send(JSON.stringify({ jsonrpc: '2.0', ...answer }))
  }
  const deliver = ({ id, topic, client }: Subscriber, { message, publishedAt, tag }: Kept) => {
    const data = { topic, message, publishedAt, tag }
    send(client.socket, { id: nextId++, method: 'irn_subscription', params: { id, data } })
  }
  const fresh = (topic: string) => (mailbox.get(topic) ?? []).filter(({ until }) => until > now())

  function subscribe(client: Client, topic: string): string {
    // Once for each client: approving a session subscribes, and so does requesting it.
    const id = createHash('sha256')
      .update(topic + client.id)
      .digest('hex')
    if (subscribers.get(id)?.client === client) return id
    const subscriber = { id, topic, client }
    subscribers.set(id, subscriber)
    const missed = fresh(topic).filter(({ from }) => from !== client.id)
    // Behind the answer that names the subscription.
    setImmediate(() => {
      for (const kept of missed) deliver(subscriber, kept)
    })
    return id
  }
  function publish(client: Client, given: v.InferOutput<typeof publishing>): true {
    const { topic, message, tag, ttl } = given
    // Clients publish again what was not acknowledged soon enough; nobody must get it twice.
    if (fresh(topic).some((each) => each.message === message)) return true
    const kept = { message, tag, publishedAt: now(), until: now() + ttl * 1_000, from: client.id }
    mailbox.set(topic, [...fresh(topic), kept])
    for (const subscriber of subscribers.values())
      if (subscriber.topic === topic && subscriber.client.id !== client.id) deliver(subscriber, kept)
    return true
  }
  const unsubscribe = (id: string) => subscribers.delete(id)

  function answer(client: Client, method: string, params: unknown): unknown {
    switch (method) {
      case 'irn_subscribe':
        return subscribe(client, v.parse(one, params).topic)
      case 'irn_batchSubscribe':
        return v.parse(many, params).topics.map((each) => subscribe(client, each))
      case 'irn_publish':
        return publish(client, v.parse(publishing, params))
      case 'irn_batchPublish':
        for (const each of v.parse(v.object({ messages: v.array(publishing) }), params).messages)
          publish(client, each)
        return true
      case 'irn_unsubscribe':
        return unsubscribe(v.parse(v.object({ id: v.string() }), params).id)
      case 'irn_batchUnsubscribe': {
        const given = v.parse(v.object({ subscriptions: v.array(v.object({ id: v.string() })) }), params)
        for (const { id } of given.subscriptions) unsubscribe(id)
        return true
      }
      case 'irn_fetchMessages':
        return messagesOf([v.parse(one, params).topic])
      case 'irn_batchFetchMessages':
        return messagesOf(v.parse(many, params).topics)
      // These two publish for the sender and have it listen. Without them a pairing hangs without a word.
      case 'wc_proposeSession': {
        const { pairingTopic, sessionProposal } = v.parse(proposal, params)
        publish(client, { topic: pairingTopic, message: sessionProposal, ttl: 300, tag: 1100 })
        subscribe(client, pairingTopic)
        return true
      }
      case 'wc_approveSession': {
        const given = v.parse(approval, params)
        const { pairingTopic, sessionTopic } = given
        publish(client, { topic: pairingTopic, message: given.sessionProposalResponse, ttl: 300, tag: 1101 })
        publish(client, { topic: sessionTopic, message: given.sessionSettlementRequest, ttl: 300, tag: 1102 })
        subscribe(client, sessionTopic)
        return true
      }
      default:
        throw new UnknownMethod(`Method not found: ${method}`)
    }
  }
  const messagesOf = (topics: readonly string[]) => ({
    messages: topics.flatMap((each) =>
      fresh(each).map(({ message, publishedAt, tag }) => ({ topic: each, message, publishedAt, tag })),
    ),
    hasMore: false,
  })

  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/plain', 'access-control-allow-origin': '*' })
    response.end('A relay of WalletConnect; it speaks on a websocket.\n')
  })
  const sockets = new WebSocketServer({
    server,
    maxPayload: 2_000_000,
    verifyClient: ({ req }: { req: IncomingMessage }) =>
      !isDown &&
      /^[\da-f]{32}$/.test(new URL(req.url ?? '', 'ws://relay').searchParams.get('projectId') ?? ''),
  })
  sockets.on('connection', (socket, { url }) => {
    const client = { id: clientOf(url), socket }
    socket.on('error', () => socket.terminate())
    socket.on('message', (raw) => {
      const asked = v.safeParse(request, readJson(String(raw)))
      if (!asked.success) return
      const { id, method, params } = asked.output
      seen.push(method)
      try {
        send(socket, { id, result: answer(client, method, params) })
      } catch (cause) {
        const code = cause instanceof UnknownMethod ? -32601 : -32602
        send(socket, { id, error: { code, message: cause instanceof Error ? cause.message : 'Bad request' } })
      }
    })
    socket.on('close', () => {
      for (const [id, subscriber] of subscribers) if (subscriber.client === client) subscribers.delete(id)
    })
  })
  const sweep = setInterval(() => {
    for (const each of mailbox.keys()) {
      const left = fresh(each)
      if (left.length > 0) mailbox.set(each, left)
      else mailbox.delete(each)
    }
  }, 60_000)
  sweep.unref()

  await new Promise<void>((resolve, reject) => {
    // It hands on what happens to its server.
    sockets.on('error', (cause: NodeJS.ErrnoException) =>
      reject(
        cause.code === 'EADDRINUSE'
          ? new Error(`Port ${port}, for the relay, is taken. Set LATCHKEY_PORT to another one.`)
          : cause,
      ),
    )
    server.listen(port, '127.0.0.1', resolve)
  })

  const dropAll = () => {
    for (const socket of sockets.clients) socket.terminate()
  }
  return {
    url: `ws://localhost:${port}`,
    control: {
      down() {
        isDown = true
        dropAll()
      },
      up() {
        isDown = false
      },
      drop: (at) => [...sockets.clients][at]?.terminate(),
      mute(next) {
        muted = next
      },
      clients: () => sockets.clients.size,
      seen: () => seen,
    },
    close() {
      clearInterval(sweep)
      dropAll()
      return new Promise<void>((resolve) => sockets.close(() => server.close(() => resolve())))
    },
  }
}

/** Who it is by the token of the connection, which each client signs with a key of its own. */
function clientOf(url = ''): string {
  const [, claims = ''] = (new URL(url, 'ws://relay').searchParams.get('auth') ?? '').split('.')
  const { iss } = (readJson(Buffer.from(claims, 'base64url').toString()) ?? {}) as { iss?: unknown }
  return typeof iss === 'string' ? iss : randomBytes(16).toString('hex')
}

class UnknownMethod extends Error {}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
