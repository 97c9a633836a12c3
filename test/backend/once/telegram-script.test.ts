import { readFileSync } from 'node:fs'
import { createContext, runInContext } from 'node:vm'
import { beforeEach, describe, expect, test, vi } from 'vitest'

const source = readFileSync(
  new URL('../../../demo/backend/login/telegram/telegram-login.js', import.meta.url),
  'utf8',
).replace("'https://oauth.telegram.org'", '"http://localhost:4805/telegram"')
const theirs = 'http://localhost:4805'

interface Opened {
  closed: boolean
  focus(): void
  close(): void
}

/** A page with the script on it, whose windows and messages a test makes. */
function page({ blocked = false, framed = false, already = {} as object } = {}) {
  const listeners = new Set<(event: object) => void>()
  const opened: { url: URL; name: string; features: string; window: Opened }[] = []
  const left: string[] = []
  const self: Record<string, unknown> = {
    URL,
    URLSearchParams,
    JSON,
    Number,
    setTimeout,
    setInterval,
    clearInterval,
    screenX: 0,
    screenY: 0,
    outerWidth: 1_000,
    outerHeight: 800,
    Telegram: already,
    location: {
      origin: 'https://host.example',
      pathname: '/app',
      href: 'https://host.example/app?secret=1#top',
      assign: (url: string) => left.push(url),
    },
    addEventListener: (_: string, listener: (event: object) => void) => listeners.add(listener),
    removeEventListener: (_: string, listener: (event: object) => void) => listeners.delete(listener),
    open(url: string, name: string, features: string) {
      if (blocked) return null
      const window = {
        closed: false,
        focus() {},
        close() {
          window.closed = true
        },
      }
      opened.push({ url: new URL(url), name, features, window })
      return window
    },
  }
  self.self = self.window = self
  self.top = framed ? {} : self
  runInContext(source, createContext(self))
  const { Login } = self.Telegram as {
    Login: { auth(options: object, callback: (result: unknown) => void): void }
  }
  const results: unknown[] = []
  return {
    self,
    opened,
    left,
    listeners,
    results,
    auth: (options: object = {}) =>
      Login.auth({ bot_id: '7000000001', request_access: true, ...options }, (result) =>
        results.push(result),
      ),
    says(data: unknown, from: Partial<{ origin: string; source: unknown }> = {}) {
      const event = { data, origin: theirs, source: opened.at(-1)?.window, ...from }
      for (const listener of [...listeners]) listener(event)
    },
  }
}
const result = { id: 42, first_name: 'Ann', auth_date: 1, hash: 'x' }
const told = JSON.stringify({ event: 'auth_result', result, origin: 'https://host.example' })

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

describe('Telegram’s login script', () => {
  test('opens Telegram’s page for the bot, and tells it of the page no more than where it is', () => {
    const { auth, opened } = page()
    auth()
    expect(opened).toHaveLength(1)
    expect(opened[0]?.url.href.split('?')[0]).toBe(`${theirs}/telegram/auth`)
    expect(Object.fromEntries(opened[0]?.url.searchParams ?? [])).toEqual({
      bot_id: '7000000001',
      origin: 'https://host.example',
      request_access: 'write',
      lang: 'en',
      return_to: 'https://host.example/app',
    })
    expect(opened[0]?.name).toBe('telegram_oauth_bot7000000001')
    expect(opened[0]?.features).toContain('width=550,height=470,left=225,top=165')
  })

  test('gives what the window says, closes it, and hears no more', () => {
    const { auth, says, results, opened, listeners } = page()
    auth()
    says(told)
    says(told)
    expect(results).toEqual([result])
    expect(opened[0]?.window.closed).toBe(true)
    expect(listeners.size).toBe(0)
    vi.advanceTimersByTime(5_000)
    expect(results).toHaveLength(1)
  })

  test('hears nobody else, and nothing else', () => {
    const { auth, says, results } = page()
    auth()
    says(told, { origin: 'https://evil.example' })
    says(told, { origin: 'http://localhost:48050' })
    says(told, { origin: 'null' })
    says(told, { source: {} })
    says(told, { source: undefined })
    for (const other of [
      '',
      '{',
      'null',
      '[]',
      '"x"',
      '{"event":"ready"}',
      undefined,
      7,
      { event: 'auth_result', result },
    ])
      says(other)
    expect(results).toEqual([])
  })

  test('gives false when the person declines, or closes the window', () => {
    const declined = page()
    declined.auth()
    declined.says(JSON.stringify({ event: 'auth_result', result: false }))
    expect(declined.results).toEqual([false])

    const closed = page()
    closed.auth()
    if (closed.opened[0]) closed.opened[0].window.closed = true
    vi.advanceTimersByTime(1_000)
    expect(closed.results).toEqual([false])
  })

  test('a window that closes with its answer on the way has answered', () => {
    const { auth, says, results, opened } = page()
    auth()
    if (opened[0]) opened[0].window.closed = true
    vi.advanceTimersByTime(150)
    says(told)
    vi.advanceTimersByTime(1_000)
    expect(results).toEqual([result])
  })

  test('where windows are blocked, it leaves the page if it may come back, and gives false if not', () => {
    const redirect = page({ blocked: true })
    redirect.auth({ return_to: 'https://host.example/app?x=1' })
    expect(redirect.results).toEqual([])
    expect(new URL(redirect.left[0] ?? '').searchParams.get('return_to')).toBe('https://host.example/app?x=1')
    for (const each of [page({ blocked: true }), page({ blocked: true, framed: true })]) {
      each.auth(each.self.top === each.self ? {} : { return_to: 'https://host.example/app' })
      expect([each.results, each.left]).toEqual([[false], []])
    }
  })

  test('needs a bot, and leaves the page’s own Telegram alone', () => {
    const WebApp = {}
    const { auth, self } = page({ already: { WebApp, Login: { other: 1 } } })
    expect(() => auth({ bot_id: 'x' })).toThrow('Bot id required')
    expect(self.Telegram).toMatchObject({ WebApp, Login: { other: 1 } })
  })
})
