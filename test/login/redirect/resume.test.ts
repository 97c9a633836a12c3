import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { KitError } from '../../../src/errors/kit-error.ts'
import type { KitEvents, LoginOptions } from '../../../src/kit/api.ts'
import { memoryStorage } from '../../../src/lib/storage.ts'
import type { OAuthReturn } from '../../../src/protocol/returns.ts'
import { appId } from '../../support/api.ts'
import { settled, testClock } from '../../support/clock.ts'
import type { KitSetUp } from '../../support/kit.ts'
import { kitWithProviders, oauthPaths, tabStorage, until } from '../../support/oauth.ts'
import { scriptedPerson } from '../../support/person.ts'

beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}))
afterEach(() => vi.restoreAllMocks())

/** Leaves a page for Google, and loads it again with what comes back. */
async function roundTrip(
  options: LoginOptions = {},
  {
    headless = false,
    away = 5_000,
    goesBack = false,
    comesBack = (returned: OAuthReturn): OAuthReturn | undefined => returned,
    ...setUp
  }: KitSetUp & {
    headless?: boolean
    away?: number
    /** Before the page has left, which it does all the same. */
    goesBack?: boolean
    comesBack?: (returned: OAuthReturn) => OAuthReturn | undefined
  } = {},
) {
  const browser = { storage: memoryStorage(), tabStorage: tabStorage() }
  const before = await kitWithProviders(browser)
  if (headless) before.kit.oauth.initOAuth({ provider: 'google', disableSignup: true }).catch(() => {})
  else {
    before.kit.login(options).catch(() => {})
    await before.person.follow([['landing', { method: 'google' }]])
  }
  const { state_code: state = '' } = await before.begun()
  await until(() => before.page.left.length)
  if (goesBack) await before.person.follow([['awaiting-oauth', 'back'], { on: 'landing' }])
  const returned = comesBack({ kind: 'oauth', code: 'c0de', state, provider: 'google' })
  const clock = testClock(before.clock.now() + away)
  const after = await kitWithProviders({ ...browser, clock, returned, ...setUp })
  const logins: KitEvents['login'][] = []
  after.kit.on('login', (detail) => logins.push(detail))
  return { ...after, logins, state }
}

describe('a login that left the page', () => {
  test('goes on by itself where it was, and tells the host as if nothing had happened', async () => {
    const { kit, person, logins, api, errors } = await roundTrip()
    await person.follow([{ on: 'awaiting-oauth', expect: ({ phase }) => expect(phase).toBe('done') }])
    await person.follow([{ wait: 2_000 }])
    expect(logins).toMatchObject([
      {
        user: { id: 'did:privy:u1' },
        isNewUser: true,
        wasAlreadyAuthenticated: false,
        loginMethod: 'google',
      },
    ])
    expect([kit.authenticated, person.ends, errors]).toEqual([true, [{ completed: true }], []])
    expect(api.to(oauthPaths.authenticate)[0]?.body).toMatchObject({ authorization_code: 'c0de' })
    expect(person.trace()).not.toContain('landing')
  })

  test('and comes back although the person had gone back says so, and logs nobody in', async () => {
    const { kit, person, api } = await roundTrip({}, { goesBack: true })
    await person.follow([
      { on: 'awaiting-oauth', expect: ({ phase }) => expect(phase).toBe('failed'), answer: 'back' },
      { on: 'landing' },
    ])
    expect(api.to(oauthPaths.authenticate)).toEqual([])
    expect(kit.authenticated).toBe(false)
  })

  test('can be left while the server looks at what came back', async () => {
    const { kit, person, api } = await roundTrip({}, { routes: { [oauthPaths.authenticate]: 'silent' } })
    await person.follow([
      { on: 'awaiting-oauth', expect: ({ phase }) => expect(phase).toBe('verifying'), answer: 'back' },
      { on: 'landing' },
    ])
    expect(api.to(oauthPaths.authenticate)).toHaveLength(1)
    expect(kit.authenticated).toBe(false)
  })

  test('is joined by the host’s own login()', async () => {
    const { kit, person, api } = await roundTrip()
    const login = kit.login()
    await person.follow([{ on: 'awaiting-oauth' }, { wait: 2_000 }])
    await expect(login).resolves.toMatchObject({ id: 'did:privy:u1' })
    expect([person.ends.length, api.to(oauthPaths.init).length]).toEqual([1, 0])
  })

  test('keeps the options of its run', async () => {
    const options: LoginOptions = {
      loginMethods: ['google', 'email'],
      prefill: { type: 'email', value: 'ada@example.com' },
      disableSignup: true,
    }
    const comesBack = (returned: OAuthReturn) => ({ ...returned, code: 'undefined' })
    const { person, api } = await roundTrip(options, { comesBack })
    await person.follow([
      ['awaiting-oauth', 'back'],
      {
        on: 'landing',
        expect: (props) => {
          expect((props.methods as { id: string }[]).map(({ id }) => id)).toEqual(['google', 'email'])
          expect(props.email).toMatchObject({ value: 'ada@example.com' })
        },
      },
    ])
    expect(api.to(oauthPaths.authenticate)).toEqual([])
  })

  test('only lets in who has an account, where its run wanted that', async () => {
    const { person, api } = await roundTrip({ disableSignup: true })
    await person.follow([{ on: 'awaiting-oauth' }])
    expect(api.to(oauthPaths.authenticate)[0]?.body).toMatchObject({ mode: 'no-signup' })
  })

  test('counts once: the same return on another page is nothing', async () => {
    const first = await roundTrip()
    await first.person.follow([{ on: 'awaiting-oauth' }, { wait: 2_000 }])
    const returned: OAuthReturn = { kind: 'oauth', code: 'c0de', state: first.state, provider: 'google' }
    const { api, person } = await kitWithProviders({ tabStorage: first.tabStorage, returned })
    await settled()
    expect([api.to(oauthPaths.authenticate), person.trace()]).toEqual([[], []])
  })
})

