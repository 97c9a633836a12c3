/** Second factors in compatible apps: what a request wants, what a page brings along, and for how long that is good. */
import '../../support/quick-stretching.ts'
import { describe, expect, test } from 'vitest'
import { memoryStorage } from '../../../../src/lib/storage.ts'
import { frameEvents } from '../../../../src/protocol/frame/calls.ts'
import { makeToken } from '../../support/backend.ts'
import { ask, createChannels, openTab, person, quickClock } from '../../support/device.ts'
import { user, withWallet } from '../../support/person.ts'
import { factorsOf } from '../../support/server/mfa.ts'

const minute = 60_000
const code = { mfaMethod: 'totp', mfaCode: '123456', relyingParty: 'https://host.example' }
const wanted = { type: 'missing_or_invalid_mfa', message: expect.any(String) }

/** Somebody with a wallet here and an authenticator app, in a tab that has shown nothing yet. */
async function protectedWallet() {
  const world = await withWallet()
  const { backend, device, token, address } = world
  let ahead = 0
  const clock = { ...quickClock, now: () => Date.now() + ahead }
  backend.state.now = clock.now
  const factors = factorsOf(backend.state, user)
  factors.methods.push('totp')
  const tab = memoryStorage()
  const channel = createChannels()
  const open = (text = token) => {
    const vault = openTab(backend, { ...device, tab, channel }, clock)
    return {
      vault,
      me: person(vault, text),
      ask: (event: string, data: object = {}) => ask(vault, event, { accessToken: text, ...data }),
    }
  }
  const root = { entropyId: address, entropyIdVerifier: 'ethereum-address-verifier' }
  return { ...world, ...open(), open, factors, root, tab, pass: (ms: number) => (ahead += ms) }
}

describe('a request of somebody who has a second factor', () => {
  test('is refused until they are verified, and then goes through without another code', async () => {
    const { me, ask, root, address } = await protectedWallet()
    expect((await me.sign(address, 'a')).error).toEqual(wanted)
    expect(await ask(frameEvents.connectWallet, { ...root, ...code })).toEqual({ entropyId: address })
    expect((await me.sign(address, 'a')).response?.method).toBe('personal_sign')
    expect(await me.connect(address)).toEqual({ entropyId: address })
  })

  test('is refused for a wrong code, and after too many of them', async () => {
    const { ask, root } = await protectedWallet()
    const wrong = { ...code, mfaCode: '000000' }
    for (let tries = 0; tries < 4; tries++)
      expect((await ask(frameEvents.connectWallet, { ...root, ...wrong })).error).toEqual(wanted)
    const last = await ask(frameEvents.connectWallet, { ...root, ...code })
    expect(last.error?.type).toBe('mfa_verification_max_attempts_reached')
  })

  test('takes a passkey’s answer and a recovery code, each of which is good once', async () => {
    const { ask, root, factors, me, address, pass } = await protectedWallet()
    const response = { response: { signature: 'the right finger' } }
    const passkey = { mfaMethod: 'passkey', mfaCode: response, relyingParty: 'https://host.example' }
    expect((await ask(frameEvents.connectWallet, { ...root, ...passkey })).error).toBeUndefined()
    pass(16 * minute)
    factors.recoveryCodes = ['abcde-12345']
    const recovery = { mfaMethod: 'recovery', mfaCode: 'abcde-12345' }
    expect((await ask(frameEvents.connectWallet, { ...root, ...recovery })).error).toBeUndefined()
    expect(factors.recoveryCodes).toEqual([])
    expect((await me.connect(address)).error).toBeUndefined()
  })

  test.each([
    [
      'a method that nobody knows',
      { mfaMethod: 'carrier-pigeon', mfaCode: '123456' },
      'Unsupported MFA method',
    ],
    ['a code that is no text', { mfaMethod: 'totp', mfaCode: { digits: 6 } }, 'Invalid MFA code'],
    [
      'a passkey’s answer that is a text',
      { mfaMethod: 'passkey', mfaCode: '123456' },
      'Unsupported MFA method',
    ],
  ])('says so of %s', async (_, given, message) => {
    const { ask, root } = await protectedWallet()
    const { error } = await ask(frameEvents.connectWallet, { ...root, ...given })
    expect(error).toEqual({ type: 'invalid_request_arguments', message })
  })
})

describe('that somebody is verified', () => {
  test('is good for a quarter of an hour, whatever was released meanwhile', async () => {
    const { me, ask, root, address, pass } = await protectedWallet()
    await ask(frameEvents.connectWallet, { ...root, ...code })
    pass(14 * minute)
    expect((await me.connect(address)).error).toBeUndefined()
    // What was released a minute ago is kept for five, but not beyond the proof that it was given for.
    pass(2 * minute)
    expect((await me.sign(address, 'a')).error).toEqual(wanted)
  })

  test('is known to the other pages of the tab, and to nobody else', async () => {
    const { ask, root, open, address } = await protectedWallet()
    await ask(frameEvents.connectWallet, { ...root, ...code })
    expect((await open().me.connect(address)).error).toBeUndefined()
    const other = open(makeToken('did:privy:two'))
    expect((await other.me.connect(address)).error?.type).toBe('wallet_not_on_device')
  })

  test('ends with the session', async () => {
    const { me, ask, root, open, address, tab, token } = await protectedWallet()
    await ask(frameEvents.connectWallet, { ...root, ...code })
    await me.clear(user)
    expect(tab.get('latchkey-mfa:clatchkeytestapp000000001')).toBeUndefined()
    const again = open(makeToken(user))
    expect(again).not.toBe(token)
    expect((await again.me.connect(address)).error).toEqual(wanted)
  })

  test('is not enough for another login of the same person', async () => {
    const { ask, root, open, address } = await protectedWallet()
    await ask(frameEvents.connectWallet, { ...root, ...code })
    expect((await open(makeToken(user)).me.connect(address)).error).toEqual(wanted)
  })
})

