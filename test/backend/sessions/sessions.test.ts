import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { crowd } from '../../support/soak.ts'
import { Client } from '../support/client.ts'
import {
  days,
  hours,
  minutes,
  newAddress,
  openApp,
  seconds,
  startWorld,
  stores,
  type World,
} from '../support/world.ts'

describe.each(stores)('sessions on $name', (store) => {
  let world: World
  beforeAll(async () => {
    world = await startWorld(store)
  })
  afterAll(() => world?.stop())

  async function loggedIn(options = {}) {
    const client = new Client(world, options)
    const { body } = await client.login(newAddress())
    return { client, body, refreshToken: body.refresh_token as string }
  }
  const refresh = (client: Client, refreshToken?: string) =>
    client.post('sessions', refreshToken === undefined ? {} : { refresh_token: refreshToken })
  const alive = async (client: Client, token: string) =>
    (await client.get('users/me', { authorization: `Bearer ${token}` })).status === 200
  const ended = [401, 'missing_or_invalid_token']

  describe('that a compatible client holds itself', () => {
    test('are refreshed with the old bearer expired, and the refresh token rotates', async () => {
      const { client, body, refreshToken } = await loggedIn()
      world.clock.pass(hours(2))
      expect(await alive(client, body.token)).toBe(false)
      const next = await refresh(client, refreshToken)
      expect(next.status).toBe(200)
      expect(next.body).toEqual({
        ...body,
        token: expect.any(String),
        privy_access_token: expect.any(String),
        identity_token: expect.any(String),
        refresh_token: expect.stringMatching(/^[\w-]{43}$/),
        is_new_user: undefined,
      })
      expect(next.body.refresh_token).not.toBe(refreshToken)
      expect(await alive(client, next.body.token)).toBe(true)
      expect(next.headers.getSetCookie()).toEqual([])
    })

    test('get the same child for 30 s, however often and in parallel', async () => {
      const { client, refreshToken } = await loggedIn()
      const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(client, refreshToken)))
      world.clock.pass(seconds(29))
      answers.push(await refresh(client, refreshToken))
      expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1)
      expect(answers.every(({ status }) => status === 200)).toBe(true)
    })

    test('are not sent back to a child that is in use already', async () => {
      const { client, refreshToken } = await loggedIn()
      const child = (await refresh(client, refreshToken)).body.refresh_token
      world.clock.pass(seconds(5))
      const grandchild = (await refresh(client, child)).body.refresh_token
      world.clock.pass(seconds(5))
      expect((await refresh(client, refreshToken)).body.refresh_token).toBe(grandchild)
      world.clock.pass(minutes(5))
      expect((await refresh(client, grandchild)).status).toBe(200)
    })

    test('are revoked with the whole family when a rotated token comes back later', async () => {
      const { client, refreshToken } = await loggedIn()
      const next = await refresh(client, refreshToken)
      world.clock.pass(seconds(30))
      const replayed = await refresh(client, refreshToken)
      expect([replayed.status, replayed.body.code]).toEqual(ended)
      const thief = await refresh(client, next.body.refresh_token)
      expect([thief.status, thief.body.code]).toEqual(ended)
      expect(await alive(client, next.body.token)).toBe(false)
    })

    test('end 30 days after their last use, and 90 days after login in any case', async () => {
      const idle = await loggedIn()
      world.clock.pass(days(30))
      expect((await refresh(idle.client, idle.refreshToken)).status).toBe(401)
      const busy = await loggedIn()
      let token = busy.refreshToken
      for (let month = 0; month < 3; month++) {
        world.clock.pass(days(29))
        token = (await refresh(busy.client, token)).body.refresh_token
      }
      expect(token).toMatch(/^[\w-]{43}$/)
      world.clock.pass(days(3))
      expect((await refresh(busy.client, token)).status).toBe(401)
    })

    test('may be refreshed 60 times in five minutes', async () => {
      const { client, refreshToken } = await loggedIn()
      let token = refreshToken
      for (let count = 0; count < 60; count++) {
        world.clock.pass(seconds(1))
        token = (await refresh(client, token)).body.refresh_token
      }
      const limited = await refresh(client, token)
      expect([limited.status, limited.body.code]).toEqual([429, 'too_many_requests'])
      expect(limited.headers.get('retry-after')).toBe('241')
      world.clock.pass(seconds(241))
      expect((await refresh(client, token)).status).toBe(200)
    })

    test('are refused without a token, with an unknown one, and in another app', async () => {
      const { client, refreshToken } = await loggedIn()
      for (const answer of [
        await refresh(client),
        await refresh(client, 'unknown'),
        await refresh(client, 'deprecated'),
        await refresh(new Client(world, { appId: 'latchkey-demo-terms-00002' }), refreshToken),
        await client.post('sessions', { refresh_token: null }),
      ])
        expect([answer.status, answer.body.code]).toEqual(ended)
      expect((await client.post('sessions', { refresh_token: 7 })).status).toBe(400)
      expect((await refresh(client, refreshToken)).status).toBe(200)
    })

    test('end by logout, which takes what it gets', async () => {
      const { client, body, refreshToken } = await loggedIn()
      const out = () => client.post('sessions/logout', { refresh_token: refreshToken })
      const first = await out()
      expect([first.status, first.body]).toEqual([200, {}])
      const second = await out()
      expect([second.status, second.body.code]).toEqual([400, 'already_logged_out'])
      expect((await refresh(client, refreshToken)).status).toBe(401)
      expect(await alive(client, body.token)).toBe(false)
      const stranger = new Client(world)
      for (const unknown of [{ refresh_token: 'unknown' }, { refresh_token: null }, {}])
        expect((await stranger.post('sessions/logout', unknown)).body).toEqual({})
    })

    test('end by logout with the access token alone, even an expired one', async () => {
      const { client, refreshToken } = await loggedIn()
      world.clock.pass(hours(2))
      expect((await client.post('sessions/logout', { refresh_token: null })).body).toEqual({})
      expect((await client.post('sessions/logout', { refresh_token: null })).body).toEqual({})
      expect((await refresh(client, refreshToken)).status).toBe(401)
    })
  })

  describe('that our kit keeps in a cookie', () => {
    const cookie = `privy-refresh-token-${openApp}`

    test('are refreshed and logged out with an empty body', async () => {
      const { client } = await loggedIn({ kit: true })
      const before = client.cookies.get(cookie)
      const next = await refresh(client)
      expect([next.status, next.body.refresh_token]).toEqual([200, 'deprecated'])
      expect(client.cookies.get(cookie)).not.toBe(before)
      expect((await client.post('sessions', { refresh_token: 'deprecated' })).status).toBe(200)
      expect((await client.post('sessions/logout')).body).toEqual({})
      expect(client.cookies.has(cookie)).toBe(false)
      const over = await refresh(client)
      expect([over.status, over.body]).toEqual([
        200,
        {
          user: null,
          token: null,
          privy_access_token: null,
          refresh_token: null,
          session_update_action: 'clear',
        },
      ])
    })

    test('lose the cookie with the session', async () => {
      const { client } = await loggedIn({ kit: true })
      const old = client.cookies.get(cookie) ?? ''
      await refresh(client)
      world.clock.pass(minutes(1))
      client.cookies.set(cookie, old)
      const replayed = await refresh(client)
      expect([replayed.status, replayed.body.code]).toEqual(ended)
      expect(client.cookies.has(cookie)).toBe(false)
    })

    test('are not at the service of other pages', async () => {
      const { client } = await loggedIn({ kit: true })
      const from = (origin: string) => client.post('sessions', {}, { origin })
      for (const origin of [
        'https://evil.example',
        'null',
        'http://localhost.evil.example',
        'https://localhost:3000',
      ])
        expect([(await from(origin)).status, (await from(origin)).body.code]).toEqual([403, 'invalid_origin'])
      const { origin: _, ...headers } = client.headers()
      const none = await client.request('/api/v1/sessions', { method: 'POST', body: '{}', headers })
      expect([none.status, none.body.code]).toEqual([403, 'missing_origin'])
    })

    test('do not mix with those of another app on the same page', async () => {
      const { client } = await loggedIn({ kit: true })
      const answer = await client.post('sessions', {}, { 'privy-app-id': 'latchkey-demo-terms-00002' })
      expect(answer.body.session_update_action).toBe('clear')
    })
  })

  describe('that are forked', () => {
    test('go on in both places', async () => {
      const { client, body, refreshToken } = await loggedIn()
      const fork = await client.post('sessions/fork', { refresh_token: refreshToken })
      expect(fork.body).toEqual({
        token: expect.any(String),
        refresh_token: expect.any(String),
        new_session_refresh_token: expect.stringMatching(/^[\w-]{43}$/),
      })
      expect((await refresh(client, fork.body.refresh_token)).status).toBe(200)
      const there = new Client(world)
      const forked = { refresh_token: fork.body.new_session_refresh_token }
      const recovered = await there.post('sessions/fork/recover', forked)
      expect([recovered.status, recovered.body.user.id]).toEqual([200, body.user.id])
      expect((await refresh(there, recovered.body.refresh_token)).status).toBe(200)
      const again = await there.post('sessions/fork/recover', forked)
      expect([again.status, again.body.code]).toEqual([400, 'token_already_used'])
    })

    test.each(['logout', 'reuse', 'ended'])(
      'a fork, and a fork of it, end with their login: %s',
      async (how) => {
        const { client, refreshToken } = await loggedIn()
        const fork = async (token: string) => {
          const { body } = await client.post('sessions/fork', { refresh_token: token })
          const there = new Client(world)
          const recovered = await there.post('sessions/fork/recover', {
            refresh_token: body.new_session_refresh_token,
          })
          return { there, login: body.refresh_token as string, ...recovered.body }
        }
        const first = await fork(refreshToken)
        const second = await fork(first.refresh_token)
        expect(await alive(second.there, second.token)).toBe(true)
        const apart = await loggedIn()
        if (how === 'logout') await client.post('sessions/logout', { refresh_token: first.login })
        else if (how === 'reuse') {
          await refresh(client, first.login)
          world.clock.pass(minutes(1))
          expect((await refresh(client, first.login)).status).toBe(401)
        } else {
          const bearer = { authorization: `Bearer ${second.token}` }
          const { body } = await second.there.get('users/me/sessions', bearer)
          const oldest = body.sessions.toSorted(
            (one: { created_at: number }, other: { created_at: number }) => one.created_at - other.created_at,
          )
          const own = oldest.find(({ current }: { current: boolean }) => current)
          for (const { id } of oldest)
            if (id !== own.id) await second.there.post(`users/me/sessions/${id}/end`, {}, bearer)
        }
        for (const { there, refresh_token } of [first, second])
          expect((await refresh(there, refresh_token)).status).toBe(401)
        expect((await refresh(apart.client, apart.refreshToken)).status).toBe(200)
      },
    )

    test('a fork that is logged out leaves its login', async () => {
      const { client, refreshToken } = await loggedIn()
      const fork = await client.post('sessions/fork', { refresh_token: refreshToken })
      const there = new Client(world)
      const recovered = await there.post('sessions/fork/recover', {
        refresh_token: fork.body.new_session_refresh_token,
      })
      await there.post('sessions/logout', { refresh_token: recovered.body.refresh_token })
      expect((await refresh(there, recovered.body.refresh_token)).status).toBe(401)
      expect((await refresh(client, fork.body.refresh_token)).status).toBe(200)
    })

    test('are taken over within a minute, by the same app, while the first one lasts', async () => {
      const recover = (client: Client, token: string) =>
        client.post('sessions/fork/recover', { refresh_token: token })
      const { client, refreshToken } = await loggedIn()
      const first = await client.post('sessions/fork', { refresh_token: refreshToken })
      const elsewhere = new Client(world, { appId: 'latchkey-demo-terms-00002' })
      const foreign = await recover(elsewhere, first.body.new_session_refresh_token)
      expect([foreign.status, foreign.body.code]).toEqual(ended)
      world.clock.pass(minutes(1))
      const late = await recover(client, first.body.new_session_refresh_token)
      expect([late.status, late.body.code]).toEqual(ended)
      const second = await client.post('sessions/fork', { refresh_token: first.body.refresh_token })
      await client.post('sessions/logout', { refresh_token: second.body.refresh_token })
      const over = await recover(client, second.body.new_session_refresh_token)
      expect([over.status, over.body.code]).toEqual(ended)
      expect((await recover(client, second.body.refresh_token)).status).toBe(401)
    })

    test(`let one of ${crowd} who bring the forked token at once take over`, async () => {
      const { client, refreshToken } = await loggedIn()
      const fork = await client.post('sessions/fork', { refresh_token: refreshToken })
      const forked = { refresh_token: fork.body.new_session_refresh_token }
      // What opens a session somewhere else continues none, and opens nothing.
      expect((await refresh(new Client(world), forked.refresh_token)).status).toBe(401)
      world.clock.pass(minutes(1) - 1)
      const answers = await Promise.all(
        Array.from({ length: crowd }, () => new Client(world).post('sessions/fork/recover', forked)),
      )
      const outcomes = answers.map(({ status, body }) => `${status} ${body.code ?? 'welcome'}`).sort()
      expect(outcomes).toEqual(['200 welcome', ...Array<string>(crowd - 1).fill('400 token_already_used')])
    })

    test('continue after a lost answer when the same action is repeated', async () => {
      const { client, refreshToken } = await loggedIn()
      const fork = await client.post('sessions/fork', { refresh_token: refreshToken })
      const forked = { refresh_token: fork.body.new_session_refresh_token }
      const there = new Client(world)
      const take = () => there.post('sessions/fork/recover', forked, { 'idempotency-key': 'take-over' })
      const [first, again] = [await take(), await take()]
      expect(first.status).toBe(200)
      expect(again.text).toBe(first.text)
    })

    test('a session in a cookie is not forked, whatever else the page sends', async () => {
      const { client, body } = await loggedIn({ kit: true })
      const bearer = { authorization: `Bearer ${body.token}` }
      const attempts = [
        () => client.post('sessions/fork'),
        () => client.post('sessions/fork', {}, bearer),
        () => client.post('sessions/fork', { refresh_token: null }),
        () => client.post('sessions/fork', { refresh_token: '' }),
        () => client.post('sessions/fork', { refresh_token: 'deprecated' }),
        () => client.post('sessions/fork', {}, { 'latchkey-session': '' }),
        () => client.post('sessions/fork', {}, { 'latchkey-session': 'body' }),
        () => client.post('sessions/fork', {}, { 'idempotency-key': 'once' }),
        () => client.post('sessions/fork', {}, { 'idempotency-key': 'once' }),
        () => client.post('sessions/fork', { refresh_token: body.token }),
      ]
      for (const attempt of attempts) {
        const { status, body } = await attempt()
        expect([status, body.new_session_refresh_token]).toEqual([expect.any(Number), undefined])
        expect([400, 401, 403]).toContain(status)
      }
      expect((await refresh(client)).status).toBe(200)
      expect((await new Client(world).post('sessions/fork')).status).toBe(401)
    })
  })
})
