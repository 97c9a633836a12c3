import * as v from 'valibot'
import { describe, expect, test, vi } from 'vitest'
import { KitError } from '../../src/errors/kit-error.ts'
import { createHttp, type TokenSource } from '../../src/protocol/http.ts'
import { appId, fakeApi, type Reply } from '../support/api.ts'
import { type TestClock, testClock } from '../support/clock.ts'
import { brokenBodies } from '../support/faults/http.ts'
import { wrongValues } from '../support/faults/values.ts'

const path = '/api/v1/thing'
const endpoint = { method: 'POST', path, answer: v.object({ good: v.boolean() }) } as const
const good: Reply = { body: { good: true } }

function setUp(replies: Reply[], tokens: Partial<TokenSource> = {}, clock: TestClock = testClock()) {
  const api = fakeApi(clock, { [path]: replies })
  const http = createHttp({
    base: 'https://api.example',
    appId,
    clientId: 'client-1',
    analyticsId: () => 'caid-1',
    tokens: () => ({
      stored: () => undefined,
      fresh: async () => undefined,
      renewed: async () => undefined,
      ...tokens,
    }),
    fetch: api.fetch,
    clock,
  })
  const failure = async (work: Promise<unknown>) => {
    const caught = work.then(
      () => undefined,
      (cause: unknown) => cause,
    )
    await clock.advance(200_000)
    return (await caught) as KitError
  }
  return { api, http, clock, failure }
}

test('a call carries the headers of the wire and the cookies', async () => {
  const { api, http } = setUp([good], { fresh: async () => 'the-token' })
  await http.call(endpoint, { some: 'body' }, { fromDialog: true })
  const [call] = api.calls
  expect(call?.headers).toMatchObject({
    'privy-app-id': appId,
    'privy-client-id': 'client-1',
    'privy-ca-id': 'caid-1',
    'privy-client': expect.stringMatching(/^latchkey:\d/),
    'privy-ui': 't',
    authorization: 'Bearer the-token',
    'content-type': 'application/json',
  })
  expect(call?.body).toEqual({ some: 'body' })
})

describe('the status of a refusal', () => {
  const refusal = { error: 'no', code: 'some_code' }
  test.each([
    ['403', 403],
    ['422', 422],
  ])('in a header of a 200 is the status of the response (%s)', async (told, status) => {
    const { api, http, failure } = setUp([{ body: refusal, headers: { 'latchkey-status': told } }])
    expect(await failure(http.call(endpoint, {}))).toMatchObject({ code: 'some_code', status })
    expect(api.calls[0]?.headers).toMatchObject({ 'latchkey-status': 'header' })
  })

  test('in a header lets a refused token be renewed', async () => {
    const refused: Reply = {
      body: { error: 'no', code: 'missing_or_invalid_token' },
      headers: { 'latchkey-status': '401' },
    }
    const { http } = setUp([refused, good], { fresh: async () => 'old', renewed: async () => 'new' })
    expect(await http.call(endpoint, {})).toEqual({ good: true })
  })

  test.each(['', '200', '500', '4033', 'no', '403.5'])('in a header is not read as %j', async (told) => {
    const { http } = setUp([{ ...good, headers: { 'latchkey-status': told } }])
    expect(await http.call(endpoint, {})).toEqual({ good: true })
  })
})

