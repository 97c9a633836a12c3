import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { mfaFactors, mfaRecoveryCodes, mfaTokens } from '../../../demo/backend/mfa/tables.ts'
import { createAuthenticator, flagUV } from '../../support/authenticator.ts'
import { crowd, soak } from '../../support/soak.ts'
import { Client } from '../support/client.ts'
import { everyWayApp, path, Vault, verdict } from '../support/embedded-world.ts'
import {
  compatibleMfaApp,
  enrolApp,
  linkPasskey,
  mfaApp,
  passkeyFactorApp,
  totpCode,
  withProof,
} from '../support/mfa-world.ts'
import { newNumber, type SmsWorld, startSmsWorld } from '../support/sms-world.ts'
import { minutes, seconds, site, stores, vaultOrigin } from '../support/world.ts'

const needed = [401, 'missing_or_invalid_mfa']
const tooOld = [401, 'expired_or_invalid_mfa_token']
const wrong = [422, 'invalid_credentials']

describe.each(stores)('second factors on $name', (store) => {
  let world: SmsWorld
  beforeAll(async () => {
    world = await startSmsWorld(store, {
      moreApps: [mfaApp, compatibleMfaApp, passkeyFactorApp, everyWayApp],
    })
  })
  afterAll(() => world?.stop())
  afterEach(() => {
    world.gateway.instead = undefined
  })
  const open = () => Vault.open(world, { appId: mfaApp.id })
  const methodsOf = async (vault: Vault) =>
    (await vault.page().get('users/me')).body.user.mfa_methods.map(({ type }: { type: string }) => type)
  const statusOf = async (vault: Vault) => (await vault.page().get('mfa')).body

  /** The next access token. */
  async function renew(vault: Vault) {
    const { body } = await vault.page().post('sessions', { refresh_token: vault.refreshToken })
    Object.assign(vault, { token: body.token, refreshToken: body.refresh_token })
  }
  /** Sends a code to a number and makes it a factor. */
  async function enrolNumber(vault: Vault, number = newNumber(), proof = {}) {
    const begun = await vault.post(
      'mfa/passwordless_sms/init',
      { action: 'enroll', phoneNumber: number },
      proof,
    )
    if (begun.status !== 200) return begun
    const code = vault.lastCode(number)
    return vault.post('mfa/passwordless_sms/enroll', { phoneNumber: number, code }, proof)
  }
  /** Has a code sent by the page, and verifies with it. */
  async function verifyNumber(vault: Vault, number: string, purpose?: string) {
    await vault.page().post('mfa/passwordless_sms/init', { action: 'verify' })
    return vault.post('mfa/passwordless_sms/verify', { code: vault.lastCode(number), purpose })
  }

  test('an authenticator app is set up, and the wallet asks for it from then on', async () => {
    const vault = await open()
    const root = await vault.create()
    const begun = await vault.post('mfa/totp/init')
    expect(begun.body).toEqual({
      totpSecret: expect.stringMatching(/^[A-Z2-7]{32}$/),
      totpAuthUrl: expect.stringMatching(/^otpauth:\/\/totp\/Two%20Factors:person-.*issuer=Two%20Factors/),
    })
    expect(await methodsOf(vault)).toEqual([])
    const app = await enrolApp(vault)
    const enrolled = await vault.page().get('users/me')
    const now = Math.floor(world.clock.now / 1_000)
    expect(enrolled.body.user.mfa_methods).toEqual([{ type: 'totp', verified_at: now }])
    const ask = (headers = {}) => vault.post(`${path(root)}/recovery/package`, {}, headers)
    const refused = await ask()
    expect(verdict(refused)).toEqual(needed)
    expect(refused.body.data).toEqual({ purpose: 'use', methods: ['totp'] })
    const verified = await app.verify()
    expect(verified.body).toEqual({ token: expect.stringMatching(/^[\w-]{43}$/) })
    const proof = withProof(verified.body.token)
    expect((await ask(proof)).status).toBe(200)
    world.clock.pass(minutes(15) - 1)
    expect((await ask(proof)).status).toBe(200)
    world.clock.pass(1)
    expect(verdict(await ask(proof))).toEqual(tooOld)
  })

  test('a number is set up and verifies, and the page has the code sent', async () => {
    const vault = await open()
    const number = newNumber()
    const enrolled = await enrolNumber(vault, number)
    expect(enrolled.body.mfa_methods).toEqual([{ type: 'sms', verified_at: expect.any(Number) }])
    expect(await statusOf(vault)).toEqual({
      methods: [{ type: 'sms', verified_at: expect.any(Number), hint: `*${number.slice(-4)}` }],
      recovery_codes_left: 0,
    })
    expect((await verifyNumber(vault, number)).body).toEqual({ token: expect.any(String) })
  })

  test('passkeys are set up by their ids and verify on the page', async () => {
    const vault = await open()
    const { authenticator, id } = await linkPasskey(vault)
    expect((await vault.post('mfa/passkeys/enrollment', { credential_ids: [id] })).status).toBe(200)
    const { user } = (await vault.page().get('users/me')).body
    expect(user.mfa_methods).toEqual([{ type: 'passkey', verified_at: expect.any(Number) }])
    expect(user.linked_accounts.find(({ type }: { type: string }) => type === 'passkey')).toMatchObject({
      enrolled_in_mfa: true,
    })
    const { options } = (await vault.page().post('mfa/passkeys/init', { relying_party: site })).body
    expect(options).toMatchObject({
      rp_id: 'localhost',
      user_verification: 'required',
      allow_credentials: [{ id, type: 'public-key' }],
    })
    const response = await authenticator.login(options, site)
    const body = { authenticator_response: response, relying_party: site }
    expect((await vault.post('mfa/passkeys/verify', body)).body).toEqual({ token: expect.any(String) })
    expect(verdict(await vault.post('mfa/passkeys/verify', body))).toEqual(wrong)
  })

  test('passkeys: a synced key verifies on the page after its counter went back', async () => {
    const vault = await open()
    const { authenticator, id } = await linkPasskey(vault)
    await vault.post('mfa/passkeys/enrollment', { credential_ids: [id] })
    const verify = async (counter: number) => {
      const { options } = (await vault.page().post('mfa/passkeys/init', { relying_party: site })).body
      const response = await authenticator.login(options, site, { counter })
      return vault.post('mfa/passkeys/verify', { authenticator_response: response, relying_party: site })
    }
    for (const counter of [40, 7, 7, 0]) expect((await verify(counter)).status).toBe(200)
  })

  test(`a code of an authenticator app is good once, also where ${crowd} bring it at once`, async () => {
    const vault = await open()
    const app = await enrolApp(vault)
    const code = app.code()
    const verify = () => vault.post('mfa/totp/verify', { code })
    const answers = await Promise.all(Array.from({ length: crowd }, verify))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.token)).toHaveLength(1)
    world.clock.pass(seconds(10))
    expect(verdict(await verify())).toEqual(wrong)
    // Nor does the code of the step before come after it.
    expect(
      verdict(await vault.post('mfa/totp/verify', { code: totpCode(app.secret, world.clock.now - 30_000) })),
    ).toEqual(wrong)
    world.clock.pass(minutes(61))
    expect((await app.verify()).status).toBe(200)
  })

  test('an authenticator app may be a step off, and not five minutes', async () => {
    const vault = await open()
    const app = await enrolApp(vault)
    world.clock.pass(minutes(10))
    const at = (skew: number) =>
      vault.post('mfa/totp/verify', { code: totpCode(app.secret, world.clock.now + skew) })
    for (const skew of [-minutes(5), minutes(5), seconds(60), -seconds(60)])
      expect([skew, ...verdict(await at(skew))]).toEqual([skew, ...wrong])
    world.clock.pass(minutes(10))
    expect((await at(-seconds(30))).status).toBe(200)
    expect((await at(seconds(30))).status).toBe(200)
  })

  test('a browser whose clock is five minutes off learns the server’s and verifies with it', async () => {
    const vault = await open()
    const app = await enrolApp(vault)
    const code = app.code()
    const iat = Math.floor((world.clock.now + minutes(5)) / 1_000)
    const early = vault.proofFor('mfa/totp/verify', { claims: { iat } })
    expect(verdict(await vault.post('mfa/totp/verify', { code }, { dpop: early }))).toEqual([
      401,
      'invalid_dpop_proof',
    ])
    expect((await vault.post('mfa/totp/verify', { code })).status).toBe(200)
  })

  test('wrong codes are counted for the person, over all factors, browsers and sessions', async () => {
    const vault = await open()
    const app = await enrolApp(vault)
    const number = newNumber()
    await enrolNumber(vault, number, await app.proof('factors'))
    const { codes } = (await vault.post('mfa/recovery_codes/generate', {}, await app.proof('factors'))).body
    const { id, authenticator } = await linkPasskey(vault)
    await vault.post('mfa/passkeys/enrollment', { credential_ids: [id] }, await app.proof('factors'))
    const { options } = (await vault.page().post('mfa/passkeys/init', { relying_party: site })).body
    const forged = await authenticator.login({ ...options, challenge: 'AAAA' }, site)
    const elsewhere = vault.elsewhere()
    const wrongs = [
      () => vault.post('mfa/totp/verify', { code: '000000' }),
      () => elsewhere.post('mfa/passwordless_sms/verify', { code: '000000' }),
      () => vault.post('mfa/recovery_codes/verify', { code: 'aaaaa-aaaaa' }),
      () => elsewhere.post('mfa/passkeys/verify', { authenticator_response: forged }),
    ]
    world.clock.pass(minutes(61))
    const tried = async () => {
      const seen: unknown[] = []
      for (let at = 0; at < 12; at++) {
        if (at % 4 === 0) world.clock.pass(seconds(10))
        seen.push((await wrongs[at % 4]?.())?.status)
      }
      return seen
    }
    // Four in ten seconds; ten in an hour, of which six from one source, and that sixth where a factor was shown before.
    expect(await tried()).toEqual([422, 422, 422, 422, 422, 422, 422, 422, 422, 422, 422, 429])
    const right = await vault.post('mfa/totp/verify', { code: app.code() })
    expect([right.status, right.body.code]).toEqual([429, 'too_many_requests'])
    expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(60)
    expect((await vault.post('mfa/recovery_codes/verify', { code: codes[0] })).status).toBe(429)
    await expect
      .poll(() =>
        world.mailbox.messages().filter(({ subject }) => subject.startsWith('Too many wrong codes')),
      )
      .toHaveLength(1)
    world.clock.pass(minutes(60))
    expect((await app.verify()).status).toBe(200)
    // Thirty in a day, whatever the hour, and twenty where a factor was shown before.
    for (const judged of [11, 10]) {
      world.clock.pass(minutes(61))
      expect((await tried()).filter((status) => status === 422)).toHaveLength(judged)
    }
    world.clock.pass(minutes(61))
    expect((await app.verify(undefined, elsewhere)).status).toBe(429)
    expect((await app.verify()).status).toBe(200)
    world.clock.pass(minutes(24 * 60))
    await renew(vault)
    const anew = vault.elsewhere()
    expect((await app.verify(undefined, anew)).status).toBe(200)
  })

  /** Wrong codes, four every ten seconds, until there have been so many; in the order in which the sources are given. */
  async function guess(sources: readonly Vault[], count: number) {
    const statuses: number[] = []
    for (let at = 0; at < count; at++) {
      if (at % 4 === 0) world.clock.pass(seconds(10))
      const source = sources[at % sources.length]
      if (source) statuses.push((await source.post('mfa/totp/verify', { code: '000000' })).status)
    }
    return statuses.filter((status) => status === 422).length
  }
  /** The same login goes on in another session. */
  async function forked(vault: Vault): Promise<Vault> {
    const { body } = await vault.page().post('sessions/fork', { refresh_token: vault.refreshToken })
    const page = vault.page()
    const recovered = await page.post('sessions/fork/recover', {
      refresh_token: body.new_session_refresh_token,
    })
    Object.assign(vault, { token: body.token, refreshToken: body.refresh_token })
    return Object.assign(vault.elsewhere(), { token: recovered.body.token })
  }

  type Attempt = {
    who: string
    from: (vault: Vault) => Promise<readonly Vault[]>
    wrong: number
    day: number
    person: number
  }
  const attempts: readonly Attempt[] = [
    { who: 'a stolen token', from: async (vault) => [vault.elsewhere()], wrong: 6, day: 20, person: 200 },
    {
      who: 'a stolen token with ever new keys',
      from: async (vault) => Array.from({ length: 12 }, () => vault.elsewhere()),
      wrong: 6,
      day: 20,
      person: 200,
    },
    {
      who: 'a stolen token and sessions forked from it',
      from: async (vault) => [vault.elsewhere(), await forked(vault), await forked(vault)],
      wrong: 6,
      day: 20,
      person: 200,
    },
    {
      who: 'a stolen token and a script on the person’s own device',
      from: async (vault) => [vault.elsewhere(), vault],
      wrong: 11,
      day: 34,
      person: 429,
    },
  ]
  test.each(attempts.slice(0, soak(1, attempts.length)))(
    '$who makes $wrong wrong codes an hour and $day a day, and the person gets $person there, and in on another device',
    async (row) => {
      const vault = await open()
      const app = await enrolApp(vault)
      const other = vault.elsewhere()
      const shown = await app.proof('device', other)
      expect((await other.post('devices/enroll', { factor: 'mfa' }, shown)).status).toBe(200)
      world.clock.pass(minutes(61))
      const sources = await row.from(vault)
      expect(await guess(sources, 20)).toBe(row.wrong)
      expect((await app.verify()).status).toBe(row.person)
      expect((await app.verify(undefined, other)).status).toBe(200)
      let inDay = row.wrong
      // Three come to the limit of the day, and the fourth shows that it holds.
      for (let hour = 0; hour < 4; hour++) {
        world.clock.pass(minutes(61))
        inDay += await guess(sources, 20)
      }
      expect(inDay).toBe(row.day)
      world.clock.pass(minutes(61))
      expect((await app.verify()).status).toBe(row.person)
      expect((await app.verify(undefined, other)).status).toBe(200)
    },
  )

  test('a device that the page’s own login has enrolled is a stranger’s until a factor was shown on it', async () => {
    const vault = await Vault.open(world, { appId: compatibleMfaApp.id })
    const app = await enrolApp(vault)
    world.clock.pass(minutes(61))
    await renew(vault)
    const [one, two] = [vault.elsewhere(), vault.elsewhere()]
    for (const next of [one, two]) expect((await next.enrol()).status).toBe(200)
    // Each has six of its own, and ten is all that there are for the two.
    expect(await guess([one, two], 20)).toBe(10)
    expect((await app.verify(undefined, two)).status).toBe(429)
    expect((await app.verify(undefined, vault)).status).toBe(200)
    world.clock.pass(minutes(61))
    expect((await app.verify(undefined, two)).status).toBe(200)
    expect(await guess([one], 20)).toBe(6)
    expect(await guess([two], 20)).toBe(6)
  })

  test('a device whose tries are used up leaves the person’s others some', async () => {
    const vault = await open()
    const app = await enrolApp(vault)
    const other = vault.elsewhere()
    const proof = await app.proof('device', other)
    expect((await other.post('devices/enroll', { factor: 'mfa' }, proof)).status).toBe(200)
    expect(await guess([vault], 20)).toBe(6)
    expect((await app.verify(undefined, vault)).status).toBe(429)
    expect((await app.verify(undefined, other)).status).toBe(200)
  })

  test.skipIf(!store.url)(
    'whoever sets a factor up while their account is being deleted is told that the account is gone',
    async () => {
      const { default: pg } = await import('pg')
      const vault = await open()
      await vault.post('mfa/totp/init')
      const other = new pg.Client({ connectionString: world.databaseUrl })
      await other.connect()
      await other.query('begin')
      await other.query('delete from users where id = $1', [vault.userId])
      const late = vault.post('mfa/totp/init')
      const waiting =
        "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
      await expect.poll(async () => (await other.query(waiting)).rowCount).toBe(1)
      await other.query('commit')
      await other.end()
      expect(verdict(await late)).toEqual([401, 'missing_or_invalid_token'])
    },
  )

  test('four wrong codes make a break of ten seconds', async () => {
    const vault = await open()
    const app = await enrolApp(vault)
    const guess = () => vault.post('mfa/totp/verify', { code: '000000' })
    const answers = await Promise.all(Array.from({ length: 20 }, guess))
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(4)
    expect(
      verdict(await vault.post('mfa/totp/verify', { code: totpCode(app.secret, world.clock.now + 30_000) })),
    ).toEqual([429, 'too_many_requests'])
    world.clock.pass(seconds(10))
    expect((await app.verify()).status).toBe(200)
  })

  test('recovery codes stand in for a factor, each once, in any spelling, and new ones end the earlier ones', async () => {
    const vault = await open()
    const root = await vault.create()
    expect(verdict(await vault.post('mfa/recovery_codes/generate'))).toEqual([400, 'missing_mfa_enrollment'])
    const app = await enrolApp(vault)
    expect(verdict(await vault.post('mfa/recovery_codes/generate', {}, await app.proof()))).toEqual(needed)
    const first = (await vault.post('mfa/recovery_codes/generate', {}, await app.proof('factors'))).body.codes
    expect(new Set(first)).toHaveProperty('size', 10)
    for (const each of first) expect(each).toMatch(/^[2-9a-hj-km-np-z]{5}-[2-9a-hj-km-np-z]{5}$/)
    const { codes } = (await vault.post('mfa/recovery_codes/generate', {}, await app.proof('factors'))).body
    const use = (code: string, purpose?: string) => vault.post('mfa/recovery_codes/verify', { code, purpose })
    expect(verdict(await use(first[0]))).toEqual(wrong)
    world.clock.pass(minutes(61))
    for (const [at, each] of codes.entries()) {
      const answer = await use(at % 2 ? each : each.toUpperCase().replace('-', ' '))
      expect(answer.status).toBe(200)
      expect(
        (await vault.post(`${path(root)}/recovery/package`, {}, withProof(answer.body.token))).status,
      ).toBe(200)
      expect((await statusOf(vault)).recovery_codes_left).toBe(9 - at)
    }
    expect(verdict(await use(codes[3]))).toEqual(wrong)
    const kept = JSON.stringify(await world.backend.database.select().from(mfaRecoveryCodes))
    for (const code of codes) expect(kept).not.toContain(code.replace('-', ''))
    const mails = () =>
      world.mailbox.messages().filter(({ subject }) => subject.startsWith('A recovery code was'))
    await expect.poll(() => mails().length).toBeGreaterThanOrEqual(10)
  })

  test('whoever has just set a factor up adds recovery codes and another factor without showing it again, and takes none away', async () => {
    const vault = await open()
    const begun = await vault.post('mfa/totp/init')
    const enrol = { code: totpCode(begun.body.totpSecret, world.clock.now) }
    const { body } = await vault.post('mfa/totp/enroll', enrol)
    expect(body).toMatchObject({
      mfa_methods: [{ type: 'totp' }],
      token: expect.stringMatching(/^[\w-]{43}$/),
    })
    const proof = withProof(body.token)
    const codes = await vault.post('mfa/recovery_codes/generate', {}, proof)
    expect(codes.body.codes).toHaveLength(10)
    world.clock.pass(seconds(1))
    const enrolled = await enrolNumber(vault, newNumber(), proof)
    expect(enrolled.body.mfa_methods).toHaveLength(2)
    // Without a wallet, no device has to approve that.
    const [one, two] = [await linkPasskey(vault), await linkPasskey(vault)]
    // It is good for nothing else.
    const root = await vault.create()
    expect(verdict(await vault.post(`${path(root)}/recovery/package`, {}, proof))).toEqual(needed)
    expect(verdict(await vault.post('mfa/totp/unenroll', {}, proof))).toEqual(needed)
    world.clock.pass(seconds(1))
    const added = { credential_ids: [one.id] }
    expect((await vault.post('mfa/passkeys/enrollment', added, proof)).status).toBe(200)
    const none = { credential_ids: [] }
    expect(verdict(await vault.post('mfa/passkeys/enrollment', none, proof))).toEqual(needed)
    // Nor does another one come in its place.
    const other = { credential_ids: [two.id] }
    expect(verdict(await vault.post('mfa/passkeys/enrollment', other, proof))).toEqual(needed)
    expect(await methodsOf(vault)).toEqual(['totp', 'sms', 'passkey'])
    const elsewhere = vault.elsewhere()
    expect((await elsewhere.post('mfa/recovery_codes/generate', {}, proof)).status).not.toBe(200)
    world.clock.pass(minutes(1))
    expect(verdict(await vault.post('mfa/recovery_codes/generate', {}, proof))).toEqual(tooOld)
  })

  test('a first passkey is a proof for the recovery codes too, and a further one is none', async () => {
    const vault = await open()
    const [one, two] = [await linkPasskey(vault), await linkPasskey(vault)]
    const first = await vault.post('mfa/passkeys/enrollment', { credential_ids: [one.id] })
    const codes = await vault.post('mfa/recovery_codes/generate', {}, withProof(first.body.token))
    expect(codes.body.codes).toHaveLength(10)
    const { options } = (await vault.page().post('mfa/passkeys/init', { relying_party: site })).body
    const authenticator_response = await one.authenticator.login(options, site)
    const { body } = await vault.post('mfa/passkeys/verify', { authenticator_response, purpose: 'factors' })
    const both = { credential_ids: [one.id, two.id] }
    expect((await vault.post('mfa/passkeys/enrollment', both, withProof(body.token))).body).toEqual({})
  })

  test(`of ${crowd} who bring one recovery code, one gets in`, async () => {
    const vault = await open()
    const app = await enrolApp(vault)
    const { codes } = (await vault.post('mfa/recovery_codes/generate', {}, await app.proof('factors'))).body
    const use = () => vault.post('mfa/recovery_codes/verify', { code: codes[0] })
    const answers = await Promise.all(Array.from({ length: crowd }, use))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('a factor goes only with a proof of one, and the last one takes the recovery codes with it', async () => {
    const vault = await open()
    const app = await enrolApp(vault)
    await vault.post('mfa/recovery_codes/generate', {}, await app.proof('factors'))
    expect(verdict(await vault.post('mfa/totp/unenroll'))).toEqual(needed)
    expect(verdict(await vault.post('mfa/totp/unenroll', {}, await app.proof()))).toEqual(needed)
    const begun = await vault.post('mfa/totp/init', {}, await app.proof('factors'))
    expect(verdict(begun)).toEqual([400, 'invalid_state'])
    expect(await methodsOf(vault)).toEqual(['totp'])
    const gone = await vault.post('mfa/totp/unenroll', {}, await app.proof('factors'))
    expect(gone.body).toEqual({ success: true })
    expect(await statusOf(vault)).toEqual({ methods: [], recovery_codes_left: 0 })
    await expect
      .poll(() =>
        world.mailbox.messages().filter(({ subject }) => subject.startsWith('A second factor was removed')),
      )
      .not.toHaveLength(0)
  })

  test('a further factor needs a proof of the first one, and the methods stand in the order of their time', async () => {
    const vault = await open()
    const number = newNumber()
    await enrolNumber(vault, number)
    expect(verdict(await vault.post('mfa/totp/init'))).toEqual(needed)
    const proof = async () => withProof((await verifyNumber(vault, number, 'factors')).body.token)
    await enrolApp(vault, await proof())
    expect(await methodsOf(vault)).toEqual(['sms', 'totp'])
  })

  test('text messages are no second factor of somebody who logs in with them', async () => {
    const vault = await open()
    const page = vault.page()
    const number = newNumber()
    await page.post('passwordless_sms/init', { phoneNumber: number })
    await page.post('passwordless_sms/link', { phoneNumber: number, code: page.lastCode(number) })
    expect(verdict(await enrolNumber(vault))).toEqual([400, 'mfa_method_not_allowed'])

    const other = await open()
    const factor = newNumber()
    await enrolNumber(other, factor)
    world.clock.pass(minutes(2))
    const own = newNumber()
    await other.page().post('passwordless_sms/init', { phoneNumber: own })
    const body = { phoneNumber: own, code: other.lastCode(own) }
    const linking = () => other.page().post('passwordless_sms/link', body)
    expect(verdict(await linking())).toEqual([400, 'mfa_method_not_allowed'])
    const proof = withProof((await verifyNumber(other, factor, 'factors')).body.token)
    await other.post('mfa/passwordless_sms/unenroll', {}, proof)
    // The code was not used up.
    expect((await linking()).status).toBe(200)
  })

  test('a code of a login is none of a second factor, nor the other way round, and each lives its own time', async () => {
    const vault = await open()
    const number = newNumber()
    await enrolNumber(vault, number)
    world.clock.pass(minutes(2))
    const page = vault.page()
    page.token = undefined
    await page.post('passwordless_sms/init', { phoneNumber: number })
    const login = vault.lastCode(number)
    expect(verdict(await vault.post('mfa/passwordless_sms/verify', { code: login }))).toEqual(wrong)
    world.clock.pass(minutes(2))
    await vault.page().post('mfa/passwordless_sms/init', { action: 'verify' })
    const code = vault.lastCode(number)
    expect((await page.post('passwordless_sms/authenticate', { phoneNumber: number, code })).status).toBe(422)
    world.clock.pass(minutes(5))
    expect(verdict(await vault.post('mfa/passwordless_sms/verify', { code }))).toEqual(wrong)
  })

  test('its text messages are under the limits of those of a login, and counted with them', async () => {
    const vault = await open()
    const number = newNumber()
    await enrolNumber(vault, number)
    const stranger = vault.page()
    stranger.token = undefined
    const ways = [
      () => vault.page().post('mfa/passwordless_sms/init', { action: 'verify' }),
      () => stranger.post('passwordless_sms/init', { phoneNumber: number }),
    ]
    const send = async (at: number) => (await ways[at % 2]?.())?.status
    for (let at = 0; at < 5; at++) {
      world.clock.pass(seconds(31))
      expect(await send(at)).toBe(200)
      // Not two in half a minute, whatever they are for.
      expect(await send(at + 1)).toBe(429)
    }
    world.clock.pass(minutes(2))
    expect([await send(0), await send(1)]).toEqual([429, 429])
    world.clock.pass(minutes(60))
    expect(await send(0)).toBe(200)
  })

  test('while no text message can leave, nothing is counted and the next one comes', async () => {
    const vault = await open()
    const number = newNumber()
    await enrolNumber(vault, number)
    world.clock.pass(minutes(2))
    world.gateway.instead = () => new Response('down', { status: 503 })
    const send = () => vault.page().post('mfa/passwordless_sms/init', { action: 'verify' })
    expect((await send()).status).toBe(503)
    world.gateway.instead = undefined
    expect((await send()).status).toBe(200)
    expect((await vault.post('mfa/passwordless_sms/verify', { code: vault.lastCode(number) })).status).toBe(
      200,
    )
  })

  test('who has no number gets no code, and an app that offers no factor takes none', async () => {
    const vault = await open()
    const none = await vault.page().post('mfa/passwordless_sms/init', { action: 'verify' })
    expect(verdict(none)).toEqual([400, 'missing_mfa_enrollment'])
    const asking = await vault.page().post('mfa/passkeys/init', { relying_party: site })
    expect(verdict(asking)).toEqual([400, 'missing_mfa_enrollment'])
    const plain = await Vault.open(world, { appId: everyWayApp.id })
    expect(verdict(await plain.post('mfa/totp/init'))).toEqual([403, 'feature_not_enabled'])
  })

  describe('where passkeys are a second factor and no login method', () => {
    const openThere = () => Vault.open(world, { appId: passkeyFactorApp.id })

    test('one is linked, becomes a factor and verifies its person', async () => {
      const vault = await openThere()
      const { id, authenticator } = await linkPasskey(vault)
      expect((await vault.post('mfa/passkeys/enrollment', { credential_ids: [id] })).status).toBe(200)
      expect(await methodsOf(vault)).toEqual(['passkey'])
      const { body } = await vault.page().post('mfa/passkeys/init', { relying_party: site })
      const response = await authenticator.login(body.options, site)
      const verified = await vault.post('mfa/passkeys/verify', {
        authenticator_response: response,
        relying_party: site,
      })
      expect(verified.status).toBe(200)
    })

    test('it logs nobody in', async () => {
      const page = (await openThere()).page()
      const refused = [403, 'disallowed_login_method']
      expect(verdict(await page.post('passkeys/authenticate/init', { relying_party: site }))).toEqual(refused)
      expect(verdict(await page.post('passkeys/register/init', { relying_party: site }))).toEqual(refused)
    })

    test('it is no way in: the last account to log in with is not unlinked beside it', async () => {
      const vault = await openThere()
      const { id } = await linkPasskey(vault)
      const page = vault.page()
      const { linked_accounts: linked } = (await page.get('users/me')).body.user
      const { address } = linked.find(({ type }: { type: string }) => type === 'email')
      const refused = await page.post('passwordless/unlink', { address })
      expect(verdict(refused)).toEqual([400, 'cannot_unlink_sole_account'])
      expect((await page.post('passkeys/unlink', { credential_id: id })).status).toBe(200)
    })

    test('a guest who has one is still a guest, whose credential works', async () => {
      const credential = { guest_credential: `${'g'.repeat(42)}A` }
      const page = new Client(world, { appId: passkeyFactorApp.id })
      const { body } = await page.post('guest/authenticate', credential)
      page.token = body.token
      const begun = await page.post('passkeys/link/init', { relying_party: site })
      const made = await createAuthenticator().register(begun.body.options, site)
      const linked = await page.post('passkeys/link', { relying_party: site, authenticator_response: made })
      expect(linked.body).toMatchObject({ id: body.user.id, is_guest: true })
      const again = await new Client(world, { appId: passkeyFactorApp.id }).post(
        'guest/authenticate',
        credential,
      )
      expect(again.body.user.id).toBe(body.user.id)
    })
  })

  test('a passkey is not linked where it is neither a login method nor a second factor', async () => {
    const page = (await Vault.open(world, { appId: everyWayApp.id })).page()
    const refused = await page.post('passkeys/link/init', { relying_party: site })
    expect(verdict(refused)).toEqual([403, 'disallowed_login_method'])
  })

  test('a passkey of another session, page or person verifies nothing', async () => {
    const vault = await open()
    const { id, authenticator } = await linkPasskey(vault)
    const stranger = await open()
    const others = await linkPasskey(stranger)
    const refused = await vault.post('mfa/passkeys/enrollment', { credential_ids: [others.id] })
    expect(verdict(refused)).toEqual([404, 'linked_account_not_found'])
    await vault.post('mfa/passkeys/enrollment', { credential_ids: [id] })
    await stranger.post('mfa/passkeys/enrollment', { credential_ids: [others.id] })
    const begin = async (of: Vault) =>
      (await of.page().post('mfa/passkeys/init', { relying_party: site })).body.options
    const verify = (of: Vault, response: object, relying_party = site) =>
      of.post('mfa/passkeys/verify', { authenticator_response: response, relying_party })
    expect(verdict(await verify(vault, await authenticator.login(await begin(stranger), site)))).toEqual(
      wrong,
    )
    expect(verdict(await verify(vault, await others.authenticator.login(await begin(vault), site)))).toEqual(
      wrong,
    )
    world.clock.pass(seconds(10))
    const unverified = await authenticator.login(await begin(vault), site, {
      flags: (flags) => flags & ~flagUV,
    })
    expect(verdict(await verify(vault, unverified))).toEqual(wrong)
    world.clock.pass(seconds(10))
    expect((await verify(vault, await authenticator.login(await begin(vault), site))).status).toBe(200)
  })

  test('a passkey that is a factor is not unlinked, but with a proof by the vault', async () => {
    const vault = await open()
    const { id, authenticator } = await linkPasskey(vault)
    await vault.post('mfa/passkeys/enrollment', { credential_ids: [id] })
    const page = await vault.page().post('passkeys/unlink', { credential_id: id })
    expect([page.status, page.body]).toEqual([
      400,
      { code: 'invalid_state', error: 'Cannot unlink a passkey enrolled in MFA' },
    ])
    const unlink = (headers = {}, more = {}) =>
      vault.post('mfa/passkeys/unlink', { credential_id: id, ...more }, headers)
    expect(verdict(await unlink())).toEqual(needed)
    const { options } = (await vault.page().post('mfa/passkeys/init', { relying_party: site })).body
    const response = await authenticator.login(options, site)
    const { body } = await vault.post('mfa/passkeys/verify', {
      authenticator_response: response,
      purpose: 'factors',
    })
    const proof = withProof(body.token)
    expect(verdict(await unlink(proof, { remove_as_mfa: false }))).toEqual([400, 'invalid_state'])
    const gone = await unlink(proof)
    expect(gone.body.mfa_methods).toEqual([])
    expect(gone.body.linked_accounts.map(({ type }: { type: string }) => type)).toEqual(['email'])
  })

  test('a passkey that is the last way in goes only where the person was warned', async () => {
    const page = new Client(world, { appId: mfaApp.id })
    const begun = await page.post('passkeys/register/init', { relying_party: site })
    const authenticator = createAuthenticator()
    const made = await authenticator.register(begun.body.options, site)
    const { body } = await page.post('passkeys/register', {
      relying_party: site,
      authenticator_response: made,
    })
    const vault = new Vault(world, { origin: vaultOrigin, appId: mfaApp.id })
    Object.assign(vault, { token: body.token, userId: body.user.id })
    await vault.enrol()
    await vault.post('mfa/passkeys/enrollment', { credential_ids: [made.id] })
    const { options } = (await vault.page().post('mfa/passkeys/init', { relying_party: site })).body
    const verified = await vault.post('mfa/passkeys/verify', {
      authenticator_response: await authenticator.login(options, site),
      purpose: 'factors',
    })
    const unlink = (more = {}) =>
      vault.post('mfa/passkeys/unlink', { credential_id: made.id, ...more }, withProof(verified.body.token))
    expect(verdict(await unlink())).toEqual([400, 'cannot_unlink_sole_account'])
    expect(await methodsOf(vault)).toEqual(['passkey'])
    const gone = await unlink({ even_if_sole: true })
    expect([gone.status, gone.body.linked_accounts, gone.body.mfa_methods]).toEqual([200, [], []])
  })

  test('an empty list takes all passkeys away as factors, and as logins unless that is not wanted', async () => {
    for (const remove_for_login of [true, false]) {
      const vault = await open()
      const [one, two] = [await linkPasskey(vault), await linkPasskey(vault)]
      await vault.post('mfa/passkeys/enrollment', { credential_ids: [one.id, two.id] })
      const { options } = (await vault.page().post('mfa/passkeys/init', { relying_party: site })).body
      expect(options.allow_credentials).toHaveLength(2)
      const authenticator_response = await two.authenticator.login(options, site)
      const { body } = await vault.post('mfa/passkeys/verify', { authenticator_response, purpose: 'factors' })
      const end = { credential_ids: [], remove_for_login }
      expect((await vault.post('mfa/passkeys/enrollment', end, withProof(body.token))).body).toEqual({})
      const { user } = (await vault.page().get('users/me')).body
      expect(user.mfa_methods).toEqual([])
      const left = user.linked_accounts.filter(({ type }: { type: string }) => type === 'passkey')
      expect(left.map((each: object) => each)).toHaveLength(remove_for_login ? 0 : 2)
    }
  })

  test('secrets of factors are sealed, and proofs are kept as hashes', async () => {
    const vault = await open()
    const app = await enrolApp(vault)
    const { body } = await app.verify()
    const { database } = world.backend
    const kept = JSON.stringify([
      await database.select().from(mfaFactors),
      await database.select().from(mfaTokens),
    ])
    expect(kept).not.toContain(app.secret)
    expect(kept).not.toContain(body.token)
  })
})
