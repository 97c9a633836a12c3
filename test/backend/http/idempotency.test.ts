import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { idempotency } from '../../../demo/backend/http/tables.ts'
import { Client, otherCode } from '../support/client.ts'
import {
  hours,
  minutes,
  newAddress,
  openApp,
  seconds,
  startWorld,
  stores,
  type World,
} from '../support/world.ts'

describe.each(stores)('an idempotency key on $name', (store) => {
  let world: World
  beforeAll(async () => {
    world = await startWorld(store)
  })
  afterAll(() => world?.stop())

  const key = () => ({ 'idempotency-key': randomUUID() })
  const mailsTo = (email: string) => world.mailbox.messages().filter(({ to }) => to === email).length

  test('makes a repeated login answer the same again, though its code is used up', async () => {
    const client = new Client(world, { kit: true })
    const email = newAddress()
    const body = { email, code: await client.codeFor(email) }
    const header = key()
    const first = await client.post('passwordless/authenticate', body, header, false)
    const again = await client.post('passwordless/authenticate', body, header)
    expect([again.status, again.text]).toEqual([200, first.text])
    expect(again.headers.getSetCookie()).toEqual(first.headers.getSetCookie())
    expect((await client.post('sessions')).status).toBe(200)
    expect((await client.post('passwordless/authenticate', body, key())).status).toBe(422)
    world.clock.pass(hours(24) + 1)
    expect((await client.post('passwordless/authenticate', body, header)).status).toBe(422)
  })

  test('makes parallel repetitions act once', async () => {
    const client = new Client(world)
    const email = newAddress()
    const header = key()
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => client.post('passwordless/init', { email }, header)),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200))
    expect(mailsTo(email)).toBe(1)
    const body = { email, code: client.lastCode(email) }
    const loginKey = key()
    const logins = await Promise.all(
      Array.from({ length: 12 }, () => client.post('passwordless/authenticate', body, loginKey)),
    )
    expect(new Set(logins.map(({ text }) => text)).size).toBe(1)
    expect(logins[0]?.status).toBe(200)
  })

  test('is refused for another body, and means nothing on another path or in another app', async () => {
    const client = new Client(world)
    const header = key()
    const email = newAddress()
    await client.post('passwordless/init', { email }, header)
    const other = await client.post('passwordless/init', { email: newAddress() }, header)
    expect([other.status, other.body.code]).toEqual([400, 'invalid_request'])
    const login = { email, code: client.lastCode(email) }
    expect((await client.post('passwordless/authenticate', login, header)).status).toBe(200)
    const elsewhere = new Client(world, { appId: 'latchkey-demo-terms-00002' })
    expect((await elsewhere.post('passwordless/init', { email: newAddress() }, header)).status).toBe(200)
    for (const odd of ['', 'x'.repeat(256), 'a b']) {
      const refused = await client.post('passwordless/init', { email }, { 'idempotency-key': odd })
      expect([refused.status, refused.body.code]).toEqual([400, 'invalid_request'])
    }
  })

  test('a refusal of a user is kept, but no "too many", no missing token and no refusal of an anonymous call', async () => {
    const client = new Client(world)
    const email = newAddress()
    const code = await client.codeFor(email)
    const wrong = { email, code: otherCode(code) }
    const header = key()
    const kept = () => world.backend.database.$count(idempotency)
    const before = await kept()
    for (let attempt = 0; attempt < 3; attempt++)
      expect((await client.post('passwordless/authenticate', wrong, header)).status).toBe(422)
    expect(await kept()).toBe(before)
    const login = await client.post('passwordless/authenticate', { email, code }, key())
    expect(login.status).toBe(200)
    client.token = login.body.token
    expect(await kept()).toBe(before + 1)
    const unlink = { address: newAddress() }
    expect((await client.post('passwordless/unlink', unlink, key())).status).toBe(404)
    expect(await kept()).toBe(before + 2)

    const early = newAddress()
    await client.codeFor(early)
    const later = key()
    expect((await client.post('passwordless/init', { email: early }, later)).status).toBe(429)
    world.clock.pass(minutes(1))
    expect((await client.post('passwordless/init', { email: early }, later)).status).toBe(200)

    client.token = undefined
    const terms = key()
    const nobody = await client.post('users/me/accept_terms', {}, terms)
    expect(nobody.status).toBe(401)
    await client.login(newAddress())
    const accepted = await client.post('users/me/accept_terms', {}, terms)
    expect([accepted.status, accepted.body.has_accepted_terms]).toEqual([200, true])
  })

  test('covers a refresh whose answer was lost for longer than the grace', async () => {
    for (const kit of [true, false]) {
      const client = new Client(world, { kit })
      const { body } = await client.login(newAddress())
      const request = kit ? {} : { refresh_token: body.refresh_token }
      const header = key()
      const lost = await client.post('sessions', request, header, false)
      world.clock.pass(seconds(80))
      const again = await client.post('sessions', request, header)
      expect([again.status, again.text]).toEqual([200, lost.text])
      const next = await client.post('sessions', kit ? {} : { refresh_token: again.body.refresh_token })
      expect(next.status).toBe(200)
    }
  })

  test('gives a stranger who knows it nothing', async () => {
    const client = new Client(world, { kit: true })
    await client.login(newAddress())
    const header = key()
    await client.post('sessions', {}, header)
    const stranger = new Client(world, { kit: true })
    const nothing = await stranger.post('sessions', {}, header)
    expect([nothing.body.token, nothing.headers.getSetCookie()]).toEqual([null, []])
    await stranger.login(newAddress())
    const other = await stranger.post('sessions', {}, header)
    expect([other.status, other.body.code, other.headers.getSetCookie()]).toEqual([
      400,
      'invalid_request',
      [],
    ])

    const terms = key()
    await client.post('users/me/accept_terms', {}, terms)
    const foreign = await stranger.post('users/me/accept_terms', {}, terms)
    expect([foreign.status, foreign.body.code]).toEqual([400, 'invalid_request'])
  })

  test('leaves no token readable in the database', async () => {
    const client = new Client(world)
    const email = newAddress()
    const body = { email, code: await client.codeFor(email) }
    const login = await client.post('passwordless/authenticate', body, key())
    const rows = JSON.stringify(await world.backend.database.select().from(idempotency))
    expect(rows).toContain(openApp)
    for (const secret of [login.body.token, login.body.refresh_token, email])
      expect(rows).not.toContain(secret)
  })

  test('of a process that died in its work is taken over', async () => {
    const client = new Client(world)
    const email = newAddress()
    const header = key()
    const { database } = world.backend
    await client.post('passwordless/init', { email }, header)
    // As the first process would have left it: begun, not ended, and its lease over.
    await database.update(idempotency).set({ sealedReply: null, leaseUntil: Date.now() - 1 })
    world.clock.pass(seconds(30))
    expect((await client.post('passwordless/init', { email }, header)).status).toBe(200)
    expect(mailsTo(email)).toBe(2)
  })
})
