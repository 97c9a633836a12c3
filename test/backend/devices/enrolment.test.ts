import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { devices as deviceRows } from '../../../demo/backend/devices/tables.ts'
import type { AppSettings } from '../../../demo/backend/settings/app.ts'
import { accounts as accountRows } from '../../../demo/backend/users/tables.ts'
import { walletRoots, walletSets } from '../../../demo/backend/wallets/tables.ts'
import { Client, otherCode } from '../support/client.ts'
import {
  automatic,
  ethereumKey,
  everyWayApp,
  ownWayApp,
  path,
  type Root,
  random,
  Vault,
  verdict,
} from '../support/embedded-world.ts'
import { newNumber, type SmsWorld, startSmsWorld } from '../support/sms-world.ts'
import { compatibleApp, minutes, newAddress, seconds, stores, vaultOrigin } from '../support/world.ts'

const anyWayApp = {
  ...everyWayApp,
  id: 'latchkey-test-anyway-0001',
  methods: ['email', 'sms', 'guest'] as const,
} as AppSettings
const wrong = [422, 'invalid_credentials']
const needed = [403, 'enrolment_required']
const unknown = [403, 'device_not_enrolled']
const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

describe.each(stores)('a browser on $name', (store) => {
  let world: SmsWorld
  beforeAll(async () => {
    world = await startSmsWorld(store, { moreApps: [everyWayApp, ownWayApp, anyWayApp] })
  })
  afterAll(() => world?.stop())

  const open = (appId = everyWayApp.id) => Vault.open(world, { appId })
  const packageOf = (vault: Vault, root: Root) => vault.post(`${path(root)}/recovery/package`)
  const factorsOf = async (vault: Vault) => (await vault.post('devices/enroll/options')).body.factors
  /** The first address to which a code can go. */
  const addressOf = async (vault: Vault) =>
    (await factorsOf(vault)).find(({ type }: { type: string }) => type === 'email' || type === 'sms')
  /** Asks for a code, and reads it. */
  async function codeFor(vault: Vault): Promise<string> {
    const { id } = await addressOf(vault)
    const { status, text } = await vault.post('devices/enroll/code', { id })
    if (status !== 200) throw new Error(`No code: ${status} ${text}`)
    const message = world.mailbox.messages().find(({ body }) => body.includes('lets'))
    return message?.code ?? ''
  }

  test('is enrolled by a login while there is no wallet, and in strict apps by nothing less than a factor afterwards', async () => {
    const first = await open()
    const early = first.elsewhere()
    expect((await early.enrol()).status).toBe(200)
    const root = await first.create()
    // Whoever came in by the login alone, and did not make the wallet, is out again.
    expect(verdict(await packageOf(early, root))).toEqual(unknown)
    const next = first.elsewhere()
    for (const browser of [early, next]) expect(verdict(await browser.enrol())).toEqual(needed)
    expect((await packageOf(first, root)).status).toBe(200)
  })

  test('is enrolled by a login in compatible apps for fifteen minutes, whatever session came of it', async () => {
    const first = await open(compatibleApp)
    const root = await first.create()
    expect((await first.elsewhere().enrol()).status).toBe(200)
    const page = first.page()
    world.clock.pass(minutes(15))
    expect(verdict(await first.elsewhere().enrol())).toEqual(needed)
    const { body } = await page.post('sessions/fork', { refresh_token: first.refreshToken })
    const fork = await page.post('sessions/fork/recover', { refresh_token: body.new_session_refresh_token })
    const forked = first.elsewhere()
    forked.token = fork.body.token
    expect(verdict(await forked.enrol())).toEqual(needed)
    expect(verdict(await packageOf(forked, root))).toEqual(unknown)
  })

  test('is enrolled by a code that is sent to the person and names it', async () => {
    const first = await open()
    const root = await first.create()
    const next = first.elsewhere({ headers: { 'user-agent': chrome } })
    const factor = await addressOf(next)
    expect(factor).toMatchObject({ type: 'email', hint: 'p•••@example.com' })
    const code = await codeFor(next)
    const mail = world.mailbox.messages().find(({ code: of }) => of === code)
    expect(mail?.body).toContain(`Chrome on Windows (${next.ip.split('.').slice(0, 3).join('.')}.0/24)`)
    expect(mail?.body).toContain("If this isn't you, ignore it.")
    const enrolled = await next.enrol({ factor: 'code', code })
    expect([enrolled.status, enrolled.body]).toEqual([
      200,
      { device_id: expect.stringMatching(/^[\da-f-]{36}$/) },
    ])
    expect((await packageOf(next, root)).status).toBe(200)
    const { devices } = (await next.page().get('devices')).body
    expect(devices).toHaveLength(2)
    expect(devices.find(({ id }: { id: string }) => id === enrolled.body.device_id)).toMatchObject({
      name: 'Chrome on Windows',
      current: true,
    })
    await expect
      .poll(() => world.mailbox.messages().some(({ subject }) => subject.startsWith('A new device can use')))
      .toBe(true)
    // The code is good once.
    expect(verdict(await first.elsewhere().enrol({ factor: 'code', code }))).toEqual(wrong)
  })

  test('is not enrolled by the code of another key, another person or a login', async () => {
    const first = await open()
    await first.create()
    const [one, two] = [first.elsewhere(), first.elsewhere()]
    const code = await codeFor(one)
    const stranger = await open()
    await stranger.create()
    for (const other of [two, stranger.elsewhere()])
      expect(verdict(await other.enrol({ factor: 'code', code }))).toEqual(wrong)
    const foreign = stranger.elsewhere()
    foreign.key = one.key
    expect(verdict(await foreign.enrol({ factor: 'code', code }))).toEqual(wrong)
    world.clock.pass(seconds(30))
    const email = newAddress()
    const login = await new Client(world, { appId: everyWayApp.id }).codeFor(email)
    expect(verdict(await one.enrol({ factor: 'code', code: login }))).toEqual(wrong)
    expect((await one.enrol({ factor: 'code', code })).status).toBe(200)
  })

  /** A user with a wallet, whose page's token a thief uses to link or update an address of the thief's own. */
  async function withStrangersAddress(how: 'link' | 'update', appId = anyWayApp.id) {
    const first = await open(appId)
    const root = await first.create()
    world.clock.pass(minutes(10))
    const page = first.page()
    const { linked_accounts: accounts } = (await page.get('users/me')).body.user
    const { address: oldAddress } = accounts.find(({ type }: { type: string }) => type === 'email')
    const to = how === 'link' ? newNumber() : newAddress()
    const [route, named] =
      how === 'link'
        ? (['passwordless_sms', { phoneNumber: to }] as const)
        : (['passwordless', { email: to }] as const)
    const codeOf = async (client: Client) => {
      world.clock.pass(minutes(1))
      await client.post(`${route}/init`, named)
      return client.lastCode(to)
    }
    // The old rules would have let this through for anybody.
    const type = how === 'link' ? 'phone' : 'email'
    const { database } = world.backend
    const now = world.clock.now
    if (how === 'link')
      await database
        .insert(accountRows)
        .values({ appId, userId: first.userId, type, subject: to, linkedAt: now, verifiedAt: now })
    else
      await database
        .update(accountRows)
        .set({ subject: to, linkedAt: now, verifiedAt: now })
        .where(eq(accountRows.subject, oldAddress))
    const confirm = () =>
      database.update(accountRows).set({ confirmedAt: world.clock.now }).where(eq(accountRows.subject, to))
    /** A login with it, where the vault of a new browser asks for the code itself, or in a page. */
    const logIn = async (inVault: boolean) => {
      const vault = new Vault(world, { appId, origin: vaultOrigin })
      const at = inVault ? vault : new Client(world, { appId })
      const { body } = await at.post(`${route}/authenticate`, { ...named, code: await codeOf(at) })
      vault.token = body.token
      vault.userId = body.user.id
      return vault
    }
    return { first, root, logIn, confirm }
  }

  test.each(['link', 'update'] as const)(
    'is let in by no address that came by %s after the wallet, however long ago, until an enrolled device has confirmed it',
    async (how) => {
      const { first, root, logIn, confirm } = await withStrangersAddress(how)
      const types = async (vault: Vault) => (await factorsOf(vault)).map(({ type }: { type: string }) => type)
      const earlier = how === 'link' ? ['email'] : []
      expect(await types(first.elsewhere())).toEqual(['device', ...earlier])
      for (const wait of [0, 60, 24 * 60, 30 * 24 * 60]) {
        world.clock.pass(minutes(wait))
        for (const inVault of [true, false]) {
          const vault = await logIn(inVault)
          expect(verdict(await packageOf(vault, root))).toEqual(unknown)
          expect(verdict(await vault.enrol())).toEqual(needed)
          expect(await types(vault)).toEqual(['device', ...earlier])
        }
      }
      await confirm()
      const vault = await logIn(true)
      expect((await packageOf(vault, root)).status).toBe(200)
      expect(await types(vault)).toEqual(['device', ...earlier, how === 'link' ? 'sms' : 'email'])
    },
  )

  test('guesses a code five times, and codes for other keys in vain of it', async () => {
    const first = await open()
    await first.create()
    const next = first.elsewhere()
    const code = await codeFor(next)
    for (let count = 0; count < 5; count++)
      expect(verdict(await next.enrol({ factor: 'code', code: otherCode(code) }))).toEqual(wrong)
    expect(verdict(await next.enrol({ factor: 'code', code }))).toEqual(wrong)
    expect(verdict(await next.post('devices/enroll/code', { id: (await addressOf(next)).id }))).toEqual([
      429,
      'too_many_requests',
    ])
    world.clock.pass(seconds(30))
    const second = await codeFor(next)
    expect((await next.enrol({ factor: 'code', code: second })).status).toBe(200)
  })

  test('is not kept out by fifty wrong codes of a thief with the same token, nor by a thief without a code', async () => {
    const first = await open()
    await first.create()
    const owner = first.elsewhere()
    const code = await codeFor(owner)
    for (let count = 0; count < 50; count++) {
      // With a key each, and with one key for all.
      const thief = count % 2 ? first.elsewhere() : first.elsewhere({ ip: '10.250.0.1' })
      expect(verdict(await thief.enrol({ factor: 'code', code: otherCode(code) }))).toEqual(wrong)
    }
    expect((await owner.enrol({ factor: 'code', code })).status).toBe(200)
  })

  test('is not kept out by a thief who has three codes sent and guesses at each until it is dead', async () => {
    const email = newAddress()
    const page = new Client(world, { appId: everyWayApp.id })
    const first = await open()
    await first.create()
    const { linked_accounts: accounts } = (await first.page().get('users/me')).body.user
    const { address } = accounts.find(({ type }: { type: string }) => type === 'email')
    expect(email).not.toBe(address)
    for (let round = 0; round < 3; round++) {
      world.clock.pass(seconds(31))
      const thief = first.elsewhere()
      const code = await codeFor(thief)
      for (let count = 0; count < 6; count++)
        expect(verdict(await thief.enrol({ factor: 'code', code: otherCode(code) }))).toEqual(wrong)
    }
    world.clock.pass(seconds(31))
    // The stolen login has no more codes sent: a login of the owner's own has.
    const thief = first.elsewhere()
    expect(verdict(await thief.post('devices/enroll/code', { id: (await addressOf(thief)).id }))).toEqual([
      429,
      'too_many_requests',
    ])
    const login = await page.post('passwordless/authenticate', {
      email: address,
      code: await page.codeFor(address),
    })
    const owner = first.elsewhere()
    owner.token = login.body.token
    world.clock.pass(seconds(31))
    expect((await owner.enrol({ factor: 'code', code: await codeFor(owner) })).status).toBe(200)
  })

  test('that was enrolled by a code keeps nobody from asking for one to log in with, which an unused code does', async () => {
    const first = await open()
    await first.create()
    const next = first.elsewhere()
    const code = await codeFor(next)
    const { to: email } = world.mailbox.messages().find(({ code: of }) => of === code) ?? {}
    const init = () => new Client(world, { appId: everyWayApp.id }).post('passwordless/init', { email })
    expect(verdict(await init())).toEqual([429, 'too_many_requests'])
    expect((await next.enrol({ factor: 'code', code })).status).toBe(200)
    expect((await init()).status).toBe(200)
  })

  test('is enrolled by the recovery password, and by what belongs to the recovery key', async () => {
    const verifier = random(32)
    const drive = { method: 'google-drive', package: 'p', file_id: 'a-file', verifier }
    for (const method of ['password', 'drive']) {
      const first = await open()
      const recovery = method === 'drive' ? drive : { ...(await first.password()), rounds: 600_000 }
      const root = await first.create(undefined, { recovery })
      const next = first.elsewhere()
      const factor = (await factorsOf(next)).find(({ type }: { type: string }) => type === 'recovery')
      expect(factor).toMatchObject({
        method: recovery.method,
        root_address: root.key.address,
        chain_type: 'ethereum',
      })
      const right =
        method === 'drive' ? { verifier } : { proof: first.passwords.get(root.body.recovery.secret_id ?? '') }
      const shown = { factor: 'recovery', root: root.key.address }
      const guess = method === 'drive' ? { verifier: random(32) } : { proof: random(32) }
      expect(verdict(await next.enrol({ ...shown, ...guess }))).toEqual(wrong)
      expect((await next.enrol({ ...shown, ...right })).status).toBe(200)
      expect((await packageOf(next, root)).status).toBe(200)
      // It has shown the present way by that.
      expect((await next.change(root, automatic())).status).toBe(200)
    }
  })

  test('guesses a recovery password six times an hour for one login, and ten for all of them', async () => {
    const first = await open()
    const root = await first.create(undefined, { recovery: await first.password() })
    const guess = (vault: Vault) =>
      vault.enrol({ factor: 'recovery', root: root.key.address, proof: random(32) })
    const limited = [429, 'too_many_requests']
    // Another key is no other source.
    for (let count = 0; count < 6; count++) expect(verdict(await guess(first.elsewhere()))).toEqual(wrong)
    expect(verdict(await guess(first.elsewhere()))).toEqual(limited)
    const { linked_accounts: accounts } = (await first.page().get('users/me')).body.user
    const { address } = accounts.find(({ type }: { type: string }) => type === 'email')
    const owner = first.elsewhere()
    world.clock.pass(seconds(31))
    owner.token = (await new Client(world, { appId: everyWayApp.id }).login(address)).body.token
    const proof = first.passwords.get(root.body.recovery.secret_id ?? '')
    for (let count = 0; count < 3; count++) expect(verdict(await guess(owner))).toEqual(wrong)
    expect((await owner.enrol({ factor: 'recovery', root: root.key.address, proof })).status).toBe(200)
    // A right password gives its source the tries back; the thief's stay spent.
    expect(verdict(await guess(first.elsewhere()))).toEqual(limited)
  })

  test('that is enrolled is held back by its own tries of a password alone', async () => {
    const first = await open()
    const root = await first.create(undefined, { recovery: await first.password() })
    const { address } = root.key
    for (let count = 0; count < 8; count++)
      await first.elsewhere().enrol({ factor: 'recovery', root: address, proof: random(32) })
    const other = await first.enrolOther()
    const present = (vault: Vault, proof: string) => vault.post(`${path(root)}/recovery/present`, { proof })
    for (let count = 0; count < 10; count++) expect(verdict(await present(other, random(32)))).toEqual(wrong)
    expect(verdict(await present(other, random(32)))).toEqual([429, 'too_many_requests'])
    expect((await first.present(root)).status).toBe(200)
  })

  test('is enrolled by no key that the host of a strict app keeps', async () => {
    const first = await open()
    const verifier = random(32)
    const recovery = { method: 'google-drive', package: 'p', file_id: 'a-file', verifier }
    const root = await first.create(undefined, { recovery })
    // As it is where the app was compatible once.
    await world.backend.database
      .update(walletRoots)
      .set({ recoveryMethod: 'recovery-encryption-key' })
      .where(eq(walletRoots.id, root.walletId))
    const thief = first.elsewhere()
    expect((await factorsOf(thief)).map(({ type }: { type: string }) => type)).toEqual(['device', 'email'])
    expect(verdict(await thief.enrol({ factor: 'recovery', root: root.key.address, verifier }))).toEqual(
      needed,
    )
  })

  test('from before browsers had keys is enrolled by no share, and gets none', async () => {
    const first = await open()
    const root = await first.create()
    const next = first.elsewhere()
    const ask = (vault: Vault) => vault.post(`${path(root)}/auth_share`, { set_ids: [root.setId] })
    await world.backend.database
      .update(walletSets)
      .set({ deviceId: null })
      .where(eq(walletSets.setId, root.setId))
    expect(verdict(await ask(next))).toEqual(unknown)
    expect((await ask(first)).status).toBe(404)
    const statement = first.say('Latchkey device key', {
      wallet: root.walletId,
      set: root.setId,
      thumbprint: next.key.thumbprint,
    })
    const showing = { factor: 'share', root: root.key.address, set_id: root.setId }
    const proof = await root.key.prove(statement)
    expect(verdict(await next.enrol({ ...showing, proof }))).toEqual([400, 'invalid_data'])
  })

  test('is removed by somebody with a recovery of their own once they have shown it, of any one of their wallets', async () => {
    const first = await open()
    const root = await first.create(undefined, { recovery: await first.password() })
    await first.create(ethereumKey(), { secret: 'key' })
    const next = first.elsewhere()
    const shown = { root: root.key.address, proof: first.passwords.get(root.body.recovery.secret_id ?? '') }
    const { device_id } = (await next.enrol({ factor: 'recovery', ...shown })).body
    const remove = () => first.post(`devices/${device_id}/remove`)
    world.clock.pass(minutes(11))
    expect(verdict(await remove())).toEqual([403, 'recovery_proof_required'])
    // What the other browser has shown is not what this one has.
    expect((await next.post(`${path(root)}/recovery/present`, { proof: shown.proof })).status).toBe(200)
    expect(verdict(await remove())).toEqual([403, 'recovery_proof_required'])
    expect((await first.post(`${path(root)}/recovery/present`, { proof: shown.proof })).status).toBe(200)
    expect((await remove()).status).toBe(200)
    expect(verdict(await packageOf(next, root))).toEqual(unknown)
  })

  test('that is removed gets nothing from that moment, and its shares are deleted', async () => {
    const first = await open()
    const root = await first.create()
    const next = first.elsewhere()
    const { device_id } = (await next.enrol({ factor: 'code', code: await codeFor(next) })).body
    const set = await next.deviceBody(root)
    await next.post(`${path(root)}/devices`, set)
    const stranger = await open()
    expect((await stranger.post(`devices/${device_id}/remove`)).status).toBe(404)
    expect((await first.post(`devices/${device_id}/remove`)).body).toEqual({})
    expect(verdict(await packageOf(next, root))).toEqual(unknown)
    const left = await world.backend.database
      .select()
      .from(walletSets)
      .where(eq(walletSets.setId, set.set_id))
    expect(left).toEqual([])
    const { devices } = (await first.page().get('devices')).body
    expect(devices.map(({ id }: { id: string }) => id)).not.toContain(device_id)
    const log = (await first.page().get('embedded_wallets/releases')).body.releases
    expect(log.map(({ what }: { what: string }) => what)).toEqual(expect.arrayContaining(['device-removed']))
  })

  test('that is the hundred and first of a person takes the place of the one that was used longest ago', async () => {
    const first = await open()
    const root = await first.create()
    world.clock.pass(minutes(2))
    const owner = { appId: everyWayApp.id, userId: first.userId, name: 'Browser', place: 'Nowhere' }
    const used = { createdAt: world.clock.now, lastUsedAt: world.clock.now }
    const more = Array.from({ length: 98 }, () => ({
      id: randomUUID(),
      thumbprint: randomUUID(),
      ...used,
    }))
    await world.backend.database
      .insert(deviceRows)
      .values(more.map((row) => ({ ...owner, ...row, enrolledBy: 'code' as const })))
    const ids = async () => {
      const { devices } = (await first.page().get('devices')).body
      return devices.map(({ id }: { id: string }) => id)
    }
    const [oldest] = (await ids()).slice(-1)
    const enrolled = async () => {
      const browser = first.elsewhere()
      expect((await browser.enrol({ factor: 'code', code: await codeFor(browser) })).status).toBe(200)
      return browser
    }
    const hundredth = await enrolled()
    expect(await ids()).toHaveLength(100)
    expect(await ids()).toContain(oldest)
    await enrolled()
    expect(await ids()).toHaveLength(100)
    expect(await ids()).not.toContain(oldest)
    expect(verdict(await packageOf(first, root))).toEqual(unknown)
    expect((await packageOf(hundredth, root)).status).toBe(200)
  })

  test('whose key belongs to another app is unknown here', async () => {
    const here = await open()
    const root = await here.create()
    const there = await open(ownWayApp.id)
    const thief = here.elsewhere()
    thief.key = there.key
    expect(verdict(await packageOf(thief, root))).toEqual(unknown)
  })

  test('is enrolled by the login itself when the vault sends the code, and by no code of another key', async () => {
    const email = newAddress()
    const vault = new Vault(world, { appId: everyWayApp.id, origin: vaultOrigin })
    expect((await vault.post('passwordless/init', { email })).status).toBe(200)
    const code = vault.lastCode(email)
    const thief = new Vault(world, { appId: everyWayApp.id, origin: vaultOrigin })
    const page = new Client(world, { appId: everyWayApp.id })
    for (const other of [thief, page])
      expect((await other.post('passwordless/authenticate', { email, code })).status).toBe(422)
    const login = await vault.post('passwordless/authenticate', { email, code })
    expect(login.status).toBe(200)
    vault.token = login.body.token
    vault.userId = login.body.user.id
    await vault.create()
    const { devices } = (await vault.page().get('devices')).body
    expect(devices).toMatchObject([{ current: true }])
    const dpop = vault.proofFor('passwordless/init', { claims: { ath: undefined } })
    expect(verdict(await page.post('passwordless/init', { email: newAddress() }, { dpop }))).toEqual([
      403,
      'invalid_origin',
    ])
  })

  test('shows the present way before a way of the person’s own is changed or a key is shown', async () => {
    const vault = await open()
    const root = await vault.create(undefined, { recovery: await vault.password() })
    world.clock.pass(minutes(10))
    const required = [403, 'recovery_proof_required']
    expect(verdict(await vault.change(root, automatic()))).toEqual(required)
    const { body } = await vault.page().post(`embedded_wallets/${root.key.address}/export_ticket`)
    const redeem = () =>
      vault.post('embedded_wallets/export/redeem', { ticket: body.ticket, address: root.key.address })
    expect(verdict(await redeem())).toEqual(required)
    const wrongPassword = await vault.post(`${path(root)}/recovery/present`, { proof: random(32) })
    expect(verdict(wrongPassword)).toEqual(wrong)
    expect((await vault.present(root)).body).toEqual({})
    expect((await redeem()).status).toBe(200)
    expect((await vault.change(root, automatic())).body).toEqual({ recovery_method: 'privy' })
  })

  test('never changes a way of the person’s own to the automatic one where the app wants the former', async () => {
    const vault = await open(ownWayApp.id)
    const root = await vault.create(undefined, { recovery: await vault.password() })
    expect(verdict(await vault.change(root, automatic()))).toEqual([400, 'disallowed_recovery_method'])
  })
})
