import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import '../../../src/login/farcaster/service.ts'
import '../../../src/login/code/sms-service.ts'
import { isClosable } from '../../../src/dialog/closable.ts'
import type { KitError } from '../../../src/errors/kit-error.ts'
import '../../../src/login/farcaster/flow.ts'
import '../../../src/login/code/sms-flow.ts'
import { type Reply, sessionBody, wireUser } from '../../support/api.ts'
import { testClock } from '../../support/clock.ts'
import { type KitSetUp, kitWithPerson, paths, walletAddress } from '../../support/kit.ts'
import { testPage } from '../../support/page.ts'
import type { Step } from '../../support/person.ts'

beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}))
afterEach(() => vi.restoreAllMocks())

interface Method {
  name: string
  app: object
  init: string
  authenticate: string
  transfer: string
  account: object
  /** Up to the call that begins, and from there to the one that logs in. */
  begin: Step
  go: Step
  conflict: string
  /** How long its success is seen when nothing follows. */
  success: number
}
const number = '+4915112345678'
const fid = 6841
/** Two ways in that are as different as can be: one in which something is typed, and one that waits. */
const methods: Method[] = [
  {
    name: 'SMS',
    app: { sms_auth: true },
    init: '/api/v1/passwordless_sms/init',
    authenticate: '/api/v1/passwordless_sms/authenticate',
    transfer: '/api/v1/passwordless_sms/transfer',
    account: { type: 'phone', phoneNumber: number, verified_at: 1_700_000_000 },
    begin: ['landing', { phone: number }],
    go: ['enter-code', { code: '123456' }],
    conflict: 'This phone number is associated with another account',
    success: 1_400,
  },
  {
    name: 'Farcaster',
    app: { farcaster_auth: true },
    init: '/api/v1/farcaster/init',
    authenticate: '/api/v1/farcaster/authenticate',
    transfer: '/api/v1/farcaster/transfer',
    account: { type: 'farcaster', fid, owner_address: walletAddress, verified_at: 1_700_000_000 },
    begin: ['landing', { method: 'farcaster' }],
    go: { wait: 2_500 },
    conflict: 'This Farcaster profile is associated with another account',
    success: 1_400,
  },
]
const refusal = (code: string, status = 400, more = {}): Reply => ({
  status,
  body: { error: 'The server says why', code, ...more },
})

async function setUp(method: Method, { routes, app, ...more }: KitSetUp = {}) {
  const email = { type: 'email', address: 'ada@example.com', verified_at: 1_700_000_000 }
  const user = wireUser('did:privy:u1', { linked_accounts: [method.account, email] })
  const window = Object.assign(new EventTarget(), { document: new EventTarget() })
  const set = await kitWithPerson({
    ...more,
    page: testPage({ window: window as unknown as Window }),
    accounts: [method.account, email],
    app: { ...method.app, email_auth: false, ...app },
    routes: {
      [methods[0]?.init ?? '']: { body: { success: true } },
      [methods[1]?.init ?? '']: {
        body: { channel_token: 'channel-1', connect_uri: 'https://farcaster.example/connect' },
      },
      '/api/v1/farcaster/status': { body: { state: 'completed', message: 'm', signature: '0x1', fid } },
      [method.authenticate]: { body: await sessionBody(testClock(), { user, is_new_user: true }) },
      [method.transfer]: { body: user },
      ...routes,
    },
  })
  const shown = () =>
    ({ id: set.person.scene?.screen.id, ...set.person.scene?.props }) as Record<string, unknown>
  const begin = async (script: Step[]) => {
    const outcome = set.kit.login().then(
      (user) => ({ user, error: undefined }),
      (error: KitError) => ({ user: undefined, error }),
    )
    await set.person.follow(script)
    return { outcome }
  }
  return { ...set, shown, begin }
}

