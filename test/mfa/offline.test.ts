import { afterEach, expect, test, vi } from 'vitest'
// Read from the disk beforehand, so that no test waits for that; the kit loads them when it needs them.
import '../../src/kit/host/account.ts'
import '../../src/kit/host/mfa.ts'
import { kitWithPerson } from '../support/kit.ts'

const goOffline = () => vi.stubGlobal('navigator', { onLine: false })
const goOnline = () => vi.stubGlobal('navigator', { onLine: true })
afterEach(() => vi.unstubAllGlobals())

const offline = (props: Record<string, unknown>) =>
  expect(props).toMatchObject({ title: 'You seem to be offline', action: 'retry', back: true })

// The vault has not been asked for in this file when this test begins.
test('second factors whose vault can’t be loaded say so, and go on when the network has returned', async () => {
  const { kit, person } = await kitWithPerson({
    app: { mfa_methods: ['totp'] },
    routes: { '/api/v1/mfa': { body: { methods: [], recovery_codes_left: 0 } } },
  })
  await kit.email.sendCode({ email: 'ada@example.com' })
  await kit.email.loginWithCode({ code: '123456' })
  // She has an address, so that opens a screen and no more. What is asked for while another dialog is open loads all that comes before its own.
  kit.link('email').catch(() => {})
  await person.follow([{ on: 'failure' }])
  await expect(kit.mfa.enroll()).rejects.toMatchObject({ code: 'flow_in_progress' })
  await person.follow([{ on: 'failure', close: true }, { wait: 1_000 }])
  goOffline()
  const left = expect(kit.mfa.enroll()).rejects.toMatchObject({ code: 'mfa_canceled' })
  await person.follow([{ on: 'failure', expect: offline, answer: 'back' }])
  await left
  kit.mfa.enroll().catch(() => {})
  await person.follow([
    { on: 'failure', expect: offline, answer: 'retry' },
    { on: 'failure', expect: offline },
  ])
  goOnline()
  await person.follow([['failure', 'retry'], { on: 'mfa-intro' }])
})
