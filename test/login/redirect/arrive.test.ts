import { describe, expect, test } from 'vitest'
import { handBack } from '../../../src/login/redirect/arrive.ts'
import type { OAuthReturn } from '../../../src/protocol/returns.ts'

const returned: OAuthReturn = { kind: 'oauth', code: 'c0de', state: 'st4te', provider: 'google' }
const ours = 'https://host.example'

/** A page that came back, with whoever opened it and what its tab remembers. */
function setUp({ opener = null as unknown, kept = {} as Record<string, string>, blocked = false } = {}) {
  let closed = 0
  const window = {
    origin: ours,
    opener,
    BroadcastChannel,
    get sessionStorage() {
      if (blocked) throw new DOMException('no', 'SecurityError')
      return Object.assign(Object.create({ getItem: (key: string) => kept[key] ?? null }), kept)
    },
    close: () => void closed++,
  } as unknown as Window & typeof globalThis
  return { window, closed: () => closed }
}
function openerAt(origin: string) {
  const said: { data: unknown; to: string }[] = []
  return { origin, said, postMessage: (data: unknown, to: string) => void said.push({ data, to }) }
}
const flow = (state: string) =>
  JSON.stringify({
    provider: 'google',
    state,
    verifier: 'v',
    leftAt: 1,
    disableSignup: false,
    headless: false,
  })

describe('a page in the window of a login', () => {
  test('tells the page that opened it, and nobody else, and goes', async () => {
    const opener = openerAt(ours)
    const { window, closed } = setUp({ opener })
    expect(await handBack(returned, window)).toBe(true)
    const data = { type: 'PRIVY_OAUTH_RESPONSE', stateCode: 'st4te', authorizationCode: 'c0de' }
    expect([opener.said, closed()]).toEqual([[{ data, to: ours }], 1])
  })

  test('says that the server failed', async () => {
    const opener = openerAt(ours)
    const { window } = setUp({ opener })
    await handBack({ ...returned, code: 'error' }, window)
    expect(opener.said).toMatchObject([
      { data: { type: 'PRIVY_OAUTH_ERROR', error: 'Something went wrong. Try again.' } },
    ])
  })

  test('says nothing to a page of another origin', async () => {
    const other = openerAt('https://evil.example')
    const unreadable = Object.defineProperty({}, 'origin', {
      get() {
        throw new DOMException('no', 'SecurityError')
      },
    })
    for (const opener of [other, unreadable]) {
      const { window, closed } = setUp({ opener })
      expect([await handBack(returned, window), closed()]).toEqual([false, 0])
    }
    expect(other.said).toEqual([])
  })

  test('that has lost its opener goes when somebody on the channel has heard it', async () => {
    const waiting = new BroadcastChannel('popup-privy-oauth')
    waiting.onmessage = ({ data }) =>
      waiting.postMessage({ type: 'PRIVY_OAUTH_RECEIVED', stateCode: data.stateCode })
    const { window, closed } = setUp()
    expect([await handBack(returned, window), closed()]).toEqual([true, 1])
    waiting.close()
  })
})

describe('what came back is this tab’s own affair', () => {
  test('where it has left with that state, even if some page has opened it', async () => {
    const opener = openerAt(ours)
    const { window, closed } = setUp({ opener, kept: { 'lk:some-app:oauth': flow('st4te') } })
    expect([await handBack(returned, window), closed(), opener.said]).toEqual([false, 0, []])
  })

  test('not where the copy of an older login lies about', async () => {
    const opener = openerAt(ours)
    const { window } = setUp({ opener, kept: { 'lk:some-app:oauth': flow('older'), 'lk:x:oauth': '{' } })
    expect(await handBack(returned, window)).toBe(true)
  })

  test('where nobody waits for it', async () => {
    const { window, closed } = setUp({ blocked: true })
    expect([await handBack(returned, window), closed()]).toEqual([false, 0])
  })
})
