import * as v from 'valibot'
import { KitError } from '../errors/kit-error.ts'
import { type Clock, createServerClock } from '../lib/clock.ts'
import { type Exchange, ExchangeError, type Fetch, retryingFetch } from '../lib/retrying-fetch.ts'
import { version } from '../lib/version.ts'
import type { ServerReply } from './frame/approval.ts'
import { protocolLimits } from './limits.ts'
import { malformed, optionalText, parse, type Schema } from './schema.ts'
import { withStatusHeader } from './status-header.ts'

/** One endpoint of the server: where it is, what is sent there and what its answer must be. */
export interface Endpoint<Body extends object | undefined, Answer> {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly answer: Schema<Answer>
  /** Never set: it carries the type of what is sent. Fields that are `undefined` are left out. */
  readonly body?: Body
  /** In addition to those that every call has. */
  readonly headers?: Readonly<Record<string, string>>
  /** `false`: sent only once, even if it fails. */
  readonly retries?: boolean
  /** `false`: goes out with the stored token as it is, because the call works without one or is the refresh itself. */
  readonly refreshesFirst?: boolean
  /** The user has not asked for it, so that nothing is ever shown to them because of it. */
  readonly inBackground?: boolean
  /** Always on the address that the host set, never on the app's own. */
  readonly onFallbackBase?: boolean
}
export interface CallOptions {
  signal?: AbortSignal | undefined
  /** The call was made by our own dialog. */
  fromDialog?: boolean
  /** Called before each retry with the error of the latest attempt; `attempts` counts those made so far. */
  onRetry?: (error: KitError, attempts: number) => void
}

/** Where the bearer token comes from; implemented by the session. */
export interface TokenSource {
  stored(): string | undefined
  /** A token that stays valid for a while, refreshed if necessary. */
  fresh(signal?: AbortSignal): Promise<string | undefined>
  /** A new token after the server refused one; `undefined` when the session has ended. */
  renewed(refused: string, signal?: AbortSignal): Promise<string | undefined>
}

export interface Http {
  /**
   * Makes a call; all its attempts share one idempotency key, so it acts at most once. Resolves with the answer as its
   * schema reads it. Throws a {@link KitError} with the server's code, `client_request_timeout`, `network_unavailable`
   * or `malformed_response`; or the reason of the signal.
   */
  call<Body extends object | undefined, Answer>(
    endpoint: Endpoint<Body, Answer>,
    body: NoInfer<Body>,
    options?: CallOptions,
  ): Promise<Answer>
  /**
   * Reads how an endpoint has answered the vault, which asked for us. Throws what {@link Http.call} throws.
   */
  read<Answer>(
    endpoint: Pick<Endpoint<never, Answer>, 'path' | 'answer'>,
    reply: ServerReply,
    options?: CallOptions,
  ): Promise<Answer>
  /** Moves to the address that the app's configuration names. */
  moveTo(base: string): void
  readonly base: string
  /** Milliseconds by which the server's clock is ahead of this device's; `undefined` before its first response. */
  aheadBy(): number | undefined
}

export interface HttpOptions {
  base: string
  appId: string
  clientId: string | undefined
  /** Client analytics id; empty if there is none. */
  analyticsId: () => string
  /** `undefined` while nobody has asked who is logged in. */
  tokens: () => TokenSource | undefined
  fetch: Fetch
  clock: Clock
}

