import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { isClosable } from '../../../src/dialog/closable.ts'
import type { KitError } from '../../../src/errors/kit-error.ts'
import type { Kit } from '../../../src/kit/api.ts'
import { wireUser } from '../../support/api.ts'
import { embeddedWallet, type KitSetUp, kitWithPerson, passUntil, walletAddress } from '../../support/kit.ts'
import { pageWithWindows, response, until } from '../../support/oauth.ts'
import type { Step } from '../../support/person.ts'
import { fakeVault } from '../../support/vault.ts'

const solanaAddress = '7EqQdEULxWcraVx3mXKFjc84LhCkMGZCkRuDpvcMwJeK'
const solanaWallet = {
  ...embeddedWallet,
  chain_type: 'solana',
  address: solanaAddress,
  public_key: solanaAddress,
}
const drives = {
  init: '/api/v1/recovery/oauth/init',
  icloud: '/api/v1/recovery/oauth/init_icloud',
  authenticate: '/api/v1/recovery/oauth/authenticate',
}
const signature = `0x${'ab'.repeat(65)}`
const answered = {
  address: walletAddress,
  chainType: 'ethereum',
  response: { method: 'personal_sign', data: signature },
}
const notHere = { error: { type: 'wallet_not_on_device', message: 'not here' } }
const email = wireUser().linked_accounts

beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}))
afterEach(() => vi.restoreAllMocks())

type Handlers = Parameters<typeof fakeVault>[0]

/** Somebody who is logged in, with the wallets that are named, in an app that offers every recovery method. */
async function setUp({
  wallets = [embeddedWallet],
  vault = {},
  options = ['google-drive', 'icloud', 'user-passcode'],
  ...more
}: KitSetUp extends infer S
  ? Omit<S & object, 'vault' | 'options' | 'accounts'> & {
      wallets?: object[]
      vault?: Handlers
      options?: string[]
    }
  : never = {}) {
  const windows = pageWithWindows()
  /** What the server knows of the person; a test changes it as the vault would. */
  const accounts: object[] = [...email, ...wallets]
  const asked = fakeVault({ connectWallet: ({ entropyId }) => ({ entropyId }), ...vault })
  const set = await kitWithPerson({
    ...more,
    accounts,
    page: windows.page,
    vault: asked,
    app: {
      embedded_wallet_config: { create_on_login: 'off', user_owned_recovery_options: options },
      ...more.app,
    },
    routes: {
      [drives.init]: { body: { url: 'https://accounts.google.example/auth' } },
      [drives.icloud]: { body: { url: 'https://idmsa.apple.example/auth' } },
      [drives.authenticate]: { body: { access_token: 'drive-token' } },
      ...more.routes,
    },
  })
  await set.kit.email.sendCode({ email: 'ada@example.com' })
  const login = set.kit.email.loginWithCode({ code: '123456' })
  // Where the app wants a wallet, the login waits for a vault that may be silent.
  await (more.app && 'embedded_wallet_config' in more.app ? passUntil(set.clock, login) : login)
  const outcome = <T>(work: (kit: Kit) => Promise<T>) =>
    work(set.kit).then(
      (value) => ({ value, code: undefined }),
      (error: KitError) => ({ value: undefined, code: error.code }),
    )
  const props = () => set.person.scene?.props as Record<string, unknown> | undefined
  return { ...set, ...windows, accounts, vault: asked, outcome, props }
}
/** What the return from Google Drive is known by. */
const stateOf = (api: { to(path: string): { body?: unknown }[] }) =>
  (api.to(drives.init)[0]?.body as Record<string, string> | undefined)?.state_code
const sign = (kit: Kit) => kit.signMessage({ message: 'Hello' })
const press: Step = ['sign-message', 'sign']

