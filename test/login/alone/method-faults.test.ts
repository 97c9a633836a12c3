/** Every request of each login method, with every fault of its response, as users of that method meet it. */
import { SignJWT } from 'jose'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
// Loaded beforehand, so that no test waits for the loading of what the kit loads lazily.
import '@simplewebauthn/browser'
import '../../../src/login/code/sms-flow.ts'
import '../../../src/login/code/sms-service.ts'
import '../../../src/login/custom-jwt/service.ts'
import '../../../src/login/farcaster/flow.ts'
import '../../../src/login/farcaster/service.ts'
import '../../../src/login/guest/service.ts'
import '../../../src/login/passkey/flow.ts'
import '../../../src/login/passkey/service.ts'
import '../../../src/login/telegram/flow.ts'
import '../../../src/login/telegram/service.ts'
import { type Call, makeToken, type Reply, sessionBody, wireUser } from '../../support/api.ts'
import { testClock } from '../../support/clock.ts'
import { stubCredentials } from '../../support/credentials.ts'
import { failRequests, faultsOfRequest } from '../../support/faults/http.ts'
import { expectReported } from '../../support/faults/matrix.ts'
import { embeddedWallet, type KitSetUp, kitWithPerson, paths, walletAddress } from '../../support/kit.ts'
import { limit } from '../../support/limit.ts'
import {
  googleAccount,
  oauthPaths,
  otherApp,
  otherAppRoutes,
  pageWithWindows,
  popup,
  provider,
  response,
  tabStorage,
} from '../../support/oauth.ts'
import { testPage } from '../../support/page.ts'
import { answerToFailure, persist } from '../../support/persist.ts'
import { counted } from '../../support/soak.ts'
import { telegramAccount, telegramConfig, telegramPage, telegramResult } from '../../support/telegram.ts'
import { fakeVault } from '../../support/vault.ts'
import { announce, ethereumWallet, solanaWallet, walletWindow } from '../../support/wallets.ts'

type KitSet = Awaited<ReturnType<typeof kitWithPerson>>
type Needs = Partial<KitSetUp> & { others?: (set: KitSet) => void }
interface Journey {
  app: object
  account: object
  choice: object
  wallet?: string
  routes: Record<string, Reply | ((call: Call) => Reply)>
  /** The path that logs the user in. */
  login: string
  /** Further fields of the login’s response. */
  session?: object
  /** Requests of every login that meet faults in this one. */
  common?: readonly string[]
  /** Requests without which the login comes to its end as well. */
  spared?: readonly string[]
  /** Longest that a user may wait without a screen that leads on, where it is less than {@link longestWait}. */
  longestWait?: number
  /** Further expectations at the end of the login. */
  expectEnd?: (user: unknown, set: KitSet) => void
  /** The set-up of this login alone, and what others do in it. */
  needs?: () => Needs | Promise<Needs>
  /** A login without a screen: the page begins it, and does so again if it fails. */
  begin?: (set: KitSet) => Promise<unknown>
}

const farcasterAccount = {
  type: 'farcaster',
  fid: 1_001,
  owner_address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  username: 'ada',
  verified_at: 1_700_000_000,
}
const walletOf = (address: string, chain_type: string, client: string) => ({
  type: 'wallet',
  address,
  chain_type,
  chain_id: 'eip155:1',
  verified_at: 1_700_000_000,
  wallet_client: 'unknown',
  wallet_client_type: client,
  connector_type: 'injected',
})
const metamask = ethereumWallet()
const phantom = solanaWallet()
const nonceFor = ({ body }: Call): Reply => ({
  body: { nonce: 'c0ffee0123456789c0ffee01', address: body?.address, expires_at: '2030-01-01T00:00:00Z' },
})
let challenges = 0
const passkeyOptions = (more: object) => () => ({
  body: {
    options: { challenge: `challenge${String(++challenges).padStart(7, '0')}`, timeout: 300_000, ...more },
  },
})
const toGet = { rp_id: 'host.example', allow_credentials: [], user_verification: 'required' }
const toCreate = {
  rp: { name: 'Test app', id: 'host.example' },
  user: { id: 'dXNlcg', name: 'Test app', display_name: 'Test app' },
  pub_key_cred_params: [{ alg: -7, type: 'public-key' }],
  exclude_credentials: [],
  authenticator_selection: { resident_key: 'required', user_verification: 'required' },
  attestation: 'none',
}
const passkeyAccount = { type: 'passkey', verified_at: 1_700_000_000 }
const hostToken = await new SignJWT({})
  .setProtectedHeader({ alg: 'HS256' })
  .setSubject('ada')
  .setExpirationTime('1h')
  .sign(new Uint8Array(32))

