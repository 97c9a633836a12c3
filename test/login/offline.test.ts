import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
// Read from the disk beforehand, so that no test waits for that; the kit loads them when it needs them.
import '../../src/login/code/sms-flow.ts'
import '../../src/login/code/sms-service.ts'
import '../../src/login/farcaster/flow.ts'
import '../../src/login/farcaster/service.ts'
import { untilLoaded } from '../../src/app/failure/until-loaded.ts'
import { createTranslate } from '../../src/copy/copy.ts'
import { createStage } from '../../src/dialog/stage.ts'
import type { KitError } from '../../src/errors/kit-error.ts'
import { lazily } from '../../src/errors/lazily.ts'
import { wireUser } from '../support/api.ts'
import { settled, testClock } from '../support/clock.ts'
import { embeddedWallet, kitWithPerson, paths, walletAddress } from '../support/kit.ts'
import { fakeVault } from '../support/vault.ts'

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
          error: "That didn't load. Check your connection and try again, or reload the page.",
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

test('a code that can’t be sent off is kept, and sent off when the network has returned', async () => {
  let isGone = false
  const { kit, person, api } = await kitWithPerson({
    intercept: (call) => (isGone && call.path === paths.authenticate ? 'dropped' : undefined),
  })
  const login = kit.login()
  await person.follow([['landing', { email: 'ada@example.com' }], { on: 'enter-code' }])
  goOffline()
  isGone = true
  await person.follow([['enter-code', { code: '123456' }], { wait: 100 }])
  // The screen of the code doesn't say for seconds that it is being checked.
  expect(person.scene?.screen.id).toBe('failure')
  await person.follow([
    { on: 'failure', expect: offline, answer: 'retry' },
    { wait: 10_000 },
    { on: 'failure', expect: offline },
  ])
  goOnline()
  isGone = false
  await person.follow([['failure', 'retry'], { wait: 2_000 }])
  expect((await login).email?.address).toBe('ada@example.com')
  expect(api.to(paths.authenticate).at(-1)?.body).toMatchObject({ code: '123456' })
})

test('a wallet that can’t be made for want of a network says so, and is made when it has returned', async () => {
  let isGone = true
  const vault = fakeVault({
    createWallet() {
      if (isGone) goOffline()
      return { address: walletAddress }
    },
  })
  const { kit, person } = await kitWithPerson({
    vault,
    app: { embedded_wallet_config: { create_on_login: 'users-without-wallets' } },
    intercept(call) {
      if (call.path !== paths.me) return undefined
      return isGone ? 'dropped' : { body: { user: wireUser('did:privy:u1', { linked_accounts: hers }) } }
    },
  })
  const hers = [...wireUser().linked_accounts, embeddedWallet]
  const login = kit.login()
  await person.follow([
    ['landing', { email: 'ada@example.com' }],
    ['enter-code', { code: '123456' }],
    { wait: 20_000 },
    {
      on: 'failure',
      expect: (props) => expect(props).toMatchObject({ title: 'You seem to be offline', action: 'retry' }),
    },
  ])
  goOnline()
  isGone = false
  await person.follow([['failure', 'retry'], { wait: 2_000 }, ['wallet-created', 'continue']])
  expect((await login).wallet?.address).toBe(walletAddress)
})

test('a part that does not load although there is a network is told by its own words', async () => {
  const stage = createStage()
  const errors: KitError[] = []
  let isGone = true
  const load = lazily(async () => {
    if (isGone) throw new TypeError('Failed to fetch dynamically imported module')
    return 'loaded'
  })
  const work = () =>
    untilLoaded({ stage, t: createTranslate(), report: (error) => void errors.push(error) }, load)
  const shown = async () => {
    await settled()
    const scene = stage.scene.get()
    expect(scene).toMatchObject({
      screen: { id: 'failure' },
      props: { title: "That didn't load", action: 'retry', back: true },
    })
    return scene
  }

  const left = work()
  ;(await shown())?.answer('back')
  expect(await left).toBe('back')

  const outcome = work()
  ;(await shown())?.answer('retry')
  const again = await shown()
  isGone = false
  again?.answer('retry')
  expect(await outcome).toBe('loaded')
  expect(errors.map(({ code }) => code)).toEqual(Array(3).fill('network_unavailable'))
})