describe('a wallet that is not on this device', () => {
  const passcode = { ...embeddedWallet, recovery_method: 'user-passcode' }
  function absent(recover: (data: Record<string, unknown>) => object) {
    let here = false
    return {
      walletRpc: () => (here ? answered : notHere),
      recoverWallet(data: Record<string, unknown>) {
        const answer = recover(data)
        here = !('error' in answer)
        return answer
      },
    }
  }

  test('comes back by its password, asked for until it is right', async () => {
    const tried: unknown[] = []
    const { outcome, person, errors } = await setUp({
      wallets: [passcode],
      vault: absent(({ recoveryPassword }) => {
        tried.push(recoveryPassword)
        return recoveryPassword === 'right-one'
          ? { entropyId: walletAddress }
          : { error: { type: 'invalid_recovery_pin', message: 'wrong' } }
      }),
    })
    const signed = outcome(sign)
    await person.follow([
      press,
      ['password-recovery', { password: 'wrong-one' }],
      {
        on: 'password-recovery',
        expect: ({ error, address }) =>
          expect([error, address]).toEqual(['Invalid recovery password, please try again.', walletAddress]),
        answer: { password: 'right-one' },
      },
      { wait: 2_000 },
    ])
    expect((await signed).value).toEqual({ signature })
    expect(tried).toEqual(['wrong-one', 'right-one'])
    expect(errors.map(({ code }) => code)).toEqual(['invalid_recovery_pin'])
  })

  test.each([
    [
      'too many tries',
      'Too many requests (code 429)',
      'Too many attempts. Please wait an hour, then try again.',
    ],
    ['anything else', 'The vault could not complete the request', 'An error has occurred, please try again.'],
  ])('says so below the password after %s', async (_, message, words) => {
    const { outcome, person } = await setUp({
      wallets: [passcode],
      vault: absent(() => ({ error: { type: 'error', message } })),
    })
    const signed = outcome(sign)
    await person.follow([
      press,
      ['password-recovery', { password: 'any' }],
      {
        on: 'password-recovery',
        expect: ({ error }) => expect(error).toBe(words),
        close: true,
      },
      { wait: 1_000 },
    ])
    expect((await signed).code).toBe('unable_to_sign')
  })

  test('leads back to the message, without an error, when the person turns back from the password', async () => {
    const { outcome, person, errors } = await setUp({
      wallets: [passcode],
      vault: absent(() => ({ error: { type: 'error', message: 'nobody asked for this' } })),
    })
    const signed = outcome(sign)
    await person.follow([
      press,
      ['password-recovery', 'back'],
      { on: 'sign-message', expect: ({ error }) => expect(error).toBeUndefined(), answer: 'cancel' },
      { wait: 1_000 },
    ])
    expect((await signed).code).toBe('unable_to_sign')
    expect(errors).toEqual([])
  })

  test('comes back from Google Drive, in a window that the press has opened', async () => {
    let given: unknown
    const { outcome, person, api, opened, say, props } = await setUp({
      wallets: [{ ...embeddedWallet, recovery_method: 'google-drive' }],
      vault: absent(({ recoveryAccessToken }) => {
        given = recoveryAccessToken
        return { entropyId: walletAddress }
      }),
    })
    const signed = outcome(sign)
    await person.follow([press, ['recovery-oauth', 'confirm']])
    await until(() => opened[0]?.went)
    expect(opened[0]?.went).toBe('https://accounts.google.example/auth')
    expect(props()).toMatchObject({ provider: 'google-drive', purpose: 'recover', phase: 'window' })
    const state_code = stateOf(api)
    say(response(state_code))
    await until(() => api.to(drives.authenticate).length)
    await until(() => props()?.phase === 'done')
    await person.follow([{ wait: 3_000 }])
    expect((await signed).value).toEqual({ signature })
    expect(given).toBe('drive-token')
    expect(opened[0]?.closed).toBe(true)
    expect(api.to(drives.authenticate)[0]?.body).toMatchObject({
      authorization_code: 'c0de',
      state_code,
      code_verifier: expect.stringMatching(/^[\w-]{48}$/),
    })
  })

  test('comes back from iCloud, whose window says it all', async () => {
    let given: unknown
    const { outcome, person, opened, say, props } = await setUp({
      wallets: [{ ...embeddedWallet, recovery_method: 'icloud' }],
      vault: absent(({ recoveryAccessToken }) => {
        given = recoveryAccessToken
        return { entropyId: walletAddress }
      }),
    })
    const signed = outcome(sign)
    await person.follow([press, ['recovery-oauth', 'confirm']])
    await until(() => opened[0]?.went)
    say({ ckSession: 'stolen' }, { origin: 'https://evil.example' })
    say({ ckSession: 'web-token' }, { origin: 'https://cdn.apple-cloudkit.com' })
    await until(() => props()?.phase === 'done')
    await person.follow([{ wait: 3_000 }])
    expect((await signed).value).toEqual({ signature })
    expect(given).toBe('web-token')
  })

  test('with a backup on another account: the spec’s words, and another try', async () => {
    const { outcome, person, api, opened, say, props } = await setUp({
      wallets: [{ ...embeddedWallet, recovery_method: 'google-drive' }],
      vault: absent(() => ({ error: { type: 'error', message: 'no such file' } })),
    })
    const signed = outcome(sign)
    await person.follow([press, ['recovery-oauth', 'confirm']])
    await until(() => opened[0]?.went)
    say(response(stateOf(api)))
    await until(() => props()?.phase === 'failed')
    expect(props()?.failure).toEqual({
      title: 'Recovery with Google Drive unsuccessful',
      detail: 'Please verify that you are selecting the Google Drive account associated with your backup.',
      retryable: true,
    })
    await person.follow([['recovery-oauth', 'retry']])
    await until(() => opened[1]?.went)
    expect(opened).toHaveLength(2)
    person.close()
    await person.follow([{ wait: 1_000 }])
    expect((await signed).code).toBe('unable_to_sign')
    expect(opened[1]?.closed).toBe(true)
  })

  test('in a way that a newer server made up: a clear screen, and nothing is lost', async () => {
    const { outcome, person, errors } = await setUp({
      wallets: [{ ...embeddedWallet, recovery_method: 'passkey-prf' }],
      vault: { walletRpc: () => notHere },
    })
    const signed = outcome(sign)
    await person.follow([
      press,
      {
        on: 'failure',
        expect: ({ title, detail }) => {
          expect(title).toBe('Recovery method not supported')
          expect(detail).toMatch(/Your wallet is safe/)
        },
        answer: 'close',
      },
      { wait: 500 },
      { on: 'sign-message', close: true },
      { wait: 1_000 },
    ])
    expect((await signed).code).toBe('unable_to_sign')
    expect(errors.map(({ code }) => code)).toContain('recovery_method_not_supported')
  })

  test('that is here still signs with any recovery method', async () => {
    const { outcome, person } = await setUp({
      wallets: [{ ...embeddedWallet, recovery_method: 'passkey-prf' }],
      vault: { walletRpc: () => answered },
    })
    const signed = outcome(sign)
    await person.follow([press, { wait: 2_000 }])
    expect((await signed).value).toEqual({ signature })
  })
})

