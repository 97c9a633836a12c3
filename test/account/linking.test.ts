import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import '../../src/kit/host/settings.ts'
import type { LoginMethod } from '../../src/protocol/login-method.ts'
import { emailAccount, kitOfSomebody, phoneAccount, refusal, taken } from '../support/accounts.ts'
import { kitWithPerson, paths } from '../support/kit.ts'

const [linkEmail, linkPhone] = ['/api/v1/passwordless/link', '/api/v1/passwordless_sms/link']
const onlyPhone = [phoneAccount()]
const adds = (account: object) => (_: unknown, linked: object[]) => void linked.push(account)

beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}))
afterEach(() => vi.restoreAllMocks())

describe('linking an e-mail address', () => {
  test('asks for the address and its code, and tells the host who the person is then', async () => {
    const { kit, person, api, told, outcomeOf } = await kitOfSomebody({
      accounts: onlyPhone,
      changes: { [linkEmail]: adds(emailAccount('new@example.com')) },
    })
    const logins: unknown[] = []
    kit.on('login', (detail) => logins.push(detail))
    const outcome = outcomeOf(kit.link('email'))
    await person.follow([
      {
        on: 'enter-address',
        expect: (props) => expect(props).toMatchObject({ via: 'email', old: undefined, value: '' }),
        answer: { address: 'new@example.com' },
      },
      {
        on: 'enter-code',
        expect: (props) => expect(props).toMatchObject({ to: 'new@example.com', via: 'email' }),
        answer: { code: '123456' },
      },
      { wait: 2_000 },
    ])
    const { person: user, error } = await outcome
    expect(error).toBeUndefined()
    expect(user?.email?.address).toBe('new@example.com')
    expect(kit.user?.email?.address).toBe('new@example.com')
    expect(api.to('/api/v1/passwordless/init').at(-1)?.body).toEqual({ email: 'new@example.com' })
    expect(api.to(linkEmail)[0]?.body).toEqual({ email: 'new@example.com', code: '123456' })
    expect(told).toMatchObject([['linked', { user: { id: 'did:privy:u1' }, method: 'email' }]])
    expect(told[0]?.[1].account).toMatchObject({ type: 'email', address: 'new@example.com' })
    expect([logins, person.ends]).toEqual([[], [{ completed: true }]])
  })

  test('with a wrong code says so under the boxes, and goes on', async () => {
    let tries = 0
    const { kit, person, outcomeOf } = await kitOfSomebody({
      accounts: onlyPhone,
      changes: {
        [linkEmail]: (_, linked) => {
          if (++tries === 1) return refusal('invalid_credentials', 'wrong', 401)
          linked.push(emailAccount())
          return undefined
        },
      },
    })
    const outcome = outcomeOf(kit.link('email', { prefill: 'ada@example.com' }))
    await person.follow([
      {
        on: 'enter-address',
        expect: (props) => expect(props.value).toBe('ada@example.com'),
        answer: { address: 'ada@example.com' },
      },
      ['enter-code', { code: '000000' }],
      {
        on: 'enter-code',
        expect: (props) => expect(props.error).toBe('Invalid or expired verification code'),
        answer: { code: '123456' },
      },
      { wait: 2_000 },
    ])
    expect((await outcome).person?.email?.address).toBe('ada@example.com')
  })

  test('leads back to the address, and from there out', async () => {
    const { kit, person, outcomeOf, told, errors } = await kitOfSomebody({ accounts: onlyPhone })
    const outcome = outcomeOf(kit.link('email'))
    await person.follow([
      ['enter-address', { address: 'new@example.com' }],
      ['enter-code', 'back'],
      {
        on: 'enter-address',
        expect: (props) => expect(props.value).toBe('new@example.com'),
        close: true,
      },
      { wait: 1_000 },
    ])
    expect((await outcome).error?.code).toBe('exited_link_flow')
    expect([told, errors]).toEqual([[], []])
  })

  test('that the server refuses for another reason gives the host its code', async () => {
    const { kit, person, outcomeOf } = await kitOfSomebody({
      accounts: onlyPhone,
      changes: { [linkEmail]: () => refusal('linked_to_another_user', 'taken', 409) },
    })
    const outcome = outcomeOf(kit.link('email'))
    await person.follow([
      ['enter-address', { address: 'new@example.com' }],
      ['enter-code', { code: '123456' }],
      {
        on: 'failure',
        expect: (props) =>
          expect(props).toMatchObject({
            title: 'Authentication failed',
            detail: 'This account has already been linked to another user.',
          }),
        answer: 'close',
      },
      { wait: 1_000 },
    ])
    expect((await outcome).error?.code).toBe('linked_to_another_user')
  })

  test('in an app that is strict asks for the code on the page, because no wallet comes with it', async () => {
    const { kit, person, outcomeOf } = await kitOfSomebody({
      accounts: onlyPhone,
      isVaultSilent: true,
      app: {
        vault_mode: 'strict',
        embedded_wallet_config: { create_on_login: 'off', user_owned_recovery_options: [] },
      },
      options: { config: { embeddedWallets: { createOnLogin: 'all-users' } } },
      changes: { [linkEmail]: adds(emailAccount()) },
    })
    const outcome = outcomeOf(kit.link('email'))
    await person.follow([
      ['enter-address', { address: 'ada@example.com' }],
      ['enter-code', { code: '123456' }],
      { wait: 2_000 },
    ])
    expect((await outcome).person?.email?.address).toBe('ada@example.com')
  })
})

