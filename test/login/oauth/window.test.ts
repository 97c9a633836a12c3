import { describe, expect, test } from 'vitest'
import { ignoredMessages } from '../../support/faults/popup.ts'
import {
  kitWithProviders,
  oauthPaths,
  pageWithWindows,
  popup,
  provider,
  response,
  until,
  words,
} from '../../support/oauth.ts'

describe('in a window', () => {
  test('logs in, shows the success, and closes the window', async () => {
    const { kit, person, begun, opened, say, api } = await kitWithProviders(popup)
    const login = kit.login()
    await person.follow([['landing', { method: 'google' }]])
    const { state_code, redirect_to } = await begun()
    expect([opened.length, redirect_to]).toEqual([1, 'https://host.example/'])
    await until(() => opened[0]?.went)
    expect(opened[0]?.went).toBe(provider)
    say(response(state_code))
    await until(() => api.to(oauthPaths.authenticate).length)
    await person.follow([{ wait: 1_399 }])
    expect(person.scene?.props).toMatchObject({ phase: 'done' })
    await person.follow([{ wait: 1 }])
    await expect(login).resolves.toMatchObject({ id: 'did:privy:u1' })
    expect(opened[0]?.closed).toBe(true)
    expect(api.to(oauthPaths.authenticate)[0]?.body).toEqual({
      authorization_code: 'c0de',
      state_code,
      code_verifier: expect.stringMatching(/^[\w-]{48}$/),
      mode: 'login-or-sign-up',
    })
  })

  test('writes down nothing that only this page may know', async () => {
    const { kit, person, begun, tabStorage, storage } = await kitWithProviders(popup)
    kit.login().catch(() => {})
    await person.follow([['landing', { method: 'google' }]])
    await begun()
    for (const each of [tabStorage, storage])
      expect(each.get('lk:latchkey-unit-test-app-01:oauth')).toBeUndefined()
  })

  test('is used in a frame, even if the page asks for a redirect', async () => {
    const { kit, person, opened } = await kitWithProviders({ windows: pageWithWindows({ framed: true }) })
    kit.login().catch(() => {})
    await person.follow([['landing', { method: 'google' }]])
    expect(opened).toHaveLength(1)
  })

  test.each(Object.entries(ignoredMessages))('a popup that %s: ignored', async (_, act) => {
    const { kit, person, begun, clock, opened, say, api } = await kitWithProviders(popup)
    kit.login().catch(() => {})
    await person.follow([['landing', { method: 'google' }]])
    const { state_code } = await begun()
    const sent = await until(() => (opened[0]?.went ? opened[0] : undefined))
    act({
      popup: sent,
      clock,
      result: { data: response(state_code) },
      post: ({ data, ...sender }) => say(data, sender),
    })
    await person.follow([{ wait: 1_000 }])
    expect([api.to(oauthPaths.authenticate), person.scene?.props]).toMatchObject([[], { phase: 'window' }])
  })

  test('that is blocked asks for another press', async () => {
    let blocked = true
    const windows = pageWithWindows({ blocked: () => blocked })
    const { kit, person, errors, opened, begun } = await kitWithProviders({ ...popup, windows })
    kit.login().catch(() => {})
    await person.follow([
      ['landing', { method: 'google' }],
      { on: 'awaiting-oauth', expect: ({ phase }) => expect(phase).toBe('blocked'), answer: 'open' },
      { on: 'awaiting-oauth', expect: ({ phase }) => expect(phase).toBe('blocked') },
    ])
    blocked = false
    await person.follow([['awaiting-oauth', 'open']])
    await begun()
    expect([opened.length, errors.map(({ code }) => code)]).toEqual([1, ['popup_blocked', 'popup_blocked']])
  })

  test('that is closed says what to do, and another try opens another', async () => {
    const { kit, person, errors, opened, begun, say, api } = await kitWithProviders(popup)
    const login = kit.login()
    await person.follow([['landing', { method: 'google' }]])
    await begun()
    await until(() => opened[0]?.went)
    opened[0]?.close()
    await person.follow([
      { wait: 600 },
      {
        on: 'awaiting-oauth',
        expect: (props) =>
          expect(words(props)).toEqual({
            title: 'Authentication failed',
            detail: 'Retry and check Google to finish connecting your account.',
            retryable: true,
          }),
        answer: 'retry',
      },
    ])
    const { state_code } = await begun(1)
    await until(() => opened[1]?.went)
    say(response(state_code))
    await until(() => api.to(oauthPaths.authenticate).length)
    await person.follow([{ wait: 1_400 }])
    await login
    expect(errors.map(({ code }) => code)).toEqual(['oauth_user_denied'])
  })

  test('that never answers is given up after two minutes', async () => {
    const { kit, person, errors, opened, begun } = await kitWithProviders(popup)
    kit.login().catch(() => {})
    await person.follow([['landing', { method: 'google' }]])
    await begun()
    await until(() => opened[0]?.went)
    await person.follow([{ wait: 120_000 }, ['awaiting-oauth', 'back'], { on: 'landing' }])
    expect([errors.map(({ code }) => code), opened[0]?.closed]).toEqual([['popup_timeout'], true])
  })

  test('that was cut off from the page is heard on the channel, even after it looked closed', async () => {
    const { kit, person, opened, begun, api } = await kitWithProviders(popup)
    const login = kit.login()
    await person.follow([['landing', { method: 'google' }]])
    const { state_code } = await begun()
    await until(() => opened[0]?.went)
    opened[0]?.close()
    await person.follow([{ wait: 600 }, { on: 'awaiting-oauth' }])
    const cutOff = new BroadcastChannel('popup-privy-oauth')
    const thanked = new Promise((resolve) => {
      cutOff.onmessage = ({ data }) => resolve(data)
    })
    cutOff.postMessage(response('other'))
    cutOff.postMessage(response(state_code))
    expect(await thanked).toEqual({ type: 'PRIVY_OAUTH_RECEIVED', stateCode: state_code })
    cutOff.close()
    await until(() => api.to(oauthPaths.authenticate).length)
    await person.follow([{ wait: 1_400 }])
    await expect(login).resolves.toMatchObject({ id: 'did:privy:u1' })
    expect(api.to(oauthPaths.authenticate)).toHaveLength(1)
  })

  test('that says it was moved elsewhere does not count as closed', async () => {
    const { kit, person, opened, begun, say } = await kitWithProviders(popup)
    kit.login().catch(() => {})
    await person.follow([['landing', { method: 'google' }]])
    await begun()
    await until(() => opened[0]?.went)
    say({ type: 'PRIVY_OAUTH_USE_BROADCAST_CHANNEL' }, { origin: 'https://api.example' })
    opened[0]?.close()
    await person.follow([{ wait: 60_000 }])
    expect(person.scene?.props).toMatchObject({ phase: 'window' })
  })

  test('that says it failed can be tried again', async () => {
    const { kit, person, begun, say, opened, shows } = await kitWithProviders(popup)
    kit.login().catch(() => {})
    await person.follow([['landing', { method: 'google' }]])
    await begun()
    await until(() => opened[0]?.went)
    say({ type: 'PRIVY_OAUTH_ERROR', error: '<b>anything</b>' })
    await shows('failed')
    await person.follow([
      {
        on: 'awaiting-oauth',
        expect: (props) => expect(words(props)?.detail).toBe('Something went wrong. Try again.'),
      },
    ])
  })

  test('closes with the dialog, and with a step back', async () => {
    const { kit, person, opened, begun } = await kitWithProviders(popup)
    const login = kit.login()
    login.catch(() => {})
    await person.follow([['landing', { method: 'google' }]])
    await begun()
    await person.follow([
      ['awaiting-oauth', 'back'],
      ['landing', { method: 'github' }],
    ])
    await begun(1)
    await person.follow([{ on: 'awaiting-oauth', close: true }, { wait: 200 }])
    await expect(login).rejects.toMatchObject({ code: 'exited_auth_flow' })
    expect(opened.map(({ closed }) => closed)).toEqual([true, true])
  })
})

test('two methods at once: the dialog belongs to the first, and the second joins it', async () => {
  const { kit, person, begun, opened } = await kitWithProviders(popup)
  const first = kit.login()
  const second = kit.login({ loginMethods: ['github'] })
  first.catch(() => {})
  second.catch(() => {})
  await person.follow([['landing', { method: 'google' }]])
  await begun()
  expect(opened).toHaveLength(1)
  person.close()
  await person.follow([{ wait: 200 }])
  await expect(Promise.allSettled([first, second])).resolves.toMatchObject([
    { reason: { code: 'exited_auth_flow' } },
    { reason: { code: 'exited_auth_flow' } },
  ])
})