describe('a way in that stands on the landing screen', () => {
  // Each of them in a kit of which nothing has been loaded yet.
  beforeEach(() => vi.resetModules())

  test.each([
    ['an e-mail address', { email: 'ada@example.com' }, 'enter-code'],
    ['a phone number', { phone: '+4915112345678' }, 'enter-code'],
    ['Farcaster', { method: 'farcaster' }, 'awaiting-farcaster'],
    ['Google', { method: 'google' }, 'awaiting-oauth'],
    ['a passkey', { method: 'passkey' }, 'passkey'],
  ])('is loaded before it is pressed, and needs only the server then: %s', async (_, choice, screen) => {
    const { kitWithPerson } = await import('../support/kit.ts')
    const { kit, person, errors } = await kitWithPerson({
      app: { sms_auth: true, farcaster_auth: true, google_oauth: true, passkey_auth: true },
      routes: {
        '/api/v1/passwordless_sms/init': { body: { success: true } },
        '/api/v1/farcaster/init': {
          body: { channel_token: 'c-1', connect_uri: 'https://farcaster.example' },
        },
      },
    })
    kit.login().catch(() => {})
    await person.follow([{ on: 'landing' }])
    await vi.dynamicImportSettled()
    await person.follow([{ wait: 1_000 }])
    goOffline()
    await person.follow([['landing', choice], { on: screen }])
    expect(errors.map(({ code }) => code)).not.toContain('network_unavailable')
  })
})

