import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { KitError } from '../../src/errors/kit-error.ts'
import { memoryStorage } from '../../src/lib/storage.ts'
import type { LoginMethod } from '../../src/protocol/login-method.ts'
import { sessionKey } from '../../src/session/keys.ts'
import { appConfig, appId, makeToken, type Reply, sessionBody, wireUser } from '../support/api.ts'
import { settled, testClock } from '../support/clock.ts'
import { embeddedWallet, type KitSetUp, kitWithPerson, paths, walletAddress } from '../support/kit.ts'
import { until } from '../support/oauth.ts'
import type { Step } from '../support/person.ts'
import { browserTabs } from '../support/tabs.ts'
import { fakeVault } from '../support/vault.ts'

const { init, authenticate, config } = paths
const address = walletAddress
const embedded = embeddedWallet
const email = wireUser().linked_accounts[0]

beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}))
afterEach(() => vi.restoreAllMocks())

async function setUp(more: KitSetUp = {}) {
  const set = await kitWithPerson(more)
  const login = (script: Step[], wishes = {}) => {
    const outcome = set.kit.login(wishes).then(
      (user) => ({ user, error: undefined }),
      (error: KitError) => ({ user: undefined, error }),
    )
    return set.person.follow(script).then(() => outcome)
  }
  return { ...set, login }
}

const typed: Step[] = [
  ['landing', { email: 'ada@example.com' }],
  ['enter-code', { code: '123456' }],
]

