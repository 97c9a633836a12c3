import { createHmac, randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sweep } from '../../../demo/backend/features.ts'
import { unseal } from '../../../demo/backend/secrets/sealing.ts'
import { loadSecrets } from '../../../demo/backend/secrets/secrets.ts'
import { defaultLimits } from '../../../demo/backend/settings/limits.ts'
import { recoveryChanges, recoverySecrets, walletRoots } from '../../../demo/backend/wallets/tables.ts'
import { crowd } from '../../support/soak.ts'
import type { Answer } from '../support/client.ts'
import {
  automatic,
  ethereumKey,
  everyWayApp,
  pageKeyApp,
  path,
  type Root,
  random,
  solanaKey,
  Vault,
  verdict,
} from '../support/embedded-world.ts'
import { days, hours, minutes, startWorld, stores, type World } from '../support/world.ts'

const tooMany = [429, 'too_many_requests']
const missing = [404, 'linked_account_not_found']

describe.each(stores)('recovery of embedded wallets on $name', (store) => {
  let world: World
  beforeAll(async () => {
    world = await startWorld(store, { moreApps: [everyWayApp, pageKeyApp] })
  })
  afterAll(() => world?.stop())

  const open = () => Vault.open(world, { appId: everyWayApp.id })
  const packageOf = async (vault: Vault, root: Root) =>
    (await vault.post(`${path(root)}/recovery/package`)).body
  const evaluate = (vault: Vault, root: Root, proof = random(32)) =>
    vault.post(`${path(root)}/recovery/evaluate`, { proof })
  async function withPassword(vault: Vault, key = ethereumKey(), more: object = {}) {
    return vault.create(key, { recovery: await vault.password(), ...more })
  }
  const drive = () => ({ method: 'google-drive', package: `package ${randomUUID()}`, file_id: random(24) })
  const cloud = () => ({ method: 'icloud', package: `package ${randomUUID()}`, record_name: randomUUID() })
  const ownKey = () => ({ method: 'recovery-encryption-key', package: `package ${randomUUID()}` })
  const renew = async (vault: Vault) => {
    const { body } = await vault.page().post('sessions', { refresh_token: vault.refreshToken })
    vault.token = body.token
    vault.refreshToken = body.refresh_token
  }

  describe('by password', () => {
    test('takes the server’s own secret, which never leaves it', async () => {
      const vault = await open()
      const proof = random(32)
      const made = await vault.post('embedded_wallets/recovery/secrets', { proof })
      const recovery = {
        method: 'user-passcode',
        package: 'p',
        secret_id: made.body.secret_id,
        salt: random(16),
      }
      const root = await vault.create(undefined, { recovery })
      const [row] = await world.backend.database
        .select()
        .from(recoverySecrets)
        .where(eq(recoverySecrets.id, recovery.secret_id))
      const secrets = await loadSecrets(world.dataDir, undefined)
      const secret = unseal(secrets, `recovery secret ${row?.id}`, row?.sealedSecret ?? '')
      const expected = createHmac('sha256', Buffer.from(secret, 'base64url'))
        .update(Buffer.from(proof, 'base64url'))
        .digest('base64url')
      expect(made.body.evaluation).toBe(expected)
      expect((await evaluate(vault, root, proof)).body).toEqual({ evaluation: expected })
      expect((await evaluate(vault, root)).body.evaluation).not.toBe(expected)
      const material = await vault.post(`${path(root)}/recovery/key_material`)
      expect(material.body).toEqual({
        recovery_type: 'user_passcode_derived_recovery_key',
        recovery_key_derivation_salt: recovery.salt,
        recovery_code: '',
        recovery_key: '',
        file_id: '',
        icloud_record_name: '',
      })
      for (const answer of [made, material, await evaluate(vault, root, proof)])
        expect(answer.text).not.toContain(secret)
    })

    test('is tried ten times an hour, whichever of one’s wallets it is', async () => {
      const vault = await open()
      const root = await withPassword(vault)
      const imported = await withPassword(vault, solanaKey(), { secret: 'key' })
      for (let count = 0; count < 10; count++) {
        expect((await evaluate(vault, count % 2 ? root : imported)).status).toBe(200)
        world.clock.pass(minutes(1))
      }
      const refused = [await evaluate(vault, root), await evaluate(vault, imported)]
      for (const answer of refused) {
        expect(verdict(answer)).toEqual(tooMany)
        expect(Number(answer.headers.get('retry-after'))).toBe(50 * 60)
      }
      // A try that was refused does not count.
      world.clock.pass(minutes(50))
      await renew(vault)
      expect((await evaluate(vault, root)).status).toBe(200)
      const other = await open()
      expect((await evaluate(other, await withPassword(other))).status).toBe(200)
    })

    test('is refused alike, whether the guess was right or not', async () => {
      const vault = await open()
      const root = await withPassword(vault)
      const right = random(32)
      for (let count = 0; count < 10; count++) await evaluate(vault, root, right)
      const answers = [await evaluate(vault, root, right), await evaluate(vault, root)]
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
      expect(answers.map(verdict)).toEqual([tooMany, tooMany])
    })

    test(`gets ten of ${crowd} tries that come at once`, async () => {
      const vault = await open()
      const root = await withPassword(vault)
      const answers = await Promise.all(Array.from({ length: crowd }, () => evaluate(vault, root)))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(crowd - 10)
      console.log(`${store.name}: ${crowd} parallel tries of a password: 10 evaluated`)
    })

    test('is tried a hundred times in all without a success, and once an hour from then on', async () => {
      const vault = await open()
      const root = await withPassword(vault)
      let evaluated = 0
      for (let hour = 0; hour < 24; hour++) {
        await renew(vault)
        let answer: Answer
        do {
          answer = await evaluate(vault, root)
          if (answer.status === 200) evaluated++
        } while (answer.status === 200)
        expect(verdict(answer)).toEqual(tooMany)
        world.clock.pass(hours(1))
      }
      expect(evaluated).toBe(100 + 14)
      console.log(`${store.name}: guesses at one password in 24 h: ${evaluated} evaluated`)
    })

    test('is free again once somebody has shown the wallet’s own key, and by nothing else', async () => {
      const vault = await open()
      const root = await withPassword(vault)
      const decoy = await withPassword(vault, ethereumKey(), { secret: 'key' })
      for (let count = 0; count < 10; count++) await evaluate(vault, root)
      // A thief of the login may have a wallet of their own there: its key clears its own count alone.
      await vault.post(`${path(decoy)}/devices`, await vault.deviceBody(decoy))
      const forged = await vault.deviceBody(root, randomUUID(), decoy.key)
      expect((await vault.post(`${path(root)}/devices`, forged)).status).toBe(401)
      expect(verdict(await evaluate(vault, root))).toEqual(tooMany)
      const device = await vault.deviceBody(root)
      await vault.post(`${path(root)}/devices`, device)
      for (let count = 0; count < 10; count++) expect((await evaluate(vault, root)).status).toBe(200)
      // Shown again, an old proof tells nothing new.
      expect((await vault.post(`${path(root)}/devices`, device)).status).toBe(200)
      expect(verdict(await evaluate(vault, root))).toEqual(tooMany)
    })

    test('is not what other wallets have', async () => {
      const vault = await open()
      const root = await vault.create()
      expect(verdict(await evaluate(vault, root))).toEqual([400, 'invalid_state'])
    })

    test('takes a secret that is one’s own, young and unused', async () => {
      const vault = await open()
      const stranger = await (await open()).password()
      const used = await vault.password()
      const root = await vault.create(undefined, { recovery: used })
      const old = await vault.password()
      world.clock.pass(hours(24))
      await renew(vault)
      expect((await vault.present(root)).status).toBe(200)
      const unknown = { ...used, secret_id: randomUUID() }
      for (const recovery of [stranger, used, old, unknown]) {
        const change = await vault.changeBody(root, recovery)
        const refused = await vault.post(`${path(root)}/recovery/changes`, change)
        expect(verdict(refused)).toEqual([400, 'invalid_data'])
        const more = await vault.newRoot(ethereumKey(), { secret: 'key', recovery })
        expect(verdict(await vault.post('embedded_wallets', more.body))).toEqual([400, 'invalid_data'])
      }
      for (const proof of [random(31), random(33), '', 'x'.repeat(43), `${random(32)}=`, 5])
        expect(verdict(await vault.post('embedded_wallets/recovery/secrets', { proof }))).toEqual([
          400,
          'invalid_data',
        ])
    })

    test('gets no endless number of secrets', async () => {
      const vault = await open()
      const ask = () => vault.post('embedded_wallets/recovery/secrets', { proof: random(32) })
      for (let count = 0; count < defaultLimits.recoverySecretsPerHour; count++)
        expect((await ask()).status).toBe(200)
      expect(verdict(await ask())).toEqual(tooMany)
    })
  })

  describe('is changed in two steps', () => {
    test('from every way to every other: the old one works until the new one is confirmed', async () => {
      const ways = [
        async () => automatic(),
        (vault: Vault) => vault.password(),
        async () => drive(),
        async () => cloud(),
        async () => ownKey(),
      ]
      let changes = 0
      for (const from of ways) {
        const vault = await Vault.open(world, { appId: pageKeyApp.id })
        const first = await from(vault)
        const root = await vault.create(undefined, { recovery: first })
        for (const to of ways) {
          const now = await packageOf(vault, root)
          const next = await to(vault)
          const change = await vault.changeBody(root, next)
          const call = `${path(root)}/recovery/changes`
          for (let time = 0; time < 2; time++) {
            const prepared = await vault.post(call, change)
            expect([prepared.status, prepared.body]).toEqual([200, { recovery_package: next.package }])
            expect(await packageOf(vault, root)).toEqual(now)
          }
          for (let time = 0; time < 2; time++) {
            const confirmed = await vault.confirm(root, change.change_id)
            expect([confirmed.status, confirmed.body]).toEqual([200, { recovery_method: next.method }])
          }
          expect((await vault.post(call, change)).body).toEqual({ recovery_package: next.package })
          expect(await packageOf(vault, root)).toEqual({
            wallet_id: root.walletId,
            recovery_method: next.method,
            recovery_package: next.package,
          })
          const { linked_accounts } = (await vault.get('users/me')).body.user
          expect(linked_accounts[1].recovery_method).toBe(next.method)
          changes++
        }
      }
      console.log(`${store.name}: ${changes} changes of recovery, in every direction`)
    })

    test('what belonged to the old method is deleted', async () => {
      const vault = await open()
      const root = await withPassword(vault)
      const { secret_id } = root.body.recovery
      await vault.change(root, drive())
      const { database } = world.backend
      const known = await database.select().from(recoverySecrets)
      expect(known.map(({ id }) => id)).not.toContain(secret_id)
      const [row] = await database.select().from(walletRoots).where(eq(walletRoots.id, root.walletId))
      expect([row?.sealedRecoveryKey, row?.recoverySecretId]).toEqual([null, null])
      const left = await database
        .select()
        .from(recoveryChanges)
        .where(eq(recoveryChanges.walletId, root.walletId))
      expect(left).toMatchObject([
        {
          sealedRecoveryPackage: null,
          sealedRecoveryKey: null,
          recoverySecretId: null,
          sealedRecoveryHints: null,
        },
      ])
    })

    test('a new password can be tried at once after the change', async () => {
      const vault = await open()
      const root = await withPassword(vault)
      for (let count = 0; count < 10; count++) await evaluate(vault, root)
      await vault.change(root, await vault.password())
      expect((await evaluate(vault, root)).status).toBe(200)
    })

    test('by the browser’s own key alone, for that very package and way', async () => {
      const vault = await open()
      const root = await vault.create()
      const good = await vault.changeBody(root, drive())
      const call = `${path(root)}/recovery/changes`
      const stranger = await (await open()).changeBody(root, drive())
      for (const wrong of [
        stranger,
        { ...good, change_id: randomUUID() },
        { ...good, recovery: { ...good.recovery, package: 'another' } },
        { ...good, recovery: { ...cloud(), package: good.recovery.package } },
      ]) {
        // The window has shown something else.
        expect(verdict(await vault.post(call, wrong))).toEqual([403, 'approval_required'])
        const shown = vault.changeOfRecovery(root, wrong.recovery, wrong.change_id)
        expect(verdict(await vault.unshown(call, wrong, shown))).toEqual([401, 'invalid_credentials'])
      }
      expect(verdict(await vault.confirm(root, good.change_id))).toEqual(missing)
      for (const wrong of [
        { ...good, change_id: 'x' },
        { ...good, recovery: { ...good.recovery, key: random(32) } },
        { ...good, recovery: { method: 'icloud-native', package: 'p' } },
      ])
        expect(verdict(await vault.post(call, wrong))).toEqual([400, 'invalid_data'])
      expect((await packageOf(vault, root)).recovery_method).toBe('privy')
    })

    test('to what the app offers', async () => {
      const vault = await Vault.open(world)
      const root = await vault.create()
      for (const recovery of [await vault.password(), drive(), cloud(), ownKey()])
        expect(verdict(await vault.change(root, recovery))).toEqual([400, 'disallowed_recovery_method'])
      expect((await vault.change(root, automatic())).body).toEqual({ recovery_method: 'privy' })
    })

    test('the change that is confirmed last counts; an id can’t be reused for another change', async () => {
      const vault = await open()
      const root = await vault.create()
      const call = `${path(root)}/recovery/changes`
      const [first, second] = [await vault.changeBody(root, drive()), await vault.changeBody(root, cloud())]
      for (const change of [first, second]) await vault.post(call, change)
      const taken = await vault.changeBody(root, drive(), first.change_id)
      expect(verdict(await vault.post(call, taken))).toEqual([400, 'resource_conflict'])
      for (const { change_id } of [second, first]) await vault.confirm(root, change_id)
      expect((await packageOf(vault, root)).recovery_package).toBe(first.recovery.package)
      // An answer that was lost, and the request again: nothing goes back.
      await vault.confirm(root, second.change_id)
      expect((await packageOf(vault, root)).recovery_package).toBe(first.recovery.package)
    })

    test('once, however many confirm it at the same time', async () => {
      const vault = await open()
      const root = await withPassword(vault)
      const change = await vault.changeBody(root, await vault.password())
      const call = `${path(root)}/recovery/changes`
      const prepared = await Promise.all(Array.from({ length: 20 }, () => vault.post(call, change)))
      expect(new Set(prepared.map(({ status }) => status))).toEqual(new Set([200]))
      const confirmed = await Promise.all(
        Array.from({ length: 20 }, () => vault.confirm(root, change.change_id)),
      )
      expect(new Set(confirmed.map(({ text }) => text)).size).toBe(1)
      expect((await evaluate(vault, root)).status).toBe(200)
    })

    test('that wait for no longer than a day, and of which there are few', async () => {
      const vault = await open()
      const root = await vault.create()
      const call = `${path(root)}/recovery/changes`
      const ids: string[] = []
      for (let count = 0; count < 10; count++) {
        world.clock.pass(1_000)
        const change = await vault.changeBody(root, await vault.password())
        expect((await vault.post(call, change)).status).toBe(200)
        ids.push(change.change_id)
      }
      const confirm = (id = '') => vault.confirm(root, id)
      expect(verdict(await confirm(ids[1]))).toEqual(missing)
      expect((await confirm(ids[2])).status).toBe(200)
      world.clock.pass(days(1))
      await renew(vault)
      expect(verdict(await confirm(ids[9]))).toEqual(missing)
    })
  })

  test('leaves nothing behind that nobody can use, and loses nothing that somebody can', async () => {
    const vault = await open()
    const kept = await withPassword(vault)
    const unused = await vault.password()
    const imported = await vault.create(ethereumKey(), { secret: 'key' })
    const pending = await vault.password()
    await vault.post(`${path(imported)}/recovery/changes`, await vault.changeBody(imported, pending))
    const { database } = world.backend
    const left = async () => {
      const rows = await database
        .select()
        .from(recoverySecrets)
        .where(eq(recoverySecrets.userId, vault.userId))
      return rows.map(({ id }) => id).sort()
    }
    const all = [kept.body.recovery.secret_id, unused.secret_id, pending.secret_id].sort()
    await sweep(database, defaultLimits, world.clock.now)
    expect(await left()).toEqual(all)
    await sweep(database, defaultLimits, world.clock.now + days(2) + 1)
    expect(await left()).toEqual([kept.body.recovery.secret_id])
    expect((await evaluate(vault, kept)).status).toBe(200)
  })
})
