import { HttpRequestError, ResponseBodyTooLargeError } from 'viem'
import { getHttpRpcClient } from 'viem/utils'
import type { Clock } from '../lib/clock.ts'
import { limits } from '../lib/limits.ts'
import { INTERNAL_ERROR, INVALID_PARAMS, LIMIT_EXCEEDED, NodeError, Unreachable } from '../lib/node-errors.ts'
import { ExchangeError, type Fetch, retryingFetch } from '../lib/retrying-fetch.ts'

/** A node of a chain, asked over JSON-RPC. */
export interface ChainNode {
  /**
   * Sends one request. Throws a {@link NodeError} if the node refuses, an {@link Unreachable} if no readable answer
   * comes, or the signal's reason. The result is only a claim by the node's operator: callers check it.
   */
  ask(method: string, params?: unknown, options?: NodeOptions): Promise<unknown>
}
/** The same for the work on one request. */
export type Ask = (method: string, params?: readonly unknown[]) => Promise<unknown>
export interface NodeOptions {
  readonly signal?: AbortSignal | undefined
  /** `false`: the request is sent once, because it must not be made twice or is not worth waiting for. */
  readonly retries?: boolean
}

/** A node at a URL. Each attempt has the time of any HTTP request, and an answer is at most 1 MiB. */
export function createNode({ url, fetch, clock }: { url: string; fetch: Fetch; clock: Clock }): ChainNode {
  let lastId = 0
  return {
    async ask(method, params = [], { signal, retries = true } = {}) {
      const id = ++lastId
      requireJson(params)
      const client = getHttpRpcClient(url, {
        // The clock of the kit limits the time, and tests need not wait.
        timeout: 0,
        maxResponseBodySize: limits.responseSize,
        fetchFn: async (input, init) => {
          const request = {
            ...init,
            url: String(input),
            signal,
            retries,
            credentials: 'omit',
            redirect: 'error',
          } as const
          const { status, text } = await retryingFetch(fetch, clock, request)
          return new Response(text, { status })
        },
      })
      try {
        return resultOf(await client.request({ body: { id, method, params } }), id)
      } catch (cause) {
        signal?.throwIfAborted()
        throw failureOf(cause)
      }
    },
  }
}

function requireJson(params: unknown): void {
  try {
    JSON.stringify(params)
  } catch {
    throw new NodeError(INVALID_PARAMS, 'The parameters are not JSON')
  }
}

function resultOf(answer: unknown, id: number): unknown {
  const { error, ...body } = (typeof answer === 'object' && answer !== null ? answer : {}) as {
    readonly id?: unknown
    readonly result?: unknown
    readonly error?: unknown
  }
  if (typeof error === 'object' && error !== null) throw nodeError(error)
  if (body.id !== id || !Object.hasOwn(body, 'result'))
    throw new Unreachable("The node's answer is not one of JSON-RPC")
  return body.result
}

function nodeError(error: { code?: unknown; message?: unknown; data?: unknown }): NodeError {
  const code =
    typeof error.code === 'number' && Number.isSafeInteger(error.code) ? error.code : INTERNAL_ERROR
  const message = typeof error.message === 'string' ? error.message : 'The node refused the request'
  return new NodeError(code, message, error.data)
}

function failureOf(cause: unknown): Error {
  if (cause instanceof NodeError || cause instanceof Unreachable) return cause
  const inner = cause instanceof HttpRequestError ? cause.cause : cause
  const isTooLarge = inner instanceof ExchangeError && inner.reason === 'too-large'
  if (isTooLarge || cause instanceof ResponseBodyTooLargeError)
    return new NodeError(LIMIT_EXCEEDED, 'The answer is too large')
  if (cause instanceof HttpRequestError && cause.status === 429)
    return new NodeError(LIMIT_EXCEEDED, 'Too many requests')
  return new Unreachable('The node did not answer', { cause })
}
