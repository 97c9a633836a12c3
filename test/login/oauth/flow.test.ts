import { describe, expect, test } from 'vitest'
import type { KitEvents } from '../../../src/kit/api.ts'
import { sessionBody, wireUser } from '../../support/api.ts'
import { testClock } from '../../support/clock.ts'
import {
  googleAccount,
  kitWithProviders,
  oauthPaths,
  pageWithWindows,
  popup,
  provider,
  response,
  until,
  words,
} from '../../support/oauth.ts'

describe('leaving the page', () => {
  test('goes to the provider with a challenge, and keeps the screen up', async () => {
    const { kit, person, page, begun, tabStorage } = await kitWithProviders()
    page.goTo('https://host.example/app?tab=2#top')
    kit.login().catch(() => {})
    await person.follow([['landing', { method: 'google' }]])
    const sent = await begun()
    await until(() => page.left.length)
    expect(page.left).toEqual([provider])
    expect(sent).toMatchObject({ provider: 'google', redirect_to: 'https://host.example/app?tab=2#top' })
    expect([sent.state_code, sent.code_challenge].map((each) => each?.length)).toEqual([48, 43])
    expect(person.scene?.props).toMatchObject({ phase: 'leaving', name: 'Google' })
    expect(tabStorage.get('lk:latchkey-unit-test-app-01:oauth')).not.toContain(sent.code_challenge)
  })

  test('that does not happen says so, and can be tried again', async () => {
    const { kit, person, page, begun } = await kitWithProviders()
    kit.login().catch(() => {})
    await person.follow([['landing', { method: 'google' }]])
    await until(() => page.left.length)
    await person.follow([
      { wait: 10_000 },
      {
        on: 'awaiting-oauth',
        expect: (props) =>
          expect(words(props)).toEqual({
            title: 'Authentication failed',
            detail: 'Something went wrong. Try again.',
            retryable: true,
          }),
        answer: 'retry',
      },
    ])
    const [first, second] = [await begun(0), await begun(1)]
    expect(first.state_code).not.toBe(second.state_code)
    await until(() => page.left.length === 2)
  })

  test('the browser’s back button finds the ways in again', async () => {
    const { kit, person, page, pageShown, tabStorage } = await kitWithProviders()
    kit.login().catch(() => {})
    await person.follow([['landing', { method: 'google' }]])
    await until(() => page.left.length)
    pageShown(false)
    await person.follow([])
    expect(person.scene?.screen.id).toBe('awaiting-oauth')
    pageShown(true)
    await person.follow([['landing', { method: 'github' }]])
    await until(() => page.left.length === 2)
    expect(tabStorage.get('lk:latchkey-unit-test-app-01:oauth')).toContain('github')
  })

  test('can be taken back before the page has left', async () => {
    const { kit, person, page } = await kitWithProviders()
    kit.login().catch(() => {})
    await person.follow([['landing', { method: 'google' }]])
    await until(() => page.left.length)
    await person.follow([['awaiting-oauth', 'back'], { on: 'landing' }])
    expect(page.stops()).toBe(1)
  })

  test('a server that refuses is heard', async () => {
    const { kit, person, errors, page, shows } = await kitWithProviders({
      routes: { [oauthPaths.init]: { status: 429, body: { error: 'Slow down', code: 'too_many_requests' } } },
    })
    kit.login().catch(() => {})
    await person.follow([['landing', { method: 'google' }]])
    await shows('failed')
    await person.follow([
      {
        on: 'awaiting-oauth',
        expect: (props) =>
          expect(words(props)).toMatchObject({
            detail: 'Too many requests. Please wait before trying again.',
            retryable: true,
          }),
      },
    ])
    expect([errors.map(({ code }) => code), page.left]).toEqual([['too_many_requests'], []])
  })

  test('an address that is no web page is not gone to', async () => {
    const { kit, person, page, shows } = await kitWithProviders({
      routes: { [oauthPaths.init]: { body: { url: 'javascript:alert(1)' } } },
    })
    kit.login().catch(() => {})
    await person.follow([['landing', { method: 'google' }]])
    await shows('failed')
    expect(page.left).toEqual([])
  })

  test('in a browser that stores nothing, the person is warned before leaving', async () => {
    const { memoryStorage } = await import('../../../src/lib/storage.ts')
    const { kit, person, errors, page, shows } = await kitWithProviders({ tabStorage: memoryStorage() })
    kit.login().catch(() => {})
    await person.follow([['landing', { method: 'google' }]])
    await shows('failed')
    await person.follow([
      {
        on: 'awaiting-oauth',
        expect: (props) => expect(words(props)?.retryable).toBe(false),
        answer: 'back',
      },
      { on: 'landing' },
    ])
    expect([errors[0]?.code, page.left]).toEqual(['session_storage_unavailable', []])
  })
})