/** The server at an address, for one app. */
export function createHttp({
  base: fallbackBase,
  tokens,
  fetch: plainFetch,
  clock,
  ...identity
}: HttpOptions): Http {
  let base = fallbackBase
  const serverClock = createServerClock(clock)
  const toServer = withStatusHeader(plainFetch)
  const fetch: Fetch = async (url, init) => {
    const response = await toServer(url, init)
    // A cache may have stored the response to a GET, with the time of then.
    if (init?.method === 'POST') serverClock.learn(response.headers)
    return response
  }

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
    aheadBy: serverClock.ahead,
    moveTo(next) {
      base = next
    },
    async read({ path, answer }, reply) {
      if ('silent' in reply) throw toKitFailure(new ExchangeError(reply.silent))
      const { body, failure } = readExchange(reply, path)
      if (failure) throw failure
      return parse(answer, body, path)
    },
    async call(endpoint, body, options = {}) {
      const { method, path, retries, refreshesFirst = true, onFallbackBase } = endpoint
      const { signal, onRetry } = options
      const key = method === 'POST' && retries !== false ? crypto.randomUUID() : undefined
      const send = (token: string | undefined) =>
        exchange(fetch, clock, {
          url: (onFallbackBase ? fallbackBase : base) + path,
          method,
          credentials: 'include',
          headers: { ...headers(token, options, key), ...endpoint.headers },
          ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }),
          ...(retries !== undefined && { retries }),
          onRetry: onRetry && ((outcome, attempts) => onRetry(toError(outcome, path), attempts)),
          signal,
        })

      const token = refreshesFirst ? await tokens()?.fresh(signal) : tokens()?.stored()
      let got = readExchange(await send(token), path)
      if (got.failure?.code === 'missing_or_invalid_token' && refreshesFirst && token) {
        const renewed = await tokens()?.renewed(token, signal)
        if (renewed) got = readExchange(await send(renewed), path)
      }
      if (got.failure) throw got.failure
      return parse(endpoint.answer, got.body, path)
    },
  }
}

async function exchange(fetch: Fetch, clock: Clock, request: Parameters<typeof retryingFetch>[2]) {
  try {
    return await retryingFetch(fetch, clock, request)
  } catch (cause) {
    if (!(cause instanceof ExchangeError)) throw cause
    throw toKitFailure(cause)
  }
}

/** Why there is no answer, as a `KitError`. */
function toKitFailure(cause: ExchangeError): KitError {
  const options = { cause, retryable: true }
  if (cause.reason === 'timeout') return new KitError('client_request_timeout', 'Request timed out', options)
  if (cause.reason === 'too-large') return malformed('answer', 'too large', cause)
  return new KitError('network_unavailable', "The server can't be reached", options)
}

/** The error of an attempt that is made again. */
function toError(outcome: Exchange | ExchangeError, path: string): KitError {
  if (outcome instanceof ExchangeError) return toKitFailure(outcome)
  return readExchange(outcome, path).failure ?? malformed(path, `status ${outcome.status}`)
}

/** The body of a good answer, or the failure that any other response means. */
function readExchange({ status, text }: Exchange, path: string): { body?: unknown; failure?: KitError } {
  const ok = status >= 200 && status < 300
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (cause) {
    return { failure: ok ? malformed(path, 'not JSON', cause) : readFailure(status, undefined, path) }
  }
  return ok ? { body } : { failure: readFailure(status, body, path) }
}

/** What any endpoint answers when it refuses. Nothing in it is certain: a proxy on the way answers as well. */
const refusal = v.fallback(
  v.object({
    error: optionalText,
    message: optionalText,
    code: optionalText,
    data: v.optional(v.unknown()),
  }),
  {},
)

/** A refusal as a `KitError` with the server's code in our spelling and its text, cut to what may be shown. */
function readFailure(status: number, body: unknown, path: string): KitError {
  const { error, message, code, data } = parse(refusal, body, path)
  return new KitError(
    code ? normaliseCode(code) : codeOfStatus(status),
    (message ?? error ?? '').slice(0, protocolLimits.serverTextLength),
    { status, data, details: `${path} answered ${status}`, retryable: status >= 500 || status === 429 },
  )
}

/** One spelling for each code: lower case, without the vendor's prefix inside. */
const normaliseCode = (code: string) => code.toLowerCase().replace('_privy_', '_')

const codeOfStatus = (status: number) => (status === 429 ? 'too_many_requests' : 'unknown_auth_error')
