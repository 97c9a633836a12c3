import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { KitError } from '../../../src/errors/kit-error.ts'
// Loaded beforehand, so that no test waits for the loading of what the kit loads lazily.
import '../../../src/login/farcaster/service.ts'
import '../../../src/login/farcaster/flow.ts'
import { type Call, type Reply, sessionBody, wireUser } from '../../support/api.ts'
import { settled, testClock } from '../../support/clock.ts'
import { type KitSetUp, kitWithPerson } from '../../support/kit.ts'
import { testPage } from '../../support/page.ts'
import type { Step } from '../../support/person.ts'

const init = '/api/v1/farcaster/init'
const status = '/api/v1/farcaster/status'
const authenticate = '/api/v1/farcaster/authenticate'
const transfer = '/api/v1/farcaster/transfer'

const account = {
  type: 'farcaster',
  fid: 1_001,
  owner_address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  username: 'ada',
  display_name: 'Ada',
  profile_picture_url: 'https://example.com/ada.png',
  verified_at: 1_700_000_000,
}
const uri = 'https://farcaster.xyz/~/siwf?channelToken=23W59BKK'
const channel = { channel_token: 'known-to-this-page', connect_uri: uri }
const pending: Reply = { body: { state: 'pending', nonce: 'n' } }
const completed: Reply = {
  body: { state: 'completed', nonce: 'n', message: 'text', signature: '0x12', fid: 1_001, username: 'ada' },
}
const refusal = (code: string, more: object = {}, httpStatus = 400): Reply => ({
  status: httpStatus,
  body: { error: 'No', code, ...more },
})

beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}))
afterEach(() => vi.restoreAllMocks())

/** A page that a person can leave and come back to. */
function livingPage(userAgent = 'Mozilla/5.0 (X11; Linux x64) Chrome/156.0') {
  const document = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  const window = Object.assign(new EventTarget(), { document }) as unknown as Window
  const show = (visibilityState: string) => {
    document.visibilityState = visibilityState
    document.dispatchEvent(new Event('visibilitychange'))
  }
  return { page: testPage({ userAgent, window }), window, show }
}

async function setUp({ routes, page, ...more }: KitSetUp = {}) {
  const living = livingPage()
  const user = wireUser('did:privy:u1', { linked_accounts: [account] })
  const set = await kitWithPerson({
    app: { farcaster_auth: true, email_auth: true },
    page: page ?? living.page,
    routes: {
      [init]: { body: channel },
      [status]: pending,
      [authenticate]: { body: await sessionBody(testClock(), { user, is_new_user: true }) },
      ...routes,
    },
    accounts: [account],
    ...more,
  })
  const login = (script: Step[], wishes = {}) => {
    const outcome = set.kit.login(wishes).then(
      (person) => ({ user: person, error: undefined }),
      (error: KitError) => ({ user: undefined, error }),
    )
    return set.person.follow(script).then(() => outcome)
  }
  return { ...set, ...living, login }
}
const chosen: Step = ['landing', { method: 'farcaster' }]
/** Lets the person look at the screen and nothing else. */
const seeing = (look: (props: Record<string, unknown>) => void): Step => ({
  on: 'awaiting-farcaster',
  expect: look,
})
const props = (state: string, more: object = {}) =>
  seeing((shown) => expect(shown).toMatchObject({ state, ...more }))

