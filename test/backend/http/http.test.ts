import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Client, otherCode } from '../support/client.ts'
import { Vault } from '../support/embedded-world.ts'
import { newAddress, openApp, site, startWorld, stores, vaultOrigin, type World } from '../support/world.ts'

const shop = 'https://shop.example.com'
const narrow = {
  id: 'latchkey-tests-narrow-001',
  name: 'Narrow',
  allowedDomains: [shop, 'https://*.example.org'],
}
const native = { allowedNativeAppIds: ['com.example.app'] }
const suite = resolve(import.meta.dirname, '../../../../shared/vectors/fuzz/JSONTestSuite/test_parsing')

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

  test('serves the small endpoints around an app, and 404 for what is not there yet', async () => {
    const client = new Client(world)
    expect((await client.get(`apps/${openApp}/smart_wallets`)).body).toEqual({ enabled: false })
    expect((await client.get(`apps/${openApp}/cross-app/connections`)).body).toEqual({ connections: [] })
    const details = await client.get('apps/latchkey-demo-terms-00002/cross-app/details')
    expect(details.body).toEqual({ name: 'Terms First', icon_url: null })
    expect((await client.request('/healthz', { headers: {} })).body).toEqual({ ok: true })
    const none = await client.post('siws/transfer')
    expect([none.status, none.body]).toEqual([404, { error: expect.any(String) }])
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
      'x-native-app-identifier content-type accept idempotency-key latchkey-session latchkey-status privy-retry-attempt',
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
      expect(answer.headers.get('access-control-expose-headers')).toBe(
        'retry-after, date, dpop-nonce, x-request-id, latchkey-status',
      )
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

  test('answers odd addresses like any other that is not there', async () => {
    const client = new Client(world)
    await client.login(newAddress())
    const vault = await Vault.open(world)
    for (const odd of ['%00', '%ZZ', '..%2f..', '%E2%80%AE', "';--"]) {
      const answer = await vault.post(
        `embedded_wallets/${odd}/recovery/package`,
        {},
        { 'idempotency-key': 'odd' },
      )
      expect([odd, answer.status]).toEqual([odd, 404])
      expect((await client.get(`apps/${odd}`)).status).toBe(400)
    }
    expect(world.logged).toEqual([])
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

  describe('the status of refusals', () => {
    const asks = { 'latchkey-status': 'header' }
    const told = ({ status, headers, body }: Awaited<ReturnType<Client['post']>>) => [
      status,
      headers.get('latchkey-status'),
      body.code,
    ]

    test('is in a header of a 200 for clients that ask for it, and the response has it for others', async () => {
      const client = new Client(world)
      const email = newAddress()
      const body = { email, code: otherCode(await client.codeFor(email)) }
      const wrongCode = await client.post('passwordless/authenticate', body, asks)
      expect(told(wrongCode)).toEqual([200, '422', 'invalid_credentials'])
      expect(wrongCode.body.error).toEqual(expect.any(String))
      expect(wrongCode.headers.get('cache-control')).toBe('no-store')
      const loggedOut = await client.get('users/me', asks)
      expect(told(loggedOut)).toEqual([200, '401', 'missing_or_invalid_token'])
      for (const other of [{}, { 'latchkey-status': 'body' }]) {
        const answer = await client.post('passwordless/authenticate', body, other)
        expect(told(answer)).toEqual([422, null, 'invalid_credentials'])
      }
    })

    test('is kept for a repetition as it was, however the first client was told', async () => {
      const client = new Client(world)
      await client.login(newAddress())
      const keyed = { 'idempotency-key': 'status-1' }
      const body = { address: 'nobody@example.com' }
      const first = await client.post('passwordless/unlink', body, { ...asks, ...keyed })
      expect(told(first)).toEqual([200, '404', 'linked_account_not_found'])
      const again = await client.post('passwordless/unlink', body, keyed)
      expect(told(again)).toEqual([404, null, 'linked_account_not_found'])
    })

    test('stays with the response where a request is broken, foreign or to nowhere', async () => {
      const client = new Client(world)
      expect(told(await client.post('passwordless/init', 'no JSON', asks))).toEqual([
        400,
        null,
        'invalid_request',
      ])
      expect(told(await client.get('nowhere', asks))).toEqual([404, null, undefined])
      const foreign = new Client(world, { origin: 'https://evil.example', appId: narrow.id })
      expect(told(await foreign.get(`apps/${narrow.id}`, asks))).toEqual([403, null, 'invalid_origin'])
    })
  })
})

if (!existsSync(suite)) console.log(`JSONTestSuite skipped: there is no ${suite}`)

test('a failure of the server is reported without details of the request', async () => {
  const world = await startWorld({ name: 'PGlite' })
  await world.backend.close()
  const email = newAddress()
  const failed = await new Client(world).post('passwordless/init', { email })
  expect([failed.status, failed.body]).toEqual([500, { error: expect.stringContaining('on our side') }])
  expect(world.logged).toHaveLength(1)
  expect(world.logged[0]).toContain('POST /api/v1/passwordless/init failed')
  expect(world.logged[0]).not.toContain(email)
  await world.cleanUp()
})

test('addresses with a path are refused when the backend starts', async () => {
  for (const wrong of [
    { apiUrl: 'http://localhost/api' },
    { apiUrl: 'localhost' },
    { vaultOrigin: 'ftp://vault' },
  ])
    await expect(startWorld({ name: 'PGlite' }, wrong)).rejects.toThrow('must be an address without a path')
})

test('an API that is reached by https sends Strict-Transport-Security', async () => {
  const world = await startWorld({ name: 'PGlite' }, { apiUrl: 'https://api.example.com' })
  const { headers } = await world.backend.api.request('/healthz')
  expect(headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains')
  await world.stop()
})
