import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import '../../../src/login/farcaster/flow.ts'
import '../../../src/login/farcaster/service.ts'
import '../../../src/login/passkey/flow.ts'
import '../../../src/login/passkey/service.ts'
import '../../../src/login/telegram/flow.ts'
import '../../../src/login/telegram/service.ts'
import '@simplewebauthn/browser'
import { memoryStorage, type Storage } from '../../../src/lib/storage.ts'
import { sessionKey } from '../../../src/session/keys.ts'
import { emailAccount, kitOfSomebody, phoneAccount, refusal, taken } from '../../support/accounts.ts'
import { wireUser } from '../../support/api.ts'
import { settled, testClock } from '../../support/clock.ts'
import { stubCredentials } from '../../support/credentials.ts'
import {
  googleAccount,
  oauthPaths,
  pageWithWindows,
  provider,
  response,
  tabStorage,
  until,
} from '../../support/oauth.ts'
import { testPage } from '../../support/page.ts'
import { telegramAccount, telegramConfig, telegramPage, telegramResult } from '../../support/telegram.ts'
import { announce, ethereumWallet, walletWindow } from '../../support/wallets.ts'

beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}))
afterEach(() => vi.restoreAllMocks())

const link = '/api/v1/oauth/link'
const start = { [oauthPaths.init]: { body: { url: provider } } }
const adds = (account: object) => (_: unknown, linked: object[]) => void linked.push(account)
const tokens = { provider: 'google', access_token: 'their-token', scopes: ['mail'] }
const addsWithTokens = (_: unknown, linked: object[]) => {
  linked.push(googleAccount)
  return { body: { ...wireUser('did:privy:u1', { linked_accounts: linked }), oauth_tokens: tokens } }
}

/** Forgets the session, as another tab's logout does. */
const logOut = (storage: Storage) => {
  for (const name of ['token', 'refresh'] as const)
    storage.remove(sessionKey('latchkey-unit-test-app-01', name))
}