describe('logging in with Farcaster', () => {
  test('goes from the code over the approval to a person', async () => {
    const { login, api, person, kit } = await setUp({ routes: { [status]: [pending, pending, completed] } })
    const heard: unknown[] = []
    kit.on('login', (detail) => heard.push(detail))
    const { user } = await login([chosen, props('waiting', { uri, mobile: false }), { wait: 10_000 }])
    expect(user?.farcaster).toMatchObject({
      fid: 1_001,
      ownerAddress: account.owner_address,
      username: 'ada',
      displayName: 'Ada',
      pfp: account.profile_picture_url,
      signerPublicKey: undefined,
    })
    expect(person.trace().join(' ')).toContain(
      'landing > method awaiting-farcaster awaiting-farcaster awaiting-farcaster',
    )
    expect(api.to(init)[0]?.body).toEqual({ relying_party: 'https://host.example' })
    expect(api.to(authenticate)[0]?.body).toEqual({
      channel_token: 'known-to-this-page',
      message: 'text',
      signature: '0x12',
      fid: 1_001,
      mode: 'login-or-sign-up',
    })
    expect(heard).toMatchObject([{ loginMethod: 'farcaster', isNewUser: true, loginAccount: { fid: 1_001 } }])
    expect(person.ends).toEqual([{ completed: true }])
  })

  test('asks every 2 s with the channel’s token, and for nothing that is cached', async () => {
    const { login, api } = await setUp()
    await login([chosen, props('waiting'), { wait: 9_000 }, { on: 'awaiting-farcaster', close: true }])
    const asked = api.to(status)
    expect(asked.length).toBeGreaterThanOrEqual(4)
    expect(new Set(gaps(asked))).toEqual(new Set([2_000]))
    expect(asked[0]).toMatchObject({
      method: 'GET',
      headers: { 'farcaster-channel-token': 'known-to-this-page' },
    })
  })

  test('gives up after 120 s and sixty questions, and a new try gets a new code', async () => {
    const { login, api, errors, clock } = await setUp()
    let shownAt = 0
    const { error } = await login([
      chosen,
      seeing(() => {
        shownAt = clock.now()
      }),
      { wait: 119_999 },
      props('waiting'),
      { wait: 1 },
      props('failed', {
        title: 'Timed out',
        detail: 'The request timed out. Try again.',
        retryable: true,
        expired: { uri },
      }),
      ['awaiting-farcaster', 'retry'],
      props('waiting'),
      { on: 'awaiting-farcaster', close: true },
    ])
    const first = api.to(status).filter(({ at }) => at <= shownAt + 120_000)
    expect(first).toHaveLength(60)
    expect(first.at(-1)?.at).toBe(shownAt + 120_000)
    expect(api.to(init)).toHaveLength(2)
    expect(errors.map(({ code }) => code)).toEqual(['farcaster_timeout'])
    expect(error?.code).toBe('exited_auth_flow')
  })

  test('nobody goes on asking once the dialog is closed, or the person has gone back', async () => {
    for (const leave of [
      { on: 'awaiting-farcaster', close: true } as Step,
      ['awaiting-farcaster', 'back'] as Step,
    ]) {
      const { login, api, clock, person } = await setUp()
      const after = Array.isArray(leave) ? [{ on: 'landing', close: true } as Step] : []
      await login([chosen, props('waiting'), { wait: 4_500 }, leave, ...after])
      const before = api.to(status).length
      await clock.advance(60_000)
      expect(api.to(status)).toHaveLength(before)
      expect(clock.sleeping).toBe(0)
      expect(person.ends).toHaveLength(1)
    }
  })

  test('a question that gets lost is not the end', async () => {
    const lost: Reply[] = [
      'dropped',
      { status: 503, body: { error: 'down' } },
      { status: 200, text: '<html>Log in to the Wi-Fi</html>' },
      { status: 403, text: '<html>blocked</html>' },
      { status: 429, body: { error: 'slow down' } },
      { body: { state: 'half way there' } },
      { body: { state: 'completed' } },
      completed,
    ]
    const { login, errors, api } = await setUp({ routes: { [status]: lost } })
    const { user } = await login([chosen, { wait: 30_000 }])
    expect(user?.farcaster?.fid).toBe(1_001)
    expect(api.to(status)).toHaveLength(8)
    expect(errors).toEqual([])
  })

  test('a question that is never answered does not keep the next one waiting for long', async () => {
    const { login, clock, person } = await setUp({ routes: { [status]: 'silent' } })
    const done = login([chosen, props('waiting')])
    await clock.advance(125_000)
    expect(person.scene?.props).toMatchObject({ state: 'failed', title: 'Timed out' })
    person.close()
    await done
  })

  test('somebody who comes back to the page finds it asking at once', async () => {
    const { login, api, clock, window, show, person } = await setUp()
    const running = login([chosen, props('waiting')])
    while (person.scene?.screen.id !== 'awaiting-farcaster') await settled()
    const came = async (how: () => void) => {
      const before = api.to(status).length
      how()
      await settled()
      return api.to(status).length - before
    }
    await clock.advance(500)
    expect(await came(() => show('hidden'))).toBe(0)
    expect(await came(() => show('visible'))).toBe(1)
    expect(await came(() => window.dispatchEvent(new Event('online')))).toBe(1)
    expect(await came(() => window.dispatchEvent(new Event('pageshow')))).toBe(1)
    person.close()
    await running
  })

  test('a page that stood still while the app was open asks once more before it gives up', async () => {
    let approvedIn: number | undefined
    const { login, clock } = await setUp({
      routes: {
        [status]: (call) => (approvedIn !== undefined && call.at >= approvedIn ? completed : pending),
      },
    })
    approvedIn = clock.now() + 100_000
    // A phone stops the timers of a page behind another app: the next one comes when the time is long over.
    const sleep = clock.sleep
    clock.sleep = (ms, signal) => sleep(ms === 2_000 ? 200_000 : ms, signal)
    const { user } = await login([chosen, { wait: 210_000 }])
    expect(user?.farcaster?.fid).toBe(1_001)
  })

  test('on a phone the app is opened by a link', async () => {
    const { page } = livingPage(
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Mobile/15E148 Safari/604.1',
    )
    const { login } = await setUp({ page })
    await login([chosen, props('waiting', { mobile: true, uri }), { on: 'awaiting-farcaster', close: true }])
  })

  test('asks for existing users only where sign-up is disabled', async () => {
    const { login, api } = await setUp({ routes: { [status]: completed } })
    await login([chosen, { wait: 10_000 }], { disableSignup: true })
    expect(api.to(authenticate)[0]?.body).toMatchObject({ mode: 'no-signup' })
  })
})