/** A page whose popups return from the provider, each once. */
function windowsThatReturn(options: KitSetUp['options']) {
  const windows = pageWithWindows()
  return {
    page: windows.page,
    tabStorage: tabStorage(),
    ...(options && { options }),
    others({ api }: KitSet) {
      if (windows.sent()) windows.say(response(api.to(oauthPaths.init).at(-1)?.body?.state_code))
    },
  }
}
/** Telegram’s popup, which posts who the user is. */
function telegramThatAnswers() {
  const telegram = telegramPage()
  let answered = 0
  return {
    page: telegram.page,
    others() {
      while (answered < telegram.asked.length) telegram.asked[answered++]?.answer(telegramResult)
    },
  }
}
function withWallet(wallet: Parameters<typeof announce>[0]) {
  announce(wallet)
  return { page: testPage({ window: walletWindow }) }
}
/** A browser that has one passkey, and makes others. */
async function withPasskeys() {
  const page = 'https://host.example'
  const { authenticator } = stubCredentials(page, { conditional: false })
  const user = { id: 'dXNlcg' }
  await authenticator.register({ challenge: 'x', rp: { id: 'host.example' }, user }, page)
  return {}
}

const emailUser = wireUser()
const withWalletAndTerms = {
  user: wireUser(emailUser.id, {
    has_accepted_terms: true,
    linked_accounts: [...emailUser.linked_accounts, embeddedWallet],
  }),
  identity_token: await makeToken(testClock()),
}

