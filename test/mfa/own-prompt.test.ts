/** Hosts that draw the prompt of second factors themselves. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import '../../src/kit/host/mfa.ts'
import '../../src/kit/services/second-factors.ts'
import '../../src/wallets/export/service.ts'
import type { KitError } from '../../src/errors/kit-error.ts'
import type { MfaMethod } from '../../src/mfa/methods.ts'
import { sessionBody, wireUser } from '../support/api.ts'
import { settled, testClock } from '../support/clock.ts'
import { embeddedWallet, kitWithPerson, paths } from '../support/kit.ts'
import { until } from '../support/oauth.ts'
import { fakeVault } from '../support/vault.ts'

beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}))
afterEach(() => vi.restoreAllMocks())

const good = '491072'
const sms = '/api/v1/mfa/passwordless_sms/init'
const challenge = { challenge: 'Y2hhbGxlbmdl', rpId: 'app.example', allowCredentials: [] }

/** Somebody with these factors, in an app whose host draws the prompt; `prompt` asks for one. */
async function ownPrompt(methods = ['totp'], refused = 'missing_or_invalid_mfa') {
  const given: unknown[] = []
  const vault = fakeVault({
    verifyMfa({ mfaMethod, mfaCode }) {
      if (!mfaMethod) return { error: { type: 'missing_or_invalid_mfa', message: '' } }
      given.push({ mfaMethod, mfaCode })
      const isRight = mfaCode === good || typeof mfaCode === 'object'
      return isRight ? {} : { error: { type: refused, message: 'Invalid MFA code' } }
    },
  })
  const clock = testClock()
  const factors = methods.map((type) => ({ type, verified_at: 1_700_000_000 }))
  const accounts = [...wireUser().linked_accounts, embeddedWallet]
  const user = wireUser('did:privy:u1', {
    linked_accounts: accounts,
    mfa_methods: factors,
  })
  const set = await kitWithPerson({
    clock,
    vault,
    accounts,
    options: { config: { mfa: { noPromptOnMfaRequired: true } } },
    app: { mfa_methods: ['totp', 'sms', 'passkey'] },
    routes: {
      [paths.authenticate]: { body: await sessionBody(clock, { user }) },
      '/api/v1/mfa': { body: { methods: factors, recovery_codes_left: 0 } },
      [sms]: { body: {} },
      '/api/v1/mfa/passkeys/init': { body: { options: challenge } },
    },
  })
  const { kit } = set
  await kit.email.sendCode({ email: 'ada@example.com' })
  await kit.email.loginWithCode({ code: '123456' })
  const required: unknown[] = []
  kit.on('mfa-required', (detail) => required.push(detail))
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => 'done',
      ({ code }: KitError) => code,
    )
  /** Asks for something that needs the person verified, and goes on while it waits. */
  async function begin(ask: () => Promise<unknown> = () => kit.mfa.prompt()) {
    const outcome = codeOf(ask())
    // As long as the vault takes to open.
    await settled()
    await clock.advance(500)
    await until(() => kit.mfa.state.get().status === 'required')
    return { outcome }
  }
  async function submit(method: MfaMethod, code: string | object) {
    const outcome = codeOf(kit.mfa.submit(method, code))
    await settled()
    await clock.advance(500)
    return outcome
  }
  return { ...set, given, required, begin, submit, codeOf }
}

