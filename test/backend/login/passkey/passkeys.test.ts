import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AppSettings } from '../../../../demo/backend/settings/demo-apps.ts'
import {
  type Change,
  createAuthenticator,
  flagAT,
  flagBE,
  flagBS,
  flagED,
  flagUP,
  flagUV,
  fromText,
  newCredentialId,
  text,
} from '../../../support/authenticator.ts'
import { crowd } from '../../../support/soak.ts'
import { type Answer, Client, type ClientOptions } from '../../support/client.ts'
import { newAddress, site, startWorld, stores, type World } from '../../support/world.ts'

const common = { allowedDomains: ['http://localhost:*', 'https://*.harbor.example'] }
const passkeyApp = { ...common, id: 'latchkey-test-passkeys-01', name: 'Passkeys' }
const moreApps: AppSettings[] = [
  { ...passkeyApp, methods: ['email', 'passkey', 'passkey-signup', 'guest'] },
  { ...common, id: 'latchkey-test-passkeys-02', name: 'No sign-up', methods: ['email', 'passkey'] },
  { ...common, id: 'latchkey-test-passkeys-03', name: 'Other', methods: ['passkey', 'passkey-signup'] },
  {
    ...common,
    id: 'latchkey-test-passkeys-04',
    name: 'Shared',
    methods: ['passkey', 'passkey-signup'],
    passkeyDomain: 'harbor.example',
  },
  {
    ...common,
    id: 'latchkey-test-passkeys-05',
    name: 'Invited',
    methods: ['passkey', 'passkey-signup'],
    allowlist: { emails: [] },
  },
]
const onOneDevice = (right: number) => right & ~(flagBE | flagBS)
const here = { relying_party: site }
const edge = 'https://app.harbor.example'