describe.each(methods)('$name', (method) => {
  const { init, authenticate, transfer, begin: first, go } = method

  test.each([
    ['allowlist_rejected', 401, init, 'allowlist'],
    ['max_accounts_reached', 403, authenticate, 'user-limit'],
    ['user_does_not_exist', 400, authenticate, 'account-not-found'],
    ['signup_disabled', 403, authenticate, 'account-not-found'],
  ])('%s: a screen of its own, which leads back to the beginning', async (code, status, path, screen) => {
    const set = await setUp(method, { routes: { [path]: refusal(code, status) } })
    const refused: Step[] = [first, ...(path === init ? [] : [go])]
    // By its own button, and by the one in the header.
    await set.begin([...refused, [screen, 'again'], { on: 'landing' }, ...refused, [screen, 'back']])
    expect(set.shown().id).toBe('landing')
    expect(set.errors).toMatchObject([{ code }, { code }])
    expect(set.kit.user).toBeNull()
  })

  test('the allowlist speaks in the host’s words where it has some, else in the app’s', async () => {
    const set = await setUp(method, {
      app: {
        allowlist_config: { error_title: 'Members only', error_detail: 'Ask a member', cta_text: 'Apply' },
      },
      options: {
        config: { allowlistConfig: { errorTitle: 'Not yet', errorCtaLink: 'javascript:alert(1)' } },
      },
      routes: { [init]: refusal('allowlist_rejected', 401) },
    })
    await set.begin([first, { on: 'allowlist' }])
    expect(set.shown()).toMatchObject({ title: 'Not yet', detail: 'Ask a member', buttonText: 'Apply' })
    expect(set.shown().link).toBeUndefined()
  })

  test('a method that is switched off: the server says so', async () => {
    const set = await setUp(method, { routes: { [init]: refusal('disallowed_login_method', 403) } })
    await set.begin([first, { wait: 100 }])
    const { title, detail, action, retryable } = set.shown()
    expect(title).toBe('Not allowed')
    expect(['The server says why', 'Try another method']).toContain(detail)
    expect(action === 'close' || retryable === false).toBe(true)
  })

  test('terms that are required are accepted before anybody is in', async () => {
    const accepted = wireUser('did:privy:u1', { linked_accounts: [method.account], has_accepted_terms: true })
    const set = await setUp(method, {
      app: { require_users_accept_terms: true, terms_and_conditions_url: 'https://app.example/terms' },
      routes: { [paths.terms]: { body: accepted } },
    })
    const { outcome } = await set.begin([first, go, { on: 'terms' }])
    expect(set.kit.user).toBeNull()
    await set.person.follow([['terms', 'accept'], { wait: 3_000 }])
    expect((await outcome).user?.hasAcceptedTerms).toBe(true)
  })

  test('terms that could not be accepted can’t be closed, and are asked for again', async () => {
    const refused = { status: 400, body: { error: 'Not now', code: 'invalid_data' } }
    const set = await setUp(method, {
      app: { require_users_accept_terms: true },
      routes: { [paths.terms]: refused },
    })
    const { outcome } = await set.begin([
      first,
      go,
      ['terms', 'accept'],
      {
        on: 'failure',
        expect: (props) => {
          expect(props).toMatchObject({ action: 'retry' })
          expect(set.person.scene && isClosable(set.person.scene)).toBe(false)
        },
        answer: 'retry',
      },
      ['terms', 'decline'],
      { wait: 500 },
    ])
    expect((await outcome).error?.code).toBe('terms_not_accepted')
  })

  test('who declines the terms is logged out', async () => {
    const set = await setUp(method, { app: { require_users_accept_terms: true } })
    const { outcome } = await set.begin([first, go, ['terms', 'decline'], { wait: 500 }])
    expect((await outcome).error?.code).toBe('terms_not_accepted')
    expect(set.api.to(paths.logout)).toHaveLength(1)
    expect(await set.kit.getAccessToken()).toBeNull()
  })

  describe('an account that belongs to another login', () => {
    const offer = (otherUser: object): Reply =>
      refusal('account_transfer_required', 400, {
        data: { nonce: 'n-1', subject: 's', account: { displayName: 'Ada' }, otherUser },
      })
    const withWallet = { [authenticate]: offer({ embeddedWalletAddress: walletAddress }) }

    test('is said to be so, and its wallet shown before it is deleted', async () => {
      const set = await setUp(method, { routes: withWallet })
      const { outcome } = await set.begin([first, go, { on: 'link-conflict' }])
      expect(set.shown()).toMatchObject({
        page: 'ask',
        title: method.conflict,
        account: 'Ada',
        walletAddress,
      })
      await set.person.follow([
        ['link-conflict', 'continue'],
        {
          on: 'link-conflict',
          expect: (props) => expect(props).toMatchObject({ page: 'check', walletAddress }),
        },
        ['link-conflict', 'back'],
        { on: 'link-conflict', expect: (props) => expect(props.page).toBe('ask') },
        ['link-conflict', 'continue'],
        ['link-conflict', 'transfer'],
      ])
      expect(set.api.to(transfer)[0]?.body).toMatchObject({ nonce: 'n-1' })
      expect(set.shown()).toMatchObject({ id: 'link-conflict', done: true })
      await set.clock.advance(999)
      expect(set.kit.isModalOpen).toBe(true)
      await set.clock.advance(1)
      expect(set.kit.isModalOpen).toBe(false)
      expect((await outcome).user?.id).toBe('did:privy:u1')
    })

    test('without a wallet it is asked once', async () => {
      const set = await setUp(method, { routes: { [authenticate]: offer({}) } })
      const { outcome } = await set.begin([first, go, ['link-conflict', 'transfer'], { wait: 1_500 }])
      expect(set.api.to(transfer)).toHaveLength(1)
      expect((await outcome).user?.id).toBe('did:privy:u1')
    })

    test.each(['decline', 'back'])('is left alone by whoever says no (%s)', async (answer) => {
      const set = await setUp(method, { routes: withWallet })
      await set.begin([first, go, ['link-conflict', answer]])
      expect(set.shown().id).toBe('landing')
      expect(set.api.to(transfer)).toEqual([])
    })

    test('a transfer that fails is said so, and can be tried again', async () => {
      const set = await setUp(method, {
        routes: { ...withWallet, [transfer]: [refusal('too_many_requests', 429), { body: wireUser() }] },
      })
      const { outcome } = await set.begin([
        ...[first, go, ['link-conflict', 'continue'] as Step, ['link-conflict', 'transfer'] as Step],
        { on: 'failure', expect: (props) => expect(props.title).toBe('Request failed'), answer: 'retry' },
        ['link-conflict', 'transfer'],
        { wait: 1_500 },
      ])
      expect((await outcome).user?.id).toBe('did:privy:u1')
    })
  })

  test('a success that nothing follows closes by itself in time', async () => {
    const set = await setUp(method)
    await set.begin([first])
    if ('wait' in go) await set.clock.advance(0)
    else await set.person.follow([go])
    for (let waited = 0; set.api.to(authenticate).length === 0 && waited < 5_000; waited += 100)
      await set.clock.advance(100)
    await set.clock.advance(method.success - 200)
    expect(set.kit.isModalOpen).toBe(true)
    await set.clock.advance(300)
    expect(set.kit.isModalOpen).toBe(false)
  })
})

test('a region to which no codes are sent', async () => {
  const [sms] = methods as [Method]
  const set = await setUp(sms, { routes: { [sms.init]: refusal('not_supported') } })
  await set.begin([sms.begin, { on: 'failure' }])
  expect(set.shown()).toMatchObject({
    title: 'This region is not supported',
    detail: 'SMS authentication from this region is not available',
    action: 'close',
  })
})