describe('linking a profile at a provider', () => {
  /** Leaves the page to link, and loads it again with what comes back. */
  async function roundTrip({
    headless = false,
    linkTo,
    meanwhile = () => {},
  }: {
    headless?: boolean
    linkTo?: string
    meanwhile?: (browser: { storage: Storage }) => void
  } = {}) {
    const browser = { storage: memoryStorage(), tabStorage: tabStorage() }
    const before = await kitOfSomebody({ ...browser, page: pageWithWindows().page, routes: start })
    if (headless) before.kit.oauth.link({ provider: 'google' }).catch(() => {})
    else before.kit.link('google').catch(() => {})
    await until(() => before.page.left.length)
    const state = String(before.api.to(oauthPaths.init)[0]?.body?.state_code)
    if (linkTo) {
      const key = 'lk:latchkey-unit-test-app-01:oauth'
      const left = JSON.parse(browser.tabStorage.get(key) ?? '{}')
      expect(left.linkTo).toBe('did:privy:u1')
      browser.tabStorage.set(key, JSON.stringify({ ...left, linkTo }))
    }
    meanwhile(browser)
    return kitOfSomebody({
      ...browser,
      stays: true,
      clock: testClock(before.clock.now() + 5_000),
      page: pageWithWindows().page,
      returned: { kind: 'oauth', code: 'c0de', state, provider: 'google' },
      changes: { [link]: addsWithTokens },
    })
  }

  test('leaves the page, and what comes back is linked and logs nobody in', async () => {
    const { person, kit, api, told } = await roundTrip()
    const logins: unknown[] = []
    kit.on('login', (detail) => logins.push(detail))
    await until(() => api.to(link).length)
    await person.follow([{ wait: 3_000 }])
    expect(kit.user?.google?.email).toBe('ada@gmail.example')
    expect(api.to(link)[0]?.body).toMatchObject({ authorization_code: 'c0de' })
    expect(api.to(link)[0]?.body).not.toHaveProperty('mode')
    expect([api.to(oauthPaths.authenticate), logins, person.ends]).toEqual([[], [], [{ completed: true }]])
    expect(told).toMatchObject([['linked', { method: 'google', account: { subject: 'g-1' } }]])
  })

  test('without our screens ends without them, too', async () => {
    const { person, kit, told } = await roundTrip({ headless: true })
    await until(() => told.length)
    expect(kit.user?.google?.subject).toBe('g-1')
    expect(person.trace()).toEqual([])
  })

  test('that somebody else comes back to is nothing to them', async () => {
    const { api, errors, kit } = await roundTrip({ linkTo: 'did:privy:u2' })
    await until(() => errors.length)
    expect(errors.map(({ code }) => code)).toEqual(['session_changed'])
    expect([...api.to(link), ...api.to(oauthPaths.authenticate)]).toEqual([])
    expect(kit.user?.google).toBeUndefined()
  })

  test.each([
    { screens: 'in our dialog', headless: false, seen: ['failure', '> close', 'closed'] },
    { screens: 'in screens of the host', headless: true, seen: [] },
  ])('$screens that comes back when they have logged out in another tab is linked to nobody', async (one) => {
    const { api, errors, kit, person } = await roundTrip({
      headless: one.headless,
      meanwhile: ({ storage }) => logOut(storage),
    })
    await until(() => errors.length)
    expect(errors.map(({ code }) => code)).toEqual(['must_be_authenticated'])
    if (one.seen.length > 0)
      await person.follow([
        {
          on: 'failure',
          expect: ({ title }) => expect(title).toBe("You're no longer logged in here"),
          answer: 'close',
        },
      ])
    await settled()
    expect([person.trace(), api.to(link), kit.isModalOpen]).toEqual([one.seen, [], false])
  })

  test('in a window leaves the page where it is, and gives the host the provider’s tokens', async () => {
    const windows = pageWithWindows()
    const { kit, person, api, outcomeOf } = await kitOfSomebody({
      page: windows.page,
      options: { config: { oauth: { returnBy: 'popup' } } },
      routes: start,
      changes: { [link]: addsWithTokens },
    })
    const passed: unknown[] = []
    kit.on('oauth-tokens', ({ oAuthTokens }) => passed.push(oAuthTokens))
    const outcome = outcomeOf(kit.link('google'))
    await person.follow([
      { on: 'awaiting-oauth', expect: ({ phase }) => expect(phase).toBe('ready'), answer: 'open' },
    ])
    await until(() => windows.opened[0]?.went)
    windows.say(response(api.to(oauthPaths.init)[0]?.body?.state_code))
    await until(() => api.to(link).length)
    await person.follow([{ wait: 3_000 }])
    expect((await outcome).person?.google?.subject).toBe('g-1')
    expect(passed).toMatchObject([{ provider: 'google', accessToken: 'their-token' }])
  })

  test('of somebody else asks whether to take it over, by its name', async () => {
    const windows = pageWithWindows()
    const profile = { subject: 'g-1', email: 'ada@gmail.example' }
    const { kit, person, api, outcomeOf } = await kitOfSomebody({
      page: windows.page,
      options: { config: { oauth: { returnBy: 'popup' } } },
      routes: start,
      changes: {
        [link]: () => taken({}, { oAuthUserInfo: profile }),
        [oauthPaths.transfer]: adds(googleAccount),
      },
    })
    const outcome = outcomeOf(kit.link('google'))
    await person.follow([['awaiting-oauth', 'open']])
    await until(() => windows.opened[0]?.went)
    windows.say(response(api.to(oauthPaths.init)[0]?.body?.state_code))
    await until(() => api.to(link).length)
    await person.follow([
      {
        on: 'link-conflict',
        expect: ({ title }) => expect(title).toBe('This Google profile is associated with another account'),
        answer: 'transfer',
      },
      { wait: 3_000 },
    ])
    expect((await outcome).person?.google?.subject).toBe('g-1')
    expect(api.to(oauthPaths.transfer)[0]?.body).toEqual({ nonce: 'nonce-1', userInfo: profile })
  })
})

