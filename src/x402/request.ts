/** A request that can be sent twice: without its payment, and with it. */
import { KitError } from '../errors/kit-error.ts'
import { type Clock, TimedOut, within } from '../lib/clock.ts'
import { sha256Text } from '../lib/random.ts'
import type { Fetch } from '../lib/retrying-fetch.ts'
import { paymentHeaders } from '../protocol/outside/x402.ts'
import { x402Limits } from './limits.ts'

export interface RepeatableRequest {
  readonly url: string
  readonly signal: AbortSignal
  /** The same for the same method, address and body. */
  readonly key: string
  /** @throws TimedOut, the reason of the host's signal, or what the browser says of a network that fails */
  send(fetch: Fetch, clock: Clock, options: SendOptions): Promise<Response>
}
interface SendOptions {
  /** Milliseconds until the response begins. */
  readonly time: number
  /** The header of a payment, which goes to this address and to no other. */
  readonly payment?: readonly [name: string, value: string] | undefined
}

/** @throws KitError `request_not_repeatable` or `invalid_request_arguments` */
export async function readRequest(input: unknown, init: RequestInit = {}): Promise<RepeatableRequest> {
  if (init.body instanceof ReadableStream)
    throw new KitError(
      'request_not_repeatable',
      "A body that is a stream can't be sent again with its payment",
    )
  const request = toRequest(input, init)
  if (paymentHeaders.some((name) => request.headers.has(name)))
    throw new KitError('invalid_request_arguments', 'The request has a header of a payment already')
  const { method, url, signal, headers } = request
  const body = /^(GET|HEAD)$/.test(method) ? undefined : await request.arrayBuffer()
  if (body && body.byteLength > x402Limits.bodySize)
    throw new KitError('request_not_repeatable', 'The body of the request is too large to be sent twice')
  const { mode, credentials, cache, referrer, referrerPolicy, integrity, keepalive } = request
  const sent = { method, mode, credentials, cache, referrer, referrerPolicy, integrity, keepalive }
  const key = await sha256Text(`${method} ${url} ${body ? Array.from(new Uint8Array(body)).join() : ''}`)

  return {
    url,
    signal,
    key,
    send(fetch, clock, { time, payment }) {
      const own = new Headers(headers)
      if (payment) own.set(...payment)
      const begin = (timeout: AbortSignal) =>
        fetch(url, {
          ...sent,
          headers: own,
          ...(body && body.byteLength > 0 && { body }),
          // A payment follows nobody to another address.
          redirect: payment ? 'error' : request.redirect,
          // The host's signal also ends the body, which is read later.
          signal: AbortSignal.any([signal, timeout]),
        })
      return within(clock, time, begin, signal)
    },
  }
}

function toRequest(input: unknown, init: RequestInit): Request {
  try {
    return new Request(input as RequestInfo, init)
  } catch (cause) {
    const isUsed = input instanceof Request && input.bodyUsed
    throw isUsed
      ? new KitError('request_not_repeatable', 'The body of the request has been read already', { cause })
      : new KitError('invalid_request_arguments', 'The request is none that fetch takes', { cause })
  }
}

/** A response that took too long, in the host's terms. */
export const toHostError = (cause: unknown): unknown =>
  cause instanceof TimedOut
    ? new KitError('client_request_timeout', 'The server did not answer in time', { cause, retryable: true })
    : cause
