import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
// Loaded beforehand, so that no test waits for the loading of what the kit loads lazily.
import '../../../src/login/code/sms-service.ts'
import '../../../src/login/code/sms-flow.ts'
import type { KitError } from '../../../src/errors/kit-error.ts'
import type { LandingMethod } from '../../../src/login/landing/landing.tsx'
import { type Reply, sessionBody, wireUser } from '../../support/api.ts'
import { settled, testClock } from '../../support/clock.ts'
import { type KitSetUp, kitWithPerson } from '../../support/kit.ts'
import type { Step } from '../../support/person.ts'

const init = '/api/v1/passwordless_sms/init'
const authenticate = '/api/v1/passwordless_sms/authenticate'
const transfer = '/api/v1/passwordless_sms/transfer'
const number = '+4915112345678'
const phone = { type: 'phone', phoneNumber: number, verified_at: 1_700_000_000 }

beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}))
afterEach(() => vi.restoreAllMocks())

async function setUp({ routes, app, accounts = [phone], ...more }: KitSetUp = {}) {
  const user = wireUser('did:privy:u1', { linked_accounts: accounts })
  const set = await kitWithPerson({
    ...more,
    accounts,
    app: { sms_auth: true, ...app },
    routes: {
      [init]: { body: { success: true } },
      [authenticate]: { body: await sessionBody(testClock(), { user, is_new_user: true }) },
      ...routes,
    },
  })
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
  ['landing', { phone: number }],
  ['enter-code', { code: '123456' }],
]
const refusal = (code: string, status = 400, more = {}) => ({
  status,
  body: { error: 'The server says why', code, ...more },
})
const methods = (props: Record<string, unknown>) =>
  (props.methods as LandingMethod[]).map(({ id, kind, recent }) => ({ id, kind, recent }))

describe('logging in by SMS', () => {
  test('goes from the number over the code to a person', async () => {
    const { login, api, person, kit } = await setUp()
    const heard: unknown[] = []
    kit.on('login', (detail) => heard.push(detail))
    const seen: unknown[] = []
    const { user } = await login([
      ['landing', { phone: number }],
      { on: 'enter-code', expect: (props) => seen.push(props), answer: { code: '123456' } },
      { wait: 2000 },
    ])
    expect(user?.phone?.number).toBe(number)
    expect(seen).toMatchObject([{ via: 'sms', to: '+49 1511 2345678', resendIn: 30_000 }])
    expect(person.ends).toEqual([{ completed: true }])
    expect(api.to(init)[0]?.body).toEqual({ phoneNumber: number })
    expect(api.to(init)[0]?.headers['privy-ui']).toBe('t')
    expect(api.to(authenticate)[0]?.body).toEqual({
      phoneNumber: number,
      code: '123456',
      mode: 'login-or-sign-up',
    })
    expect(heard).toMatchObject([
      { isNewUser: true, loginMethod: 'sms', loginAccount: { type: 'phone', number } },
    ])
  })

  test('asks for existing users only where sign-up is disabled', async () => {
    const { login, api } = await setUp()
    await login([...typed, { wait: 2000 }], { disableSignup: true })
    expect(api.to(authenticate)[0]?.body).toMatchObject({ mode: 'no-signup' })
  })

  test('is a field where it is the only input or the prefilled one, else a row that opens it', async () => {
    const kinds: unknown[] = []
    const look: Step = { on: 'landing', expect: (props) => kinds.push(methods(props)), close: true }
    const alone = await setUp({ app: { email_auth: false } })
    await alone.login([look])
    const both = await setUp()
    await both.login([
      { on: 'landing', expect: (props) => kinds.push(methods(props)), answer: { method: 'sms' } },
      look,
    ])
    const prefilled = await setUp({ options: { config: { intl: { defaultCountry: 'DE' } } } })
    const seen: unknown[] = []
    await prefilled.login([{ on: 'landing', expect: (props) => seen.push(props), close: true }], {
      prefill: { type: 'phone', value: number },
    })
    const field = { id: 'sms', kind: 'phone-field', recent: false }
    expect(kinds[0]).toEqual([field])
    expect(kinds[1]).toContainEqual({ id: 'sms', kind: 'row', recent: false })
    expect(kinds[2]).toContainEqual(field)
    expect(seen).toMatchObject([{ phone: { value: number, country: 'DE' } }])
    expect(methods(seen[0] as Record<string, unknown>)).toContainEqual(field)
  })

  test('goes back from the code to the number, and sends another one after 30 s', async () => {
    const { login, api, person } = await setUp()
    await login([
      ['landing', { phone: number }],
      { wait: 40_000 },
      ['enter-code', 'resend'],
      ['enter-code', 'back'],
      { on: 'landing', expect: (props) => expect(props.phone).toMatchObject({ value: number }), close: true },
    ])
    expect(api.to(init)).toHaveLength(2)
    expect(person.ends).toEqual([{ completed: false, code: 'exited_auth_flow' }])
  })

  test('is tagged as the one used last', async () => {
    const { login, kit } = await setUp()
    await login([...typed, { wait: 2000 }])
    await kit.logout()
    const seen: unknown[] = []
    await login([{ on: 'landing', expect: (props) => seen.push(...methods(props)), close: true }])
    expect(seen[0]).toMatchObject({ id: 'sms', recent: true })
  })
})