describe('linking a passkey', () => {
  const enroll = {
    body: {
      options: {
        rp: { name: 'Test app', id: 'host.example' },
        user: { id: 'dXNlcg', name: 'Test app', display_name: 'Test app' },
        challenge: 'challenge-1',
        pub_key_cred_params: [{ alg: -7, type: 'public-key' }],
        exclude_credentials: [],
      },
    },
  }
  const paths = { init: '/api/v1/passkeys/link/init', finish: '/api/v1/passkeys/link' }
  const app = { passkey_auth: true }
  const made = (call: { body: Record<string, unknown> | undefined }, linked: object[]) => {
    const answer = call.body?.authenticator_response as { id: string } | undefined
    linked.push({ type: 'passkey', credential_id: answer?.id, verified_at: 1 })
    return undefined
  }

  test('says what it is for, creates one in the browser, and adds it', async () => {
    const browser = stubCredentials('https://host.example')
    const { kit, person, api, told, outcomeOf } = await kitOfSomebody({
      app,
      routes: { [paths.init]: enroll },
      changes: { [paths.finish]: made },
    })
    const outcome = outcomeOf(kit.link('passkey'))
    await person.follow([['link-passkey', 'create']])
    await until(() => api.to(paths.finish).length)
    await person.follow([{ wait: 3_000 }])
    const { person: user } = await outcome
    expect(user?.linkedAccounts.map(({ type }) => type)).toEqual(['email', 'passkey'])
    expect(browser.asked.map(({ kind }) => kind)).toEqual(['create'])
    expect([api.to(paths.init)[0]?.body, person.ends]).toEqual([{}, [{ completed: true }]])
    expect(told).toMatchObject([['linked', { method: 'passkey', account: { type: 'passkey' } }]])
  })

  test('that the person declines can be tried again, or left', async () => {
    const browser = stubCredentials('https://host.example')
    browser.dialogue = 'declined'
    const { kit, person, api, outcomeOf } = await kitOfSomebody({ app, routes: { [paths.init]: enroll } })
    const outcome = outcomeOf(kit.link('passkey'))
    await person.follow([['link-passkey', 'create']])
    const failed = () => (person.scene?.props as { state?: string } | undefined)?.state === 'failed'
    await until(failed)
    await person.follow([
      {
        on: 'passkey',
        expect: (props) =>
          expect(props).toMatchObject({
            doing: 'link',
            detail: 'Passkey request timed out or rejected by user.',
          }),
        answer: 'back',
      },
      { on: 'link-passkey', close: true },
      { wait: 1_000 },
    ])
    expect((await outcome).error?.code).toBe('exited_link_flow')
    expect(api.to(paths.finish)).toEqual([])
  })
})

describe('linking Telegram', () => {
  test('asks in Telegram’s window, and adds the account', async () => {
    const telegram = telegramPage()
    const { kit, person, api, outcomeOf } = await kitOfSomebody({
      page: telegram.page,
      app: telegramConfig,
      changes: { '/api/v1/telegram/link': adds(telegramAccount) },
    })
    const outcome = outcomeOf(kit.link('telegram'))
    await settled()
    await until(() => telegram.asked.length)
    telegram.asked[0]?.answer(telegramResult)
    await until(() => api.to('/api/v1/telegram/link').length)
    await person.follow([{ wait: 3_000 }])
    expect((await outcome).person?.telegram?.username).toBe('annlee')
    expect(api.to('/api/v1/telegram/link')[0]?.body).toEqual({ telegram_auth_result: telegramResult })
    expect(api.to('/api/v1/telegram/authenticate')).toEqual([])
  })

  test('opens nothing, and is refused, where the app lets users log in with Telegram alone', async () => {
    const telegram = telegramPage()
    const { telegram_auth_config: bot } = telegramConfig
    const { kit, api, outcomeOf } = await kitOfSomebody({
      page: telegram.page,
      app: { ...telegramConfig, telegram_auth_config: { ...bot, link_enabled: false } },
    })
    const outcome = outcomeOf(kit.link('telegram'))
    expect((await outcome).error?.code).toBe('feature_not_enabled')
    expect(telegram.asked).toEqual([])
    expect(api.to('/api/v1/telegram/link')).toEqual([])
  })
})

describe('linking Farcaster', () => {
  test('shows what to scan, and adds the account that was approved', async () => {
    const approval = { message: 'signed', signature: '0xsigned', fid: 7 }
    const account = { type: 'farcaster', fid: 7, owner_address: '0x1', username: 'ada', verified_at: 1 }
    const path = '/api/v1/farcaster/link'
    const { kit, person, api, outcomeOf } = await kitOfSomebody({
      page: testPage({
        window: Object.assign(new EventTarget(), { document: new EventTarget() }) as unknown as Window,
      }),
      app: { farcaster_auth: true },
      routes: {
        '/api/v1/farcaster/init': {
          body: { channel_token: 'channel', connect_uri: 'https://farcaster.example/c' },
        },
        '/api/v1/farcaster/status': [
          { body: { state: 'pending' } },
          { body: { state: 'completed', ...approval } },
        ],
      },
      changes: { [path]: adds(account) },
    })
    const outcome = outcomeOf(kit.link('farcaster'))
    await person.follow([
      { on: 'awaiting-farcaster', expect: ({ state }) => expect(state).toBe('waiting') },
      { wait: 10_000 },
    ])
    expect((await outcome).person?.farcaster?.fid).toBe(7)
    expect(api.to(path)[0]?.body).toEqual({ channel_token: 'channel', ...approval })
  })
})