describe('logging in by e-mail', () => {
  test('goes from the address over the code to a person', async () => {
    const { login, api, person, kit } = await setUp()
    const heard: unknown[] = []
    kit.on('login', (detail) => heard.push(detail))
    const { user } = await login([...typed, { wait: 2000 }])
    expect(user?.email?.address).toBe('ada@example.com')
    expect(person.trace().join(' ')).toContain('landing > email enter-code > code enter-code')
    expect(person.ends).toEqual([{ completed: true }])
    expect(api.to(authenticate)[0]?.body).toEqual({
      email: 'ada@example.com',
      code: '123456',
      mode: 'login-or-sign-up',
    })
    expect(heard).toMatchObject([{ isNewUser: true, loginMethod: 'email', wasAlreadyAuthenticated: false }])
  })

  test('asks for existing users only where sign-up is disabled', async () => {
    const { login, api } = await setUp()
    await login([...typed, { wait: 2000 }], { disableSignup: true })
    expect(api.to(authenticate)[0]?.body).toMatchObject({ mode: 'no-signup' })
  })

  test('begins with the address that the host knows', async () => {
    const { login } = await setUp()
    const prefill = { type: 'email', value: 'ada@example.com' }
    const seen: unknown[] = []
    await login([{ on: 'landing', expect: (props) => seen.push(props.email), close: true }], { prefill })
    expect(seen).toMatchObject([{ value: 'ada@example.com' }])
  })

  test('goes back from the code to the address', async () => {
    const { login, person } = await setUp()
    await login([
      ['landing', { email: 'ada@example.com' }],
      ['enter-code', 'back'],
      {
        on: 'landing',
        expect: (props) => expect(props.email).toMatchObject({ value: 'ada@example.com' }),
        close: true,
      },
    ])
    expect(person.ends).toEqual([{ completed: false, code: 'exited_auth_flow' }])
  })

  test('sends the code again, and locks that for 30 s', async () => {
    const { login, api } = await setUp()
    const waits: unknown[] = []
    const look = (props: Record<string, unknown>) => waits.push(props.resendIn)
    await login([
      ['landing', { email: 'ada@example.com' }],
      { wait: 40_000 },
      { on: 'enter-code', expect: look, answer: 'resend' },
      { on: 'enter-code', expect: look, close: true },
    ])
    expect(api.to(init)).toHaveLength(2)
    expect(waits).toEqual([30_000, 30_000])
  })

  test('coming back to an address shows the code that was sent there, with the rest of the wait', async () => {
    const { login, api } = await setUp()
    const waits: unknown[] = []
    const look = (props: Record<string, unknown>) => waits.push(props.resendIn)
    const { user } = await login([
      ['landing', { email: 'ada@example.com' }],
      { on: 'enter-code', expect: look, answer: 'back' },
      { wait: 12_000 },
      ['landing', { email: 'ada@example.com' }],
      { on: 'enter-code', expect: look, answer: { code: '123456' } },
      { wait: 2_000 },
    ])
    expect(user?.email?.address).toBe('ada@example.com')
    expect(api.to(init)).toHaveLength(1)
    expect(waits).toEqual([30_000, 18_000])
  })

  test('closing the dialog and loading the page again keep the code that was sent', async () => {
    const first = await setUp()
    await first.login([['landing', { email: 'ada@example.com' }], { on: 'enter-code', close: true }])
    const { storage, tabStorage, clock } = first
    const { login, api } = await setUp({ storage, tabStorage, clock })
    const { user } = await login([
      // Nor does it have to be typed once more.
      {
        on: 'landing',
        expect: ({ email }) => expect(email).toMatchObject({ value: 'ada@example.com' }),
        answer: { email: 'ada@example.com' },
      },
      ['enter-code', { code: '123456' }],
      { wait: 2_000 },
    ])
    expect(user?.email?.address).toBe('ada@example.com')
    expect(api.to(init)).toHaveLength(0)
  })

  test('an address whose code was used, or is too old to be, is not written into the field after a reload', async () => {
    const emptyAfter = async (script: Step[], wait: number) => {
      const { login, storage, tabStorage, clock, kit } = await setUp()
      await login(script)
      await kit.logout()
      await clock.advance(wait)
      const again = await setUp({ storage, tabStorage, clock })
      await again.login([
        { on: 'landing', expect: ({ email }) => expect(email).toMatchObject({ value: '' }), close: true },
      ])
    }
    await emptyAfter([...typed, { wait: 2_000 }], 0)
    await emptyAfter([['landing', { email: 'ada@example.com' }], { on: 'enter-code', close: true }], 600_000)
  })

  test('another address, or a code that was used, gets a new code', async () => {
    const { login, api, kit } = await setUp()
    await login([
      ['landing', { email: 'ada@example.com' }],
      ['enter-code', 'back'],
      ['landing', { email: 'bob@example.com' }],
      ['enter-code', { code: '123456' }],
      { wait: 2_000 },
    ])
    expect(api.to(init)).toHaveLength(2)
    await kit.logout()
    await login([['landing', { email: 'bob@example.com' }], { on: 'enter-code', close: true }])
    expect(api.to(init)).toHaveLength(3)
  })

  test('a code that can’t be sent again leaves the one that was sent', async () => {
    const refused = { status: 429, body: { error: 'Slow down', code: 'too_many_requests' } }
    const { login } = await setUp({
      routes: { [init]: [{ body: { success: true } }, refused, refused, refused, refused] },
    })
    const { user } = await login([
      ['landing', { email: 'ada@example.com' }],
      { wait: 31_000 },
      ['enter-code', 'resend'],
      { wait: 20_000 },
      ['failure', 'back'],
      ['enter-code', { code: '123456' }],
      { wait: 2_000 },
    ])
    expect(user?.email?.address).toBe('ada@example.com')
  })

  test('tags the method used last', async () => {
    const { login, kit } = await setUp()
    await login([...typed, { wait: 2000 }])
    await kit.logout()
    await login([
      {
        on: 'landing',
        expect: (props) => expect(props.methods).toMatchObject([{ id: 'email', recent: true }]),
        close: true,
      },
    ])
  })

  test('is joined by a second call, and opens once', async () => {
    const { kit, person } = await setUp()
    const both = Promise.all([kit.login(), kit.login()])
    await person.follow([...typed, { wait: 2000 }])
    const [one, two] = await both
    expect(one).toBe(two)
    expect(person.ends).toHaveLength(1)
  })

  test('by somebody who is in already only warns', async () => {
    const { login, kit } = await setUp()
    await login([...typed, { wait: 2000 }])
    expect((await kit.login()).id).toBe('did:privy:u1')
    expect(console.warn).toHaveBeenCalled()
  })
})

