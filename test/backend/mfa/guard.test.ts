import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mfaTokens } from '../../../demo/backend/mfa/tables.ts'
import { mfaPurposes } from '../../../demo/backend/sessions/second-factor.ts'
import { automatic, ethereumKey, path, type Root, random, Vault } from '../support/embedded-world.ts'
import { type App, compatibleMfaApp, enrolApp, mfaApp, withProof } from '../support/mfa-world.ts'
import { newNumber, type SmsWorld, startSmsWorld } from '../support/sms-world.ts'
import { minutes, seconds, stores, vaultOrigin } from '../support/world.ts'

/** What the vault asks of the server, each by its route and the proof that it needs. */
interface Operation {
  route: string
  purpose: (typeof mfaPurposes)[number]
  body?: object | ((vault: Vault, root: Root, change: string) => Promise<object>)
  /** Which browser asks, if not the enrolled one. */
  from?: (vault: Vault) => Vault
}
const wallets = '/api/v1/embedded_wallets'
const operations: Operation[] = [
  {
    route: `${wallets}/:root/wallets`,
    purpose: 'use',
    body: (vault, root) => vault.walletBody(root, 1, ethereumKey()),
  },
  {
    route: `${wallets}/:root/auth_share`,
    purpose: 'use',
    body: async (_, root) => ({ set_ids: [root.setId] }),
  },
  { route: `${wallets}/:root/devices`, purpose: 'use', body: (vault, root) => vault.deviceBody(root) },
  { route: `${wallets}/:root/recovery/key_material`, purpose: 'use' },
  { route: `${wallets}/:root/recovery/package`, purpose: 'use' },
  { route: `${wallets}/:root/recovery/evaluate`, purpose: 'use', body: { proof: random(32) } },
  { route: `${wallets}/:root/recovery/present`, purpose: 'use', body: { proof: random(32) } },
  {
    route: `${wallets}/export/redeem`,
    purpose: 'export',
    body: async (vault, { key: { address } }) => {
      const { body } = await vault.page().post(`embedded_wallets/${address}/export_ticket`)
      return { ticket: body.ticket, address }
    },
  },
  { route: `${wallets}/recovery/secrets`, purpose: 'recovery', body: { proof: random(32) } },
  {
    route: `${wallets}/:root/recovery/changes`,
    purpose: 'recovery',
    body: (vault, root) => vault.changeBody(root, automatic()),
  },
  {
    route: `${wallets}/:root/recovery/changes/:change/confirm`,
    purpose: 'recovery',
    body: async (vault, root, change) => vault.confirmBody(root, change),
  },
  { route: '/api/v1/devices/:id/remove', purpose: 'device' },
  { route: '/api/v1/devices/passkeys/options', purpose: 'recovery' },
  {
    route: '/api/v1/devices/enroll',
    purpose: 'use',
    body: { factor: 'code', code: '123456' },
    from: (vault) => vault.elsewhere(),
  },
  {
    route: '/api/v1/devices/enroll',
    purpose: 'device',
    body: { factor: 'mfa' },
    from: (vault) => vault.elsewhere(),
  },
  { route: '/api/v1/mfa/totp/init', purpose: 'factors' },
  { route: '/api/v1/mfa/totp/enroll', purpose: 'factors', body: { code: '123456' } },
  { route: '/api/v1/mfa/totp/unenroll', purpose: 'factors' },
  {
    route: '/api/v1/mfa/passwordless_sms/init',
    purpose: 'factors',
    body: async () => ({ action: 'enroll', phoneNumber: newNumber() }),
  },
  {
    route: '/api/v1/mfa/passwordless_sms/enroll',
    purpose: 'factors',
    body: async () => ({ phoneNumber: newNumber(), code: '123456' }),
  },
  { route: '/api/v1/mfa/passwordless_sms/unenroll', purpose: 'factors' },
  { route: '/api/v1/mfa/passkeys/enrollment', purpose: 'factors', body: { credential_ids: ['abc'] } },
  { route: '/api/v1/mfa/passkeys/unlink', purpose: 'factors', body: { credential_id: 'abc' } },
  { route: '/api/v1/mfa/recovery_codes/generate', purpose: 'factors' },
]
/** What needs no proof, and why. */
const exempt: Record<string, string> = {
  [wallets]: 'makes or imports a wallet, and gives nothing out',
  [`${wallets}/transactions/populate`]: 'is public data of a chain',
  [`${wallets}/tokens/figures`]: 'is public data of a chain',
  [`${wallets}/spending`]: 'counts against a limit, and gives nothing out',
  [`${wallets}/:root/export_ticket`]: 'opens nothing without the proof with which it is redeemed',
  [`${wallets}/:root/grants/review`]: 'tells what can be shown',
  '/api/v1/devices/enroll/options': 'tells what can be shown',
  '/api/v1/devices/enroll/request': 'asks an enrolled device, which shows the factor',
  '/api/v1/devices/enroll/request/:id': 'tells what has become of that',
  '/api/v1/devices/enroll/passkey': 'begins a proof',
  '/api/v1/devices/enroll/wallet': 'begins a proof',
  '/api/v1/devices/enroll/provider': 'begins a proof',
  '/api/v1/devices/proofs': 'tells what can be shown',
  [`${wallets}/preview`]: 'tells what a network says of a transaction',
  [`${wallets}/descriptors`]: 'tells what contracts’ calls mean',
  [`${wallets}/cross_app_requests/review`]: 'tells what can be shown',
  '/api/v1/devices/requests': 'tells who asks',
  '/api/v1/devices/requests/count': 'tells how many ask',
  '/api/v1/devices/requests/:id/deny': 'gives nothing out',
  '/api/v1/devices/passkeys/list': 'tells what can be shown',
  '/api/v1/devices/enroll/code': 'sends a code that is good with a proof only',
  '/api/v1/mfa/totp/verify': 'is the proof',
  '/api/v1/mfa/passwordless_sms/verify': 'is the proof',
  '/api/v1/mfa/passkeys/init': 'begins the proof',
  '/api/v1/mfa/passkeys/verify': 'is the proof',
  '/api/v1/mfa/recovery_codes/verify': 'is the proof',
}
/** Needs a proof for what the window has shown: tried with its statement in devices/approval, devices/vault-passkeys and grants. */
const withStatement = [
  `${wallets}/:root/grants`,
  '/api/v1/devices/requests/:id/approve',
  '/api/v1/devices/passkeys',
  '/api/v1/devices/passkeys/:id/remove',
]
const refusals = ['missing_or_invalid_mfa', 'expired_or_invalid_mfa_token']

