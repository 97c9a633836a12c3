/** The popups that the vault's window opens for providers. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { onVisitNews, openVisit, type VisitNews } from '../../../src/vault/approval/providers/popup.ts'
import { vaultLimits } from '../../../src/vault/limits.ts'

const url = 'https://accounts.google.com/o/oauth2/auth'
let focused = false
let news: VisitNews[] = []
let popup: { closed: boolean; close(): void }
let channel: { onmessage?: (event: { data: unknown }) => void; sent: unknown[] } | undefined

beforeEach(() => {
  vi.useFakeTimers()
  news = []
  focused = false
  popup = {
    closed: false,
    close() {
      popup.closed = true
    },
  }
  vi.stubGlobal('window', { open: () => popup })
  vi.stubGlobal('document', { hasFocus: () => focused })
  vi.stubGlobal(
    'BroadcastChannel',
    class {
      sent: unknown[] = []
      constructor() {
        channel = this
      }
      postMessage(message: unknown) {
        this.sent.push(message)
      }
    },
  )
  onVisitNews((each) => news.push(each))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})
const checks = (count: number) => vi.advanceTimersByTimeAsync(count * vaultLimits.windowCheck)

test('visit: a popup that a provider has cut off looks closed, and is not while the user is there', async () => {
  openVisit({ state: 'one', url })
  popup.closed = true
  await checks(300)
  expect(news).toEqual([])
})

test('visit: a popup is closed once the user is back at the vault', async () => {
  openVisit({ state: 'two', url })
  popup.closed = true
  await checks(10)
  focused = true
  await checks(1)
  expect(news).toEqual([{ is: 'closed', state: 'two' }])
  await checks(10)
  expect(news).toHaveLength(1)
})

test('visit: an answer counts although the popup looks closed', async () => {
  openVisit({ state: 'three', url })
  popup.closed = true
  await checks(5)
  channel?.onmessage?.({ data: { type: 'returned', state: 'three', fields: { code: 'c0de' } } })
  expect(news).toEqual([{ is: 'returned', state: 'three', fields: { code: 'c0de' } }])
  focused = true
  await checks(5)
  expect(news).toHaveLength(1)
})
