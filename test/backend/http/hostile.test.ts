/** Every route, with what no client of ours sends: an answer that says whose fault it is, and no failure of the server. */
import { once } from 'node:events'
import type { IncomingMessage, Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { serve } from '@hono/node-server'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createFarcaster } from '../../../demo/world/farcaster/farcaster.ts'
import { limit } from '../../support/limit.ts'
import { serveOn } from '../../support/serve.ts'
import { eachOf, soak } from '../../support/soak.ts'
import { Client } from '../support/client.ts'
import { newAddress, startWorld, stores, vaultOrigin, type World } from '../support/world.ts'

const app = {
  id: 'latchkey-tests-hostile-01',
  name: 'Everything',
  allowedDomains: ['http://localhost:*'],
  methods: [
    ...(['email', 'sms', 'wallet', 'solana-wallet', 'farcaster', 'passkey', 'passkey-signup'] as const),
    ...(['telegram', 'guest', 'custom', 'google', 'apple'] as const),
  ],
  smsRegions: ['DE'],
  telegram: { botId: '1', botName: 'bot', botToken: '1:x', link: true, seamless: true },
  embeddedWallets: { recoveryOptions: ['user-passcode', 'google-drive', 'icloud'] as const },
}

/** Fields that the routes know, so that what is wrong comes past the schema. */
const fields = [
  ...['email', 'code', 'token', 'mode', 'phoneNumber', 'oldAddress', 'newAddress', 'address', 'nonce'],
  ...['message', 'signature', 'chainId', 'walletClientType', 'connectorType', 'refresh_token', 'provider'],
  ...['redirect_to', 'state_code', 'code_challenge', 'authorization_code', 'code_verifier', 'state'],
  ...['guest_credential', 'relying_party', 'challenge', 'channel_token', 'redirect_url', 'event_name'],
  ...['client_id', 'wallet_id', 'secret', 'set_id', 'auth_share', 'recovery_type', 'subject', 'client_type'],
  ...['old_phone_number', 'new_phone_number', 'smart_wallet_type', 'recovery_code', 'verification_key'],
]
/** What each route needs to come past its schema. */
const good = {
  ...Object.fromEntries(fields.map((name) => [name, 'x'.repeat(43)])),
  email: 'person@example.com',
  oldAddress: 'a@example.com',
  newAddress: 'b@example.com',
  code: '123456',
  phoneNumber: '+12025550123',
  address: '0x52908400098527886E0F7030069857D2E4169EE7',
  mode: null,
  chainId: 'eip155:1',
  provider: 'google',
  redirect_to: 'http://localhost:3000/',
  event_name: 'modal_open',
  payload: { clientTimestamp: '2026-01-01' },
  userInfo: { subject: 'x' },
  fid: 1,
  relying_party: null,
  client_type: 'web',
  chain_type: 'ethereum',
  wallet_index: 0,
  recovery_type: 'user_passcode_derived_recovery_key',
  redirect_url: null,
  refresh_token: null,
  state: 'x',
  telegram_auth_result: { id: 1, auth_date: 1, hash: 'x' },
}
const every = (value: unknown) => Object.fromEntries(fields.map((name) => [name, value]))
const nested = (levels: number) => `${'{"payload":'.repeat(levels)}1${'}'.repeat(levels)}`

const bodies: [name: string, body: string | Uint8Array<ArrayBuffer>, contentType?: string][] = [
  ['NUL in every field', JSON.stringify(every('a\0b'))],
  ['NUL in a name of a field', JSON.stringify({ ...every('x'), 'pay\0load': 1 })],
  ['NUL in an e-mail address', JSON.stringify({ ...every('x'), email: 'a\0@example.com', event_name: 'a' })],
  ['NUL deep inside', JSON.stringify({ ...every('x'), payload: { a: ['\0'] }, userInfo: { subject: '\0' } })],
  ['a raw NUL', '{"email":"a\0b"}'],
  ['half a surrogate pair', JSON.stringify({ ...every('\ud800x'), payload: { clientTimestamp: '\udfff' } })],
  [
    'half a surrogate pair, escaped',
    '{"email":"\\udc00@example.com","event_name":"x","payload":{"a":"\\ud800"}}',
  ],
  ['a long text in every field', JSON.stringify(every('a'.repeat(20_000)))],
  ['more than may be sent', `{"email":"${'a'.repeat(1_100_000)}"}`],
  ['deep objects', nested(40)],
  ['very deep objects', nested(50_000)],
  ['numbers in every field', JSON.stringify(every(1e308))],
  ['objects in every field', JSON.stringify(every({ length: 1, toString: 1 }))],
  ['lists in every field', JSON.stringify(every([null, 1, 'x']))],
  ['null in every field', JSON.stringify(every(null))],
  ['empty texts', JSON.stringify(every(''))],
  ['plausible texts', JSON.stringify(every('person@example.com'))],
  ['no JSON', '{"email":'],
  ['no UTF-8', Uint8Array.from([0x22, 0xc3, 0x28, 0x22])],
  ['nothing', ''],
  ['a list', '[]'],
  ['a form', 'email=a%00b&code=%ED%A0%80', 'application/x-www-form-urlencoded'],
  ['a form that is too large', `state=${'a'.repeat(70_000)}`, 'application/x-www-form-urlencoded'],
  ['a form with many parts', '--x\r\n\r\n\0\r\n--x--', 'multipart/form-data; boundary=x'],
  ['no media type that there is', '{}', 'application/json/\u00e9;;;charset==='],
  ['plain text', '{}', 'text/plain'],
]
const queries = [
  '?code=%00&state=%00&error=%00',
  '?state=%ED%A0%80&code=x',
  '?state=%&code=%ZZ',
  `?state=${'a'.repeat(9_000)}&code=x`,
  '?state=a&state=b&code=c&code=d',
]
const segments = [
  '00000000-0000-4000-8000-000000000000',
  '%00',
  '%ZZ',
  '%ED%A0%80',
  "';--",
  'a'.repeat(5_000),
]

