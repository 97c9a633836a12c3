/** Telegram and Farcaster, which have no callback at this API, in the vault's window. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AppSettings } from '../../../../demo/backend/settings/demo-apps.ts'
import { personNamed, signWidget } from '../../../../demo/world/telegram/sign.ts'
import { Vault } from '../../support/embedded-world.ts'
import {
  FarcasterClient,
  type FarcasterWorld,
  farcasterApp,
  startFarcasterWorld,
} from '../../support/farcaster-world.ts'
import {
  botToken,
  telegramApp,
  telegramApps,
  telegramClient,
  widgetOf,
} from '../../support/telegram-world.ts'
import { seconds, startWorld, stores, vaultOrigin, type World } from '../../support/world.ts'

const [store] = stores
const vaultBot = { botId: '987654321', botToken: '987654321:TEST-TOKEN-of-the-vault' }
const strictApp = 'latchkey-test-telegram-06'
const strict: AppSettings = {
  id: strictApp,
  name: 'With two bots',
  allowedDomains: ['http://localhost:*'],
  methods: ['telegram'],
  telegram: {
    botId: '123456789',
    botName: 'latchkey_bot',
    botToken,
    link: true,
    seamless: true,
    vaultBot,
  },
}

const loginOnly: AppSettings = {
  ...strict,
  id: 'latchkey-test-telegram-07',
  telegram: { botId: '123456789', botName: 'latchkey_bot', botToken, link: false, seamless: true, vaultBot },
}

async function withWallet(
  world: Pick<World, 'backend' | 'mailbox'>,
  appId: string,
  body: { token: string; user: { id: string } },
) {
  const vault = new Vault(world, { appId, origin: vaultOrigin })
  vault.token = body.token
  vault.userId = body.user.id
  expect((await vault.enrol()).status).toBe(200)
  await vault.create()
  return { vault, there: vault.elsewhere() }
}
const factorsOf = async (there: Vault) =>
  (await there.post('devices/enroll/options')).body.factors as {
    type: string
    id: string
    provider: string
  }[]
async function begin(there: Vault) {
  const factor = (await factorsOf(there)).find(({ type }) => type === 'provider')
  const answer = await there.post('devices/enroll/provider', { id: factor?.id })
  expect(answer.status).toBe(200)
  return answer.body as { url: string; state: string }
}
const finish = (there: Vault, state: string, code: string) => there.enrol({ factor: 'provider', state, code })

describe('in-vault login: Telegram', () => {
  let world: World
  beforeAll(async () => {
    world = await startWorld(store, { moreApps: [...telegramApps, strict, loginOnly] })
  })
  afterAll(() => world?.stop())
  beforeEach(() => {
    world.clock.now = Date.now()
  })
  async function user(name = 'Ann Lee', appId = strictApp) {
    const answer = await telegramClient(world, appId).post('telegram/authenticate', widgetOf(world, name))
    return withWallet(world, appId, answer.body)
  }
  const signed = (name: string, token = vaultBot.botToken, at = world.clock.now) =>
    signWidget(token, personNamed(name), at)

  test('telegram: the vault’s own bot asks for the vault’s origin, and its signature enrols the key', async () => {
    const { there } = await user()
    const { url, state } = await begin(there)
    const query = Object.fromEntries(new URL(url).searchParams)
    expect(query).toMatchObject({
      bot_id: vaultBot.botId,
      origin: vaultOrigin,
      return_to: `${vaultOrigin}/embedded-wallets/return?state=${state}`,
    })
    const { body } = await there.post('providers/answer', { state, result: signed('Ann Lee') })
    expect(body.status).toBe('answered')
    expect((await finish(there, state, body.code)).status).toBe(200)
  })

  test('telegram: what the bot of the pages has signed proves nothing', async () => {
    const { there } = await user('Ben Lee')
    const { state } = await begin(there)
    const refused = await there.post('providers/answer', { state, result: signed('Ben Lee', botToken) })
    expect([refused.status, refused.body.code]).toEqual([401, 'invalid_credentials'])
  })

  test('telegram: what was signed before the visit, or was used, proves nothing', async () => {
    const { there } = await user('Cleo Lee')
    const old = signed('Cleo Lee')
    world.clock.pass(seconds(5))
    const { state } = await begin(there)
    expect((await there.post('providers/answer', { state, result: old })).status).toBe(401)
    const result = signed('Cleo Lee')
    expect((await there.post('providers/answer', { state, result })).status).toBe(200)
    expect((await there.post('providers/answer', { state, result })).status).toBe(401)
  })

  test('telegram: another person, or another key’s state, enrols nothing', async () => {
    const { vault, there } = await user('Dora Lee')
    const { state } = await begin(there)
    const { body } = await there.post('providers/answer', { state, result: signed('Somebody Else') })
    expect((await finish(there, state, body.code)).body.code).toBe('wrong_account')
    const again = await begin(there)
    const thief = vault.elsewhere()
    const stolen = await thief.post('providers/answer', { state: again.state, result: signed('Dora Lee') })
    expect(stolen.status).toBe(401)
  })

  test('telegram: the vault links no account either where the app lets users log in alone', async () => {
    const { vault } = await user('Gil Lee', loginOnly.id)
    const { status, body } = await vault.post('users/me/changes/provider', { provider: 'telegram' })
    expect([status, body.code]).toEqual([403, 'feature_not_enabled'])
  })

  test('telegram: without a bot for the vault it is not offered', async () => {
    const { there } = await user('Eve Lee', telegramApp)
    expect((await factorsOf(there)).filter(({ type }) => type === 'provider')).toEqual([])
  })
})

describe('in-vault login: Farcaster', () => {
  let world: FarcasterWorld
  beforeAll(async () => {
    world = await startFarcasterWorld(store)
  })
  afterAll(() => world?.stop())
  async function user(fid: number) {
    const { body } = await new FarcasterClient(world).enter(world, fid)
    return withWallet(world, farcasterApp, body)
  }

  test('farcaster: the app signs for the vault’s host, and the key that asked is enrolled', async () => {
    const { there } = await user(2_001)
    const { url, state } = await begin(there)
    expect((await there.post('providers/answer', { state })).body).toEqual({ status: 'pending' })
    await world.approve(url, 2_001)
    const { body } = await there.post('providers/answer', { state })
    expect(body.status).toBe('answered')
    expect((await finish(there, state, body.code)).status).toBe(200)
  })

  test('farcaster: another fid, and another key, enrol nothing', async () => {
    const { vault, there } = await user(2_101)
    const { url, state } = await begin(there)
    await world.approve(url, 2_105)
    expect((await vault.elsewhere().post('providers/answer', { state })).status).toBe(401)
    const { body } = await there.post('providers/answer', { state })
    expect((await finish(there, state, body.code)).body.code).toBe('wrong_account')
  })

  test('farcaster: what was signed for a page is no answer to the vault', async () => {
    const { there } = await user(2_004)
    const page = new FarcasterClient(world)
    const { token, uri } = await page.open()
    await world.approve(uri, 2_004)
    const { state } = await begin(there)
    expect((await page.status(token)).body.state).toBe('completed')
    expect((await there.post('providers/answer', { state })).body).toEqual({ status: 'pending' })
  })
})
