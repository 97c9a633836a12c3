import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hostAllowed } from '../../../../demo/backend/login/captcha/captcha.ts'
import { createTurnstile, secretKeys } from '../../../../demo/world/turnstile/turnstile.ts'
import { failWith, outageNames } from '../../../support/faults/http.ts'
import { serveFetch } from '../../../support/serve.ts'
import { crowd } from '../../../support/soak.ts'
import { Client } from '../../support/client.ts'
import { hours, minutes, newAddress, openApp, startWorld, stores, type World } from '../../support/world.ts'

const app = 'latchkey-demo-captcha-007'
const spent = 'latchkey-test-captcha-sp1'
const wrongSecret = 'latchkey-test-captcha-wr1'
const elsewhere = 'latchkey-test-captcha-el1'
const captcha = (secretKey: string) => ({ enabled: true, siteKey: 't:1x00000000000000000000AA', secretKey })
const allowedDomains = ['http://localhost:*']
const moreApps = [
  { id: spent, name: 'Spent', allowedDomains, captcha: captcha(secretKeys.spent) },
  { id: wrongSecret, name: 'Wrong secret', allowedDomains, captcha: captcha('0xNobodyKnowsIt') },
  {
    id: elsewhere,
    name: 'Elsewhere',
    allowedDomains: ['https://*.elsewhere.example', 'http://localhost:3000'],
    captcha: captcha(secretKeys.passes),
  },
]

/** The stand-in for the vendor, unchanged or scripted by a test. */
type Vendor = (given: Record<string, unknown>) => Response | Promise<Response> | undefined