describe('what the server answers', () => {
  async function refused(reply: { status: number; body: object }, more: object = {}) {
    const made = await kitWithProviders({ ...popup, ...more, routes: { [oauthPaths.authenticate]: reply } })
    const login = made.kit.login()
    login.catch(() => {})
    await made.person.follow([['landing', { method: 'github' }]])
    const { state_code } = await made.begun()
    await until(() => made.opened[0]?.went)
    made.say(response(state_code))
    await until(() => made.api.to(oauthPaths.authenticate).length)
    return { ...made, login }
  }

  test.each([
    ['allowlist_rejected', 401, 'allowlist'],
    ['max_accounts_reached', 403, 'user-limit'],
    ['user_does_not_exist', 400, 'account-not-found'],
  ])('%s has a screen of its own', async (code, status, screen) => {
    const { person, errors } = await refused({ status, body: { error: 'no', code } })
    await person.follow([{ on: screen }])
    expect(errors.map((error) => error.code)).toEqual([code])
  })

  test('an account of somebody else can be taken over, with what the server said of it', async () => {
    const profile = { subject: 'gh-1', username: 'ada', email: null }
    const user = wireUser('did:privy:u1', {
      linked_accounts: [{ type: 'github_oauth', subject: 'gh-1', username: 'ada', verified_at: 1 }],
    })
    const offer = {
      nonce: 'n0nce',
      subject: 'gh-1',
      account: { displayName: 'ada' },
      otherUser: { oAuthUserInfo: profile },
    }
    const routes = {
      [oauthPaths.authenticate]: {
        status: 400,
        body: { error: 'taken', code: 'account_transfer_required', data: offer },
      },
      [oauthPaths.transfer]: { body: user },
    }
    const { kit, person, begun, say, api, opened } = await kitWithProviders({ ...popup, routes })
    const login = kit.login()
    await person.follow([['landing', { method: 'github' }]])
    const { state_code } = await begun()
    await until(() => opened[0]?.went)
    say(response(state_code))
    await person.follow([
      {
        on: 'link-conflict',
        expect: (props) =>
          expect(props).toMatchObject({
            title: 'This GitHub profile is associated with another account',
            account: 'ada',
          }),
        answer: 'transfer',
      },
      { wait: 3_000 },
    ])
    await expect(login).resolves.toMatchObject({ id: 'did:privy:u1' })
    expect(api.to(oauthPaths.transfer)[0]?.body).toEqual({ nonce: 'n0nce', userInfo: profile })
  })

  test('tokens of the provider go to the host, once, and are kept nowhere', async () => {
    const clock = testClock()
    const user = wireUser('did:privy:u1', { linked_accounts: [googleAccount] })
    const tokens = {
      provider: 'google',
      access_token: 'secret-access',
      access_token_expires_in_seconds: 3600,
      refresh_token: 'secret-refresh',
      scopes: ['email'],
    }
    const body = await sessionBody(clock, { user, oauth_tokens: tokens })
    const { kit, person, begun, say, storage, tabStorage, opened } = await kitWithProviders({
      ...popup,
      routes: { [oauthPaths.authenticate]: { body } },
    })
    const granted: KitEvents['oauth-tokens'][] = []
    const logins: KitEvents['login'][] = []
    kit.on('oauth-tokens', (detail) => granted.push(detail))
    kit.on('login', (detail) => logins.push(detail))
    const login = kit.login()
    await person.follow([['landing', { method: 'google' }]])
    const { state_code } = await begun()
    await until(() => opened[0]?.went)
    say(response(state_code))
    await person.follow([{ wait: 3_000 }])
    await login
    expect(granted).toMatchObject([
      {
        oAuthTokens: {
          provider: 'google',
          accessToken: 'secret-access',
          accessTokenExpiresInSeconds: 3600,
          refreshToken: 'secret-refresh',
          scopes: ['email'],
        },
        user: { id: 'did:privy:u1' },
      },
    ])
    expect(logins).toMatchObject([{ loginMethod: 'google', loginAccount: { type: 'google' } }])
    expect(JSON.stringify([logins, kit.trace.get()])).not.toContain('secret')
    for (const name of ['oauth', 'cross-app', 'token'])
      for (const each of [storage, tabStorage])
        expect(each.get(`lk:latchkey-unit-test-app-01:${name}`) ?? '').not.toContain('secret')
  })

  test('only people who have an account get in where signing up is off', async () => {
    const { kit, person, begun, say, api, opened } = await kitWithProviders(popup)
    kit.login({ disableSignup: true }).catch(() => {})
    await person.follow([['landing', { method: 'google' }]])
    const { state_code } = await begun()
    await until(() => opened[0]?.went)
    say(response(state_code))
    await until(() => api.to(oauthPaths.authenticate).length)
    expect(api.to(oauthPaths.authenticate)[0]?.body).toMatchObject({ mode: 'no-signup' })
  })
})