describe('setting up recovery', () => {
  const changed = (method: string, accounts: object[]) => {
    accounts.splice(email.length, 1, { ...embeddedWallet, recovery_method: method })
    return {
      entropyId: walletAddress,
      entropyIdVerifier: 'ethereum-address-verifier',
      recoveryMethod: method,
    }
  }
  async function withChange(more: Parameters<typeof setUp>[0] = {}) {
    const asked: Record<string, unknown>[] = []
    let accounts: object[] = []
    let failing = false
    const set = await setUp({
      ...more,
      vault: {
        setRecovery(data) {
          asked.push(data)
          if (failing) return { error: { type: 'error', message: 'no' } }
          return changed(String(data.recoveryMethod), accounts)
        },
        ...more.vault,
      },
    })
    accounts = set.accounts
    const fail = (yes: boolean) => {
      failing = yes
    }
    return { ...set, changes: asked, fail }
  }
  const passwordSteps = (password: string): Step[] => [
    ['set-password', { password }],
    ['save-password', 'continue'],
    ['confirm-password', 'continue'],
    ['finish-password', 'set'],
  ]

  /** The server wants the present password, until it has seen the right one. */
  const provingPassword = (right: string): Handlers => ({
    setRecovery({ presentPassword, recoveryMethod, entropyId, entropyIdVerifier }) {
      if (presentPassword === undefined)
        return { error: { type: 'recovery_proof_required', message: 'show it' } }
      if (presentPassword !== right) return { error: { type: 'invalid_recovery_pin', message: 'wrong' } }
      return { entropyId, entropyIdVerifier, recoveryMethod }
    },
  })
  const ownPassword = { ...embeddedWallet, recovery_method: 'user-passcode' }

  test('asks for the present password where the server wants it, until it is right', async () => {
    const vault = provingPassword('the old one')
    const { outcome, person, errors } = await setUp({ wallets: [ownPassword], vault })
    const set = outcome((each) => each.setWalletRecovery({ showAutomaticRecovery: true }))
    const problems: unknown[] = []
    await person.follow([
      ['automatic-recovery', 'confirm'],
      {
        on: 'password-recovery',
        expect: ({ purpose }) => expect(purpose).toBe('present'),
        answer: { password: 'not it' },
      },
      {
        on: 'password-recovery',
        expect: ({ error }) => problems.push(error),
        answer: { password: 'the old one' },
      },
      { wait: 2_000 },
    ])
    expect((await set).code).toBeUndefined()
    expect(problems).toEqual(['Invalid recovery password, please try again.'])
    expect(errors.map(({ code }) => code)).toEqual(['invalid_recovery_pin'])
  })

  test('changes nothing when the person does not show the present password', async () => {
    const vault = provingPassword('the old one')
    const { outcome, person, vault: fake } = await setUp({ wallets: [ownPassword], vault })
    const set = outcome((each) => each.setWalletRecovery({ showAutomaticRecovery: true }))
    await person.follow([['automatic-recovery', 'confirm'], { on: 'password-recovery', close: true }])
    expect((await set).code).toBe('user_exited_set_password_flow')
    expect(fake.asked.every(({ data }) => data.presentPassword === undefined)).toBe(true)
  })

  test('on a device that a login no longer speaks for asks to log in again', async () => {
    const required = { error: { type: 'enrolment_required', message: 'prove it' } }
    const { outcome, person } = await setUp({
      vault: { connectWallet: () => notHere, recoverWallet: () => required },
    })
    const set = outcome((each) => each.setWalletRecovery())
    await person.follow([
      { on: 'failure', expect: ({ title }) => expect(title).toBe('Log in again'), answer: 'close' },
    ])
    expect((await set).code).toBe('wallet_enrolment_required')
  })

  test('with a password takes four steps and tells the host', async () => {
    const { outcome, person, kit, changes } = await withChange()
    const events: unknown[] = []
    kit.on('recovery', (detail) => events.push(detail))
    const set = outcome((each) => each.setWalletRecovery())
    await person.follow([
      {
        on: 'recovery-selection',
        expect: (props) =>
          expect(props).toMatchObject({ purpose: 'secure', methods: ['google-drive', 'icloud', 'password'] }),
        answer: { method: 'password' },
      },
      ...passwordSteps('correct horse'),
      {
        on: 'password-result',
        expect: (props) => expect(props).toMatchObject({ ok: true }),
        answer: 'close',
      },
      { wait: 500 },
    ])
    expect((await set).value).toBe('user-passcode')
    expect(changes).toMatchObject([
      {
        entropyId: walletAddress,
        recoveryMethod: 'user-passcode',
        existingRecoveryMethod: 'privy',
        recoveryPassword: 'correct horse',
      },
    ])
    expect(events).toMatchObject([{ method: 'user-passcode', wallet: { address: walletAddress } }])
  })

  test('begins with the password, without a choice, in an app of the legacy flow', async () => {
    const { outcome, person, changes } = await withChange({ app: { legacy_wallet_ui_config: true } })
    const set = outcome((each) => each.setWalletRecovery())
    await person.follow([
      ['password-splash', 'add'],
      ...passwordSteps('correct horse'),
      ['password-result', 'close'],
      { wait: 500 },
    ])
    expect((await set).value).toBe('user-passcode')
    expect(changes).toMatchObject([{ recoveryPassword: 'correct horse' }])
  })

  test('goes back a step at a time, to the choice, and keeps what was typed', async () => {
    const { outcome, person } = await withChange()
    const set = outcome((each) => each.setWalletRecovery())
    await person.follow([
      ['recovery-selection', { method: 'password' }],
      ['set-password', { password: 'correct horse' }],
      ['save-password', 'continue'],
      ['confirm-password', 'continue'],
      ['finish-password', 'back'],
      ['confirm-password', 'back'],
      ['save-password', 'back'],
      {
        on: 'set-password',
        expect: (props) =>
          expect(props).toMatchObject({ value: 'correct horse', canGoBack: true, reset: false }),
        answer: 'back',
      },
      ['recovery-selection', 'back'],
      { wait: 1_000 },
    ])
    expect((await set).code).toBe('user_exited_set_password_flow')
  })

  test.each([
    ['the button', { answer: 'close' }],
    ['closing the dialog', { close: true as const }],
  ])('that fails says so until %s, and leaves the old way as it was', async (_, end) => {
    const { outcome, person, fail, kit } = await withChange()
    fail(true)
    const set = outcome((each) => each.setWalletPassword())
    await person.follow([
      ['password-splash', 'add'],
      ...passwordSteps('correct horse'),
      { on: 'password-result', expect: ({ ok }) => expect(ok).toBe(false), ...end },
      { wait: 500 },
    ])
    expect((await set).code).toBe('unknown_embedded_wallet_error')
    expect(kit.user?.linkedAccounts.at(-1)).toMatchObject({ recoveryMethod: 'privy' })
  })

  test('hides the cloud that the backup is on; a password may be set again', async () => {
    const { outcome, person } = await withChange({
      wallets: [{ ...embeddedWallet, recovery_method: 'icloud' }],
    })
    const set = outcome((each) => each.setWalletRecovery())
    await person.follow([
      {
        on: 'recovery-selection',
        expect: (props) =>
          expect(props).toMatchObject({ purpose: 'update', methods: ['google-drive', 'password'] }),
        close: true,
      },
      { wait: 1_000 },
    ])
    expect((await set).code).toBe('user_exited_set_password_flow')
  })

  test('goes straight to the password where there is no other way, and resets it', async () => {
    const { outcome, person } = await withChange({
      options: ['user-passcode'],
      wallets: [{ ...embeddedWallet, recovery_method: 'user-passcode' }],
    })
    const set = outcome((each) => each.setWalletRecovery())
    await person.follow([
      {
        on: 'set-password',
        expect: (props) => expect(props).toMatchObject({ reset: true, canGoBack: false }),
      },
      ...passwordSteps('another horse'),
      ['password-result', 'close'],
      { wait: 500 },
    ])
    expect((await set).value).toBe('user-passcode')
  })

  test('puts a backup on Google Drive', async () => {
    const { outcome, person, api, opened, say, props, changes } = await withChange()
    const set = outcome((each) => each.setWalletRecovery())
    await person.follow([
      ['recovery-selection', { method: 'google-drive' }],
      ['recovery-oauth', 'confirm'],
    ])
    await until(() => opened[0]?.went)
    say(response(stateOf(api)))
    await until(() => props()?.phase === 'done')
    await person.follow([{ wait: 3_000 }])
    expect((await set).value).toBe('google-drive')
    expect(changes).toMatchObject([{ recoveryMethod: 'google-drive', recoveryAccessToken: 'drive-token' }])
  })

  test('goes back to automatic recovery, with another try after a failure', async () => {
    const { outcome, person, fail, changes } = await withChange({
      wallets: [{ ...embeddedWallet, recovery_method: 'user-passcode' }],
    })
    fail(true)
    const set = outcome((each) => each.setWalletRecovery({ showAutomaticRecovery: true }))
    await person.follow([
      ['automatic-recovery', 'confirm'],
      {
        on: 'automatic-recovery',
        expect: ({ error }) => expect(error).toMatchObject({ title: 'Something went wrong' }),
      },
    ])
    fail(false)
    await person.follow([['automatic-recovery', 'retry'], { wait: 3_000 }])
    expect((await set).value).toBe('privy')
    expect(changes.map(({ recoveryMethod }) => recoveryMethod)).toEqual(['privy', 'privy'])
  })

  test('brings the wallet here first, by the way that it has', async () => {
    let here = false
    const { outcome, person } = await withChange({
      wallets: [{ ...embeddedWallet, recovery_method: 'user-passcode' }],
      vault: {
        connectWallet: ({ entropyId }) => (here ? { entropyId } : notHere),
        recoverWallet() {
          here = true
          return { entropyId: walletAddress }
        },
      },
    })
    const set = outcome((each) => each.setWalletPassword())
    await person.follow([
      ['password-recovery', { password: 'old' }],
      ...passwordSteps('new horse'),
      ['password-result', 'close'],
      { wait: 500 },
    ])
    expect((await set).value).toMatchObject({ recoveryMethod: 'user-passcode' })
  })

  test('needs somebody with a wallet, and a method', async () => {
    const nobody = await kitWithPerson()
    await expect(nobody.kit.setWalletRecovery()).rejects.toMatchObject({ code: 'must_be_authenticated' })
    const { outcome } = await setUp({ wallets: [] })
    expect((await outcome((each) => each.setWalletRecovery())).code).toBe('embedded_wallet_not_found')
    const without = await setUp({ options: [] })
    const set = without.outcome((each) => each.setWalletRecovery())
    await without.person.follow([{ wait: 2_000 }])
    expect((await set).code).toBe('disallowed_recovery_method')
  })
})