describe.each(stores)('hostile requests on $name', (store) => {
  let world: World
  let client: Client
  let relay: { stop(): Promise<void> }
  beforeAll(async () => {
    // The one third party that is asked about whatever comes.
    const served = await serveOn(async (base) => {
      const farcaster = await createFarcaster({ base, now: () => world?.clock.now ?? 0 })
      return { farcaster, fetch: (request: Request) => farcaster.app.fetch(request) }
    })
    const { farcaster } = served.app
    relay = served
    world = await startWorld(store, {
      outside: { farcasterRelayUrl: farcaster.relayUrl, optimismRpcUrl: farcaster.rpcUrl },
      moreApps: [{ ...app, embeddedWallets: { recoveryOptions: [...app.embeddedWallets.recoveryOptions] } }],
    })
    client = new Client(world, { appId: app.id, origin: vaultOrigin })
    await client.login(newAddress())
    expect(client.token).toBeTruthy()
  })
  afterAll(async () => {
    await world?.stop()
    await relay?.stop()
  })
  beforeEach(() => void world.logged.splice(0))

  /** Each method and path that is registered once. */
  /** All routes but the page of the vault that needs no app: this backend has no built vault to serve. */
  const routes = () => {
    const all = world.backend.api.routes.filter(
      ({ method, path }) => method !== 'ALL' && path !== '/embedded-wallets/return',
    )
    return [...new Map(all.map(({ method, path }) => [`${method} ${path}`, { method, path }])).values()]
  }
  const paths = (path: string) =>
    path.includes(':') ? segments.map((segment) => path.replaceAll(/:\w+(\{.*?\})?/g, segment)) : [path]

  test('the table of routes is the whole API', () => {
    expect(routes().length).toBeGreaterThan(60)
    expect(routes().map(({ path }) => path)).toContain('/api/v1/passwordless/init')
  })

  test.each(eachOf(bodies, soak(3, 1)))(
    'no route fails because of %s',
    async (_, body, contentType = 'application/json') => {
      const failed: unknown[] = []
      let asked = 0
      for (const { method, path } of routes().filter((route) => route.method === 'POST')) {
        for (const address of paths(path).slice(0, 2)) {
          const one = new Client(world, { appId: app.id, origin: vaultOrigin })
          one.token = client.token
          const headers = one.headers({ 'content-type': contentType.replace(/[^\x20-\x7e]/g, 'e') })
          const answer = await one.request(address, { method, body, headers })
          asked++
          if (answer.status >= 500) failed.push([method, address, answer.status, world.logged.at(-1)])
        }
      }
      expect(failed).toEqual([])
      expect(asked).toBeGreaterThan(50)
      expect(world.logged.filter((line) => !line.startsWith('Login failed'))).toEqual([])
    },
  )

  test(
    'no route fails because of one text among good ones',
    async () => {
      const failed: unknown[] = []
      let asked = 0
      const step = soak(21, 1)
      for (const [at, { path }] of routes()
        .filter((route) => route.method === 'POST')
        .entries()) {
        for (const name of eachOf([...Object.keys(good).slice(at % step)], step)) {
          for (const wrong of ['\0', '\ud800', 'a'.repeat(soak(5_000, 200_000))]) {
            const one = new Client(world, { appId: app.id, origin: vaultOrigin })
            one.token = client.token
            const body = { ...good, [name]: `${(good as Record<string, unknown>)[name]}${wrong}` }
            const headers = one.headers()
            const [address = ''] = paths(path)
            const answer = await one.request(address, { method: 'POST', body: JSON.stringify(body), headers })
            asked++
            if (answer.status >= 500) failed.push([path, name, wrong.slice(0, 1), world.logged.at(-1)])
          }
        }
      }
      expect(failed).toEqual([])
      expect(asked).toBeGreaterThan(soak(300, 500))
      expect(world.logged.filter((line) => !line.startsWith('Login failed'))).toEqual([])
    },
    limit(soak(60_000, 300_000)),
  )

  test('no route fails because of its address or its headers', async () => {
    const failed: unknown[] = []
    const odd = {
      authorization: `Bearer ${'a.'.repeat(5_000)}`,
      cookie: `privy-refresh-token=%00; ${'a=b; '.repeat(500)}`,
      'idempotency-key': '\u00e9 \u00ff',
      'privy-ca-id': '\u00ff'.repeat(100),
      'user-agent': '\u00ff'.repeat(2_000),
      'farcaster-channel-token': '\u00ff',
      'x-forwarded-for': ',,::%,\u00ff',
      'content-length': '-1',
      'latchkey-session': 'x',
    }
    const step = soak(3, 1)
    for (const [at, { method, path }] of routes().entries()) {
      for (const address of paths(path).slice(0, soak(2, segments.length))) {
        for (const query of eachOf(queries.slice(at % step), step)) {
          const answer = await client.request(address + query, {
            method,
            ...(method === 'POST' && { body: '{}' }),
            headers: client.headers(),
          })
          if (answer.status >= 500) failed.push([method, address, query, answer.status, world.logged.at(-1)])
        }
        for (const [name, value] of eachOf(Object.entries(odd).slice(at % step), step)) {
          const one = new Client(world, { appId: app.id, origin: vaultOrigin })
          const answer = await one.request(address, {
            method,
            ...(method === 'POST' && { body: '{}' }),
            headers: one.headers({
              ...(client.token && { authorization: `Bearer ${client.token}` }),
              [name]: value,
            }),
          })
          if (answer.status >= 500) failed.push([method, address, name, answer.status, world.logged.at(-1)])
        }
      }
    }
    expect(failed).toEqual([])
    expect(world.logged.filter((line) => !line.startsWith('Login failed'))).toEqual([])
  })

  test('text that cannot be stored is told as such, and a form that is too large as too large', async () => {
    const nul = await client.post('passwordless/init', { email: 'a\0@example.com' })
    expect([nul.status, nul.body.code]).toEqual([400, 'invalid_data'])
    const callback = (body: string) =>
      client.request('/api/v1/oauth/callback', {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
    const large = await callback(`state=${'a'.repeat(70_000)}`)
    expect([large.status, large.body.code]).toEqual([413, 'invalid_request'])
    const within = await callback('state=a%00')
    expect([within.status, within.body.code]).toEqual([400, 'invalid_data'])
  })

  test('uploads that break off leave no trace of a failure', async () => {
    const server = serve({
      fetch: world.backend.api.fetch,
      port: 0,
      hostname: '127.0.0.1',
      overrideGlobalObjects: false,
    })
    await new Promise((ready) => (server.listening ? ready(0) : server.once('listening', () => ready(0))))
    const { port } = server.address() as AddressInfo
    const spoken: unknown[][] = []
    const { error, info } = console
    Object.assign(console, {
      error: (...words: unknown[]) => spoken.push(words),
      info: (...words: unknown[]) => spoken.push(words),
    })
    try {
      for (const type of ['application/json', 'application/x-www-form-urlencoded']) {
        const path = type.endsWith('json') ? '/api/v1/passwordless/init' : '/api/v1/oauth/callback'
        for (let at = 0; at < 5; at++) {
          const arrived = once(server as Server, 'request')
          const socket = connect(port, '127.0.0.1')
          socket.write(
            `POST ${path} HTTP/1.1\r\nhost: localhost\r\nprivy-app-id: ${app.id}\r\ncontent-type: ${type}\r\ncontent-length: 9000\r\n\r\n{"em`,
          )
          const [request] = (await arrived) as [IncomingMessage]
          const gone = new Promise((closed) => request.socket.once('close', closed))
          socket.destroy()
          await gone
        }
      }
    } finally {
      Object.assign(console, { error, info })
      await new Promise((closed) => server.close(closed))
    }
    const lines = [...world.logged, ...spoken.map(String)]
    expect(lines.join('\n')).not.toMatch(/\n\s+at /)
    expect(lines.length).toBeLessThanOrEqual(10)
  })

  test('events of one network address are counted, and too many are refused', async () => {
    const one = new Client(world, { appId: app.id })
    const send = () => one.post('analytics_events', { event_name: 'x' })
    for (let at = 0; at < 120; at++) expect((await send()).status).toBe(200)
    const refused = await send()
    expect([refused.status, refused.body.code]).toEqual([429, 'too_many_requests'])
    expect(
      (await new Client(world, { appId: app.id }).post('analytics_events', { event_name: 'x' })).status,
    ).toBe(200)
    world.clock.pass(61_000)
    expect((await send()).status).toBe(200)
  })
})
