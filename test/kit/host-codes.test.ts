import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import '@simplewebauthn/browser'
import '../../src/login/captcha/service.ts'
import '../../src/login/oauth/service.ts'
import '../../src/login/passkey/service.ts'
import { errorCodes } from '../../src/errors/codes.ts'
import type { KitError } from '../../src/errors/kit-error.ts'
import '../../src/login/captcha/flow.ts'
import '../../src/login/oauth/flow.ts'
import { memoryStorage, type Storage } from '../../src/lib/storage.ts'
import type { Reply } from '../support/api.ts'
import { settled } from '../support/clock.ts'
import { stubCredentials } from '../support/credentials.ts'
import { embeddedWallet, type KitSetUp, kitWithPerson, paths } from '../support/kit.ts'
import { testPage } from '../support/page.ts'
import type { Step } from '../support/person.ts'
import { captchaPage, conducts } from '../support/turnstile.ts'
import { fakeVault } from '../support/vault.ts'

beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}))
afterEach(() => vi.restoreAllMocks())

type Kit = Awaited<ReturnType<typeof kitWithPerson>>
/** The codes that the host gets: in events, and in rejections of what it has called. */
async function heard(set: Kit, work: (set: Kit) => Promise<unknown>, wait = 0): Promise<string[]> {
  const codes: string[] = []
  await work(set).catch((error: KitError) => codes.push(error.code))
  await set.clock.advance(wait)
  return [...set.errors.map(({ code }) => code), ...codes]
}
const kit = (more?: KitSetUp) => kitWithPerson(more)
/** The dialog, with a person who does this. */
const dialog =
  (script: Step[]) =>
  async ({ kit, person }: Kit) => {
    const login = kit.login()
    login.catch(() => {})
    await person.follow(script)
    await Promise.race([login, settled()])
  }
const typed: Step[] = [['landing', { email: 'ada@example.com' }]]
const entered: Step[] = [...typed, ['enter-code', { code: '123456' }]]
async function logIn({ kit: { email } }: Kit) {
  await email.sendCode({ email: 'ada@example.com' })
  await email.loginWithCode({ code: '123456' })
}
const withWallet = { accounts: [embeddedWallet] }
const refusal = (code?: string, status = 400): Reply => ({
  status,
  body: { error: 'no', ...(code && { code }) },
})

const captcha = (tries: Parameters<typeof captchaPage>[0]) =>
  kit({
    app: { captcha_enabled: true, captcha_site_key: 't:0xSiteKey' },
    page: testPage({ window: captchaPage(tries).window }),
  })

const google = { google_oauth: true, email_auth: false }
const startsAtGoogle = { '/api/v1/oauth/init': { body: { url: 'https://google.example/authorize' } } }
/** A login that has left for Google and returns with that. */
async function backFromGoogle(back: { code: string; state?: string }): Promise<Kit> {
  const tabStorage: Storage = { ...memoryStorage(), persistent: true } as Storage
  const window = new EventTarget() as Window
  const leaving = await kit({ app: google, routes: startsAtGoogle, tabStorage, page: testPage({ window }) })
  void leaving.kit.login().catch(() => {})
  await leaving.person.follow([['landing', { method: 'google' }], { wait: 100 }])
  const [call] = leaving.api.to('/api/v1/oauth/init')
  const state = back.state ?? String(call?.body?.state_code)
  const returned = { kind: 'oauth', provider: 'google', code: back.code, state } as const
  const page = testPage({ window })
  return kit({ app: google, routes: startsAtGoogle, tabStorage, page, returned })
}

