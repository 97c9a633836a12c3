/** A user who froze the account comes back with a proof that a thief cannot have made before the freeze. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deviceRequests, devices, vaultPasskeys } from '../../../demo/backend/devices/tables.ts'
import { mfaFactors, mfaRecoveryCodes } from '../../../demo/backend/mfa/tables.ts'
import { accounts, users } from '../../../demo/backend/users/tables.ts'
import { recoverySecrets, walletRoots } from '../../../demo/backend/wallets/tables.ts'
import { createAuthenticator } from '../../support/authenticator.ts'
import { Client } from '../support/client.ts'
import { path, random, Vault, verdict } from '../support/embedded-world.ts'
import { enrolApp, mfaApp } from '../support/mfa-world.ts'
import { days, newAddress, seconds, startWorld, stores, vaultOrigin, type World } from '../support/world.ts'

const needed = [403, 'enrolment_required']

describe.each(stores)('devices: a frozen account on $name', (store) => {
  let world: World
  beforeAll(async () => {
    world = await startWorld(store, { moreApps: [mfaApp] })
  })
  afterAll(() => world?.stop())

  const logIn = async (email: string) => {
    world.clock.pass(seconds(31))
    const page = new Client(world, { appId: mfaApp.id })
    const { body } = await page.login(email)
    return { token: body.token as string, userId: body.user.id as string }
  }
  /**
   * A user with a password and every kind of proof, on the device that made the wallet.
   * @param of.since how old all of it is
   * @param of.wallet how old the wallet is, if that is something else
   */
  async function begin({ since = days(30), wallet = since }: { since?: number; wallet?: number } = {}) {
    const email = newAddress()
    const first = new Vault(world, { appId: mfaApp.id, origin: vaultOrigin })
    Object.assign(first, await logIn(email))
    await first.enrol()
    const root = await first.create(undefined, { recovery: await first.password() })
    const authenticator = createAuthenticator()
    const options = (await first.post('devices/passkeys/options')).body
    const attestation = await authenticator.register(options, vaultOrigin)
    const statement = first.say('Latchkey recovery passkey', { credential: attestation.id })
    expect((await first.postStated('devices/passkeys', { attestation }, statement)).status).toBe(200)
    // Rows that are older than the clock of the test.
    const { database } = world.backend
    const at = world.clock.now - since
    await database
      .update(accounts)
      .set({ linkedAt: at, confirmedAt: at })
      .where(eq(accounts.userId, first.userId))
    await database.update(vaultPasskeys).set({ createdAt: at }).where(eq(vaultPasskeys.userId, first.userId))
    await database
      .update(walletRoots)
      .set({ createdAt: world.clock.now - wallet })
      .where(eq(walletRoots.userId, first.userId))
    await database
      .update(recoverySecrets)
      .set({ createdAt: at })
      .where(eq(recoverySecrets.userId, first.userId))
    return { first, root, email, authenticator }
  }
  const freeze = (vault: Vault) =>
    world.backend.database.update(users).set({ frozenAt: world.clock.now }).where(eq(users.id, vault.userId))
  const isFrozen = async (vault: Vault) => {
    const [user] = await world.backend.database.select().from(users).where(eq(users.id, vault.userId))
    return user?.frozenAt !== null
  }
  const typesOf = async (vault: Vault) =>
    (await vault.post('devices/enroll/options')).body.factors.map(({ type }: { type: string }) => type)
  async function codeFor(vault: Vault): Promise<string> {
    const { factors } = (await vault.post('devices/enroll/options')).body
    const { id } = factors.find(({ type }: { type: string }) => type === 'email')
    const { status, text } = await vault.post('devices/enroll/code', { id })
    if (status !== 200) throw new Error(`No code: ${status} ${text}`)
    return world.mailbox.messages().find(({ body }) => body.includes('lets'))?.code ?? ''
  }

  const proofs: Record<string, (vault: Vault, of: Awaited<ReturnType<typeof begin>>) => Promise<object>> = {
    code: async (vault) => ({ factor: 'code', code: await codeFor(vault) }),
    passkey: async (vault, { authenticator }) => ({
      factor: 'passkey',
      assertion: await authenticator.login((await vault.post('devices/enroll/passkey')).body, vaultOrigin),
    }),
    recovery: async (_, { first, root }) => ({
      factor: 'recovery',
      root: root.key.address,
      proof: first.passwords.get(root.body.recovery.secret_id ?? ''),
    }),
  }

  test.each(Object.keys(proofs))(
    'a proof by %s frees it, keeps this device and ends all others and their sessions',
    async (kind) => {
      const begun = await begin()
      const { first, root, email } = begun
      const other = await first.enrolOther()
      const waiting = first.elsewhere()
      await waiting.post('devices/enroll/request')
      await freeze(first)
      const owner = first.elsewhere()
      Object.assign(owner, await logIn(email))
      expect(await typesOf(owner)).toEqual(['passkey', 'email', 'recovery'])
      const showing = await proofs[kind]?.(owner, begun)
      const enrolled = await owner.enrol(showing)
      expect([enrolled.status, await isFrozen(first)]).toEqual([200, false])
      expect((await owner.post(`${path(root)}/recovery/package`)).status).toBe(200)
      const { devices: left } = (await owner.page().get('devices')).body
      expect(left.map(({ id }: { id: string }) => id)).toEqual([enrolled.body.device_id])
      // Their sessions have ended, and so has what they had asked for.
      for (const vault of [first, other])
        expect(verdict(await vault.post(`${path(root)}/recovery/package`))).toEqual([
          401,
          'missing_or_invalid_token',
        ])
      expect(
        await world.backend.database.$count(deviceRequests, eq(deviceRequests.userId, first.userId)),
      ).toBe(0)
      // With a fresh login they are new devices.
      const login = await logIn(email)
      Object.assign(first, login)
      expect(verdict(await first.post(`${path(root)}/recovery/package`))).toEqual([
        403,
        'device_not_enrolled',
      ])
      expect(verdict(await first.enrol())).toEqual(needed)
    },
  )

  test('a device that was enrolled shows a proof as any other', async () => {
    const begun = await begin()
    const { first } = begun
    await first.enrolOther()
    await freeze(first)
    expect(verdict(await first.enrol())).toEqual(needed)
    expect(await isFrozen(first)).toBe(true)
    const proof = await proofs.recovery?.(first, begun)
    expect((await first.enrol(proof)).status).toBe(200)
    expect(await isFrozen(first)).toBe(false)
    expect((await first.page().get('devices')).body.devices).toHaveLength(1)
  })

  test('takes nothing that was set up within seven days before', async () => {
    const begun = await begin({ since: days(6), wallet: days(8) })
    const { first, root, email, authenticator } = begun
    await freeze(first)
    const owner = first.elsewhere()
    Object.assign(owner, await logIn(email))
    expect(await typesOf(owner)).toEqual([])
    expect((await owner.post('devices/enroll/passkey')).status).toBe(404)
    const proof = await proofs.recovery?.(owner, begun)
    expect(verdict(await owner.enrol(proof))).toEqual(needed)
    expect(authenticator.passkeys).toHaveLength(1)
    const [account] = await world.backend.database
      .select()
      .from(accounts)
      .where(eq(accounts.userId, first.userId))
    expect((await owner.post('devices/enroll/code', { id: String(account?.id) })).status).toBe(404)
    expect(await isFrozen(first)).toBe(true)
    expect((await owner.post(`${path(root)}/recovery/package`)).status).toBe(403)
  })

  test('with a wallet of this week, takes what was there before it, and nothing that came later', async () => {
    const { first, email } = await begin({ since: days(2) })
    await world.backend.database
      .update(vaultPasskeys)
      .set({ createdAt: world.clock.now - days(1) })
      .where(eq(vaultPasskeys.userId, first.userId))
    await freeze(first)
    const owner = first.elsewhere()
    Object.assign(owner, await logIn(email))
    // Nothing older can be there: nobody could ever free it otherwise.
    expect(await typesOf(owner)).toEqual(['email', 'recovery'])
  })

  test('is freed by no login with a code, in the vault or in a page', async () => {
    const { first, root, email } = await begin()
    await freeze(first)
    const vault = new Vault(world, { appId: mfaApp.id, origin: vaultOrigin })
    world.clock.pass(seconds(31))
    await vault.post('passwordless/init', { email })
    const login = await vault.post('passwordless/authenticate', { email, code: vault.lastCode(email) })
    expect(login.status).toBe(200)
    vault.token = login.body.token
    expect((await vault.post(`${path(root)}/recovery/package`)).status).toBe(403)
    expect(verdict(await vault.enrol())).toEqual(needed)
    expect(await isFrozen(first)).toBe(true)
    const rows = await world.backend.database.select().from(devices).where(eq(devices.userId, first.userId))
    expect(rows).toHaveLength(1)
  })

  test('an old second factor is shown along and frees it alone; one that a thief has added counts for nothing', async () => {
    for (const age of [days(30), days(1)]) {
      const begun = await begin()
      const { first, email } = begun
      const app = await enrolApp(first)
      const { database } = world.backend
      const { codes } = (await first.post('mfa/recovery_codes/generate', {}, await app.proof('factors'))).body
      await database
        .update(mfaFactors)
        .set({ verifiedAt: world.clock.now - age })
        .where(eq(mfaFactors.userId, first.userId))
      await database
        .update(mfaRecoveryCodes)
        .set({ createdAt: world.clock.now - age })
        .where(eq(mfaRecoveryCodes.userId, first.userId))
      await freeze(first)
      const owner = first.elsewhere()
      Object.assign(owner, await logIn(email))
      const isOld = age > days(7)
      expect(await typesOf(owner)).toEqual(['passkey', ...(isOld ? ['mfa'] : []), 'email', 'recovery'])
      const shown = await app.proof('device', owner)
      const alone = await owner.post('devices/enroll', { factor: 'mfa' }, shown)
      expect(verdict(alone)).toEqual(isOld ? [200, undefined] : needed)
      if (isOld) continue
      const byCode = await owner.post('mfa/recovery_codes/verify', { code: codes[0], purpose: 'device' })
      const stands = { 'latchkey-mfa': byCode.body.token }
      expect(verdict(await owner.post('devices/enroll', { factor: 'mfa' }, stands))).toEqual(needed)
      // The owner, who has none of it, is not asked for it.
      const proof = await proofs.recovery?.(owner, begun)
      expect((await owner.enrol(proof)).status).toBe(200)
    }
  })

  test('of proofs at once one frees it, and a proof of before the freeze does not', async () => {
    const begun = await begin()
    const { first, email } = begun
    await freeze(first)
    const owners: Vault[] = []
    for (let count = 0; count < 3; count++) {
      const owner = first.elsewhere()
      Object.assign(owner, await logIn(email))
      await owner.post('devices/enroll/options')
      owners.push(owner)
    }
    const proof = await proofs.recovery?.(first, begun)
    const answers = await Promise.all(owners.map((owner) => owner.enrol(proof)))
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
    expect(await isFrozen(first)).toBe(false)
    const { database } = world.backend
    const enrolled = await database.select().from(devices).where(eq(devices.userId, first.userId))
    expect(enrolled.filter(({ removedAt }) => removedAt === null).length).toBeGreaterThan(0)
    expect(
      verdict(await first.elsewhere().enrol({ factor: 'recovery', root: random(16), proof: random(32) }))[0],
    ).toBe(401)
  })
})