describe('a person', () => {
  test('who is not logged in can link, unlink and update nothing, and sees no dialog', async () => {
    const { kit, person } = await kitWithPerson()
    const account = { type: 'email', address: 'ada@example.com' } as const
    const calls = [
      ...[kit.link('email'), kit.unlink(account), kit.updateEmail(), kit.updatePhone()],
      ...[kit.passkeys.rename('id', 'Phone')],
      kit.initiateTransfer({ nonce: 'n', account: 'ada@example.com', accountType: 'email' }),
    ]
    for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'must_be_authenticated' })
    expect(person.trace()).toEqual([])
  })

  const google = { type: 'google_oauth', subject: 'g-1', verified_at: 1 }
  const telegram = { type: 'telegram', telegram_user_id: '42', verified_at: 1 }
  const farcaster = { type: 'farcaster', fid: 7, owner_address: '0x1', verified_at: 1 }
  const otherApp = { type: 'cross_app', subject: 'u', provider_app_id: 'other-app', verified_at: 1 }
  test.each<[LoginMethod, object, string]>([
    ['email', emailAccount(), 'User already has an account of type email linked.'],
    ['sms', phoneAccount(), 'User already has an account of type phone linked.'],
    ['google', google, 'User already has an account of type Google linked.'],
    ['telegram', telegram, 'User already has an account of type Telegram linked.'],
    ['farcaster', farcaster, 'User already has an account of type Farcaster linked.'],
    ['privy:another-app', otherApp, 'User already has an account of type cross-app linked.'],
  ])('who has an account of %s is told that there is no room for another', async (method, account, words) => {
    const { kit, person, outcomeOf, api } = await kitOfSomebody({ accounts: [account] })
    const asked = () => api.calls.filter(({ path }) => path !== paths.analytics)
    const before = asked().length
    const outcome = outcomeOf(kit.link(method))
    await person.follow([
      { on: 'failure', expect: (props) => expect(props.detail).toBe(words), answer: 'close' },
      { wait: 1_000 },
    ])
    expect((await outcome).error?.code).toBe('cannot_link_more_of_type')
    expect(asked().length).toBe(before)
  })

  test('may have five passkeys and no sixth', async () => {
    const five = [1, 2, 3, 4, 5].map((at) => ({
      type: 'passkey',
      credential_id: `id-${at}`,
      verified_at: at,
    }))
    const { kit, person, outcomeOf } = await kitOfSomebody({ accounts: five })
    const outcome = outcomeOf(kit.link('passkey'))
    await person.follow([
      {
        on: 'failure',
        expect: (props) => expect(props.detail).toBe('Cannot link more passkeys to account.'),
        answer: 'close',
      },
      { wait: 1_000 },
    ])
    expect((await outcome).error?.code).toBe('cannot_link_more_of_type')
    await expect(kit.passkey.link()).rejects.toMatchObject({ code: 'cannot_link_more_of_type' })
  })

  test('can’t be given an account by no method at all', async () => {
    const { kit, person } = await kitOfSomebody()
    await expect(kit.link('' as LoginMethod)).rejects.toMatchObject({ code: 'invalid_configuration' })
    expect(person.trace()).toEqual([])
  })

  test.each(['guest', 'custom'])('can’t be given an account of type %s', async (method) => {
    const { kit } = await kitOfSomebody()
    await expect(kit.link(method as LoginMethod)).rejects.toMatchObject({ code: 'not_supported' })
  })
})