describe.each(stores)('what asks for a second factor on $name', (store) => {
  let world: SmsWorld
  beforeAll(async () => {
    world = await startSmsWorld(store, { moreApps: [mfaApp, compatibleMfaApp] })
  })
  afterAll(() => world?.stop())

  async function somebody(appId = mfaApp.id) {
    const vault = await Vault.open(world, { appId })
    const root = await vault.create()
    return { vault, root, app: await enrolApp(vault) }
  }
  /** The same person and browser in another login. */
  async function otherSession(vault: Vault): Promise<Vault> {
    const page = vault.page()
    const { address } = (await page.get('users/me')).body.user.linked_accounts[0]
    page.token = undefined
    await page.login(address)
    const other = new Vault(world, { origin: vaultOrigin, appId: vault.appId })
    return Object.assign(other, { token: page.token, userId: vault.userId, key: vault.key })
  }
  /** One proof for each purpose. */
  async function proofs(app: App, vault: Vault) {
    const made = new Map<string, string>()
    for (const purpose of mfaPurposes) {
      const { body } = await app.verify(purpose, vault)
      made.set(purpose, body.token)
    }
    return made
  }
  async function run({ route, body = {}, from }: Operation, vault: Vault, root: Root, token?: string) {
    const to = route.slice('/api/v1/'.length).replace(':root', root.key.address)
    const change = randomUUID()
    const at = to.replace(/:\w+/g, change)
    const sent = typeof body === 'function' ? await body(vault, root, change) : body
    return (from?.(vault) ?? vault).post(at, sent, token === undefined ? {} : withProof(token))
  }

  test('is everything that the vault can be asked for, but for what gives nothing out', () => {
    const routes = world.backend.api.routes.filter(
      ({ method, path: at }) => method === 'POST' && /^\/api\/v1\/(embedded_wallets|devices|mfa)/.test(at),
    )
    const known = new Set([...operations.map(({ route }) => route), ...Object.keys(exempt), ...withStatement])
    expect(new Set(routes.map(({ path: at }) => at))).toEqual(known)
  })

  test('lets nobody do any of it without a proof, nor with one that is old, or of another session, person, browser or class', async () => {
    const { vault, root, app } = await somebody()
    const stranger = await somebody()
    const old = await proofs(app, vault)
    world.clock.pass(minutes(15))
    const [own, session, device, person] = [
      await proofs(app, vault),
      await proofs(app, await otherSession(vault)),
      await proofs(app, vault.elsewhere()),
      await proofs(stranger.app, stranger.vault),
    ]
    const row: Record<string, number> = {}
    let successes = 0
    let tried = 0
    for (const operation of operations) {
      // They were made one after the other: none but the old ones is refused for its age.
      const fresh = [...own.values(), ...session.values(), ...device.values(), ...person.values()]
      expect(fresh).toHaveLength(24)
      await world.backend.database.update(mfaTokens).set({ at: world.clock.now })
      await world.backend.database.execute(
        `update mfa_tokens set at = ${world.clock.now - minutes(15)} where hash in (${await hashesOf(old)})`,
      )
      const { purpose } = operation
      const others = mfaPurposes.filter((each) => each !== purpose && purpose !== 'use')
      const bad: [string, string | undefined][] = [
        ['none', undefined],
        ['invented', random(32)],
        // Each is of the right class: nothing else can be why it is refused.
        ['old', old.get(purpose)],
        ['other session', session.get(purpose)],
        ['other person', person.get(purpose)],
        ['other browser', device.get(purpose)],
        ...others.map((each): [string, string] => ['other class', own.get(each) ?? '']),
      ]
      for (const [why, token] of bad) {
        const answer = await run(operation, vault, root, token)
        tried++
        row[why] = (row[why] ?? 0) + 1
        if (answer.status === 200) successes++
        expect([operation.route, why, answer.status, refusals.includes(answer.body?.code)]).toEqual([
          ...[operation.route, why, 401, true],
        ])
      }
    }
    expect(successes).toBe(0)
    console.log(`${operations.length} operations, ${tried} calls without a good proof: 0 successes`, row)
  })

  const hashesOf = async (tokens: Map<string, string>) => {
    const { createHash } = await import('node:crypto')
    return [...tokens.values()]
      .map((token) => `'${createHash('sha256').update(token).digest('base64url')}'`)
      .join(', ')
  }

  test('lets the person do each of it with the proof that it needs', async () => {
    const { vault, root, app } = await somebody()
    for (const operation of operations) {
      // A browser that is not enrolled shows a proof of its own.
      const prover = operation.from?.(vault) ?? vault
      const { body } = await app.verify(operation.purpose, prover)
      const answer = await run({ ...operation, from: () => prover }, vault, root, body.token)
      // What is refused for another reason has passed the guard.
      expect([operation.route, refusals.includes(answer.body?.code)]).toEqual([operation.route, false])
      if (operation.route.endsWith('totp/unenroll')) Object.assign(app, await enrolApp(vault))
    }
  })

  test('asks nobody who has no second factor, and not for a first wallet', async () => {
    const vault = await Vault.open(world, { appId: mfaApp.id })
    await enrolApp(vault)
    const root = await vault.create(undefined, { recovery: await vault.password() })
    expect((await vault.post(`${path(root)}/recovery/package`)).body.code).toBe('missing_or_invalid_mfa')
    const plain = await Vault.open(world, { appId: mfaApp.id })
    expect((await plain.post(`${path(await plain.create())}/recovery/package`)).status).toBe(200)
  })

  test('a proof for a class is good for ordinary use as long as any, and for its class for a minute', async () => {
    const { vault, root, app } = await somebody()
    const proof = await app.proof('recovery')
    const change = () => vault.changeBody(root, automatic())
    const changes = `${path(root)}/recovery/changes`
    world.clock.pass(seconds(60) - 1)
    expect((await vault.post(changes, await change(), proof)).status).toBe(200)
    world.clock.pass(1)
    const late = await vault.post(changes, await change(), proof)
    expect([late.status, late.body.code]).toEqual([401, 'expired_or_invalid_mfa_token'])
    expect((await vault.post(`${path(root)}/recovery/package`, {}, proof)).status).toBe(200)
  })

  test('a further browser of a strict app needs the second factor with anything else, and alone is enough', async () => {
    const { vault, root, app } = await somebody()
    const next = vault.elsewhere()
    const { factors } = (await next.post('devices/enroll/options')).body
    expect(factors.map(({ type }: { type: string }) => type)).toEqual(['device', 'mfa', 'email'])
    expect(factors[1]).toEqual({ type: 'mfa', methods: ['totp'] })
    const send = await next.post('devices/enroll/code', { id: factors[2].id })
    expect(send.status).toBe(200)
    const [{ code } = { code: '' }] = world.mailbox.messages().filter(({ body }) => body.includes('lets'))
    expect((await next.enrol({ factor: 'code', code })).body.code).toBe('missing_or_invalid_mfa')
    const proof = await app.proof('use', next)
    expect((await next.post('devices/enroll', { factor: 'code', code }, proof)).status).toBe(200)
    const alone = vault.elsewhere()
    const shown = await app.proof('device', alone)
    expect((await alone.post('devices/enroll', { factor: 'mfa' }, shown)).status).toBe(200)
    expect((await alone.post(`${path(root)}/recovery/package`, {}, shown)).status).toBe(200)
  })

  test('whose login is not enough for a further browser is told so, without being asked for the second factor first', async () => {
    const { vault } = await somebody()
    const { status, body } = await vault.elsewhere().enrol()
    expect([status, body.code]).toEqual([403, 'enrolment_required'])
  })

  test('a text message alone enrols no browser, nor does somebody without a second factor', async () => {
    const plain = await Vault.open(world, { appId: mfaApp.id })
    await plain.create()
    const other = plain.elsewhere()
    expect((await other.enrol({ factor: 'mfa' })).body.code).toBe('missing_mfa_enrollment')
    const number = newNumber()
    await plain.post('mfa/passwordless_sms/init', { action: 'enroll', phoneNumber: number })
    await plain.post('mfa/passwordless_sms/enroll', { phoneNumber: number, code: plain.lastCode(number) })
    const { factors } = (await other.post('devices/enroll/options')).body
    expect(factors.map(({ type }: { type: string }) => type)).toEqual(['device', 'email'])
    await other.page().post('mfa/passwordless_sms/init', { action: 'verify' })
    const code = other.lastCode(number)
    const { body } = await other.post('mfa/passwordless_sms/verify', { code, purpose: 'device' })
    const answer = await other.post('devices/enroll', { factor: 'mfa' }, withProof(body.token))
    expect([answer.status, answer.body.code]).toEqual([403, 'enrolment_required'])
  })

  test('a compatible app enrols a browser without a word, and gives it nothing without a second factor', async () => {
    const { vault, root, app } = await somebody(compatibleMfaApp.id)
    const next = vault.elsewhere()
    expect((await next.enrol()).status).toBe(200)
    const ask = (headers = {}) => next.post(`${path(root)}/recovery/package`, {}, headers)
    expect((await ask()).body.code).toBe('missing_or_invalid_mfa')
    expect((await ask(await app.proof('use', next))).status).toBe(200)
  })

  test('a code of a login that the vault had sent does not enrol the browser of somebody with a second factor', async () => {
    const { vault, root } = await somebody()
    const { address } = (await vault.page().get('users/me')).body.user.linked_accounts[0]
    const next = vault.elsewhere()
    next.token = undefined
    await next.post('passwordless/init', { email: address })
    const login = await next.post('passwordless/authenticate', {
      email: address,
      code: next.lastCode(address),
    })
    expect(login.status).toBe(200)
    next.token = login.body.token
    expect((await next.post(`${path(root)}/recovery/package`)).body.code).toBe('device_not_enrolled')
  })

  test('a session that has ended has no proof any longer', async () => {
    const { vault, root, app } = await somebody()
    const proof = await app.proof()
    const other = await otherSession(vault)
    const asked = await other.page().post('users/me/sessions/end_others')
    expect((await other.approved(asked, await app.proof('account', other))).status).toBe(200)
    const answer = await vault.post(`${path(root)}/recovery/package`, {}, proof)
    expect([answer.status, answer.body.code]).toEqual([401, 'missing_or_invalid_token'])
  })
})
