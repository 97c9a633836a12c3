import { beforeEach, describe, expect, test, vi } from 'vitest'
import '@simplewebauthn/browser'
import '../../../src/login/passkey/service.ts'
import '../../../src/login/passkey/flow.ts'
import type { KitError } from '../../../src/errors/kit-error.ts'
import type { User } from '../../../src/protocol/user.ts'
import { appId, type Call, type Reply, sessionBody, wireUser } from '../../support/api.ts'
import { settled, testClock } from '../../support/clock.ts'
import { stubCredentials } from '../../support/credentials.ts'
import { type KitSetUp, kitWithPerson } from '../../support/kit.ts'
import { testPage } from '../../support/page.ts'
import type { Step } from '../../support/person.ts'

const init = '/api/v1/passkeys/authenticate/init'
const authenticate = '/api/v1/passkeys/authenticate'
const registerInit = '/api/v1/passkeys/register/init'
const register = '/api/v1/passkeys/register'

const withPasskeys = { passkey_auth: true }
const withSignup = { ...withPasskeys, passkeys_for_signup_enabled: true }
const press: Step = ['landing', { method: 'passkey' }]
let challenges = 0
const verify = () => ({
  body: {
    options: {
      challenge: `challenge-${++challenges}`,
      rp_id: 'host.example',
      allow_credentials: [],
      timeout: 300_000,
      user_verification: 'required',
    },
  },
})
const enroll = () => ({
  body: {
    options: {
      rp: { name: 'Test app', id: 'host.example' },
      user: { id: 'dXNlcg', name: 'Test app', display_name: 'Test app' },
      challenge: `challenge-${++challenges}`,
      pub_key_cred_params: [{ alg: -7, type: 'public-key' }],
      timeout: 300_000,
      exclude_credentials: [],
      authenticator_selection: { resident_key: 'required', user_verification: 'required' },
      attestation: 'none',
    },
  },
})
const refusal = (code: string, status = 400): Reply => ({ status, body: { error: 'no', code } })

let browser: ReturnType<typeof stubCredentials>
beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  browser = stubCredentials('https://host.example')
})

async function setUp({ app, routes, ...more }: KitSetUp = {}) {
  const account = (call: Call) => {
    const response = call.body?.authenticator_response as { id: string } | undefined
    return [{ type: 'passkey', credential_id: response?.id, verified_at: 1_700_000_000 }]
  }
  const body = await sessionBody(testClock(), {})
  const session =
    (isNew: boolean) =>
    (call: Call): Reply => ({
      body: {
        ...body,
        user: wireUser('did:privy:u1', { linked_accounts: account(call) }),
        is_new_user: isNew,
      },
    })
  const set = await kitWithPerson({
    app: { ...withPasskeys, ...app },
    routes: {
      [init]: verify,
      [authenticate]: session(false),
      [registerInit]: enroll,
      [register]: session(true),
      ...routes,
    },
    ...more,
  })
  /** Opens the dialog. */
  function open(wishes = {}) {
    let outcome: { user?: User; error?: KitError } | undefined
    set.kit.login(wishes).then(
      (user) => {
        outcome = { user }
      },
      (error: KitError) => {
        outcome = { error }
      },
    )
    return {
      follow: set.person.follow,
      /** Time passes until the login has ended; real signatures are made beside the clock of the test. */
      async end() {
        for (let tries = 0; tries < 200 && !outcome; tries++) {
          await new Promise((resolve) => setTimeout(resolve, 1))
          await set.clock.advance(500)
        }
        if (!outcome) throw new Error(`The login did not end: ${set.person.trace().join(' ')}`)
        return outcome
      },
    }
  }
  /** Opens the dialog, follows the script, and waits for how it ends. */
  async function login(script: Step[], wishes = {}) {
    const run = open(wishes)
    await run.follow(script)
    return run.end()
  }
  /** Opens the dialog and waits until the field offers passkeys. */
  async function openWithOffer() {
    const run = open()
    await run.follow([{ on: 'landing' }, { wait: 700 }])
    await vi.waitFor(() => expect(browser.asked).toMatchObject([{ kind: 'get', conditional: true }]))
    return run
  }
  return { ...set, open, login, openWithOffer }
}