test('a message is signed as Ethereum does, so not by a Solana wallet', async () => {
  const { outcome, vault } = await setUp({ wallets: [embeddedWallet, solanaWallet] })
  const signed = await outcome((kit) => kit.signMessage({ message: 'Hello' }, { address: solanaAddress }))
  expect(signed.code).toBe('embedded_wallet_not_found')
  expect(vault.asked).toEqual([])
})

describe('making a wallet', () => {
  const asked = (vault: ReturnType<typeof fakeVault>) =>
    vault.asked.map(({ event, data }) => ({ event, ...data }))

  test('is refused where there is one, unless another is wanted', async () => {
    const made: object[] = []
    const { outcome, person, accounts, vault } = await setUp({
      vault: {
        addWallet({ hdWalletIndex }) {
          made.push({ ...embeddedWallet, address: `0x${'3'.repeat(40)}`, wallet_index: hdWalletIndex })
          accounts.push(...made.splice(0))
          return { address: `0x${'3'.repeat(40)}` }
        },
      },
    })
    expect((await outcome((kit) => kit.createWallet())).code).toBe('embedded_wallet_already_exists')
    const shown = outcome((kit) => kit.createWallet({ createAdditional: true, dialog: true }))
    expect((await shown).code).toBe('invalid_wallet_index')
    const more = outcome((kit) => kit.createWallet({ createAdditional: true }))
    await person.follow([{ wait: 500 }])
    expect((await more).value).toMatchObject({ walletIndex: 1 })
    expect(asked(vault)).toMatchObject([
      { event: 'privy:wallets:add', entropyId: walletAddress, chainType: 'ethereum', hdWalletIndex: 1 },
    ])
    expect((await outcome((kit) => kit.createWallet({ walletIndex: 0 }))).value).toMatchObject({
      address: walletAddress,
    })
  })

  test.each([-1, 1.5, Number.NaN])('with the index %s is refused', async (walletIndex) => {
    const { outcome } = await setUp()
    expect((await outcome((kit) => kit.createWallet({ walletIndex }))).code).toBe('invalid_wallet_index')
  })

  test('of a chain that has no wallets here is refused with the chain’s name, and so is importing one', async () => {
    const { outcome, vault } = await setUp()
    const chainType = 'bitcoin' as 'ethereum'
    const said = (work: Promise<unknown>) =>
      work.catch(({ code, message }: KitError) => `${code}: ${message}`)
    const refused = await outcome((kit) =>
      Promise.all([
        said(kit.createWallet({ chainType, createAdditional: true })),
        said(kit.importWallet({ chainType, privateKey: '0x1' })),
      ]),
    )
    const why = 'invalid_request_arguments: chainType is one of ethereum, solana, not bitcoin'
    expect(refused.value).toEqual([why, why])
    expect(vault.asked).toEqual([])
  })

  test('of index 3 needs the one of index 0', async () => {
    const { outcome } = await setUp({ wallets: [solanaWallet] })
    expect((await outcome((kit) => kit.createWallet({ walletIndex: 3 }))).code).toBe('invalid_wallet_index')
  })

  test('on the other chain takes the same secret, named by its root', async () => {
    const { outcome, person, accounts, vault } = await setUp({
      vault: {
        addWallet() {
          accounts.push(solanaWallet)
          return { address: solanaAddress }
        },
      },
    })
    const made = outcome((kit) => kit.createWallet({ chainType: 'solana' }))
    await person.follow([{ wait: 500 }])
    expect((await made).value).toMatchObject({ address: solanaAddress, chainType: 'solana' })
    expect(asked(vault)).toMatchObject([
      { event: 'privy:wallets:add', entropyId: walletAddress, hdWalletIndex: 0 },
    ])
  })

  test('that never answers is still found', async () => {
    const { outcome, person, accounts } = await setUp({
      wallets: [],
      vault: {
        createWallet() {
          accounts.push(embeddedWallet)
          return undefined
        },
      },
    })
    const made = outcome((kit) => kit.createWallet())
    await person.follow([{ wait: 25_000 }])
    expect((await made).value).toMatchObject({ address: walletAddress })
  })

  test('in an app that wants people to own their backup asks for that first', async () => {
    const { outcome, person, accounts, vault } = await setUp({
      wallets: [],
      app: {
        embedded_wallet_config: {
          create_on_login: 'off',
          user_owned_recovery_options: ['user-passcode'],
          require_user_owned_recovery_on_create: true,
        },
      },
      vault: {
        createWallet() {
          accounts.push({ ...embeddedWallet, recovery_method: 'user-passcode' })
          return { address: walletAddress }
        },
      },
    })
    const made = outcome((kit) => kit.createWallet())
    await person.follow([
      ['set-password', { password: 'correct horse' }],
      ['save-password', 'continue'],
      ['confirm-password', 'continue'],
      ['finish-password', 'set'],
      ['password-result', 'close'],
      ['wallet-created', 'continue'],
      { wait: 500 },
    ])
    expect((await made).value).toMatchObject({ recoveryMethod: 'user-passcode' })
    expect(asked(vault)).toMatchObject([
      { event: 'privy:wallet:create', recoveryMethod: 'user-passcode', recoveryPassword: 'correct horse' },
    ])
  })
})

