import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Client, otherCode } from '../../support/client.ts'
import { minutes, newAddress, openApp, startWorld, stores, type World } from '../../support/world.ts'

describe.each(stores)('failed logins on $name', (store) => {
  let world: World
  beforeAll(async () => {
    world = await startWorld(store)
  })
  afterAll(() => world?.stop())

  async function attempt(client: Client, email: string, code: string) {
    world.logged.splice(0)
    const answer = await client.post('passwordless/authenticate', { email, code })
    return { answer, lines: [...world.logged] }
  }

  test('failed logins: each wrong code leaves one line with its reason, its app and the id that its answer has', async () => {
    const client = new Client(world)
    const email = newAddress()
    const code = await client.codeFor(email)
    for (const [guess, reason] of [
      ['12', 'not-a-code'],
      [otherCode(code), 'wrong-code'],
      [otherCode(code), 'wrong-code'],
      [otherCode(code), 'wrong-code'],
      [otherCode(code), 'wrong-code'],
      [otherCode(code), 'last-wrong-code'],
      [code, 'no-code'],
    ] as const) {
      const { answer, lines } = await attempt(client, email, guess)
      const id = answer.headers.get('x-request-id')
      expect(answer.body).toEqual({ error: 'This code is not valid.', code: 'invalid_credentials' })
      expect(lines).toEqual([
        `Login failed: /api/v1/passwordless/authenticate app=${openApp} reason=${reason} request=${id}`,
      ])
      expect(lines.join()).not.toContain(email)
    }
  })

  test('failed logins: an expired code and an address without a code have reasons of their own', async () => {
    const client = new Client(world)
    const email = newAddress()
    expect((await attempt(client, newAddress(), '123456')).lines).toEqual([
      expect.stringContaining('reason=no-code'),
    ])
    const code = await client.codeFor(email)
    world.clock.pass(minutes(11))
    expect((await attempt(client, email, code)).lines).toEqual([
      expect.stringContaining('reason=code-expired'),
    ])
  })

  test('failed logins: the id is the one that a proxy has given, if that is one', async () => {
    const email = newAddress()
    for (const [given, isTaken] of [
      ['3f-7.a_B', true],
      ['a b', false],
      ['x'.repeat(65), false],
      ['a;b=c', false],
    ] as const) {
      const client = new Client(world, { headers: { 'x-request-id': given } })
      const { answer, lines } = await attempt(client, email, '000000')
      const id = answer.headers.get('x-request-id')
      expect([given, id === given]).toEqual([given, isTaken])
      expect(lines[0]).toContain(`request=${id}`)
    }
  })

  test('failed logins: a login that succeeds leaves none', async () => {
    world.logged.splice(0)
    expect((await new Client(world).login(newAddress())).status).toBe(200)
    expect(world.logged).toEqual([])
  })
})