describe.each(stores)('the captcha on $name', (store) => {
  let world: World
  let server: Awaited<ReturnType<typeof serveFetch>>
  let vendor: Vendor
  let asked: Record<string, unknown>[]
  let now: number
  const turnstile = createTurnstile({ base: 'http://localhost', now: () => now })

  beforeAll(async () => {
    server = await serveFetch(async (request) => {
      const text = await request.text()
      const given = JSON.parse(text)
      asked.push(given)
      return (
        vendor(given) ??
        turnstile.app.request('/turnstile/v0/siteverify', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: text,
        })
      )
    })
    world = await startWorld(store, {
      moreApps,
      outside: { captchaVerifyUrl: `${server.origin}/turnstile/v0/siteverify` },
      limits: { outsideTimeout: 3_000, outsideAnswerSize: 2_000, resendLock: 0 },
    })
  })
  afterAll(async () => {
    await server.stop()
    await world.stop()
  })
  beforeEach(() => {
    asked = []
    vendor = () => undefined
    now = Date.now()
  })

  const send = (token: unknown, more: { appId?: string; ip?: string; email?: string } = {}) => {
    const { appId = app, ip, email = newAddress() } = more
    const client = new Client(world, { appId, ...(ip && { ip }) })
    return client.post('passwordless/init', { email, ...(token !== undefined && { token }) })
  }
  const refused = { status: 400, body: { code: 'invalid_captcha' } }

  test('a token that the widget gave lets a code be sent', async () => {
    const token = turnstile.solve('localhost', app)
    expect(await send(token, { ip: '198.51.100.7' })).toMatchObject({ status: 200, body: { success: true } })
    expect(asked).toMatchObject([
      {
        response: token,
        secret: secretKeys.passes,
        remoteip: '198.51.100.7',
        idempotency_key: expect.any(String),
      },
    ])
  })

  test.each([
    ['none', undefined],
    ['null', null],
    ['an empty one', ''],
    ['an invented one', 'XXXX.DUMMY.TOKEN.invented'],
    ['one that is longer than any', 'x'.repeat(2_049)],
  ])('%s is refused', async (_, token) => {
    expect(await send(token)).toMatchObject(refused)
  })

  test('is spared to people whose session goes on, and to nobody else who has a token', async () => {
    const client = new Client(world, { appId: app })
    const email = newAddress()
    const login = async () => {
      const asking = { email, token: turnstile.solve('localhost', app) }
      expect(await client.post('passwordless/init', asking)).toMatchObject({ status: 200 })
      const answer = await client.post('passwordless/authenticate', { email, code: client.lastCode(email) })
      client.token = answer.body.token
      return answer.body.refresh_token as string
    }
    const refresh_token = await login()
    const link = () => client.post('passwordless/init', { email: newAddress() })
    expect(await link()).toMatchObject({ status: 200 })
    expect(await client.post('sessions/logout', { refresh_token })).toMatchObject({ status: 200 })
    expect(await link()).toMatchObject(refused)
    client.token = 'eyJhbGciOiJFUzI1NiJ9.e30.AAAA'
    expect(await link()).toMatchObject(refused)
    world.clock.pass(minutes(1))
    await login()
    world.clock.pass(hours(2))
    expect(await link()).toMatchObject(refused)
  })

  test('without one nothing is mailed and the vendor is not asked', async () => {
    const email = newAddress()
    await send(undefined, { email })
    expect(asked).toEqual([])
    expect(world.mailbox.messages().some(({ to }) => to === email)).toBe(false)
  })

  test('a token is used once', async () => {
    const token = turnstile.solve('localhost', app)
    expect((await send(token)).status).toBe(200)
    expect(await send(token)).toMatchObject(refused)
  })

  test('a used token is refused even if the vendor would accept it again', async () => {
    vendor = () => Response.json({ success: true, action: app, hostname: 'localhost' })
    const token = randomUUID()
    expect((await send(token)).status).toBe(200)
    expect(await send(token)).toMatchObject(refused)
  })

  test(`of ${crowd} who present one token at once, one gets through`, async () => {
    vendor = () => Response.json({ success: true, action: app, hostname: 'localhost' })
    const token = randomUUID()
    const answers = await Promise.all(Array.from({ length: crowd }, () => send(token)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    // On a busy machine some of them don't hear from the vendor in time.
    expect(answers.filter(({ status }) => status === 400 || status === 503)).toHaveLength(crowd - 1)
  })

  test('a token of another action is refused', async () => {
    expect(await send(turnstile.solve('localhost', openApp))).toMatchObject(refused)
    expect(await send(turnstile.solve('localhost', ''))).toMatchObject(refused)
  })

  test.each(['evil.example', 'localhost.evil.example', 'elsewhere.example', 'a.b.elsewhere.example', ''])(
    'a token from a page on "%s" is refused',
    async (hostname) => {
      expect(await send(turnstile.solve(hostname, elsewhere), { appId: elsewhere })).toMatchObject(refused)
    },
  )

  test('a token from a page of the app is taken', async () => {
    const token = turnstile.solve('shop.elsewhere.example', elsewhere)
    expect((await send(token, { appId: elsewhere })).status).toBe(200)
  })

  test('a token that is older than five minutes is refused', async () => {
    const token = turnstile.solve('localhost', app)
    now += 300_000
    expect(await send(token)).toMatchObject(refused)
  })

  test('a token that the vendor calls spent is refused', async () => {
    expect(await send(turnstile.solve('localhost', spent), { appId: spent })).toMatchObject(refused)
  })

  test.each([
    ...outageNames.map((outage): [string, Vendor] => [outage, () => failWith(outage)]),
    ['a result without its field', () => Response.json({ ok: true })],
    ['a long result', () => Response.json({ success: true, padding: 'x'.repeat(5_000) })],
  ] satisfies [string, Vendor][])(
    'a vendor with %s: try again later, and the token stays good',
    async (_, broken) => {
      const token = turnstile.solve('localhost', app)
      vendor = broken
      expect(await send(token)).toMatchObject({ status: 503 })
      vendor = () => undefined
      expect((await send(token)).status).toBe(200)
    },
  )

  test('a vendor that lost its first answer says the same again', async () => {
    const token = turnstile.solve('localhost', app)
    vendor = (given) => {
      void turnstile.app.request('/turnstile/v0/siteverify', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(given),
      })
      return failWith('status 502')
    }
    expect((await send(token)).status).toBe(503)
    vendor = () => undefined
    expect((await send(token)).status).toBe(200)
  })

  test('a secret that the vendor does not know is our fault, not the person’s', async () => {
    const token = turnstile.solve('localhost', wrongSecret)
    expect(await send(token, { appId: wrongSecret })).toMatchObject({ status: 503 })
  })

  test('somebody who is logged in needs none', async () => {
    const client = new Client(world, { appId: app })
    const email = newAddress()
    const token = turnstile.solve('localhost', app)
    expect((await client.post('passwordless/init', { email, token })).status).toBe(200)
    const code = client.lastCode(email)
    const { body } = await client.post('passwordless/authenticate', { email, code })
    client.token = body.token
    expect((await client.post('passwordless/init', { email: newAddress() })).status).toBe(200)
    client.token = `${body.token}x`
    expect(await client.post('passwordless/init', { email: newAddress() })).not.toMatchObject({ status: 200 })
  })

  test('an app without a captcha asks for none', async () => {
    expect((await send(undefined, { appId: openApp })).status).toBe(200)
    expect(asked).toEqual([])
  })

  test('ten times as many codes may be asked for from one network address', async () => {
    const count = async (appId: string, ip: string) => {
      let sent = 0
      for (;;) {
        const { status } = await send(turnstile.solve('localhost', appId), { appId, ip })
        if (status !== 200) return { sent, status }
        sent++
      }
    }
    expect(await count(openApp, '203.0.113.21')).toEqual({ sent: 3, status: 429 })
    expect(await count(app, '203.0.113.22')).toEqual({ sent: 30, status: 429 })
  })
})

