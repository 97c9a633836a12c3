import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { path, Vault, verdict } from '../support/embedded-world.ts'
import { enrolApp, linkPasskey, mfaApp, withProof } from '../support/mfa-world.ts'
import { newNumber, type SmsWorld, startSmsWorld } from '../support/sms-world.ts'
import { minutes, site, stores } from '../support/world.ts'

const needed = [401, 'missing_or_invalid_mfa']
const tooOld = [401, 'expired_or_invalid_mfa_token']
const wrong = [422, 'invalid_credentials']

describe.each(stores)('second factors on $name', (store) => {
  let world: SmsWorld
  beforeAll(async () => {
    world = await startSmsWorld(store, { moreApps: [mfaApp] })
  })
  afterAll(() => world?.stop())
  afterEach(() => {
    world.gateway.instead = undefined
  })
  const open = () => Vault.open(world, { appId: mfaApp.id })
  const methodsOf = async (vault: Vault) =>
    (await vault.page().get('users/me')).body.user.mfa_methods.map(({ type }: { type: string }) => type)
  const statusOf = async (vault: Vault) => (await vault.page().get('mfa')).body

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
      methods: [
        { type: 'sms', verified_at: expect.any(Number), hint: `${number.slice(0, 3)}•••${number.slice(-2)}` },
      ],
      recovery_codes_left: 0,
    })
    expect((await verifyNumber(vault, number)).body).toEqual({ token: expect.any(String) })
  })

  test('passkeys are set up by their ids and verify on the page', async () => {
    const vault = await open()
    const { authenticator, id } = await linkPasskey(vault)
    expect((await vault.post('mfa/passkeys/enrollment', { credential_ids: [id] })).body).toEqual({})
    const { user } = (await vault.page().get('users/me')).body
    expect(user.mfa_methods).toEqual([{ type: 'passkey', verified_at: expect.any(Number) }])
    expect(user.linked_accounts.find(({ type }: { type: string }) => type === 'passkey')).toMatchObject({
      enrolled_in_mfa: true,
    })
    const { options } = (await vault.page().post('mfa/passkeys/init', { relying_party: site })).body
    expect(options).toMatchObject({
      ...{ rp_id: 'localhost', user_verification: 'required' },
      allow_credentials: [{ id, type: 'public-key' }],
    })
    const response = await authenticator.login(options, site)
    const body = { authenticator_response: response, relying_party: site }
    expect((await vault.post('mfa/passkeys/verify', body)).body).toEqual({ token: expect.any(String) })
    expect(verdict(await vault.post('mfa/passkeys/verify', body))).toEqual(wrong)
  })
})
