import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import '../../src/kit/host/prompt.ts'
import '../../src/kit/services/second-factors.ts'
import '../../src/kit/host/settings.ts'
import { emailAccount, kitOfSomebody, phoneAccount, refusal } from '../support/accounts.ts'
import { embeddedWallet } from '../support/kit.ts'
import { fakeVault } from '../support/vault.ts'

beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}))
afterEach(() => vi.restoreAllMocks())

const at = { verified_at: 1 }
const wallet = { ...at, type: 'wallet', address: '0x2222222222222222222222222222222222222222' }
const onSolana = {
  ...at,
  type: 'wallet',
  chain_type: 'solana',
  address: 'So11111111111111111111111111111111111111112',
}
const otherApp = { ...at, type: 'cross_app', subject: 'did:u', provider_app_id: 'other-app' }

/** What a person has, where it is unlinked, and with which words. */
const kinds: [string, object, string, object][] = [
  [
    'an e-mail address',
    emailAccount('old@example.com'),
    'passwordless/unlink',
    { address: 'old@example.com' },
  ],
  ['a phone number', phoneAccount(), 'passwordless_sms/unlink', { phoneNumber: '+12025550123' }],
  ['an Ethereum wallet', { ...wallet, chain_type: 'ethereum' }, 'siwe/unlink', { address: wallet.address }],
  ['a Solana wallet', onSolana, 'siws/unlink', { address: onSolana.address }],
  ...['google', 'apple', 'twitter', 'discord', 'github', 'linkedin', 'spotify', 'instagram', 'tiktok'].map(
    (provider): [string, object, string, object] => [
      `a ${provider} account`,
      { ...at, type: `${provider}_oauth`, subject: 's-1' },
      'oauth/unlink',
      { provider, subject: 's-1' },
    ],
  ),
  ["another app's account", otherApp, 'oauth/unlink', { provider: 'privy:other-app', subject: 'did:u' }],
  [
    'a Farcaster account',
    { ...at, type: 'farcaster', fid: 7, owner_address: '0x1' },
    'farcaster/unlink',
    { fid: 7 },
  ],
  [
    'a Telegram account',
    { ...at, type: 'telegram', telegram_user_id: '42' },
    'telegram/unlink',
    { telegram_user_id: '42' },
  ],
  [
    'a passkey',
    { ...at, type: 'passkey', credential_id: 'id-1' },
    'passkeys/unlink',
    { credential_id: 'id-1' },
  ],
]

test.each(kinds)('%s is unlinked at once, and the person is without it', async (_, account, path, body) => {
  const { kit, api, told, person } = await kitOfSomebody({
    accounts: [emailAccount(), account],
    changes: { [`/api/v1/${path}`]: (_, linked) => void linked.pop() },
  })
  const [, meant] = kit.user?.linkedAccounts ?? []
  if (!meant) throw new Error('The account could not be read')
  const user = await kit.unlink(meant)
  expect(api.to(`/api/v1/${path}`).map((call) => call.body)).toEqual([body])
  expect(user.linkedAccounts).toMatchObject([{ type: 'email', address: 'ada@example.com' }])
  expect(kit.user?.linkedAccounts).toHaveLength(1)
  expect(told).toMatchObject([['unlinked', { account: meant }]])
  expect(person.trace()).toEqual([])
})

test('an embedded wallet is never unlinked', async () => {
  const { kit, api } = await kitOfSomebody({ accounts: [emailAccount(), embeddedWallet] })
  const unlinking = kit.unlink({ type: 'wallet', address: embeddedWallet.address })
  await expect(unlinking).rejects.toMatchObject({
    code: 'not_supported',
    shortMessage: 'Cannot unlink an embedded wallet',
  })
  expect(api.to('/api/v1/siwe/unlink')).toEqual([])
})

test('a passkey that is enrolled in MFA is not unlinked', async () => {
  const passkey = { ...at, type: 'passkey', credential_id: 'id-1', enrolled_in_mfa: true }
  const { kit, api } = await kitOfSomebody({ accounts: [emailAccount(), passkey] })
  await expect(kit.unlink({ type: 'passkey', credentialId: 'id-1' })).rejects.toMatchObject({
    code: 'not_supported',
    shortMessage: 'Cannot unlink a passkey enrolled in MFA',
  })
  expect(api.to('/api/v1/passkeys/unlink')).toEqual([])
})

