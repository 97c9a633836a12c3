import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accountChanges } from '../../../demo/backend/accounts/changes/tables.ts'
import { accounts, formerAddresses, users } from '../../../demo/backend/users/tables.ts'
import { Client } from '../support/client.ts'
import { type Root, random, Vault, verdict } from '../support/embedded-world.ts'
import { askPasskey, compatibleMfaApp, enrolApp, linkPasskey, mfaApp } from '../support/mfa-world.ts'
import { newNumber, type SmsWorld, startSmsWorld } from '../support/sms-world.ts'
import { minutes, newAddress, seconds, stores, vaultOrigin } from '../support/world.ts'

const pending = [403, 'approval_required']
const noChange = [404, 'linked_account_not_found']

describe.each(stores)('account changes on $name', (store) => {
  let world: SmsWorld
  beforeAll(async () => {
    world = await startSmsWorld(store, { moreApps: [mfaApp, compatibleMfaApp] })
  })
  afterAll(() => world?.stop())

  /** A user with a wallet on an enrolled device, and the page of the same login. */
  async function owner(appId = mfaApp.id) {
    const vault = await Vault.open(world, { appId })
    await vault.create()
    const page = vault.page()
    const [row] = await world.backend.database
      .select()
      .from(accounts)
      .where(eq(accounts.userId, vault.userId))
    return { vault, page, email: row?.subject ?? '' }
  }
  const typesOf = async (page: Client): Promise<string[]> =>
    (await page.get('users/me')).body.user.linked_accounts.map(({ type }: { type: string }) => type)
  const addressOf = async (page: Client): Promise<string | undefined> =>
    (await page.get('users/me')).body.user.linked_accounts.find(
      ({ type }: { type: string }) => type === 'email',
    )?.address
  async function linkPhone(page: Client, phoneNumber = newNumber(), headers = {}) {
    await page.post('passwordless_sms/init', { phoneNumber })
    return page.post('passwordless_sms/link', { phoneNumber, code: page.lastCode(phoneNumber) }, headers)
  }
  async function updateEmail(page: Client, oldAddress: string, newEmail = newAddress()) {
    return page.post('passwordless/update', {
      oldAddress,
      newAddress: newEmail,
      code: await page.codeFor(newEmail),
    })
  }
  const unlinkEmail = (page: Client, address: string, even_if_sole = true) =>
    page.post('passwordless/unlink', { address, even_if_sole })
  const rowOf = async (userId: string, type: 'email' | 'phone') => {
    const rows = await world.backend.database.select().from(accounts).where(eq(accounts.userId, userId))
    return rows.find((row) => row.type === type)
  }
  const textsTo = (to: string) => world.mailbox.messages().filter((message) => message.to === to)

  test('link: a token alone adds no account; an approved one is confirmed and not backdated', async () => {
    const { vault, page } = await owner()
    world.clock.pass(minutes(1))
    const phoneNumber = newNumber()
    const refused = await linkPhone(page, phoneNumber)
    expect(verdict(refused)).toEqual(pending)
    expect(refused.body.data).toEqual({ change: expect.stringMatching(/^[\w-]{43}$/), action: 'link' })
    expect(await typesOf(page)).not.toContain('phone')
    const { change } = refused.body.data
    expect((await vault.post(`users/me/changes/${change}/review`)).body).toEqual({
      action: 'link',
      account: { type: 'phone', subject: phoneNumber, display_name: phoneNumber },
      replaces: null,
      session: null,
      requester: null,
      others_wallets: [],
      is_last_login: false,
      expires_at: (world.clock.now + minutes(10)) / 1_000,
    })
    const done = await vault.approveChange(change)
    expect(done.status).toBe(200)
    expect(done.body.linked_accounts.map(({ type }: { type: string }) => type)).toContain('phone')
    const row = await rowOf(vault.userId, 'phone')
    expect([row?.linkedAt, row?.confirmedAt]).toEqual([world.clock.now, world.clock.now])
  })

  test('update: a token alone replaces no address; the former one is told of later changes', async () => {
    const { vault, page, email } = await owner()
    const other = newAddress()
    const refused = await updateEmail(page, email, other)
    expect(verdict(refused)).toEqual(pending)
    expect(await addressOf(page)).toBe(email)
    const review = await vault.post(`users/me/changes/${refused.body.data.change}/review`)
    expect(review.body.replaces).toEqual({ type: 'email', subject: email })
    expect((await vault.approveChange(refused.body.data.change)).status).toBe(200)
    expect(await addressOf(page)).toBe(other)
    const former = await world.backend.database
      .select()
      .from(formerAddresses)
      .where(eq(formerAddresses.userId, vault.userId))
    expect(former.map(({ address }) => address)).toEqual([email])
    await vault.approved(linkPhone(page))
    await expect
      .poll(() => textsTo(email).map(({ subject }) => subject))
      .toContain(`A way to log in was added at ${mfaApp.name}`)
  })

  test('unlink: even_if_sole by token takes no last login; the review says that it is the last', async () => {
    const { vault, page, email } = await owner()
    expect(verdict(await unlinkEmail(page, email, false))).toEqual([400, 'cannot_unlink_sole_account'])
    const refused = await unlinkEmail(page, email)
    expect(verdict(refused)).toEqual(pending)
    expect(await typesOf(page)).toContain('email')
    const { change } = refused.body.data
    expect((await vault.post(`users/me/changes/${change}/review`)).body.is_last_login).toBe(true)
    expect((await vault.approveChange(change)).status).toBe(200)
    expect(await typesOf(page)).not.toContain('email')
  })

  test('passkey: a token alone neither links nor unlinks one', async () => {
    const { vault, page } = await owner()
    expect(verdict((await askPasskey(vault)).linked)).toEqual(pending)
    expect(await typesOf(page)).not.toContain('passkey')
    const early = await Vault.open(world, { appId: mfaApp.id })
    const { id } = await linkPasskey(early)
    await early.create()
    const refused = await early.page().post('passkeys/unlink', { credential_id: id })
    expect(verdict(refused)).toEqual(pending)
    expect(await typesOf(early.page())).toContain('passkey')
    expect((await early.approved(refused)).status).toBe(200)
    expect(await typesOf(early.page())).not.toContain('passkey')
  })

  test('sessions: a token alone ends none, neither one nor all others', async () => {
    const { vault, page, email } = await owner()
    world.clock.pass(seconds(31))
    const other = new Client(world, { appId: mfaApp.id })
    await other.login(email)
    const { sessions } = (await page.get('users/me/sessions')).body
    const { id } = sessions.find(({ current }: { current: boolean }) => !current)
    const one = await page.post(`users/me/sessions/${id}/end`)
    const all = await page.post('users/me/sessions/end_others')
    expect([verdict(one), verdict(all)]).toEqual([pending, pending])
    expect((await other.get('users/me')).status).toBe(200)
    const review = await vault.post(`users/me/changes/${one.body.data.change}/review`)
    expect(review.body.session).toEqual({ id, name: expect.any(String), place: expect.any(String) })
    const statement = `Latchkey account change\napp: ${mfaApp.id}\nuser: ${vault.userId}\nchange: ${one.body.data.change}\naction: end-session\ntype: \nsubject: ${id}`
    const approve = `users/me/changes/${one.body.data.change}/approve`
    expect((await vault.unshown(approve, {}, statement)).status).toBe(200)
    expect((await other.get('users/me')).status).toBe(401)
    expect((await vault.approveChange(all.body.data.change)).status).toBe(200)
    expect((await page.get('users/me')).status).toBe(200)
  })

  test('transfer: pending for an heir with a wallet, and where the other user has one', async () => {
    const heir = await owner()
    const other = await owner()
    world.clock.pass(minutes(1))
    await heir.page.post('passwordless/unlink', { address: heir.email, even_if_sole: true })
    const free = new Client(world, { appId: mfaApp.id })
    await free.post('guest/authenticate', { guest_credential: random(32) }).then(({ body }) => {
      free.token = body.token
    })
    const code = await free.codeFor(other.email)
    const offer = await free.post('passwordless/link', { email: other.email, code })
    expect(verdict(offer)).toEqual([400, 'account_transfer_required'])
    const refused = await free.post('passwordless/transfer', {
      nonce: offer.body.data.nonce,
      email: other.email,
    })
    expect(verdict(refused)).toEqual(pending)
    expect((await other.page.get('users/me')).status).toBe(200)
    const device = new Vault(world, { appId: mfaApp.id, origin: vaultOrigin })
    device.token = free.token
    device.userId = (await free.get('users/me')).body.user.id
    expect((await device.enrol()).status).toBe(200)
    const review = await device.post(`users/me/changes/${refused.body.data.change}/review`)
    expect(review.body.others_wallets).toHaveLength(1)
    expect((await device.approveChange(refused.body.data.change)).status).toBe(200)
    expect((await other.page.get('users/me')).status).toBe(401)
  })

  test('guest with a wallet: neither a link nor a login makes an account that proves anything', async () => {
    const page = new Client(world, { appId: mfaApp.id })
    page.token = (await page.post('guest/authenticate', { guest_credential: random(32) })).body.token
    const vault = new Vault(world, { appId: mfaApp.id, origin: vaultOrigin })
    vault.token = page.token
    vault.userId = (await page.get('users/me')).body.user.id
    await vault.enrol()
    await vault.create()
    world.clock.pass(minutes(1))
    const email = newAddress()
    const login = await page.post('passwordless/authenticate', { email, code: await page.codeFor(email) })
    expect(verdict(login)).toEqual(pending)
    expect(await typesOf(page)).not.toContain('email')
    expect((await vault.approved(login)).status).toBe(200)
    const row = await rowOf(vault.userId, 'email')
    expect([row?.linkedAt, row?.confirmedAt]).toEqual([world.clock.now, world.clock.now])
    const [user] = await world.backend.database.select().from(users).where(eq(users.id, vault.userId))
    expect(user?.isGuest).toBe(false)
  })

  describe('approval: refused', () => {
    const path = (change: string, what = 'approve') => `users/me/changes/${change}/${what}`
    async function asked() {
      const begun = await owner()
      const refused = await linkPhone(begun.page)
      const change: string = refused.body.data.change
      const review = (await begun.vault.post(path(change, 'review'))).body
      return { ...begun, change, statement: begun.vault.changeStatement(change, review) }
    }

    test('without a statement, with a wrong one, and with that of another change', async () => {
      const { vault, page, change, statement } = await asked()
      const other = (await page.post('users/me/sessions/end_others')).body.data.change
      const of = vault.changeStatement(other, (await vault.post(path(other, 'review'))).body)
      for (const text of [undefined, '', `${statement} `, statement.replace('link', 'unlink'), of])
        expect(verdict(await vault.unshown(path(change), {}, text))).toEqual(pending)
      expect(await typesOf(page)).not.toContain('phone')
      expect((await vault.unshown(path(change), {}, statement)).status).toBe(200)
    })
    test('with a token and no device, or a key that is not enrolled', async () => {
      const { vault, page, change, statement } = await asked()
      expect((await page.post(path(change))).status).toBeGreaterThanOrEqual(400)
      const stranger = vault.elsewhere()
      expect(verdict(await stranger.unshown(path(change), {}, statement))).toEqual([
        403,
        'device_not_enrolled',
      ])
      expect(await typesOf(page)).not.toContain('phone')
    })
    test('for another user, another session and another app', async () => {
      const { vault, page, email, change } = await asked()
      const other = await owner()
      expect(verdict(await other.vault.post(path(change, 'review')))).toEqual(noChange)
      expect(verdict(await other.vault.post(path(change)))).toEqual(noChange)
      world.clock.pass(seconds(31))
      const login = new Client(world, { appId: mfaApp.id })
      await login.login(email)
      const same = vault.elsewhere()
      same.key = vault.key
      same.token = login.token
      expect(verdict(await same.post(path(change, 'review')))).toEqual(noChange)
      expect(verdict(await same.post(path(change)))).toEqual(noChange)
      expect(await typesOf(page)).not.toContain('phone')
    })
    test('after ten minutes, after a rejection, and for an id that is none', async () => {
      const late = await asked()
      world.clock.pass(minutes(10))
      expect(verdict(await late.vault.unshown(path(late.change), {}, late.statement))).toEqual(noChange)
      const left = await asked()
      expect((await left.vault.post(path(left.change, 'reject'))).body).toEqual({})
      expect(verdict(await left.vault.unshown(path(left.change), {}, left.statement))).toEqual(noChange)
      expect(verdict(await left.vault.post(path(random(32))))).toEqual(noChange)
    })
    test('a second time: of two at once one is applied, and a repetition gets the same answer', async () => {
      const { vault, change, statement } = await asked()
      const both = await Promise.all([
        vault.unshown(path(change), {}, statement, { 'idempotency-key': 'one' }),
        vault.unshown(path(change), {}, statement, { 'idempotency-key': 'other' }),
      ])
      expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
      const key = both[0].status === 200 ? 'one' : 'other'
      const again = await vault.unshown(path(change), {}, statement, { 'idempotency-key': key })
      expect(again.status).toBe(200)
      expect(verdict(await vault.unshown(path(change), {}, statement))).toEqual([400, 'token_already_used'])
    })
    test('without the second factor of somebody who has one', async () => {
      const { vault, page } = await owner()
      const app = await enrolApp(vault)
      const refused = await linkPhone(page)
      const missing = await vault.approveChange(refused.body.data.change)
      expect(verdict(missing)).toEqual([401, 'missing_or_invalid_mfa'])
      const wrong = await vault.approveChange(refused.body.data.change, await app.proof('device'))
      expect(verdict(wrong)).toEqual([401, 'missing_or_invalid_mfa'])
      const right = await vault.approveChange(refused.body.data.change, await app.proof('account'))
      expect(right.status).toBe(200)
    })
    test('where the account became somebody else’s meanwhile', async () => {
      const begun = await owner()
      const number = newNumber()
      const refused = await linkPhone(begun.page, number)
      world.clock.pass(minutes(1))
      const other = new Client(world, { appId: mfaApp.id })
      await other.login(newAddress())
      expect((await linkPhone(other, number)).status).toBe(200)
      const late = await begun.vault.approveChange(refused.body.data.change)
      expect(verdict(late)).toEqual([400, 'linked_to_another_user'])
    })
  })

  test('repeated request: the same idempotency key names the same change', async () => {
    const { page } = await owner()
    const phoneNumber = newNumber()
    await page.post('passwordless_sms/init', { phoneNumber })
    const body = { phoneNumber, code: page.lastCode(phoneNumber) }
    const first = await page.post('passwordless_sms/link', body, { 'idempotency-key': phoneNumber })
    const again = await page.post('passwordless_sms/link', body, { 'idempotency-key': phoneNumber })
    expect(again.body).toEqual(first.body)
  })

  test('pending changes: at most twenty of one session wait', async () => {
    const { page, vault } = await owner()
    for (let at = 0; at < 23; at++) await page.post('users/me/sessions/end_others')
    const rows = await world.backend.database
      .select()
      .from(accountChanges)
      .where(eq(accountChanges.userId, vault.userId))
    expect(rows).toHaveLength(20)
  })

  test('without a wallet, or in a compatible app: changes are made at once', async () => {
    const free = new Client(world, { appId: mfaApp.id })
    await free.login(newAddress())
    expect((await linkPhone(free)).status).toBe(200)
    const { page, email } = await owner(compatibleMfaApp.id)
    expect((await linkPhone(page)).status).toBe(200)
    expect((await page.post('users/me/sessions/end_others')).status).toBe(200)
    expect((await unlinkEmail(page, email)).status).toBe(200)
  })

  describe('freeze: the link of a notice', () => {
    const request = (link: string, method: 'GET' | 'POST') => world.backend.api.request(link, { method })
    const linkIn = (to: string): string | undefined =>
      textsTo(to)
        .map(({ body }) => /http:\/\/\S+\/freeze\/[\w-]{22}/.exec(body)?.[0])
        .find((link) => link !== undefined)
    async function frozenBy() {
      const begun = await owner()
      await begun.vault.approved(linkPhone(begun.page))
      await expect.poll(() => linkIn(begun.email)).toBeDefined()
      return { ...begun, link: linkIn(begun.email) ?? '' }
    }

    test('asks first, freezes with its button once, and ends all sessions', async () => {
      const { page, vault, email, link } = await frozenBy()
      const mail = textsTo(email).find(({ body }) => body.includes(link))
      expect(mail?.body.match(/If that was not you/g)).toHaveLength(1)
      for (let at = 0; at < 3; at++) {
        const shown = await request(link, 'GET')
        expect(shown.status).toBe(200)
        expect(await shown.text()).toContain('<button>Freeze account</button>')
        expect(shown.headers.get('content-security-policy')).toMatch(/default-src 'none'.*form-action 'self'/)
      }
      expect((await page.get('users/me')).status).toBe(200)
      expect(await (await request(link, 'POST')).text()).toContain('Your account is frozen')
      expect((await page.get('users/me')).status).toBe(401)
      expect((await request(link, 'POST')).status).toBe(400)
      expect((await request(link, 'GET')).status).toBe(400)
      const [user] = await world.backend.database.select().from(users).where(eq(users.id, vault.userId))
      expect(user?.frozenAt).toBe(world.clock.now)
    })

    test('frozen: no release, change, export, grant or factor, also after a new login', async () => {
      const { vault, email, link } = await frozenBy()
      await request(link, 'POST')
      world.clock.pass(seconds(31))
      const login = new Client(world, { appId: mfaApp.id })
      await login.login(email)
      const back = vault.elsewhere()
      back.key = vault.key
      back.token = login.token
      const frozen = [403, 'account_frozen']
      const root = { key: { address: '0x0000000000000000000000000000000000000001' } } as Root
      const calls = await Promise.all([
        back.post(`embedded_wallets/${root.key.address}/auth_share`, { set_ids: [crypto.randomUUID()] }),
        back.post(`embedded_wallets/${root.key.address}/recovery/package`),
        back.post('mfa/totp/init'),
        login.post('passwordless/unlink', { address: email, even_if_sole: true }),
        login.post('users/me/sessions/end_others'),
        login.post(`embedded_wallets/${root.key.address}/export_ticket`),
        login.request('/oauth/authorization_code', {
          method: 'POST',
          headers: login.headers(),
          body: JSON.stringify({ redirect_to: 'https://x.example', state: 'x', code_challenge: 'x' }),
        }),
      ])
      expect(calls.map(verdict)).toEqual(calls.map(() => frozen))
      expect((await login.get('users/me')).status).toBe(200)
      expect((await back.post('devices/enroll/options')).status).toBe(200)
    })

    test('is good for seven days, and nothing that is no link is one', async () => {
      const { link } = await frozenBy()
      world.clock.pass(7 * 24 * 60 * minutes(1))
      expect((await request(link, 'POST')).status).toBe(400)
      for (const other of ['x', 'a'.repeat(22), '..%2f', 'a'.repeat(5_000)])
        expect((await request(`/freeze/${other}`, 'POST')).status).toBe(400)
    })

    test('text message: numbers of before are told, with nothing of the caller in it', async () => {
      const { vault, page } = await owner()
      const number = newNumber()
      await vault.approved(linkPhone(page, number))
      await vault.approved(page.post('passwordless_sms/unlink', { phoneNumber: number }))
      await expect
        .poll(() => textsTo(number).map(({ body }) => body))
        .toContainEqual(
          expect.stringMatching(
            /^A way to log in was removed at Two Factors\. Not you\? Freeze your account: http:\/\/\S+\/freeze\/[\w-]{22}$/,
          ),
        )
    })
  })
})