describe('the phone of somebody whose second factor are text messages', () => {
  const words = 'Text messages are your second factor. Remove them there before you log in with them.'
  const refused = { title: 'Not allowed', detail: words, action: 'close' }

  test('is refused before a number is asked for, with words', async () => {
    const { kit, person, api, outcomeOf } = await kitOfSomebody({ factors: ['sms'] })
    const outcome = outcomeOf(kit.link('sms'))
    await person.follow([
      { on: 'failure', expect: (props) => expect(props).toMatchObject(refused), answer: 'close' },
      { wait: 1_000 },
    ])
    expect((await outcome).error?.code).toBe('mfa_method_not_allowed')
    expect(person.trace()).not.toContain('enter-address')
    await kit.sms.sendCode({ phoneNumber: '+12025550123' })
    await expect(kit.sms.linkWithCode({ code: '123456' })).rejects.toMatchObject({
      code: 'mfa_method_not_allowed',
      shortMessage: words,
    })
    expect(api.to(linkPhone)).toEqual([])
  })

  test('is not offered in the settings', async () => {
    const { kit, person } = await kitOfSomebody({
      factors: ['sms'],
      routes: { '/api/v1/users/me/sessions': { body: { sessions: [] } } },
    })
    void kit.manageAccount()
    await person.follow([
      ['account-settings', 'add'],
      {
        on: 'add-account',
        expect: ({ methods }) =>
          expect((methods as { key: string }[]).map(({ key }) => key)).toEqual(['google']),
      },
    ])
  })

  test('is refused by a server that alone knows of it: after the right code, for good and with its words', async () => {
    const { kit, person, api, outcomeOf } = await kitOfSomebody({
      changes: { [linkPhone]: () => refusal('mfa_method_not_allowed', words) },
    })
    const outcome = outcomeOf(kit.link('sms'))
    await person.follow([
      ['enter-address', { address: '+12025550123' }],
      ['enter-code', { code: '123456' }],
      { on: 'failure', expect: (props) => expect(props).toMatchObject(refused), answer: 'close' },
      { wait: 1_000 },
    ])
    expect((await outcome).error?.code).toBe('mfa_method_not_allowed')
    expect(api.to(linkPhone)).toHaveLength(1)
  })
})