test('a login of the host’s own is not unlinked, and neither is what the person has not', async () => {
  const { kit } = await kitOfSomebody({
    accounts: [emailAccount(), { ...at, type: 'custom_auth', custom_user_id: 'u' }],
  })
  const own = kit.user?.linkedAccounts[1]
  if (!own) throw new Error('The account could not be read')
  await expect(kit.unlink(own)).rejects.toMatchObject({ code: 'not_supported' })
  await expect(kit.unlink({ type: 'email', address: 'b@example.com' })).rejects.toMatchObject({
    code: 'linked_account_not_found',
  })
})

test('one that another tab has unlinked meanwhile gives the server’s code', async () => {
  const { kit } = await kitOfSomebody({
    accounts: [emailAccount(), phoneAccount()],
    changes: { '/api/v1/passwordless_sms/unlink': () => refusal('linked_account_not_found', 'none', 404) },
  })
  await expect(kit.unlink({ type: 'phone', number: '+12025550123' })).rejects.toMatchObject({
    code: 'linked_account_not_found',
  })
})

const path = '/api/v1/passwordless/unlink'
const onlyWithEmail = {
  // What the app has no login for does not let anybody in again.
  accounts: [emailAccount(), { ...at, type: 'discord_oauth', subject: 's-1' }, embeddedWallet],
  app: { discord_oauth: false },
}
const email = { type: 'email', address: 'ada@example.com' } as const

test('the last way in is unlinked only after a warning', async () => {
  const { kit, person, api, outcomeOf, told } = await kitOfSomebody({
    ...onlyWithEmail,
    changes: { [path]: (_, linked) => void linked.shift() },
  })
  const outcome = outcomeOf(kit.unlink(email))
  await person.follow([
    {
      on: 'last-login',
      expect(props) {
        expect(props).toMatchObject({ app: 'Test app', account: 'ada@example.com' })
        expect(api.to(path)).toEqual([])
      },
      answer: 'remove',
    },
    { wait: 1_000 },
  ])
  expect((await outcome).person?.email).toBeUndefined()
  expect(api.to(path).map(({ body }) => body)).toEqual([{ address: 'ada@example.com', even_if_sole: true }])
  expect(told.map(([event]) => event)).toEqual(['unlinked'])
})

test('what the server alone knows to be the last way in is unlinked only after the warning, too', async () => {
  const { kit, person, api, outcomeOf } = await kitOfSomebody({
    accounts: [emailAccount(), phoneAccount()],
    app: { sms_auth: true },
    changes: {
      [path]: (call, linked) =>
        call.body?.even_if_sole
          ? void linked.shift()
          : refusal('cannot_unlink_sole_account', 'The only login method of an account cannot be removed.'),
    },
  })
  const outcome = outcomeOf(kit.unlink(email))
  await person.follow([{ on: 'last-login', answer: 'remove' }, { wait: 1_000 }])
  expect((await outcome).person?.email).toBeUndefined()
  expect(api.to(path)).toHaveLength(2)
})

test.each<[string, object]>([
  ['keeping it', { answer: 'keep' }],
  ['closing the warning', { close: true }],
])('%s leaves everything as it was', async (_, step) => {
  const { kit, person, api, outcomeOf, told } = await kitOfSomebody(onlyWithEmail)
  const outcome = outcomeOf(kit.unlink(email))
  await person.follow([{ on: 'last-login', ...step }, { wait: 1_000 }])
  expect((await outcome).error?.code).toBe('exited_link_flow')
  expect([api.to(path), told]).toEqual([[], []])
})

test('a server that keeps the only login of an account says so, and the host gets its code', async () => {
  const { kit, person, outcomeOf } = await kitOfSomebody({
    changes: {
      [path]: () =>
        refusal('cannot_unlink_sole_account', 'The only login method of an account cannot be removed.'),
    },
  })
  const outcome = outcomeOf(kit.unlink(email))
  await person.follow([
    ['last-login', 'remove'],
    {
      on: 'failure',
      expect: (props) => expect(props.detail).toBe('The only login method of an account cannot be removed.'),
      answer: 'close',
    },
    { wait: 1_000 },
  ])
  expect((await outcome).error?.code).toBe('cannot_unlink_sole_account')
})

const passkey = { ...at, type: 'passkey', credential_id: 'id-1' }
test('a passkey gets a name of the person’s own, without what nobody sees', async () => {
  const rename = '/api/v1/passkeys/rename'
  const { kit, api } = await kitOfSomebody({
    accounts: [emailAccount(), passkey],
    changes: {
      [rename]: (call, linked) =>
        void linked.splice(1, 1, { ...passkey, authenticator_name: call.body?.name }),
    },
  })
  const user = await kit.passkeys.rename('id-1', '  Ada’s phone ')
  expect(api.to(rename)[0]?.body).toEqual({ credential_id: 'id-1', name: 'Ada’s phone' })
  expect(user.linkedAccounts[1]).toMatchObject({ authenticatorName: 'Ada’s phone' })
  for (const name of ['', '   ', 'a'.repeat(65), 'two\nlines', 'gnol\u202Eert', 'a\u200Bb'])
    await expect(kit.passkeys.rename('id-1', name)).rejects.toMatchObject({ code: 'invalid_data' })
  expect(api.to(rename)).toHaveLength(1)
})

