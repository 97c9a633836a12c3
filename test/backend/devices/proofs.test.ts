import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shareReleases } from '../../../demo/backend/wallets/tables.ts'
import { crowd } from '../../support/soak.ts'
import { DeviceKey } from '../support/device-key.ts'
import {
  automatic,
  ethereumKey,
  everyWayApp,
  path,
  type Root,
  random,
  Vault,
  verdict,
} from '../support/embedded-world.ts'
import { apiUrl, minutes, seconds, startWorld, stores, type World } from '../support/world.ts'

const invalid = [401, 'invalid_dpop_proof']
const noNonce = [401, 'use_dpop_nonce']
const unknown = [403, 'device_not_enrolled']

describe.each(stores)('a proof of the browser’s key on $name', (store) => {
  let world: World
  let vault: Vault
  let root: Root
  let call: string
  beforeAll(async () => {
    world = await startWorld(store, { moreApps: [everyWayApp] })
    vault = await Vault.open(world, { appId: everyWayApp.id })
    root = await vault.create()
    call = `${path(root)}/recovery/package`
  })
  afterAll(() => world?.stop())

  const count = async () => (await world.backend.database.select().from(shareReleases)).length
  /** Sends a proof as it is. */
  const send = (dpop: string, by = vault, to = call) => by.post(to, {}, { dpop })

  test('opens a call once', async () => {
    const dpop = vault.proofFor(call)
    expect((await send(dpop)).status).toBe(200)
    const before = await count()
    expect(verdict(await send(dpop))).toEqual(invalid)
    const other = vault.proofFor(call)
    const answers = await Promise.all(Array.from({ length: crowd }, () => send(other)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter((answer) => verdict(answer)[1] === invalid[1])).toHaveLength(crowd - 1)
    expect(await count()).toBe(before + 1)
    console.log(`${store.name}: ${crowd} parallel uses of one proof: 1 release`)
  })

  test('cannot be missing, broken or doubled', async () => {
    const before = await count()
    const good = vault.proofFor(call)
    const [head = '', said = '', signature = ''] = good.split('.')
    const bent = Buffer.from(signature, 'base64url')
    bent[9] = (bent[9] ?? 0) ^ 1
    for (const wrong of [
      ...['', 'x', `${head}.${said}.`, `${head}.${said}`, `${good}, ${vault.proofFor(call)}`],
      ...[`${head}.${said}.${bent.toString('base64url')}`, `${good}${'x'.repeat(5_000)}`],
    ])
      expect(verdict(await send(wrong))).toEqual(invalid)
    expect(await count()).toBe(before)
  })

  test('is refused when anything in it is another', async () => {
    const before = await count()
    const stranger = new DeviceKey()
    const { d, ...claimsOf } = { d: 1, htm: 'GET' }
    const claims: object[] = [
      claimsOf,
      { htu: `${apiUrl}/api/v1/${path(root)}/auth_share` },
      { htu: `https://elsewhere.example/api/v1/${call}` },
      { htu: `${apiUrl}/api/v1/${call}?x=1` },
      { htu: `${apiUrl}/api/v1/${call}#x` },
      { ath: random(32) },
      { ath: undefined },
      { jti: 'once' },
      { jti: undefined },
      { iat: undefined },
      { iat: String(Math.floor(world.clock.now / 1_000)) },
      { exp: 1 },
      { more: d },
    ]
    const { x = '', ...short } = vault.key.jwk
    const headers: object[] = [
      { typ: 'JWT' },
      { typ: undefined },
      { alg: 'none' },
      { alg: 'HS256' },
      { alg: 'ES384' },
      { jwk: stranger.jwk },
      { jwk: short },
      { jwk: { ...vault.key.jwk, x: `${x}=` } },
      { jwk: { ...vault.key.jwk, crv: 'P-384' } },
      { jwk: { ...vault.key.jwk, d: random(32) } },
      { kid: 'x' },
      { crit: ['x'], x: 1 },
    ]
    for (const changed of claims)
      expect(verdict(await send(vault.proofFor(call, { claims: changed }))), JSON.stringify(changed)).toEqual(
        invalid,
      )
    for (const changed of headers)
      expect(verdict(await send(vault.proofFor(call, { header: changed }))), JSON.stringify(changed)).toEqual(
        invalid,
      )
    expect(await count()).toBe(before)
    console.log(`${store.name}: ${claims.length + headers.length} altered proofs: 0 releases`)
  })

  test('is for its own token, and a token is for proofs of its own', async () => {
    const other = await Vault.open(world, { appId: everyWayApp.id })
    other.nonce = vault.nonce
    const before = await count()
    expect(verdict(await send(other.proofFor(call)))).toEqual(invalid)
    expect(verdict(await send(vault.proofFor(call), other))).toEqual(invalid)
    expect(await count()).toBe(before)
  })

  test('is of now, by a clock that is at most a minute off', async () => {
    const now = Math.floor(world.clock.now / 1_000)
    for (const off of [-60, 60])
      expect((await send(vault.proofFor(call, { claims: { iat: now + off } }))).status).toBe(200)
    const before = await count()
    for (const off of [-61, 61, -3_600, 3_600])
      expect(verdict(await send(vault.proofFor(call, { claims: { iat: now + off } })))).toEqual(invalid)
    expect(await count()).toBe(before)
    // Nobody can wait until a proof from a clock that goes before is forgotten.
    const early = vault.proofFor(call, { claims: { iat: now + 60 } })
    expect((await send(early)).status).toBe(200)
    world.clock.pass(minutes(2))
    expect(verdict(await send(early))).toEqual(invalid)
  })

  test('needs a nonce of this server, of the last five minutes', async () => {
    const before = await count()
    for (const nonce of [undefined, '', 'x', '1.x', `${Math.floor(world.clock.now / 1_000)}.${random(32)}`]) {
      const answer = await send(vault.proofFor(call, { claims: { nonce } }))
      expect(verdict(answer)).toEqual(noNonce)
      expect(answer.headers.get('dpop-nonce')).toMatch(/./)
    }
    expect(await count()).toBe(before)
    const { headers } = await send(vault.proofFor(call))
    const nonce = headers.get('dpop-nonce') ?? ''
    world.clock.pass(minutes(5))
    expect((await send(vault.proofFor(call, { claims: { nonce } }))).status).toBe(200)
    world.clock.pass(seconds(1))
    expect(verdict(await send(vault.proofFor(call, { claims: { nonce } })))).toEqual(noNonce)
  })

  test('comes before what is kept of an earlier answer', async () => {
    const body = { proof: random(32) }
    const to = 'embedded_wallets/recovery/secrets'
    const key = { 'idempotency-key': randomUUID() }
    const first = await vault.post(to, body, key)
    expect((await vault.post(to, body, key)).text).toBe(first.text)
    expect(verdict(await vault.post(to, body, { ...key, dpop: '' }))).toEqual(invalid)
  })

  test('of a key that is not the person’s opens nothing', async () => {
    const stranger = vault.elsewhere()
    const other = await Vault.open(world, { appId: everyWayApp.id })
    stranger.key = other.key
    const calls: [string, object][] = [
      ['embedded_wallets', (await vault.newRoot()).body],
      [`${path(root)}/wallets`, await vault.walletBody(root, 1, ethereumKey())],
      [`${path(root)}/auth_share`, { set_ids: [root.setId] }],
      [`${path(root)}/devices`, await vault.deviceBody(root)],
      [`${path(root)}/recovery/key_material`, {}],
      [`${path(root)}/recovery/package`, {}],
      [`${path(root)}/recovery/evaluate`, { proof: random(32) }],
      [`${path(root)}/recovery/present`, { proof: random(32) }],
      [`${path(root)}/recovery/changes`, await vault.changeBody(root, automatic())],
      [`${path(root)}/recovery/changes/${randomUUID()}/confirm`, vault.confirmBody(root, randomUUID())],
      ['embedded_wallets/recovery/secrets', { proof: random(32) }],
      ['embedded_wallets/transactions/populate', { address: root.key.address, transaction: { chainId: 1 } }],
      ['embedded_wallets/export/redeem', { ticket: 'x', address: root.key.address }],
      [`devices/${randomUUID()}/remove`, {}],
    ]
    const before = await count()
    for (const [to, body] of calls)
      for (const by of [vault.elsewhere(), stranger])
        expect(verdict(await by.post(to, body)), to).toEqual(unknown)
    expect(await count()).toBe(before)
    console.log(`${store.name}: ${calls.length} endpoints with a key that is not enrolled: 0 releases`)
  })

  test('of an enrolled key opens nothing once the session has ended', async () => {
    const own = await Vault.open(world, { appId: everyWayApp.id })
    const made = await own.create()
    await own.page().post('sessions/logout', { refresh_token: own.refreshToken })
    const before = await count()
    for (const [what, body] of [
      ['auth_share', { set_ids: [made.setId] }],
      ['recovery/package', {}],
      ['recovery/key_material', {}],
    ] as const)
      expect(verdict(await own.post(`${path(made)}/${what}`, body))).toEqual([
        401,
        'missing_or_invalid_token',
      ])
    expect(await count()).toBe(before)
  })
})