const journeys: Record<string, Journey> = {
  SMS: {
    app: { sms_auth: true, email_auth: false },
    account: { type: 'phone', phoneNumber: '+12025550123', verified_at: 1_700_000_000 },
    choice: { phone: '+12025550123' },
    routes: { '/api/v1/passwordless_sms/init': { body: { success: true } } },
    login: '/api/v1/passwordless_sms/authenticate',
  },
  Farcaster: {
    app: { farcaster_auth: true },
    account: farcasterAccount,
    choice: { method: 'farcaster' },
    routes: {
      '/api/v1/farcaster/init': {
        body: { channel_token: 't', connect_uri: 'https://farcaster.xyz/~/siwf?channelToken=t' },
      },
      '/api/v1/farcaster/status': {
        body: {
          state: 'completed',
          nonce: 'n',
          message: 'm',
          signature: '0x12',
          fid: 1_001,
          username: 'ada',
        },
      },
    },
    login: '/api/v1/farcaster/authenticate',
  },
  Google: {
    app: { google_oauth: true },
    account: googleAccount,
    choice: { method: 'google' },
    routes: { [oauthPaths.init]: { body: { url: provider } } },
    login: oauthPaths.authenticate,
    needs: () => windowsThatReturn(popup.options),
  },
  'another app': {
    app: {},
    account: otherApp.account,
    choice: { method: `privy:${otherApp.id}` },
    routes: otherAppRoutes,
    login: oauthPaths.authenticate,
    session: { oauth_tokens: { provider: `privy:${otherApp.id}`, access_token: hostToken } },
    // The row has a name without it.
    spared: [otherApp.paths.details],
    needs: () => windowsThatReturn({ config: { loginMethods: [`privy:${otherApp.id}`, 'email'] } }),
  },
  'a passkey': {
    app: { passkey_auth: true },
    account: passkeyAccount,
    choice: { method: 'passkey' },
    routes: { '/api/v1/passkeys/authenticate/init': passkeyOptions(toGet) },
    login: '/api/v1/passkeys/authenticate',
    needs: withPasskeys,
  },
  'a new passkey': {
    app: { passkey_auth: true, passkeys_for_signup_enabled: true },
    account: passkeyAccount,
    choice: {},
    routes: { '/api/v1/passkeys/register/init': passkeyOptions(toCreate) },
    login: '/api/v1/passkeys/register',
    needs: withPasskeys,
    begin: async ({ kit }) => kit.passkey.signup(),
  },
  Telegram: {
    app: telegramConfig,
    account: telegramAccount,
    choice: { method: 'telegram' },
    routes: {},
    login: '/api/v1/telegram/authenticate',
    needs: telegramThatAnswers,
  },
  'an Ethereum wallet': {
    app: { wallet_auth: true },
    account: walletOf(metamask.address, 'ethereum', 'metamask'),
    choice: { method: 'wallet' },
    wallet: 'metamask',
    routes: { '/api/v1/siwe/init': nonceFor },
    login: '/api/v1/siwe/authenticate',
    needs: () => withWallet(metamask),
  },
  'a Solana wallet': {
    app: { wallet_auth: true, solana_wallet_auth: true },
    account: walletOf(phantom.address, 'solana', 'phantom'),
    choice: { method: 'wallet' },
    wallet: 'phantom:solana',
    routes: { '/api/v1/siws/init': nonceFor },
    login: '/api/v1/siws/authenticate',
    needs: () => ({
      ...withWallet(phantom),
      options: { config: { appearance: { walletChainType: 'ethereum-and-solana' } } },
    }),
  },
  guest: {
    app: {},
    account: { type: 'email', address: 'nobody@example.com', verified_at: 1 },
    choice: {},
    routes: {},
    login: '/api/v1/guest/authenticate',
    begin: async (set) => set.kit.guest.create(),
  },
  'the host’s own token': {
    app: {},
    account: { type: 'custom_auth', custom_user_id: 'ada', verified_at: 1_700_000_000 },
    choice: {},
    routes: {},
    login: '/api/v1/custom_jwt_account/authenticate',
    needs: () => {
      const customAuth = { enabled: true, getCustomAccessToken: async () => hostToken }
      return { options: { config: { customAuth } } }
    },
    begin: async ({ kit }) => kit.customAuth.sync(),
  },
  // An app with every optional step.
  'e-mail, with terms and a wallet': {
    app: { require_users_accept_terms: true, embedded_wallet_config: { create_on_login: 'all-users' } },
    account: emailUser.linked_accounts[0] ?? {},
    choice: { email: 'ada@example.com' },
    routes: {
      [paths.init]: { body: { success: true } },
      [paths.terms]: { body: wireUser(emailUser.id, { has_accepted_terms: true }) },
      [paths.me]: { body: withWalletAndTerms },
    },
    login: paths.authenticate,
    common: [paths.config, paths.analytics],
    spared: [paths.analytics],
    // An attempt with its retries, or a silent one.
    longestWait: 30_000,
    needs: () => ({ vault: fakeVault({ createWallet: () => ({ address: walletAddress }) }) }),
    expectEnd(user, { vault }) {
      expect(user).toMatchObject({ wallet: { address: walletAddress } })
      // Nothing happened twice: every action has one key, and each key one kind of outcome at the server.
      const creations = vault.asked.filter(({ event }) => event.endsWith('wallet:create'))
      expect(creations.length).toBeLessThanOrEqual(2)
    },
  },
}
/** Milliseconds that a user may wait without a screen that leads on: scanning a QR code has two minutes. */
const longestWait = 125_000
let cells = 0

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => vi.restoreAllMocks())

async function setUp(journey: Journey, path: string, fault: Reply, lasting: boolean) {
  const user = wireUser('did:privy:u1', { linked_accounts: [journey.account] })
  const document = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  const window = Object.assign(new EventTarget(), { document }) as unknown as Window
  const session = await sessionBody(testClock(), { user, is_new_user: false, ...journey.session })
  // A passkey is named by the authenticator, when it is used.
  const answer = ({ body }: Call): Reply => {
    const used = (body?.authenticator_response as { id: string } | undefined)?.id
    const accounts = [used === undefined ? journey.account : { ...journey.account, credential_id: used }]
    return { body: { ...session, user: { ...session.user, linked_accounts: accounts } } }
  }
  const { others, ...needed } = (await journey.needs?.()) ?? {}
  const set = await kitWithPerson({
    app: journey.app,
    accounts: [journey.account],
    page: testPage({ window }),
    routes: {
      ...journey.routes,
      [journey.login]: answer,
    },
    intercept: failRequests(path, fault, { lasting }),
    ...needed,
  })
  return { ...set, others: () => others?.(set) }
}