describe('when the SMS can’t be sent', () => {
  const sends = async (reply: Reply) => {
    const set = await setUp({ routes: { [init]: reply } })
    void set.login([['landing', { phone: number }]])
    await set.clock.advance(25_000)
    await set.person.follow([])
    return set
  }
  test.each([
    [
      'not_supported',
      400,
      'This region is not supported',
      'SMS authentication from this region is not available',
    ],
    ['too_many_requests', 429, 'Request failed', 'Too many attempts.'],
    ['disallowed_login_method', 403, 'Not allowed', 'The server says why'],
    ['brand_new_code', 400, 'Something went wrong', 'The server says why'],
  ])('%s: a screen', async (code, status, title, detail) => {
    const { person, errors } = await sends(refusal(code, status))
    expect(person.scene).toMatchObject({ screen: { id: 'failure' }, props: { title, detail } })
    expect(errors[0]?.code).toBe(code)
  })

  test.each([
    ['invalid_data', 422, 'Please enter a valid phone number.'],
    ['user_unsubscribed', 400, 'This number has opted out of text messages.'],
  ])('%s: words under the number', async (code, status, words) => {
    const { person, errors } = await sends(refusal(code, status))
    expect(person.scene).toMatchObject({
      screen: { id: 'landing' },
      props: { phone: { value: number, error: expect.stringContaining(words) } },
    })
    expect(errors[0]?.code).toBe(code)
  })

  test('a gateway that is down is tried again by the kit, then by the person', async () => {
    const set = await setUp({
      routes: {
        [init]: [...Array(4).fill({ status: 503, body: { error: 'x' } }), { body: { success: true } }],
      },
    })
    void set.login([['landing', { phone: number }]])
    await set.clock.advance(25_000)
    await set.person.follow([['failure', 'retry'], { on: 'enter-code' }])
    expect(set.api.to(init)).toHaveLength(5)
  })
})

describe('a number of somebody else', () => {
  test('is taken over after a question', async () => {
    const data = { nonce: 'n1', subject: number, account: { displayName: null }, otherUser: {} }
    const { login, api, kit } = await setUp({
      routes: {
        [authenticate]: refusal('account_transfer_required', 400, { data }),
        [transfer]: { body: wireUser('did:privy:u1', { linked_accounts: [phone] }) },
      },
    })
    const heard: unknown[] = []
    kit.on('login', (detail) => heard.push(detail))
    const seen: unknown[] = []
    await login([
      ...typed,
      { on: 'link-conflict', expect: (props) => seen.push(props), answer: 'transfer' },
      { wait: 3000 },
    ])
    expect(seen).toMatchObject([
      { title: 'This phone number is associated with another account', account: '+49 1511 2345678' },
    ])
    expect(api.to(transfer)[0]?.body).toEqual({ nonce: 'n1', phoneNumber: number })
  })
})

describe('kit.sms', () => {
  test('logs in without any screen', async () => {
    const { kit, api, person } = await setUp()
    const states: string[] = []
    kit.sms.state.subscribe(() => states.push(kit.sms.state.get().status))
    await kit.sms.sendCode({
      phoneNumber: ' +49 (151) 123-456-78 ',
      captchaToken: 'token',
      disableSignup: true,
    })
    const user = await kit.sms.loginWithCode({ code: ' 123456 ' })
    expect(user.phone?.number).toBe(number)
    expect(api.to(init)[0]?.body).toEqual({ phoneNumber: '+49 (151) 123-456-78', token: 'token' })
    expect(api.to(authenticate)[0]?.body).toMatchObject({ code: '123456', mode: 'no-signup' })
    expect(states).toEqual(['sending-code', 'awaiting-code-input', 'submitting-code', 'done'])
    expect(person.trace()).toEqual([])
  })

  test('refuses what is no number and no code, and a code that nobody asked for', async () => {
    const { kit, api } = await setUp()
    await expect(kit.sms.sendCode({ phoneNumber: ' ' })).rejects.toMatchObject({ code: 'invalid_data' })
    await expect(kit.sms.loginWithCode({ code: '123456' })).rejects.toMatchObject({ code: 'invalid_state' })
    await kit.sms.sendCode({ phoneNumber: number })
    await expect(kit.sms.loginWithCode({ code: '12a456' })).rejects.toMatchObject({
      code: 'invalid_data',
      shortMessage: 'Code should be numeric',
    })
    expect(kit.sms.state.get().status).toBe('error')
    expect(api.to(authenticate)).toEqual([])
    await settled()
  })
})
