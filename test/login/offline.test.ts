import { afterEach, expect, test, vi } from 'vitest'
// Read from the disk beforehand, so that no test waits for that; the kit loads them when it needs them.
import '../../src/login/code/sms-flow.ts'
import '../../src/login/code/sms-service.ts'
import '../../src/login/farcaster/flow.ts'
import '../../src/login/farcaster/service.ts'
import { kitWithPerson, paths } from '../support/kit.ts'

const smsInit = '/api/v1/passwordless_sms/init'
const goOffline = () => vi.stubGlobal('navigator', { onLine: false })
const goOnline = () => vi.stubGlobal('navigator', { onLine: true })
afterEach(() => vi.unstubAllGlobals())

const offline = (props: Record<string, unknown>) =>
  expect(props).toMatchObject({ title: 'You seem to be offline', action: 'retry', back: true })

// Nothing that follows the landing screen has been asked for in this file when this test begins.
test('a network that is lost before anything else was loaded keeps the dialog, and what was typed', async () => {
  const { kit, person, api, errors } = await kitWithPerson()
  const login = kit.login()
  await person.follow([{ on: 'landing' }])
  goOffline()
  await person.follow([['landing', { email: 'ada@example.com' }], { wait: 100 }])
  expect(api.to(paths.init)).toEqual([])
  goOnline()
  await person.follow([
    {
      on: 'landing',
      expect: (props) =>
        expect(props.email).toMatchObject({
          value: 'ada@example.com',
          error: 'That didn’t load. Check your connection and try again.',
        }),
      answer: { email: 'ada@example.com' },
    },
    ['enter-code', { code: '123456' }],
    { wait: 2_000 },
  ])
  expect((await login).email?.address).toBe('ada@example.com')
  expect(errors.map(({ code }) => code)).toEqual(['network_unavailable'])
})

test('a network that is lost later is told on a screen that leads back, or on when it has returned', async () => {
  const { kit, person } = await kitWithPerson({ app: { farcaster_auth: true } })
  kit.login({ loginMethods: ['email'] }).catch(() => {})
  await person.follow([{ on: 'landing' }, { wait: 1_000 }, { on: 'landing', close: true }, { wait: 1_000 }])
  kit.login({ loginMethods: ['farcaster'] }).catch(() => {})
  await person.follow([{ on: 'landing' }])
  goOffline()
  await person.follow([
    ['landing', { method: 'farcaster' }],
    { on: 'failure', expect: offline, answer: 'back' },
    ['landing', { method: 'farcaster' }],
    { on: 'failure', expect: offline, answer: 'retry' },
    { on: 'failure', expect: offline },
  ])
  goOnline()
  await person.follow([['failure', 'retry'], { on: 'awaiting-farcaster' }])
})

test('everything on the landing screen is loaded before it is pressed, and needs only the server then', async () => {
  const { kit, person, api } = await kitWithPerson({
    app: { sms_auth: true, farcaster_auth: true },
    routes: { [smsInit]: { body: { success: true } } },
  })
  kit.login().catch(() => {})
  await person.follow([{ on: 'landing' }, { wait: 1_000 }])
  goOffline()
  await person.follow([['landing', { phone: '+4915112345678' }], { on: 'enter-code' }])
  expect(api.to(smsInit)).toHaveLength(1)
})