describe('a page to which somebody has come back', () => {
  const returnOf = (state: string): OAuthReturn => ({
    kind: 'oauth',
    code: 'c0de',
    state,
    provider: 'google',
  })
  const notLoaded = new KitError('network_unavailable', 'not loaded', { retryable: true })

  test('and that is loaded again before the server has answered asks it the same once more', async () => {
    const first = await roundTrip({}, { routes: { [oauthPaths.authenticate]: 'silent' } })
    await until(() => first.api.to(oauthPaths.authenticate).length)
    first.tabStorage.set('lk:return', 'what the page has taken out of the address')
    const { storage, tabStorage, clock } = first
    const again = await kitWithProviders({ storage, tabStorage, clock, returned: returnOf(first.state) })
    await again.person.follow([{ on: 'awaiting-oauth' }, { wait: 2_000 }])
    expect(again.kit.authenticated).toBe(true)
    const [asked] = first.api.to(oauthPaths.authenticate)
    const [repeated] = again.api.to(oauthPaths.authenticate)
    expect(asked?.headers['idempotency-key']).toMatch(/^[\w-]{40,}$/)
    expect(repeated?.headers['idempotency-key']).toBe(asked?.headers['idempotency-key'])
    expect(repeated?.body).toEqual(asked?.body)
    expect([tabStorage.get('lk:return'), tabStorage.get(`lk:${appId}:oauth`)]).toEqual([undefined, undefined])
  })

  test('and begins another login there forgets what came back before', async () => {
    const tab = tabStorage()
    tab.set('lk:return', 'of a login that nobody waits for')
    const { kit, person, page } = await kitWithProviders({ storage: memoryStorage(), tabStorage: tab })
    kit.login().catch(() => {})
    await person.follow([['landing', { method: 'google' }]])
    await until(() => page.left.length)
    expect(tab.get('lk:return')).toBeUndefined()
  })

  test('says that what reads the return did not load, and goes on once it does', async () => {
    let isGone = true
    const first = await roundTrip({}, { comesBack: () => undefined })
    const { storage, tabStorage, clock, state } = first
    const { kit, person, errors } = await kitWithProviders({
      storage,
      tabStorage,
      clock,
      async readReturned() {
        if (isGone) throw notLoaded
        return returnOf(state)
      },
    })
    const failed = (props: Record<string, unknown>) => expect(props).toEqual({ failed: true })
    await person.follow([
      { on: 'starting', expect: failed, answer: 'retry' },
      { on: 'starting', expect: failed },
    ])
    isGone = false
    await person.follow([['starting', 'retry'], { on: 'awaiting-oauth' }, { wait: 2_000 }])
    expect([kit.authenticated, errors.map(({ code }) => code)]).toEqual([true, ['network_unavailable']])
  })

  test('and leaves that screen is left alone, and can log in', async () => {
    const first = await roundTrip({}, { comesBack: () => undefined })
    const { storage, tabStorage, clock } = first
    const { kit, person, errors } = await kitWithProviders({
      storage,
      tabStorage,
      clock,
      readReturned: () => Promise.reject(notLoaded),
    })
    await person.follow([{ on: 'starting', close: true }, { wait: 1_000 }])
    kit.login().catch(() => {})
    await person.follow([{ on: 'landing' }])
    expect(errors.map(({ code }) => code)).toEqual(['network_unavailable'])
  })
})