const rejected = 'Passkey request timed out or rejected by user.'
/** Waits for the failure, and answers it. */
const failed = (props: object, answer?: unknown, before: () => void = () => {}): Step[] => [
  { wait: 700 },
  {
    on: 'passkey',
    expect(shown) {
      expect(shown).toMatchObject({ state: 'failed', ...props })
      before()
    },
    answer,
  },
]
const closed: Step[] = [{ wait: 700 }, { on: 'passkey', close: true }]
/** A passkey is there, as from an earlier time. */
const hasPasskey = () =>
  browser.authenticator.register(
    { challenge: 'earlier', rp: { id: 'host.example' }, user: { id: 'dXNlcg' } },
    'https://host.example',
  )
const then = (dialogue: typeof browser.dialogue) => () => {
  browser.dialogue = dialogue
}

describe('logging in with a passkey', () => {
  test('goes from the press over the browser’s dialogue to a person', async () => {
    const { id } = await hasPasskey()
    const { login, api, person, kit } = await setUp()
    const heard: unknown[] = []
    kit.on('login', (detail) => heard.push(detail))
    const { user } = await login([press])
    expect(user?.linkedAccounts).toMatchObject([{ type: 'passkey', credentialId: id }])
    expect(person.trace().join(' ')).toContain('landing > method passkey passkey')
    expect(person.ends).toEqual([{ completed: true }])
    expect(heard).toMatchObject([
      { loginMethod: 'passkey', isNewUser: false, loginAccount: { type: 'passkey', credentialId: id } },
    ])
    expect(api.to(init).at(-1)?.body).toEqual({ relying_party: 'https://host.example' })
    expect(api.to(init)[0]?.headers['privy-ui']).toBe('t')
    expect(api.to(authenticate)[0]?.body).toEqual({
      relying_party: 'https://host.example',
      challenge: expect.stringMatching(/^challenge-/),
      authenticator_response: {
        id,
        raw_id: id,
        type: 'public-key',
        authenticator_attachment: 'platform',
        client_extension_results: {},
        response: {
          client_data_json: expect.any(String),
          authenticator_data: expect.any(String),
          signature: expect.any(String),
          user_handle: 'dXNlcg',
        },
      },
    })
  })

  test('is not called ‘Recent’ the next time', async () => {
    await hasPasskey()
    const { login, storage } = await setUp()
    await login([press])
    expect(storage.get(`latchkey:${appId}:recent-login`)).toBeUndefined()
  })

  test('a person who declines reads why, and a second try works', async () => {
    await hasPasskey()
    browser.dialogue = 'declined'
    const { login, errors } = await setUp()
    const tried = failed({ detail: rejected, retryable: true, signUp: false }, 'retry', then('answered'))
    const { user } = await login([press, ...tried])
    expect(user).toBeDefined()
    expect(errors.map(({ code }) => code)).toEqual(['passkey_not_allowed'])
  })

  test('a person who gives up is back at the other methods', async () => {
    browser.dialogue = 'declined'
    const { login, person } = await setUp()
    const { error } = await login([press, ...failed({}, 'back'), { on: 'landing', close: true }])
    expect(error?.code).toBe('exited_auth_flow')
    expect(person.ends).toEqual([{ completed: false, code: 'exited_auth_flow' }])
  })

  test.each([
    ['a passkey that the server does not know', refusal('passkey_not_registered'), 'passkey_not_registered'],
    ['a passkey that it does not believe', refusal('invalid_credentials', 401), 'invalid_credentials'],
    ['an answer of a newer server', refusal('passkey_on_holiday'), 'passkey_on_holiday'],
  ])('%s: the spec’s words, with a way on', async (_, reply, code) => {
    await hasPasskey()
    const { open, person, errors } = await setUp({ routes: { [authenticate]: reply } })
    await open().follow([press])
    const words = { state: 'failed', detail: 'Unknown error occurred.', retryable: true }
    await vi.waitFor(() => expect(person.scene?.props).toMatchObject(words))
    expect(errors.map((each) => each.code)).toEqual([code])
  })

  test('an error of the browser that the catalogue does not name', async () => {
    browser.dialogue = { fails: 'UnknownError' }
    const { login, errors } = await setUp()
    await login([press, ...failed({ detail: 'Unknown error occurred.', retryable: true }), ...closed])
    expect(errors.map(({ code }) => code)).toEqual(['unknown_auth_error'])
  })

  test('a browser without WebAuthn', async () => {
    vi.stubGlobal('PublicKeyCredential', undefined)
    const { login, errors, api } = await setUp()
    const words = { detail: 'WebAuthn is not supported in this browser', retryable: false }
    await login([press, ...failed(words, 'back'), { on: 'landing', close: true }])
    expect(errors.map(({ code }) => code)).toEqual(['passkey_not_supported'])
    expect(api.to(init)).toEqual([])
  })

  test('a frame that may not use passkeys', async () => {
    const allowsFeature = (name: string) => name !== 'publickey-credentials-get'
    const window = { document: { featurePolicy: { allowsFeature } } } as unknown as Window
    const { login, errors } = await setUp({ page: testPage({ framed: true, window }) })
    await login([press, ...failed({ retryable: false }, 'back'), { on: 'landing', close: true }])
    expect(errors).toMatchObject([
      { code: 'invalid_configuration', details: 'the frame needs allow="publickey-credentials-get"' },
    ])
  })

  test('a page whose passkeys can’t be made for its domain', async () => {
    browser.dialogue = { fails: 'SecurityError' }
    const { login, errors } = await setUp()
    await login([press, ...failed({ retryable: false }, 'back'), { on: 'landing', close: true }])
    expect(errors.map(({ code }) => code)).toEqual(['invalid_configuration'])
  })

  test('a dialogue that never ends is given up', async () => {
    browser.dialogue = 'silent'
    const { login, errors } = await setUp()
    await login([press, { wait: 306_000 }, ...failed({ detail: rejected }), ...closed])
    expect(errors.map(({ code }) => code)).toEqual(['passkey_not_allowed'])
    expect(browser.asked.at(-1)?.signal.aborted).toBe(true)
  })

  test('going back ends the browser’s dialogue, and is no error', async () => {
    browser.dialogue = 'silent'
    const { login, errors } = await setUp()
    await login([press, { wait: 100 }, ['passkey', 'back'], { on: 'landing', close: true }])
    expect(browser.asked.find(({ conditional }) => !conditional)?.signal.aborted).toBe(true)
    expect(errors).toEqual([])
  })

  test('closing our dialog ends the browser’s', async () => {
    browser.dialogue = 'silent'
    const { login, errors, kit } = await setUp()
    const { error } = await login([press, { wait: 100 }, { on: 'passkey', close: true }])
    expect(error?.code).toBe('exited_auth_flow')
    expect(browser.asked.at(-1)?.signal.aborted).toBe(true)
    expect(errors).toEqual([])
    expect(kit.passkey.state.get()).toEqual({ status: 'initial' })
  })

  test('an app’s gates stand behind it', async () => {
    await hasPasskey()
    const { login } = await setUp({ routes: { [authenticate]: refusal('allowlist_rejected', 401) } })
    const { error } = await login([press, { wait: 100 }, { on: 'allowlist', close: true }])
    expect(error?.code).toBe('exited_auth_flow')
  })
})