describe('a host with a prompt of its own', () => {
  test('hears which factors there are, and sends the code along with what waits', async () => {
    const { kit, person, given, required, begin, submit } = await ownPrompt(['totp', 'sms'])
    const { outcome } = await begin()
    expect(required).toEqual([{ methods: ['totp', 'sms'] }])
    expect(kit.mfa.state.get()).toEqual({ status: 'required', methods: ['totp', 'sms'] })
    expect(person.scene).toBeUndefined()
    expect(await submit('totp', ` ${good} `)).toBe('done')
    expect(await outcome).toBe('done')
    expect(given).toEqual([{ mfaMethod: 'totp', mfaCode: good }])
    expect(kit.mfa.state.get()).toEqual({ status: 'idle' })
  })

  test('has a text message sent when it wants one', async () => {
    const { kit, api, begin, submit } = await ownPrompt(['sms'])
    const { outcome } = await begin()
    expect(api.to(sms)).toEqual([])
    expect(await kit.mfa.init('sms')).toBeUndefined()
    expect(api.to(sms).map(({ body }) => body)).toEqual([{ action: 'verify' }])
    await submit('sms', good)
    expect(await outcome).toBe('done')
  })

  test('gets what to ask the browser for, and gives what the browser has answered', async () => {
    const { kit, given, begin, submit } = await ownPrompt(['passkey'])
    const { outcome } = await begin()
    expect(await kit.mfa.init('passkey')).toMatchObject({ challenge: challenge.challenge })
    const response = { clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'AA' }
    const assertion = { id: 'key', rawId: 'key', type: 'public-key', response, clientExtensionResults: {} }
    expect(await submit('passkey', assertion)).toBe('done')
    expect(await outcome).toBe('done')
    expect(given).toMatchObject([{ mfaMethod: 'passkey', mfaCode: { id: 'key' } }])
  })

  test('may try four times; then what waits fails, and nothing is left waiting', async () => {
    const { begin, submit, given } = await ownPrompt()
    const { outcome } = await begin()
    for (let tries = 0; tries < 4; tries++)
      expect(await submit('totp', '000000')).toBe('missing_or_invalid_mfa')
    expect(await outcome).toBe('mfa_verification_max_attempts_reached')
    expect(await submit('totp', good)).toBe('invalid_state')
    expect(given).toHaveLength(4)
  })

  test('has no further try when the server has counted too many', async () => {
    const type = 'mfa_verification_max_attempts_reached'
    const { begin, submit } = await ownPrompt(['totp'], type)
    const { outcome } = await begin()
    expect(await submit('totp', '000000')).toBe(type)
    expect(await outcome).toBe(type)
  })

  test('has five minutes', async () => {
    const { begin, submit, clock } = await ownPrompt()
    const { outcome } = await begin()
    await clock.advance(299_000)
    expect(await submit('totp', '000000')).toBe('missing_or_invalid_mfa')
    await clock.advance(500)
    expect(await outcome).toBe('mfa_timeout')
    expect(await submit('totp', good)).toBe('invalid_state')
  })

  test('is told what can’t be given: nothing waits, or not by that method', async () => {
    const { kit, begin, submit, codeOf } = await ownPrompt()
    expect(await submit('totp', good)).toBe('invalid_state')
    const { outcome } = await begin()
    expect(await submit('voice' as MfaMethod, good)).toBe('unsupported_mfa_method')
    expect(await submit('passkey', good)).toBe('unsupported_mfa_method')
    expect(await submit('totp', { code: good })).toBe('unsupported_mfa_method')
    expect(await codeOf(kit.mfa.init('voice' as MfaMethod))).toBe('unsupported_mfa_method')
    await submit('totp', good)
    expect(await outcome).toBe('done')
  })

  test('gives up: what waits is canceled, and asking again asks anew', async () => {
    const { kit, begin, submit, required } = await ownPrompt()
    const { outcome } = await begin()
    kit.mfa.cancel()
    expect(await outcome).toBe('mfa_canceled')
    expect(kit.mfa.state.get()).toEqual({ status: 'idle' })
    const again = await begin()
    await submit('totp', good)
    expect(await again.outcome).toBe('done')
    expect(required).toHaveLength(2)
  })

  test('gives up on what was asked for in a dialog: it closes, as it does where the kit asks', async () => {
    const { kit, person, begin, vault } = await ownPrompt()
    const { outcome } = await begin(() => kit.exportWallet())
    kit.mfa.cancel()
    await person.follow([{ wait: 3_000 }])
    expect(await outcome).toBe('mfa_canceled')
    expect(person.scene).toBeUndefined()
    // Whoever exports is verified for that first: nothing else was asked of the vault.
    expect(vault.asked.map(({ event }) => event)).toEqual(['privy:mfa:verify'])
  })
})

test('somebody who is not logged in enrols nothing and removes nothing, and no dialog opens', async () => {
  const { kit, person } = await kitWithPerson({
    clock: testClock(),
    vault: fakeVault(),
    accounts: [],
    app: { mfa_methods: ['totp'] },
  })
  const refused = {
    code: 'must_be_authenticated',
    shortMessage: 'Must have valid access token to enroll in MFA',
  }
  for (const call of [
    () => kit.mfa.enroll(),
    () => kit.mfa.remove('totp'),
    () => kit.mfa.unenroll('totp'),
    () => kit.mfa.initEnrollment({ method: 'totp' }),
    () => kit.mfa.submitEnrollment({ method: 'totp', code: good }),
    () => kit.mfa.recoveryCodes(),
    () => kit.mfa.prompt(),
  ])
    await expect(call()).rejects.toMatchObject(refused)
  expect(person.scene).toBeUndefined()
})