describe.each(stores)('passkeys on $name', (store) => {
  let world: World
  let client: Client
  let authenticator: ReturnType<typeof createAuthenticator>
  beforeAll(async () => {
    world = await startWorld(store, {
      moreApps,
      limits: { startsPerIpMinute: 10_000, startsPerIpHour: 10_000 },
    })
  })
  afterAll(() => world?.stop())
  beforeEach(() => {
    client = newClient()
    authenticator = createAuthenticator()
  })

  const newClient = (options: ClientOptions = {}) => new Client(world, { appId: passkeyApp.id, ...options })

  async function signUp(change?: Change, from = client): Promise<Answer> {
    const { body } = await from.post('passkeys/register/init', here)
    const response = await authenticator.register(body.options, site, change)
    return from.post('passkeys/register', { ...here, authenticator_response: response })
  }
  async function logIn(
    change?: Change,
    from = client,
    passkey = authenticator.passkeys.at(-1),
  ): Promise<Answer> {
    const { body } = await from.post('passkeys/authenticate/init', here)
    const { options } = body
    const response = await authenticator.login(options, site, change, passkey)
    return from.post('passkeys/authenticate', {
      ...here,
      challenge: options.challenge,
      authenticator_response: response,
    })
  }
  async function link(from: Client, change?: Change, device = authenticator): Promise<Answer> {
    const { body, status, text: said } = await from.post('passkeys/link/init')
    if (status !== 200) throw new Error(said)
    const response = await device.register(body.options, site, change)
    return from.post('passkeys/link', { ...here, authenticator_response: response })
  }
  const code = ({ status, body }: Answer) => [status, body.code]
  const refused = [401, 'invalid_credentials']

  describe('signing up and logging in', () => {
    test('makes a user, whom the same passkey finds again', async () => {
      const first = await signUp()
      expect(code(first)).toEqual([200, undefined])
      expect(first.body).toMatchObject({
        is_new_user: true,
        user: { linked_accounts: [{ type: 'passkey' }] },
      })
      const again = await logIn(undefined, newClient())
      expect(again.status).toBe(200)
      expect(again.body).toMatchObject({ is_new_user: false, user: { id: first.body.user.id } })
    })

    test.each(['RS256', 'EdDSA'] as const)('works with %s', async (algorithm) => {
      authenticator = createAuthenticator({ algorithm })
      const { body } = await signUp()
      expect((await logIn()).body.user.id).toBe(body.user.id)
    })

    test('works with an authenticator that does not count', async () => {
      authenticator = createAuthenticator({ counts: false })
      await signUp()
      expect((await logIn()).status).toBe(200)
      expect((await logIn()).status).toBe(200)
    })

    test('says who keeps the passkey and where it was made', async () => {
      authenticator = createAuthenticator({ aaguid: 'd548826e-79b4-db40-a3d8-11116f7e8349' })
      const chrome =
        'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36'
      const { body } = await signUp({}, newClient({ headers: { 'user-agent': chrome } }))
      expect(body.user.linked_accounts[0]).toEqual({
        type: 'passkey',
        credential_id: authenticator.passkeys[0]?.id,
        enrolled_in_mfa: false,
        authenticator_name: 'Bitwarden',
        created_with_browser: 'Chrome',
        created_with_os: 'macOS',
        verified_at: expect.any(Number),
        first_verified_at: expect.any(Number),
        latest_verified_at: expect.any(Number),
      })
    })

    test('takes pages on subdomains for one place where the app says so', async () => {
      const shared = new Client(world, { appId: 'latchkey-test-passkeys-04', origin: edge })
      const { body } = await shared.post('passkeys/register/init', { relying_party: edge })
      expect(body.options.rp.id).toBe('harbor.example')
      const own = new Client(world, { appId: passkeyApp.id, origin: edge })
      const other = await own.post('passkeys/authenticate/init', { relying_party: edge })
      expect(other.body.options.rp_id).toBe('app.harbor.example')
    })

    test('lets a page of the app be framed by another one of it', async () => {
      await signUp()
      const framed = { clientData: { crossOrigin: true, topOrigin: edge } }
      expect((await logIn(framed)).status).toBe(200)
      expect((await signUp(framed)).status).toBe(200)
    })

    test('a guest who signs up keeps the user', async () => {
      const guest = await client.post('guest/authenticate', {
        guest_credential: text(crypto.getRandomValues(new Uint8Array(32))),
      })
      client.token = guest.body.token
      const { body } = await signUp()
      expect(body.user).toMatchObject({ id: guest.body.user.id, is_guest: false })
    })
  })

  describe('what is asked of an authenticator', () => {
    test('a login names nobody’s passkeys, and a random challenge of 32 bytes', async () => {
      const { body } = await client.post('passkeys/authenticate/init', here)
      expect(body).toEqual({
        relying_party: site,
        options: {
          challenge: expect.stringMatching(/^[\w-]{43}$/),
          rp_id: 'localhost',
          allow_credentials: [],
          timeout: 300_000,
          user_verification: 'required',
        },
      })
    })

    test('the answers are alike for everybody, with or without a passkey', async () => {
      const shapeOf = async (from: Client) => {
        const answer = await from.post('passkeys/authenticate/init', here)
        const headers = [...answer.headers].filter(([name]) => name !== 'date')
        return [answer.status, answer.text.replace(answer.body.options.challenge, '-'), headers]
      }
      const before = await shapeOf(newClient({ appId: 'latchkey-test-passkeys-03' }))
      const { body } = await signUp()
      const known = newClient()
      known.token = body.token
      expect(await shapeOf(newClient())).toEqual(before)
      expect(await shapeOf(known)).toEqual(before)
    })

    test('a new passkey can be found without a name, verifies its person, and says nothing of them', async () => {
      const { body } = await client.post('passkeys/register/init', here)
      expect(body.options).toMatchObject({
        rp: { id: 'localhost', name: 'Passkeys' },
        user: { id: expect.stringMatching(/^[\w-]{43}$/), name: expect.stringMatching(/^Passkeys \d{4}-/) },
        pub_key_cred_params: [-7, -8, -257].map((alg) => ({ alg, type: 'public-key' })),
        timeout: 300_000,
        exclude_credentials: [],
        authenticator_selection: {
          require_resident_key: true,
          resident_key: 'required',
          user_verification: 'required',
        },
        attestation: 'none',
      })
    })

    test.each([
      ['of another site', { relying_party: 'https://evil.example' }],
      ['that is not the one that asks', { relying_party: 'http://localhost:3001' }],
      ['with a path', { relying_party: `${site}/page` }],
      ['with a name in it', { relying_party: 'http://localhost:3000@evil.example' }],
    ])('a page %s is refused', async (_, body) => {
      expect(code(await client.post('passkeys/authenticate/init', body))).toEqual([400, 'invalid_data'])
      expect(code(await client.post('passkeys/register/init', body))).toEqual([400, 'invalid_data'])
    })

    test('anything that the wire does not name is refused', async () => {
      expect(code(await client.post('passkeys/authenticate/init', { ...here, user: 'ada' }))).toEqual([
        400,
        'invalid_data',
      ])
    })

    test('signing up is refused where the app does not have it, or lets in only whom it knows', async () => {
      for (const path of ['passkeys/register/init', 'passkeys/register']) {
        const answer = await newClient({ appId: 'latchkey-test-passkeys-02' }).post(path, {
          ...here,
          ...(path.endsWith('register') && {
            authenticator_response: {
              id: 'a',
              raw_id: 'a',
              type: 'public-key',
              response: { client_data_json: 'e30', attestation_object: 'oA' },
            },
          }),
        })
        expect(code(answer)).toEqual([403, 'disallowed_login_method'])
      }
      const invited = newClient({ appId: 'latchkey-test-passkeys-05' })
      expect(code(await invited.post('passkeys/register/init', here))).toEqual([401, 'allowlist_rejected'])
    })
  })

  const elsewhere = 'https://evil.example'
  const flip = (bytes: Uint8Array<ArrayBuffer>, at: number) => {
    const changed = bytes.slice()
    changed[at] = (changed[at] ?? 0) ^ 1
    return changed
  }
  const clientMutations: [string, Change][] = [
    ['another origin', { clientData: { origin: elsewhere } }],
    ['another port', { clientData: { origin: 'http://localhost:3001' } }],
    ['another scheme', { clientData: { origin: 'https://localhost:3000' } }],
    ['a subdomain', { clientData: { origin: 'http://sub.localhost:3000' } }],
    ['an origin with a path', { clientData: { origin: `${site}/` } }],
    ['another challenge', { clientData: { challenge: text(new Uint8Array(32)) } }],
    ['no challenge', { clientData: { challenge: undefined } }],
    ['no type', { clientData: { type: undefined } }],
    ['a frame that nobody names', { clientData: { crossOrigin: true } }],
    ['a frame of another site', { clientData: { crossOrigin: true, topOrigin: elsewhere } }],
    ['a frame that is none', { clientData: { crossOrigin: false, topOrigin: edge } }],
    ['a frame by another word', { clientData: { crossOrigin: 'true', topOrigin: edge } }],
    ['client data that are no JSON', { clientText: 'nonsense' }],
    ['client data that are no object', { clientText: 'null' }],
  ]
  const dataMutations: [string, Change][] = [
    ['another rpId', { rpId: 'evil.example' }],
    ['nobody there', { flags: (right) => right & ~flagUP }],
    ['nobody verified', { flags: (right) => right & ~flagUV }],
    ['a copy of what cannot be copied', { flags: (right) => right & ~flagBE }],
    ['extensions that are not there', { flags: (right) => right | flagED }],
    ['data cut short', { data: (bytes) => bytes.slice(0, -1) }],
    ['data that go on', { data: (bytes) => new Uint8Array([...bytes, 0]) }],
    ['another id in the response', { response: { raw_id: 'AAAA' } }],
  ]

  describe('a login is refused for', () => {
    beforeEach(() => signUp())
    test.each<[string, Change]>([
      ...clientMutations,
      ...dataMutations,
      ['the type of a registration', { clientData: { type: 'webauthn.create' } }],
      ['a new key in its data', { flags: (right) => right | flagAT }],
      ['a signature with one bit changed', { signature: (bytes) => flip(bytes, 20) }],
      ['an empty signature', { signature: () => new Uint8Array() }],
      ['the counter of the last time, of a key on one device', { counter: 1, flags: onOneDevice }],
      ['a counter that was set back, of a key on one device', { counter: 0, flags: onOneDevice }],
      ['another user', { userHandle: text(new Uint8Array(32)) }],
      ['no user', { userHandle: undefined }],
    ])('%s', async (_, change) => {
      expect(code(await logIn(change))).toEqual(refused)
      // Its challenge is used up with that, and the passkey works as before.
      expect((await logIn()).status).toBe(200)
    })

    test.each([
      [40, 7],
      [40, 40],
      [40, 39],
      [40, 0],
      [7, 6],
      [2, 1],
      [1, 1],
      [2 ** 32 - 1, 0],
      [2 ** 31, 2 ** 31 - 1],
      [1_000, 41],
      [0, 0],
    ])('passkey: a synced key logs in after its counter went from %i to %i', async (from, to) => {
      expect((await logIn({ counter: Math.max(from, 1) })).status).toBe(200)
      expect((await logIn({ counter: to })).status).toBe(200)
      expect((await logIn({ counter: to, flags: (right) => right & ~flagBS })).status).toBe(200)
      // Nothing that is signed but the counter has become optional.
      expect(code(await logIn({ counter: to, rpId: 'other.example' }))).toEqual(refused)
    })

    test('data that were changed after the signature', async () => {
      const { body } = await client.post('passkeys/authenticate/init', here)
      const { challenge } = body.options
      const response = await authenticator.login(body.options, site)
      const data = flip(fromText(response.response.authenticator_data), 36)
      const forged = { ...response, response: { ...response.response, authenticator_data: text(data) } }
      const call = { ...here, challenge, authenticator_response: forged }
      expect(code(await client.post('passkeys/authenticate', call))).toEqual(refused)
    })

    test('the signature of another passkey', async () => {
      const mine = authenticator.passkeys[0]
      const thief = createAuthenticator()
      const { body } = await client.post('passkeys/register/init', here)
      await thief.register(body.options, site)
      const { body: begun } = await client.post('passkeys/authenticate/init', here)
      const stolen = await thief.login(begun.options, site, {
        response: { id: mine?.id, raw_id: mine?.id },
        userHandle: mine?.userHandle,
      })
      const call = { ...here, challenge: begun.options.challenge, authenticator_response: stolen }
      expect(code(await client.post('passkeys/authenticate', call))).toEqual(refused)
    })

    test('a passkey that nobody registered, by its own name', async () => {
      const { body } = await client.post('passkeys/register/init', here)
      await authenticator.register(body.options, site)
      expect(code(await logIn())).toEqual([400, 'passkey_not_registered'])
    })

    test('a passkey of another app', async () => {
      const other = newClient({ appId: 'latchkey-test-passkeys-03' })
      expect(code(await logIn(undefined, other))).toEqual([400, 'passkey_not_registered'])
    })
  })

  describe('a registration is refused for', () => {
    test.each<[string, Change]>([
      ...clientMutations,
      ...dataMutations,
      ['the type of a login', { clientData: { type: 'webauthn.get' } }],
      ['no key in its data', { flags: (right) => right & ~flagAT }],
      ['another id than the one in its data', { response: { id: 'AAAA', raw_id: 'AAAA' } }],
      [
        'a statement that is wrong',
        {
          attestation: {
            fmt: 'packed',
            attStmt: new Map<string, number | Uint8Array>([
              ['alg', -7],
              ['sig', new Uint8Array(70)],
            ]),
          },
        },
      ],
      ['a statement where there is none', { attestation: { fmt: 'none', attStmt: new Map([['alg', -7]]) } }],
    ])('%s', async (_, change) => {
      expect(code(await signUp(change))).toEqual(refused)
    })

    test('an algorithm that was not asked for', async () => {
      authenticator = createAuthenticator({ algorithm: 'ES384' })
      expect(code(await signUp())).toEqual(refused)
    })

    test('an already registered passkey logs nobody in', async () => {
      const { body } = await signUp()
      const id = authenticator.passkeys[0]?.id ?? ''
      const thief = createAuthenticator()
      const { body: begun } = await client.post('passkeys/register/init', here)
      const response = await thief.register(begun.options, site, { id })
      const answer = await client.post('passkeys/register', { ...here, authenticator_response: response })
      expect(code(answer)).toEqual(refused)
      expect(answer.text).not.toContain(body.user.id)
      expect((await logIn()).body.user.id).toBe(body.user.id)
    })

    test('one id that comes twice at once: one user, and nobody gets into it', async () => {
      const begun = await Promise.all([1, 2].map(() => client.post('passkeys/register/init', here)))
      const id = newCredentialId()
      const answers = await Promise.all(
        begun.map(async ({ body }) => {
          const response = await createAuthenticator().register(body.options, site, { id })
          return newClient().post('passkeys/register', { ...here, authenticator_response: response })
        }),
      )
      expect(answers.map(code).sort()).toEqual([[200, undefined], refused].sort())
    })
  })

  test('offers of passkeys have a limit of their own, and take nothing from other logins', async () => {
    const strict = await startWorld(store, { moreApps, limits: { startsPerIpMinute: 2 } })
    const visitor = new Client(strict, { appId: passkeyApp.id })
    const init = () => visitor.post('passkeys/authenticate/init', here)
    expect((await init()).status).toBe(200)
    expect((await init()).status).toBe(200)
    expect(code(await init())).toEqual([429, 'too_many_requests'])
    expect((await visitor.post('passwordless/init', { email: newAddress() })).status).toBe(200)
    expect((await visitor.post('passkeys/register/init', here)).status).toBe(200)
    await strict.stop()
  })

  describe('a challenge', () => {
    test(`is good once: of ${crowd} who use it at the same time, one is let in`, async () => {
      await signUp()
      const { body } = await client.post('passkeys/authenticate/init', here)
      const { challenge } = body.options
      const response = await authenticator.login(body.options, site)
      const call = { ...here, challenge, authenticator_response: response }
      const answers = await Promise.all(
        Array.from({ length: crowd }, () => newClient().post('passkeys/authenticate', call)),
      )
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(answers.filter((answer) => code(answer).join() === refused.join())).toHaveLength(crowd - 1)
    })

    test('of a registration is good once, too', async () => {
      const { body } = await client.post('passkeys/register/init', here)
      const response = await authenticator.register(body.options, site)
      const call = { ...here, authenticator_response: response }
      const answers = await Promise.all(
        Array.from({ length: crowd }, () => newClient().post('passkeys/register', call)),
      )
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    })

    test('is used up by a failed try', async () => {
      await signUp()
      const { body } = await client.post('passkeys/authenticate/init', here)
      const call = async (change?: Change) => ({
        ...here,
        challenge: body.options.challenge,
        authenticator_response: await authenticator.login(body.options, site, change),
      })
      const forged = await call({ signature: (bytes) => flip(bytes, 20) })
      expect(code(await client.post('passkeys/authenticate', forged))).toEqual(refused)
      expect(code(await client.post('passkeys/authenticate', await call()))).toEqual(refused)
    })

    test('ends after six minutes', async () => {
      await signUp()
      const { body } = await client.post('passkeys/authenticate/init', here)
      world.clock.pass(360_001)
      const call = {
        ...here,
        challenge: body.options.challenge,
        authenticator_response: await authenticator.login(body.options, site),
      }
      expect(code(await client.post('passkeys/authenticate', call))).toEqual(refused)
    })

    test('is bound to what it was asked for', async () => {
      await signUp()
      const begun = await client.post('passkeys/register/init', here)
      const { challenge } = begun.body.options
      const response = await authenticator.login({ challenge, rp_id: 'localhost' }, site)
      const call = { ...here, challenge, authenticator_response: response }
      expect(code(await client.post('passkeys/authenticate', call))).toEqual(refused)
    })

    test('is bound to the app', async () => {
      const other = newClient({ appId: 'latchkey-test-passkeys-03' })
      const { body } = await other.post('passkeys/register/init', here)
      const response = await authenticator.register(body.options, site)
      const answer = await client.post('passkeys/register', { ...here, authenticator_response: response })
      expect(code(answer)).toEqual(refused)
    })

    test('is bound to the page', async () => {
      await signUp()
      const port = 'http://localhost:3001'
      const other = newClient({ origin: port })
      const { body } = await other.post('passkeys/authenticate/init', { relying_party: port })
      const { challenge } = body.options
      const response = await authenticator.login(body.options, site)
      const call = { ...here, challenge, authenticator_response: response }
      expect(code(await client.post('passkeys/authenticate', call))).toEqual(refused)
    })
  })

  describe('linking', () => {
    async function loggedIn() {
      const own = newClient()
      await own.login(newAddress())
      return own
    }

    test('gives a user one more way in, and taking it away closes it', async () => {
      const own = await loggedIn()
      const { body, status } = await link(own)
      expect(status).toBe(200)
      expect(body.linked_accounts.map(({ type }: { type: string }) => type)).toEqual(['email', 'passkey'])
      expect((await logIn(undefined, newClient())).body.user.id).toBe(body.id)
      const gone = await own.post('passkeys/unlink', { credential_id: authenticator.passkeys[0]?.id })
      expect(gone.body.linked_accounts).toHaveLength(1)
      expect(code(await logIn(undefined, newClient()))).toEqual([400, 'passkey_not_registered'])
    })

    test('names the passkeys that are there, and calls the user the same', async () => {
      const own = await loggedIn()
      await link(own)
      const { body } = await own.post('passkeys/link/init')
      expect(body.options.exclude_credentials).toEqual([
        { id: authenticator.passkeys[0]?.id, type: 'public-key', transports: ['internal', 'hybrid'] },
      ])
      expect(body.options.user.id).toBe(authenticator.passkeys[0]?.userHandle)
    })

    test('stops at five', async () => {
      const own = await loggedIn()
      for (let count = 0; count < 5; count++) expect((await link(own)).status).toBe(200)
      const sixth = await own.post('passkeys/link/init')
      expect(code(sixth)).toEqual([400, 'cannot_link_more_of_type'])
      expect(sixth.body.error).toBe('Cannot link more passkeys to account.')
    })

    test('stops at five also when the sixth was begun before', async () => {
      const own = await loggedIn()
      const begun = await Promise.all(Array.from({ length: 7 }, () => own.post('passkeys/link/init')))
      const answers = await Promise.all(
        begun.map(async ({ body }) => {
          const response = await createAuthenticator().register(body.options, site)
          return own.post('passkeys/link', { ...here, authenticator_response: response })
        }),
      )
      expect(answers.map(code).sort()).toEqual([
        ...Array.from({ length: 5 }, () => [200, undefined]),
        ...Array.from({ length: 2 }, () => [400, 'cannot_link_more_of_type']),
      ])
    })

    test('never takes a passkey from another user', async () => {
      const { body } = await signUp()
      const thief = await loggedIn()
      const answer = await link(thief, { id: authenticator.passkeys[0]?.id ?? '' }, createAuthenticator())
      expect(code(answer)).toEqual([400, 'linked_to_another_user'])
      expect((await logIn()).body.user.id).toBe(body.user.id)
    })

    test('never puts another key in the place of one’s own', async () => {
      const own = await loggedIn()
      await link(own)
      const answer = await link(own, { id: authenticator.passkeys[0]?.id ?? '' }, createAuthenticator())
      expect(code(answer)).toEqual(refused)
      expect((await logIn()).status).toBe(200)
    })

    test('needs the user who began it', async () => {
      const [own, other] = await Promise.all([loggedIn(), loggedIn()])
      const { body } = await own.post('passkeys/link/init')
      const response = await authenticator.register(body.options, site)
      const call = { ...here, authenticator_response: response }
      expect(code(await other.post('passkeys/link', call))).toEqual(refused)
      expect((await newClient().post('passkeys/link/init')).status).toBe(401)
    })

    test('leaves the only way in where it is', async () => {
      const { body } = await signUp()
      client.token = body.token
      const answer = await client.post('passkeys/unlink', { credential_id: authenticator.passkeys[0]?.id })
      expect(code(answer)).toEqual([400, 'cannot_unlink_sole_account'])
    })
  })
})
