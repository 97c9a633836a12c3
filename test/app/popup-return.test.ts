/** Whether a window that looks closed is closed: what the page's own headers say of windows at providers. */
import { describe, expect, test } from 'vitest'
import { hidesWindows, sendPopup } from '../../src/app/popup-return.ts'
import { settled, testClock } from '../support/clock.ts'
import { pageWithWindows, response } from '../support/oauth.ts'

const provider = 'https://provider.example/login'
type Fetch = (address: string, init: RequestInit) => Promise<Response>

function setUp(fetch: Fetch | undefined) {
  const clock = testClock()
  const windows = pageWithWindows()
  Object.assign(windows.page.window, { fetch, document: { hasFocus: () => true } })
  return { ...windows, clock }
}
const answering = (headers: Record<string, string>, status = 200) =>
  setUp(async () => new Response(null, { status, headers }))
const opener = (policy: string) => answering({ 'cross-origin-opener-policy': policy })

describe('opener policy: a page that hides windows', () => {
  test.each([
    'same-origin',
    'same-origin; report-to="coop"',
    'same-origin;report-to=coop',
    ' same-origin ',
    '\tsame-origin',
    'noopener-allow-popups',
    'noopener-allow-popups; report-to="x"',
  ])('%j hides them', async (policy) => {
    const { page, clock } = opener(policy)
    expect(await hidesWindows(page, clock, new AbortController().signal)).toBe(true)
  })

  test.each([
    'unsafe-none',
    'same-origin-allow-popups',
    'same-origin-allow-popups; report-to="coop"',
    'same-originx',
    'Same-Origin',
    'x same-origin',
    '',
    'none; same-origin',
  ])('%j does not', async (policy) => {
    const { page, clock } = opener(policy)
    expect(await hidesWindows(page, clock, new AbortController().signal)).toBe(false)
  })

  test('is known by its headers whatever its status, asked without its fragment and from its own origin', async () => {
    const asked: [string, RequestInit][] = []
    const { page, clock } = setUp(async (address, init) => {
      asked.push([address, init])
      return new Response(null, { status: 405, headers: { 'cross-origin-opener-policy': 'same-origin' } })
    })
    page.rewrite('https://host.example/shop?item=1#token=secret')
    expect(await hidesWindows(page, clock, new AbortController().signal)).toBe(true)
    expect(asked).toEqual([
      ['https://host.example/shop?item=1', expect.objectContaining({ method: 'HEAD', mode: 'same-origin' })],
    ])
  })

  test.each<[string, Fetch | undefined]>([
    ['sends no such header', async () => new Response(null)],
    ['can’t be asked', async () => Promise.reject(new TypeError('Failed to fetch'))],
    ['has no fetch', undefined],
  ])('is not one that %s', async (_, fetch) => {
    const { page, clock } = setUp(fetch)
    expect(await hidesWindows(page, clock, new AbortController().signal)).toBe(false)
  })

  test('is not one that stays silent for 5 s', async () => {
    const { page, clock } = setUp((_, { signal }) => {
      return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
    })
    let known: boolean | undefined
    void hidesWindows(page, clock, new AbortController().signal).then((hides) => {
      known = hides
    })
    await clock.advance(4_900)
    expect(known).toBeUndefined()
    await clock.advance(200)
    expect(known).toBe(false)
  })

  test('is no longer asked about when the popup is over', async () => {
    const { page, clock } = setUp(() => new Promise(() => {}))
    const over = new AbortController()
    const outcome = hidesWindows(page, clock, over.signal).catch((cause: unknown) => cause)
    over.abort('over')
    expect(await outcome).toBe('over')
  })
})

describe('popup: its window looks closed at once, and the page keeps the focus', () => {
  function send(set: ReturnType<typeof setUp>) {
    const { page, clock } = set
    const window = page.openWindow()
    if (window) Object.assign(window, { closed: true })
    const looksOpen = Object.assign(window ?? {}, { closed: false }) as unknown as Window
    const { answer } = sendPopup(
      { page, clock, window: looksOpen, url: provider, state: 's1', apiOrigin: 'https://api.example' },
      new AbortController().signal,
    )
    let ended: unknown
    const outcome = answer.then(
      (value) => {
        ended = value
      },
      (cause) => {
        ended = cause.code
      },
    )
    Object.assign(looksOpen, { closed: true })
    return { outcome, ended: () => ended }
  }

  test.each(['same-origin', 'noopener-allow-popups'])('under %s its answer still counts', async (policy) => {
    const set = opener(policy)
    const { outcome, ended } = send(set)
    await set.clock.advance(4_000)
    expect(ended()).toBeUndefined()
    set.say(response('s1'))
    await outcome
    expect(ended()).toMatchObject({ code: 'c0de' })
  })

  test.each(['unsafe-none', 'same-origin-allow-popups'])('under %s it is closed', async (policy) => {
    const set = opener(policy)
    const { ended } = send(set)
    await set.clock.advance(1_200)
    await settled()
    expect(ended()).toBe('popup_closed')
  })
})
