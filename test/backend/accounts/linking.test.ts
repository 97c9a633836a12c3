import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAuthenticator } from '../../support/authenticator.ts'
import { Client } from '../support/client.ts'
import { Vault, verdict } from '../support/embedded-world.ts'
import { linkPasskey, mfaApp } from '../support/mfa-world.ts'
import { newNumber, type SmsWorld, startSmsWorld } from '../support/sms-world.ts'
import { minutes, newAddress, seconds, site, stores } from '../support/world.ts'

const gone = [401, 'invalid_credentials']

describe.each(stores)('what somebody links on $name', (store) => {
  let world: SmsWorld
  beforeAll(async () => {
    world = await startSmsWorld(store, { moreApps: [mfaApp] })
  })
  afterAll(() => world?.stop())

  async function somebody() {
    const page = new Client(world, { appId: mfaApp.id })
    const email = newAddress()
    const { body } = await page.login(email)
    return { page, email, id: body.user.id as string }
  }
  async function codeFor(page: Client, phoneNumber: string): Promise<string> {
    world.clock.pass(minutes(1))
    await page.post('passwordless_sms/init', { phoneNumber })
    return page.lastCode(phoneNumber)
  }
  async function linkPhone(page: Client, phoneNumber = newNumber()) {
    const code = await codeFor(page, phoneNumber)
    return page.post('passwordless_sms/link', { phoneNumber, code })
  }
  const typesOf = async (page: Client) =>
    (await page.get('users/me')).body.user.linked_accounts.map(({ type }: { type: string }) => type)
  const transfer = (page: Client, nonce: string, phoneNumber: string) =>
    page.post('passwordless_sms/transfer', { nonce, phoneNumber })
  /** Somebody's number, which somebody else has just proved. */
  async function conflict() {
    const owner = await somebody()
    const number = newNumber()
    await linkPhone(owner.page, number)
    const other = await somebody()
    const refused = await linkPhone(other.page, number)
    expect(verdict(refused)).toEqual([400, 'account_transfer_required'])
    return { owner, other, number, nonce: refused.body.data.nonce as string }
  }

  test('is one account of a kind, and five passkeys', async () => {
    const { page } = await somebody()
    const code = await page.codeFor(newAddress())
    const second = await page.post('passwordless/link', { email: newAddress(), code })
    expect(second.status).toBe(422)
    const email = newAddress()
    const more = await page.post('passwordless/link', { email, code: await page.codeFor(email) })
    expect([more.status, more.body]).toEqual([
      400,
      { code: 'cannot_link_more_of_type', error: 'User already has an account of type email linked.' },
    ])
    expect((await linkPhone(page)).status).toBe(200)
    expect(verdict(await linkPhone(page))).toEqual([400, 'cannot_link_more_of_type'])
    const vault = new Vault(world, { appId: mfaApp.id })
    vault.token = page.token
    for (let at = 0; at < 5; at++) await linkPasskey(vault)
    const sixth = await page.post('passkeys/link/init', { relying_party: site })
    expect([sixth.status, sixth.body]).toEqual([
      400,
      { code: 'cannot_link_more_of_type', error: 'Cannot link more passkeys to account.' },
    ])
  })

  test('is taken over with a nonce once, by the session that proved it, for that account, within ten minutes', async () => {
    const { owner, other, number, nonce } = await conflict()
    const stranger = await somebody()
    expect(verdict(await transfer(stranger.page, nonce, number))).toEqual(gone)
    // It was used up by whoever showed it.
    expect(verdict(await transfer(other.page, nonce, number))).toEqual(gone)
    expect((await owner.page.get('users/me')).status).toBe(200)

    const swapped = await conflict()
    const third = await somebody()
    const theirs = newNumber()
    await linkPhone(third.page, theirs)
    expect(verdict(await transfer(swapped.other.page, swapped.nonce, theirs))).toEqual(gone)

    const late = await conflict()
    world.clock.pass(minutes(10))
    expect(verdict(await transfer(late.other.page, late.nonce, late.number))).toEqual(gone)

    const elsewhere = await conflict()
    const login = new Client(world, { appId: mfaApp.id })
    world.clock.pass(seconds(31))
    await login.login(elsewhere.other.email)
    expect(verdict(await transfer(login, elsewhere.nonce, elsewhere.number))).toEqual(gone)

    const right = await conflict()
    expect((await transfer(right.other.page, right.nonce, right.number)).status).toBe(200)
    expect(verdict(await transfer(right.other.page, right.nonce, right.number))).toEqual(gone)
    expect((await right.owner.page.get('users/me')).status).toBe(401)
    expect(await typesOf(right.other.page)).toEqual(expect.arrayContaining(['email', 'phone']))
  })

  test('is not taken over when its owner has unlinked it meanwhile', async () => {
    const { owner, other, number, nonce } = await conflict()
    expect((await owner.page.post('passwordless_sms/unlink', { phoneNumber: number })).status).toBe(200)
    expect(verdict(await transfer(other.page, nonce, number))).toEqual(gone)
    expect((await owner.page.get('users/me')).status).toBe(200)
  })

  test('is nobody’s when the account was deleted meanwhile, whatever its person had begun', async () => {
    const { other, number, nonce } = await conflict()
    const own = newNumber()
    const code = await codeFor(other.page, own)
    // Somebody else takes over what they logged in with, which deletes them.
    const heir = new Client(world, { appId: mfaApp.id })
    const phone = newNumber()
    const login = await heir.post('passwordless_sms/authenticate', {
      phoneNumber: phone,
      code: await codeFor(heir, phone),
    })
    heir.token = login.body.token
    world.clock.pass(minutes(1))
    const refused = await heir.post('passwordless/link', {
      email: other.email,
      code: await heir.codeFor(other.email),
    })
    expect(verdict(refused)).toEqual([400, 'account_transfer_required'])
    const taken = { nonce: refused.body.data.nonce, email: other.email }
    // At once with the deletion, and after it.
    const [deleted, atOnce] = await Promise.all([
      heir.post('passwordless/transfer', taken),
      other.page.post('passwordless_sms/link', { phoneNumber: own, code }),
    ])
    expect([deleted.status, [200, 401]]).toEqual([200, expect.arrayContaining([atOnce.status])])
    const late = [
      await other.page.post('passwordless_sms/link', { phoneNumber: own, code }),
      await transfer(other.page, nonce, number),
      await other.page.post('passwordless/unlink', { address: other.email }),
      await other.page.post('passwordless/update', {
        oldAddress: other.email,
        newAddress: newAddress(),
        code: '000000',
      }),
    ]
    expect(late.map(({ status }) => status)).toEqual([401, 401, 401, 401])
    // What they had begun to link is free for anybody.
    world.clock.pass(minutes(1))
    expect((await linkPhone((await somebody()).page, own)).status).toBe(200)
  })

  test('is never offered to somebody else where its kind has no transfer', async () => {
    const { page } = await somebody()
    const vault = new Vault(world, { appId: mfaApp.id })
    vault.token = page.token
    const { authenticator, id } = await linkPasskey(vault)
    const other = await somebody()
    const { options } = (await other.page.post('passkeys/link/init', { relying_party: site })).body
    const made = await createAuthenticator().register(options, site, { id })
    const taken = await other.page.post('passkeys/link', {
      relying_party: site,
      authenticator_response: made,
    })
    expect(verdict(taken)).toEqual([400, 'linked_to_another_user'])
    expect(authenticator.passkeys).toHaveLength(1)
  })

  test('goes but for the last way in, which goes only where the person was warned', async () => {
    const { page, email } = await somebody()
    const number = newNumber()
    await linkPhone(page, number)
    const unlinkPhone = (more = {}) => page.post('passwordless_sms/unlink', { phoneNumber: number, ...more })
    expect((await page.post('passwordless/unlink', { address: email })).status).toBe(200)
    expect(verdict(await unlinkPhone())).toEqual([400, 'cannot_unlink_sole_account'])
    expect(verdict(await unlinkPhone({ even_if_sole: false }))).toEqual([400, 'cannot_unlink_sole_account'])
    const last = await unlinkPhone({ even_if_sole: true })
    expect([last.status, last.body.linked_accounts]).toEqual([200, []])
    expect((await linkPhone(page, number)).status).toBe(200)
  })

  test('leaves a way in, when two tabs unlink at once', async () => {
    for (let round = 0; round < 5; round++) {
      const { page, email } = await somebody()
      const number = newNumber()
      await linkPhone(page, number)
      const answers = await Promise.all([
        page.post('passwordless_sms/unlink', { phoneNumber: number }),
        page.post('passwordless/unlink', { address: email }),
      ])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
      expect(await typesOf(page)).toHaveLength(1)
    }
  })

  test('is one of a kind, when a tab links while another one unlinks and a third links too', async () => {
    for (let round = 0; round < 5; round++) {
      const { page, email } = await somebody()
      const [one, two] = [newNumber(), newNumber()]
      const codes = [await codeFor(page, one), await codeFor(page, two)]
      const [first, second, unlinked] = await Promise.all([
        page.post('passwordless_sms/link', { phoneNumber: one, code: codes[0] }),
        page.post('passwordless_sms/link', { phoneNumber: two, code: codes[1] }),
        page.post('passwordless/unlink', { address: email }),
      ])
      expect([first.status, second.status].sort()).toEqual([200, 400])
      expect([200, 400]).toContain(unlinked.status)
      const types = await typesOf(page)
      expect(types.filter((type: string) => type === 'phone')).toHaveLength(1)
      expect(types).toHaveLength(unlinked.status === 200 ? 1 : 2)
    }
  })

  test('is updated from the value that it has, and from no other', async () => {
    const { page, email } = await somebody()
    const next = newAddress()
    const update = async (oldAddress: string, newAddress: string) => {
      world.clock.pass(seconds(31))
      return page.post('passwordless/update', {
        oldAddress,
        newAddress,
        code: await page.codeFor(newAddress),
      })
    }
    expect(verdict(await update(newAddress(), next))).toEqual([404, 'linked_account_not_found'])
    const stranger = await somebody()
    expect(verdict(await update(stranger.email, next))).toEqual([404, 'linked_account_not_found'])
    expect(verdict(await update(email, stranger.email))).toEqual([400, 'linked_to_another_user'])
    const done = await update(email, next)
    expect(done.body.linked_accounts).toMatchObject([{ type: 'email', address: next }])
    expect(verdict(await update(email, newAddress()))).toEqual([404, 'linked_account_not_found'])
  })

  test('has the name that the person gives a passkey', async () => {
    const { page } = await somebody()
    const vault = new Vault(world, { appId: mfaApp.id })
    vault.token = page.token
    const { id, authenticator } = await linkPasskey(vault)
    const rename = (name: string, credential_id = id, by = page) =>
      by.post('passkeys/rename', { credential_id, name })
    const nameOf = (user: { linked_accounts: { type: string; authenticator_name?: string }[] }) =>
      user.linked_accounts.find(({ type }) => type === 'passkey')?.authenticator_name
    expect(nameOf((await rename(' Mein Schlüssel 🔑 ')).body)).toBe('Mein Schlüssel 🔑')
    for (const name of ['', '   ', 'a'.repeat(65), 'two\nlines', 'hidden\u202e', '\u0000'])
      expect([name, ...verdict(await rename(name))]).toEqual([name, 400, 'invalid_data'])
    expect(nameOf((await rename('🔑'.repeat(64))).body)).toBe('🔑'.repeat(64))
    const stranger = await somebody()
    expect(verdict(await rename('mine', id, stranger.page))).toEqual([404, 'linked_account_not_found'])
    // A login with it does not take the name away.
    const login = new Client(world, { appId: mfaApp.id })
    const { options } = (await login.post('passkeys/authenticate/init', { relying_party: site })).body
    const response = await authenticator.login(options, site)
    const { body } = await login.post('passkeys/authenticate', {
      relying_party: site,
      challenge: options.challenge,
      authenticator_response: response,
    })
    expect(nameOf(body.user)).toBe('🔑'.repeat(64))
  })
})