describe('signing up with a passkey', () => {
  test('is offered where the app has it, to whoever has none', async () => {
    browser.dialogue = 'declined'
    const { login, api } = await setUp({ app: withSignup })
    const tried = failed({ signUp: true, doing: 'login' }, 'signup', then('answered'))
    const { user } = await login([press, ...tried])
    const id = browser.authenticator.passkeys[0]?.id
    expect(user?.linkedAccounts).toMatchObject([{ type: 'passkey', credentialId: id }])
    expect(api.to(register)[0]?.body).toEqual({
      relying_party: 'https://host.example',
      authenticator_response: {
        id,
        raw_id: id,
        type: 'public-key',
        authenticator_attachment: 'platform',
        client_extension_results: {},
        response: {
          client_data_json: expect.any(String),
          attestation_object: expect.any(String),
          transports: ['internal', 'hybrid'],
        },
      },
    })
  })

  test('takes the place of the login that waits', async () => {
    browser.dialogue = 'silent'
    const { login, errors } = await setUp({ app: withSignup })
    const { user } = await login([
      press,
      { wait: 100 },
      { on: 'passkey', expect: then('answered'), answer: 'signup' },
    ])
    expect(user).toBeDefined()
    expect(errors).toEqual([])
  })

  test('a failure there is tried again there', async () => {
    browser.dialogue = 'declined'
    const { login, api } = await setUp({ app: withSignup })
    await login([
      press,
      ...failed({ doing: 'login' }, 'signup'),
      ...failed({ doing: 'signup', detail: rejected }, 'retry', then('answered')),
    ])
    expect(api.to(register)).toHaveLength(1)
  })

  test('is not offered to existing users only', async () => {
    browser.dialogue = 'declined'
    const { login } = await setUp({ app: withSignup })
    await login([press, ...failed({ signUp: false }), ...closed], { disableSignup: true })
  })
})

