import { expect } from 'vitest'
import type { Call, Reply } from './api.ts'
import type { Persisted } from './persist.ts'
import { eachOf, soak } from './soak.ts'

const statuses = [400, 401, 403, 404, 408, 409, 422, 425, 429, 500, 501, 502, 503, 504]
/** What may come instead of an answer. */
export const faultyReplies: readonly [what: string, Reply][] = [
  ...statuses.map((status): [string, Reply] => [`status ${status}`, { status, body: { error: 'no' } }]),
  ['an error page', { status: 500, text: '<h1>Sorry</h1>' }],
  ['an empty body', { text: '' }],
  ['truncated JSON', { text: '{"user": {"id": "did' }],
  ['a captive portal', { text: '<html>Log in to the WLAN</html>' }],
  ['a body of another type', { body: [1, 2, 3] }],
  ['a text', { body: 'no' }],
  ['an error inside a 200', { body: { error: 'no', code: 'invalid_data' } }],
  ['2 MB', { text: `{"user":"${'a'.repeat(2_000_000)}"}` }],
  ['120 s of silence', 'silent'],
  ['a dropped connection', 'dropped'],
]

/** Answers the requests to a path with a fault: all of them if it is lasting, or those of the person's first action. */
export function faultAt(path: string, fault: Reply, { lasting }: { lasting: boolean }) {
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

const step = soak(13, 1)
/** The faults of one request. In short runs each request meets others, so that together they meet all. */
export const faultsOf = (request: number) =>
  eachOf([...faultyReplies.slice(request % step), ...faultyReplies.slice(0, request % step)], step)

/** Expects that a failure was told: to the host by a code, and to the user in words, where there are screens. */
export function expectToldInWords(
  { error, seen }: { error: Persisted['error'] | undefined; seen: readonly string[] },
  { hasScreens = true, errors = [] }: { hasScreens?: boolean; errors?: readonly { code: string }[] } = {},
): void {
  for (const { code } of [error ?? { code: 'no error' }, ...errors]) expect(code).toMatch(/^[a-z][a-z0-9_]+$/)
  if (hasScreens) expect(seen.length).toBeGreaterThan(0)
  for (const words of seen) expect(words).toMatch(/^[A-Z].{8,}/)
}