test('a key is imported by the vault, and the host is notified', async () => {
  const imported = { ...embeddedWallet, imported: true, address: `0x${'4'.repeat(40)}` }
  const { outcome, person, accounts, kit, vault } = await setUp({
    vault: {
      importWallet() {
        accounts.push(imported)
        return { address: imported.address }
      },
    },
  })
  const events: unknown[] = []
  kit.on('wallet', (detail) => events.push(detail))
  const privateKey = `0x${'11'.repeat(32)}`
  const made = outcome((each) => each.importWallet({ privateKey }))
  await person.follow([{ wait: 500 }])
  expect((await made).value).toMatchObject({ address: imported.address, imported: true })
  expect(vault.asked.at(-1)).toMatchObject({ event: 'privy:wallets:import', data: { privateKey } })
  expect(events).toMatchObject([{ wallet: { address: imported.address } }])
  expect((await outcome((each) => each.importWallet({ privateKey: '' }))).code).toBe(
    'invalid_request_arguments',
  )
})

test.each([
  ['shown', (kit: Kit) => kit.exportWallet()],
  ['given another recovery', (kit: Kit) => kit.setWalletRecovery()],
])(
  'a strict app’s wallet that a key of the page recovers is not %s: a clear screen says why',
  async (_, ask) => {
    const { outcome, person, errors } = await setUp({
      app: { vault_mode: 'strict' },
      wallets: [{ ...embeddedWallet, recovery_method: 'recovery-encryption-key' }],
    })
    const asked = outcome<unknown>(ask)
    await person.follow([
      { wait: 2_000 },
      {
        on: 'failure',
        expect: ({ title, detail }) => {
          expect(title).toBe('Recovery method not supported')
          expect(detail).toMatch(/Your wallet is safe/)
        },
        answer: 'close',
      },
      { wait: 1_000 },
    ])
    expect((await asked).code).toBeDefined()
    expect(errors.map(({ code }) => code)).toContain('recovery_method_not_supported')
  },
)