describe('an account of somebody else', () => {
  const offered = taken(
    { displayName: 'new@example.com' },
    { embeddedWalletAddress: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F' },
  )
  const typed = [
    ['enter-address', { address: 'new@example.com' }],
    ['enter-code', { code: '123456' }],
  ] as const

  test('is taken over after both pages, and is linked then', async () => {
    const { kit, person, api, outcomeOf, told } = await kitOfSomebody({
      accounts: onlyPhone,
      changes: {
        [linkEmail]: () => offered,
        '/api/v1/passwordless/transfer': adds(emailAccount('new@example.com')),
      },
    })
    const outcome = outcomeOf(kit.link('email'))
    await person.follow([
      ...typed.map(([on, answer]) => [on, answer] as [string, unknown]),
      {
        on: 'link-conflict',
        expect: (props) =>
          expect(props).toMatchObject({
            title: 'This email address is associated with another account',
            page: 'ask',
          }),
        answer: 'continue',
      },
      {
        on: 'link-conflict',
        expect: (props) => expect(props.page).toBe('check'),
        answer: 'transfer',
      },
      { wait: 3_000 },
    ])
    expect((await outcome).person?.email?.address).toBe('new@example.com')
    expect(api.to('/api/v1/passwordless/transfer')[0]?.body).toEqual({
      nonce: 'nonce-1',
      email: 'new@example.com',
    })
    expect(told.map(([event]) => event)).toEqual(['linked'])
  })

  test('stays theirs where the person declines', async () => {
    const { kit, person, api, outcomeOf } = await kitOfSomebody({
      accounts: onlyPhone,
      changes: { [linkEmail]: () => offered },
    })
    const outcome = outcomeOf(kit.link('email'))
    await person.follow([
      ...typed.map(([on, answer]) => [on, answer] as [string, unknown]),
      ['link-conflict', 'decline'],
      { on: 'enter-address', close: true },
      { wait: 1_000 },
    ])
    expect((await outcome).error?.code).toBe('exited_link_flow')
    expect(api.to('/api/v1/passwordless/transfer')).toEqual([])
  })

  test('is not even offered where the host forbids it', async () => {
    const { kit, person, api, outcomeOf } = await kitOfSomebody({
      accounts: onlyPhone,
      changes: { [linkEmail]: () => offered },
    })
    const asked: object[] = []
    kit.on('transfer-request', ({ method, account, refuse }) => {
      asked.push({ method, account })
      refuse()
    })
    const outcome = outcomeOf(kit.link('email'))
    await person.follow([
      ...typed.map(([on, answer]) => [on, answer] as [string, unknown]),
      { on: 'enter-address', close: true },
      { wait: 1_000 },
    ])
    await outcome
    expect(asked).toEqual([{ method: 'email', account: 'new@example.com' }])
    expect(person.trace()).not.toContain('link-conflict')
    expect(api.to('/api/v1/passwordless/transfer')).toEqual([])
  })
})

describe('without our screens', () => {
  test('an address is linked and updated with the code that was sent there', async () => {
    const { kit, api, told } = await kitOfSomebody({
      accounts: onlyPhone,
      changes: {
        [linkEmail]: adds(emailAccount('new@example.com')),
        '/api/v1/passwordless/update': (_, linked) => {
          linked.splice(0, linked.length, phoneAccount(), emailAccount('newer@example.com'))
          return undefined
        },
      },
    })
    const states: string[] = []
    kit.email.state.subscribe(() => states.push(kit.email.state.get().status))
    await kit.email.sendCode({ email: 'new@example.com' })
    expect((await kit.email.linkWithCode({ code: '123456' })).email?.address).toBe('new@example.com')
    await kit.email.sendCode({ email: 'newer@example.com' })
    expect((await kit.email.updateWithCode({ code: '654321' })).email?.address).toBe('newer@example.com')
    const once = ['sending-code', 'awaiting-code-input', 'submitting-code', 'done']
    expect(states).toEqual([...once, ...once])
    expect(api.to('/api/v1/passwordless/update')[0]?.body).toEqual({
      oldAddress: 'new@example.com',
      newAddress: 'newer@example.com',
      code: '654321',
    })
    expect(told.map(([event]) => event)).toEqual(['linked', 'updated'])
  })

  test('a number is linked, and a person with one has no room for another', async () => {
    const { kit, api } = await kitOfSomebody({ changes: { [linkPhone]: adds(phoneAccount()) } })
    await kit.sms.sendCode({ phoneNumber: '+12025550123' })
    expect((await kit.sms.linkWithCode({ code: '123456' })).phone?.number).toBe('+12025550123')
    expect(api.to(linkPhone)[0]?.body).toEqual({ phoneNumber: '+12025550123', code: '123456' })
    await kit.sms.sendCode({ phoneNumber: '+12025550124' })
    await expect(kit.sms.linkWithCode({ code: '123456' })).rejects.toMatchObject({
      code: 'cannot_link_more_of_type',
      shortMessage: 'User already has an account of type phone linked.',
    })
  })
})
