import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { restoreUser } from '../../../demo/backend/accounts/removed-users.ts'
import { sweep } from '../../../demo/backend/features.ts'
import { defaultLimits } from '../../../demo/backend/settings/limits.ts'
import { accounts, users } from '../../../demo/backend/users/tables.ts'
import { walletRoots } from '../../../demo/backend/wallets/tables.ts'
import { limit } from '../../support/limit.ts'
import { runProgram } from '../../support/program.ts'
import { type Answer, Client } from '../support/client.ts'
import { path, Vault } from '../support/embedded-world.ts'
import { newAccount, startWalletWorld, WalletClient, walletApp } from '../support/wallet-world.ts'
import { days, minutes, stores, vaultOrigin, type World } from '../support/world.ts'

describe.each(stores)('a user with wallets whose account goes to somebody else, on $name', (store) => {
  let world: World
  beforeAll(async () => {
    world = await startWalletWorld(store)
  })
  // The last test has closed the backend.
  afterAll(() => world?.cleanUp())

  /** Somebody with a wallet, and somebody else who has proved the first one's address and took it over. */
  async function transferred({ wallet = true, more = false } = {}) {
    const vault = await Vault.open(world, { appId: walletApp.id })
    const page = vault.page()
    const email = (await page.get('users/me')).body.user.linked_accounts[0].address as string
    const extra = newAccount()
    if (more) {
      const linking = new WalletClient(world)
      linking.token = vault.token
      expect((await linking.post('siwe/link', await linking.signed(extra))).status).toBe(200)
    }
    const root = wallet ? await vault.create() : undefined
    const taker = new WalletClient(world)
    await taker.enter('siwe', await taker.signed(newAccount()))
    const refused = await taker.post('passwordless/link', { email, code: await taker.codeFor(email) })
    expect([refused.status, refused.body.code]).toEqual([400, 'account_transfer_required'])
    const moved = await taker.post('passwordless/transfer', { email, nonce: refused.body.data.nonce })
    if (root) await approvedBy(taker, moved)
    else expect(moved.status).toBe(200)
    return { vault, email, root, taker, extra }
  }
  /** Somebody loses wallets: a device of the taker has to approve that. */
  async function approvedBy(taker: Client, moved: Answer | Promise<Answer>) {
    const device = new Vault(world, { appId: walletApp.id, origin: vaultOrigin })
    device.token = taker.token
    device.userId = (await taker.get('users/me')).body.user.id
    expect((await device.enrol()).status).toBe(200)
    expect((await device.approved(moved)).status).toBe(200)
  }
  const emailRowOf = async (userId: string) => {
    const rows = await world.backend.database.select().from(accounts).where(eq(accounts.userId, userId))
    return rows.find(({ type }) => type === 'email')
  }
  const mailsTo = (email: string) =>
    world.mailbox.messages().filter(({ to, subject }) => to === email && /was removed/.test(subject))
  const kept = (userId: string) => world.backend.database.select().from(users).where(eq(users.id, userId))
  const logIn = (email: string) => new Client(world, { appId: walletApp.id }).login(email)

  test('no longer exists, is told by mail, and can be restored with the wallets', async () => {
    const { vault, email, root, taker } = await transferred()
    expect((await vault.page().get('users/me')).status).toBe(401)
    expect((await vault.post('sessions', { refresh_token: vault.refreshToken })).status).toBe(401)
    expect((await vault.get('embedded_wallets')).status).not.toBe(200)
    await expect.poll(() => mailsTo(email).length).toBe(1)
    expect(mailsTo(email)[0]?.body).toContain('they can restore the account')
    const other = await logIn(email)
    expect(other.body.user.id).not.toBe(vault.userId)

    world.clock.pass(days(29))
    await sweep(world.backend.database, defaultLimits, world.clock.now)
    expect(await restoreUser(world.backend.database, vault.userId, world.clock.now)).toEqual({
      back: [`email ${email}`],
      taken: [],
    })
    const back = await logIn(email)
    expect(back.body.user.id).toBe(vault.userId)
    const addresses = back.body.user.linked_accounts.map(({ address }: { address: string }) => address)
    expect(addresses).toContain(root?.key.address)
    vault.token = back.body.token
    if (!root) throw new Error('There is a wallet')
    const recovered = await vault.post(`${path(root)}/recovery/key_material`)
    expect([recovered.status, recovered.body.recovery_key]).toEqual([200, expect.stringMatching(/.{20}/)])
    expect((await taker.get('users/me')).body?.user?.linked_accounts ?? []).not.toContainEqual(
      expect.objectContaining({ type: 'email' }),
    )
  })

  test('gets the account back as it was: what the taker approved confirms nothing', async () => {
    const { vault, taker, root } = await transferred()
    const takerId = (await taker.get('users/me')).body.user.id
    expect((await emailRowOf(takerId))?.confirmedAt).toBe(world.clock.now)
    world.clock.pass(days(1))
    await restoreUser(world.backend.database, vault.userId, world.clock.now)
    const [created] = await world.backend.database
      .select({ at: walletRoots.createdAt })
      .from(walletRoots)
      .where(eq(walletRoots.id, root?.walletId ?? ''))
    const restored = await emailRowOf(vault.userId)
    expect(restored?.confirmedAt).toBeNull()
    expect(restored?.linkedAt).toBeLessThanOrEqual(created?.at ?? 0)
  })

  test('is gone for good after thirty days', async () => {
    const { vault, email } = await transferred()
    world.clock.pass(days(30) + minutes(1))
    await sweep(world.backend.database, defaultLimits, world.clock.now)
    expect(await kept(vault.userId)).toEqual([])
    const roots = await world.backend.database
      .select()
      .from(walletRoots)
      .where(eq(walletRoots.userId, vault.userId))
    expect(roots).toEqual([])
    await expect(restoreUser(world.backend.database, vault.userId, world.clock.now)).rejects.toThrow(
      'There is no removed user',
    )
    expect((await logIn(email)).status).toBe(200)
  })

  test('leaves the other ways in free for others, and gets back those that nobody took', async () => {
    const { vault, email, extra } = await transferred({ more: true })
    const newcomer = new WalletClient(world)
    const { body } = await newcomer.enter('siwe', await newcomer.signed(extra))
    expect([body.is_new_user, body.user.id === vault.userId]).toEqual([true, false])
    const restored = await restoreUser(world.backend.database, vault.userId, world.clock.now)
    expect(restored).toEqual({ back: [`email ${email}`], taken: [`ethereum-wallet ${extra.address}`] })
  })

  test('is not restored where the new owner would be left without a way in', async () => {
    const vault = await Vault.open(world, { appId: walletApp.id })
    await vault.create()
    const email = (await vault.page().get('users/me')).body.user.linked_accounts[0].address as string
    const guest = new Client(world, { appId: walletApp.id })
    const { body } = await guest.post('guest/authenticate', { guest_credential: 'g'.repeat(43) })
    guest.token = body.token
    const asked = await guest.post('passwordless/authenticate', { email, code: await guest.codeFor(email) })
    expect(asked.body.code).toBe('account_transfer_required')
    const nonce = asked.body.data.nonce
    await approvedBy(guest, guest.post('passwordless/transfer', { email, nonce }))
    await expect(restoreUser(world.backend.database, vault.userId, world.clock.now)).rejects.toThrow(
      'add another one first',
    )
    expect((await kept(vault.userId))[0]?.removedAt).toBe(world.clock.now)
  })

  test('without wallets is gone at once, and gets no mail', async () => {
    const { vault, email } = await transferred({ wallet: false })
    expect(await kept(vault.userId)).toEqual([])
    expect(mailsTo(email)).toEqual([])
  })

  test('is restored by the operator’s tool', { timeout: limit(120_000) }, async () => {
    const { vault, email } = await transferred()
    await world.backend.close()
    const run = (...args: string[]) =>
      runProgram('demo/backend/operator/restore-user.ts', args, {
        LATCHKEY_DATA: world.dataDir,
        DATABASE_URL: world.databaseUrl ?? '',
      })
    expect(await run('--user', vault.userId)).toEqual({
      code: 0,
      said: `${vault.userId} is restored, with email ${email}\n`,
    })
    expect(await run('--user', vault.userId)).toEqual({
      code: 1,
      said: `There is no removed user ${vault.userId}.\n`,
    })
    expect((await run()).code).toBe(2)
  })
})