/** The answer to each screen that leads on to the login; `undefined` where the user can only wait. */
function answerOf(screen: string, props: Record<string, unknown>, journey: Journey): unknown {
  if ('accepted' in props) return undefined
  if (screen === 'landing') return journey.choice
  if (screen === 'enter-code') return { code: '123456' }
  if (screen === 'wallet-list') {
    const { wallet } = journey
    const isListed = (props.wallets as { key: string }[]).some(({ key }) => key === wallet)
    return isListed ? { wallet } : undefined
  }
  if (screen === 'wallet-login-failed') return 'retry'
  if (screen === 'terms') return 'accept'
  if (screen === 'wallet-created') return 'continue'
  if (['allowlist', 'user-limit', 'account-not-found'].includes(screen)) return 'again'
  if (screen === 'failure') return props.action
  if (screen === 'awaiting-connection' && props.asks) return 'sign'
  return answerToFailure(props)
}

const follow = (set: Awaited<ReturnType<typeof setUp>>, journey: Journey, patience: number) =>
  persist({
    ...set,
    patience,
    longestWait: journey.longestWait ?? longestWait,
    begin: () => (journey.begin ? journey.begin(set) : set.kit.login()),
    answerTo: (screen, props) => answerOf(screen, props, journey),
  })

describe.each(Object.entries(journeys))('a login by %s', { timeout: limit(60_000) }, (name, journey) => {
  const requests = [...Object.keys(journey.routes), journey.login, ...(journey.common ?? [])]

  test('without a fault: logs in, and makes no other requests than those of the matrix', async () => {
    const set = await setUp(journey, 'none', {}, false)
    const { value, seen } = await follow(set, journey, 0)
    expect([value, seen]).toMatchObject([{ id: 'did:privy:u1' }, []])
    const made = new Set(set.api.calls.map(({ path }) => path))
    journey.expectEnd?.(value, set)
    const common = [paths.me, paths.analytics, paths.logout]
    for (const path of common) made.delete(path)
    const expected = new Set([...requests, paths.config].filter((path) => !common.includes(path)))
    expect([...made].sort()).toEqual([...expected].sort())
  })

  describe.each(requests)('%s', (path) => {
    const faults = faultsOfRequest(Object.keys(journeys).indexOf(name) + requests.indexOf(path))

    test.each(faults)('$name, each time: reported, and nobody is logged in', async ({ reply }) => {
      cells++
      const set = await setUp(journey, path, reply, true)
      const { value, error, seen } = await follow(set, journey, 2)
      if (journey.spared?.includes(path)) return expect(value).toMatchObject({ id: 'did:privy:u1' })
      expect(value).toBeUndefined()
      if (!journey.begin) expect(set.errors.length).toBeGreaterThan(0)
      expectReported({ error, seen }, { hasScreens: !journey.begin, errors: set.errors })
      await set.clock.advance(60_000)
      expect(await set.kit.getAccessToken()).toBeNull()
    })

    test.each(faults)('$name, once: the retry logs in', async ({ reply }) => {
      cells++
      const set = await setUp(journey, path, reply, false)
      const { value, error } = await follow(set, journey, 5)
      // Without a screen it is the page that tries again.
      if (journey.begin && error)
        return expect(await follow(set, journey, 5)).toMatchObject({ value: { id: 'did:privy:u1' } })
      expect(value).toMatchObject({ id: 'did:privy:u1' })
      journey.expectEnd?.(value, set)
    })
  })
})

afterAll(() => console.log(`Faults of logins: ${Object.keys(journeys).join(', ')}, ${counted(cells)} cells`))
