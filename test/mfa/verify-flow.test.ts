/** How a person is verified by one of their second factors, and what ends that. */
import { describe, expect, test } from 'vitest'
import type { VerifyCalls } from '../../src/mfa/calls.ts'
import type { MfaGiven, MfaMethod } from '../../src/mfa/methods.ts'
import { verifyIdentity } from '../../src/mfa/verify/flow.ts'
import { NotVerified } from '../../src/mfa/verify/not-verified.ts'
import { Failed, failureOf, withPerson } from './support.ts'

const max =
  'You have exceeded the maximum number of attempts. Please close this window and try again in 10 seconds.'
const late = 'You have exceeded the time limit for code entry. Please try again in 30 seconds.'
const good = '491072'

/** A prompt for somebody with these factors; one code, one finger and one recovery code are right. */
function prompt(methods: readonly MfaMethod[], more: Partial<VerifyCalls<string>> = {}) {
  const person = withPerson()
  const given: MfaGiven[] = []
  let sent = 0
  const calls: VerifyCalls<string> = {
    methods,
    recoveryCodes: false,
    failureOf,
    async sendCode() {
      sent++
    },
    askPasskey: async () => ({ finger: 'right' }),
    async verify(what) {
      given.push(what)
      if (what.method !== 'passkey' && what.code !== good && what.code !== 'abcde-12345')
        throw new Failed('wrong')
      return 'signed'
    },
    ...more,
  }
  const done = verifyIdentity(person.cx, calls)
  const outcome = done.then(
    (value) => value,
    (cause: unknown) => (cause instanceof NotVerified ? cause.why : cause),
  )
  return { ...person, given, outcome, sent: () => sent }
}

describe('somebody with one factor', () => {
  test('is asked for that one, and verified by it', async () => {
    const { answer, outcome, given, seen } = prompt(['totp'])
    expect(await answer('mfa-code', { code: good })).toMatchObject({ via: 'totp', others: false })
    expect(await outcome).toBe('signed')
    expect(given).toEqual([{ method: 'totp', code: good }])
    expect(seen).toEqual(['mfa-code'])
  })

  test('is told that a code is wrong, and may try again', async () => {
    const { answer, outcome, reported } = prompt(['totp'])
    await answer('mfa-code', { code: '000000' })
    expect(await answer('mfa-code', { code: good })).toMatchObject({
      error: 'The code you entered is not valid',
    })
    expect(await outcome).toBe('signed')
    expect(reported).toHaveLength(1)
  })

  test('gets a text message at once, and another one half a minute later', async () => {
    const { answer, on, sent, clock, outcome } = prompt(['sms'])
    expect(await on('mfa-code')).toMatchObject({ via: 'sms', resendIn: 30_000 })
    expect(sent()).toBe(1)
    await clock.advance(30_000)
    await answer('mfa-code', 'resend')
    await on('mfa-code')
    expect(sent()).toBe(2)
    await answer('mfa-code', { code: good })
    expect(await outcome).toBe('signed')
  })

  test('is asked for their passkey without a press', async () => {
    const { outcome, given, seen } = prompt(['passkey'])
    expect(await outcome).toBe('signed')
    expect(given).toEqual([{ method: 'passkey', response: { finger: 'right' } }])
    expect(seen).toEqual(['mfa-passkey'])
  })

  test('may try again when the passkey was declined', async () => {
    let asked = 0
    const { answer, on, outcome } = prompt(['passkey'], {
      async askPasskey() {
        if (asked++ === 0) throw new Failed('declined')
        return {}
      },
    })
    const failed = await on('mfa-passkey', ({ state }) => state === 'failed')
    await answer('mfa-passkey', 'retry')
    expect(failed).toMatchObject({ detail: 'Verification canceled', blocked: false })
    expect(await outcome).toBe('signed')
  })
})