describe('the rows of "Login code"', () => {
  const answer = (code: string, status = 400, more = {}) => ({
    status,
    body: { error: 'The server says why', code, ...more },
  })
  const row = async (reply: Reply) => {
    const set = await setUp({ routes: { [authenticate]: reply } })
    const done = set.login([...typed, { wait: 8000 }])
    await set.person.follow([])
    await set.clock.advance(8000)
    await settled()
    const scene = set.person.scene
    return { ...set, scene: { id: scene?.screen.id, props: scene?.props as Record<string, unknown> }, done }
  }

  test.each([
    ['invalid credentials', answer('invalid_credentials', 422), 'Invalid or expired verification code'],
    ['cannot link more of type', answer('cannot_link_more_of_type'), 'The server says why'],
    ['too many requests', answer('too_many_requests', 429), 'Issue verifying code'],
    ['a code of a newer server', answer('brand_new_code', 418), 'Issue verifying code'],
    ['an answer that is no JSON', { text: '<html>' }, 'Issue verifying code'],
    ['a server that is down', { status: 503, body: {} }, 'Issue verifying code'],
  ])('%s: words under the boxes', async (_, reply, words) => {
    const { scene, errors } = await row(reply)
    expect(scene).toMatchObject({ id: 'enter-code', props: { error: words } })
    expect(errors).toHaveLength(1)
  })

  test.each([
    [
      'dropped',
      'network_unavailable',
      { title: 'Something went wrong', detail: "We can't reach the server. Check your connection." },
    ],
    [
      'silent',
      'client_request_timeout',
      { title: 'Timed out', detail: 'The server took too long to respond.' },
    ],
  ] as const)(
    'no answer, the connection is %s: a screen, from which the code is sent off again',
    async (lost, code, words) => {
      const set = await setUp({
        routes: {
          [authenticate]: [
            ...Array(lost === 'dropped' ? 4 : 1).fill(lost),
            { body: await sessionBody(testClock()) },
          ],
        },
      })
      const { user } = await set.login([
        ...typed,
        { wait: 25_000 },
        {
          on: 'failure',
          expect: (props) => expect(props).toMatchObject({ ...words, action: 'retry', back: true }),
          answer: 'retry',
        },
        { wait: 2_000 },
      ])
      expect(user?.id).toBe('did:privy:u1')
      expect(set.errors.map((error) => error.code)).toEqual([code])
      const codes = set.api.to(authenticate).map(({ body }) => body)
      expect(new Set(codes.map((body) => JSON.stringify(body))).size).toBe(1)
    },
  )

  test.each([
    ['user limit reached', answer('max_accounts_reached', 403), 'user-limit'],
    ['user does not exist', answer('user_does_not_exist'), 'account-not-found'],
    ['linked to another user', answer('linked_to_another_user'), 'failure'],
  ])('%s: a screen of its own', async (_, reply, id) => {
    const { scene, errors } = await row(reply)
    expect(scene.id).toBe(id)
    expect(errors[0]?.code).toBe(reply.body.code)
  })

  test('disallowed plus email: back to the address with a line under it', async () => {
    const { scene } = await row(answer('disallowed_plus_email'))
    expect(scene).toMatchObject({
      id: 'landing',
      props: { email: { error: "Please enter a valid email address without a '+'." } },
    })
  })

  test('after a wrong code the right one is taken', async () => {
    const clock = testClock()
    const { login } = await setUp({
      routes: { [authenticate]: [answer('invalid_credentials', 422), { body: await sessionBody(clock) }] },
    })
    const { user } = await login([...typed, ['enter-code', { code: '654321' }], { wait: 2000 }])
    expect(user?.id).toBe('did:privy:u1')
  })
})

test('logging out forgets what logins that left this tab had kept', async () => {
  const tabStorage = memoryStorage()
  const { login, kit } = await setUp({ tabStorage })
  await login([...typed, { wait: 2000 }])
  for (const name of ['oauth', 'telegram'] as const) tabStorage.set(sessionKey(appId, name), '{"state":"s"}')
  await kit.logout()
  expect(['oauth', 'telegram'].map((name) => tabStorage.get(sessionKey(appId, name as 'oauth')))).toEqual([
    undefined,
    undefined,
  ])
})

