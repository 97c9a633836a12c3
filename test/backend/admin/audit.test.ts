import { asc, eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { removeUser, restoreUser } from '../../../demo/backend/accounts/removed-users.ts'
import { type AuditAction, audit } from '../../../demo/backend/audit/tables.ts'
import { loadSecrets } from '../../../demo/backend/secrets/secrets.ts'
import { sessions } from '../../../demo/backend/sessions/tables.ts'
import type { AppSettings } from '../../../demo/backend/settings/demo-apps.ts'
import { makeRecoveryFile } from '../../../demo/backend/wallets/recovery/file.ts'
import { Client } from '../support/client.ts'
import { Vault } from '../support/embedded-world.ts'
import { newAddress, site, startWorld, stores, type World } from '../support/world.ts'

const app: AppSettings = {
  id: 'latchkey-test-audited-001',
  name: 'Everything Noted',
  allowedDomains: [site],
}

describe.each(stores)('the audit log on $name', (store) => {
  let world: World
  beforeAll(async () => {
    world = await startWorld(store, { moreApps: [app] })
  })
  afterAll(() => world?.stop())

  const entriesOf = (userId: string) =>
    world.backend.database.select().from(audit).where(eq(audit.userId, userId)).orderBy(asc(audit.id))

  /** While the log takes no entry of this kind. */
  async function refusing<T>(action: AuditAction, work: () => Promise<T>): Promise<T> {
    const { database } = world.backend
    await database.execute(
      sql.raw(`alter table audit add constraint refused check (action <> '${action}') not valid`),
    )
    try {
      return await work()
    } finally {
      await database.execute(sql`alter table audit drop constraint refused`)
    }
  }
  const addressesOf = async (page: Client) =>
    (await page.get('users/me')).body.user.linked_accounts.map(({ address }: { address: string }) => address)
  async function somebody() {
    const email = newAddress()
    const page = new Client(world, { appId: app.id })
    const { body } = await page.login(email)
    return { page, email, id: body.user.id as string, refreshToken: body.refresh_token as string }
  }

  test('a login that can’t be noted lets nobody in, and makes nobody', async () => {
    const email = newAddress()
    const page = new Client(world, { appId: app.id })
    const code = await page.codeFor(email)
    const before = await world.backend.database.$count(sessions)
    const log = () => page.post('passwordless/authenticate', { email, code })
    expect((await refusing('login', log)).status).toBe(500)
    expect(await world.backend.database.$count(sessions)).toBe(before)
    // The code was not used up either.
    const { status, body } = await log()
    expect([status, body.is_new_user]).toEqual([200, true])
    expect((await entriesOf(body.user.id)).map(({ action }) => action)).toEqual(['login'])
  })

  test('an update that can’t be noted changes nothing', async () => {
    const { page, email, id } = await somebody()
    const next = newAddress()
    const code = await page.codeFor(next)
    const body = { oldAddress: email, newAddress: next, code }
    const update = () => page.post('passwordless/update', body)
    expect((await refusing('account-updated', update)).status).toBe(500)
    expect(await addressesOf(page)).toEqual([email])
    expect((await update()).status).toBe(200)
    expect((await entriesOf(id)).at(-1)).toMatchObject({
      action: 'account-updated',
      actorType: 'user',
      actor: id,
      details: { type: 'email', from: email },
    })
  })

  test('a link and an unlink that can’t be noted change nothing', async () => {
    const vault = await Vault.open(world, { appId: app.id })
    const page = vault.page()
    const [own] = await addressesOf(page)
    await page.post('passwordless/unlink', { address: own })
    const unlink = () => page.post('passwordless/unlink', { address: own, even_if_sole: true })
    expect((await refusing('account-unlinked', unlink)).status).toBe(500)
    expect(await addressesOf(page)).toEqual([own])
    expect((await unlink()).status).toBe(200)
    const email = newAddress()
    const code = await page.codeFor(email)
    const link = () => page.post('passwordless/link', { email, code })
    expect((await refusing('account-linked', link)).status).toBe(500)
    expect(await addressesOf(page)).toEqual([])
    expect((await link()).status).toBe(200)
    const actions = (await entriesOf(vault.userId)).map(({ action }) => action)
    expect(actions.slice(-2)).toEqual(['account-unlinked', 'account-linked'])
  })

  test('a logout that can’t be noted ends nothing', async () => {
    const { page, id, refreshToken } = await somebody()
    const leave = () => page.post('sessions/logout', { refresh_token: refreshToken })
    expect((await refusing('logout', leave)).status).toBe(500)
    expect((await page.get('users/me')).status).toBe(200)
    expect((await leave()).status).toBe(200)
    expect((await entriesOf(id)).at(-1)).toMatchObject({ action: 'logout', actor: id })
  })

  test('the operator’s tools are in it by their names', async () => {
    const { database } = world.backend
    const vault = await Vault.open(world, { appId: app.id })
    const root = await vault.create()
    const deps = {
      database,
      clock: () => world.clock.now,
      secrets: await loadSecrets(world.dataDir, undefined),
    }
    await refusing('operator-export', async () =>
      expect(makeRecoveryFile(deps, vault.userId)).rejects.toThrow(),
    )
    await makeRecoveryFile(deps, vault.userId)
    const [email] = await addressesOf(vault.page())
    const now = world.clock.now
    await database.transaction((tx) => removeUser(tx, { userId: vault.userId, withAccount: null }, now))
    await restoreUser(database, vault.userId, now)
    const byTools = (await entriesOf(vault.userId)).filter(({ actorType }) => actorType === 'operator')
    expect(byTools.map(({ actor, action, details }) => [actor, action, details])).toEqual([
      ['export-recovery', 'operator-export', { wallets: [root.key.address] }],
      ['restore-user', 'user-restored', { back: [`email ${email}`], taken: [] }],
    ])
  })
})