describe('a transfer by a host with screens of its own', () => {
  const request = { nonce: 'n', account: 'new@example.com' }
  test('sends the nonce with the account, and tells of the link', async () => {
    const path = '/api/v1/passwordless/transfer'
    const { kit, api, told } = await kitOfSomebody({
      accounts: [phoneAccount()],
      changes: { [path]: adds(emailAccount('new@example.com')) },
    })
    const user = await kit.initiateTransfer({ ...request, accountType: 'email' })
    expect(user.email?.address).toBe('new@example.com')
    expect(api.to(path)[0]?.body).toEqual({ nonce: 'n', email: 'new@example.com' })
    expect(told.map(([event]) => event)).toEqual(['linked'])
  })

  test.each([
    ['passkey', 'Invalid transfer account type'],
    ['guest', 'Invalid transfer account type'],
    ['custom', 'Invalid transfer account type'],
    ['siwe', 'Wallet parameters must be defined'],
    ['google', 'The profile at the provider must be defined'],
    ['telegram', 'What Telegram has signed must be defined'],
  ])('of %s without what it needs is refused here: %s', async (accountType, shortMessage) => {
    const { kit, api } = await kitOfSomebody()
    const before = api.calls.length
    const transfer = kit.initiateTransfer({ ...request, accountType: accountType as 'email' })
    await expect(transfer).rejects.toMatchObject({ code: 'invalid_data', shortMessage })
    expect(api.calls.slice(before).filter(({ path }) => path.includes('transfer'))).toEqual([])
  })

  test('with a nonce that was used gives the server’s code', async () => {
    const { kit } = await kitOfSomebody({
      changes: {
        '/api/v1/passwordless/transfer': () => refusal('invalid_credentials', 'no longer valid', 401),
      },
    })
    await expect(kit.initiateTransfer({ ...request, accountType: 'email' })).rejects.toMatchObject({
      code: 'invalid_credentials',
    })
  })
})

describe('linking a wallet', () => {
  const init = ({ body }: { body: Record<string, unknown> | undefined }) => ({
    body: { nonce: 'c0ffee0123456789c0ffee01', address: body?.address, expires_at: '2030-01-01T00:00:00Z' },
  })
  test.each([
    ['wallet', ['wallet-list', 'awaiting-connection']],
    ['metamask', ['awaiting-connection']],
  ] as const)('by %s signs a message, and adds the wallet', async (method, screens) => {
    const metamask = ethereumWallet()
    const account = { type: 'wallet', address: metamask.address, chain_type: 'ethereum', verified_at: 1 }
    const path = '/api/v1/siwe/link'
    const { kit, person, api, told, outcomeOf } = await kitOfSomebody({
      page: testPage({ window: walletWindow }),
      app: { wallet_auth: true },
      routes: { '/api/v1/siwe/init': init },
      changes: { [path]: adds(account) },
    })
    announce(metamask)
    const outcome = outcomeOf(kit.link(method))
    if (method === 'wallet')
      await person.follow([
        {
          on: 'wallet-list',
          expect: ({ purpose }) => expect(purpose).toBe('link'),
          answer: { wallet: 'metamask' },
        },
      ])
    await until(() => api.to(path).length)
    await person.follow([{ wait: 5_000 }])
    expect((await outcome).person?.wallet?.address).toBe(metamask.address)
    expect(api.to(path)[0]?.body).toMatchObject({ walletClientType: 'metamask', connectorType: 'injected' })
    expect(told).toMatchObject([['linked', { method: 'siwe', account: { address: metamask.address } }]])
    const seen = person.trace().filter((word) => word.endsWith('list') || word.startsWith('awaiting'))
    expect([...new Set(seen)]).toEqual(screens)
  })
})