describe('what the landing screen offers', () => {
  const ids = (props: Record<string, unknown>) =>
    (props.methods as { id: string; kind: string }[]).map(({ id, kind }) => [id, kind])
  const landed = async (options: NonNullable<KitSetUp['options']>, wishes = {}, app = {}) => {
    const { login } = await setUp({ options, app: { sms_auth: true, ...app } })
    const seen: unknown[] = []
    const outcome = login(
      [{ on: 'landing', expect: (props) => seen.push(ids(props), props.passkey), close: true }],
      wishes,
    )
    await outcome
    return seen
  }

  test('none that the app has not switched on, whoever names it', async () => {
    const named: LoginMethod[] = ['email', 'google', 'telegram', 'metamask', 'passkey']
    expect(await landed({ config: { loginMethods: named } })).toEqual([[['email', 'email-field']], false])
    expect(await landed({}, { loginMethods: named })).toEqual([[['email', 'email-field']], false])
  })

  test('a phone field that the host has filled in, although inputs begin as rows', async () => {
    const config = { appearance: { hideDirectWeb2Inputs: true } }
    const prefill = { type: 'phone', value: '+14155550123' }
    expect((await landed({ config }, { prefill }))[0]).toEqual([
      ['email', 'row'],
      ['sms', 'phone-field'],
    ])
    expect((await landed({ config }))[0]).toEqual([
      ['email', 'row'],
      ['sms', 'row'],
    ])
  })
})

describe('when the code can’t be sent', () => {
  const sends = async (reply: Reply, script: Step[] = []) => {
    const set = await setUp({ routes: { [init]: [reply, { body: { success: true } }] } })
    void set.login([['landing', { email: 'ada@example.com' }], { wait: 25_000 }, ...script])
    await set.clock.advance(25_000)
    await set.person.follow([])
    return set
  }
  test.each([
    [429, 'too_many_requests', 'Request failed', 'Too many attempts.'],
    [403, 'disallowed_login_method', 'Not allowed', 'E-mail is off'],
    [400, 'invalid_captcha', 'Something went wrong', 'Please try again.'],
    [
      400,
      'not_supported',
      'This region is not supported',
      'SMS authentication from this region is not available',
    ],
    [422, 'invalid_data', 'Something went wrong', 'E-mail is off'],
    [400, 'brand_new_code', 'Something went wrong', 'E-mail is off'],
    [403, 'brand_new_code', 'Something went wrong', 'Try again later'],
  ])('%i %s: "%s / %s"', async (status, code, title, detail) => {
    const { person, errors } = await sends({ status, body: { error: 'E-mail is off', code } })
    expect(person.scene).toMatchObject({ screen: { id: 'failure' }, props: { title, detail } })
    expect(errors[0]?.code).toBe(code)
  })

  test('a silent server: "Timed out", after 20 s', async () => {
    const { person } = await sends('silent')
    expect(person.scene).toMatchObject({
      screen: { id: 'failure' },
      props: { title: 'Timed out', action: 'retry' },
    })
  })

  test('allowlist: the app’s own words and link', async () => {
    const own = {
      error_title: 'Members only',
      error_detail: 'Ask a member',
      cta_text: 'Apply',
      cta_link: 'https://app.example/apply',
    }
    const set = await setUp({
      app: { allowlist_enabled: true, allowlist_config: own },
      routes: { [init]: { status: 401, body: { error: 'no', code: 'allowlist_rejected' } } },
    })
    void set.login([
      ['landing', { email: 'ada@example.com' }],
      ['allowlist', 'again'],
    ])
    await set.clock.advance(100)
    await set.person.follow([{ on: 'landing' }])
    expect(set.person.trace().join(' ')).toContain('allowlist > again landing')
  })
})

