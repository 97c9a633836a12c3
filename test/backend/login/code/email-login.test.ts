import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, importSPKI, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emailProblem } from '../../../../src/ui/fields/email-problem.ts'
import { Client, otherCode } from '../../support/client.ts'
import {
  apiUrl,
  newAddress,
  openApp,
  startWorld,
  stores,
  vaultOrigin,
  type World,
} from '../../support/world.ts'

describe.each(stores)('login by e-mail on $name', (store) => {
  let world: World
  beforeAll(async () => {
    world = await startWorld(store)
  })
  afterAll(() => world?.stop())

  test('a compatible client logs in and gets everything that the protocol promises', async () => {
    const client = new Client(world)
    const email = newAddress()
    const init = await client.post('passwordless/init', { email })
    expect([init.status, init.body]).toEqual([200, { success: true }])
    const code = client.lastCode(email)
    const login = await client.post('passwordless/authenticate', { email, code, mode: 'login-or-sign-up' })
    expect(login.status).toBe(200)
    const now = Math.floor(world.clock.now / 1_000)
    expect(login.body).toEqual({
      user: {
        id: expect.stringMatching(/^did:latchkey:c[a-z0-9]{24}$/),
        created_at: now,
        linked_accounts: [
          {
            type: 'email',
            address: email,
            verified_at: now,
            first_verified_at: now,
            latest_verified_at: now,
          },
        ],
        mfa_methods: [],
        has_accepted_terms: false,
        is_guest: false,
      },
      token: expect.any(String),
      privy_access_token: expect.any(String),
      identity_token: expect.any(String),
      refresh_token: expect.stringMatching(/^[\w-]{43}$/),
      is_new_user: true,
      session_update_action: 'set',
    })
    expect(login.headers.getSetCookie()).toEqual([])
    expect(login.headers.get('cache-control')).toBe('no-store')
  })

  test('the tokens carry the claims of the protocol and are checked with the app’s verification key', async () => {
    const client = new Client(world)
    const email = newAddress()
    const { body } = await client.login(email)
    const config = await client.get(`apps/${openApp}`)
    const key = await importSPKI(config.body.verification_key, 'ES256')
    const checks = {
      issuer: apiUrl,
      audience: openApp,
      typ: 'JWT',
      currentDate: new Date(world.clock.now),
    }
    const { payload, protectedHeader } = await jwtVerify(body.token, key, checks)
    const iat = Math.floor(world.clock.now / 1_000)
    expect(payload).toEqual({
      sid: expect.any(String),
      sub: body.user.id,
      iss: apiUrl,
      aud: openApp,
      iat,
      exp: iat + 3_600,
    })
    expect(protectedHeader).toEqual({ alg: 'ES256', typ: 'JWT', kid: expect.any(String) })
    expect(decodeJwt(body.privy_access_token)).toMatchObject({
      aid: openApp,
      sub: body.user.id,
      exp: iat + 3_600,
    })
    const identity = await jwtVerify(body.identity_token, key, { ...checks, typ: 'identity+jwt' })
    expect(JSON.parse(identity.payload.linked_accounts as string)).toEqual([
      { type: 'email', address: email, lv: iat },
    ])

    const published = await client.get(`apps/${openApp}/jwks.json`)
    expect(JSON.stringify(published.body)).not.toContain('"d"')
    expect(published.body.keys[0].kid).toBe(decodeProtectedHeader(body.token).kid)
    await jwtVerify(body.token, createLocalJWKSet(published.body), checks)
  })

  test('either access token is accepted as bearer, the identity token and a foreign app’s token are not', async () => {
    const client = new Client(world)
    const { body } = await client.login(newAddress())
    const as = (token: string, appId = openApp) =>
      client.get('users/me', { authorization: `Bearer ${token}`, 'privy-app-id': appId })
    expect((await as(body.token)).body).toEqual({ user: body.user, identity_token: expect.any(String) })
    expect((await as(body.privy_access_token)).status).toBe(200)
    for (const refused of [
      await as(body.identity_token),
      await as(body.token, 'latchkey-demo-terms-00002'),
      await as(`${body.token.slice(0, -8)}AAAAAAAA`),
      await as('x.y.z'),
    ])
      expect([refused.status, refused.body.code]).toEqual([401, 'missing_or_invalid_token'])
  })

  test('our kit gets its refresh token in a cookie only, in the form that fits the distance of its page', async () => {
    const email = newAddress()
    const near = new Client(world, { kit: true })
    const code = await near.codeFor(email)
    const body = { email, code }
    const login = await near.post('passwordless/authenticate', body)
    expect(login.body.refresh_token).toBe('deprecated')
    const [cookie = ''] = login.headers.getSetCookie()
    const [pair, ...attributes] = cookie.split('; ')
    expect(pair).toMatch(new RegExp(`^privy-refresh-token-${openApp}=[\\w-]{43}$`))
    expect(attributes.sort()).toEqual(
      ['HttpOnly', `Max-Age=${30 * 86_400}`, 'Path=/api/v1/sessions', 'SameSite=Strict', 'Secure'].sort(),
    )
    expect(login.text).not.toContain(pair?.split('=')[1])

    const far = new Client(world, { kit: true, headers: { 'sec-fetch-site': 'cross-site' } })
    const [farCookie = ''] = (await far.login(newAddress())).headers.getSetCookie()
    expect(farCookie).toContain('; SameSite=None')
    expect(farCookie).toContain('; Partitioned')
    const odd = await near.post('passwordless/authenticate', body, { 'latchkey-session': 'other' })
    expect([odd.status, odd.body.code]).toEqual([400, 'invalid_request'])
  })

  test('a login in the vault’s frame sets both forms of the cookie, and a page that brings both keeps one', async () => {
    const frame = new Client(world, { kit: true, origin: vaultOrigin })
    const cookies = (await frame.login(newAddress())).headers.getSetCookie()
    expect(cookies).toHaveLength(2)
    const [near = '', far = ''] = cookies
    expect(near).toContain('; SameSite=Strict')
    expect(far).toContain('; Partitioned')
    const [pair = ''] = near.split('; ')
    expect(far.split('; ')[0]).toBe(pair)

    const page = new Client(world, { kit: true })
    const refreshed = await page.post('sessions', {}, { cookie: `${pair}; ${pair}` })
    const [kept = '', cleared = ''] = refreshed.headers.getSetCookie()
    expect([refreshed.status, kept.includes('; SameSite=Strict'), kept.startsWith(pair)]).toEqual([
      200,
      true,
      false,
    ])
    expect(cleared).toContain('; Max-Age=0')
    expect(cleared).toContain('; Partitioned')
    const [name] = pair.split('=')
    const [fresh] = kept.split('; ')
    const alone = await page.post('sessions', {}, { cookie: `${fresh}` })
    expect(alone.headers.getSetCookie().map((cookie) => cookie.split('=')[0])).toEqual([name])
    const left = await page.post('sessions/logout', {}, { cookie: `${fresh}; ${pair}` })
    expect(left.headers.getSetCookie().map((cookie) => cookie.includes('; Max-Age=0'))).toEqual([true, true])
  })

  test('the same person is known again, however the address is written', async () => {
    const email = newAddress()
    const first = await new Client(world).login(email)
    const client = new Client(world)
    const spelled = `  ${email.toUpperCase()} `
    await client.post('passwordless/init', { email: spelled })
    const again = await client.post('passwordless/authenticate', {
      email: spelled,
      code: client.lastCode(email),
    })
    expect(again.body.user.id).toBe(first.body.user.id)
    expect(again.body.is_new_user).toBe(false)
  })

  test('one address has another user in each app', async () => {
    const email = newAddress()
    const one = await new Client(world).login(email)
    const two = await new Client(world, { appId: 'latchkey-demo-terms-00002' }).login(email)
    expect(two.body.user.id).not.toBe(one.body.user.id)
  })

  test('the mail names the app and carries the code as text and as HTML', async () => {
    const email = newAddress()
    const client = new Client(world)
    const code = await client.codeFor(email)
    expect(code).toMatch(/^\d{6}$/)
    const [mail] = world.mailbox.messages()
    expect(mail).toMatchObject({
      kind: 'email',
      to: email,
      subject: `${code} is your code for Latchkey Demo`,
    })
    expect(mail?.body).toContain('10 minutes')
    const listed = await world.mailbox.app.request('/messages.json', {
      headers: { origin: 'http://any.example' },
    })
    expect(listed.headers.get('access-control-allow-origin')).toBe('*')
    expect((await listed.json())[0]).toEqual(mail)
    const page = await world.mailbox.app.request('/')
    expect(await page.text()).toContain('<h1>Inbox</h1>')
  })

  test('what is no code and no address is refused as the wire says', async () => {
    const client = new Client(world)
    const email = newAddress()
    const code = await client.codeFor(email)
    const wrong = await client.post('passwordless/authenticate', { email, code: otherCode(code) })
    expect([wrong.status, wrong.body]).toEqual([
      422,
      { error: expect.any(String), code: 'invalid_credentials' },
    ])
    for (const body of [
      { email, code: '12345' },
      { email, code: 'abcdef' },
      { email, code: '１２３４５６' },
      { email: newAddress(), code },
      { email: 'nobody', code },
    ]) {
      const refused = await client.post('passwordless/authenticate', body)
      expect([refused.status, refused.text]).toEqual([422, wrong.text])
    }
    for (const bad of [
      '',
      'ada',
      'ada@',
      '@example.com',
      'ada@example',
      'a b@example.com',
      'ada@exa_mple.com',
    ]) {
      const refused = await client.post('passwordless/init', { email: bad })
      expect([bad, refused.status, refused.body.code]).toEqual([bad, 400, 'invalid_data'])
    }
    for (const body of [{}, { email: 1 }, { email: null }, [], 'text', null, 7]) {
      const refused = await client.post('passwordless/init', body)
      expect(refused.status).toBe(400)
    }
    const noMode = await client.post('passwordless/authenticate', { email, code, mode: 'other' })
    expect([noMode.status, noMode.body.code]).toEqual([400, 'invalid_data'])
    expect((await client.post('passwordless/authenticate', { email, code })).status).toBe(200)
  })

  test('an address may have any script in its domain, and ASCII alone before it, as the kit’s field says', async () => {
    const domains: [string, string][] = [
      ['bücher.example', 'xn--bcher-kva.example'],
      ['пример.рф', 'xn--e1afmkfd.xn--p1ai'],
    ]
    for (const [domain, ascii] of domains) {
      const name = newAddress().split('@')[0]
      const client = new Client(world)
      const email = `${name}@${domain}`
      expect((await client.post('passwordless/init', { email })).status).toBe(200)
      // As the mail server of the test writes it.
      const code = client.lastCode(email)
      const { body } = await client.post('passwordless/authenticate', { email, code })
      expect(body.user.linked_accounts[0].address).toBe(`${name}@${ascii}`)
      expect(emailProblem(email, { plusAllowed: true })).toBeUndefined()
    }
    for (const email of ['jörg@example.com', 'жанна@example.com', 'ada\u017f@example.com']) {
      const refused = await new Client(world).post('passwordless/init', { email })
      expect([refused.status, refused.body.code]).toEqual([400, 'invalid_data'])
      expect(emailProblem(email, { plusAllowed: true })).toBe('login.email.invalid')
    }
  })

  test('no-signup reveals that nobody is there only after the code was right', async () => {
    const client = new Client(world)
    const email = newAddress()
    const code = await client.codeFor(email)
    const guess = await client.post('passwordless/authenticate', {
      email,
      code: otherCode(code),
      mode: 'no-signup',
    })
    expect(guess.body.code).toBe('invalid_credentials')
    const proved = await client.post('passwordless/authenticate', { email, code, mode: 'no-signup' })
    expect([proved.status, proved.body.code]).toEqual([400, 'user_does_not_exist'])
    expect((await client.login(email)).body.is_new_user).toBe(true)
    expect((await client.login(email, 'no-signup')).status).toBe(200)
  })
})

describe('a mail gateway that is down', () => {
  let world: World
  beforeAll(async () => {
    world = await startWorld({ name: 'PGlite' }, { smtpUrl: 'smtp://127.0.0.1:1?ignoreTLS=true' })
  })
  afterAll(() => world?.stop())

  test('is a failure of the server that may be tried again at once, as often as a client does', async () => {
    const client = new Client(world)
    const email = newAddress()
    for (let attempt = 0; attempt < 6; attempt++) {
      const failed = await client.post('passwordless/init', { email }, { 'idempotency-key': 'one-action' })
      expect([failed.status, failed.body.error]).toEqual([503, expect.stringContaining('could not be sent')])
      expect(failed.body.code).toBeUndefined()
    }
    expect(world.logged.join()).not.toContain(email)
  })
})
