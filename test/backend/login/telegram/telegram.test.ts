import { existsSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { telegramHash, webAppSecret, widgetSecret } from '../../../../demo/backend/login/telegram/login.ts'
import { personNamed, signWebApp } from '../../../../demo/world/telegram/sign.ts'
import { crowd } from '../../../support/soak.ts'
import {
  botToken,
  listedApp,
  noBotApp,
  otherBotApp,
  plainBotApp,
  telegramApps,
  telegramClient,
  webAppFields,
  webAppOf,
  widgetOf,
} from '../../support/telegram-world.ts'
import { minutes, newAddress, seconds, startWorld, stores, type World } from '../../support/world.ts'

const path = 'telegram/authenticate'
let names = 0
/** Somebody who was never here. */
const newName = () => `Person ${++names} of ${process.pid}`

describe.each(stores)('login with Telegram on $name', (store) => {
  let world: World
  beforeAll(async () => {
    world = await startWorld(store, { moreApps: telegramApps })
  })
  afterAll(() => world?.stop())

  const forms = { widget: widgetOf, 'mini app': webAppOf } as const
  type Form = keyof typeof forms
  const both = Object.keys(forms) as Form[]

  test.each(both)('what the %s gives makes a user, and the same user again', async (form) => {
    const name = newName()
    const client = telegramClient(world)
    const first = await client.post(path, { ...forms[form](world, name), mode: 'login-or-sign-up' })
    expect(first.status).toBe(200)
    expect(first.body).toMatchObject({ is_new_user: true, session_update_action: 'set' })
    const { id, first_name, last_name, username } = personNamed(name)
    expect(first.body.user.linked_accounts).toEqual([
      {
        type: 'telegram',
        telegram_user_id: String(id),
        first_name,
        last_name,
        username,
        photo_url: null,
        verified_at: expect.any(Number),
        first_verified_at: expect.any(Number),
        latest_verified_at: expect.any(Number),
      },
    ])
    world.clock.pass(seconds(5))
    const again = await telegramClient(world).post(path, forms[form](world, name))
    expect(again.body).toMatchObject({ is_new_user: false, user: { id: first.body.user.id } })
  })

  test('both forms are the same person', async () => {
    const name = newName()
    const widget = await telegramClient(world).post(path, widgetOf(world, name))
    const miniApp = await telegramClient(world).post(path, webAppOf(world, name))
    expect(miniApp.body.user.id).toBe(widget.body.user.id)
  })

  /** Every field changed, removed, doubled in another spelling, and strangers added. */
  function mutations(fields: Record<string, string | number>): [string, object][] {
    const found: [string, object][] = []
    for (const [key, value] of Object.entries(fields)) {
      const { [key]: _, ...without } = fields
      found.push([`${key} removed`, without])
      const others =
        typeof value === 'number'
          ? [value + 1, String(value), -value, value + 0.5, 0, null, [value]]
          : [`${value}x`, '', value.toUpperCase() === value ? `${value}!` : value.toUpperCase(), 1, null, {}]
      for (const other of others)
        if (other !== value)
          found.push([`${key} as ${JSON.stringify(other)?.slice(0, 40)}`, { ...fields, [key]: other }])
      found.push([`${key} doubled`, { ...fields, [`${key} `]: value }])
      found.push([`${key} as two lines`, { ...fields, [key]: `${value}\n${key}=${value}` }])
    }
    for (const extra of [
      'photo_url',
      'username',
      'last_name',
      'receiver',
      'start_param',
      'Hash',
      'is_premium',
    ])
      if (!(extra in fields)) found.push([`${extra} added`, { ...fields, [extra]: 'x' }])
    return found
  }

  test.each(both)('of %s data, nothing that was changed lets anybody in', async (form) => {
    const data = forms[form](world, newName())
    const [[key, fields]] = Object.entries(data) as [[string, Record<string, string | number>]]
    const tries = mutations(fields)
    expect(tries.length).toBeGreaterThan(40)
    for (const [what, changed] of tries) {
      const { status, body } = await telegramClient(world).post(path, { [key]: changed })
      expect([what, status, body.code]).toEqual([
        what,
        body.code === 'invalid_data' ? 400 : 401,
        expect.stringMatching(/^invalid_(data|credentials)$/),
      ])
    }
    // What was tried and refused is still good: nothing was used up by it.
    expect((await telegramClient(world).post(path, data)).status).toBe(200)
  })

  const unknownFields: Record<string, string>[] = [
    { receiver: '{"id":7,"type":"private","first_name":"Bo"}' },
    { chat: '{"id":-100,"type":"supergroup","title":"A"}' },
    { can_send_after: '10' },
    { start_param: 'x', receiver: '{}' },
    { chat_instance: '-5', chat_type: 'sender' },
    { signature: 'abc-_' },
    { a_field_of_next_year: 'ä = & ? %' },
    { A: '', z: ' ' },
    { is_premium: 'true' },
    { business_connection_id: '9' },
    { receiver: '{}', chat: '{}', can_send_after: '1', more_1: '1', more_2: '2' },
  ]
  test.each(unknownFields)('telegram: a mini app with the signed fields %j logs in', async (more) => {
    const data = webAppFields(signWebApp(botToken, personNamed(newName()), world.clock.now, more))
    expect((await telegramClient(world).post(path, { telegram_web_app_data: data })).status).toBe(200)
    const [name = ''] = Object.keys(more)
    const { [name]: _, ...without } = data
    for (const changed of [without, { ...data, [name]: 'changed' }])
      expect((await telegramClient(world).post(path, { telegram_web_app_data: changed })).status).toBe(401)
  })

  test('telegram: a login of the widget with signed fields that are unknown here is let in', async () => {
    const { hash: _, ...fields } = widgetOf(world, newName()).telegram_auth_result
    const signed = { ...fields, allows_write: true, level: 3, city: 'Köln' }
    const hash = telegramHash(widgetSecret(botToken), signed).toString('hex')
    const client = telegramClient(world)
    expect((await client.post(path, { telegram_auth_result: { ...signed, level: 4, hash } })).status).toBe(
      401,
    )
    expect((await client.post(path, { telegram_auth_result: { ...signed, hash } })).status).toBe(200)
  })

  test.each(['a=b', 'a b', 'a\nid', '', 'a.b'])(
    'telegram: the field name %j is refused, also signed',
    async (name) => {
      const { hash: _, ...fields } = widgetOf(world, newName()).telegram_auth_result
      const signed = { ...fields, [name]: 'x' }
      const hash = telegramHash(widgetSecret(botToken), signed).toString('hex')
      const { status } = await telegramClient(world).post(path, { telegram_auth_result: { ...signed, hash } })
      expect(status).toBe(401)
    },
  )

  test('a line break that moves the border between two fields is refused', async () => {
    const { telegram_auth_result: signed } = widgetOf(world, 'Ann Lee')
    const { last_name, ...rest } = signed
    const moved = { ...rest, id: signed.id, first_name: `${signed.first_name}\nid=${signed.id}` }
    for (const fields of [moved, { ...rest, username: `${signed.username}\nlast_name=${last_name}` }])
      expect((await telegramClient(world).post(path, { telegram_auth_result: fields })).body.code).toBe(
        'invalid_data',
      )
  })

  test('one form is not taken for the other', async () => {
    const { telegram_auth_result: widget } = widgetOf(world, newName())
    const { telegram_web_app_data: webApp } = webAppOf(world, newName())
    const client = telegramClient(world)
    for (const body of [
      {},
      { telegram_auth_result: null, telegram_web_app_data: null },
      { telegram_auth_result: widget, telegram_web_app_data: webApp },
      { telegram_auth_result: webApp },
      { telegram_web_app_data: widget },
      {
        telegram_web_app_data: {
          auth_date: widget.auth_date,
          hash: widget.hash,
          user: JSON.stringify(widget),
        },
      },
    ])
      expect((await client.post(path, body)).body.code).toMatch(/^invalid_(data|credentials)$/)
  })

  test.each(both)('%s data are good for 10 minutes, and not before their time', async (form) => {
    const at = (offset: number) => forms[form](world, newName(), world.clock.now + offset)
    const status = async (offset: number) => (await telegramClient(world).post(path, at(offset))).status
    expect(await status(-minutes(10))).toBe(200)
    expect(await status(-minutes(10) - seconds(1))).toBe(401)
    expect(await status(seconds(30))).toBe(200)
    expect(await status(seconds(31))).toBe(401)
  })

  test.each(both)(`of ${crowd} who come with the same %s data at once, one gets in`, async (form) => {
    const data = forms[form](world, newName())
    const answers = await Promise.all(
      Array.from({ length: crowd }, () => telegramClient(world).post(path, data)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(
      answers.filter(({ status, body }) => status === 401 && body.code === 'invalid_credentials'),
    ).toHaveLength(crowd - 1)
  })

  test('data of another bot are refused, and so is a login without a bot', async () => {
    const data = widgetOf(world, newName())
    expect((await telegramClient(world, otherBotApp).post(path, data)).status).toBe(401)
    const without = await telegramClient(world, noBotApp).post(path, data)
    expect([without.status, without.body.code]).toEqual([403, 'disallowed_login_method'])
  })

  test('where it is off, nobody gets in with it', async () => {
    const client = telegramClient(world, 'latchkey-demo-open-000001')
    const { status, body } = await client.post(path, widgetOf(world, newName()))
    expect([status, body.code]).toEqual([403, 'disallowed_login_method'])
  })

  test('an app for people on a list lets nobody in who shows no address', async () => {
    const client = telegramClient(world, listedApp)
    const { status, body } = await client.post(path, widgetOf(world, newName()))
    expect([status, body.code]).toEqual([401, 'allowlist_rejected'])
    const guest = await client.post('guest/authenticate', { guest_credential: 'A'.repeat(43) })
    expect(guest.body.code).toBe('allowlist_rejected')
  })

  test('a mini app logs in only where the app says so', async () => {
    const client = telegramClient(world, plainBotApp)
    const { status, body } = await client.post(path, webAppOf(world, newName()))
    expect([status, body.code]).toEqual([403, 'disallowed_login_method'])
    expect((await client.post(path, widgetOf(world, newName()))).status).toBe(200)
  })

  test('existing users only, where that is asked for', async () => {
    const name = newName()
    const only = { mode: 'no-signup' }
    const client = telegramClient(world)
    const unknown = await client.post(path, { ...widgetOf(world, name), ...only })
    expect([unknown.status, unknown.body.code]).toEqual([400, 'user_does_not_exist'])
    world.clock.pass(seconds(1))
    await client.post(path, widgetOf(world, name))
    world.clock.pass(seconds(1))
    expect((await client.post(path, { ...widgetOf(world, name), ...only })).status).toBe(200)
  })

  test('an account is linked, is unlinked, and is never the last one to go', async () => {
    const client = telegramClient(world)
    const name = newName()
    await client.login(newAddress())
    const linked = await client.post('telegram/link', widgetOf(world, name))
    expect(linked.body.linked_accounts.map(({ type }: { type: string }) => type)).toEqual([
      'email',
      'telegram',
    ])
    const id = { telegram_user_id: String(personNamed(name).id) }
    const unlinked = await client.post('telegram/unlink', id)
    expect(unlinked.body.linked_accounts).toHaveLength(1)
    expect((await client.post('telegram/unlink', id)).body.code).toBe('linked_account_not_found')

    const sole = telegramClient(world)
    const other = newName()
    sole.token = (await sole.post(path, widgetOf(world, other))).body.token
    const last = await sole.post('telegram/unlink', { telegram_user_id: String(personNamed(other).id) })
    expect(last.body.code).toBe('cannot_unlink_sole_account')
  })

  test('nothing is linked where the app does not want it, or by nobody', async () => {
    const client = telegramClient(world, plainBotApp)
    await client.login(newAddress())
    expect((await client.post('telegram/link', widgetOf(world, newName()))).body.code).toBe(
      'feature_not_enabled',
    )
    const nobody = await telegramClient(world).post('telegram/link', widgetOf(world, newName()))
    expect(nobody.body.code).toBe('missing_or_invalid_token')
  })

  test('an account of somebody else is taken over with the very data that proved it, once', async () => {
    const name = newName()
    const owner = await telegramClient(world).post(path, widgetOf(world, name))
    world.clock.pass(seconds(1))
    const client = telegramClient(world)
    const mine = await client.login(newAddress())
    const data = widgetOf(world, name)
    const refused = await client.post('telegram/link', data)
    expect(refused.body).toMatchObject({
      code: 'account_transfer_required',
      data: { account: { displayName: `@${personNamed(name).username}` } },
    })
    const { nonce } = refused.body.data
    const forged = { telegram_auth_result: { ...data.telegram_auth_result, id: 1 } }
    expect((await client.post('telegram/transfer', { nonce, ...forged })).status).toBe(401)
    const moved = await client.post('telegram/transfer', { nonce, ...data })
    expect([moved.status, moved.body.id]).toEqual([200, mine.body.user.id])
    expect(moved.body.linked_accounts).toHaveLength(2)
    expect((await client.post('telegram/transfer', { nonce, ...data })).status).toBe(401)
    const gone = telegramClient(world)
    gone.token = owner.body.token
    expect((await gone.get('users/me')).status).toBe(401)
  })

  test('the login script is there for every page, and opens the address of the settings', async () => {
    const answer = await world.backend.api.request('/js/telegram-login.js')
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'public, max-age=3600',
      'x-content-type-options': 'nosniff',
    })
    const text = await answer.text()
    expect(text).toContain('"https://oauth.telegram.org"')
    expect(text.length).toBeLessThan(4_000)
  })

  test('the app’s configuration names the bot and keeps its token', async () => {
    const { text, body } = await telegramClient(world).get('apps/latchkey-test-telegram-01')
    expect(body.telegram_auth_config).toMatchObject({
      bot_id: '123456789',
      bot_name: 'latchkey_bot',
      link_enabled: true,
      seamless_auth_enabled: true,
    })
    expect(text).not.toContain('TEST-TOKEN')
  })
})

const vectors = new URL('../../../../../shared/vectors/telegram/telegram-hash-fixture.json', import.meta.url)

test.skipIf(!existsSync(vectors))('the published hashes of both forms come out', () => {
  const { bot_token, widget, mini_app } = JSON.parse(readFileSync(vectors, 'utf8'))
  const hex = (secret: Buffer, { fields }: { fields: object }) => telegramHash(secret, fields).toString('hex')
  expect(hex(widgetSecret(bot_token), widget)).toBe(widget.hash)
  expect(hex(webAppSecret(bot_token), mini_app)).toBe(mini_app.hash)
  expect(hex(webAppSecret(bot_token), widget)).not.toBe(widget.hash)
})
