import { Connection, type SignatureStatus } from '@solana/web3.js'
import type { Clock } from '../lib/clock.ts'
import { INTERNAL_ERROR, LIMIT_EXCEEDED, NodeError, Unreachable } from '../lib/node-errors.ts'
import { ExchangeError, type Fetch, retryingFetch } from '../lib/retrying-fetch.ts'

export type Commitment = 'processed' | 'confirmed' | 'finalized'
export interface SendOptions {
  readonly preflightCommitment?: Commitment | undefined
  readonly minContextSlot?: number | undefined
  readonly skipPreflight?: boolean | undefined
  readonly maxRetries?: number | undefined
}

/**
 * A node of Solana. All methods throw a {@link NodeError} if the node refuses, an {@link Unreachable} if no readable
 * answer comes, or the signal's reason. What they resolve with is only a claim by the node's operator.
 */
export interface SolanaNode {
  /** Resolves with the name that the node gives the transaction, in base58. */
  send(transaction: Uint8Array, options: SendOptions): Promise<string>
  /** `undefined` if the node does not know the transaction of this name. */
  statusOf(name: string): Promise<SignatureStatus | undefined>
}

/** A node at a URL. Each attempt has the time of any HTTP request, and an answer is at most 1 MiB. */
export function createSolanaNode(cx: { url: string; fetch: Fetch; clock: Clock }): SolanaNode {
  return {
    send: (transaction, { skipPreflight, ...options }) =>
      readable(() =>
        connect(cx).sendRawTransaction(transaction, {
          ...(skipPreflight !== undefined && { skipPreflight }),
          ...(options as object),
        }),
      ),
    async statusOf(name) {
      const { value } = await readable(() => connect(cx).getSignatureStatuses([name]))
      return value[0] ?? undefined
    },
  }
}

/** The library's connection over our own way of sending. It opens no socket: nothing here subscribes to anything. */
function connect({ url, fetch, clock }: { url: string; fetch: Fetch; clock: Clock }): Connection {
  const send = async (body: unknown): Promise<Response> => {
    try {
      const { status, text } = await retryingFetch(fetch, clock, {
        url,
        method: 'POST',
        body: String(body),
        headers: { 'content-type': 'application/json' },
        credentials: 'omit',
        redirect: 'error',
      })
      return readAnswer(status, text)
    } catch (cause) {
      if (cause instanceof ExchangeError && cause.reason === 'too-large')
        throw new NodeError(LIMIT_EXCEEDED, 'The answer is too large')
      throw cause instanceof ExchangeError ? new Unreachable('The node did not answer', { cause }) : cause
    }
  }
  return new Connection(url, {
    disableRetryOnRateLimit: true,
    fetch: (_, init) => send(init?.body),
  })
}

/** The library would keep a refusal's message and lose its code and data, so a refusal is read here. */
function readAnswer(status: number, text: string): Response {
  const error = errorIn(text)
  if (error) {
    const { code, message, data } = error
    throw new NodeError(
      typeof code === 'number' && Number.isSafeInteger(code) ? code : INTERNAL_ERROR,
      typeof message === 'string' ? message : 'The node refused the request',
      data,
    )
  }
  if (status === 429) throw new NodeError(LIMIT_EXCEEDED, 'Too many requests')
  if (status >= 300) throw new Unreachable(`The node answered ${status}`)
  return new Response(text)
}

function errorIn(text: string): { code?: unknown; message?: unknown; data?: unknown } | undefined {
  try {
    const { error } = Object(JSON.parse(text)) as { error?: unknown }
    return typeof error === 'object' && error !== null ? error : undefined
  } catch {
    return undefined
  }
}

/** An answer that the library can't read is none. */
async function readable<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (cause) {
    if (cause instanceof NodeError || cause instanceof Unreachable) throw cause
    if (cause instanceof DOMException) throw cause
    throw new Unreachable("The node's answer can't be read", { cause })
  }
}
