import { type Clock, TimedOut, within } from './clock.ts'
import { limits } from './limits.ts'
import { isOffline } from './online.ts'

/** One HTTP exchange, read completely. */
export interface Exchange {
  readonly status: number
  readonly text: string
}
export interface RetryingRequest extends Omit<RequestInit, 'signal'> {
  readonly url: string
  /** `false` for calls that are sent once, such as analytics. */
  readonly retries?: boolean
  /** Called before each wait with what the attempt came to; `attempts` counts those made so far. */
  readonly onRetry?: ((outcome: Exchange | ExchangeError, attempts: number) => void) | undefined
  readonly signal?: AbortSignal | undefined
}
export type Fetch = (input: string, init?: RequestInit) => Promise<Response>

/** Why there was no answer: the network, the time, or its size. */
export class ExchangeError extends Error {
  override name = 'ExchangeError'
  constructor(
    readonly reason: 'network' | 'timeout' | 'too-large',
    options?: ErrorOptions,
  ) {
    super(`No answer: ${reason}`, options)
  }
}

/**
 * Sends a request and reads its answer. A lost connection and the retryable statuses are tried again after
 * 0.5, 1.5 and 4.5 s, with the very same headers, so that an idempotency key covers all attempts. A time-out
 * is not retried, because the person has waited long enough; nor is a lost connection while the browser says that it has none, because
 * the user can be told so at once. Throws {@link ExchangeError}, or the signal's
 * reason.
 */
export async function retryingFetch(fetch: Fetch, clock: Clock, request: RetryingRequest): Promise<Exchange> {
  const { url, retries = true, onRetry, signal, ...init } = request
  const waits = retries ? limits.retryDelays : []
  for (let attempt = 0; ; attempt++) {
    const wait = waits[attempt]
    const outcome = await once(fetch, clock, url, init, signal)
    if (wait === undefined || !worthAnother(outcome)) {
      if (outcome instanceof ExchangeError) throw outcome
      return outcome
    }
    onRetry?.(outcome, attempt + 1)
    await clock.sleep(wait, signal)
  }
}

const retried: readonly number[] = limits.retryStatuses
const worthAnother = (outcome: Exchange | ExchangeError) =>
  outcome instanceof ExchangeError
    ? outcome.reason === 'network' && !isOffline()
    : retried.includes(outcome.status)

async function once(
  fetch: Fetch,
  clock: Clock,
  url: string,
  init: RequestInit,
  signal: AbortSignal | undefined,
): Promise<Exchange | ExchangeError> {
  try {
    return await within(
      clock,
      limits.requestTimeout,
      async (own) => {
        const response = await fetch(url, { ...init, signal: own })
        return { status: response.status, text: await readText(response) }
      },
      signal,
    )
  } catch (cause) {
    if (signal?.aborted) throw signal.reason
    if (cause instanceof TimedOut) return new ExchangeError('timeout', { cause })
    if (cause instanceof ExchangeError) return cause
    return new ExchangeError('network', { cause })
  }
}

async function readText(response: Response): Promise<string> {
  if (!response.body) return ''
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text
    text += value
    if (text.length > limits.responseSize) {
      await reader.cancel()
      throw new ExchangeError('too-large')
    }
  }
}