test('an export in a strict app shows the wallet for a second before what follows', async () => {
  const { outcome, person } = await setUp({
    app: { vault_mode: 'strict' },
    wallets: [{ ...embeddedWallet, recovery_method: 'recovery-encryption-key' }],
  })
  const asked = outcome<unknown>((kit) => kit.exportWallet())
  await person.follow([{ wait: 900 }])
  expect(person.scene?.screen.id).toBe('connecting-wallet')
  await person.follow([{ wait: 200 }, ['failure', 'close'], { wait: 1_000 }])
  expect((await asked).code).toBeDefined()
})

test('a strict app’s page can’t pass a private key: it is told why, and the vault hears nothing', async () => {
  const { outcome, kit, vault } = await setUp({ app: { vault_mode: 'strict' } })
  expect((await outcome((each) => each.importWallet({ privateKey: `0x${'11'.repeat(32)}` }))).code).toBe(
    'invalid_request_arguments',
  )
  await expect(kit.importWallet({ privateKey: `0x${'11'.repeat(32)}` })).rejects.toThrow('own window')
  expect(vault.asked.filter(({ event }) => event.includes('import'))).toEqual([])
})

describe('the devices of a person', () => {
  const wire = (more: object = {}) => ({
    id: 'd-1',
    name: 'Chrome on Windows',
    place: '203.0.113.0/24',
    current: true,
    created_at: 1_700_000_000,
    last_used_at: 1_700_000_060,
    ...more,
  })

  test('are listed as the server knows them; those of a newer server that can’t be read are left out', async () => {
    const { outcome } = await setUp({
      routes: {
        '/api/v1/devices': { body: { devices: [wire(), wire({ id: 'd-2', current: false }), { id: 3 }] } },
      },
    })
    expect((await outcome((each) => each.devices.list())).value).toEqual([
      {
        id: 'd-1',
        name: 'Chrome on Windows',
        place: '203.0.113.0/24',
        current: true,
        createdAt: new Date(1_700_000_000_000),
        lastUsedAt: new Date(1_700_000_060_000),
      },
      expect.objectContaining({ id: 'd-2', current: false }),
    ])
  })

  test('are removed by the vault in a compatible app; its refusal is the kit’s error', async () => {
    const { outcome, person, vault } = await setUp({
      vault: {
        removeDevice: ({ deviceId }) =>
          deviceId === 'd-1' ? { deviceId } : { error: { type: 'enrolment_required', message: 'who?' } },
      },
    })
    const removed = outcome((each) => each.devices.remove('d-1'))
    await person.follow([{ wait: 500 }])
    expect((await removed).code).toBeUndefined()
    expect(vault.asked.at(-1)).toMatchObject({ event: 'privy:devices:remove', data: { deviceId: 'd-1' } })
    expect((await outcome((each) => each.devices.remove('d-2'))).code).toBe('wallet_enrolment_required')
    expect((await outcome((each) => each.devices.remove(''))).code).toBe('invalid_request_arguments')
  })

  test('are removed in a compatible app once the person has shown the password of their wallet', async () => {
    const { outcome, person, vault } = await setUp({
      wallets: [{ ...embeddedWallet, recovery_method: 'user-passcode' }],
      vault: {
        removeDevice({ deviceId, present }) {
          if (!present) return { error: { type: 'recovery_proof_required', message: 'show it' } }
          if ((present as { presentPassword?: string }).presentPassword !== 'the right one')
            return { error: { type: 'invalid_recovery_pin', message: 'wrong' } }
          return { deviceId }
        },
      },
    })
    const removed = outcome((each) => each.devices.remove('d-1'))
    await person.follow([
      {
        on: 'password-recovery',
        expect: (props) => expect(props).toMatchObject({ purpose: 'present', address: walletAddress }),
      },
      ['password-recovery', { password: 'a wrong one' }],
      { on: 'password-recovery', expect: ({ error }) => expect(error).toEqual(expect.any(String)) },
      ['password-recovery', { password: 'the right one' }],
      { wait: 500 },
    ])
    expect((await removed).code).toBeUndefined()
    expect(vault.asked.at(-1)).toMatchObject({
      event: 'privy:devices:remove',
      data: { deviceId: 'd-1', present: { entropyId: walletAddress, presentPassword: 'the right one' } },
    })
  })

  test('stay where their person doesn’t show it', async () => {
    const { outcome, person } = await setUp({
      wallets: [{ ...embeddedWallet, recovery_method: 'user-passcode' }],
      vault: { removeDevice: () => ({ error: { type: 'recovery_proof_required', message: 'show it' } }) },
    })
    const removed = outcome((each) => each.devices.remove('d-1'))
    await person.follow([['password-recovery', 'back'], { wait: 500 }])
    expect((await removed).code).toBe('unknown_embedded_wallet_error')
  })

  test('are nobody’s business after a logout', async () => {
    const { outcome, kit } = await setUp()
    await kit.logout()
    for (const work of [(each: Kit) => each.devices.list(), (each: Kit) => each.devices.remove('d-1')])
      expect((await outcome<unknown>(work)).code).toBe('must_be_authenticated')
  })
})