describe('gates after the login', () => {
  test('terms are accepted', async () => {
    const { login, api, kit } = await setUp({
      app: { require_users_accept_terms: true, terms_and_conditions_url: 'https://app.example/terms' },
      routes: {
        '/api/v1/users/me/accept_terms': { body: wireUser('did:privy:u1', { has_accepted_terms: true }) },
      },
    })
    const { user } = await login([...typed, { wait: 900 }, ['terms', 'accept'], { wait: 2000 }])
    expect(user?.hasAcceptedTerms).toBe(true)
    expect(api.to('/api/v1/users/me/accept_terms')).toHaveLength(1)
    expect(kit.authenticated).toBe(true)
  })

  test('who declines them is logged out, and was never in', async () => {
    const { login, api, kit } = await setUp({ app: { require_users_accept_terms: true } })
    const users: unknown[] = []
    kit.on('user', ({ user }) => users.push(user))
    const { error } = await login([...typed, { wait: 900 }, ['terms', 'decline']])
    expect(error?.code).toBe('terms_not_accepted')
    expect(api.to('/api/v1/sessions/logout')).toHaveLength(1)
    expect(users).toEqual([])
    expect(await kit.getAccessToken()).toBeNull()
  })

  test('a wallet is made where the app wants one', async () => {
    const clock = testClock()
    const me = {
      body: {
        user: wireUser('did:privy:u1', { linked_accounts: [email, embedded] }),
        identity_token: await makeToken(clock),
      },
    }
    const { login, vault } = await setUp({
      app: { embedded_wallet_config: { create_on_login: 'users-without-wallets' } },
      routes: { '/api/v1/users/me': me },
      vault: fakeVault({ createWallet: () => ({ address }) }),
    })
    const { user } = await login([
      ...typed,
      {
        on: 'wallet-created',
        expect: (props) => expect(props).toEqual({ address, isNewUser: true }),
        answer: 'continue',
      },
    ])
    expect(user?.wallet).toMatchObject({ address, embedded: true })
    expect(vault.asked).toMatchObject([{ data: { accessToken: expect.stringMatching(/^ey/) } }])
  })

  test('closing the screen that says so is as good as going on', async () => {
    const clock = testClock()
    const me = {
      body: {
        user: wireUser('did:privy:u1', { linked_accounts: [email, embedded] }),
        identity_token: await makeToken(clock),
      },
    }
    const { login, person } = await setUp({
      app: { embedded_wallet_config: { create_on_login: 'all-users' } },
      routes: { '/api/v1/users/me': me },
      vault: fakeVault({ createWallet: () => ({ address }) }),
    })
    const { user } = await login([...typed, { on: 'wallet-created', close: true }])
    expect(user?.wallet?.address).toBe(address)
    expect(person.ends).toEqual([{ completed: true }])
  })

  test('a vault that never answers ends in an error with a retry, and whoever gives up is logged out', async () => {
    const { login, kit, vault, api, clock } = await setUp({
      app: { embedded_wallet_config: { create_on_login: 'all-users' } },
      vault: fakeVault({ ready: () => undefined }),
    })
    const { error } = await login([
      ...typed,
      { wait: 35_000 },
      { on: 'failure', expect: (props) => expect(props).toMatchObject({ action: 'retry' }), answer: 'retry' },
      { wait: 35_000 },
      { on: 'failure', close: true },
    ])
    expect(error?.code).toBe('exited_auth_flow')
    await clock.advance(2_000)
    const told = api.to(paths.analytics).map(({ body }) => body?.event_name)
    expect(told).toContain('embedded_wallet_creation_failure_logout')
    expect(vault.frames.length).toBeGreaterThan(1)
    expect(kit.user).toBeNull()
    expect(await kit.getAccessToken()).toBeNull()
  })

  test('closing on the check mark leaves the person in, and the wallet to the vault', async () => {
    const { login, kit, person, vault, clock } = await setUp({
      app: { embedded_wallet_config: { create_on_login: 'all-users' } },
      vault: fakeVault({ createWallet: () => ({ address }) }),
    })
    const done = login(typed)
    await until(() => (person.scene?.props as { accepted?: boolean } | undefined)?.accepted)
    person.close()
    const { user } = await done
    await clock.advance(2_000)
    expect([user?.id, kit.user?.id, person.ends]).toEqual([
      'did:privy:u1',
      'did:privy:u1',
      [{ completed: true }],
    ])
    expect(vault.asked.map(({ event }) => event)).toContain('privy:wallet:create')
  })

  test.each([
    ['a recovery of one’s own', { require_user_owned_recovery_on_create: true }, {}, 'set-password'],
    ['its terms', {}, { require_users_accept_terms: true }, 'terms'],
  ])(
    'closing on the check mark of an app that requires %s logs nobody out: the next login() goes on there',
    async (_, wallets, required, next) => {
      const options = { user_owned_recovery_options: ['user-passcode'], ...wallets }
      const { login, kit, person, api, clock } = await setUp({
        app: { embedded_wallet_config: { create_on_login: 'all-users', ...options }, ...required },
      })
      const done = login(typed)
      await until(() => (person.scene?.props as { accepted?: boolean } | undefined)?.accepted)
      person.close()
      expect((await done).error?.code).toBe('exited_auth_flow')
      await clock.advance(2_000)
      expect([kit.user, await kit.getAccessToken(), api.to(paths.logout)]).toEqual([null, null, []])
      kit.login().catch(() => {})
      await person.follow([{ on: next }])
      expect(person.trace()).not.toContain('landing')
      expect(api.to(authenticate)).toHaveLength(1)
    },
  )

  test('nobody is in before the wallet is made, in this tab and in the others', async () => {
    const tabs = browserTabs()
    const [clock, storage] = [testClock(), memoryStorage()]
    let made = false
    const identity_token = await makeToken(clock)
    const me = () => ({
      body: {
        user: wireUser('did:privy:u1', { linked_accounts: made ? [email, embedded] : [email] }),
        identity_token,
      },
    })
    const open = (vault?: ReturnType<typeof fakeVault>) =>
      setUp({
        clock,
        storage,
        tabs: tabs.open(),
        app: { embedded_wallet_config: { create_on_login: 'all-users' } },
        routes: { [paths.me]: me },
        ...(vault && { vault }),
      })
    let fails = true
    const vault = fakeVault({
      createWallet() {
        if (fails) return { error: { type: 'error', message: 'not now' } }
        made = true
        return { address }
      },
    })
    const [one, two] = [await open(vault), await open()]
    const login = one.kit.login()
    await one.person.follow([...typed, { on: 'failure' }])
    const late = await open()
    await late.kit.whenReady()
    expect([one, two, late].map(({ kit }) => kit.user)).toEqual([null, null, null])
    fails = false
    await one.person.follow([
      ['failure', 'retry'],
      { on: 'wallet-created', answer: 'continue' },
      { wait: 1_000 },
    ])
    expect((await login).wallet?.address).toBe(address)
    expect([one, two, late].map(({ kit }) => kit.user?.wallet?.address)).toEqual([address, address, address])
  })

  test('a page that is loaded again while the wallet is made goes on with it at the next login()', async () => {
    const app = { embedded_wallet_config: { create_on_login: 'all-users' } }
    const before = await setUp({ app, vault: fakeVault({ ready: () => undefined }) })
    before.kit.login().catch(() => {})
    await before.person.follow([...typed, { wait: 2_000 }, { on: 'creating-wallet' }])

    const { storage, tabStorage } = before
    const clock = testClock()
    let made = false
    const identity_token = await makeToken(clock)
    const userWith = (...linked_accounts: unknown[]) => ({
      user: wireUser('did:privy:u1', { linked_accounts }),
      identity_token,
    })
    const { login, kit, person } = await setUp({
      app,
      storage,
      tabStorage,
      clock,
      routes: { '/api/v1/users/me': () => ({ body: made ? userWith(email, embedded) : userWith(email) }) },
      vault: fakeVault({
        createWallet() {
          made = true
          return { address }
        },
      }),
    })
    await kit.whenReady()
    // Whoever has not got what the app requires is not in yet, or a page would never ask for the rest.
    expect([kit.user, await kit.getAccessToken()]).toEqual([null, null])
    const heard: unknown[] = []
    kit.on('user', ({ user }) => heard.push(user?.wallet?.address))
    const { user } = await login([{ on: 'wallet-created', answer: 'continue' }])
    expect([user?.id, kit.user?.id, heard]).toEqual(['did:privy:u1', 'did:privy:u1', [address]])
    expect(person.trace()).not.toContain('landing')
  })

  test('a vault that the page’s policy blocks says so at once', async () => {
    const vault = fakeVault({ ready: () => undefined })
    const set = await setUp({ app: { embedded_wallet_config: { create_on_login: 'all-users' } }, vault })
    void set.login([...typed])
    await set.clock.advance(1500)
    vault.frames[0]?.events.blocked('frame-src')
    await set.clock.advance(200)
    expect(set.person.scene).toMatchObject({ screen: { id: 'failure' } })
    expect(set.errors[0]?.code).toBe('vault_unavailable')
  })

  test('a vault that crashes while it makes the wallet is loaded again and asked once more', async () => {
    const clock = testClock()
    const me = {
      body: {
        user: wireUser('did:privy:u1', { linked_accounts: [email, embedded] }),
        identity_token: await makeToken(clock),
      },
    }
    let tries = 0
    const vault = fakeVault({
      createWallet: () => {
        if (++tries > 1) return { address }
        vault.crash()
        return undefined
      },
    })
    const set = await setUp({
      app: { embedded_wallet_config: { create_on_login: 'all-users' } },
      routes: { '/api/v1/users/me': me },
      vault,
    })
    const done = set.kit.login()
    await set.person.follow(typed)
    await set.clock.advance(4000)
    await set.clock.advance(6000)
    vault.revive()
    await set.person.follow([['wallet-created', 'continue']])
    expect((await done).wallet?.address).toBe(address)
    expect(vault.frames).toHaveLength(2)
  })
})

