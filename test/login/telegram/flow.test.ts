import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import '../../../src/login/telegram/service.ts'
import '../../../src/login/telegram/flow.ts'
import type { KitError } from '../../../src/errors/kit-error.ts'
import { type Reply, sessionBody, wireUser } from '../../support/api.ts'
import { settled, testClock } from '../../support/clock.ts'
import { type KitSetUp, kitWithPerson } from '../../support/kit.ts'
import type { Step } from '../../support/person.ts'
import { telegramAccount, telegramConfig, telegramPage, telegramResult } from '../../support/telegram.ts'

const authenticate = '/api/v1/telegram/authenticate'
const transfer = '/api/v1/telegram/transfer'
const chosen: Step = ['landing', { method: 'telegram' }]

beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}))
afterEach(() => vi.restoreAllMocks())

async function setUp({
  telegram = telegramPage(),
  ...more
}: KitSetUp & { telegram?: ReturnType<typeof telegramPage> } = {}) {
  const user = wireUser('did:privy:u1', { linked_accounts: [telegramAccount] })
  const answer = { body: await sessionBody(testClock(), { user, is_new_user: true }) }
  const set = await kitWithPerson({
    ...more,
    page: telegram.page,
    app: { ...telegramConfig, ...more.app },
    accounts: [telegramAccount],
    routes: { [authenticate]: answer, ...more.routes },
  })
  const login = (wishes = {}) => {
    const outcome = set.kit.login(wishes).then(
      (user) => ({ user, error: undefined }),
      (error: KitError) => ({ user: undefined, error }),
    )
    return { outcome }
  }
  const shown = () =>
    ({ id: set.person.scene?.screen.id, ...set.person.scene?.props }) as Record<string, unknown>
  const answerAs = async (result: unknown) => {
    await settled()
    telegram.asked.at(-1)?.answer(result)
    await settled()
  }
  return { ...set, telegram, login, shown, answerAs }
}

describe('logging in with Telegram', () => {
  test('goes from the row over the window to a person, and says that it succeeded', async () => {
    const { login, person, telegram, answerAs, shown, clock, api, kit } = await setUp()
    const heard: unknown[] = []
    kit.on('login', (detail) => heard.push(detail))
    const { outcome } = login()
    await person.follow([chosen])
    expect(shown()).toMatchObject({ id: 'telegram', state: 'window' })
    expect(telegram.scripts).toMatchObject([
      {
        src: 'https://api.example/js/telegram-login.js',
        attributes: {
          'data-telegram-login': 'test_bot',
          'data-request-access': 'write',
          'data-lang': 'en',
        },
      },
    ])
    expect(telegram.asked[0]?.options).toEqual({
      bot_id: '7000000001',
      request_access: true,
      lang: 'en',
      return_to: 'https://host.example/',
    })
    await answerAs(telegramResult)
    expect(shown()).toMatchObject({ id: 'telegram', state: 'done' })
    await clock.advance(1_399)
    expect(shown()).toMatchObject({ id: 'telegram', state: 'done' })
    await clock.advance(2_000)
    const { user } = await outcome
    expect(user?.telegram).toMatchObject({ telegramUserId: '42', username: 'annlee' })
    expect(api.to(authenticate)[0]?.body).toEqual({
      telegram_auth_result: telegramResult,
      mode: 'login-or-sign-up',
    })
    expect(heard).toMatchObject([
      { loginMethod: 'telegram', isNewUser: true, loginAccount: { type: 'telegram', telegramUserId: '42' } },
    ])
    expect(person.ends).toEqual([{ completed: true }])
  })

  test('uses the window that the press has opened, under the name by which the script finds it', async () => {
    const { login, person, telegram, answerAs, clock } = await setUp()
    const { outcome } = login()
    await person.follow([chosen])
    expect(telegram.windows).toMatchObject([{ name: 'telegram_oauth_bot7000000001', closed: false }])
    await answerAs(telegramResult)
    expect(telegram.windows).toMatchObject([{ closed: true }])
    await clock.advance(4_000)
    await outcome
  })

  test('has its script there before anybody presses the row', async () => {
    const { login, clock, telegram, person } = await setUp()
    login()
    await clock.advance(2_000)
    expect(person.scene?.screen.id).toBe('landing')
    expect(telegram.scripts).toHaveLength(1)
    person.close()
  })

  test('asks for existing users only where sign-up is disabled', async () => {
    const { login, person, answerAs, api } = await setUp()
    login({ disableSignup: true })
    await person.follow([chosen])
    await answerAs(telegramResult)
    expect(api.to(authenticate)[0]?.body).toMatchObject({ mode: 'no-signup' })
    person.close()
  })

  test('sends fields as the wire has them, whatever the script makes of them', async () => {
    const { login, person, answerAs, api } = await setUp()
    login()
    await person.follow([chosen])
    await answerAs({ ...telegramResult, id: '42', auth_date: '1767225600', extra: 'x', photo_url: undefined })
    expect(api.to(authenticate)[0]?.body?.telegram_auth_result).toEqual({ ...telegramResult, extra: 'x' })
    person.close()
  })
})

