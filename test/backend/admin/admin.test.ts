import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codeAddresses } from '../../../demo/backend/codes/tables.ts'
import { sessions } from '../../../demo/backend/sessions/tables.ts'
import { accounts } from '../../../demo/backend/users/tables.ts'
import { Client } from '../support/client.ts'
import { Vault, verdict } from '../support/embedded-world.ts'
import { enrolApp, mfaApp } from '../support/mfa-world.ts'
import { minutes, newAddress, seconds, site, startWorld, stores, type World } from '../support/world.ts'

const key = 'a-long-random-key-of-the-operator'
const sha256 = createHash('sha256').update(key).digest('hex')
const app = { ...mfaApp, adminKeys: [{ name: 'support desk', sha256 }], signup: true }
const closed = { ...app, id: 'latchkey-test-factors-009', signup: false }
const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`

describe.each(stores)('the admin API on $name', (store) => {
  let world: World
  beforeAll(async () => {
    world = await startWorld(store, { moreApps: [app, closed] })
  })
  afterAll(() => world?.stop())

  async function ask(
    method: string,
    path: string,
    { body, as = basic(app.id, key), origin }: { body?: object; as?: string; origin?: string } = {},
  ) {
    const headers = {
      authorization: as,
      'content-type': 'application/json',
      ...(origin && { origin }),
    }
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const connection = { incoming: { socket: { remoteAddress: '10.9.8.7' } } }
    const answer = await world.backend.api.request(`/api/admin/v1/${path}`, init, connection)
    const text = await answer.text()
    // biome-ignore lint/suspicious/noExplicitAny: what the tests look into is the wire's JSON, whatever it may be
    return { status: answer.status, body: JSON.parse(text) as any, text, headers: answer.headers }
  }
  async function somebody() {
    const page = new Client(world, { appId: app.id })
    const email = newAddress()
    const { body } = await page.login(email)
    return { page, email, id: body.user.id as string }
  }
  const auditOf = async (id: string) => (await ask('GET', `audit?user=${id}`)).body.entries
  const actionsOf = async (id: string) =>
    (await auditOf(id))
      .map(({ action }: { action: string }) => action)
      .filter((each: string) => each !== 'admin-read')

  test('attaches an account after a check: it logs in, is told, and is not confirmed', async () => {
    const { id, email } = await somebody()
    const vault = await Vault.open(world, { appId: app.id })
    await vault.create()
    const attach = (user: string, account: object) =>
      ask('POST', `users/${user}/accounts`, { body: { account } })
    const number = '+4915123456789'
    const done = await attach(vault.userId, { type: 'phone', phoneNumber: number })
    expect(done.status).toBe(200)
    expect(done.body.linked_accounts.map(({ type }: { type: string }) => type)).toContain('phone')
    const [row] = await world.backend.database.select().from(accounts).where(eq(accounts.subject, number))
    expect([row?.userId, row?.confirmedAt, row?.linkedAt]).toEqual([vault.userId, null, world.clock.now])
    const { address } = done.body.linked_accounts[0]
    await expect
      .poll(() => world.mailbox.messages().find(({ to }) => to === address)?.subject)
      .toBe(`A way to log in was added at ${app.name}`)
    expect(await actionsOf(vault.userId)).toContain('account-attached')

    const refusals = [
      await attach(id, { type: 'phone', phoneNumber: number }),
      await attach(vault.userId, { type: 'phone', phoneNumber: number }),
      await attach(vault.userId, { type: 'email', address: email }),
      await attach(vault.userId, { type: 'email', address: newAddress() }),
      await attach('did:latchkey:nobody', { type: 'email', address: newAddress() }),
      await attach(id, { type: 'email', address: 'no address' }),
    ]
    expect(refusals.map(({ body }) => body.code)).toEqual([
      'linked_to_another_user',
      'resource_conflict',
      'linked_to_another_user',
      'cannot_link_more_of_type',
      'linked_account_not_found',
      'invalid_data',
    ])
  })

  test('opens to a key of the app and to nothing else, and never to a page', async () => {
    expect((await ask('GET', 'users')).status).toBe(200)
    for (const as of [
      '',
      'Basic x',
      basic(app.id, 'wrong'),
      basic('unknown', key),
      basic('latchkey-demo-open-000001', key),
      `Bearer ${key}`,
    ])
      expect([as, ...verdict((await ask('GET', 'users', { as })) as never)]).toEqual([
        as,
        401,
        'missing_or_invalid_token',
      ])
    expect(verdict((await ask('GET', 'users', { origin: site })) as never)).toEqual([403, 'invalid_origin'])
    const { page } = await somebody()
    const asUser = await world.backend.api.request('/api/admin/v1/users', {
      headers: { authorization: `Bearer ${page.token}`, 'privy-app-id': app.id },
    })
    expect(asUser.status).toBe(401)
    const many = await Promise.all(
      Array.from({ length: 40 }, () => ask('GET', 'users', { as: basic(app.id, 'x') })),
    )
    expect(many.some(({ status }) => status === 429)).toBe(true)
    // Whoever has the key is not kept out by those who have not.
    expect((await ask('GET', 'users')).status).toBe(200)
  })

  test('shows users, page by page, and none of their secrets', async () => {
    const people = [await somebody(), await somebody(), await somebody()]
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { body }: { body: { users: { id: string }[]; next_cursor: string | null } } = await ask(
        'GET',
        `users?limit=2&cursor=${encodeURIComponent(cursor)}`,
      )
      expect(body.users.length).toBeLessThanOrEqual(2)
      seen.push(...body.users.map(({ id }) => id))
      cursor = body.next_cursor
    }
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen).toEqual(expect.arrayContaining(people.map(({ id }) => id)))
    expect((await ask('GET', 'users?limit=0')).status).toBe(400)

    const vault = await Vault.open(world, { appId: app.id })
    const root = await vault.create(undefined, { recovery: await vault.password() })
    const { secret } = await enrolApp(vault)
    const one = await ask('GET', `users/${vault.userId}`)
    expect(one.body).toMatchObject({ id: vault.userId, mfa_methods: [{ type: 'totp' }] })
    expect(one.body.sessions).toEqual([
      {
        id: expect.any(String),
        name: expect.any(String),
        place: expect.any(String),
        created_at: expect.any(Number),
        last_used_at: expect.any(Number),
      },
    ])
    const releases = await ask('GET', `users/${vault.userId}/releases`)
    expect(releases.body.releases).toEqual(
      expect.arrayContaining([{ at: expect.any(Number), what: 'device-enrolled' }]),
    )
    for (const { text } of [one, releases, await ask('GET', `audit?user=${vault.userId}`)])
      for (const hidden of [secret, root.body.auth_share, vault.refreshToken, vault.token ?? ''])
        expect(text).not.toContain(hidden)
    expect(verdict((await ask('GET', 'users/did:latchkey:nobody')) as never)).toEqual([
      404,
      'linked_account_not_found',
    ])
    // Another app's key does not see them.
    const foreign = await ask('GET', `users/${vault.userId}`, { as: basic(closed.id, key) })
    expect(foreign.status).toBe(404)
  })

  test('finds somebody by any account of theirs, however it is written', async () => {
    const vault = await Vault.open(world, { appId: app.id })
    const { key: wallet } = await vault.create()
    const { address } = (await vault.page().get('users/me')).body.user.linked_accounts[0]
    const find = async (type: string, value: string) =>
      (await ask('POST', 'users/find', { body: { type, value } })).body
    expect((await find('email', ` ${address.toUpperCase()} `)).user.id).toBe(vault.userId)
    expect((await find('wallet', wallet.address.toLowerCase())).user.id).toBe(vault.userId)
    expect(await find('email', newAddress())).toEqual({ user: null })
    expect((await ask('POST', 'users/find', { body: { type: 'guest', value: 'x' } })).status).toBe(400)
  })

  test('makes users who can log in, also where nobody may sign up', async () => {
    const email = newAddress()
    const as = basic(closed.id, key)
    const accounts = [
      { type: 'email', address: email },
      { type: 'custom_auth', custom_user_id: 'number 7' },
    ]
    const made = await ask('POST', 'users', { as, body: { linked_accounts: accounts } })
    expect(made.body.linked_accounts).toMatchObject(accounts)
    const page = new Client(world, { appId: closed.id })
    expect((await page.login(email)).body.user.id).toBe(made.body.id)
    expect((await new Client(world, { appId: closed.id }).login(newAddress())).status).toBe(403)
    const again = await ask('POST', 'users', { as, body: { linked_accounts: accounts } })
    expect(verdict(again as never)).toEqual([400, 'resource_conflict'])
    for (const bad of [[], [{ type: 'email', address: 'none' }], [{ type: 'guest' }]])
      expect((await ask('POST', 'users', { as, body: { linked_accounts: bad } })).status).toBe(400)
    // An id that no login of the app's own can bring is not cut down to somebody else's.
    const custom = (custom_user_id: string) =>
      ask('POST', 'users', { as, body: { linked_accounts: [{ type: 'custom_auth', custom_user_id }] } })
    expect(verdict((await custom('x'.repeat(256))) as never)).toEqual([400, 'invalid_data'])
    expect((await custom('x'.repeat(255))).status).toBe(200)
  })

  test('deletes users, whose session and link under way end with that, and keeps wallets for a while', async () => {
    const { page, id, email } = await somebody()
    const next = newAddress()
    const code = await page.codeFor(next)
    expect((await ask('DELETE', `users/${id}`)).body).toEqual({ restorable: false })
    const link = await page.post('passwordless/update', { oldAddress: email, newAddress: next, code })
    expect(verdict(link)).toEqual([401, 'missing_or_invalid_token'])
    expect((await ask('DELETE', `users/${id}`)).status).toBe(404)
    const vault = await Vault.open(world, { appId: app.id })
    await vault.create()
    expect((await ask('DELETE', `users/${vault.userId}`)).body).toEqual({ restorable: true })
    expect((await vault.page().get('users/me')).status).toBe(401)
    expect(await actionsOf(vault.userId)).toEqual(['user-removed', 'device-enrolled', 'login'])
  })

  test('ends all sessions of somebody', async () => {
    const { page, id } = await somebody()
    expect((await ask('POST', `users/${id}/end_sessions`)).body).toEqual({ ended: 1 })
    expect((await page.get('users/me')).status).toBe(401)
    expect((await ask('POST', `users/${id}/end_sessions`)).body).toEqual({ ended: 0 })
  })

  test('takes second factors off somebody who has lost them all, and tells them', async () => {
    const vault = await Vault.open(world, { appId: app.id })
    const root = await vault.create()
    const totp = await enrolApp(vault)
    await vault.post('mfa/recovery_codes/generate', {}, await totp.proof('factors'))
    world.clock.pass(minutes(16))
    const share = () =>
      vault.post(`embedded_wallets/${root.key.address}/auth_share`, { set_ids: [root.setId] })
    expect((await share()).status).toBe(401)
    const others = { as: basic(closed.id, key) }
    expect((await ask('DELETE', `users/${vault.userId}/factors`, others)).status).toBe(404)
    expect((await ask('DELETE', `users/${vault.userId}/factors`)).body).toEqual({ removed: ['totp'] })
    const { user } = (await vault.page().get('users/me')).body
    expect(user.mfa_methods).toEqual([])
    expect((await vault.post('mfa/totp/verify', { code: totp.code() })).status).toBe(422)
    expect((await share()).status).toBe(200)
    expect((await actionsOf(vault.userId))[0]).toBe('factor-removed')
    const { address } = user.linked_accounts[0]
    await expect
      .poll(() =>
        world.mailbox
          .messages()
          .filter(({ to }) => to === address)
          .map(({ subject }) => subject),
      )
      .toContainEqual(expect.stringContaining('removed'))
    expect((await ask('DELETE', `users/${vault.userId}/factors`)).body).toEqual({ removed: [] })
  })

  test('forgets the wrong codes of others that keep somebody out, at their address and of their second factor', async () => {
    const { email, id } = await somebody()
    // As eighty guesses of the last days leave it.
    const failed = Array.from({ length: 80 }, (_, at) => world.clock.now - minutes(120 + at))
    const own = eq(codeAddresses.address, email)
    await world.backend.database.update(codeAddresses).set({ failed, sources: [] }).where(own)
    await world.backend.database.update(sessions).set({ createdAt: world.clock.now - minutes(300) })
    const away = new Client(world, { appId: app.id })
    const begin = async () => (await away.post('passwordless/init', { email })).status
    expect(await begin()).toBe(429)
    expect((await ask('POST', `users/${id}/forget_tries`)).body).toEqual({ forgotten: ['email'] })
    expect((await away.login(email)).status).toBe(200)
    expect((await actionsOf(id)).slice(0, 2)).toEqual(['login', 'tries-forgotten'])

    const vault = await Vault.open(world, { appId: app.id })
    const totp = await enrolApp(vault)
    const wrong = () => vault.post('mfa/totp/verify', { code: '000000' })
    for (let tries = 0; tries < 4; tries++) await wrong()
    world.clock.pass(seconds(10))
    for (let tries = 0; tries < 4; tries++) await wrong()
    expect((await totp.verify()).status).toBe(429)
    expect((await ask('POST', `users/${vault.userId}/forget_tries`)).body).toEqual({
      forgotten: ['email', 'factors'],
    })
    expect((await totp.verify()).status).toBe(200)
    expect((await ask('POST', 'users/did:latchkey:nobody/forget_tries')).status).toBe(404)
    const others = { as: basic(closed.id, key) }
    expect((await ask('POST', `users/${id}/forget_tries`, others)).status).toBe(404)
  })

  test('has in its log what people, operators and the server did, the newest first', async () => {
    const vault = await Vault.open(world, { appId: app.id })
    const page = vault.page()
    const totp = await enrolApp(vault)
    await vault.post('mfa/recovery_codes/generate', {}, await totp.proof('factors'))
    await vault.post('mfa/totp/unenroll', {}, await totp.proof('factors'))
    const { linked_accounts } = (await page.get('users/me')).body.user
    const newOne = newAddress()
    const body = {
      oldAddress: linked_accounts[0].address,
      newAddress: newOne,
      code: await page.codeFor(newOne),
    }
    expect((await page.post('passwordless/update', body)).status).toBe(200)
    world.clock.pass(seconds(31))
    const other = new Client(world, { appId: app.id })
    await other.login(newOne)
    expect((await other.post('users/me/sessions/end_others')).status).toBe(200)
    await other.post('sessions/logout')
    await ask('GET', `users/${vault.userId}`)
    const entries = await auditOf(vault.userId)
    expect(entries.map(({ action }: { action: string }) => action)).toEqual([
      ...['admin-read', 'logout', 'sessions-ended', 'login', 'account-updated', 'factor-removed'],
      ...['recovery-codes-made', 'factor-added', 'device-enrolled', 'login'],
    ])
    expect(entries[0]).toEqual({
      id: expect.any(Number),
      at: Math.floor(world.clock.now / 1_000),
      action: 'admin-read',
      actor: { type: 'admin', name: 'support desk' },
      user: vault.userId,
      place: '10.9.8.0/24',
      details: { what: 'user' },
    })
    expect(entries.at(-1)).toMatchObject({
      actor: { type: 'user', name: vault.userId },
      details: { type: 'email', isNewUser: true },
      place: expect.stringMatching(/^10\..*\/24$/),
    })
    const rest = await ask('GET', `audit?user=${vault.userId}&cursor=${entries[8].id}`)
    expect(rest.body).toMatchObject({ entries: [{ action: 'login' }], next_cursor: null })
    world.clock.pass(minutes(1))
  })
})