describe('closing', () => {
  test.each([
    ['at the landing', [{ on: 'landing', close: true }]],
    ['at the code', [['landing', { email: 'ada@example.com' }], { on: 'enter-code', close: true }]],
  ] as [string, Step[]][])('%s: the host gets the exit code', async (_, script) => {
    const { login, kit, errors } = await setUp()
    const { error } = await login(script)
    expect(error?.code).toBe('exited_auth_flow')
    expect(kit.isModalOpen).toBe(false)
    expect(errors).toEqual([])
  })

  test('while the code is checked: no login follows', async () => {
    const { login, kit, person } = await setUp({ routes: { [authenticate]: 'silent' } })
    const done = login(typed)
    await settled()
    await person.follow([])
    person.close()
    expect((await done).error?.code).toBe('exited_auth_flow')
    expect(kit.user).toBeNull()
  })

  test('by the host’s signal', async () => {
    const { kit, person } = await setUp()
    const stop = new AbortController()
    const done = kit.login({ signal: stop.signal })
    await person.follow([{ on: 'landing' }])
    stop.abort()
    await expect(done).rejects.toMatchObject({ code: 'exited_auth_flow' })
  })
})

describe('starting', () => {
  test('an app that the server does not know: an error screen, and the host hears why', async () => {
    const { login, errors } = await setUp({
      routes: { [config]: { status: 400, body: { error: 'x', code: 'missing_or_invalid_privy_app_id' } } },
    })
    const { error } = await login([['failure', 'close']])
    expect(error?.code).toBe('missing_or_invalid_app_id')
    expect(errors.map((each) => each.code)).toContain('missing_or_invalid_app_id')
  })

  test('a network that comes back is found by trying again', async () => {
    const { login } = await setUp({
      routes: { [config]: ['dropped', 'dropped', 'dropped', 'dropped', { body: appConfig }] },
    })
    const { error } = await login([['failure', 'retry'], { on: 'landing', close: true }])
    expect(error?.code).toBe('exited_auth_flow')
  })

  test.each([[{ appId: 'too-short' }], [{ apiUrl: 'http://api.example' }], [{ vaultUrl: 'nonsense' }]])(
    '%o is refused before anything happens',
    async (options) => {
      await expect(setUp({ options })).rejects.toMatchObject({ code: 'invalid_configuration' })
    },
  )
})

