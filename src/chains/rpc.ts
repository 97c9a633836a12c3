import type { Clock } from '../core/clock.ts'
import { type Exchange, ExchangeError, type Fetch, retryingFetch } from '../core/retrying-fetch.ts'

/** A node of a chain, asked over JSON-RPC. */
export interface ChainNode {
  /**
   * Throws a {@link NodeError} where the node refuses, an {@link Unreachable} where no answer comes that can be read,
   * or the signal's reason. What it resolves with is a claim of whoever runs the node (security T18).
   */
  ask(method: string, params?: unknown, options?: NodeOptions): Promise<unknown>
}
export interface NodeOptions {
  readonly signal?: AbortSignal | undefined
  /** `false`: sent once, for what must not be done twice. */
  readonly retries?: boolean
}

/** What a node says instead of a result, with its own number. */
export class NodeError extends Error {
  override name = 'NodeError'
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message)
  }
}

/** Nobody knows what has become of a request. */
export class Unreachable extends Error {
  override name = 'Unreachable'
}

/** A signed transaction of which nobody can say whether the network has it: it must not be made anew. */
export class Unsettled extends Error {
  override name = 'Unsettled'
  constructor(
    message: string,
    readonly hash: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** The number of a request whose parameters are none. JSON-RPC 2.0. */
export const INVALID_PARAMS = -32602
const INTERNAL = -32603
/** EIP-1474. */
const LIMIT_EXCEEDED = -32005

/** Every wait ends: each attempt has the time of any HTTP call, and an answer its size. */
export function createNode({ url, fetch, clock }: { url: string; fetch: Fetch; clock: Clock }): ChainNode {
  let lastId = 0
  return {
    async ask(method, params = [], { signal, retries = true } = {}) {
      const id = ++lastId
      const exchange = await send({ jsonrpc: '2.0', id, method, params }, retries, signal)
      return resultOf(exchange, id)
    },
  }

  async function send(request: object, retries: boolean, signal: AbortSignal | undefined): Promise<Exchange> {
    let body: string
    try {
      body = JSON.stringify(request)
    } catch {
      throw new NodeError(INVALID_PARAMS, 'The parameters are not JSON')
    }
    try {
      return await retryingFetch(fetch, clock, {
        ...{ url, method: 'POST', body, retries, signal },
        headers: { 'content-type': 'application/json' },
        ...{ credentials: 'omit', redirect: 'error' },
      })
    } catch (cause) {
      signal?.throwIfAborted()
      if (cause instanceof ExchangeError && cause.reason === 'too-large')
        throw new NodeError(LIMIT_EXCEEDED, 'The answer is too large')
      throw new Unreachable('The node did not answer', { cause })
    }
  }
}

function resultOf({ status, text }: Exchange, id: number): unknown {
  const body = parse(text)
  const { error } = body
  if (typeof error === 'object' && error !== null) throw errorOf(error)
  if (status === 429) throw new NodeError(LIMIT_EXCEEDED, 'Too many requests')
  if (status >= 300) throw new Unreachable(`The node answered ${status}`)
  if (body.id !== id || !Object.hasOwn(body, 'result')) throw new Unreachable('The node’s answer is none')
  return body.result
}

function parse(text: string): { id?: unknown; result?: unknown; error?: unknown } {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null ? body : {}
  } catch {
    return {}
  }
}

function errorOf(error: { code?: unknown; message?: unknown; data?: unknown }): NodeError {
  const code = typeof error.code === 'number' && Number.isSafeInteger(error.code) ? error.code : INTERNAL
  return new NodeError(
    code,
    typeof error.message === 'string' ? error.message : 'The node refused',
    error.data,
  )
}
