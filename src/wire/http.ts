import type { Clock } from '../core/clock.ts'
import { type Exchange, ExchangeError, type Fetch, retryingFetch } from '../core/retrying-fetch.ts'
import { version } from '../core/version.ts'
import { KitError } from '../errors/kit-error.ts'
import { decodeFailure, malformed } from './failure.ts'

/** Reads an answer's body. Throws a `malformed_response` when it is not what it must be; `what` names the call. */
export type Reader<Answer> = (body: unknown, what: string) => Answer
/** For answers that carry nothing of interest. */
export const nothing: Reader<undefined> = () => undefined

/** One call of the wire: where it goes and what its answer must be. */
export interface Endpoint<Answer> {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly answer: Reader<Answer>
  /** Beside those that every call has. */
  readonly headers?: Readonly<Record<string, string>>
  /** `false`: sent once whatever happens (analytics). */
  readonly retries?: boolean
  /** `false`: goes out with the stored token as it is (wire 1.2: the calls that never refresh first). */
  readonly refreshesFirst?: boolean
  /** Always on the address that the host set, never on the app's own (wire 1.1). */
  readonly onFallbackBase?: boolean
}
export interface CallOptions {
  signal?: AbortSignal | undefined
  /** The call was made by our own dialog. */
  fromDialog?: boolean
}

/** Where the bearer token comes from; the session gives it. */
export interface TokenSource {
  stored(): string | undefined
  /** A token that is still good for a while, refreshed when it must be. */
  fresh(signal?: AbortSignal): Promise<string | undefined>
  /** The server refused the token: a new one, or `undefined` when the session has ended. */
  renewed(refused: string, signal?: AbortSignal): Promise<string | undefined>
}

export interface Http {
  /**
   * Makes a call; all its attempts share one idempotency key, so it acts at most once.
   * Throws a {@link KitError} with the server's code, `client_request_timeout`, `network_unavailable` or
   * `malformed_response`; or the reason of the signal.
   */
  call<Answer>(endpoint: Endpoint<Answer>, body?: object, options?: CallOptions): Promise<Answer>
  /** Moves to the address that the app's configuration names. */
  moveTo(base: string): void
  readonly base: string
}

export interface HttpOptions {
  base: string
  appId: string
  clientId: string | undefined
  /** Client analytics id; empty when there is none. */
  analyticsId: () => string
  tokens: TokenSource
  fetch: Fetch
  clock: Clock
}

export function createHttp({ base: fallbackBase, tokens, fetch, clock, ...identity }: HttpOptions): Http {
  let base = fallbackBase

  function headers(token: string | undefined, options: CallOptions, key: string | undefined) {
    return {
      accept: 'application/json',
      'content-type': 'application/json',
      'privy-app-id': identity.appId,
      ...(identity.clientId && { 'privy-client-id': identity.clientId }),
      'privy-ca-id': identity.analyticsId(),
      'privy-client': `latchkey:${version}`,
      'latchkey-session': 'cookie',
      ...(options.fromDialog && { 'privy-ui': 't' }),
      ...(token && { authorization: `Bearer ${token}` }),
      ...(key && { 'idempotency-key': key }),
    }
  }

  return {
    get base() {
      return base
    },
    moveTo(next) {
      base = next
    },
    async call(endpoint, body, options = {}) {
      const { method, path, answer, retries, refreshesFirst = true, onFallbackBase } = endpoint
      const more = endpoint.headers
      const { signal } = options
      const key = method === 'POST' && retries !== false ? crypto.randomUUID() : undefined
      const send = (token: string | undefined) =>
        exchange(fetch, clock, {
          url: (onFallbackBase ? fallbackBase : base) + path,
          method,
          credentials: 'include',
          headers: { ...headers(token, options, key), ...more },
          ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }),
          ...(retries !== undefined && { retries }),
          signal,
        })

      const token = refreshesFirst ? await tokens.fresh(signal) : tokens.stored()
      let got = read(await send(token), path)
      if (got.failure?.code === 'missing_or_invalid_token' && refreshesFirst && token) {
        const renewed = await tokens.renewed(token, signal)
        if (renewed) got = read(await send(renewed), path)
      }
      if (got.failure) throw got.failure
      return answer(got.body, path)
    },
  }
}

async function exchange(fetch: Fetch, clock: Clock, request: Parameters<typeof retryingFetch>[2]) {
  try {
    return await retryingFetch(fetch, clock, request)
  } catch (cause) {
    if (!(cause instanceof ExchangeError)) throw cause
    throw named(cause)
  }
}

function named(cause: ExchangeError): KitError {
  const options = { cause, retryable: true }
  if (cause.reason === 'timeout') return new KitError('client_request_timeout', 'Request timed out', options)
  if (cause.reason === 'too-large') return malformed('answer', 'too large', cause)
  return new KitError('network_unavailable', 'The server can’t be reached', options)
}

/** The body of a good answer, or the failure that another one stands for. */
function read({ status, text }: Exchange, path: string): { body?: unknown; failure?: KitError } {
  const ok = status >= 200 && status < 300
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (cause) {
    return { failure: ok ? malformed(path, 'not JSON', cause) : decodeFailure(status, undefined, path) }
  }
  return ok ? { body } : { failure: decodeFailure(status, body, path) }
}