/** Each host code of logging in and signing, with a situation that produces it. */
const ways: Record<string, () => Promise<string[]>> = {
  exited_auth_flow: async () => heard(await kit(), dialog([{ on: 'landing', close: true }])),
  unknown_auth_error: async () => heard(await kit({ routes: { [paths.init]: refusal() } }), dialog(typed)),
  client_request_timeout: async () =>
    heard(await kit({ routes: { [paths.init]: 'silent' } }), dialog([...typed, { wait: 25_000 }])),
  oauth_user_denied: async () => heard(await backFromGoogle({ code: 'undefined' }), async () => {}, 2_000),
  oauth_unexpected: async () =>
    heard(await backFromGoogle({ code: 'c', state: 'somebody-else’s' }), async () => {}, 2_000),
  session_storage_unavailable: async () => {
    const tabStorage = { ...memoryStorage(), persistent: false } as Storage
    const set = await kit({ app: google, routes: startsAtGoogle, tabStorage })
    return heard(set, dialog([['landing', { method: 'google' }]]))
  },
  passkey_not_allowed: async () => {
    const browser = stubCredentials('https://host.example')
    browser.dialogue = 'declined'
    const options = {
      options: {
        challenge: 'Y2hhbGxlbmdlLW9mLXRoZS1zZXJ2ZXI',
        rp_id: 'host.example',
        allow_credentials: [],
        timeout: 300_000,
        user_verification: 'required',
      },
    }
    const routes = { '/api/v1/passkeys/authenticate/init': { body: options } }
    return heard(await kit({ app: { passkey_auth: true }, routes }), ({ kit: { passkey } }) =>
      passkey.login(),
    )
  },
  captcha_timeout: async () =>
    heard(await captcha({ tries: [conducts.silent] }), dialog([...typed, { wait: 21_000 }])),
  captcha_failure: async () =>
    heard(await captcha({ tries: [conducts.fails] }), dialog([...typed, { wait: 1_500 }])),
  captcha_disabled: async () => heard(await kit(), (set) => set.kit.captcha.token()),
  embedded_wallet_create_error: async () => {
    const app = { embedded_wallet_config: { create_on_login: 'all-users' } }
    const vault = fakeVault({ createWallet: () => ({ address: '0x1' }) })
    return heard(await kit({ app, vault }), dialog(entered), 5_000)
  },
  unknown_embedded_wallet_error: async () => {
    const vault = fakeVault({ walletRpc: () => ({ error: { type: 'error', message: 'broken' } }) })
    const set = await kit({ ...withWallet, vault })
    await logIn(set)
    void set.kit.signMessage('Hello').catch(() => {})
    return heard(set, () => set.person.follow([['sign-message', 'sign'], { wait: 2_000 }]))
  },
  must_be_authenticated: async () => heard(await kit(), (set) => set.kit.signMessage('Hello')),
  embedded_wallet_not_found: async () => {
    const set = await kit()
    await logIn(set)
    return heard(set, () => set.kit.signMessage('Hello'))
  },
  invalid_message: async () => {
    const set = await kit(withWallet)
    await logIn(set)
    return heard(set, () => set.kit.signMessage(''))
  },
  unable_to_sign: async () => {
    const set = await kit(withWallet)
    await logIn(set)
    return heard(set, () =>
      Promise.all([set.kit.signMessage('Hello'), set.person.follow([['sign-message', 'cancel']])]),
    )
  },
}

describe('the host is notified', () => {
  test.each(Object.keys(ways))('%s', async (code) => {
    expect(await ways[code]?.()).toContain(code)
  })

  /** What a server may answer to the start of a login. These codes pass through under their own names. */
  const fromServer = [
    ...['allowlist_rejected', 'disallowed_login_method', 'disallowed_plus_email', 'invalid_captcha'],
    ...['invalid_data', 'not_supported', 'too_many_requests', 'feature_not_enabled', 'user_unsubscribed'],
    ...['brand_new_code'],
  ]
  test.each(fromServer)('%s, when the code can’t be sent', async (code) => {
    const set = await kit({ routes: { [paths.init]: refusal(code) } })
    expect(await heard(set, dialog(typed), 100)).toContain(code)
  })

  const ofLogin = [
    ...['invalid_credentials', 'cannot_link_more_of_type', 'max_accounts_reached', 'user_does_not_exist'],
    ...['linked_to_another_user', 'account_transfer_required', 'disallowed_plus_email', 'signup_disabled'],
    ...['too_many_requests', 'brand_new_code'],
  ]
  test.each(ofLogin)('%s, when the login is refused', async (code) => {
    const set = await kit({ routes: { [paths.authenticate]: refusal(code) } })
    expect(await heard(set, dialog(entered), 100)).toContain(code)
  })

  test('each code of the specification by one of these, unless its part does not exist yet', () => {
    // Linking and updating accounts come later.
    const later = [
      'exited_link_flow',
      'exited_update_flow',
      'failed_to_link_account',
      'failed_to_update_account',
    ]
    const begin = errorCodes.indexOf('exited_auth_flow')
    const end = errorCodes.indexOf('terms_not_accepted')
    // Codes of the environment, or of wallets: their own suites produce them.
    const elsewhere = [
      'embedded_wallet_already_exists',
      'embedded_wallet_recovery_error',
      'embedded_wallet_set_recovery_error',
      'user_exited_set_password_flow',
      'transaction_failure',
    ]
    const told = errorCodes.slice(begin, end).filter((code) => ![...later, ...elsewhere].includes(code))
    expect(told.filter((code) => !(code in ways))).toEqual([])
  })
})