describe('passkeys that the e-mail field offers', () => {
  test('are there once the landing stands, and one that is picked logs in', async () => {
    const { id } = await hasPasskey()
    const { openWithOffer, api } = await setUp()
    const run = await openWithOffer()
    browser.pick()
    const { user } = await run.end()
    expect(user?.linkedAccounts).toMatchObject([{ type: 'passkey', credentialId: id }])
    expect(browser.asked).toHaveLength(1)
    expect(api.to(init)).toHaveLength(1)
  })

  test('end when something else is chosen', async () => {
    const { openWithOffer, errors } = await setUp()
    const run = await openWithOffer()
    await run.follow([['landing', { email: 'ada@example.com' }], { on: 'enter-code', close: true }])
    expect(browser.asked).toMatchObject([{ signal: { aborted: true } }])
    expect(errors).toEqual([])
  })

  test('end when the dialog is closed', async () => {
    const { openWithOffer } = await setUp()
    await (await openWithOffer()).follow([{ on: 'landing', close: true }])
    expect(browser.asked).toMatchObject([{ signal: { aborted: true } }])
  })

  test('give way to the request that somebody presses for', async () => {
    await hasPasskey()
    const { openWithOffer } = await setUp()
    const run = await openWithOffer()
    await run.follow([press])
    const { user } = await run.end()
    expect(user).toBeDefined()
    expect(browser.asked).toMatchObject([
      { conditional: true, signal: { aborted: true } },
      { conditional: false },
    ])
  })

  test('get a new challenge when theirs has grown old', async () => {
    await hasPasskey()
    const { openWithOffer, api } = await setUp()
    const run = await openWithOffer()
    await run.follow([{ wait: 306_000 }])
    await vi.waitFor(() => expect(browser.asked).toHaveLength(2))
    expect(browser.asked).toMatchObject([
      { conditional: true, signal: { aborted: true } },
      { conditional: true, signal: { aborted: false } },
    ])
    expect(api.to(init)).toHaveLength(2)
    browser.pick()
    expect((await run.end()).user).toBeDefined()
  })

  test.each([
    ["a browser that can't", () => void stubCredentials('https://host.example', { conditional: false }), {}],
    ['a captcha in the way', () => {}, { app: { captcha_enabled: true, captcha_site_key: 't:key' } }],
    ['no e-mail field', () => {}, { options: { config: { loginMethods: ['passkey'] } } }],
    ['passkeys that are switched off', () => {}, { app: { passkey_auth: false } }],
  ] as [string, () => void, KitSetUp][])('are not asked for with %s', async (_, change, more) => {
    change()
    const { login, api } = await setUp(more)
    await login([{ wait: 2000 }, { on: 'landing', close: true }])
    expect(api.to(init)).toEqual([])
  })

  test('that can’t be had are no error', async () => {
    const { login, errors } = await setUp({ routes: { [init]: refusal('too_many_requests', 429) } })
    await login([{ wait: 2000 }, { on: 'landing', close: true }])
    expect(errors).toEqual([])
  })
})