describe('a change of recovery', () => {
  test('wants the person verified just now; one code is enough for all that it takes', async () => {
    const { ask, root, backend, pass } = await protectedWallet()
    const change = { ...root, recoveryMethod: 'user-passcode', recoveryPassword: 'neues-Pferd-und-Wagen' }
    await ask(frameEvents.connectWallet, { ...root, ...code })
    expect((await ask(frameEvents.setRecovery, change)).error).toEqual(wanted)
    expect(await ask(frameEvents.setRecovery, { ...change, ...code })).toMatchObject({
      recoveryMethod: 'user-passcode',
    })
    expect(backend.rootOf(user).recovery.method).toBe('user-passcode')
    pass(2 * minute)
    const again = {
      ...change,
      presentPassword: 'neues-Pferd-und-Wagen',
      recoveryPassword: 'noch-ein-Pferd-hier',
    }
    expect((await ask(frameEvents.setRecovery, again)).error).toEqual(wanted)
  })
})

describe('factors themselves', () => {
  test('are enrolled by a code, and what was released before is asked for anew', async () => {
    const { ask, me, address, factors, root } = await protectedWallet()
    factors.methods = []
    expect((await me.sign(address, 'a')).error).toBeUndefined()
    expect(await ask(frameEvents.initMfaEnrollment, { method: 'totp' })).toEqual({
      method: 'totp',
      secret: 'SECRET',
      authUrl: 'otpauth://totp/x',
    })
    const submit = { method: 'totp', code: '000000' }
    expect((await ask(frameEvents.submitMfaEnrollment, submit)).error).toEqual(wanted)
    expect(await ask(frameEvents.submitMfaEnrollment, { ...submit, code: '123456' })).toEqual({})
    expect(factors.methods).toEqual(['totp'])
    expect((await me.sign(address, 'a')).error).toEqual(wanted)
    expect((await ask(frameEvents.connectWallet, { ...root, ...code })).error).toBeUndefined()
  })

  test('that were just set up bring recovery codes without another code, and let no wallet be used or factor be removed', async () => {
    const { ask, me, address, factors, pass } = await protectedWallet()
    factors.methods = []
    const enrol = async () => {
      await ask(frameEvents.initMfaEnrollment, { method: 'totp' })
      return ask(frameEvents.submitMfaEnrollment, { method: 'totp', code: '123456' })
    }
    expect(await enrol()).toEqual({})
    expect(await ask(frameEvents.newMfaRecoveryCodes)).toMatchObject({ codes: { length: 10 } })
    expect((await me.sign(address, 'a')).error).toEqual(wanted)
    expect((await ask(frameEvents.unenrollMfa, { method: 'totp' })).error).toEqual(wanted)
    factors.methods = []
    await enrol()
    pass(minute)
    expect((await ask(frameEvents.newMfaRecoveryCodes)).error).toEqual(wanted)
  })

  test('are added and removed by somebody who is verified just now, and by nobody else', async () => {
    const { ask, factors, root, pass } = await protectedWallet()
    await ask(frameEvents.connectWallet, { ...root, ...code })
    expect((await ask(frameEvents.unenrollMfa, { method: 'totp' })).error).toEqual(wanted)
    const sms = { method: 'sms', phoneNumber: '+15550100' }
    expect((await ask(frameEvents.initMfaEnrollment, sms)).error).toEqual(wanted)
    expect(await ask(frameEvents.initMfaEnrollment, { ...sms, ...code })).toEqual({ method: 'sms' })
    expect(await ask(frameEvents.submitMfaEnrollment, { ...sms, code: '123456' })).toEqual({})
    expect(
      await ask(frameEvents.submitMfaEnrollment, { method: 'passkey', credentialIds: ['a', 'b'] }),
    ).toEqual({})
    expect(factors).toMatchObject({ methods: ['totp', 'sms', 'passkey'], passkeys: ['a', 'b'] })
    pass(2 * minute)
    expect((await ask(frameEvents.newMfaRecoveryCodes)).error).toEqual(wanted)
    expect((await ask(frameEvents.newMfaRecoveryCodes, code)) as object).toMatchObject({
      codes: expect.arrayContaining(['code0-12345']),
    })
    expect(await ask(frameEvents.submitMfaEnrollment, { method: 'passkey', credentialIds: [] })).toEqual({})
    expect(await ask(frameEvents.unenrollMfa, { method: 'totp' })).toEqual({})
    expect(factors.methods).toEqual(['sms'])
  })

  test('are for the vault’s own pages in a strict app, whatever a page sends', async () => {
    const { backend, device, token, root } = await protectedWallet()
    const vault = openTab(backend, device, quickClock, { vault: 'strict' })
    const refused = { error: { type: 'error', message: "Approve this in the wallet's own window" } }
    for (const event of [
      ...[frameEvents.verifyMfa, frameEvents.newMfaRecoveryCodes],
      ...[frameEvents.initMfaEnrollment, frameEvents.submitMfaEnrollment, frameEvents.unenrollMfa],
    ])
      expect(
        await ask(vault, event, { accessToken: token, method: 'totp', code: '123456', ...code }),
      ).toEqual(refused)
    // A code that a page knows verifies nobody there.
    const { error } = await ask(vault, frameEvents.connectWallet, { accessToken: token, ...root, ...code })
    expect(error).toEqual(wanted)
  })
})
