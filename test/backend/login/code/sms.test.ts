import { decodeJwt } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { readPhoneNumber } from '../../../../demo/backend/codes/phone-number.ts'
import { codeSms } from '../../../../demo/backend/codes/sms-gateway.ts'
import type { AppSettings } from '../../../../demo/backend/settings/demo-apps.ts'
import { crowd } from '../../../support/soak.ts'
import { Client, type ClientOptions, otherCode } from '../../support/client.ts'
import { account, newNumber, type SmsWorld, startSmsWorld } from '../../support/sms-world.ts'
import { hours, minutes, newAddress, seconds, startWorld, stores } from '../../support/world.ts'

const common = { allowedDomains: ['http://localhost:*', 'https://shop.example'] }
const smsApp = 'latchkey-test-sms-0000001'
const regionApp = 'latchkey-test-sms-0000002'
const listApp = 'latchkey-test-sms-0000003'
const mailApp = 'latchkey-test-sms-0000004'
const apps: AppSettings[] = [
  { ...common, id: smsApp, name: 'Latchkey Test', methods: ['email', 'sms'] },
  { ...common, id: mailApp, name: 'Mail', methods: ['email'] },
  { ...common, id: regionApp, name: 'Near', methods: ['sms'], smsRegions: ['DE', 'CH'] },
  {
    ...common,
    id: listApp,
    name: 'Known',
    methods: ['sms'],
    allowlist: { emails: [], phones: ['+4915112345678'] },
  },
]
const settings = { moreApps: apps }

const by = (world: SmsWorld, options: ClientOptions = {}) => new Client(world, { appId: smsApp, ...options })
const send = (client: Client, phoneNumber: string) => client.post('passwordless_sms/init', { phoneNumber })
const enter = (client: Client, phoneNumber: string, code: string, mode?: string) =>
  client.post('passwordless_sms/authenticate', { phoneNumber, code, ...(mode && { mode }) })
async function codeFor(client: Client, phoneNumber: string): Promise<string> {
  const answer = await send(client, phoneNumber)
  if (answer.status !== 200) throw new Error(`No code: ${answer.status} ${answer.text}`)
  return client.lastCode(phoneNumber)
}
async function logIn(client: Client, phoneNumber: string) {
  const answer = await enter(client, phoneNumber, await codeFor(client, phoneNumber))
  if (answer.status === 200) client.token = answer.body.token
  return answer
}

