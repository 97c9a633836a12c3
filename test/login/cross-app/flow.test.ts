import { SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { memoryStorage } from '../../../src/lib/storage.ts'
import { createStore } from '../../../src/lib/store.ts'
import { createCrossAppAuth } from '../../../src/login/cross-app/service.ts'
import type { AuthContext } from '../../../src/login/service-context.ts'
import { appId, sessionBody, wireUser } from '../../support/api.ts'
import { type TestClock, testClock } from '../../support/clock.ts'
import { kitWithProviders, oauthPaths, response, until } from '../../support/oauth.ts'

const other = 'latchkey-unit-other-app-1'
const method = `privy:${other}`
const paths = {
  connections: `/api/v1/apps/${appId}/cross-app/connections`,
  details: `/api/v1/apps/${other}/cross-app/details`,
}
const connection = {
  provider_app_id: other,
  provider_app_name: 'Harbor',
  provider_app_icon_url: null,
  provider_app_custom_api_url: null,
  read_only: false,
}
const account = {
  type: 'cross_app',
  subject: 's',
  provider_app_id: other,
  embedded_wallets: [],
  smart_wallets: [],
}

const providerToken = (clock: TestClock, life = 3600) =>
  new SignJWT({})
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime(clock.now() / 1000 + life)
    .sign(new Uint8Array(32))

async function setUp({ connections = [connection] as object[], life = 3600 } = {}) {
  const clock = testClock()
  const access_token = await providerToken(clock, life)
  const user = wireUser('did:privy:u1', { linked_accounts: [account] })
  const oauth_tokens = { provider: method, access_token }
  const made = await kitWithProviders({
    clock,
    accounts: [account],
    options: { config: { loginMethods: [method, 'email'] } },
    routes: {
      [paths.connections]: { body: { connections } },
      [paths.details]: { body: { name: 'Harbor', icon_url: 'https://harbor.example/icon.png' } },
      [oauthPaths.authenticate]: { body: await sessionBody(clock, { user, oauth_tokens }) },
    },
  })
  return { ...made, access_token }
}
const detail = (props: Record<string, unknown>) => (props.failure as { detail: string } | undefined)?.detail

test('the row has a name at once, and the app’s own as soon as it is known', async () => {
  const { kit, person } = await setUp()
  kit.login().catch(() => {})
  const row = () =>
    (person.scene?.props as { methods: { label: string; icon?: string }[] } | undefined)?.methods[0]
  await until(() => row()?.label === 'Harbor')
  expect(row()).toMatchObject({ id: method, icon: 'https://harbor.example/icon.png', opens: true })
  expect(person.trace().every((name) => name === 'starting' || name === 'landing')).toBe(true)
})

test('logs in by a window, is not called recent, and keeps the other app’s token from the host', async () => {
  const { kit, person, begun, say, opened, api, storage, access_token } = await setUp()
  const granted: unknown[] = []
  kit.on('oauth-tokens', (tokens) => granted.push(tokens))
  const logins: unknown[] = []
  kit.on('login', (login) => logins.push(login))
  const login = kit.login()
  await person.follow([['landing', { method }]])
  const { state_code, provider } = await begun()
  expect(provider).toBe(method)
  await until(() => opened[0]?.went)
  say(response(state_code))
  await until(() => api.to(oauthPaths.authenticate).length)
  expect(api.to(oauthPaths.authenticate)[0]?.body).toMatchObject({ provider: method })
  await person.follow([{ wait: 3_000 }])
  await login
  expect(logins).toMatchObject([{ loginMethod: method, loginAccount: { kind: 'cross_app' } }])
  expect([granted, storage.get(`lk:${appId}:recent-login`)]).toEqual([[], undefined])
  expect(JSON.parse(storage.get(`lk:${appId}:cross-app`) ?? '{}')).toEqual({ [other]: access_token })
  await kit.logout()
  expect(storage.get(`lk:${appId}:cross-app`)).toBeUndefined()
})

describe('it ends in words where', () => {
  test('the app is none of ours', async () => {
    const { kit, person, shows, errors, api, opened } = await setUp({ connections: [{ provider_app_id: 1 }] })
    kit.login().catch(() => {})
    await person.follow([['landing', { method }]])
    await shows('failed')
    expect(detail(person.scene?.props as Record<string, unknown>)).toBe('Invalid connected app')
    expect([errors[0]?.code, api.to(oauthPaths.init), opened[0]?.closed]).toEqual([
      'cross_app_invalid_app',
      [],
      true,
    ])
  })

  test('the window is closed', async () => {
    const { kit, person, begun, opened, shows, errors } = await setUp()
    kit.login().catch(() => {})
    await person.follow([['landing', { method }]])
    await begun()
    await until(() => opened[0]?.went)
    opened[0]?.close()
    await person.follow([{ wait: 600 }])
    await shows('failed')
    expect([detail(person.scene?.props as Record<string, unknown>), errors[0]?.code]).toEqual([
      'User rejected request',
      'popup_closed',
    ])
  })

  test('the dialog is closed meanwhile: the host hears that the person canceled', async () => {
    const { kit, person, begun, clock } = await setUp()
    const failed = kit.login().then(
      () => undefined,
      ({ code, shortMessage }) => [code, shortMessage],
    )
    await person.follow([['landing', { method }]])
    await begun()
    person.close()
    await clock.advance(1_000)
    expect(await failed).toEqual(['exited_auth_flow', 'User canceled flow'])
  })

  test('nobody answers for two minutes', async () => {
    const { kit, person, begun, opened, shows, errors } = await setUp()
    kit.login().catch(() => {})
    await person.follow([['landing', { method }]])
    await begun()
    await until(() => opened[0]?.went)
    await person.follow([{ wait: 120_000 }])
    await shows('failed')
    expect([detail(person.scene?.props as Record<string, unknown>), errors[0]?.code]).toEqual([
      'Authorization request timed out after 2 minutes.',
      'popup_timeout',
    ])
  })

  test('the person declines', async () => {
    const { kit, person, begun, opened, shows, say, errors } = await setUp()
    kit.login().catch(() => {})
    await person.follow([['landing', { method }]])
    const { state_code } = await begun()
    await until(() => opened[0]?.went)
    say(response(state_code, 'undefined'))
    await shows('failed')
    expect([detail(person.scene?.props as Record<string, unknown>), errors[0]?.code]).toEqual([
      'User denied confirmation during cross-app auth flow',
      'oauth_user_denied',
    ])
  })
})

test('without a dialog it opens a window of its own', async () => {
  const { kit, begun, opened, say } = await setUp()
  await kit.crossApp.prepare()
  const login = kit.crossApp.login({ appId: other })
  const { state_code } = await begun()
  await until(() => opened[0]?.went)
  say(response(state_code))
  await expect(login).resolves.toMatchObject({ id: 'did:privy:u1' })
  expect([kit.crossApp.state.get().status, kit.oauth.state.get().status]).toEqual(['done', 'initial'])
})

test('a kept token is dropped once it has expired, and what is none was never kept', async () => {
  const clock = testClock()
  const storage = memoryStorage()
  const key = `lk:${appId}:cross-app`
  const auth = createCrossAppAuth({
    appId,
    clock,
    storage,
    tabStorage: memoryStorage(),
    state: () => createStore({ status: 'initial' }),
    session: { serverNow: clock.now },
  } as unknown as AuthContext)
  const good = await providerToken(clock)
  storage.set(key, JSON.stringify({ [other]: good, broken: 'x', number: 1 }))
  expect([auth.token(other), auth.token('broken'), auth.token('number'), auth.token('none')]).toEqual([
    good,
    undefined,
    undefined,
    undefined,
  ])
  await clock.advance(3_600_000)
  expect([auth.token(other), storage.get(key)]).toEqual([undefined, undefined])
  storage.set(key, '{')
  expect(auth.token(other)).toBeUndefined()
})