describe('a passkey of somebody with a second factor', () => {
  const unlinkPasskey = '/api/v1/passkeys/unlink'
  const meant = { type: 'passkey', credentialId: 'id-1' } as const
  const good = '491072'

  /** Somebody with an authenticator app and a passkey beside it. */
  const withFactor = (more: Parameters<typeof kitOfSomebody>[0] = {}) =>
    kitOfSomebody({
      accounts: [emailAccount(), passkey],
      factors: ['totp'],
      app: { mfa_methods: ['totp'] },
      changes: { [unlinkPasskey]: (_, linked) => void linked.pop() },
      vault: fakeVault({
        verifyMfa: ({ mfaCode }) =>
          mfaCode === good ? {} : { error: { type: 'missing_or_invalid_mfa', message: '' } },
      }),
      ...more,
    })

  test.each([
    ['', {}],
    [', also where the app offers none any more', { app: { mfa_methods: [] } }],
  ])('is unlinked for a host once they are verified%s', async (_, more) => {
    const { kit, person, api, outcomeOf, told } = await withFactor(more)
    const outcome = outcomeOf(kit.unlink(meant))
    await person.follow([
      { wait: 500 },
      { on: 'mfa-code', expect: () => expect(api.to(unlinkPasskey)).toEqual([]), answer: { code: good } },
      { wait: 1_000 },
    ])
    expect((await outcome).error).toBeUndefined()
    expect(api.to(unlinkPasskey).map(({ body }) => body)).toEqual([{ credential_id: 'id-1' }])
    expect(told).toMatchObject([['unlinked', { method: 'passkey' }]])
  })

  test.each<[string, object]>([
    ['say no', { answer: 'not-now' }],
    ['close the prompt', { close: true }],
  ])('stays where they %s', async (_, step) => {
    const { kit, person, api, outcomeOf } = await withFactor()
    const outcome = outcomeOf(kit.unlink(meant))
    await person.follow([{ wait: 500 }, { on: 'mfa-code', ...step }, { wait: 3_000 }])
    expect((await outcome).error?.code).toBe('mfa_canceled')
    expect(api.to(unlinkPasskey)).toEqual([])
  })

  test('is unlinked after the prompt and the warning where it is the last way in', async () => {
    const { kit, person, api, outcomeOf } = await withFactor({
      accounts: [embeddedWallet, passkey],
      app: { mfa_methods: ['totp'], passkey_auth: true },
    })
    const outcome = outcomeOf(kit.unlink(meant))
    await person.follow([
      { wait: 500 },
      ['mfa-code', { code: good }],
      { wait: 1_000 },
      ['last-login', 'remove'],
      { wait: 1_000 },
    ])
    expect((await outcome).error).toBeUndefined()
    expect(api.to(unlinkPasskey)).toHaveLength(1)
  })

  test.each([
    ['', {}],
    [', also where the app offers none any more', { app: { mfa_methods: [] } }],
  ])(
    'is unlinked in their list once they are verified, and saying no leads back to it%s',
    async (_, more) => {
      const { kit, person, api } = await withFactor(more)
      const managed = kit.passkeys.manage()
      await person.follow([
        ['passkeys', { passkey: 'id-1' }],
        ['account-entry', 'remove'],
        ['confirm-removal', 'remove'],
        { wait: 500 },
        ['mfa-code', 'not-now'],
        {
          on: 'account-entry',
          expect({ error }) {
            expect(error).toBeUndefined()
            expect(api.to(unlinkPasskey)).toEqual([])
          },
          answer: 'remove',
        },
        ['confirm-removal', 'remove'],
        ['mfa-code', { code: good }],
        { on: 'passkeys', close: true },
      ])
      expect(await managed).toEqual([])
    },
  )

  test('is no reason to ask for it when another account goes', async () => {
    const { kit, person, outcomeOf } = await withFactor({
      accounts: [emailAccount(), phoneAccount(), passkey],
      changes: { '/api/v1/passwordless_sms/unlink': (_, linked) => void linked.splice(1, 1) },
    })
    const { error } = await outcomeOf(kit.unlink({ type: 'phone', number: '+12025550123' }))
    expect([error, person.trace()]).toEqual([undefined, []])
  })
})