describe('inside another app', () => {
  const userAgent = 'Mozilla/5.0 (Linux; Android 14; wv) Instagram 317.0'

  test('Google is not asked, and the address can be copied', async () => {
    const windows = pageWithWindows({ userAgent })
    const { kit, person, errors, api } = await kitWithProviders({ windows })
    kit.login().catch(() => {})
    await person.follow([
      ['landing', { method: 'google' }],
      {
        on: 'in-app-browser',
        expect: (props) => expect(props).toEqual({ address: 'https://host.example/' }),
        answer: 'back',
      },
      { on: 'landing' },
    ])
    expect([errors.map(({ code }) => code), api.to(oauthPaths.init)]).toEqual([['in_app_browser'], []])
  })

  test('other providers go on', async () => {
    const { kit, person, page } = await kitWithProviders({ windows: pageWithWindows({ userAgent }) })
    kit.login().catch(() => {})
    await person.follow([['landing', { method: 'github' }]])
    await until(() => page.left.length)
  })

  test('a host without our screens is notified', async () => {
    const { kit } = await kitWithProviders({ windows: pageWithWindows({ userAgent }) })
    await expect(kit.oauth.initOAuth({ provider: 'google' })).rejects.toMatchObject({
      code: 'in_app_browser',
    })
    expect(kit.oauth.state.get()).toMatchObject({ status: 'error' })
  })
})

describe('without a dialog', () => {
  test('a window logs in, and the state says how far it is', async () => {
    const { kit, begun, say, opened } = await kitWithProviders(popup)
    await kit.whenReady()
    const states: string[] = []
    kit.oauth.state.subscribe(() => states.push(kit.oauth.state.get().status))
    const login = kit.oauth.initOAuth({ provider: 'google', captchaToken: 'human' })
    const { state_code, token } = await begun()
    await until(() => opened[0]?.went)
    say(response(state_code))
    await login
    expect([kit.user?.id, token, opened[0]?.closed]).toEqual(['did:privy:u1', 'human', true])
    expect(new Set(states)).toEqual(new Set(['loading', 'done']))
    expect(kit.oauth.state.get().status).toBe('done')
  })

  test.each([
    ['blocked', 'popup_blocked'],
    ['closed', 'popup_closed'],
  ])('a window that is %s is an error with a code', async (how, code) => {
    const windows = pageWithWindows({ blocked: () => how === 'blocked' })
    const { kit, clock, opened } = await kitWithProviders({ ...popup, windows })
    await kit.whenReady()
    const login = kit.oauth.initOAuth({ provider: 'google' })
    login.catch(() => {})
    if (how === 'closed') {
      await until(() => opened[0]?.went)
      opened[0]?.close()
      await clock.advance(600)
    }
    await expect(login).rejects.toMatchObject({ code })
    expect(kit.oauth.state.get()).toMatchObject({ status: 'error', error: { code } })
  })
})