describe('an address that belongs to another account', () => {
  const data = {
    nonce: 'n-1',
    subject: 's',
    account: { displayName: 'ada@example.com' },
    otherUser: { embeddedWalletAddress: address },
  }
  const offer = { status: 400, body: { error: 'taken', code: 'account_transfer_required', data } }

  test('is taken over after a look at what that deletes', async () => {
    const { login, api, person } = await setUp({
      routes: { [authenticate]: offer, '/api/v1/passwordless/transfer': { body: wireUser() } },
    })
    const { user } = await login([
      ...typed,
      {
        on: 'link-conflict',
        expect: (props) => expect(props.walletAddress).toBe(address),
        answer: 'continue',
      },
      ['link-conflict', 'transfer'],
      { wait: 3000 },
    ])
    expect(user?.id).toBe('did:privy:u1')
    expect(api.to('/api/v1/passwordless/transfer')[0]?.body).toEqual({
      nonce: 'n-1',
      email: 'ada@example.com',
    })
    expect(person.ends).toEqual([{ completed: true }])
  })

  test('takes all its wallets with it, and each is seen before', async () => {
    const otherUser = { embeddedWalletAddress: address, embeddedWalletAddresses: [address, 'So1'] }
    const both = { status: 400, body: { ...offer.body, data: { ...data, otherUser } } }
    const { login } = await setUp({ routes: { [authenticate]: both } })
    await login([
      ...typed,
      {
        on: 'link-conflict',
        expect: (props) => expect(props.walletAddresses).toEqual([address, 'So1']),
        answer: 'decline',
      },
      { on: 'landing', close: true },
    ])
  })

  test('is left alone by whoever declines', async () => {
    const { login, api } = await setUp({ routes: { [authenticate]: offer } })
    await login([...typed, ['link-conflict', 'decline'], { on: 'landing', close: true }])
    expect(api.to('/api/v1/passwordless/transfer')).toHaveLength(0)
    // The code has been right, and is used up.
    await login([...typed, ['link-conflict', 'decline'], { on: 'landing', close: true }])
    expect(api.to(init)).toHaveLength(2)
  })

  test('without an offer that can be read: words under the boxes', async () => {
    const flat = { status: 400, body: { error: 'taken', code: 'account_transfer_required', nonce: 'n-1' } }
    const { login } = await setUp({ routes: { [authenticate]: flat } })
    await login([
      ...typed,
      { on: 'enter-code', expect: (props) => expect(props.error).toBe('Issue verifying code'), close: true },
    ])
  })
})

