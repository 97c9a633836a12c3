import {
  base64url,
  type CryptoKey,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  type JWK,
  type JWTHeaderParameters,
  type JWTPayload,
  SignJWT,
} from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readApps } from '../../../../demo/backend/settings/app.ts'
import type { AppSettings } from '../../../../demo/backend/settings/demo-apps.ts'
import { failWith, outageNames } from '../../../support/faults/http.ts'
import { serveFetch } from '../../../support/serve.ts'
import { Client } from '../../support/client.ts'
import { minutes, seconds, startWorld, stores, type World } from '../../support/world.ts'

const path = 'custom_jwt_account/authenticate'
const issuer = 'https://login.example'
const audience = 'our-app'
const app = {
  byUrl: 'latchkey-test-customjwt-1',
  byPem: 'latchkey-test-customjwt-2',
  byEcPem: 'latchkey-test-customjwt-3',
  unset: 'latchkey-test-customjwt-4',
  listed: 'latchkey-test-customjwt-5',
} as const

/** A pair of keys with the public half as others see it. */
async function newKey(alg: string, kid: string) {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return { alg, kid, privateKey, publicKey, jwk: { ...(await exportJWK(publicKey)), alg, kid, use: 'sig' } }
}
type Key = Awaited<ReturnType<typeof newKey>>

type Reply = Response | Promise<Response>
/** A scripted server of key sets that counts its requests. */
async function startKeyServer() {
  let reply: (path: string) => Reply = () => Response.json({ keys: [] })
  const asked: string[] = []
  const { origin, stop } = await serveFetch((request) => {
    const { pathname } = new URL(request.url)
    asked.push(pathname)
    return reply(pathname)
  })
  return {
    url: `${origin}/jwks.json`,
    asked,
    answers(next: typeof reply) {
      reply = next
    },
    serves: (...keys: JWK[]) => {
      reply = () => Response.json({ keys })
    },
    stop,
  }
}

