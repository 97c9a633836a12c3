import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { analyticsEvents } from '../../demo/backend/store/schema.ts'
import { Client } from './client.ts'
import { newAddress, openApp, site, startWorld, stores, vaultOrigin, type World } from './world.ts'

const shop = 'https://shop.example.com'
const narrow = {
  id: 'latchkey-tests-narrow-001',
  name: 'Narrow',
  allowedDomains: [shop, 'https://*.example.org'],
}
const native = { allowedNativeAppIds: ['com.example.app'] }
const suite = resolve(import.meta.dirname, '../../../shared/vectors/fuzz/JSONTestSuite/test_parsing')

describe.each(stores)('the API on $name', (store) => {
  let world: World
  beforeAll(async () => {
    world = await startWorld(store, { moreApps: [{ ...narrow, ...native }] })
  })
  afterAll(() => world?.stop())

  const allowed = (answer: { headers: Headers }) => answer.headers.get('access-control-allow-origin')

  test('wants a known app id and, if one is named, a known client id', async () => {
    const client = new Client(world)
    const { 'privy-app-id': _, ...headers } = client.headers()
    const missing = await client.request(`/api/v1/apps/${openApp}`, { headers })
    const unknown = await client.get(`apps/${openApp}`, { 'privy-app-id': 'latchkey-demo-none-000099' })
    const path = await client.get('apps/latchkey-demo-none-000099')
    for (const answer of [missing, unknown, path])
      expect([answer.status, answer.body.code]).toEqual([400, 'missing_or_invalid_privy_app_id'])
    const stranger = await client.get(`apps/${openApp}`, { 'privy-client-id': 'client-none' })
    expect([stranger.status, stranger.body.code]).toEqual([400, 'missing_or_invalid_privy_client_id'])
    for (const known of ['client-open-1', ''])
      expect((await client.get(`apps/${openApp}`, { 'privy-client-id': known })).status).toBe(200)
  })

  test('serves the app’s configuration with every field of wire 4.1', async () => {
    const { status, body } = await new Client(world).get(`apps/${openApp}`)
    expect(status).toBe(200)
    const flags = Object.fromEntries(
      [
        'require_users_accept_terms show_wallet_login_first wallet_auth solana_wallet_auth sms_auth google_oauth',
        'twitter_oauth discord_oauth github_oauth spotify_oauth instagram_oauth tiktok_oauth linkedin_oauth apple_oauth',
        'farcaster_auth passkey_auth passkeys_for_signup_enabled telegram_auth guest_auth twitter_oauth_on_mobile_enabled',
        'farcaster_link_wallets_enabled disable_plus_emails allowlist_enabled enforce_wallet_uis legacy_wallet_ui_config',
        'fiat_on_ramp_enabled captcha_enabled',
      ]
        .flatMap((line) => line.split(' '))
        .map((name) => [name, false]),
    )
    expect(body).toEqual({
      ...flags,
      id: openApp,
      name: 'Latchkey Demo',
      logo_url: null,
      icon_url: null,
      accent_color: '#5B5BD6',
      theme: 'light',
      terms_and_conditions_url: null,
      privacy_policy_url: null,
      allowed_domains: ['http://localhost:*', 'http://127.0.0.1:*', 'http://*.localhost:*'],
      allowed_native_app_ids: [],
      allowed_native_app_url_schemes: [],
      email_auth: true,
      allowlist_config: { error_title: null, error_detail: null, cta_text: null, cta_link: null },
      wallet_connect_cloud_project_id: null,
      custom_api_url: null,
      embedded_wallet_config: {
        create_on_login: 'users-without-wallets',
        user_owned_recovery_options: [],
        require_user_owned_recovery_on_create: false,
        require_user_password_on_create: false,
      },
      mfa_methods: [],
      verification_key: expect.stringMatching(/^-----BEGIN PUBLIC KEY-----/),
      max_linked_wallets_per_user: null,
      created_at: expect.any(Number),
      updated_at: expect.any(Number),
    })
    const config = async (appId: string) => (await new Client(world, { appId }).get(`apps/${appId}`)).body
    expect(await config('latchkey-demo-invite-0003')).toMatchObject({
      allowlist_enabled: true,
      allowlist_config: { error_title: 'Not on the list yet', cta_link: 'https://example.com/queue' },
    })
    expect(await config('latchkey-demo-captcha-007')).toMatchObject({
      captcha_enabled: true,
      captcha_site_key: 't:1x00000000000000000000AA',
    })
    expect((await config('latchkey-demo-nowallet-08')).embedded_wallet_config.create_on_login).toBe('off')
  })

  test('serves the small endpoints around an app, and 404 for what is not there yet', async () => {
    const client = new Client(world)
    expect((await client.get(`apps/${openApp}/smart_wallets`)).body).toEqual({ enabled: false })
    expect((await client.get(`apps/${openApp}/cross-app/connections`)).body).toEqual({ connections: [] })
    const details = await client.get('apps/latchkey-demo-terms-00002/cross-app/details')
    expect(details.body).toEqual({ name: 'Terms First', icon_url: null })
    expect((await client.request('/healthz', { headers: {} })).body).toEqual({ ok: true })
    for (const path of ['siwe/init', 'passwordless_sms/init', 'passwordless/link', 'wallets/revoke']) {
      const none = await client.post(path)
      expect([none.status, none.body]).toEqual([404, { error: expect.any(String) }])
    }
    expect((await client.get('passwordless/init')).status).toBe(404)
  })

  test('lets pages of an app call, echoes exactly their origin, and tells others so', async () => {
    const preflight = (origin: string) =>
      new Client(world).request('/api/v1/passwordless/init', {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'privy-app-id',
        },
      })
    const asked = await preflight(shop)
    expect([asked.status, allowed(asked)]).toEqual([204, shop])
    expect(asked.headers.get('access-control-allow-credentials')).toBe('true')
    expect(asked.headers.get('access-control-allow-methods')).toBe('GET, POST')
    const names = asked.headers.get('access-control-allow-headers')?.split(', ')
    for (const name of [
      'privy-app-id privy-client-id privy-ca-id privy-client privy-ui authorization farcaster-channel-token',
      'x-native-app-identifier content-type accept idempotency-key latchkey-session',
    ].flatMap((line) => line.split(' ')))
      expect(names).toContain(name)

    const call = (origin: string, appId: string) => new Client(world, { origin, appId }).get(`apps/${appId}`)
    for (const [origin, appId] of [
      [shop, narrow.id],
      ['https://a.example.org', narrow.id],
      [vaultOrigin, narrow.id],
      [site, openApp],
      ['http://127.0.0.1:9', openApp],
      ['http://host1.localhost:5173', openApp],
    ] as const) {
      const answer = await call(origin, appId)
      expect([answer.status, allowed(answer)]).toEqual([200, origin])
      expect(answer.headers.get('access-control-expose-headers')).toBe('retry-after, date')
      expect(answer.headers.get('vary')).toContain('Origin')
    }
    for (const [origin, readable] of [
      [site, site],
      ['http://shop.example.com', null],
      ['https://shop.example.com:8443', null],
      ['https://shop.example.com.evil.example', null],
      ['https://a.b.example.org', null],
      ['https://example.org', null],
      ['null', null],
      ['http://localhost.evil.example', null],
    ] as const) {
      const refused = await call(origin, narrow.id)
      expect([origin, refused.status, refused.body.code]).toEqual([origin, 403, 'invalid_origin'])
      expect(allowed(refused)).toBe(readable)
      expect(allowed(await preflight(origin))).toBe(readable)
    }
    const app = { 'x-native-app-identifier': 'com.example.app' }
    const server = new Client(world, { origin: null, appId: narrow.id })
    expect((await server.get(`apps/${narrow.id}`)).status).toBe(200)
    expect((await server.get(`apps/${narrow.id}`, app)).status).toBe(200)
    const foreign = await server.get(`apps/${narrow.id}`, { 'x-native-app-identifier': 'com.evil.app' })
    expect([foreign.status, foreign.body.code]).toEqual([403, 'invalid_native_app_id'])
  })

  test('puts the protective headers on every answer, errors included', async () => {
    const client = new Client(world)
    for (const answer of [
      await client.get(`apps/${openApp}`),
      await client.post('nowhere'),
      await client.post('sessions'),
    ]) {
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'cache-control': 'no-store',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'cross-origin',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      })
      expect(answer.headers.has('strict-transport-security')).toBe(false)
    }
  })

  test('takes JSON only, up to 1 MiB, and nothing that reaches for the language', async () => {
    const client = new Client(world)
    const init = (body: string | Uint8Array<ArrayBuffer>, headers = {}) =>
      client.request('/api/v1/analytics_events', { method: 'POST', body, headers: client.headers(headers) })
    const text = await init('{}', { 'content-type': 'text/plain' })
    expect([text.status, text.body.code]).toEqual([415, 'invalid_request'])
    const sized = (bytes: number) => {
      const start = '{"event_name":"x","pad":"'
      return `${start}${'a'.repeat(bytes - start.length - 2)}"}`
    }
    expect((await init(sized(1_048_575))).status).toBe(200)
    expect((await init(sized(1_048_576))).status).toBe(200)
    const large = await init(sized(1_048_577))
    expect([large.status, large.body.code]).toEqual([413, 'invalid_request'])
    for (const name of ['__proto__', 'constructor', 'prototype']) {
      for (const body of [
        `{"${name}":{"isAdmin":1}}`,
        `{"event_name":"x","payload":{"a":[{"${name}":1}]}}`,
      ]) {
        const hostile = await init(body)
        expect([hostile.status, hostile.body.code]).toEqual([400, 'invalid_request'])
      }
    }
    expect(Object.hasOwn(Object.prototype, 'isAdmin')).toBe(false)
    const deep = (levels: number) =>
      `{"event_name":"x","payload":{"a":${'['.repeat(levels)}${']'.repeat(levels)}}}`
    expect((await init(deep(30))).status).toBe(200)
    expect((await init(deep(31))).status).toBe(400)
    expect((await init(deep(100_000))).status).toBe(400)
    expect((await init(Uint8Array.from([0x22, 0xff, 0x22]))).status).toBe(400)
    const utf16 = await init('{}', { 'content-type': 'application/json; charset=utf-8' })
    expect([utf16.status, utf16.body.code]).toEqual([400, 'invalid_data'])
  })

  test.skipIf(!existsSync(suite))(
    'answers every file of JSONTestSuite without a failure of its own',
    async () => {
      const client = new Client(world)
      const files = readdirSync(suite)
      let refused = 0
      for (const file of files) {
        const body = new Uint8Array(readFileSync(resolve(suite, file)))
        const answer = await client.request('/api/v1/passwordless/authenticate', {
          method: 'POST',
          body,
          headers: client.headers(),
        })
        // No file is a login: broken ones are no JSON, whole ones are no valid data.
        expect([file, answer.status]).toEqual([file, 400])
        if (answer.body.code === 'invalid_request') refused++
        else expect(file).not.toMatch(/^n_(?!structure_no_data)/)
        if (file.startsWith('y_')) expect([file, answer.body.code]).toEqual([file, 'invalid_data'])
      }
      expect(world.logged).toEqual([])
      console.log(
        `JSONTestSuite on ${store.name}: ${files.length} files, ${refused} refused as no JSON, 0 failures`,
      )
    },
  )

  test('keeps of an analytics event only what says nothing about a person', async () => {
    const client = new Client(world)
    const email = newAddress()
    const clientId = 'a2a0e4b4-7a7d-4a6b-9e0b-0c1d2e3f4a5b'
    const event = {
      event_name: 'modal_open',
      client_id: clientId,
      payload: {
        initialScreen: 'LANDING',
        chainId: 'eip155:1',
        value: 12.5,
        method: email,
        provider: 'https://example.com/?token=1',
        code: '123456',
        email,
        address: '0x8ba1f109551bD432803012645Ac136ddd64DBA72',
        clientTimestamp: '2026-01-15T12:00:00.000Z',
      },
    }
    const answer = await client.post('analytics_events', event)
    expect([answer.status, answer.text]).toEqual([200, 'null'])
    expect(
      (await client.post('analytics_events', { event_name: `${email} came`, client_id: email })).text,
    ).toBe('null')
    expect((await client.post('analytics_events', { event_name: 'e'.repeat(256) })).status).toBe(400)
    const rows = await world.backend.database.select().from(analyticsEvents)
    const stored = rows.filter(({ name }) => name === 'modal_open')
    expect(stored).toMatchObject([{ appId: openApp, clientId }])
    expect(stored[0]?.payload).toEqual({
      initialScreen: 'LANDING',
      chainId: 'eip155:1',
      value: 12.5,
      clientTimestamp: Date.parse('2026-01-15T12:00:00.000Z'),
    })
    expect(JSON.stringify(rows)).not.toContain(email)
  })
})

if (!existsSync(suite)) console.log(`JSONTestSuite skipped: there is no ${suite}`)

test('an API that is reached by https says so for good', async () => {
  const world = await startWorld({ name: 'PGlite' }, { apiUrl: 'https://api.example.com' })
  const { headers } = await world.backend.api.request('/healthz')
  expect(headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains')
  await world.stop()
})