describe('an app', () => {
  test('that only knows passkeys shows its landing screen with nothing but that', async () => {
    const { kit, person } = await kitWithPerson({ app: { email_auth: false, passkey_auth: true } })
    kit.login().catch(() => {})
    await person.follow([
      {
        on: 'landing',
        expect: (props) => expect(props).toMatchObject({ page: 'main', methods: [], passkey: true }),
      },
    ])
    person.close()
  })
  test('without any way to log in says so to its developer', async () => {
    const { kit, errors } = await kitWithPerson({ app: { email_auth: false } })
    await expect(kit.login()).rejects.toMatchObject({ code: 'invalid_configuration' })
    expect(errors.map(({ code }) => code)).toEqual(['invalid_configuration'])
  })
  test('whose page gives something else as a list of login methods is told what it should be', async () => {
    const wrong: unknown[] = ['email', 5, { length: 1 }, [null], ['email', 5]]
    const configs = wrong.flatMap((list) => [
      { loginMethods: list },
      { loginMethodsAndOrder: { primary: list } },
      { loginMethodsAndOrder: { primary: ['email'], overflow: list } },
    ])
    const told = { code: 'invalid_configuration', message: 'Login methods must be lists of names' }
    for (const config of configs as object[]) {
      const { kit } = await kitWithPerson({ options: { config } })
      await expect(kit.login(), JSON.stringify(config)).rejects.toMatchObject(told)
    }
    for (const loginMethods of wrong as LoginMethod[][]) {
      const { kit } = await kitWithPerson()
      await expect(kit.login({ loginMethods }), JSON.stringify(loginMethods)).rejects.toMatchObject(told)
    }
  })
})