describe('what came back', () => {
  const failure = (props: Record<string, unknown>) => props.failure as { detail: string; retryable: boolean }

  test('a denial says what to do, and another try leaves again', async () => {
    const { person, errors, page, api } = await roundTrip(
      {},
      { comesBack: (returned) => ({ ...returned, code: 'undefined' }) },
    )
    await person.follow([
      {
        on: 'awaiting-oauth',
        expect: (props) =>
          expect(failure(props)).toMatchObject({
            detail: 'Retry and check Google to finish connecting your account.',
            retryable: true,
          }),
        answer: 'retry',
      },
    ])
    await until(() => page.left.length)
    expect(errors).toMatchObject([
      { code: 'oauth_user_denied', shortMessage: 'User denied confirmation during OAuth flow' },
    ])
    expect(api.to(oauthPaths.authenticate)).toEqual([])
  })

  test.each([
    ['another state', (returned: OAuthReturn) => ({ ...returned, state: 'planted' })],
    ['another provider', (returned: OAuthReturn) => ({ ...returned, provider: 'github' })],
  ])('%s warns of phishing, and the server is not asked', async (_, comesBack) => {
    const { person, errors, api, clock } = await roundTrip({}, { comesBack })
    await person.follow([
      {
        on: 'awaiting-oauth',
        expect: (props) => {
          expect(failure(props)).toMatchObject({
            detail: 'Unexpected auth flow. This may be a phishing attempt.',
            retryable: false,
          })
          expect(props.name).toBe('Google')
        },
        answer: 'back',
      },
      { on: 'landing' },
    ])
    await clock.advance(2_000)
    expect(errors.map(({ code }) => code)).toEqual(['oauth_unexpected'])
    expect(api.calls.filter(({ path }) => path.includes('oauth'))).toEqual([])
    expect(api.calls.map(({ body }) => body?.event_name)).toContain('possible_phishing_attempt')
  })

  test('an answer that the server could not give can be tried again', async () => {
    const { person, errors, api } = await roundTrip(
      {},
      { comesBack: (returned) => ({ ...returned, code: 'error' }) },
    )
    await person.follow([
      {
        on: 'awaiting-oauth',
        expect: (props) =>
          expect(failure(props)).toMatchObject({
            detail: 'Something went wrong. Try again.',
            retryable: true,
          }),
      },
    ])
    expect(errors.map(({ code }) => code)).toEqual(['unknown_auth_error'])
    expect(api.to(oauthPaths.authenticate)).toEqual([])
  })

  test('after ten minutes is too late, and can be tried again', async () => {
    const { person, api } = await roundTrip({}, { away: 600_000 })
    await person.follow([
      { on: 'awaiting-oauth', expect: (props) => expect(failure(props).retryable).toBe(true) },
    ])
    expect(api.to(oauthPaths.authenticate)).toEqual([])
  })

  test('to a login of long ago is nothing when it is not its own', async () => {
    const comesBack = (returned: OAuthReturn) => ({ ...returned, state: 'planted' })
    const { person, api } = await roundTrip({}, { away: 600_000, comesBack })
    await settled()
    expect([person.trace(), api.to(oauthPaths.authenticate)]).toEqual([[], []])
  })

  test('to a tab that has begun nothing opens nothing, and only tells the developer, without what came', async () => {
    const returned: OAuthReturn = { kind: 'oauth', code: 'c0de', state: 'st4te', provider: 'google' }
    const { kit, person, api, errors } = await kitWithProviders({ returned })
    await kit.whenReady()
    await settled()
    expect([person.trace(), api.calls.length, errors]).toEqual([[], 1, []])
    const warned = vi.mocked(console.warn).mock.calls
    expect(warned).toEqual([
      [expect.stringMatching(/^A login came back to this page, but the app latchkey-unit/)],
    ])
    expect(warned.join()).not.toMatch(/c0de|st4te|google/)
  })

  test('what somebody else has written into the storage does not count either', async () => {
    for (const text of [
      '',
      'null',
      '{',
      '{"provider":"google"}',
      '[1]',
      '{"provider":1,"state":2,"verifier":3,"leftAt":4}',
    ]) {
      const tab = tabStorage()
      tab.set('lk:latchkey-unit-test-app-01:oauth', text)
      const returned: OAuthReturn = { kind: 'oauth', code: 'c0de', state: 'st4te', provider: 'google' }
      const { person } = await kitWithProviders({ tabStorage: tab, returned })
      await settled()
      expect(person.trace(), text).toEqual([])
    }
  })
})