describe('when Farcaster fails', () => {
  const shownFor = async (routes: NonNullable<KitSetUp['routes']>) => {
    let shown: Record<string, unknown> = {}
    const set = await setUp({ routes })
    const { error } = await set.login([
      chosen,
      { wait: 12_000 },
      seeing((failed) => {
        shown = failed
      }),
      { on: 'awaiting-farcaster', close: true },
    ])
    return { ...set, shown, error }
  }

  test.each<[string, NonNullable<KitSetUp['routes']>, object, string]>([
    [
      'the start',
      { [init]: refusal('invalid_data') },
      { title: 'Connect failed', retryable: true },
      'invalid_data',
    ],
    [
      'an address that is no link',
      { [init]: { body: { ...channel, connect_uri: 'javascript:alert(1)' } } },
      { title: 'Connect failed' },
      'malformed_response',
    ],
    [
      'a method that is off',
      { [init]: refusal('disallowed_login_method', {}, 403) },
      { title: 'Not allowed', retryable: false },
      'disallowed_login_method',
    ],
    [
      'too many tries',
      { [init]: refusal('too_many_requests', {}, 429) },
      { title: 'Request failed', detail: 'Too many attempts.' },
      'too_many_requests',
    ],
    [
      'a channel that is gone',
      { [status]: refusal('invalid_state') },
      { title: 'Connect failed', detail: 'Something went wrong. Please try again.' },
      'invalid_state',
    ],
    [
      'a refusal by the person',
      { [status]: { body: { state: 'rejected' } } },
      { title: 'Request rejected', detail: 'The request was rejected. Please try again.', retryable: true },
      'farcaster_rejected',
    ],
    [
      'a signature that is wrong',
      { [status]: completed, [authenticate]: refusal('invalid_credentials', {}, 401) },
      { title: 'Connect failed' },
      'invalid_credentials',
    ],
    [
      'an account of somebody else',
      { [status]: completed, [authenticate]: refusal('linked_to_another_user') },
      { title: 'Authentication failed', retryable: false },
      'linked_to_another_user',
    ],
  ])('%s is told on the screen, with a way on', async (_, routes, words, code) => {
    const { shown, errors } = await shownFor(routes)
    expect(shown).toMatchObject({ state: 'failed', ...words })
    expect(errors[0]?.code).toBe(code)
  })

  test.each([
    ['allowlist_rejected', 'allowlist', 401],
    ['max_accounts_reached', 'user-limit', 403],
    ['user_does_not_exist', 'account-not-found', 400],
  ])('%s leads to the gate', async (code, screen, httpStatus) => {
    const { login, person } = await setUp({
      routes: { [status]: completed, [authenticate]: refusal(code, {}, httpStatus) },
    })
    await login([chosen, { wait: 6_000 }, { on: screen, close: true }])
    expect(person.trace().join(' ')).toContain(screen)
  })

  test('another try begins anew and gets there', async () => {
    const { login, api } = await setUp({
      routes: { [init]: [refusal('invalid_data'), { body: channel }], [status]: completed },
    })
    const { user } = await login([chosen, ['awaiting-farcaster', 'retry'], { wait: 10_000 }])
    expect(user?.farcaster?.fid).toBe(1_001)
    expect(api.to(init)).toHaveLength(2)
  })

  test('an account of somebody else who may give it up is taken over', async () => {
    const data = {
      nonce: 'transfer-nonce',
      subject: '1001',
      account: { type: 'farcaster', displayName: '@ada' },
      otherUser: { embeddedWalletAddress: '0xAB', farcasterEmbeddedAddress: '0xAB' },
    }
    const { login, api } = await setUp({
      routes: {
        [status]: completed,
        [authenticate]: refusal('account_transfer_required', { data }),
        [transfer]: { body: wireUser('did:privy:u1', { linked_accounts: [account] }) },
      },
    })
    await login([
      chosen,
      { wait: 3_000 },
      {
        on: 'link-conflict',
        expect: (shown) =>
          expect(shown).toMatchObject({ account: '@ada', title: expect.stringContaining('Farcaster') }),
        answer: 'transfer',
      },
      { wait: 5_000 },
    ])
    expect(api.to(transfer)[0]?.body).toEqual({
      nonce: 'transfer-nonce',
      farcaster_id: '1001',
      farcaster_embedded_address: '0xAB',
    })
  })
})