describe.each(stores)('login with a token of the app’s own on $name', (store) => {
  let world: World
  let keyServer: Awaited<ReturnType<typeof startKeyServer>>
  let ec: Key
  let rsa: Key
  let stranger: Key

  beforeAll(async () => {
    keyServer = await startKeyServer()
    ;[ec, rsa, stranger] = await Promise.all([
      newKey('ES256', 'ec-1'),
      newKey('RS256', 'rsa-1'),
      newKey('ES256', 'ec-1'),
    ])
    const common: Pick<AppSettings, 'allowedDomains' | 'methods'> = {
      allowedDomains: ['http://localhost:*'],
      methods: ['custom'],
    }
    const moreApps: AppSettings[] = [
      {
        ...common,
        id: app.byUrl,
        name: 'By URL',
        customJwt: { jwksUrl: keyServer.url, algorithms: ['ES256', 'RS256'], issuer, audience },
      },
      {
        ...common,
        id: app.byPem,
        name: 'By PEM',
        customJwt: {
          publicKey: await exportSPKI(rsa.publicKey),
          algorithms: ['RS256'],
          issuer,
          audience,
          subjectClaim: 'user_id',
        },
      },
      {
        ...common,
        id: app.byEcPem,
        name: 'By the PEM of a curve',
        customJwt: { publicKey: await exportSPKI(ec.publicKey), algorithms: ['ES256'], issuer, audience },
      },
      { ...common, id: app.unset, name: 'Not set up' },
      {
        ...common,
        id: app.listed,
        name: 'By invitation',
        customJwt: { jwksUrl: keyServer.url, algorithms: ['ES256'], issuer, audience },
        allowlist: { emails: ['ada@example.com', '@invited.example'] },
      },
    ]
    world = await startWorld(store, { moreApps, limits: { outsideTimeout: 5_000 } })
  })
  afterAll(async () => {
    await world?.stop()
    await keyServer?.stop()
  })
  beforeEach(() => {
    // Past the life of any key set that an earlier test left behind.
    world.clock.pass(minutes(11))
    keyServer.serves(ec.jwk, rsa.jwk)
    keyServer.asked.length = 0
  })

  const now = () => Math.floor(world.clock.now / 1_000)
  const claims = (more: Record<string, unknown> = {}): JWTPayload => ({
    sub: 'ada',
    iss: issuer,
    aud: audience,
    iat: now(),
    exp: now() + 300,
    ...more,
  })
  const sign = (payload: JWTPayload = claims(), key = ec, header: Partial<JWTHeaderParameters> = {}) =>
    new SignJWT(payload)
      .setProtectedHeader({ alg: key.alg, kid: key.kid, typ: 'JWT', ...header })
      .sign(key.privateKey as CryptoKey)
  const logIn = (token: unknown, appId: string = app.byUrl) =>
    new Client(world, { appId }).post(path, { token })
  const outcome = async (token: unknown, appId?: string) => {
    const { status, body } = await logIn(token, appId)
    return status === 200 ? 200 : `${status} ${body.code}`
  }
  const no = '401 invalid_credentials'

  test('a good token makes a user, and the same user again', async () => {
    const first = await logIn(await sign())
    expect(first.status).toBe(200)
    expect(first.body).toMatchObject({
      is_new_user: true,
      user: { linked_accounts: [{ type: 'custom_auth', custom_user_id: 'ada' }], is_guest: false },
    })
    world.clock.pass(seconds(5))
    const again = await logIn(await sign(claims(), rsa))
    expect(again.body).toMatchObject({ is_new_user: false, user: { id: first.body.user.id } })
    expect((await logIn(await sign(claims({ sub: 'grace' })))).body.user.id).not.toBe(first.body.user.id)
  })

  test('a key in PEM and a claim of the app’s choice do as well', async () => {
    const token = await sign(claims({ sub: 'not me', user_id: 'u-1' }), rsa)
    const { body } = await logIn(token, app.byPem)
    expect(body.user.linked_accounts[0]).toMatchObject({ custom_user_id: 'u-1' })
    expect(keyServer.asked).toEqual([])
    expect(await outcome(await sign(claims({ sub: 'u-1' }), rsa), app.byPem)).toBe(no)
  })

  test('a token that does not say who issued it, and for whom, opens nothing', async () => {
    const claimed = { sub: 'u-1', exp: Math.floor(world.clock.now / 1_000) + 60 }
    expect(await outcome(await sign({ ...claimed, iss: issuer, aud: audience }), app.byEcPem)).not.toBe(no)
    for (const lacking of [claimed, { ...claimed, iss: issuer }, { ...claimed, aud: audience }])
      expect(await outcome(await sign(lacking), app.byEcPem)).toBe(no)
  })

  test.each([
    ['issuer', { audience }],
    ['audience', { issuer }],
    ['issuer', { audience, issuer: '' }],
  ])('an app that names no %s for its tokens is refused when the backend starts', (field, named) => {
    const customJwt = { publicKey: 'PEM', algorithms: ['ES256' as const], ...named }
    expect(() => readApps([{ id: app.unset, name: 'Own', customJwt }])).toThrow(
      `App '${app.unset}': customJwt.${field}: must name`,
    )
  })

  test('the settings choose the algorithm, never the token', async () => {
    const pem = new TextEncoder().encode(await exportSPKI(rsa.publicKey))
    const hmac = await new SignJWT(claims({ user_id: 'u-1' })).setProtectedHeader({ alg: 'HS256' }).sign(pem)
    const [, payload] = (await sign()).split('.')
    const none = (alg: string) => `${base64url.encode(JSON.stringify({ alg, typ: 'JWT' }))}.${payload}.`
    const ps = await newKey('PS256', 'rsa-1')
    const es384 = await newKey('ES384', 'ec-1')
    keyServer.serves(ec.jwk, rsa.jwk, ps.jwk, es384.jwk)
    for (const token of [
      ...[hmac, none('none'), none('None'), none('NONE'), none(''), none('ES256')],
      ...[await sign(claims(), ps), await sign(claims(), es384)],
    ]) {
      expect(await outcome(token)).toBe(no)
      expect(await outcome(token, app.byPem)).toBe(no)
      expect(await outcome(token, app.byEcPem)).toBe(no)
    }
    // One that another app allows.
    expect(await outcome(await sign(claims({ user_id: 'u-1' }), ec), app.byPem)).toBe(no)
    expect(await outcome(await sign(claims(), rsa), app.byEcPem)).toBe(no)
  })

  test('the key is the app’s, even if the token brings its own', async () => {
    keyServer.answers((asked) => Response.json({ keys: [asked === '/jwks.json' ? ec.jwk : stranger.jwk] }))
    const own = keyServer.url.replace('jwks.json', 'theirs.json')
    for (const header of [
      {},
      { jwk: stranger.jwk },
      { jku: own },
      { x5u: own },
      { x5c: ['MIIB'] },
      { kid: '../theirs.json' },
      { kid: own },
      { kid: "ec-1' or 1=1" },
      { kid: '__proto__' },
      { kid: 1 as unknown as string },
    ])
      expect([JSON.stringify(header), await outcome(await sign(claims(), stranger, header))]).toEqual([
        JSON.stringify(header),
        no,
      ])
    expect(new Set(keyServer.asked)).toEqual(new Set(['/jwks.json']))
  })

  test('extensions that nobody knows, and payloads that are not encoded, are refused', async () => {
    const [header = '', payload = '', signature = ''] = (await sign()).split('.')
    for (const more of [
      { crit: ['exp'], exp: 1 },
      { crit: ['b64'], b64: false },
      { crit: [] },
      { b64: false },
    ]) {
      const parsed = JSON.parse(new TextDecoder().decode(base64url.decode(header)))
      const encoded = base64url.encode(JSON.stringify({ ...parsed, ...more }))
      expect(await outcome(`${encoded}.${payload}.${signature}`)).toBe(no)
    }
    const key = ec.privateKey as CryptoKey
    const crit = { alg: 'ES256', kid: 'ec-1', crit: ['urn:example:x'], 'urn:example:x': true }
    const signed = await new SignJWT(claims()).setProtectedHeader(crit).sign(key, {
      crit: { 'urn:example:x': true },
    })
    expect(await outcome(signed)).toBe(no)
  })

  test('each claim is checked', async () => {
    const wrong: [string, Record<string, unknown>][] = [
      ['another issuer', { iss: `${issuer}/` }],
      ['issuer in a list', { iss: [issuer] }],
      ['no issuer', { iss: undefined }],
      ['another audience', { aud: 'their-app' }],
      ['no audience', { aud: undefined }],
      ['an empty list of audiences', { aud: [] }],
      ['no end', { exp: undefined }],
      ['an end in the past', { exp: now() - 31 }],
      ['an end as text', { exp: String(now() + 300) }],
      ['a beginning in the future', { nbf: now() + 31 }],
      ['made in the future', { iat: now() + 31 }],
      ['made at a time that is text', { iat: 'now' }],
      ['no subject', { sub: undefined }],
      ['an empty subject', { sub: '' }],
      ['a number as subject', { sub: 7 }],
      ['a list as subject', { sub: ['ada'] }],
      ['a subject of 256 characters', { sub: 'x'.repeat(256) }],
    ]
    for (const [what, more] of wrong)
      expect([what, await outcome(await sign(claims(more)))]).toEqual([what, no])
    const right: [string, Record<string, unknown>][] = [
      ['one of several audiences', { aud: ['their-app', audience] }],
      ['clocks that differ by 30 s', { exp: now() - 29, nbf: now() + 30, iat: now() + 30 }],
      ['a subject of 255 characters', { sub: 'x'.repeat(255) }],
    ]
    for (const [what, more] of right)
      expect([what, await outcome(await sign(claims(more)))]).toEqual([what, 200])
  })

  test('every bit of the signature counts', async () => {
    const token = await sign()
    const [header = '', payload = '', signature = ''] = token.split('.')
    const bytes = base64url.decode(signature)
    for (let at = 0; at < bytes.length; at++) {
      const flipped = bytes.slice()
      flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 8))
      expect(await outcome(`${header}.${payload}.${base64url.encode(flipped)}`)).toBe(no)
    }
    const other = base64url.encode(JSON.stringify({ ...claims(), sub: 'root' }))
    expect(await outcome(`${header}.${other}.${signature}`)).toBe(no)
  })

  test('what is no token is refused without a fault', async () => {
    for (const text of [
      'x',
      '.',
      '..',
      'a.b',
      'a.b.c',
      'a.b.c.d',
      '{}',
      'ü.ü.ü',
      'e30.e30.e30',
      `${'a'.repeat(20_000)}.b.c`,
    ])
      expect(await outcome(text)).toBe(no)
    for (const given of [undefined, null, '', 7, {}, ['x']])
      expect(await outcome(given)).toBe('400 invalid_data')
    const all = await Promise.all(['x', '.a.', 'e30.e30.'].map((text) => logIn(text)))
    expect(new Set(all.map(({ text }) => text)).size).toBe(1)
    expect(world.logged.filter((line) => !line.startsWith('Login failed: '))).toEqual([])
  })

  test('a method that is off or not set up lets nobody in', async () => {
    expect(await outcome(await sign(), app.unset)).toBe('403 disallowed_login_method')
    expect(await outcome(await sign(), 'latchkey-demo-limit-00004')).toBe('403 disallowed_login_method')
  })

  test('an app for people on a list takes the address that its own login vouches for', async () => {
    const from = async (more: JWTPayload) => outcome(await sign(claims(more)), app.listed)
    expect(await from({ email: 'Ada@example.com' })).toBe(200)
    expect(await from({ email: 'bob@invited.example', email_verified: true })).toBe(200)
    for (const more of [
      {},
      { email: 'eve@example.com' },
      { email: 7 },
      { email: 'ada@example.com', email_verified: false },
    ])
      expect(await from(more)).toBe('401 allowlist_rejected')
  })

  describe('the key set', () => {
    test('is fetched once for many, and kept', async () => {
      const tokens = await Promise.all(Array.from({ length: 20 }, (_, i) => sign(claims({ sub: `u${i}` }))))
      const all = await Promise.all(tokens.map((token) => outcome(token)))
      expect(new Set(all)).toEqual(new Set([200]))
      world.clock.pass(minutes(9))
      expect(await outcome(await sign())).toBe(200)
      expect(keyServer.asked).toHaveLength(1)
      world.clock.pass(minutes(2))
      expect(await outcome(await sign())).toBe(200)
      expect(keyServer.asked).toHaveLength(2)
    })

    test('is fetched again for a missing key, at most once a minute', async () => {
      expect(await outcome(await sign())).toBe(200)
      const next = await newKey('ES256', 'ec-2')
      keyServer.serves(next.jwk)
      expect(await outcome(await sign(claims(), next))).toBe(no)
      world.clock.pass(minutes(1))
      expect(await outcome(await sign(claims(), next))).toBe(200)
      expect(await outcome(await sign())).toBe(no)
      for (let tries = 0; tries < 5; tries++) await outcome(await sign(claims(), ec, { kid: `x${tries}` }))
      expect(keyServer.asked).toHaveLength(2)
    })

    test.each<[string, () => Reply]>([
      ...outageNames.map((outage): [string, () => Reply] => [outage, () => failWith(outage)]),
      ['a redirect to itself', () => Response.redirect(keyServer.url, 302)],
      ['keys of another type', () => Response.json({ keys: {} })],
      ['keys of 1.1 MB', () => Response.json({ keys: [], fill: 'x'.repeat(1_100_000) })],
    ])('key set: %s is the server’s fault, not the user’s', async (_, reply) => {
      keyServer.answers(reply)
      const { status, text } = await logIn(await sign())
      expect(status).toBe(503)
      expect(text).not.toContain('127.0.0.1')
      keyServer.serves(ec.jwk)
      expect(await outcome(await sign())).toBe(200)
    })

    test('may hold what verifies nothing', async () => {
      const secret = { kty: 'oct', k: base64url.encode('secret'), alg: 'HS256', kid: 'ec-1' }
      const whole = { ...ec.jwk, ...(await exportJWK(ec.privateKey)) }
      keyServer.serves(secret, { kty: 'future', kid: 'f' }, whole)
      expect(await outcome(await sign())).toBe(200)
      const hmac = await new SignJWT(claims())
        .setProtectedHeader({ alg: 'HS256', kid: 'ec-1' })
        .sign(new TextEncoder().encode('secret'))
      expect(await outcome(hmac)).toBe(no)
    })
  })
})
