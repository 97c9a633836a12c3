import type { Clock } from '../lib/clock.ts'
import { TimedOut, within } from '../lib/clock.ts'
import { INTERNAL_ERROR, LIMIT_EXCEEDED, NodeError, Unreachable } from '../lib/node-errors.ts'
import { ExchangeError, type Fetch, retryingFetch } from '../lib/retrying-fetch.ts'

/** The nodes of one cluster, asked over JSON-RPC. */
export interface SolanaRpc {
  /**
   * Sends one request to the first node that can answer it. Throws the {@link NodeError} of a node that refuses it, an
   * {@link Unreachable} if no readable answer comes from any, or the signal's reason. The result is only a claim by the
   * node's operator. Whole numbers that JavaScript can't hold exactly are text.
   */
  ask(method: string, params?: readonly unknown[], options?: RpcOptions): Promise<unknown>
}
export interface RpcOptions {
  readonly signal?: AbortSignal | undefined
}

/** Milliseconds that a node has while another one could answer in its place. */
const IMPATIENCE = 5_000
/** JSON-RPC 2.0. */
export const METHOD_NOT_FOUND = -32601
/** The node has not seen the slot that was asked for. */
const SLOT_NOT_REACHED = -32016
/** Refusals that say something about the node, and nothing about the request. */
const elsewhere: readonly number[] = [LIMIT_EXCEEDED, METHOD_NOT_FOUND, SLOT_NOT_REACHED, INTERNAL_ERROR]

/**
 * Nodes at several URLs, the preferred one first. One that fails is asked last from then on. The last one has the time
 * and the retries of any HTTP request; an answer is at most 1 MiB.
 */
export function createSolanaRpc({
  urls,
  fetch,
  clock,
}: {
  urls: readonly string[]
  fetch: Fetch
  clock: Clock
}): SolanaRpc {
  let order = [...urls]
  let lastId = 0
  return {
    async ask(method, params = [], { signal } = {}) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: ++lastId, method, params })
      let failure: NodeError | Unreachable = new Unreachable('There is no node')
      for (const [at, url] of order.entries()) {
        const isLast = at === order.length - 1
        const once = (own?: AbortSignal) =>
          exchange(fetch, clock, { url, body, retries: isLast, signal: own })
        try {
          return await (isLast ? once(signal) : within(clock, IMPATIENCE, once, signal))
        } catch (cause) {
          signal?.throwIfAborted()
          const problem = cause instanceof TimedOut ? new Unreachable('The node did not answer') : cause
          if (!(problem instanceof NodeError || problem instanceof Unreachable)) throw problem
          if (problem instanceof NodeError && !elsewhere.includes(problem.code)) throw problem
          // A node's own words say more than silence.
          failure = problem instanceof NodeError || !(failure instanceof NodeError) ? problem : failure
          if (!(problem instanceof NodeError && problem.code === METHOD_NOT_FOUND))
            order = [...order.filter((each) => each !== url), url]
        }
      }
      throw failure
    },
  }
}

async function exchange(
  fetch: Fetch,
  clock: Clock,
  {
    url,
    body,
    retries,
    signal,
  }: { url: string; body: string; retries: boolean; signal?: AbortSignal | undefined },
): Promise<unknown> {
  try {
    const { status, text } = await retryingFetch(fetch, clock, {
      url,
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
      credentials: 'omit',
      redirect: 'error',
      retries,
      signal,
    })
    return readAnswer(status, text)
  } catch (cause) {
    signal?.throwIfAborted()
    if (cause instanceof ExchangeError && cause.reason === 'too-large')
      throw new NodeError(LIMIT_EXCEEDED, 'The answer is too large')
    throw cause instanceof ExchangeError ? new Unreachable('The node did not answer', { cause }) : cause
  }
}

function readAnswer(status: number, text: string): unknown {
  const answer = parse(text)
  const { error } = answer
  if (typeof error === 'object' && error !== null) {
    const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown }
    throw new NodeError(
      typeof code === 'number' && Number.isSafeInteger(code) ? code : INTERNAL_ERROR,
      typeof message === 'string' ? message : 'The node refused the request',
      data,
    )
  }
  if (status === 429) throw new NodeError(LIMIT_EXCEEDED, 'Too many requests')
  if (status >= 300) throw new Unreachable(`The node answered ${status}`)
  if (!Object.hasOwn(answer, 'result')) throw new Unreachable("The node's answer is not one of JSON-RPC")
  return answer.result
}

const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

function parse(text: string): { readonly error?: unknown; readonly result?: unknown } {
  // Lamports are 64 bits wide, and JavaScript would round the larger ones.
  const exact = text.replace(STRING_OR_NUMBER, (token) => (/^\d{16,}$/.test(token) ? `"${token}"` : token))
  try {
    const value: unknown = JSON.parse(exact)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