describe('what goes wrong', () => {
  test.each([
    ['nothing', undefined],
    ['a refusal', false],
    ['an empty object', {}],
    ['text', 'ok'],
    ['a hash that is none', { ...telegramResult, hash: 'x' }],
    ['no person', { ...telegramResult, id: 0 }],
  ])('%s from Telegram is a login that was cancelled, and can be tried again', async (_, result) => {
    const { login, person, answerAs, shown, api, errors, telegram, clock } = await setUp()
    const { outcome } = login()
    await person.follow([chosen])
    await answerAs(result)
    expect(shown()).toMatchObject({
      id: 'telegram',
      state: 'failed',
      retryable: true,
      title: 'Authentication failed',
      detail: 'Telegram auth failed or was canceled by the client',
    })
    expect(api.to(authenticate)).toHaveLength(0)
    expect(errors).toMatchObject([{ code: 'telegram_canceled' }])
    await person.follow([['telegram', 'retry']])
    expect(telegram.windows).toHaveLength(2)
    await answerAs(telegramResult)
    await clock.advance(4_000)
    expect((await outcome).user?.id).toBe('did:privy:u1')
  })

  test('a window that nobody ever answers ends after two minutes', async () => {
    const { login, person, shown, clock, telegram, tabStorage } = await setUp()
    login()
    await person.follow([chosen])
    await clock.advance(119_000)
    expect(shown()).toMatchObject({ state: 'window' })
    await clock.advance(1_000)
    expect(shown()).toMatchObject({
      state: 'failed',
      detail: 'Telegram auth failed or was canceled by the client',
    })
    expect(telegram.windows).toMatchObject([{ closed: true }])
    expect(tabStorage.get('lk:latchkey-unit-test-app-01:telegram')).toBeUndefined()
    person.close()
  })

  test.each(['fails', 'empty', 'silent'] as const)(
    'a script that %s: Telegram was not initialized',
    async (fate) => {
      const telegram = telegramPage({ fate })
      const { login, person, shown, clock, errors, answerAs } = await setUp({ telegram })
      const { outcome } = login()
      await person.follow([chosen])
      await clock.advance(15_000)
      expect(shown()).toMatchObject({
        state: 'failed',
        retryable: true,
        detail: 'Telegram was not initialized',
      })
      expect(errors).toMatchObject([{ code: 'telegram_not_initialized' }])
      expect(telegram.windows.every(({ closed }) => closed)).toBe(true)
      telegram.control.fate = 'loads'
      await person.follow([['telegram', 'retry']])
      await answerAs(telegramResult)
      await clock.advance(4_000)
      expect((await outcome).user).toBeDefined()
    },
  )

  test('an app without a bot says so, and another try is no use', async () => {
    const { login, person, shown, telegram } = await setUp({ app: { telegram_auth_config: undefined } })
    login()
    await person.follow([chosen])
    expect(shown()).toMatchObject({
      state: 'failed',
      retryable: false,
      detail: 'Telegram Auth configuration is not loaded',
    })
    expect(telegram.scripts).toHaveLength(0)
    await person.follow([['telegram', 'back'], { on: 'landing', close: true }])
  })

  const refused = (status: number, code: string, error = 'The server says no', more = {}): Reply => ({
    status,
    body: { error, code, ...more },
  })
  test.each<[string, Reply, Record<string, unknown>]>([
    [
      'linked to somebody else',
      refused(400, 'linked_to_another_user'),
      { retryable: false, detail: 'This account has already been linked to another user.' },
    ],
    [
      'switched off',
      refused(403, 'disallowed_login_method'),
      { retryable: false, detail: 'Login with Telegram not allowed.' },
    ],
    [
      'not valid',
      refused(401, 'invalid_credentials'),
      { retryable: true, detail: 'Something went wrong. Try again.' },
    ],
    [
      'too many',
      refused(429, 'too_many_requests', 'Slow down'),
      { retryable: true, detail: 'Too many requests. Please wait before trying again.' },
    ],
    [
      'too many at Telegram',
      refused(429, 'too_many_requests', 'The rate limit of Telegram was reached'),
      { retryable: true, detail: 'Request limit reached for Telegram. Please wait a moment and try again.' },
    ],
  ])('the server’s answer "%s" is said in the specification’s words', async (_, reply, expected) => {
    const { login, person, answerAs, shown } = await setUp({ routes: { [authenticate]: reply } })
    login()
    await person.follow([chosen])
    await answerAs(telegramResult)
    expect(shown()).toMatchObject({ id: 'telegram', state: 'failed', ...expected })
    person.close()
  })

  test.each([
    ['allowlist_rejected', 401, 'allowlist'],
    ['max_accounts_reached', 403, 'user-limit'],
    ['user_does_not_exist', 400, 'account-not-found'],
  ])('%s leads to its screen', async (code, status, screen) => {
    const { login, person, answerAs, shown } = await setUp({
      routes: { [authenticate]: refused(status, code) },
    })
    login()
    await person.follow([chosen])
    await answerAs(telegramResult)
    expect(shown().id).toBe(screen)
    person.close()
  })

  test('an account of somebody else is taken over with the same data', async () => {
    const user = wireUser('did:privy:u1', { linked_accounts: [telegramAccount] })
    const { login, person, answerAs, api, clock } = await setUp({
      routes: {
        [authenticate]: refused(400, 'account_transfer_required', 'Somebody else', {
          data: { nonce: 'n1', account: { displayName: '@annlee' }, otherUser: {} },
        }),
        [transfer]: { body: user },
      },
    })
    const { outcome } = login()
    await person.follow([chosen])
    await answerAs(telegramResult)
    await person.follow([
      {
        on: 'link-conflict',
        expect: (props) =>
          expect(props).toMatchObject({
            title: 'This Telegram profile is associated with another account',
            account: '@annlee',
          }),
        answer: 'transfer',
      },
    ])
    await clock.advance(4_000)
    expect((await outcome).user?.telegram).toBeDefined()
    expect(api.to(transfer)[0]?.body).toEqual({ nonce: 'n1', telegram_auth_result: telegramResult })
  })

  test('turning back ends the window, and a late answer logs nobody in', async () => {
    const { login, person, telegram, answerAs, api } = await setUp()
    login()
    await person.follow([chosen, ['telegram', 'back']])
    expect(person.scene?.screen.id).toBe('landing')
    expect(telegram.windows).toMatchObject([{ closed: true }])
    await answerAs(telegramResult)
    expect(api.to(authenticate)).toHaveLength(0)
    person.close()
  })

  test('turning back while the server looks at what Telegram said logs nobody in', async () => {
    const { login, person, answerAs, api, kit } = await setUp({ routes: { [authenticate]: 'silent' } })
    login()
    await person.follow([chosen])
    await answerAs(telegramResult)
    await person.follow([
      { on: 'telegram', expect: ({ state }) => expect(state).toBe('checking'), answer: 'back' },
      { on: 'landing' },
    ])
    expect(api.to(authenticate)).toHaveLength(1)
    expect(kit.authenticated).toBe(false)
    person.close()
  })

  test('so does closing the dialog', async () => {
    const { login, person, telegram, answerAs, api, kit } = await setUp()
    const { outcome } = login()
    await person.follow([chosen])
    person.close()
    await answerAs(telegramResult)
    expect(telegram.windows).toMatchObject([{ closed: true }])
    expect(api.to(authenticate)).toHaveLength(0)
    expect((await outcome).error?.code).toBe('exited_auth_flow')
    expect(kit.authenticated).toBe(false)
  })

  test('a page whose policy forbids Telegram’s script does not offer Telegram', async () => {
    const { login, person, clock, shown } = await setUp({ telegram: telegramPage({ fate: 'refused' }) })
    const { outcome } = login()
    const offered = () => (shown().methods as { id: string }[]).map(({ id }) => id)
    await settled()
    expect(offered()).toContain('telegram')
    await clock.advance(5_000)
    expect(shown().id).toBe('landing')
    expect(offered()).toContain('email')
    expect(offered()).not.toContain('telegram')
    person.close()
    await outcome
  })

  test('a script that only failed to load leaves Telegram’s row where it is', async () => {
    const { login, person, clock, shown } = await setUp({ telegram: telegramPage({ fate: 'fails' }) })
    const { outcome } = login()
    await clock.advance(5_000)
    expect((shown().methods as { id: string }[]).map(({ id }) => id)).toContain('telegram')
    person.close()
    await outcome
  })

  test('two presses, or a second login() meanwhile, ask once', async () => {
    const { login, person, telegram, answerAs, clock, api } = await setUp()
    const first = login()
    const second = login()
    await person.follow([chosen])
    await answerAs(telegramResult)
    await answerAs(telegramResult)
    await clock.advance(4_000)
    expect((await first.outcome).user).toBe((await second.outcome).user)
    expect(telegram.asked).toHaveLength(1)
    expect(api.to(authenticate)).toHaveLength(1)
  })
})

describe('without our screens', () => {
  test('Telegram asks, and the state says how far it is', async () => {
    const { kit, answerAs, telegram } = await setUp()
    const states: string[] = []
    kit.telegram.state.subscribe(() => states.push(kit.telegram.state.get().status))
    await kit.telegram.prepare()
    expect(telegram.scripts).toHaveLength(1)
    const login = kit.telegram.login()
    await answerAs(telegramResult)
    expect((await login).telegram?.telegramUserId).toBe('42')
    expect(states).toEqual(['loading', 'done'])
  })

  test('a failure is thrown and kept', async () => {
    const { kit, answerAs } = await setUp()
    const login = kit.telegram.login().catch((cause: KitError) => cause.code)
    await answerAs(false)
    expect(await login).toBe('telegram_canceled')
    expect(kit.telegram.state.get()).toMatchObject({ status: 'error', error: { code: 'telegram_canceled' } })
  })
})