describe('without a dialog', () => {
  test('it goes on without one', async () => {
    const { kit, person, logins, api } = await roundTrip({}, { headless: true })
    await until(() => logins.length)
    expect([kit.oauth.state.get().status, person.trace()]).toEqual(['done', []])
    expect(api.to(oauthPaths.authenticate)[0]?.body).toMatchObject({ mode: 'no-signup' })
  })

  test('a denial is an error and a state', async () => {
    const { kit, person, errors } = await roundTrip(
      {},
      { headless: true, comesBack: (returned) => ({ ...returned, code: 'undefined' }) },
    )
    await until(() => errors.length)
    expect([errors[0]?.code, kit.oauth.state.get().status, person.trace()]).toEqual([
      'oauth_user_denied',
      'error',
      [],
    ])
  })
})

describe('of several places for dialogs', () => {
  async function back(attach: readonly string[]) {
    const browser = { storage: memoryStorage(), tabStorage: tabStorage() }
    const before = await kitWithProviders(browser)
    const start = scriptedPerson(before.clock)
    before.kit.login({ surface: { ...start.surface, name: 'login-modal#second' } }).catch(() => {})
    await start.follow([['landing', { method: 'google' }]])
    const { state_code: state = '' } = await before.begun()
    await until(() => before.page.left.length)
    const returned: OAuthReturn = { kind: 'oauth', code: 'c0de', state, provider: 'google' }
    const after = await kitWithProviders({ ...browser, clock: before.clock, returned })
    const people = attach.map((name) => {
      const someone = scriptedPerson(after.clock)
      after.kit.attach({ ...someone.surface, name })
      return someone
    })
    await settled()
    return { ...after, people }
  }

  test('it comes back to its own, though another came last', async () => {
    const { people } = await back(['login-modal#first', 'login-modal#second', 'login-modal#third'])
    await people[1]?.follow([{ on: 'awaiting-oauth' }])
    expect(people.map((each) => each.trace().length > 0)).toEqual([false, true, false])
  })

  test('it waits for its own, which comes late', async () => {
    const { kit, clock } = await back(['login-modal#first'])
    await clock.advance(1_000)
    const late = scriptedPerson(clock)
    kit.attach({ ...late.surface, name: 'login-modal#second' })
    await late.follow([{ on: 'awaiting-oauth' }])
  })

  test('it takes the latest where its own does not come', async () => {
    const { people, clock } = await back(['login-modal#first', 'login-modal#third'])
    await clock.advance(1_499)
    expect(people[1]?.trace()).toEqual([])
    await clock.advance(1)
    await people[1]?.follow([{ on: 'awaiting-oauth' }])
  })
})
