/** How second factors are added and taken away. */
import { describe, expect, test } from 'vitest'
import { Closed } from '../../src/dialog/stage.ts'
import type { EnrollCalls } from '../../src/mfa/calls.ts'
import { enrollFactors } from '../../src/mfa/enroll/flow.ts'
import type { MfaMethod, MfaPerson } from '../../src/mfa/methods.ts'
import { Failed, failureOf, withPerson } from './support.ts'

const good = '491072'
const passkeysOf = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ id: `id-${i}`, name: `Key ${i}` }))
const codes = Array.from({ length: 10 }, (_, i) => `abcd${i}-12345`)

/** Somebody who sets up factors; the codes of both kinds are the same. */
function enrolling(
  start: Partial<MfaPerson> = {},
  wanted?: MfaMethod,
  { canGoBack, ...more }: Partial<EnrollCalls> & { canGoBack?: boolean } = {},
) {
  const person = withPerson()
  const now: MfaPerson = {
    methods: [],
    passkeys: [],
    smsIsLogin: false,
    recoveryCodesLeft: 0,
    ...start,
  }
  let state = now
  const done: unknown[] = []
  const add = (method: MfaMethod) => {
    state = { ...state, methods: [...state.methods, method] }
  }
  const check = (code: string) => {
    if (code !== good) throw new Failed('wrong')
  }
  const calls: EnrollCalls = {
    appName: 'Harbor',
    offered: ['totp', 'sms', 'passkey'],
    failureOf,
    person: async () => state,
    initTotp: async () => ({ secret: 'SECRET', authUrl: 'otpauth://totp/x' }),
    async enrollTotp(code) {
      check(code)
      add('totp')
    },
    initSms: async (phone) => void done.push(['sent', phone]),
    async enrollSms(phone, code) {
      check(code)
      done.push(['enrolled', phone])
      add('sms')
    },
    async addPasskey() {
      state = { ...state, passkeys: passkeysOf(state.passkeys.length + 1) }
    },
    async enrollPasskeys(passkeys) {
      done.push(passkeys.map(({ id }) => id))
      add('passkey')
      return true
    },
    async remove(method) {
      state = { ...state, methods: state.methods.filter((each) => each !== method) }
    },
    async newRecoveryCodes() {
      state = { ...state, recoveryCodesLeft: 10 }
      return codes
    },
    agreeing: (work) => work(person.stage),
    ...more,
  }
  const outcome = enrollFactors(person.cx, calls, wanted, { canGoBack }).then(
    () => 'done',
    (cause: unknown) => (cause instanceof Closed ? 'closed' : cause),
  )
  return { ...person, outcome, done, methods: () => state.methods }
}

describe('an authenticator app', () => {
  test('is enrolled by a code of it; back from the code is the secret again', async () => {
    const { answer, outcome, methods, seen } = enrolling()
    await answer('mfa-intro', 'continue')
    expect(await answer('mfa-methods', { enroll: 'totp' })).toMatchObject({ enrolled: [], back: true })
    expect(await answer('mfa-authenticator', 'continue')).toEqual({
      secret: 'SECRET',
      authUrl: 'otpauth://totp/x',
    })
    await answer('mfa-code', 'back')
    await answer('mfa-authenticator', 'continue')
    await answer('mfa-code', { code: '000000' })
    expect(await answer('mfa-code', { code: good })).toMatchObject({
      error: 'The code you entered is not valid',
    })
    expect(await answer('mfa-enrolled', 'codes')).toMatchObject({ method: 'totp', offersCodes: true })
    expect(await answer('mfa-recovery-codes', 'saved')).toEqual({ codes, appName: 'Harbor' })
    expect(await outcome).toBe('done')
    expect(methods()).toEqual(['totp'])
    expect(seen.filter((id) => id === 'mfa-authenticator')).toHaveLength(2)
  })

  test('that can’t be begun is said in the list, which is still there', async () => {
    const { answer, outcome } = enrolling({ methods: ['sms'] }, undefined, {
      initTotp: () => Promise.reject(new Failed('network')),
    })
    await answer('mfa-methods', { enroll: 'totp' })
    expect(await answer('mfa-methods', { enroll: 'passkey' })).toMatchObject({
      error: 'Check your connection, then try again.',
    })
    await answer('mfa-passkeys', 'back')
    await answer('mfa-methods', { enroll: 'passkey' })
    await answer('mfa-passkeys', 'add')
    await answer('mfa-enrolled', 'done')
    expect(await outcome).toBe('done')
  })
})

