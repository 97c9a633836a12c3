import { Hono } from 'hono'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { failWith, outageNames } from '../../support/faults/http.ts'
import { wrongValues } from '../../support/faults/values.ts'
import { serveOn } from '../../support/serve.ts'
import { eachOf, soak } from '../../support/soak.ts'
import { newName, OAuthClient, oauthApp } from '../support/oauth-world.ts'
import { seconds, startWorld, type World } from '../support/world.ts'

type Key = Awaited<ReturnType<typeof generateKeyPair>>['privateKey']
/** The replies of the provider to each request. */
interface Script {
  token(nonce: string): Response | Promise<Response>
  profile?(): Response | Promise<Response>
  keys?(): Response | Promise<Response>
}
const json = (body: unknown, status = 200) => Response.json(body, { status })
describe('OAuth: a provider that fails', () => {
  let world: World
  let provider: { origin: string; stop(): Promise<void> }
  let key: Key
  let strangers: { rsa: Key; elliptic: Key }
  let jwks: object
  let script: Script
  const issuer = () => `${provider.origin}/issuer`
  const endpoints = () => ({
    authorize: `${provider.origin}/authorize`,
    token: `${provider.origin}/token`,
    profile: `${provider.origin}/profile`,
    issuer: issuer(),
    jwks: `${provider.origin}/keys`,
  })

  beforeAll(async () => {
    const [pair, rsa, elliptic] = await Promise.all([
      generateKeyPair('RS256'),
      generateKeyPair('RS256'),
      generateKeyPair('ES256'),
    ])
    strangers = { rsa: rsa.privateKey, elliptic: elliptic.privateKey }
    key = pair.privateKey
    jwks = { keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' }] }
    const nonceOf = new Map<string, string>()
    const app = new Hono()
    app.get('/authorize', (c) => {
      nonceOf.set(c.req.query('state') ?? '', c.req.query('nonce') ?? '')
      return c.text('')
    })
    // The code is the state, so that the nonce of the login is found again.
    app.post('/token', async (c) => {
      const { code } = await c.req.parseBody()
      return script.token(nonceOf.get(String(code)) ?? '')
    })
    app.get('/profile', () => script.profile?.() ?? json({}, 404))
    app.get('/profile/emails', () => json([]))
    app.get('/keys', () => script.keys?.() ?? json(jwks))
    provider = await serveOn(() => app, 'localhost')
    const credentials = { clientId: 'us', clientSecret: 'our secret' }
    world = await startWorld(
      { name: 'PGlite' },
      {
        apps: [
          oauthApp({
            credentials: Object.fromEntries(
              ['google', 'linkedin', 'apple', 'discord', 'github', 'tiktok', 'twitter'].map((id) => [
                id,
                credentials,
              ]),
            ) as never,
          }),
        ],
        outside: {
          oauth: Object.fromEntries(
            ['google', 'linkedin', 'apple', 'discord', 'github', 'tiktok', 'twitter'].map((id) => [
              id,
              endpoints(),
            ]),
          ),
        },
        limits: { outsideTimeout: 1_500 },
      },
    )
  })
  afterAll(async () => {
    await world?.stop()
    await provider?.stop()
  })
  beforeEach(() => {
    world.clock.pass(seconds(3_600))
    world.logged.length = 0
  })

  /** A login up to what the provider's answer has become. */
  async function outcome(name: string) {
    const client = new OAuthClient(world)
    const begun = await client.begin(name)
    await fetch(begun.url)
    const state = new URL(begun.url).searchParams.get('state') ?? ''
    const fields = new URLSearchParams({ code: state, state })
    const back = await client.comeBack({
      method: 'GET',
      url: `http://localhost:4801/api/v1/oauth/callback?${fields}`,
      fields,
    })
    expect([back.status, back.state, back.provider]).toEqual([303, begun.state, name])
    return { client, begun, back }
  }
  const now = () => Math.floor(world.clock.now / 1_000)
  const idToken = (
    nonce: string,
    claims: Record<string, unknown> = {},
    { alg = 'RS256', kid = 'k1', by = key as Key | Uint8Array } = {},
  ) =>
    new SignJWT({
      iss: issuer(),
      aud: 'us',
      sub: 'person-1',
      nonce,
      iat: now(),
      exp: now() + 300,
      email: 'ada@example.com',
      email_verified: true,
      ...claims,
    })
      .setProtectedHeader({ alg, kid })
      .sign(by)
  const withToken = async (id_token: unknown) => json({ access_token: 'at', token_type: 'Bearer', id_token })

  test('logs in with the same provider when it does (google, apple, linkedin)', async () => {
    for (const name of ['google', 'apple', 'linkedin']) {
      script = { token: async (nonce) => withToken(await idToken(nonce)) }
      const { client, begun, back } = await outcome(name)
      expect([name, (await client.authenticate(begun, back)).status]).toEqual([name, 200])
    }
  })

  type Row = [fault: string, provider: string, Script]
  const faults: Row[] = [
    ...outageNames.map(
      (outage): Row => [`${outage} for a token`, 'google', { token: () => failWith(outage) }],
    ),
    ...Object.entries(wrongValues).map(
      ([name, value]): Row => [`${name} for a token`, 'discord', { token: () => json(value) }],
    ),
    ['a token that is no text', 'discord', { token: () => json({ access_token: { a: 1 } }) }],
    ['a token that breaks a header', 'discord', { token: () => json({ access_token: 'a\r\nx: y' }) }],
    ['a refused code', 'discord', { token: () => json({ error: 'invalid_grant' }, 400) }],
    ['a refused code with status 200', 'github', { token: () => json({ error: 'bad_verification_code' }) }],
    ['a refused client', 'twitter', { token: () => json({ error: 'invalid_client' }, 401) }],
    ...outageNames.map(
      (outage): Row => [
        `${outage} for a profile`,
        'discord',
        { token: () => withToken(undefined), profile: () => failWith(outage) },
      ],
    ),
    ['a profile without an id', 'discord', { token: () => withToken(undefined), profile: () => json({}) }],
    ['an empty id', 'discord', { token: () => withToken(undefined), profile: () => json({ id: '' }) }],
    [
      'an id that is a list',
      'discord',
      { token: () => withToken(undefined), profile: () => json({ id: ['1'] }) },
    ],
    [
      'an id with a line end',
      'discord',
      { token: () => withToken(undefined), profile: () => json({ id: '1\n' }) },
    ],
    [
      'an id that is too large for a number',
      'github',
      { token: () => withToken(undefined), profile: () => new Response('{"id":9007199254740993}') },
    ],
    [
      'an envelope with an error',
      'tiktok',
      {
        token: () => withToken(undefined),
        profile: () => json({ data: { user: { open_id: 'x' } }, error: { code: 'access_token_invalid' } }),
      },
    ],
    ['no identity token', 'google', { token: () => withToken(undefined) }],
    ['an identity token that is no JWT', 'google', { token: () => withToken('a.b.c') }],
    ...outageNames.map(
      (outage): Row => [
        `${outage} for the keys`,
        'google',
        { token: async (nonce) => withToken(await idToken(nonce)), keys: () => failWith(outage) },
      ],
    ),
  ]
  test.each(eachOf(faults, soak(3, 1)))(
    'a provider with %s: the login fails with a code (%s)',
    async (_, name, faulty) => {
      script = faulty
      const { client, begun, back } = await outcome(name)
      expect(back.code).toBe('error')
      const refused = await client.authenticate(begun, back)
      expect([refused.status, refused.body.code]).toEqual([401, 'invalid_credentials'])
      expect(world.logged.join('\n')).toMatch(/^Login with /)
    },
  )

  const forgeries: [string, (nonce: string) => Promise<string>][] = [
    ['another issuer', (nonce) => idToken(nonce, { iss: 'https://evil.example' })],
    ['no issuer', (nonce) => idToken(nonce, { iss: undefined })],
    ['another audience', (nonce) => idToken(nonce, { aud: 'another-client' })],
    ['two audiences and another party', (nonce) => idToken(nonce, { aud: ['us', 'them'], azp: 'them' })],
    ['another nonce', () => idToken('another')],
    ['no nonce', (nonce) => idToken(nonce, { nonce: undefined })],
    ['an end long ago', (nonce) => idToken(nonce, { exp: now() - 31 })],
    ['no end', (nonce) => idToken(nonce, { exp: undefined })],
    ['a start in the future', (nonce) => idToken(nonce, { nbf: now() + 60 })],
    ['no subject', (nonce) => idToken(nonce, { sub: undefined })],
    ['an unknown key', (nonce) => idToken(nonce, {}, { kid: 'k2' })],
    ['another key by the same name', async (nonce) => idToken(nonce, {}, { by: strangers.rsa })],
    ['another algorithm', async (nonce) => idToken(nonce, {}, { alg: 'ES256', by: strangers.elliptic })],
    [
      'a shared secret',
      (nonce) => idToken(nonce, {}, { alg: 'HS256', by: new TextEncoder().encode('our secret'.repeat(4)) }),
    ],
    [
      'no signature at all',
      async (nonce) => {
        const [, payload] = (await idToken(nonce)).split('.')
        return `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`
      },
    ],
    [
      'a changed claim',
      async (nonce) => {
        const [header, payload = '', signature] = (await idToken(nonce)).split('.')
        const changed = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), sub: 'person-2' }
        return `${header}.${Buffer.from(JSON.stringify(changed)).toString('base64url')}.${signature}`
      },
    ],
  ]
  test.each(eachOf(forgeries, soak(3, 1)))('an identity token with %s logs nobody in', async (_, forge) => {
    script = { token: async (nonce) => withToken(await forge(nonce)) }
    expect((await outcome('google')).back.code).toBe('error')
    expect(world.logged.join()).toContain('wrong identity token')
    expect(world.logged.join()).not.toContain('ada@example.com')
  })

  test('a provider that can’t be reached is reported as a failure too', async () => {
    const gone = await startWorld(
      { name: 'PGlite' },
      {
        apps: [oauthApp({ credentials: { discord: { clientId: 'us', clientSecret: 's' } } as never })],
        outside: { oauth: { discord: { token: 'http://127.0.0.1:1/token' } } },
      },
    )
    try {
      const client = new OAuthClient(gone)
      const begun = await client.begin('discord')
      expect(begun.url).toMatch(/^https:\/\/discord\.com\/oauth2\/authorize\?/)
      const state = new URL(begun.url).searchParams.get('state') ?? ''
      const back = await client.comeBack({
        method: 'GET',
        url: `http://localhost:4801/api/v1/oauth/callback?code=x&state=${state}`,
        fields: new URLSearchParams(),
      })
      expect(back.code).toBe('error')
    } finally {
      await gone.stop()
    }
  })

  test('names from a provider lose what cannot be seen, and end somewhere', async () => {
    script = {
      token: () => withToken(undefined),
      profile: () =>
        json({ id: newName(), username: `\u202eada\u0000\u200b${'x'.repeat(5_000)}`, email: 'no address' }),
    }
    const { client, begun, back } = await outcome('discord')
    const answer = await client.authenticate(begun, back)
    const [account] = answer.body.user.linked_accounts
    expect(account.username).toBe(`ada${'x'.repeat(197)}`)
    expect(account.email).toBeNull()
  })
})