describe('without our screens', () => {
  async function headless(more: KitSetUp = {}) {
    const set = await setUp(more)
    await set.kit.whenReady()
    const seen: string[] = []
    set.kit.passkey.state.subscribe(() => seen.push(set.kit.passkey.state.get().status))
    return { ...set, seen }
  }

  test('a login says how far it is', async () => {
    const { id } = await hasPasskey()
    const { kit, seen } = await headless()
    const user = await kit.passkey.login()
    expect(user.linkedAccounts).toMatchObject([{ credentialId: id }])
    expect(seen).toEqual(['generating-challenge', 'awaiting-passkey', 'submitting-response', 'done'])
    expect(kit.user?.id).toBe(user.id)
  })

  test('so does a sign-up', async () => {
    const { kit, seen } = await headless({ app: withSignup })
    await kit.passkey.signup()
    expect(seen).toEqual(['generating-challenge', 'awaiting-passkey', 'submitting-response', 'done'])
  })

  test('a login may ask for certain passkeys', async () => {
    const { id } = await hasPasskey()
    const { kit } = await headless()
    await kit.passkey.login({ credentialIds: [id] })
    expect(browser.asked[0]?.publicKey.allowCredentials).toHaveLength(1)
  })

  test('a failure is thrown, and stays in the state', async () => {
    browser.dialogue = 'declined'
    const { kit } = await headless()
    await expect(kit.passkey.login()).rejects.toMatchObject({
      code: 'passkey_not_allowed',
      shortMessage: rejected,
    })
    expect(kit.passkey.state.get()).toMatchObject({ status: 'error', error: { code: 'passkey_not_allowed' } })
  })

  test('of two that begin at once the second counts, and both share one challenge', async () => {
    await hasPasskey()
    const { kit, api } = await headless()
    const first = kit.passkey.login()
    const second = kit.passkey.login()
    await expect(first).rejects.toMatchObject({ code: 'flow_in_progress' })
    expect((await second).id).toBe('did:privy:u1')
    expect(api.to(init)).toHaveLength(1)
    expect(kit.passkey.state.get()).toEqual({ status: 'done' })
  })

  test('one that waits is told when a dialog takes its place', async () => {
    browser.dialogue = 'silent'
    const { kit, open } = await headless()
    const first = kit.passkey.login()
    void first.catch(() => {})
    await vi.waitFor(() => expect(browser.asked).toHaveLength(1))
    await open().follow([{ on: 'landing' }, { wait: 700 }])
    await expect(first).rejects.toMatchObject({ code: 'flow_in_progress' })
    expect(kit.passkey.state.get()).toMatchObject({ status: 'error', error: { code: 'flow_in_progress' } })
  })

  test('a second one ends the dialogue of the first', async () => {
    await hasPasskey()
    browser.dialogue = 'silent'
    const { kit } = await headless()
    const first = kit.passkey.login()
    void first.catch(() => {})
    await settled()
    browser.dialogue = 'answered'
    const user = await kit.passkey.login()
    await expect(first).rejects.toMatchObject({ code: 'flow_in_progress' })
    expect(user.id).toBe('did:privy:u1')
    expect(browser.asked[0]?.signal.aborted).toBe(true)
  })
})
