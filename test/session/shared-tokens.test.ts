import { expect, test } from 'vitest'
import { sessionKey } from '../../src/session/keys.ts'
import { shareTokens } from '../../src/session/shared-tokens.ts'

test('a tab hears that another one has stored a token of the app, and of nothing else', () => {
  const window = new EventTarget()
  const appId = 'latchkey-unit-test-app-01'
  const shared = shareTokens(appId, {
    addEventListener: window.addEventListener.bind(window),
    removeEventListener: window.removeEventListener.bind(window),
  })
  let times = 0
  const stop = shared.onStored(() => void times++)
  const store = (key: string) => window.dispatchEvent(Object.assign(new Event('storage'), { key }))
  store('of-the-page')
  store(sessionKey('latchkey-unit-test-app-02', 'token'))
  expect(times).toBe(0)
  store(sessionKey(appId, 'token'))
  expect(times).toBe(1)
  stop()
  store(sessionKey(appId, 'token'))
  expect(times).toBe(1)
})

/** Web Locks of one browser, of which somebody else may hold the lock for good. */
const locksOf = (held: boolean) =>
  ({
    request: (_: string, __: LockOptions, work: () => Promise<unknown>) =>
      held ? Promise.reject(new DOMException('The wait is over', 'TimeoutError')) : work(),
  }) as unknown as LockManager

test.each([
  ['a browser without locks', {}],
  ['a free lock', { locks: locksOf(false) }],
  ['a lock that another tab never gives back', { locks: locksOf(true) }],
])('a refresh is made with %s', async (_, navigator) => {
  const { exclusively } = shareTokens('latchkey-unit-test-app-01', { navigator })
  expect(await exclusively(async () => 'refreshed')).toBe('refreshed')
})

test('a refresh that failed under the lock is not made again', async () => {
  const { exclusively } = shareTokens('latchkey-unit-test-app-01', { navigator: { locks: locksOf(false) } })
  let times = 0
  const refused = exclusively(async () => {
    times++
    throw new Error('The server is away')
  })
  await expect(refused).rejects.toThrow('The server is away')
  expect(times).toBe(1)
})