describe('before anything that could show a failure has been loaded', () => {
  beforeEach(() => vi.resetModules())

  /** Kits of a page whose first screen has been loaded, and nothing that follows it. */
  async function loadedUpToLanding() {
    const { kitWithProviders, ...support } = await import('../support/oauth.ts')
    const { kit, person } = await kitWithProviders()
    kit.login().catch(() => {})
    await person.follow([{ on: 'landing', close: true }, { wait: 1_000 }])
    return { kitWithProviders, ...support }
  }

  const notLoaded = (props: Record<string, unknown>) => expect(props).toEqual({ failed: true })

  /** A page to which Google has sent somebody back, a moment before their login goes on. */
  async function backFromGoogle() {
    const { kitWithProviders, tabStorage } = await loadedUpToLanding()
    const { keepLeftLogin } = await import('../../src/login/redirect/left-login.ts')
    const { appId } = await import('../support/api.ts')
    const clock = testClock()
    const tab = tabStorage()
    keepLeftLogin(tab, appId, {
      provider: 'google',
      state: 'st4te',
      verifier: 'v',
      leftAt: clock.now(),
      // It is waited for, which leaves the time to lose the network.
      disableSignup: false,
      headless: false,
      surface: 'a place that is not there',
    })
    const back = await kitWithProviders({
      clock,
      tabStorage: tab,
      returned: { kind: 'oauth', code: 'c0de', state: 'st4te', provider: 'google' },
    })
    const logins: unknown[] = []
    back.kit.on('login', ({ loginMethod }) => logins.push(loginMethod))
    await back.kit.whenReady()
    await settled()
    await vi.dynamicImportSettled()
    return { ...back, logins }
  }

  test('what Google has sent back is kept until the network has returned', async () => {
    const { person, logins, errors, api } = await backFromGoogle()
    goOffline()
    await person.follow([
      { wait: 1_500 },
      { on: 'starting', expect: notLoaded, answer: 'retry' },
      { on: 'starting', expect: notLoaded },
    ])
    expect(errors.map(({ code }) => code)).toEqual(['network_unavailable', 'network_unavailable'])
    goOnline()
    await person.follow([['starting', 'retry'], { on: 'awaiting-oauth' }, { wait: 2_000 }])
    expect(logins).toEqual(['google'])
    expect(api.to('/api/v1/oauth/authenticate')[0]?.body).toMatchObject({ authorization_code: 'c0de' })
  })

  test.each([
    ['the landing screen', 'back', { on: 'landing', close: true }, []],
    ['where it was', 'retry', { on: 'awaiting-oauth' }, ['google']],
  ] as const)(
    'what Google has sent back, where its own part alone is missing, leads to %s',
    async (_, answer, next, loggedIn) => {
      const { kit, person, logins } = await backFromGoogle()
      // Loads the services of a person, and what follows every landing screen.
      await kit.acceptTerms().catch(() => {})
      const { loginFeatures } = await import('../../src/kit/features.ts')
      await loginFeatures.afterLanding()
      goOffline()
      await person.follow([
        { wait: 1_500 },
        { on: 'failure', expect: offline, answer: 'retry' },
        { on: 'failure', expect: offline },
      ])
      goOnline()
      await person.follow([['failure', answer], next, { wait: 2_000 }])
      expect(logins).toEqual(loggedIn)
    },
  )

  test('a login that a reload has cut short goes on when the network has returned', async () => {
    const app = { embedded_wallet_config: { create_on_login: 'all-users' } }
    const before = await kitWithPerson({ app, vault: fakeVault({ ready: () => undefined }) })
    before.kit.login().catch(() => {})
    await before.person.follow([
      ['landing', { email: 'ada@example.com' }],
      ['enter-code', { code: '123456' }],
      { wait: 2_000 },
      { on: 'creating-wallet' },
    ])
    vi.resetModules()
    const { storage } = before
    await loadedUpToLanding()
    const { kitWithPerson: reloaded } = await import('../support/kit.ts')
    let made = false
    const { kit, person } = await reloaded({
      app,
      storage,
      intercept: ({ path }) =>
        path === paths.me
          ? { body: { user: made ? wireUser('did:privy:u1', { linked_accounts: hers }) : wireUser() } }
          : undefined,
      vault: fakeVault({
        createWallet() {
          made = true
          return { address: walletAddress }
        },
      }),
    })
    const hers = [...wireUser().linked_accounts, embeddedWallet]
    await kit.whenReady()
    goOffline()
    const login = kit.login()
    await person.follow([{ on: 'starting', expect: notLoaded, answer: 'retry' }])
    await person.follow([{ on: 'starting', expect: notLoaded }])
    goOnline()
    await person.follow([
      ['starting', 'retry'],
      ['wallet-created', 'continue'],
    ])
    expect((await login).wallet?.address).toBe(walletAddress)
    expect(person.trace()).not.toContain('landing')
  })

  test('the settings of an app that don’t come can be asked for again, by as many presses as it takes', async () => {
    const { kitWithProviders } = await loadedUpToLanding()
    let isGone = true
    const { kit, person, errors } = await kitWithProviders({
      intercept: ({ path }) => (isGone && path === paths.config ? 'dropped' : undefined),
    })
    kit.login().catch(() => {})
    await settled()
    await vi.dynamicImportSettled()
    goOffline()
    await person.follow([
      { wait: 20_000 },
      { on: 'starting', expect: notLoaded, answer: 'retry' },
      { wait: 20_000 },
      { on: 'starting', expect: notLoaded },
    ])
    expect(errors.map(({ code }) => code)).toContain('network_unavailable')
    goOnline()
    isGone = false
    await person.follow([['starting', 'retry'], { on: 'landing' }])
  })

  test.each([
    ['where wallets come first', { show_wallet_login_first: true }, undefined, ['wallet', 'email']],
    ['among others', {}, ['email', 'metamask', 'phantom'], ['email', 'wallet']],
    ['that are all there is', {}, ['metamask', 'phantom'], ['wallet']],
  ])(
    'rows of wallets that don’t come leave the row for all of them: %s',
    async (_, app, loginMethods, rows) => {
      const { kitWithProviders } = await loadedUpToLanding()
      const { kit, person } = await kitWithProviders({ app: { wallet_auth: true, ...app } })
      await kit.whenReady()
      goOffline()
      kit.login({ loginMethods } as object).catch(() => {})
      await person.follow([
        {
          on: 'landing',
          expect: ({ methods }) =>
            expect(methods).toMatchObject(
              rows.map((id) => (id === 'wallet' ? { id, label: 'Continue with a wallet' } : { id })),
            ),
        },
      ])
    },
  )
})
