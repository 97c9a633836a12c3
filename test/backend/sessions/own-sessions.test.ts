import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Client } from '../support/client.ts'
import { verdict } from '../support/embedded-world.ts'
import { days, minutes, newAddress, seconds, startWorld, stores, type World } from '../support/world.ts'

const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

describe.each(stores)('where somebody is logged in, on $name', (store) => {
  let world: World
  beforeAll(async () => {
    world = await startWorld(store)
  })
  afterAll(() => world?.stop())

  async function logIn(email: string, userAgent = chrome) {
    world.clock.pass(seconds(31))
    const client = new Client(world, { headers: { 'user-agent': userAgent } })
    const { body } = await client.login(email)
    return { client, refreshToken: body.refresh_token as string }
  }
  const sessionsOf = async (client: Client) => (await client.get('users/me/sessions')).body.sessions
  const isIn = async (client: Client) => (await client.get('users/me')).status === 200

  test('is seen with browser, place and time of last use', async () => {
    const email = newAddress()
    const first = await logIn(email)
    const began = Math.floor(world.clock.now / 1_000)
    const second = await logIn(email, firefox)
    world.clock.pass(minutes(5))
    await first.client.post('sessions', { refresh_token: first.refreshToken })
    const place = (client: Client) => `${client.ip.split('.').slice(0, 3).join('.')}.0/24`
    expect(await sessionsOf(second.client)).toEqual([
      {
        id: expect.any(String),
        name: 'Chrome on Windows',
        place: place(first.client),
        created_at: began,
        last_used_at: Math.floor(world.clock.now / 1_000),
        current: false,
      },
      {
        id: expect.any(String),
        name: 'Firefox on Linux',
        place: place(second.client),
        created_at: began + 31,
        last_used_at: began + 31,
        current: true,
      },
    ])
  })

  test('is ended there, one or all others, at once', async () => {
    const email = newAddress()
    const [here, there, third] = [await logIn(email), await logIn(email, firefox), await logIn(email)]
    const found = await sessionsOf(here.client)
    const firefoxes = found.filter(({ name }: { name: string }) => name === 'Firefox on Linux')
    expect((await here.client.post(`users/me/sessions/${firefoxes[0].id}/end`)).body).toEqual({})
    expect(await isIn(there.client)).toBe(false)
    const refresh = await there.client.post('sessions', { refresh_token: there.refreshToken })
    expect(verdict(refresh)).toEqual([401, 'missing_or_invalid_token'])
    const again = await here.client.post(`users/me/sessions/${firefoxes[0].id}/end`)
    expect(verdict(again)).toEqual([404, 'linked_account_not_found'])
    expect(await isIn(third.client)).toBe(true)
    expect((await here.client.post('users/me/sessions/end_others')).body).toEqual({})
    expect([await isIn(third.client), await isIn(here.client)]).toEqual([false, true])
    expect(await sessionsOf(here.client)).toHaveLength(1)
  })

  test('is nobody else’s to see or end', async () => {
    const [one, other] = [await logIn(newAddress()), await logIn(newAddress())]
    const [{ id }] = await sessionsOf(one.client)
    const answer = await other.client.post(`users/me/sessions/${id}/end`)
    expect(verdict(answer)).toEqual([404, 'linked_account_not_found'])
    await other.client.post('users/me/sessions/end_others')
    expect(await isIn(one.client)).toBe(true)
    expect((await new Client(world).get('users/me/sessions')).status).toBe(401)
  })

  test('is no session that nobody can go on with', async () => {
    const email = newAddress()
    await logIn(email)
    const logout = await logIn(email)
    await logout.client.post('sessions/logout', { refresh_token: logout.refreshToken })
    world.clock.pass(days(31))
    const { client } = await logIn(email)
    expect(await sessionsOf(client)).toHaveLength(1)
  })
})