describe('trying again', () => {
  test.each([408, 409, 425, 500, 502, 503, 504])(
    'a %i is tried three times more, after 0.5, 1.5 and 4.5 s',
    async (status) => {
      const { api, http, failure } = setUp([{ status, body: { error: 'busy' } }])
      expect(await failure(http.call(endpoint, {}))).toBeInstanceOf(KitError)
      const [first, ...again] = api.calls.map((call) => call.at)
      expect(again.map((at) => at - (first ?? 0))).toEqual([500, 2000, 6500])
    },
  )

  test.each([400, 401, 403, 404, 422, 429, 501])('a %i is not tried again', async (status) => {
    const { api, http, failure } = setUp([{ status, body: { error: 'no', code: 'some_code' } }])
    expect(await failure(http.call(endpoint, {}))).toMatchObject({ code: 'some_code', status })
    expect(api.calls).toHaveLength(1)
  })

  test('a dropped connection is tried again, under the same idempotency key', async () => {
    const { api, http, clock } = setUp(['dropped', { status: 503 }, good])
    const answer = http.call(endpoint, {})
    await clock.advance(10_000)
    expect(await answer).toEqual({ good: true })
    const keys = api.calls.map((call) => call.headers['idempotency-key'])
    expect(keys).toHaveLength(3)
    expect(new Set(keys).size).toBe(1)
  })

  test('a dropped connection is not tried again while the browser has none, so that it is told at once', async () => {
    vi.stubGlobal('navigator', { onLine: false })
    const { api, http } = setUp(['dropped', good])
    await expect(http.call(endpoint, {})).rejects.toMatchObject({ code: 'network_unavailable' })
    expect(api.calls).toHaveLength(1)
    vi.unstubAllGlobals()
  })

  test('each action of a person has a key of its own', async () => {
    const { api, http } = setUp([good])
    await http.call(endpoint, {})
    await http.call(endpoint, {})
    const [one, two] = api.calls.map((call) => call.headers['idempotency-key'])
    expect(one).not.toBe(two)
  })

  test('a silent server times out after 20 s, once', async () => {
    const { api, http, failure } = setUp(['silent'])
    expect(await failure(http.call(endpoint, {}))).toMatchObject({
      code: 'client_request_timeout',
      retryable: true,
    })
    expect(api.calls).toHaveLength(1)
  })

  test('a call that is sent once is sent once', async () => {
    const { api, http, failure } = setUp([{ status: 503 }])
    await failure(http.call({ ...endpoint, retries: false }, {}))
    expect(api.calls).toHaveLength(1)
    expect(api.calls[0]?.headers['idempotency-key']).toBeUndefined()
  })

  test('ends at once when the person closes', async () => {
    const { api, http, clock } = setUp(['silent'])
    const stop = new AbortController()
    const call = http.call(endpoint, {}, { signal: stop.signal })
    const ended = expect(call).rejects.toThrow('closed')
    await clock.advance(1000)
    stop.abort(new Error('closed'))
    await ended
    expect(api.calls).toHaveLength(1)
  })
})

describe('a response that is no result', () => {
  const odd: [string, Reply][] = [
    ...Object.entries(brokenBodies).filter(([name]) => name !== 'a body that never ends'),
    ...Object.entries(wrongValues).map(([name, body]): [string, Reply] => [name, { body }]),
    ['a field of another type', { body: { good: 'yes' } }],
  ]
  test.each(odd)('%s is a retryable malformed_response', async (_, reply) => {
    const { http, failure } = setUp([reply])
    expect(await failure(http.call(endpoint, {}))).toMatchObject({
      code: 'malformed_response',
      retryable: true,
    })
  })

  test('an error page without a code keeps its status', async () => {
    const { http, failure } = setUp([{ status: 403, text: '<html>' }])
    expect(await failure(http.call(endpoint, {}))).toMatchObject({ code: 'unknown_auth_error', status: 403 })
  })

  test('server text is cut before it can be shown', async () => {
    const { http, failure } = setUp([
      { status: 400, body: { error: 'x'.repeat(5000), code: 'invalid_data' } },
    ])
    expect((await failure(http.call(endpoint, {}))).shortMessage).toHaveLength(300)
  })

  test('keys that reach for prototypes change nothing', async () => {
    const { http } = setUp([{ text: '{"good": true, "__proto__": {"polluted": 1}, "constructor": {}}' }])
    expect(await http.call(endpoint, {})).toEqual({ good: true })
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })
})

test('a refused token is renewed once, and the call goes out again under its key', async () => {
  const refused: Reply = { status: 401, body: { error: 'expired', code: 'missing_or_invalid_token' } }
  const { api, http } = setUp([refused, good], { fresh: async () => 'old', renewed: async () => 'new' })
  expect(await http.call(endpoint, {})).toEqual({ good: true })
  expect(api.calls.map((call) => call.headers.authorization)).toEqual(['Bearer old', 'Bearer new'])
  expect(new Set(api.calls.map((call) => call.headers['idempotency-key'])).size).toBe(1)
})

test('codes come in one spelling', async () => {
  const { http, failure } = setUp([
    { status: 400, body: { error: 'x', code: 'MISSING_OR_INVALID_PRIVY_APP_ID' } },
  ])
  expect((await failure(http.call(endpoint, {}))).code).toBe('missing_or_invalid_app_id')
})
