/** Passkeys of the vault's own, which enrol further devices. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { vaultPasskeys } from '../../../demo/backend/devices/tables.ts'
import {
  type Change,
  createAuthenticator,
  flagBE,
  flagBS,
  flagUV,
  newCredentialId,
} from '../../support/authenticator.ts'
import { Client } from '../support/client.ts'
import { everyWayApp, path, type Root, Vault, verdict } from '../support/embedded-world.ts'
import { enrolApp, linkPasskey, mfaApp } from '../support/mfa-world.ts'
import {
  apiUrl,
  minutes,
  seconds,
  site,
  startWorld,
  stores,
  vaultOrigin,
  type World,
} from '../support/world.ts'

type Authenticator = ReturnType<typeof createAuthenticator>

const wrong = [401, 'invalid_credentials']
const unapproved = [403, 'approval_required']
const none = [404, 'linked_account_not_found']
const missingFactor = [401, 'missing_or_invalid_mfa']

describe.each(stores)('devices: passkeys of the vault on $name', (store) => {
  let world: World
  beforeAll(async () => {
    world = await startWorld(store, { moreApps: [everyWayApp, mfaApp] })
  })
  afterAll(() => world?.stop())

  async function withWallet(appId = everyWayApp.id): Promise<{ first: Vault; root: Root }> {
    const first = await Vault.open(world, { appId })
    return { first, root: await first.create() }
  }
  const packageOf = (vault: Vault, root: Root) => vault.post(`${path(root)}/recovery/package`)
  const statementOf = (vault: Vault, credential: string) =>
    vault.say('Latchkey recovery passkey', { credential })
  /** Makes a passkey on an enrolled device, and presents it. */
  async function make(
    vault: Vault,
    authenticator: Authenticator,
    {
      origin = vaultOrigin,
      headers = {},
      change = {},
    }: { origin?: string; headers?: Record<string, string>; change?: Change } = {},
  ) {
    const begun = await vault.post('devices/passkeys/options', {}, headers)
    if (begun.status !== 200) throw new Error(`Not begun: ${begun.status} ${begun.text}`)
    return authenticator.register(begun.body, origin, change)
  }
  async function add(vault: Vault, authenticator: Authenticator, more: Parameters<typeof make>[2] = {}) {
    const attestation = await make(vault, authenticator, more)
    return vault.postStated(
      'devices/passkeys',
      { attestation },
      statementOf(vault, attestation.id),
      more.headers,
    )
  }
  async function withPasskey() {
    const begun = await withWallet()
    const authenticator = createAuthenticator()
    const added = await add(begun.first, authenticator)
    if (added.status !== 200) throw new Error(`Not added: ${added.status} ${added.text}`)
    return { ...begun, authenticator, added }
  }
  async function assertionFor(
    vault: Vault,
    authenticator: Authenticator,
    { origin = vaultOrigin, change = {} }: { origin?: string; change?: Change } = {},
  ) {
    const { status, body, text } = await vault.post('devices/enroll/passkey')
    if (status !== 200) throw new Error(`Not begun: ${status} ${text}`)
    return authenticator.login(body, origin, change)
  }
  const enrol = (vault: Vault, assertion: object) => vault.enrol({ factor: 'passkey', assertion })

  test('a passkey is made on an enrolled device, listed, and enrols a new one', async () => {
    const { first, root, authenticator, added } = await withPasskey()
    expect(added.body).toEqual({
      id: authenticator.passkeys[0]?.id,
      name: 'An unknown device',
      created_at: Math.floor(world.clock.now / 1_000),
    })
    expect(authenticator.passkeys[0]?.rpId).toBe(new URL(vaultOrigin).hostname)
    expect((await first.post('devices/passkeys/list')).body).toEqual({ passkeys: [added.body] })
    const next = first.elsewhere()
    const { factors } = (await next.post('devices/enroll/options')).body
    expect(factors.map(({ type }: { type: string }) => type)).toEqual(['device', 'passkey', 'email'])
    expect((await next.page().post('devices/proofs')).body.kinds).toContain('passkey')
    const begun = await next.post('devices/enroll/passkey')
    expect(begun.body).toMatchObject({
      rp_id: 'localhost',
      user_verification: 'required',
      allow_credentials: [{ id: authenticator.passkeys[0]?.id, type: 'public-key' }],
    })
    const assertion = await assertionFor(next, authenticator)
    expect((await enrol(next, assertion)).status).toBe(200)
    expect((await packageOf(next, root)).status).toBe(200)
    await expect
      .poll(() => world.mailbox.messages().map(({ subject }) => subject))
      .toEqual(
        expect.arrayContaining([
          `A passkey can let in new devices at ${everyWayApp.name}`,
          `A new device can use your wallets at ${everyWayApp.name}`,
        ]),
      )
  })

  test('an assertion is good once, for the key, session, user and app that began it', async () => {
    const { first, root, authenticator } = await withPasskey()
    const next = first.elsewhere()
    const assertion = await assertionFor(next, authenticator)
    const otherKey = first.elsewhere()
    expect(verdict(await enrol(otherKey, assertion))).toEqual(wrong)
    // Used up by that.
    expect(verdict(await enrol(next, assertion))).toEqual(wrong)
    const { linked_accounts: accounts } = (await first.page().get('users/me')).body.user
    const { address } = accounts.find(({ type }: { type: string }) => type === 'email')
    const otherLogin = first.elsewhere()
    otherLogin.key = next.key
    world.clock.pass(seconds(31))
    otherLogin.token = (await new Client(world, { appId: everyWayApp.id }).login(address)).body.token
    expect(verdict(await enrol(otherLogin, await assertionFor(next, authenticator)))).toEqual(wrong)
    const { first: stranger } = await withWallet()
    const strange = stranger.elsewhere()
    strange.key = next.key
    expect(verdict(await enrol(strange, await assertionFor(next, authenticator)))).toEqual(wrong)
    const { first: there } = await withWallet(mfaApp.id)
    const otherApp = there.elsewhere()
    otherApp.key = next.key
    expect(verdict(await enrol(otherApp, await assertionFor(next, authenticator)))).toEqual(wrong)
    const right = await assertionFor(next, authenticator)
    const answers = await Promise.all([enrol(next, right), enrol(next, right)])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(verdict(await enrol(first.elsewhere(), right))).toEqual(wrong)
    expect((await packageOf(otherKey, root)).status).toBe(403)
  })

  test.each([
    ['made on a host page', { origin: site }],
    ['made on the vault’s other address', { origin: apiUrl }],
    ['made in a frame of another page', { change: { clientData: { crossOrigin: true, topOrigin: site } } }],
    ['made in an unnamed frame', { change: { clientData: { crossOrigin: true } } }],
    ['without a verified user', { change: { flags: (right: number) => right & ~flagUV } }],
    ['for another domain', { change: { rpId: 'app.example' } }],
    ['of another user handle', { change: { userHandle: newCredentialId() } }],
    [
      'with an older counter of a key on one device',
      { change: { counter: 0, flags: (right: number) => right & ~(flagBE | flagBS) } },
    ],
    ['of a registration', { change: { clientData: { type: 'webauthn.create' } } }],
    ['of another challenge', { change: { clientData: { challenge: newCredentialId() } } }],
    [
      'with another signature',
      {
        change: {
          signature: (bytes: Uint8Array<ArrayBuffer>) =>
            bytes.map((byte, at) => (at === 20 ? byte ^ 1 : byte)) as Uint8Array<ArrayBuffer>,
        },
      },
    ],
    ['without client data', { change: { clientText: '{' } }],
  ] satisfies [string, { origin?: string; change?: Change }][])(
    'an assertion %s enrols nobody',
    async (_, more) => {
      const { first, root, authenticator } = await withPasskey()
      const next = first.elsewhere()
      expect(verdict(await enrol(next, await assertionFor(next, authenticator, more)))).toEqual(wrong)
      expect((await packageOf(next, root)).status).toBe(403)
    },
  )

  test.each([0, 1, 7, 39])(
    'vault passkeys: a synced key enrols a device after its counter went from 40 to %i',
    async (counter) => {
      const { first, root, authenticator } = await withPasskey()
      for (const [signed, next] of [
        [40, first.elsewhere()],
        [counter, first.elsewhere()],
      ] as const) {
        const assertion = await assertionFor(next, authenticator, { change: { counter: signed } })
        expect((await enrol(next, assertion)).status).toBe(200)
        expect((await packageOf(next, root)).status).toBe(200)
      }
    },
  )

  test('an assertion is good for six minutes', async () => {
    const { first, authenticator } = await withPasskey()
    const next = first.elsewhere()
    const assertion = await assertionFor(next, authenticator)
    world.clock.pass(minutes(6))
    expect(verdict(await enrol(next, assertion))).toEqual(wrong)
  })

  test('a passkey of a page, or of another user, enrols nobody', async () => {
    const { first } = await withPasskey()
    const { first: other } = await withWallet(mfaApp.id)
    // A login of the page, whose domain is the same as the vault's here.
    const { authenticator: pageKey } = await linkPasskey(other)
    await other.post('mfa/passkeys/enrollment', { credential_ids: [pageKey.passkeys[0]?.id] })
    const next = other.elsewhere()
    expect(verdict(await next.post('devices/enroll/passkey'))).toEqual(none)
    const { authenticator: theirs } = await withPasskey()
    const thief = first.elsewhere()
    const assertion = await assertionFor(thief, theirs)
    expect(verdict(await enrol(thief, assertion))).toEqual(wrong)
    expect(verdict(await thief.enrol({ factor: 'mfa' }))).toEqual([400, 'missing_mfa_enrollment'])
  })

  test('registering takes an enrolled device, its statement and a new credential', async () => {
    const { first, authenticator } = await withPasskey()
    const thief = first.elsewhere()
    expect(verdict(await thief.post('devices/passkeys/options'))).toEqual([403, 'device_not_enrolled'])
    expect(verdict(await first.page().post('devices/passkeys/options'))).toEqual([403, 'invalid_origin'])
    const attestation = await make(first, createAuthenticator())
    const { id } = attestation
    expect(verdict(await first.post('devices/passkeys', { attestation }))).toEqual(unapproved)
    const { first: stranger } = await withWallet()
    for (const statement of [
      statementOf(first, newCredentialId()),
      statementOf(stranger, id),
      first.say('Latchkey recovery passkey removed', { credential: id }),
    ])
      expect(verdict(await first.postStated('devices/passkeys', { attestation }, statement))).toEqual(
        unapproved,
      )
    expect(
      verdict(await stranger.postStated('devices/passkeys', { attestation }, statementOf(stranger, id))),
    ).toEqual(wrong)
    // The challenge was used up by that.
    expect(
      verdict(await first.postStated('devices/passkeys', { attestation }, statementOf(first, id))),
    ).toEqual(wrong)
    const known = authenticator.passkeys[0]?.id ?? ''
    for (const more of [
      { origin: site },
      { change: { flags: (right: number) => right & ~flagUV } },
      { change: { clientData: { crossOrigin: true, topOrigin: site } } },
      { change: { rpId: 'app.example' } },
      { change: { id: known } },
    ])
      expect(verdict(await add(first, createAuthenticator(), more))).toEqual(wrong)
    expect((await first.post('devices/passkeys/list')).body.passkeys).toHaveLength(1)
    // Another user can't take over a credential by naming it.
    expect(verdict(await add(stranger, createAuthenticator(), { change: { id: known } }))).toEqual(wrong)
  })

  test('a removed passkey enrols nobody; removing takes an enrolled device and its statement', async () => {
    const { first, root, authenticator, added } = await withPasskey()
    const { id } = added.body
    const to = `devices/passkeys/${id}/remove`
    const next = first.elsewhere()
    const assertion = await assertionFor(next, authenticator)
    const removed = first.say('Latchkey recovery passkey removed', { credential: id })
    expect(verdict(await next.postStated(to, {}, removed))).toEqual([403, 'device_not_enrolled'])
    expect(verdict(await first.post(to))).toEqual(unapproved)
    expect(verdict(await first.postStated(to, {}, statementOf(first, id)))).toEqual(unapproved)
    const { first: stranger } = await withWallet()
    const theirs = stranger.say('Latchkey recovery passkey removed', { credential: id })
    expect(verdict(await stranger.postStated(to, {}, theirs))).toEqual(none)
    expect((await first.postStated(to, {}, removed)).body).toEqual({})
    expect(verdict(await first.postStated(to, {}, removed))).toEqual(none)
    expect(verdict(await enrol(next, assertion))).toEqual(wrong)
    expect(verdict(await next.post('devices/enroll/passkey'))).toEqual(none)
    expect((await packageOf(next, root)).status).toBe(403)
  })

  test('a second factor is shown to make a passkey, and along with it', async () => {
    const first = await Vault.open(world, { appId: mfaApp.id })
    await first.create()
    const app = await enrolApp(first)
    const authenticator = createAuthenticator()
    expect(verdict(await first.post('devices/passkeys/options'))).toEqual(missingFactor)
    const headers = await app.proof('recovery')
    const attestation = await make(first, authenticator, { headers })
    const statement = statementOf(first, attestation.id)
    expect(verdict(await first.postStated('devices/passkeys', { attestation }, statement))).toEqual(
      missingFactor,
    )
    expect((await first.postStated('devices/passkeys', { attestation }, statement, headers)).status).toBe(200)
    const next = first.elsewhere()
    const assertion = await assertionFor(next, authenticator)
    expect(verdict(await enrol(next, assertion))).toEqual(missingFactor)
    const shown = await app.proof('use', next)
    expect((await next.post('devices/enroll', { factor: 'passkey', assertion }, shown)).status).toBe(200)
  })

  test('a passkey that another device registered before the first wallet goes with that device', async () => {
    const first = await Vault.open(world, { appId: everyWayApp.id })
    const thief = first.elsewhere()
    expect((await thief.enrol()).status).toBe(200)
    const authenticator = createAuthenticator()
    for (const vault of [thief, first]) {
      const attestation = await make(vault, vault === thief ? authenticator : createAuthenticator())
      // There is nothing yet that the window would have to show.
      expect((await vault.post('devices/passkeys', { attestation })).status).toBe(200)
    }
    const root = await first.create()
    expect((await first.post('devices/passkeys/list')).body.passkeys).toHaveLength(1)
    const next = thief.elsewhere()
    expect(verdict(await enrol(next, await assertionFor(next, authenticator)))).toEqual(wrong)
    for (const vault of [thief, next]) expect((await packageOf(vault, root)).status).toBe(403)
  })

  test('a user has ten passkeys at most', async () => {
    const { first } = await withPasskey()
    const { database } = world.backend
    const [row] = await database.select().from(vaultPasskeys).where(eq(vaultPasskeys.userId, first.userId))
    if (!row) throw new Error('There is no passkey')
    await database
      .insert(vaultPasskeys)
      .values(Array.from({ length: 8 }, () => ({ ...row, id: newCredentialId() })))
    const attestations = [await make(first, createAuthenticator()), await make(first, createAuthenticator())]
    const answers: (string | undefined)[] = []
    for (const attestation of attestations)
      answers.push(
        (await first.postStated('devices/passkeys', { attestation }, statementOf(first, attestation.id))).body
          ?.code,
      )
    expect(answers).toEqual([undefined, 'cannot_link_more_of_type'])
    expect(verdict(await first.post('devices/passkeys/options'))).toEqual([400, 'cannot_link_more_of_type'])
  })
})