describe('a login into an app that wants people to own their backup', () => {
  const required = {
    embedded_wallet_config: {
      create_on_login: 'users-without-wallets',
      user_owned_recovery_options: ['user-passcode', 'icloud'],
      require_user_owned_recovery_on_create: true,
    },
  }
  test('can’t be left before there is one, and continues on its own', async () => {
    const accounts: object[] = [...email]
    let fails = 1
    const vault = fakeVault({
      createWallet() {
        if (fails-- > 0) return { error: { type: 'error', message: 'no' } }
        accounts.push({ ...embeddedWallet, recovery_method: 'user-passcode' })
        return { address: walletAddress }
      },
    })
    const { kit, person } = await kitWithPerson({ app: required, accounts, vault })
    const login = kit.login()
    await person.follow([
      ['landing', { email: 'ada@example.com' }],
      ['enter-code', { code: '123456' }],
      {
        on: 'recovery-selection',
        expect: ({ cancellable }) => {
          expect(cancellable).toBe(false)
          expect(person.scene && isClosable(person.scene)).toBe(false)
        },
        answer: { method: 'icloud' },
      },
      // Whether the dialog can be left is the same for everything that is asked there.
      {
        on: 'recovery-oauth',
        expect: () => expect(person.scene && isClosable(person.scene)).toBe(false),
        answer: 'back',
      },
      ['recovery-selection', { method: 'password' }],
      ['set-password', { password: 'correct horse' }],
      ['save-password', 'continue'],
      ['confirm-password', 'continue'],
      ['finish-password', 'set'],
      // Nothing was made: the last step is there again.
      {
        on: 'password-result',
        expect: ({ ok }) => {
          expect(ok).toBe(false)
          expect(person.scene && isClosable(person.scene)).toBe(false)
        },
        answer: 'close',
      },
      ['finish-password', 'set'],
      { wait: 1_400 },
      ['wallet-created', 'continue'],
      { wait: 1_000 },
    ])
    expect((await login).id).toBe('did:privy:u1')
    expect(vault.asked.filter(({ event }) => event === 'privy:wallet:create')).toHaveLength(2)
  })

  test('a page that is loaded again in the middle of the password goes on there at the next login()', async () => {
    const accounts: object[] = [...email]
    const before = await kitWithPerson({ app: required, accounts, vault: fakeVault({}) })
    before.kit.login().catch(() => {})
    await before.person.follow([
      ['landing', { email: 'ada@example.com' }],
      ['enter-code', { code: '123456' }],
      ['recovery-selection', { method: 'password' }],
      ['set-password', { password: 'correct horse' }],
      { on: 'save-password' },
    ])
    const { storage, tabStorage, clock } = before
    const vault = fakeVault({
      createWallet() {
        accounts.push({ ...embeddedWallet, recovery_method: 'user-passcode' })
        return { address: walletAddress }
      },
    })
    const { kit, person } = await kitWithPerson({
      app: required,
      accounts,
      vault,
      storage,
      tabStorage,
      clock,
    })
    await kit.whenReady()
    expect(kit.user).toBeNull()
    const login = kit.login()
    await person.follow([
      ['recovery-selection', { method: 'password' }],
      ['set-password', { password: 'correct horse' }],
      ['save-password', 'continue'],
      ['confirm-password', 'continue'],
      ['finish-password', 'set'],
      { wait: 1_400 },
      ['wallet-created', 'continue'],
      { wait: 1_000 },
    ])
    expect((await login).wallet?.address).toBe(walletAddress)
    expect(person.trace()).not.toContain('landing')
  })

  test('the last password counts, also where an earlier try has made the wallet unheard', async () => {
    const accounts: object[] = [...email]
    const set: unknown[] = []
    const vault = fakeVault({
      createWallet() {
        accounts.push({ ...embeddedWallet, recovery_method: 'user-passcode' })
        return { error: { type: 'error', message: 'no answer' } }
      },
      setRecovery(data) {
        set.push(data.recoveryPassword)
        const { entropyId, entropyIdVerifier, recoveryMethod } = data
        return { entropyId, entropyIdVerifier, recoveryMethod }
      },
    })
    const { kit, person } = await kitWithPerson({ app: required, accounts, vault })
    const login = kit.login()
    await person.follow([
      ['landing', { email: 'ada@example.com' }],
      ['enter-code', { code: '123456' }],
      ['recovery-selection', { method: 'password' }],
      ['set-password', { password: 'correct horse' }],
      ['save-password', 'continue'],
      ['confirm-password', 'continue'],
      ['finish-password', 'set'],
      { on: 'password-result', expect: ({ ok }) => expect(ok).toBe(false), answer: 'close' },
      ['finish-password', 'back'],
      ['confirm-password', 'back'],
      ['save-password', 'back'],
      ['set-password', { password: 'battery staple' }],
      ['save-password', 'continue'],
      ['confirm-password', 'continue'],
      ['finish-password', 'set'],
      { wait: 1_400 },
      ['wallet-created', 'continue'],
      { wait: 1_000 },
    ])
    await login
    expect(set).toEqual(['battery staple'])
  })

  test('where this version can do none of the ways that are offered, the person can leave', async () => {
    const app = {
      embedded_wallet_config: {
        ...required.embedded_wallet_config,
        user_owned_recovery_options: ['carrier-pigeon'],
      },
    }
    const { kit, person } = await kitWithPerson({ app, accounts: [...email], vault: fakeVault({}) })
    const login = kit.login().catch((cause: KitError) => cause.code)
    await person.follow([
      ['landing', { email: 'ada@example.com' }],
      ['enter-code', { code: '123456' }],
      {
        on: 'recovery-selection',
        expect: (props) => {
          expect(props).toMatchObject({ methods: [], cancellable: true })
          expect(person.scene && isClosable(person.scene)).toBe(true)
        },
        close: true,
      },
    ])
    await login
  })
})

