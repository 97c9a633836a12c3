import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accounts } from '../../../../demo/backend/users/tables.ts'
import { crowd } from '../../../support/soak.ts'
import { Client } from '../../support/client.ts'
import { telegramApp, telegramApps, widgetOf } from '../../support/telegram-world.ts'
import { newAddress, seconds, startWorld, stores, type World } from '../../support/world.ts'

const path = 'guest/authenticate'
const newCredential = () => randomBytes(32).toString('base64url')

describe.each(stores)('guests on $name', (store) => {
  let world: World
  beforeAll(async () => {
    world = await startWorld(store, { moreApps: telegramApps })
  })
  afterAll(() => world?.stop())

  const newClient = () => new Client(world, { appId: telegramApp })
  const enter = async (credential: string, client = newClient()) => {
    const answer = await client.post(path, { guest_credential: credential })
    if (answer.status === 200) client.token = answer.body.token
    return { answer, client, id: answer.body.user?.id as string }
  }

  test('a credential makes a guest, and is the same guest again', async () => {
    const credential = newCredential()
    const { answer, id } = await enter(credential)
    expect(answer.body).toMatchObject({
      user: { is_guest: true, linked_accounts: [] },
      is_new_user: true,
      session_update_action: 'set',
    })
    const again = await enter(credential)
    expect([again.id, again.answer.body.is_new_user]).toEqual([id, false])
    expect((await enter(newCredential())).id).not.toBe(id)
  })

  test(`of ${crowd} who come with one new credential at once, all are one guest`, async () => {
    const credential = newCredential()
    const all = await Promise.all(Array.from({ length: crowd }, () => enter(credential)))
    expect(new Set(all.map(({ id }) => id)).size).toBe(1)
    expect(all.filter(({ answer }) => answer.body.is_new_user)).toHaveLength(1)
  })

  test('the credential is stored as a hash only', async () => {
    const credential = newCredential()
    const { id } = await enter(credential)
    const rows = await world.backend.database.select().from(accounts).where(eq(accounts.userId, id))
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(credential)
  })

  test('anything but 32 bytes in base64url is refused, and so is any other field', async () => {
    const good = newCredential()
    const last = `${good.slice(0, 42)}B`
    for (const body of [
      {},
      { guest_credential: '' },
      { guest_credential: null },
      { guest_credential: good.slice(1) },
      { guest_credential: `${good}A` },
      { guest_credential: `${good.slice(0, 42)}+` },
      { guest_credential: `${good.slice(0, 42)}=` },
      { guest_credential: `${good.slice(0, 42)}ü` },
      // Unused bits: another text for the same bytes.
      { guest_credential: last },
      { guest_credential: [good] },
      { guest_credential: good, mode: 'no-signup' },
      { guest_credential: good, token: 'x' },
    ]) {
      const { status, body: answer } = await newClient().post(path, body)
      expect([JSON.stringify(body), status, answer.code]).toEqual([JSON.stringify(body), 400, 'invalid_data'])
    }
  })

  test('where guests are off, there are none', async () => {
    const client = new Client(world, { appId: 'latchkey-demo-limit-00004' })
    const { answer } = await enter(newCredential(), client)
    expect([answer.status, answer.body.code]).toEqual([403, 'disallowed_login_method'])
  })

  test('a first login keeps the user, who is a guest no longer, and ends the credential', async () => {
    const credential = newCredential()
    const { client, id } = await enter(credential)
    const email = newAddress()
    const upgraded = await client.login(email)
    expect(upgraded.body).toMatchObject({ user: { id, is_guest: false }, is_new_user: false })
    expect(upgraded.body.user.linked_accounts).toMatchObject([{ type: 'email', address: email }])
    const old = await enter(credential)
    expect([old.answer.status, old.answer.body.code]).toEqual([401, 'invalid_credentials'])
    // Nor does it make a new one, however often it comes.
    expect((await enter(credential)).answer.status).toBe(401)
    expect((await new Client(world, { appId: telegramApp }).login(email)).body.user.id).toBe(id)
  })

  test('any other login upgrades as well', async () => {
    const { client, id } = await enter(newCredential())
    const upgraded = await client.post('telegram/authenticate', widgetOf(world, `Guest ${id}`))
    expect(upgraded.body).toMatchObject({ user: { id, is_guest: false }, is_new_user: false })
  })

  test('linking upgrades too', async () => {
    const credential = newCredential()
    const { client, id } = await enter(credential)
    const linked = await client.post('telegram/link', widgetOf(world, `Linker ${id}`))
    expect(linked.body).toMatchObject({ id, is_guest: false })
    expect((await enter(credential)).answer.status).toBe(401)
  })

  test('the account that upgraded a guest is not unlinked: the dead credential is no way in', async () => {
    const { client } = await enter(newCredential())
    const email = newAddress()
    client.token = (await client.login(email)).body.token
    const { body } = await client.post('passwordless/unlink', { address: email })
    expect(body.code).toBe('cannot_unlink_sole_account')
  })

  test('a guest who proves an account of somebody else may take it over, and then is somebody', async () => {
    const email = newAddress()
    const owner = await newClient().login(email)
    world.clock.pass(seconds(31))
    const credential = newCredential()
    const { client, id } = await enter(credential)
    const refused = await client.login(email)
    expect([refused.status, refused.body.code]).toEqual([400, 'account_transfer_required'])
    expect(refused.body.data.otherUser).toBeDefined()
    const { nonce } = refused.body.data
    const moved = await client.post('passwordless/transfer', { nonce, email })
    expect(moved.body).toMatchObject({ id, is_guest: false })
    expect(moved.body.id).not.toBe(owner.body.user.id)
    expect((await enter(credential)).answer.status).toBe(401)
  })

  test('of an upgrade and 20 logins of the guest at once, none leaves a second user', async () => {
    const credential = newCredential()
    const { client, id } = await enter(credential)
    const email = newAddress()
    const code = await client.codeFor(email)
    const [upgraded, ...logins] = await Promise.all([
      client.post('passwordless/authenticate', { email, code }),
      ...Array.from({ length: 20 }, () => enter(credential)),
    ])
    expect(upgraded.body.user).toMatchObject({ id, is_guest: false })
    for (const { answer } of logins)
      expect(answer.status === 200 ? answer.body.user.id : answer.status).toBe(
        answer.status === 200 ? id : 401,
      )
    expect((await enter(credential)).answer.status).toBe(401)
  })

  test('a network address makes so many guests and no more', async () => {
    const ip = '203.0.113.77'
    const statuses: number[] = []
    for (let tries = 0; tries < 32; tries++)
      statuses.push(
        (await enter(newCredential(), new Client(world, { appId: telegramApp, ip }))).answer.status,
      )
    expect(statuses.filter((status) => status === 200)).toHaveLength(30)
    expect(statuses.slice(30)).toEqual([429, 429])
  })
})
