import { limits } from '../../../src/lib/limits.ts'
import { type Call, type Reply, toResponse } from '../api.ts'
import { largeBody } from '../large-body.ts'
import { soak } from '../soak.ts'
import { faultsOfRow } from './matrix.ts'
import { wrongValues } from './values.ts'

const encode = (text: string) => new TextEncoder().encode(text)
/** A body whose first bytes arrive, and then what `feed` adds to them. */
const started = (feed: (body: ReadableStreamDefaultController<Uint8Array>) => void = () => {}) =>
  new ReadableStream<Uint8Array>({
    start(body) {
      body.enqueue(encode('{"us'))
      feed(body)
    },
  })

/** Responses with status 200 that are no result, whatever the request. */
export const brokenBodies = {
  'an empty body': { text: '' },
  'truncated JSON': { text: '{"user": {"id": "did' },
  'a captive portal': { text: '<html>Log in to the WLAN</html>' },
  'bytes that are no text': { raw: () => new Uint8Array([0xff, 0xfe, 0x00, 0xd8]) },
  'a body of 10 MB': { raw: () => largeBody('{"user":"') },
  'a body that never ends': { raw: () => started() },
} as const satisfies Record<string, Reply>

const statuses = [400, 401, 403, 404, 408, 409, 422, 425, 429, 500, 501, 502, 503, 504]
const replies: Readonly<Record<string, Reply>> = {
  ...Object.fromEntries(
    statuses.map((status) => [`status ${status}`, { status, body: { error: 'no' } }] as const),
  ),
  'status 500 with a page': { status: 500, text: '<h1>Sorry</h1>' },
  'status 403 with an empty body': { status: 403, raw: () => null },
  'a redirect without a location': { status: 302, raw: () => null },
  ...brokenBodies,
  ...Object.fromEntries(Object.entries(wrongValues).map(([name, body]) => [name, { body }] as const)),
  'an error inside a 200': { body: { error: 'no', code: 'invalid_data' } },
  'a connection that is reset in the middle': { raw: () => started((body) => body.error()) },
  'a dropped connection': 'dropped',
  'no response': 'silent',
}
const lostConnections = ['a connection that is reset in the middle', 'a dropped connection']

export interface HttpFault {
  readonly name: string
  readonly reply: Reply
  /** Whether a request that fails so is attempted again. */
  readonly isRetried: boolean
}
/** Everything that may go wrong with the response to one request. */
export const httpFaults: readonly HttpFault[] = Object.entries(replies).map(([name, reply]) => {
  const status = typeof reply === 'object' ? reply.status : undefined
  const isRetried = lostConnections.includes(name) || limits.retryStatuses.some((each) => each === status)
  return { name, reply, isRetried }
})

/** Fails the requests to a path: all of them if the fault is lasting, or those of the user's first action. */
export function failRequests(path: string, fault: Reply, { lasting }: { lasting: boolean }) {
  let failingKey: string | undefined
  let failed = false
  return (call: Call): Reply | undefined => {
    if (call.path !== path) return undefined
    // One key covers all attempts of one action.
    const key = call.headers['idempotency-key'] ?? `${call.method} ${failed}`
    if (failed && !lasting && key !== failingKey) return undefined
    failingKey = key
    failed = true
    return fault
  }
}

/** The faults of one request. */
export const faultsOfRequest = (request: number): HttpFault[] => faultsOfRow(httpFaults, request, soak(20, 1))

/** Replies by which any service may fail: no caller can use them, whatever it asked for. */
export const outages = {
  'status 502': { status: 502, body: { error: 'down' } },
  ...brokenBodies,
  'a redirect elsewhere': { status: 302, headers: { location: 'http://127.0.0.1:1/' }, raw: () => null },
  'no response': 'silent',
} as const satisfies Record<string, Reply>
export type Outage = keyof typeof outages
export const outageNames = Object.keys(outages) as Outage[]

/** The reply of a service that fails, for a server of a test. */
export function failWith(outage: Outage): Response | Promise<Response> {
  const reply: Reply = outages[outage]
  return typeof reply === 'string' ? new Promise(() => {}) : toResponse(reply)
}
