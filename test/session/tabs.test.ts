import { expect, test } from 'vitest'
import { sessionKey } from '../../src/session/keys.ts'
import { createTabs } from '../../src/session/tabs.ts'

test.each([
  ['is seen again', 'document', 'visibilitychange'],
  ['gets the focus back from another window', 'window', 'focus'],
  ['has a network again', 'window', 'online'],
] as const)('a tab comes back when it %s', (_, at, name) => {
  const window = new EventTarget()
  const document = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  const tabs = createTabs('latchkey-unit-test-app-01', {
    document,
    addEventListener: window.addEventListener.bind(window),
    removeEventListener: window.removeEventListener.bind(window),
  })
  let times = 0
  const stop = tabs.onReturn(() => void times++)
  const happen = () => ({ window, document })[at].dispatchEvent(new Event(name))
  happen()
  expect(times).toBe(1)
  stop()
  happen()
  expect(times).toBe(1)
})

test('a tab hears that another one has stored a token of the app, and of nothing else', () => {
  const window = new EventTarget()
  const appId = 'latchkey-unit-test-app-01'
  const tabs = createTabs(appId, {
    addEventListener: window.addEventListener.bind(window),
    removeEventListener: window.removeEventListener.bind(window),
  })
  let times = 0
  const stop = tabs.onStored(() => void times++)
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