describe('an app that is set up wrongly keeps the backend from starting', () => {
  const id = 'latchkey-test-captcha-no1'
  test.each([
    ['without a secret', { enabled: true, siteKey: 't:1x' }, /captcha.*needs a secretKey/],
    ['with a key for another kind of captcha', { enabled: true, siteKey: 'h:1x', secretKey: 's' }, /t:<key>/],
  ])('%s', async (_, settings, words) => {
    const app = { id, name: 'Wrong', captcha: settings }
    await expect(startWorld({ name: 'PGlite' }, { moreApps: [app] })).rejects.toThrow(words)
  })
  test('a captcha that is off needs no secret', async () => {
    const app = { id, name: 'Off', captcha: { enabled: false, siteKey: 't:1x' } }
    const world = await startWorld({ name: 'PGlite' }, { moreApps: [app] })
    await world.stop()
  })
})

describe('a host name', () => {
  test.each([
    ['localhost', ['http://localhost:*'], true],
    ['LOCALHOST', ['http://localhost:3000'], true],
    ['shop.example', ['shop.example'], true],
    ['a.shop.example', ['*.shop.example'], true],
    ['shop.example', ['*.shop.example'], false],
    ['evilshop.example', ['*.shop.example'], false],
    ['.shop.example', ['*.shop.example'], false],
    ['a.b.shop.example', ['https://*.shop.example:8443'], false],
    ['a.shop.example', ['https://*.shop.example:8443'], true],
    ['shop.example', [], false],
    [undefined, ['shop.example'], false],
  ])('%s is covered by %o: %s', (hostname, patterns, covered) => {
    expect(hostAllowed(hostname, patterns)).toBe(covered)
  })
})

describe('the stand-in of the vendor', () => {
  test('takes forms and JSON, and answers as the vendor does', async () => {
    const turnstile = createTurnstile({ base: 'http://localhost' })
    const ask = async (body: Record<string, string>, form = false) =>
      (
        await turnstile.app.request('/turnstile/v0/siteverify', {
          method: 'POST',
          ...(form
            ? { body: new URLSearchParams(body) }
            : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
        })
      ).json()
    const [one, two] = [turnstile.solve('shop.example', 'a'), turnstile.solve('shop.example', 'a')]
    const secret = secretKeys.passes
    const yes = { success: true, 'error-codes': [], hostname: 'shop.example', action: 'a' }
    const no = (code: string) => ({ success: false, 'error-codes': [code] })
    expect(await ask({ secret, response: one })).toMatchObject(yes)
    expect(await ask({ secret, response: one })).toEqual(no('timeout-or-duplicate'))
    expect(await ask({ secret, response: two }, true)).toMatchObject(yes)
    expect(await ask({ response: two })).toEqual(no('missing-input-secret'))
    expect(await ask({ secret })).toEqual(no('missing-input-response'))
    expect(await ask({ secret: 'x', response: two })).toEqual(no('invalid-input-secret'))
    expect(await ask({ secret, response: 'x' })).toEqual(no('invalid-input-response'))
    expect(await ask({ secret: secretKeys.fails, response: two })).toEqual(no('invalid-input-response'))
    expect(await ask({ secret: secretKeys.spent, response: two })).toEqual(no('timeout-or-duplicate'))
  })

  test('is served with all that a page loads', async () => {
    const turnstile = createTurnstile({ base: 'http://localhost' })
    const { origin, stop } = await serveFetch((request) => turnstile.app.fetch(request))
    for (const file of ['api.js', 'frame', 'frame.js', 'frame.css']) {
      const answer = await fetch(`${origin}/turnstile/v0/${file}`)
      expect([file, answer.status]).toEqual([file, 200])
    }
    await stop()
  })
})