describe('text messages', () => {
  test('go to a number that a code has proved; another number gets a code of its own', async () => {
    const { answer, outcome, done } = enrolling({}, 'sms')
    const first = { phone: '+15550100', shown: '+1 555-0100' }
    expect(await answer('mfa-phone', first)).toMatchObject({ appName: 'Harbor', value: '' })
    expect(await answer('mfa-code', 'back')).toMatchObject({ use: 'enroll', via: 'sms', to: '+1 555-0100' })
    expect(await answer('mfa-phone', first)).toMatchObject({ value: '+15550100' })
    await answer('mfa-code', 'back')
    await answer('mfa-phone', { phone: '+15550199', shown: '+1 555-0199' })
    await answer('mfa-code', { code: good })
    await answer('mfa-enrolled', 'done')
    expect(await outcome).toBe('done')
    expect(done).toEqual([
      ['sent', '+15550100'],
      ['sent', '+15550199'],
      ['enrolled', '+15550199'],
    ])
  })

  test('that can’t be sent leave the person at their number', async () => {
    const { answer, stage, outcome } = enrolling({}, 'sms', {
      initSms: () => Promise.reject(new Failed('unsent')),
    })
    await answer('mfa-phone', { phone: '+15550100', shown: '+1 555-0100' })
    await answer('mfa-phone', { phone: '+15550100', shown: '+1 555-0100' })
    stage.close()
    expect(await outcome).toBe('closed')
  })
})

describe('passkeys', () => {
  test('are enrolled all at once', async () => {
    const { answer, outcome, done } = enrolling({ passkeys: passkeysOf(3) }, 'passkey')
    await answer('mfa-passkeys', 'enable')
    await answer('mfa-enrolled', 'done')
    expect(await outcome).toBe('done')
    expect(done).toEqual([['id-0', 'id-1', 'id-2']])
  })

  test('that are new are linked first, and enrolled with the others', async () => {
    const { answer, outcome, done } = enrolling({ passkeys: passkeysOf(1) }, 'passkey')
    await answer('mfa-passkeys', 'add')
    await answer('mfa-enrolled', 'done')
    expect(await outcome).toBe('done')
    expect(done).toEqual([['id-0', 'id-1']])
  })

  test('that the person does not want after all, asked once more, are no factor', async () => {
    let wanted = false
    const { answer, outcome, methods } = enrolling({ passkeys: passkeysOf(1) }, 'passkey', {
      enrollPasskeys: async () => wanted,
    })
    await answer('mfa-passkeys', 'enable')
    wanted = true
    expect(await answer('mfa-passkeys', 'enable')).toEqual({ passkeys: passkeysOf(1) })
    expect(methods()).toEqual([])
    await answer('mfa-enrolled', 'done')
    expect(await outcome).toBe('done')
  })

  test('that the person declines to make change nothing', async () => {
    const { answer, on, done } = enrolling({}, 'passkey', {
      addPasskey: () => Promise.reject(new Failed('declined')),
    })
    await answer('mfa-passkeys', 'add')
    expect(await on('mfa-passkeys')).toMatchObject({ error: 'Verification canceled' })
    expect(done).toEqual([])
  })
})

describe('passkeys that another tab has changed', () => {
  const changed = 'Your passkeys have changed in the meantime. Please try again.'

  /** A person whose list of passkeys the server checks, while another tab may change it. */
  function withServer(count: number) {
    let linked = passkeysOf(count)
    const enrolled: (readonly string[])[] = []
    const person = async () => ({
      methods: [],
      passkeys: linked,
      smsIsLogin: false,
      recoveryCodesLeft: 0,
    })
    const set = enrolling({}, 'passkey', {
      person,
      addPasskey: () => Promise.reject(new Failed('other')),
      async enrollPasskeys(passkeys) {
        const ids = passkeys.map(({ id }) => id)
        if (ids.some((id) => !linked.some((each) => each.id === id))) throw new Failed('other')
        enrolled.push(ids)
        return true
      },
    })
    return {
      ...set,
      enrolled,
      setLinked(next: typeof linked) {
        linked = next
      },
    }
  }

  test('are listed anew, with words, and the next press enrols those that are left', async () => {
    const { answer, on, outcome, enrolled, setLinked } = withServer(3)
    await on('mfa-passkeys')
    setLinked(passkeysOf(3).slice(1))
    await answer('mfa-passkeys', 'enable')
    expect(await answer('mfa-passkeys', 'enable')).toEqual({
      passkeys: passkeysOf(3).slice(1),
      error: changed,
    })
    await answer('mfa-enrolled', 'done')
    expect(await outcome).toBe('done')
    expect(enrolled).toEqual([['id-1', 'id-2']])
  })

  test('are listed anew also where there was no room for another one', async () => {
    const { answer, on, setLinked } = withServer(1)
    await on('mfa-passkeys')
    setLinked(passkeysOf(5))
    await answer('mfa-passkeys', 'add')
    expect(await on('mfa-passkeys')).toEqual({ passkeys: passkeysOf(5), error: changed })
  })

  test('that have not changed are refused with the words of any failure', async () => {
    const { answer, on } = withServer(1)
    await answer('mfa-passkeys', 'add')
    expect(await on('mfa-passkeys')).toEqual({ passkeys: passkeysOf(1), error: 'Something went wrong.' })
  })

  test('stay as they are shown where they can’t be read', async () => {
    let reads = 0
    const { answer, on } = enrolling({}, 'passkey', {
      async person() {
        if (reads++ > 0) throw new Failed('network')
        return { methods: [], passkeys: passkeysOf(2), smsIsLogin: false, recoveryCodesLeft: 0 }
      },
      enrollPasskeys: () => Promise.reject(new Failed('other')),
    })
    await answer('mfa-passkeys', 'enable')
    expect(await on('mfa-passkeys')).toEqual({ passkeys: passkeysOf(2), error: 'Something went wrong.' })
  })
})