test('a login makes a wallet on both chains where the host wants that', async () => {
  const accounts: object[] = [...email]
  const vault = fakeVault({
    createWallet() {
      accounts.push(embeddedWallet)
      return { address: walletAddress }
    },
    addWallet() {
      accounts.push(solanaWallet)
      return { address: solanaAddress }
    },
  })
  const { kit, person } = await kitWithPerson({
    accounts,
    vault,
    options: {
      config: { embeddedWallets: { createOnLogin: 'all-users', solana: { createOnLogin: 'all-users' } } },
    },
  })
  const login = kit.login()
  await person.follow([
    ['landing', { email: 'ada@example.com' }],
    ['enter-code', { code: '123456' }],
    {
      on: 'wallet-created',
      expect: (props) => expect(props).toMatchObject({ address: walletAddress, second: solanaAddress }),
      answer: 'continue',
    },
    { wait: 1_000 },
  ])
  await login
  expect(kit.user?.linkedAccounts.filter(({ type }) => type === 'wallet')).toHaveLength(2)
})

describe('a vault that is silent', () => {
  test.each([
    ['a change of recovery', (kit: Kit) => kit.setWalletRecovery()],
    ['a change of the password', (kit: Kit) => kit.setWalletPassword()],
    ['an export', (kit: Kit) => kit.exportWallet()],
  ])('before %s says so, and is asked again as often as the person wants', async (_, ask) => {
    const { outcome, person, vault, errors } = await setUp({ vault: { ready: () => undefined } })
    const done = outcome<unknown>(ask)
    const told = (props: Record<string, unknown>) => expect(props).toMatchObject({ action: 'retry' })
    await person.follow([
      { wait: 45_000 },
      { on: 'failure', expect: told, answer: 'retry' },
      { wait: 45_000 },
      { on: 'failure', expect: told, close: true },
      { wait: 1_000 },
    ])
    expect((await done).code).toBeDefined()
    expect(person.ends).toMatchObject([{ completed: false }])
    expect(vault.frames.length).toBeGreaterThan(1)
    expect(errors.map(({ code }) => code)).toContain('vault_timeout')
  })

  test('leaves no way back where a login needs it', async () => {
    const { person, outcome } = await setUp({
      wallets: [],
      vault: { ready: () => undefined },
      app: { embedded_wallet_config: { create_on_login: 'users-without-wallets' } },
    })
    const done = outcome((kit) => kit.login())
    await person.follow([
      { wait: 45_000 },
      { on: 'failure', expect: (props) => expect(props).toMatchObject({ back: false }), close: true },
      { wait: 1_000 },
    ])
    expect((await done).code).toBeDefined()
  })
})
