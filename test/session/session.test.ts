import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { memoryStorage, type Storage } from '../../src/lib/storage.ts'
import { getMe } from '../../src/protocol/account.ts'
import { createHttp, type Http } from '../../src/protocol/http.ts'
import { parse } from '../../src/protocol/schema.ts'
import { type SessionAnswer, sessionAnswer } from '../../src/protocol/sessions.ts'
import { sessionKey } from '../../src/session/keys.ts'
import { createSession } from '../../src/session/session.ts'
import { createTokens } from '../../src/session/tokens.ts'
import { appId, fakeApi, makeToken, type Reply, sessionBody, wireUser } from '../support/api.ts'
import { settled, testClock } from '../support/clock.ts'
import { browserTabs } from '../support/tabs.ts'

const refresh = '/api/v1/sessions'
const me = '/api/v1/users/me'

let warn: ReturnType<typeof vi.spyOn>
beforeEach(() => {
  warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => warn.mockRestore())

async function setUp(routes: Record<string, Reply | Reply[]> = {}) {
  const clock = testClock()
  const storage = memoryStorage()
  const browser = browserTabs()
  const api = fakeApi(clock, {
    [me]: { body: { user: wireUser(), identity_token: await makeToken(clock) } },
    '/api/v1/sessions/logout': { body: {} },
    ...routes,
  })
  const openTab = (own: Storage = storage) => {
    const tokens = createTokens({ appId, storage: own, clock })
    const tab = browser.open()
    const session = createSession({ tokens, shared: tab, tabs: tab, http: () => http, clock })
    const http: Http = createHttp({
      base: 'https://api.example',
      appId,
      clientId: undefined,
      analyticsId: () => '',
      tokens: () => session,
      fetch: api.fetch,
      clock,
    })
    return Object.assign(session, { http, tab })
  }
  const answer = async (more: Record<string, unknown> = {}): Promise<SessionAnswer> =>
    parse(sessionAnswer, await sessionBody(clock, more), 'test')
  const put = (name: Parameters<typeof sessionKey>[1], value: string) =>
    storage.set(sessionKey(appId, name), value)
  return { clock, storage, api, openTab, answer, put }
}

describe('a login', () => {
  test('keeps the tokens, and no refresh token among them', async () => {
    const { openTab, answer, storage } = await setUp()
    const session = openTab()
    session.authenticate(await answer())
    expect(await session.accessToken()).toMatch(/^ey/)
    expect(session.user.get()?.email?.address).toBe('ada@example.com')
    expect(storage.get(sessionKey(appId, 'refresh'))).toBe('t')
  })

  test('is seen by the other tabs', async () => {
    const { openTab, answer } = await setUp()
    const [one, two] = [openTab(), openTab()]
    one.authenticate(await answer())
    await settled()
    expect(two.user.get()?.id).toBe('did:privy:u1')
  })

  test('without a person in it is malformed', async () => {
    const { openTab, answer } = await setUp()
    const nobody = await answer({ user: null })
    expect(() => openTab().authenticate(nobody)).toThrowError(
      expect.objectContaining({ code: 'malformed_response' }),
    )
  })

  test('with a token that is no JWT, or one of another app, keeps nothing', async () => {
    const { openTab, answer, clock, storage } = await setUp()
    const session = openTab()
    for (const token of ['nonsense', await makeToken(clock, { app: 'another-app-of-25-letters' })]) {
      const bad = await answer({ token })
      expect(() => session.authenticate(bad)).toThrowError(
        expect.objectContaining({ code: 'malformed_response' }),
      )
      expect(storage.get(sessionKey(appId, 'token'))).toBeUndefined()
    }
  })
})

describe('a stored session', () => {
  test('is taken up with one call', async () => {
    const { openTab, put, clock, api } = await setUp()
    put('token', await makeToken(clock))
    const session = openTab()
    await session.restore()
    expect(session.user.get()?.id).toBe('did:privy:u1')
    expect(api.calls.map((call) => call.path)).toEqual([me])
  })

  test('asks nothing of the server where nothing is stored', async () => {
    const { openTab, api } = await setUp()
    await openTab().restore()
    expect(api.calls).toEqual([])
  })

  test('whose token is no JWT is destroyed', async () => {
    const { openTab, put, storage, api } = await setUp()
    put('token', 'broken')
    put('refresh', 't')
    await openTab().restore()
    expect(storage.get(sessionKey(appId, 'token'))).toBeUndefined()
    expect(api.calls).toEqual([])
  })

  test('of another app is logged out', async () => {
    const { openTab, put, clock, api, storage } = await setUp()
    put('token', await makeToken(clock, { app: 'another-app-of-25-letters' }))
    await openTab().restore()
    expect(api.to('/api/v1/sessions/logout')).toHaveLength(1)
    expect(storage.get(sessionKey(appId, 'token'))).toBeUndefined()
  })

  test('that has expired, without refresh credentials, is cleared', async () => {
    const { openTab, put, clock, storage, api } = await setUp()
    put('token', await makeToken(clock, { life: -10 }))
    await openTab().restore()
    expect(storage.get(sessionKey(appId, 'token'))).toBeUndefined()
    expect(api.calls).toEqual([])
  })

  test('that has expired, with refresh credentials, is refreshed', async () => {
    const { openTab, put, clock, api, answer } = await setUp()
    await answer()
    put('token', await makeToken(clock, { life: -10 }))
    put('refresh', 't')
    const session = openTab()
    api.calls.length = 0
    await expect(session.restore()).rejects.toMatchObject({ code: 'unknown_auth_error' })
    expect(api.to(refresh)).toHaveLength(1)
  })

  test('stays stored when the server can’t be asked', async () => {
    const { openTab, put, clock, storage } = await setUp({ [me]: 'dropped' })
    put('token', await makeToken(clock))
    const failed = expect(openTab().restore()).rejects.toMatchObject({ code: 'network_unavailable' })
    await clock.advance(10_000)
    await failed
    expect(storage.get(sessionKey(appId, 'token'))).toBeDefined()
  })
})

describe('a token near its end', () => {
  test('counts as inactive within 30 s of it', async () => {
    const clock = testClock()
    const { openTab, put, api } = await setUp({ [refresh]: { body: await sessionBody(clock) } })
    put('token', await makeToken(clock, { life: 31 }))
    put('refresh', 't')
    const session = openTab()
    await session.accessToken()
    expect(api.to(refresh)).toHaveLength(0)
    put('token', await makeToken(clock, { life: 30 }))
    await session.accessToken()
    expect(api.to(refresh)).toHaveLength(1)
  })

  test('is refreshed once for all who ask, in all tabs', async () => {
    const clock = testClock()
    const { openTab, put, api } = await setUp({ [refresh]: { body: await sessionBody(clock) } })
    put('token', await makeToken(clock, { life: 5 }))
    put('refresh', 't')
    const tabs = Array.from({ length: 20 }, () => openTab())
    const tokens = await Promise.all(
      tabs.flatMap((tab) => [tab.accessToken(), tab.accessToken(), getMe(tab.http)]),
    )
    expect(api.to(refresh)).toHaveLength(1)
    expect(tokens.every(Boolean)).toBe(true)
  })

  test('is judged by the server’s clock, not by ours', async () => {
    const { openTab, answer, clock, api } = await setUp()
    const session = openTab()
    const ahead = await makeToken(clock, { issuedAt: -86_400, life: 3600 })
    session.authenticate(await answer({ token: ahead, privy_access_token: null }))
    expect(await session.accessToken()).toBe(ahead)
    expect(api.to(refresh)).toHaveLength(0)
  })
})

describe('the server’s word on what to keep', () => {
  test('ignore: only the access tokens', async () => {
    const { openTab, answer, storage } = await setUp()
    openTab().authenticate(await answer({ session_update_action: 'ignore' }))
    expect(storage.get(sessionKey(appId, 'token'))).toBeDefined()
    expect(storage.get(sessionKey(appId, 'refresh'))).toBeUndefined()
  })

  test('clear: nothing', async () => {
    const clock = testClock()
    const cleared = { user: null, token: null, refresh_token: null, session_update_action: 'clear' }
    const { openTab, put, storage } = await setUp({ [refresh]: { body: cleared } })
    put('token', await makeToken(clock, { life: 5 }))
    put('refresh', 't')
    const session = openTab()
    expect(await session.accessToken()).toBeUndefined()
    expect(storage.get(sessionKey(appId, 'token'))).toBeUndefined()
  })

  test('a word of a newer server keeps the login', async () => {
    const { openTab, answer } = await setUp()
    const session = openTab()
    session.authenticate(await answer({ session_update_action: 'merge' }))
    expect(await session.accessToken()).toBeDefined()
  })

  test('missing or invalid token: the session is cleared with a warning', async () => {
    const clock = testClock()
    const refused = { status: 401, body: { error: 'no', code: 'missing_or_invalid_token' } }
    const { openTab, put, storage } = await setUp({ [refresh]: refused })
    put('token', await makeToken(clock, { life: 5 }))
    put('refresh', 't')
    expect(await openTab().accessToken()).toBeUndefined()
    expect(warn).toHaveBeenCalledWith('Unable to refresh tokens - token is missing or no longer valid')
    expect(storage.get(sessionKey(appId, 'refresh'))).toBeUndefined()
  })

  test('a refresh that fails for another reason keeps the session', async () => {
    const clock = testClock()
    const { openTab, put, storage } = await setUp({ [refresh]: { status: 429, body: { error: 'wait' } } })
    put('token', await makeToken(clock, { life: 5 }))
    put('refresh', 't')
    await expect(openTab().accessToken()).rejects.toMatchObject({ code: 'too_many_requests' })
    expect(storage.get(sessionKey(appId, 'refresh'))).toBe('t')
  })
})

describe('logging out', () => {
  test('clears all that belongs to the session, here and in the other tabs', async () => {
    const { openTab, answer, storage, api, put } = await setUp()
    const [one, two] = [openTab(), openTab()]
    one.authenticate(await answer())
    put('client-id', 'caid')
    put('guest', 'g')
    put('recent-login', 'email')
    await settled()
    await one.logout()
    expect(one.user.get()).toBeNull()
    expect(two.user.get()).toBeNull()
    for (const name of [
      'token',
      'second-token',
      'identity',
      'refresh',
      'client-id',
      'guest',
      'skew',
    ] as const)
      expect(storage.get(sessionKey(appId, name))).toBeUndefined()
    expect(storage.get(sessionKey(appId, 'recent-login'))).toBe('email')
    expect(api.to('/api/v1/sessions/logout')[0]?.headers.authorization).toMatch(/^Bearer ey/)
  })

  test('never fails, and is done at once on this page', async () => {
    const { openTab, answer, clock } = await setUp({ '/api/v1/sessions/logout': 'dropped' })
    const session = openTab()
    session.authenticate(await answer())
    const done = session.logout()
    expect(session.user.get()).toBeNull()
    await clock.advance(10_000)
    await done
    expect(warn).toHaveBeenCalled()
  })

  test('in one tab leaves a login alone that another tab has made since', async () => {
    const { openTab, answer, clock, storage } = await setUp()
    const [one, two] = [openTab(), openTab()]
    one.authenticate(await answer())
    await settled()
    const since = await makeToken(clock, { userId: 'did:privy:u2' })
    storage.set(sessionKey(appId, 'token'), since)
    storage.set(sessionKey(appId, 'second-token'), since)
    one.tab.broadcast('logout')
    await settled()
    expect(storage.get(sessionKey(appId, 'token'))).toBe(since)
    expect(two.user.get()).not.toBeNull()
  })

  test('is heard by a tab that sees the storage late: the login made since goes on, and is followed once it is seen', async () => {
    const { openTab, answer, clock, storage } = await setUp()
    let isLate = false
    const lateStorage: Storage = { ...storage, get: (key) => (isLate ? undefined : storage.get(key)) }
    const [one, two] = [openTab(), openTab(lateStorage)]
    one.authenticate(await answer())
    await settled()
    const since = await makeToken(clock)
    storage.set(sessionKey(appId, 'token'), since)
    isLate = true
    one.tab.broadcast('logout')
    expect(two.user.get()).toBeNull()
    expect(storage.get(sessionKey(appId, 'token'))).toBe(since)
    one.tab.broadcast('login')
    await settled()
    expect(two.user.get()).toBeNull()
    isLate = false
    two.tab.seesStored()
    await settled()
    expect(two.user.get()).not.toBeNull()
  })

  test('while a refresh is under way is not undone by it', async () => {
    const clock = testClock()
    const { openTab, put, storage } = await setUp({ [refresh]: { body: await sessionBody(clock) } })
    put('token', await makeToken(clock, { life: 5 }))
    put('refresh', 't')
    const session = openTab()
    const refreshed = session.accessToken()
    await session.logout()
    expect(await refreshed).toBeUndefined()
    expect(storage.get(sessionKey(appId, 'token'))).toBeUndefined()
  })
})

test('a forked session is handed over as a token and taken up elsewhere', async () => {
  const clock = testClock()
  const { openTab, answer, api } = await setUp({
    '/api/v1/sessions/fork': {
      body: { token: 't', refresh_token: 'deprecated', new_session_refresh_token: 'forked' },
    },
    '/api/v1/sessions/fork/recover': { body: await sessionBody(clock) },
  })
  const session = openTab()
  session.authenticate(await answer())
  expect(await session.fork()).toBe('forked')
  const elsewhere = openTab(memoryStorage())
  expect((await elsewhere.recover('forked')).id).toBe('did:privy:u1')
  expect(api.to('/api/v1/sessions/fork/recover')[0]?.body).toEqual({ refresh_token: 'forked' })
})

describe('a session that goes elsewhere', () => {
  const forkPath = '/api/v1/sessions/fork'
  const recoverPath = '/api/v1/sessions/fork/recover'
  const refused = (code: string) => ({ status: 400, body: { error: 'no', code } })

  test('needs somebody who is logged in, and the server is not asked', async () => {
    const { openTab, api } = await setUp()
    await expect(openTab().fork()).rejects.toMatchObject({ code: 'must_be_authenticated' })
    expect(api.to(forkPath)).toEqual([])
  })

  test('stays here as it was', async () => {
    const { openTab, answer, storage } = await setUp({
      [forkPath]: { body: { token: 't', refresh_token: 'deprecated', new_session_refresh_token: 'forked' } },
    })
    const session = openTab()
    session.authenticate(await answer())
    const before = await session.accessToken()
    await session.fork()
    expect([await session.accessToken(), session.user.get()?.id]).toEqual([before, 'did:privy:u1'])
    const kept = ['token', 'second-token', 'identity', 'refresh'] as const
    expect(kept.map((name) => storage.get(sessionKey(appId, name)))).not.toContain('forked')
  })

  test('is given up when the one who asks no longer wants it', async () => {
    const { openTab, answer } = await setUp({ [forkPath]: 'silent' })
    const session = openTab()
    session.authenticate(await answer())
    const left = new AbortController()
    const forked = session.fork({ signal: left.signal })
    await settled()
    left.abort(new Error('left'))
    await expect(forked).rejects.toThrow('left')
  })

  test('without a token in the answer is malformed', async () => {
    const { openTab, answer } = await setUp({ [forkPath]: { body: { token: 't' } } })
    const session = openTab()
    session.authenticate(await answer())
    await expect(session.fork()).rejects.toMatchObject({ code: 'malformed_response' })
  })

  test.each(['token_already_used', 'missing_or_invalid_token', 'missing_or_invalid_app_id'])(
    'by a token that the server answers with %s logs nobody in',
    async (code) => {
      const { openTab, storage } = await setUp({ [recoverPath]: refused(code) })
      const session = openTab()
      await expect(session.recover('forked')).rejects.toMatchObject({ code })
      expect([session.user.get(), storage.get(sessionKey(appId, 'token'))]).toEqual([null, undefined])
    },
  )

  test('does not log out the person who is logged in there when it is refused', async () => {
    const { openTab, answer, api } = await setUp({ [recoverPath]: refused('token_already_used') })
    const session = openTab()
    session.authenticate(await answer())
    await expect(session.recover('forked')).rejects.toMatchObject({ code: 'token_already_used' })
    expect(session.user.get()?.id).toBe('did:privy:u1')
    expect(api.to('/api/v1/sessions/logout')).toEqual([])
  })

  test('is taken over once: what goes out again after a lost answer is the same call', async () => {
    const { openTab, clock, api } = await setUp({
      [recoverPath]: ['dropped', { body: await sessionBody(testClock()) }],
    })
    const recovered = openTab().recover('forked')
    await clock.advance(1_000)
    expect((await recovered).id).toBe('did:privy:u1')
    const keys = api.to(recoverPath).map(({ headers }) => headers['idempotency-key'])
    expect([keys.length, new Set(keys).size]).toEqual([2, 1])
  })

  test('is seen by the other tabs of that place', async () => {
    const { openTab } = await setUp({ [recoverPath]: { body: await sessionBody(testClock()) } })
    const [one, two] = [openTab(), openTab()]
    await one.recover('forked')
    await settled()
    expect(two.user.get()?.id).toBe('did:privy:u1')
  })
})

test('a tab that comes back finds what the others have done meanwhile', async () => {
  const { openTab, answer, storage } = await setUp()
  const session = openTab()
  session.authenticate(await answer())
  for (const name of ['token', 'second-token', 'identity', 'refresh'] as const)
    storage.remove(sessionKey(appId, name))
  session.tab.comesBack()
  await settled()
  expect(session.user.get()).toBeNull()
})

describe('a session that was ended in another browser', () => {
  const over: Reply = { status: 401, body: { error: 'Over', code: 'missing_or_invalid_token' } }

  test('is noticed when somebody comes back to a tab, and every tab hears of it', async () => {
    const { openTab, answer } = await setUp({ [me]: [{ body: { user: wireUser() } }, over], [refresh]: over })
    const [one, two] = [openTab(), openTab()]
    one.authenticate(await answer())
    await settled()
    expect([one.user.get()?.id, two.user.get()?.id]).toEqual(['did:privy:u1', 'did:privy:u1'])
    const heard: unknown[] = []
    for (const tab of [one, two]) tab.onChangeElsewhere((next) => heard.push(next))
    one.tab.comesBack()
    await settled()
    expect([one.user.get(), two.user.get(), one.stored()]).toEqual([null, null, undefined])
    expect(heard).toEqual([null, null])
    expect(warn).toHaveBeenCalledWith('Unable to refresh tokens - token is missing or no longer valid')
  })

  test('is asked for once by a tab to which somebody comes back again and again, and later once more', async () => {
    const { openTab, answer, api, clock } = await setUp()
    const session = openTab()
    session.authenticate(await answer())
    for (let times = 0; times < 5; times++) {
      session.tab.comesBack()
      await settled()
    }
    expect(api.to(me)).toHaveLength(1)
    await clock.advance(5_000)
    session.tab.comesBack()
    await settled()
    expect(api.to(me)).toHaveLength(2)
    expect(session.user.get()?.id).toBe('did:privy:u1')
  })

  test('goes on while the server can’t be asked', async () => {
    const { openTab, answer, clock } = await setUp({ [me]: ['dropped', 'dropped', 'dropped', 'dropped'] })
    const session = openTab()
    session.authenticate(await answer())
    session.tab.comesBack()
    await clock.advance(10_000)
    expect(session.user.get()?.id).toBe('did:privy:u1')
    expect(session.stored()).toBeDefined()
  })
})

describe('a page that is loaded while another tab is open', () => {
  test('tells the other one what a page before it has changed and could no longer tell', async () => {
    const changed = wireUser('did:privy:u1', { has_accepted_terms: true })
    const { openTab, answer } = await setUp({ [me]: { body: { user: changed } } })
    const [open, leaves] = [openTab(), openTab()]
    open.authenticate(await answer())
    await settled()
    leaves.close()
    expect(open.user.get()?.hasAcceptedTerms).toBe(false)
    await openTab().restore()
    await settled()
    expect(open.user.get()?.hasAcceptedTerms).toBe(true)
  })

  test('tells nothing where nothing has changed', async () => {
    const { openTab, answer, api } = await setUp({ [me]: { body: { user: wireUser() } } })
    openTab().authenticate(await answer())
    await settled()
    for (let page = 0; page < 3; page++) await openTab().restore()
    await settled()
    expect(api.to(me)).toHaveLength(3)
  })
})

describe('a tab without a network that comes back', () => {
  const gone: Reply[] = ['dropped', 'dropped', 'dropped', 'dropped']

  test('finds who has logged in elsewhere meanwhile', async () => {
    const { openTab, answer, clock } = await setUp({ [me]: [...gone, { body: { user: wireUser() } }] })
    const [one, two] = [openTab(), openTab()]
    one.authenticate(await answer())
    await clock.advance(10_000)
    expect(two.user.get()).toBeNull()
    two.tab.comesBack()
    await settled()
    expect(two.user.get()?.id).toBe('did:privy:u1')
  })

  test('finds what has changed about the person meanwhile, and asks only once', async () => {
    const changed = wireUser('did:privy:u1', { has_accepted_terms: true })
    const { openTab, answer, clock, api } = await setUp({
      [me]: [{ body: { user: wireUser() } }, ...gone, { body: { user: changed } }],
    })
    const [one, two] = [openTab(), openTab()]
    one.authenticate(await answer())
    await settled()
    one.tab.broadcast('user')
    await clock.advance(10_000)
    expect(two.user.get()?.hasAcceptedTerms).toBe(false)
    two.tab.comesBack()
    await settled()
    expect(two.user.get()?.hasAcceptedTerms).toBe(true)
    const asked = api.to(me).length
    two.tab.comesBack()
    await settled()
    expect(api.to(me)).toHaveLength(asked)
  })

  test('restores a session that has run out meanwhile', async () => {
    const { openTab, answer, clock, api } = await setUp({
      [refresh]: [...gone, { body: await sessionBody(testClock()) }],
    })
    openTab().authenticate(await answer({ token: await makeToken(clock, { life: 10 }) }))
    const later = openTab()
    const failed = later.restore().catch((cause) => cause)
    await clock.advance(10_000)
    expect(await failed).toMatchObject({ code: 'network_unavailable' })
    later.tab.comesBack()
    await settled()
    expect(later.user.get()?.id).toBe('did:privy:u1')
    expect(api.to(refresh)).toHaveLength(5)
  })
})