describe('removing a factor', () => {
  test('asks first, and leads back to the list', async () => {
    const { answer, on, methods, clock } = enrolling({ methods: ['totp', 'sms'], recoveryCodesLeft: 3 })
    await answer('mfa-methods', { remove: 'totp' })
    expect(await answer('mfa-remove', 'cancel')).toMatchObject({ method: 'totp', last: false })
    expect(methods()).toEqual(['totp', 'sms'])
    await answer('mfa-methods', { remove: 'totp' })
    await answer('mfa-remove', 'remove')
    await expect.poll(() => clock.sleeping).toBe(1)
    await clock.advance(1_000)
    expect(await on('mfa-methods')).toMatchObject({ enrolled: ['sms'], back: false })
    expect(methods()).toEqual(['sms'])
  })

  test('ends with the last one where the app no longer offers any', async () => {
    const { answer, outcome, methods, clock } = enrolling({ methods: ['totp'] }, undefined, { offered: [] })
    await answer('mfa-methods', { remove: 'totp' })
    await answer('mfa-remove', 'remove')
    await expect.poll(() => clock.sleeping).toBe(1)
    await clock.advance(1_000)
    expect(await outcome).toBe('done')
    expect(methods()).toEqual([])
  })

  test('says when it is the only one', async () => {
    const { answer } = enrolling({ methods: ['totp'] })
    await answer('mfa-methods', { remove: 'totp' })
    expect(await answer('mfa-remove', 'cancel')).toMatchObject({ last: true })
  })
})

describe('whoever leaves', () => {
  test('has said no to the introduction', async () => {
    const { answer, outcome } = enrolling()
    await answer('mfa-intro', 'not-now')
    expect(await outcome).toBe('closed')
  })
  test('may go back to it from the list', async () => {
    const { answer, on } = enrolling()
    await answer('mfa-intro', 'continue')
    await answer('mfa-methods', 'back')
    await on('mfa-intro')
  })
  test('has gone back from the one factor that was asked for', async () => {
    const { answer, outcome } = enrolling({}, 'totp')
    await answer('mfa-authenticator', 'back')
    expect(await outcome).toBe('closed')
  })
  test('goes back from the list to the larger screen that they came from, and to none where there is none', async () => {
    const { answer, outcome } = enrolling({ methods: ['totp'] }, undefined, { canGoBack: true })
    expect(await answer('mfa-methods', 'back')).toMatchObject({ back: true })
    expect(await outcome).toBe('closed')
    expect(await enrolling({ methods: ['totp'] }).on('mfa-methods')).toMatchObject({ back: false })
  })
  test('goes back there also after a factor was taken away', async () => {
    const { answer, outcome, methods, clock } = enrolling({ methods: ['totp'] }, undefined, {
      canGoBack: true,
    })
    await answer('mfa-methods', { remove: 'totp' })
    await answer('mfa-remove', 'remove')
    await expect.poll(() => clock.sleeping).toBe(1)
    await clock.advance(1_000)
    expect(await answer('mfa-methods', 'back')).toMatchObject({ back: true, enrolled: [] })
    expect(await outcome).toBe('closed')
    expect(methods()).toEqual([])
  })
})