describe.each(stores)('login by SMS on $name', (store) => {
  let world: SmsWorld
  beforeAll(async () => {
    world = await startSmsWorld(store, settings)
  })
  afterAll(() => world?.stop())
  afterEach(() => {
    world.gateway.instead = undefined
  })

  test('a compatible client logs in and gets its account in the names of the wire', async () => {
    const client = by(world)
    const number = newNumber()
    const init = await send(client, number)
    expect([init.status, init.body]).toEqual([200, { success: true }])
    const login = await enter(client, number, client.lastCode(number), 'login-or-sign-up')
    const now = Math.floor(world.clock.now / 1_000)
    expect(login.status).toBe(200)
    expect(login.body.is_new_user).toBe(true)
    expect(login.body.user.linked_accounts).toEqual([
      {
        type: 'phone',
        phoneNumber: number,
        verified_at: now,
        first_verified_at: now,
        latest_verified_at: now,
      },
    ])
    expect(JSON.parse(decodeJwt(login.body.identity_token).linked_accounts as string)).toEqual([
      { type: 'phone', phone_number: number, lv: now },
    ])
  })

  test('the same person is known again, however the number is written', async () => {
    const number = newNumber()
    const first = await logIn(by(world), number)
    const client = by(world)
    const code = await codeFor(client, number)
    const spaced = ` ${number.slice(0, 3)} (${number.slice(3, 7)}) ${number.slice(7)} `
    const again = await enter(client, spaced, code, 'no-signup')
    expect([again.status, again.body.user?.id, again.body.is_new_user]).toEqual([
      200,
      first.body.user.id,
      false,
    ])
  })

  test('what is no number and no code is refused as the wire says', async () => {
    const client = by(world)
    const number = newNumber()
    const code = await codeFor(client, number)
    const bad = [
      '',
      'ada',
      '0151 2345678',
      '+',
      '+0',
      '+1',
      '+999123456789',
      '+49151',
      `+49${'1'.repeat(17)}`,
    ]
    for (const phoneNumber of [...bad, '1'.repeat(251), '+4915112345678 ext. 5', `${number};${number}`]) {
      const refused = await send(client, phoneNumber)
      expect([phoneNumber, refused.status, refused.body.code]).toEqual([phoneNumber, 422, 'invalid_data'])
    }
    for (const body of [{}, { phoneNumber: 1 }, { phoneNumber: null }, [], 'text', null, 7])
      expect((await client.post('passwordless_sms/init', body)).status).toBe(400)
    const wrong = await enter(client, number, otherCode(code))
    expect([wrong.status, wrong.body.code]).toEqual([422, 'invalid_credentials'])
    for (const [phoneNumber, guess] of [
      [number, '12345'],
      [number, '１２３４５６'],
      [newNumber(), code],
      ['nobody', code],
    ] as const) {
      const refused = await enter(client, phoneNumber, guess)
      expect([refused.status, refused.text]).toEqual([422, wrong.text])
    }
    expect((await enter(client, number, code)).status).toBe(200)
  })

  test('a code dies after ten minutes, after five wrong guesses, and when another one is sent', async () => {
    const client = by(world)
    const late = newNumber()
    const first = await codeFor(client, late)
    world.clock.pass(minutes(10))
    expect((await enter(client, late, first)).status).toBe(422)

    const guessed = newNumber()
    const code = await codeFor(client, guessed)
    let wrong = await enter(client, guessed, otherCode(code))
    for (let guess = 2; guess <= 5; guess++) wrong = await enter(client, guessed, otherCode(code))
    const right = await enter(client, guessed, code)
    expect([right.status, right.text]).toEqual([wrong.status, wrong.text])

    world.clock.pass(seconds(30))
    const newer = await codeFor(client, guessed)
    if (newer !== code) expect((await enter(client, guessed, code)).status).toBe(422)
    expect((await enter(client, guessed, newer)).status).toBe(200)
  })

  test(`of ${crowd} who use one code at once, one gets in`, async () => {
    const number = newNumber()
    const code = await codeFor(by(world), number)
    const answers = await Promise.all(Array.from({ length: crowd }, () => enter(by(world), number, code)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(crowd - 1)
  })

  test('a code of one app, or one for an e-mail address, opens nothing else', async () => {
    const number = newNumber()
    const client = by(world)
    const code = await codeFor(client, number)
    expect((await enter(by(world, { appId: regionApp }), number, code)).status).toBe(422)
    const email = newAddress()
    expect((await client.post('passwordless/authenticate', { email, code })).status).toBe(422)
    expect((await enter(client, number, code)).status).toBe(200)
  })

  test('sendings are limited by number, and together with those of mail by network address', async () => {
    const client = by(world)
    const number = newNumber()
    await codeFor(client, number)
    const soon = await send(client, number)
    expect([soon.status, soon.body.code, soon.headers.get('retry-after')]).toEqual([
      429,
      'too_many_requests',
      '30',
    ])
    expect((await client.post('passwordless/init', { email: newAddress() })).status).toBe(200)
    expect((await send(client, newNumber())).status).toBe(200)
    for (let forged = 0; forged < 20; forged++) {
      const headers = { 'x-forwarded-for': `198.51.100.${forged}` }
      const more = await client.post('passwordless_sms/init', { phoneNumber: newNumber() }, headers)
      expect([more.status, more.headers.get('retry-after')]).toEqual([429, '60'])
    }
    for (let count = 0; count < 4; count++) {
      world.clock.pass(minutes(1))
      expect((await send(by(world), number)).status).toBe(200)
    }
    world.clock.pass(minutes(1))
    expect((await send(by(world), number)).status).toBe(429)
  })

  test('ten failed guesses pause a number for an hour, and its owner is notified by SMS', async () => {
    const number = newNumber()
    for (let round = 0; round < 2; round++) {
      const client = by(world)
      const code = await codeFor(client, number)
      for (let guess = 0; guess < 5; guess++) await enter(client, number, otherCode(code))
      world.clock.pass(seconds(31))
    }
    expect((await send(by(world), number)).status).toBe(429)
    await expect
      .poll(() => world.mailbox.messages().find(({ to }) => to === number)?.body)
      .toContain('Too many wrong codes were entered for this number at Latchkey Test.')
    world.clock.pass(hours(1))
    expect((await logIn(by(world), number)).status).toBe(200)
  })

  test('who has an account is not told: known and unknown numbers get the same bytes', async () => {
    const known = newNumber()
    await logIn(by(world), known)
    const seen = new Set<string>()
    for (let round = 0; round < 20; round++) {
      for (const number of [known, newNumber()]) {
        const client = by(world)
        const init = await send(client, number)
        const wrong = await enter(client, number, otherCode(client.lastCode(number)), 'no-signup')
        const headers = [...init.headers].filter(([name]) => name !== 'date')
        seen.add(JSON.stringify([init.status, init.text, headers, wrong.status, wrong.text]))
      }
      world.clock.pass(hours(3))
    }
    expect([...seen]).toHaveLength(1)
    const client = by(world)
    const number = newNumber()
    const proved = await enter(client, number, await codeFor(client, number), 'no-signup')
    expect([proved.status, proved.body.code]).toEqual([400, 'user_does_not_exist'])
  })

  test('a number is linked, replaced and taken away', async () => {
    const client = by(world)
    await client.login(newAddress())
    const [first, second] = [newNumber(), newNumber()]
    const linked = await client.post('passwordless_sms/link', {
      phoneNumber: first,
      code: await codeFor(client, first),
    })
    const numbers = (answer: typeof linked) =>
      answer.body.linked_accounts.flatMap(({ phoneNumber }: { phoneNumber?: string }) => phoneNumber ?? [])
    expect([linked.status, numbers(linked)]).toEqual([200, [first]])

    const code = await codeFor(client, second)
    const change = { old_phone_number: first, new_phone_number: second }
    const wrong = await client.post('passwordless_sms/update', { ...change, code: otherCode(code) })
    expect([wrong.status, wrong.body.code]).toEqual([422, 'invalid_credentials'])
    const updated = await client.post('passwordless_sms/update', { ...change, code })
    expect([updated.status, numbers(updated)]).toEqual([200, [second]])

    const stranger = by(world)
    const third = newNumber()
    await logIn(stranger, third)
    const own = await client.post('passwordless_sms/update', {
      old_phone_number: third,
      new_phone_number: first,
      code: await codeFor(by(world), first),
    })
    expect([own.status, own.body.code]).toEqual([404, 'linked_account_not_found'])
    world.clock.pass(minutes(1))
    const taken = await client.post('passwordless_sms/update', {
      old_phone_number: second,
      new_phone_number: third,
      code: await codeFor(by(world), third),
    })
    expect([taken.status, taken.body.code]).toEqual([400, 'linked_to_another_user'])

    const gone = await client.post('passwordless_sms/unlink', { phoneNumber: second })
    expect([gone.status, numbers(gone)]).toEqual([200, []])
    expect((await client.post('passwordless_sms/unlink', { phoneNumber: second })).status).toBe(404)
    const sole = await stranger.post('passwordless_sms/unlink', { phoneNumber: third })
    expect([sole.status, sole.body.code]).toEqual([400, 'cannot_unlink_sole_account'])
    expect((await by(world).post('passwordless_sms/unlink', { phoneNumber: third })).status).toBe(401)
  })

  test('a number of somebody else is handed over for a nonce, once', async () => {
    const number = newNumber()
    const owner = await logIn(by(world), number)
    const client = by(world)
    const { body } = await client.login(newAddress())
    const offered = await client.post('passwordless_sms/link', {
      phoneNumber: number,
      code: await codeFor(by(world), number),
    })
    expect([offered.status, offered.body.code, offered.body.data.subject]).toEqual([
      400,
      'account_transfer_required',
      number,
    ])
    const { nonce } = offered.body.data
    const other = await client.post('passwordless_sms/transfer', { nonce: 'x', phoneNumber: number })
    expect(other.status).toBe(401)
    const moved = await client.post('passwordless_sms/transfer', { nonce, phoneNumber: number })
    expect([moved.status, moved.body.id]).toEqual([200, body.user.id])
    expect((await client.post('passwordless_sms/transfer', { nonce, phoneNumber: number })).status).toBe(401)
    const login = await logIn(by(world), number)
    expect(login.body.user.id).toBe(body.user.id)
    expect(login.body.user.id).not.toBe(owner.body.user.id)
  })

  test('an app sends to its own regions, and none to a number whose owner is paid by the caller', async () => {
    const near = () => by(world, { appId: regionApp })
    expect((await send(near(), newNumber())).status).toBe(200)
    expect((await send(near(), '+41781234567')).status).toBe(200)
    const before = world.gateway.requests.length
    for (const [client, number] of [
      [near(), '+33612345678'],
      [near(), '+12133734253'],
      [near(), '+80012345678'],
      [by(world), '+19002345678'],
    ] as const) {
      const refused = await send(client, number)
      expect([number, refused.status, refused.body.code]).toEqual([number, 400, 'not_supported'])
    }
    expect(world.gateway.requests).toHaveLength(before)
  })

  test('an app that does not have the method, or lists who may come, says so', async () => {
    const off = await send(by(world, { appId: mailApp }), newNumber())
    expect([off.status, off.body.code]).toEqual([403, 'disallowed_login_method'])
    const listed = by(world, { appId: listApp })
    const refused = await send(listed, newNumber())
    expect([refused.status, refused.body.code]).toEqual([401, 'allowlist_rejected'])
    expect((await logIn(listed, '+4915112345678')).status).toBe(200)
  })
})

describe('the SMS gateway', () => {
  let world: SmsWorld
  beforeAll(async () => {
    world = await startSmsWorld({ name: 'PGlite' }, { ...settings, limits: { outsideTimeout: 300 } })
  })
  afterAll(() => world?.stop())
  afterEach(() => {
    world.gateway.instead = undefined
  })

  const garbage = () => new Response('<html>', { status: 502 })
  const hangs = () => new Promise<Response>(() => {})
  const moved = () => new Response(null, { status: 307, headers: { location: 'http://127.0.0.1:1/' } })
  const refuses = () => Response.json({ code: 20003, message: 'Authenticate' }, { status: 401 })
  test.each([
    ['answers with garbage', garbage, 'status 502, code none'],
    ['never answers', hangs, 'TimeoutError'],
    ['points somewhere else', moved, 'TypeError'],
    ['does not know this account', refuses, 'status 401, code 20003'],
  ])(
    'that %s is a failure that may be tried again at once, and the log names nobody',
    async (_, instead, logged) => {
      world.logged.length = 0
      const client = by(world)
      const number = newNumber()
      world.gateway.instead = instead
      for (let attempt = 0; attempt < 4; attempt++) {
        const failed = await client.post(
          'passwordless_sms/init',
          { phoneNumber: number },
          { 'idempotency-key': 'one' },
        )
        expect([failed.status, failed.body.code]).toEqual([503, undefined])
        expect(failed.body.error).toContain('could not be sent')
      }
      world.gateway.instead = undefined
      expect((await logIn(client, number)).status).toBe(200)
      expect(world.logged).toEqual(Array(4).fill(`An SMS could not be sent: ${logged}`))
    },
  )

  test('reports which numbers it can’t reach, and these are distinguished', async () => {
    const outcomes = {
      '+15005550001': [422, 'invalid_data'],
      '+15005550002': [400, 'not_supported'],
      '+15005550003': [400, 'not_supported'],
      '+15005550004': [400, 'user_unsubscribed'],
      '+15005550009': [422, 'invalid_data'],
    }
    for (const [number, outcome] of Object.entries(outcomes)) {
      const client = by(world)
      for (let attempt = 0; attempt < 2; attempt++) {
        const refused = await send(client, number)
        expect([number, refused.status, refused.body.code]).toEqual([number, ...outcome])
      }
    }
  })

  test('gets requests as the original requires them, which the stand-in checks', async () => {
    let seen: { headers: Headers; body: string } | undefined
    world.gateway.instead = async (request) => {
      seen = { headers: request.headers, body: await request.text() }
      return Response.json({ sid: 'SM1' }, { status: 201 })
    }
    expect((await send(by(world), '+4915112345678')).status).toBe(200)
    const basic = Buffer.from(`${account.accountSid}:${account.authToken}`).toString('base64')
    expect(seen?.headers.get('authorization')).toBe(`Basic ${basic}`)
    const form = new URLSearchParams(seen?.body)
    expect([form.get('To'), form.get('From')]).toEqual(['+4915112345678', '+15005550006'])
    expect(world.gateway.requests.at(-1)).toBe(
      `POST /2010-04-01/Accounts/${account.accountSid}/Messages.json`,
    )

    world.gateway.instead = undefined
    const path = `${world.gateway.url}/2010-04-01/Accounts/${account.accountSid}/Messages.json`
    const ask = async (body: Record<string, string>, headers = { authorization: `Basic ${basic}` }) => {
      const answer = await fetch(path, { method: 'POST', body: new URLSearchParams(body), headers })
      return [answer.status, (await answer.json()).code]
    }
    const whole = { To: '+4915112345678', From: '+15005550006', Body: 'Hello' }
    expect(await ask(whole)).toEqual([201, undefined])
    expect(await ask(whole, { authorization: 'Basic eDp5' })).toEqual([401, 20003])
    expect(await ask({ ...whole, To: '' })).toEqual([400, 21604])
    expect(await ask({ ...whole, From: '' })).toEqual([400, 21603])
    expect(await ask({ ...whole, Body: '' })).toEqual([400, 21602])
    expect(await ask({ ...whole, To: '0151' })).toEqual([400, 21211])
  })

  test('gets one short message, whose last line binds the code to the page that asked', async () => {
    const sent = async (origin: string | null) => {
      const number = newNumber()
      await codeFor(by(world, { origin }), number)
      return world.mailbox.messages().find(({ to }) => to === number)
    }
    const secure = await sent('https://shop.example')
    expect(secure?.body).toBe(
      `${secure?.code} is your code for Latchkey Test. It works once, for 10 minutes. Don't share it.\n\n@shop.example #${secure?.code}`,
    )
    expect((await sent('http://localhost:3000'))?.body).toMatch(/\n\n@localhost #\d{6}$/)
    expect((await sent(null))?.body).not.toContain('@')
    const odd = codeSms(
      'Привет 👋 «Énergie» [d’Oberland] und noch viel mehr Wörter',
      '012345',
      600_000,
      undefined,
    )
    expect(odd).toMatch(/^[ -Za-z\n]+$/)
    expect(odd.length).toBeLessThanOrEqual(120)
    expect(codeSms('Привет', '012345', 600_000, undefined)).toContain('for this app.')
    expect(codeSms('A', '012345', 600_000, 'http://shop.example')).not.toContain('@')
  })
})

describe('a backend without an SMS gateway', () => {
  test('says that nothing could be sent', async () => {
    const plain = await startWorld({ name: 'PGlite' }, settings)
    const failed = await new Client(plain, { appId: smsApp }).post('passwordless_sms/init', {
      phoneNumber: newNumber(),
    })
    expect(failed.status).toBe(503)
    expect(plain.logged).toEqual(['An SMS could not be sent: no gateway is set'])
    await plain.stop()
  })
})

describe('readPhoneNumber', () => {
  test.each([
    ['+4915112345678', '+4915112345678', ['DE']],
    ['＋４９ 151 12345678', '+4915112345678', ['DE']],
    ['+1 (604) 555-1234', '+16045551234', ['CA']],
    ['+44 (0) 7400 123456', '+447400123456', ['GB']],
    ['+80012345678', '+80012345678', []],
  ])('reads %s', (text, e164, countries) => {
    expect(readPhoneNumber(text)).toEqual({ e164, countries, premium: false })
  })
})
