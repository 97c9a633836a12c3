import { expect, test } from 'vitest'
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
