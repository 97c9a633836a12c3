import { generateKeyPairSync } from 'node:crypto'
import fs from 'node:fs'
import {
  createLocalJWKSet,
  decodeProtectedHeader,
  importSPKI,
  type JWTVerifyOptions,
  jwtVerify,
  SignJWT,
} from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadSecrets } from '../../../demo/backend/secrets/secrets.ts'
import { createAppKeys } from '../../../demo/backend/sessions/app-keys.ts'
import { appKeys } from '../../../demo/backend/sessions/tables.ts'
import { createTokens } from '../../../demo/backend/sessions/tokens.ts'
import { readApps } from '../../../demo/backend/settings/app.ts'
import { defaultLimits } from '../../../demo/backend/settings/limits.ts'
import { Client } from '../support/client.ts'
import {
  apiUrl,
  hours,
  minutes,
  newAddress,
  openApp,
  seconds,
  startWorld,
  stores,
  type World,
} from '../support/world.ts'

const otherApp = 'latchkey-demo-terms-00002'

describe.each(stores)('the keys that sign tokens, on $name', (store) => {
  let world: World
  beforeAll(async () => {
    world = await startWorld(store)
  })
  afterAll(() => world?.stop())

  const login = async (appId: string) => {
    const client = new Client(world, { appId })
    return { client, body: (await client.login(newAddress())).body }
  }
  const keySet = async (appId: string) => (await new Client(world).get(`apps/${appId}/jwks.json`)).body
  const kids = async (appId: string) => (await keySet(appId)).keys.map(({ kid }: { kid: string }) => kid)
  const keysHere = async (clock = () => world.clock.now, signingKeys: string[] = []) => {
    const secrets = { ...(await loadSecrets(world.dataDir, undefined)), signingKeys }
    return createAppKeys({ database: world.backend.database, secrets, limits: defaultLimits, clock })
  }
  const appOf = (id: string) => {
    const app = readApps([{ id, name: 'x' }]).find(id)
    if (!app) throw new Error('The app is there')
    return app
  }

  test('are another for each app, so that a check without an audience takes no other app’s token', async () => {
    const [one, other] = await Promise.all([login(openApp), login(otherApp)])
    const checks = { issuer: apiUrl, currentDate: new Date(world.clock.now) }
    for (const [appId, mine, theirs] of [
      [openApp, one, other],
      [otherApp, other, one],
    ] as const) {
      const keys = createLocalJWKSet(await keySet(appId))
      const config = (await new Client(world, { appId }).get(`apps/${appId}`)).body
      const key = await importSPKI(config.verification_key, 'ES256')
      for (const name of ['token', 'privy_access_token', 'identity_token']) {
        await jwtVerify(mine.body[name], keys, checks)
        await jwtVerify(mine.body[name], key, checks)
        await expect(jwtVerify(theirs.body[name], keys, checks)).rejects.toThrow('no applicable key')
        await expect(jwtVerify(theirs.body[name], key, checks)).rejects.toThrow('signature verification')
      }
    }
  })

  test('are all that a new installation publishes: no key that other apps have, too', async () => {
    const published = await Promise.all([openApp, otherApp].map(kids))
    expect(published.map((each) => each.length)).toEqual([1, 1])
    expect((await loadSecrets(world.dataDir, undefined)).signingKeys).toEqual([])
  })

  test('say what kind of token they signed: only an access token passes for one', async () => {
    const { client, body } = await login(openApp)
    const keys = createLocalJWKSet(await keySet(openApp))
    const kinds = ['token', 'privy_access_token', 'identity_token'].map(
      (name) => decodeProtectedHeader(body[name]).typ,
    )
    expect(kinds).toEqual(['JWT', 'api+jwt', 'identity+jwt'])
    const check = { issuer: apiUrl, typ: 'JWT', currentDate: new Date(world.clock.now) }
    await jwtVerify(body.token, keys, check)
    for (const name of ['privy_access_token', 'identity_token'])
      await expect(jwtVerify(body[name], keys, check)).rejects.toThrow('"typ"')
    for (const [name, status] of [
      ['token', 200],
      ['privy_access_token', 200],
      ['identity_token', 401],
    ] as const)
      expect([
        name,
        (await client.get('users/me', { authorization: `Bearer ${body[name]}` })).status,
      ]).toEqual([name, status])
  })

  test('are checked as the README says: an access token passes, of this app and this server alone', async () => {
    const readme = fs.readFileSync(new URL('../../../README.md', import.meta.url), 'utf8')
    const [, code] =
      /import \{ createRemoteJWKSet, jwtVerify \} from 'jose'\n([\s\S]*?)```/.exec(readme) ?? []
    const wholeCheck = new Function(
      ...['createRemoteJWKSet', 'jwtVerify', 'apiUrl', 'appId', 'accessToken'],
      `return (async () => {${code}\nreturn payload.sub })()`,
    )
    const fetched = ({ origin, pathname }: URL) => {
      expect(origin).toBe(apiUrl)
      const keys = new Client(world).get(pathname.replace('/api/v1/', ''))
      return async (...asked: Parameters<ReturnType<typeof createLocalJWKSet>>) =>
        createLocalJWKSet((await keys).body)(...asked)
    }
    const verifiedNow = (token: string, keys: ReturnType<typeof fetched>, options: JWTVerifyOptions) =>
      jwtVerify(token, keys, { ...options, currentDate: new Date(world.clock.now) })
    const check = (token: string, { appId = openApp, api = apiUrl } = {}): Promise<string> =>
      wholeCheck(
        (url: URL) => fetched(new URL(url.href.replace(api, apiUrl))),
        ...[verifiedNow, api, appId, token],
      )

    const { body } = await login(openApp)
    expect(await check(body.token)).toBe(body.user.id)
    await expect(check(body.identity_token)).rejects.toThrow('"typ"')
    await expect(check(body.token, { appId: otherApp })).rejects.toThrow('no applicable key')
    await expect(check(body.token, { api: 'https://other.example' })).rejects.toThrow('"iss"')
  })

  test('are kept sealed, and are the same over restarts', async () => {
    await login(openApp)
    const rows = await world.backend.database.select().from(appKeys)
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toMatch(/PRIVATE KEY/)
    const again = await (await keysHere()).of(appOf(openApp))
    expect(again[0].kid).toBe((await kids(openApp))[0])
  })

  test('are made once, however many processes come first', async () => {
    const app = appOf('latchkey-demo-nobody-0001')
    const processes = await Promise.all(Array.from({ length: 8 }, () => keysHere()))
    const made = await Promise.all(processes.map((keys) => keys.of(app)))
    expect(new Set(made.map(([{ kid }]) => kid)).size).toBe(1)
    expect(made.every((keys) => keys.filter(({ until }) => until === undefined).length === 1)).toBe(true)
  })

  test('give way to new ones, and what the ones before have signed is good until it expires', async () => {
    const { client } = await login(openApp)
    const [before] = await kids(openApp)
    const kid = await (await keysHere()).renew(openApp, 'a test')
    world.clock.pass(seconds(11))
    expect((await kids(openApp)).slice(0, 2)).toEqual([kid, before])
    expect((await client.get('users/me')).status).toBe(200)
    const { body } = await login(openApp)
    expect(decodeProtectedHeader(body.token).kid).toBe(kid)
    world.clock.pass(hours(1) + minutes(2))
    expect(await kids(openApp)).toEqual([kid])
  })

  test('that signed for all apps before count for what they signed then, and for nothing later', async () => {
    const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const pem = key.export({ type: 'pkcs8', format: 'pem' }).toString()
    const started = world.clock.now
    const fresh = appOf('latchkey-demo-noplus-0006')
    const clock = { now: started }
    const keys = await keysHere(() => clock.now, [pem])
    const [own] = await keys.of(fresh)
    const shared = (await keys.of(fresh)).find(({ until }) => until !== undefined)
    if (!shared) throw new Error('The shared key is known for a while')
    const tokens = createTokens(keys, apiUrl, () => clock.now)
    const old = (at: number) => {
      const iat = Math.floor(at / 1_000)
      const claims = { sid: 's', sub: 'did:privy:u', iss: 'privy.io', aud: fresh.id, iat, exp: iat + 3_600 }
      return new SignJWT(claims).setProtectedHeader({ alg: 'ES256', typ: 'JWT', kid: shared.kid }).sign(key)
    }
    const bearer = { sessionId: 's', userId: 'did:privy:u' }
    const before = await old(started - minutes(10))
    expect(await tokens.read(fresh, before)).toEqual(bearer)
    expect((await tokens.keySet(fresh)).keys.map(({ kid }) => kid)).toEqual([own.kid, shared.kid])
    clock.now = started + minutes(20)
    expect(await tokens.read(fresh, before)).toEqual(bearer)
    expect(await tokens.read(fresh, await old(clock.now))).toBeUndefined()
    clock.now = started + minutes(51)
    expect(await tokens.read(fresh, before)).toBeUndefined()
    clock.now = started + hours(1) + minutes(2)
    expect((await tokens.keySet(fresh)).keys.map(({ kid }) => kid)).toEqual([own.kid])
  })
})
