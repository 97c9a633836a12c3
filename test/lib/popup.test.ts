import { describe, expect, test } from 'vitest'
import { pageOf } from '../../src/lib/page.ts'
import { PopupError, popupOf } from '../../src/lib/popup.ts'
import { testClock } from '../support/clock.ts'

const origin = 'https://provider.example'
const accept = (data: unknown) => (data as { code?: string } | null)?.code

/** A page with one popup, and a way to let messages arrive from anywhere. */
function setUp({ blocked = false } = {}) {
  const clock = testClock()
  const listeners = new Set<(event: MessageEvent) => void>()
  const popup = {
    closed: false,
    went: '',
    location: {
      replace(url: string) {
        popup.went = url
      },
    },
    close() {
      popup.closed = true
    },
  }
  const page = {
    origin: 'https://host.example',
    top: null,
    navigator: { userAgent: '' },
    screenX: 0,
    screenY: 0,
    outerWidth: 1000,
    outerHeight: 900,
    features: '',
    open(_url: string, _target: string, features: string) {
      page.features = features
      return blocked ? null : popup
    },
    addEventListener(
      _type: string,
      listener: (event: MessageEvent) => void,
      { signal }: { signal: AbortSignal },
    ) {
      listeners.add(listener)
      signal.addEventListener('abort', () => listeners.delete(listener))
    },
  }
  const say = (data: unknown, from: unknown = popup, at = origin) => {
    for (const listener of [...listeners]) listener({ data, source: from, origin: at } as MessageEvent)
  }
  const window = page as unknown as Window
  const open = () => popupOf(pageOf(() => window).openWindow(), window, clock)
  const failure = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (cause: PopupError) => cause.reason,
    )
  return { clock, popup, page, listeners, say, open, failure }
}

test('opens centred and goes to its address', () => {
  const { open, page, popup } = setUp()
  open().go('https://provider.example/login')
  expect(page.features).toBe('popup,width=440,height=680,left=280,top=110')
  expect(popup.went).toBe('https://provider.example/login')
})

test('that the browser blocks says so at once', () => {
  const { open } = setUp({ blocked: true })
  expect(open).toThrowError(expect.objectContaining({ reason: 'blocked' }))
  expect(open).toThrowError(PopupError)
})

describe('waiting for its answer', () => {
  test('takes the first that fits, and leaves nothing behind', async () => {
    const { open, say, popup, listeners, clock } = setUp()
    const answer = open().answer(origin, accept)
    say({ other: 1 })
    say({ code: 'right' })
    expect(await answer).toBe('right')
    expect(popup.closed).toBe(true)
    expect([listeners.size, clock.sleeping]).toEqual([0, 0])
  })

  test('hears no other window and no other origin', async () => {
    const { open, say } = setUp()
    const answer = open().answer(origin, accept)
    say({ code: 'other window' }, {})
    say({ code: 'other origin' }, undefined, 'https://evil.example')
    say({ code: 'right' })
    expect(await answer).toBe('right')
  })

  test('is taken although the window, which closed right after it, is no longer a source', async () => {
    const { open, popup, say, clock } = setUp()
    const answer = open().answer(origin, accept)
    popup.closed = true
    await clock.advance(300)
    say({ code: 'last words' }, null)
    expect(await answer).toBe('last words')
  })

  test('ends when the person closes it', async () => {
    const { open, popup, clock, failure } = setUp()
    const failed = failure(open().answer(origin, accept))
    await clock.advance(1000)
    popup.closed = true
    await clock.advance(600)
    expect(await failed).toBe('closed')
  })

  test('ends after two minutes of silence', async () => {
    const { open, clock, failure } = setUp()
    const failed = failure(open().answer(origin, accept))
    await clock.advance(120_000)
    expect(await failed).toBe('timeout')
  })
})

describe('popup: a window that looks closed at once, as under an opener policy', () => {
  function underPolicy(focused: boolean, mayHide = true) {
    const set = setUp()
    const focus = { here: focused }
    Object.assign(set.page, { document: { hasFocus: () => focus.here } })
    const answer = set.open().answer(origin, accept, undefined, undefined, async () => mayHide)
    set.popup.closed = true
    let ended = false
    const outcome = set.failure(answer)
    outcome.then(() => {
      ended = true
    })
    return { ...set, focus, answer, outcome, isOver: () => ended }
  }

  test.each([300, 600, 5_000, 30_000, 119_000])(
    'is waited for while the user is there, for %i ms',
    async (ms) => {
      const { clock, say, answer, isOver } = underPolicy(false)
      await clock.advance(ms)
      expect(isOver()).toBe(false)
      say({ code: 'right' })
      expect(await answer).toBe('right')
    },
  )

  test.each([300, 600, 5_000, 30_000, 119_000])(
    'is waited for where the page has the focus all the time and its policy hides windows, for %i ms',
    async (ms) => {
      const { clock, say, answer, isOver } = underPolicy(true)
      await clock.advance(ms)
      expect(isOver()).toBe(false)
      say({ code: 'right' })
      expect(await answer).toBe('right')
    },
  )

  test('counts as closed once the user has been back on the page for five seconds', async () => {
    const { clock, focus, isOver, outcome } = underPolicy(false)
    await clock.advance(20_000)
    focus.here = true
    await clock.advance(3_000)
    focus.here = false
    await clock.advance(20_000)
    expect(isOver()).toBe(false)
    focus.here = true
    await clock.advance(6_000)
    expect(await outcome).toBe('closed')
  })

  test('counts as closed at once where no policy hides windows and the page has the focus', async () => {
    const { clock, outcome } = underPolicy(true, false)
    await clock.advance(600)
    expect(await outcome).toBe('closed')
  })

  test('ends after two minutes without an answer', async () => {
    const { clock, outcome } = underPolicy(false)
    await clock.advance(120_000)
    expect(await outcome).toBe('timeout')
  })
})