describe('without our screens', () => {
  test('a host shows the address and hears of the person', async () => {
    const { kit, clock } = await setUp({ routes: { [status]: [pending, completed] } })
    const seen: string[] = []
    kit.farcaster.state.subscribe(() => seen.push(kit.farcaster.state.get().status))
    const { uri: shown, done } = await kit.farcaster.connect()
    expect(shown).toBe(uri)
    await clock.advance(5_000)
    expect((await done).farcaster?.fid).toBe(1_001)
    expect(kit.authenticated).toBe(true)
    expect(seen).toEqual(['loading', 'awaiting-approval', 'loading', 'done'])
  })

  test('those who ask at once share one request, and a later one takes its place', async () => {
    const { kit, api, clock } = await setUp()
    const [one, two] = await Promise.all([kit.farcaster.connect(), kit.farcaster.connect()])
    expect([one.uri, two.uri]).toEqual([uri, uri])
    expect(api.to(init)).toHaveLength(1)
    const later = await kit.farcaster.connect()
    expect(api.to(init)).toHaveLength(2)
    await expect(one.done).rejects.toMatchObject({ code: 'flow_in_progress' })
    await expect(two.done).rejects.toMatchObject({ code: 'flow_in_progress' })
    const outcome = expect(later.done).rejects.toMatchObject({ code: 'farcaster_timeout' })
    await clock.advance(121_000)
    await outcome
    expect(kit.farcaster.state.get()).toMatchObject({ status: 'error' })
  })

  test('a host may stop waiting', async () => {
    const { kit, clock } = await setUp()
    const stop = new AbortController()
    const { done } = await kit.farcaster.connect({ signal: stop.signal })
    stop.abort(new Error('Enough'))
    await expect(done).rejects.toThrow('Enough')
    await clock.advance(10_000)
    expect(clock.sleeping).toBe(0)
  })

  test('a page inside the Farcaster app logs in with what the app has signed', async () => {
    const { kit, api } = await setUp({
      routes: {
        '/api/v2/farcaster/init': {
          body: { nonce: 'abcdef0123456789', expires_at: '2026-01-01T00:10:00.000Z' },
        },
        '/api/v2/farcaster/authenticate': { body: await sessionBody(testClock()) },
      },
    })
    expect(await kit.farcaster.initLoginToFrame()).toEqual({ nonce: 'abcdef0123456789' })
    await expect(kit.farcaster.loginToFrame({ message: 'Hello', signature: '0x12' })).rejects.toMatchObject({
      code: 'invalid_data',
    })
    const message = 'host.example wants …\nResources:\n- farcaster://fid/1001'
    await kit.farcaster.loginToFrame({ message, signature: '0x12' })
    expect(api.to('/api/v2/farcaster/authenticate')[0]?.body).toEqual({
      message,
      signature: '0x12',
      fid: 1_001,
      mode: 'login-or-sign-up',
    })
    expect(kit.authenticated).toBe(true)
  })
})

const gaps = (calls: readonly Call[]) => calls.slice(1).map(({ at }, i) => at - (calls[i]?.at ?? 0))