describe('somebody with several factors', () => {
  test('chooses one, and may choose another one', async () => {
    const { answer, outcome, seen } = prompt(['totp', 'sms'])
    expect(await answer('mfa-verify', { verify: 'sms' })).toMatchObject({ verifications: ['totp', 'sms'] })
    expect(await answer('mfa-code', 'other')).toMatchObject({ via: 'sms', others: true })
    await answer('mfa-verify', { verify: 'totp' })
    await answer('mfa-code', { code: good })
    expect(await outcome).toBe('signed')
    expect(seen.filter((id) => id !== 'mfa-loading')).toEqual([
      'mfa-verify',
      'mfa-code',
      'mfa-verify',
      'mfa-code',
    ])
  })

  test('is not sent a second text message for looking at the other ways', async () => {
    const { answer, on, sent } = prompt(['sms', 'totp'])
    await answer('mfa-verify', { verify: 'sms' })
    await answer('mfa-code', 'other')
    await answer('mfa-verify', { verify: 'sms' })
    await on('mfa-code')
    expect(sent()).toBe(1)
  })

  test('who has lost them gives a recovery code', async () => {
    const { answer, outcome, given } = prompt(['totp'], { recoveryCodes: true })
    expect(await answer('mfa-code', 'other')).toMatchObject({ others: true })
    expect(await answer('mfa-verify', { verify: 'recovery' })).toMatchObject({
      verifications: ['totp', 'recovery'],
    })
    await answer('mfa-recovery-code', { code: 'abcde-12345' })
    expect(await outcome).toBe('signed')
    expect(given).toEqual([{ method: 'recovery', code: 'abcde-12345' }])
  })
})

describe('a prompt ends', () => {
  test('when the person does not want to be verified now', async () => {
    const { answer, outcome } = prompt(['totp'])
    await answer('mfa-code', 'not-now')
    expect(await outcome).toBe('canceled')
  })

  test('when they close it, whatever is being done', async () => {
    const { stage, outcome, on } = prompt(['sms'], { sendCode: () => new Promise(() => {}) })
    await on('mfa-loading')
    stage.close()
    expect(await outcome).toBe('canceled')
  })

  test('after four wrong codes, of all factors together: nothing more is taken', async () => {
    const { answer, on, outcome, given } = prompt(['totp', 'sms'])
    await answer('mfa-verify', { verify: 'totp' })
    for (let tries = 0; tries < 3; tries++) await answer('mfa-code', { code: '000000' })
    await answer('mfa-code', 'other')
    await answer('mfa-verify', { verify: 'sms' })
    await answer('mfa-code', { code: '000000' })
    expect(await on('mfa-code')).toMatchObject({ blocked: max })
    expect(given).toHaveLength(4)
    await answer('mfa-code', 'not-now')
    expect(await outcome).toBe('max-attempts')
  })

  test('when the server says that there were too many tries', async () => {
    const { answer, on, stage, outcome } = prompt(['totp'], {
      verify: () => Promise.reject(new Failed('max-attempts')),
    })
    await answer('mfa-code', { code: good })
    expect(await on('mfa-code')).toMatchObject({ blocked: max })
    stage.close()
    expect(await outcome).toBe('max-attempts')
  })

  test('after five minutes, over all of its screens', async () => {
    const { answer, on, clock, outcome } = prompt(['totp', 'sms'])
    await on('mfa-verify')
    await clock.advance(200_000)
    await answer('mfa-verify', { verify: 'totp' })
    await on('mfa-code')
    await clock.advance(99_999)
    expect(await on('mfa-code')).toMatchObject({ blocked: undefined })
    await clock.advance(1)
    expect(await on('mfa-code')).toMatchObject({ blocked: late })
    await answer('mfa-code', 'not-now')
    expect(await outcome).toBe('timeout')
  })

  test('after five minutes also while the browser asks for a passkey, whose late answer is not taken', async () => {
    let choose = (_: object) => {}
    let asking: AbortSignal | undefined
    const { answer, on, clock, outcome, given } = prompt(['passkey'], {
      askPasskey(signal) {
        asking = signal
        return new Promise((resolve) => {
          choose = resolve
        })
      },
    })
    await clock.advance(299_999)
    expect(await on('mfa-passkey')).toMatchObject({ state: 'waiting' })
    await clock.advance(1)
    expect(await on('mfa-passkey')).toMatchObject({ state: 'failed', detail: late, blocked: true })
    expect(asking?.aborted).toBe(true)
    choose({ finger: 'right' })
    await clock.advance(0)
    expect(given).toEqual([])
    await answer('mfa-passkey', 'not-now')
    expect(await outcome).toBe('timeout')
  })

  test('not for a passkey that was chosen in time and is being checked', async () => {
    let check = (_: string) => {}
    const { clock, outcome } = prompt(['passkey'], {
      verify: () =>
        new Promise((resolve) => {
          check = resolve
        }),
    })
    await clock.advance(400_000)
    check('signed')
    expect(await outcome).toBe('signed')
  })

  test('with what went wrong for another reason than the code', async () => {
    const cause = new Error('insufficient funds')
    const { answer, outcome } = prompt(['totp'], { verify: () => Promise.reject(cause) })
    await answer('mfa-code', { code: good })
    expect(await outcome).toBe(cause)
  })
})
