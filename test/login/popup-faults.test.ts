/** Every popup that a login, a recovery, or a request to another app opens, with every fault of it. */
import { SignJWT } from 'jose'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
// Loaded beforehand, so that no test waits for the loading of what the kit loads lazily.
import '../../src/kit/host/cross-app.ts'
import '../../src/login/telegram/flow.ts'
import '../../src/login/telegram/service.ts'
import { memoryStorage } from '../../src/lib/storage.ts'
import { appId, sessionBody, wireUser } from '../support/api.ts'
import { type TestClock, testClock } from '../support/clock.ts'
import { expectReported, faultsOfRow } from '../support/faults/matrix.ts'
import {
  isHarmlessInPopup,
  missingPopups,
  type PopupFault,
  type PopupMessage,
  pageWithFaultyPopups,
  popupFaults,
} from '../support/faults/popup.ts'
import { embeddedWallet, type KitSetUp, kitWithPerson, walletAddress } from '../support/kit.ts'
import {
  googleAccount,
  oauthPaths,
  otherApp,
  otherAppRoutes,
  type pageWithWindows,
  popup,
  provider,
  response,
  tabStorage,
} from '../support/oauth.ts'
import { answerToFailure, persist } from '../support/persist.ts'
import { counted, soak } from '../support/soak.ts'
import { browserTabs } from '../support/tabs.ts'
import {
  telegramAccount,
  telegramConfig,
  telegramOrigin,
  telegramResult,
  telegramWindows,
} from '../support/telegram.ts'
import { fakeVault } from '../support/vault.ts'

type KitSet = Awaited<ReturnType<typeof kitWithPerson>>
interface Journey {
  app: object
  accounts: object[]
  options?: KitSetUp['options']
  routes: Record<string, { body: object }>
  /** The page with its popups, where those don’t post to the page itself. */
  windows?: (given: { blocked: () => boolean; clock: TestClock }) => Windows
  /** Without a popup the journey leaves the page, and can’t end here. */
  leaves?: true
  /** The request that logs the user in. */
  login?: string
  session?: object
  loggedIn?: true
  /** Entries of the browser’s storage. */
  stored?: Record<string, string>
  begin: (set: KitSet) => Promise<unknown>
  choice?: object
  resultOf: (set: KitSet) => PopupMessage
  /** Messages by which the provider reports a failure, or that the user declined. */
  refusals: Record<string, (set: KitSet) => PopupMessage>
  done: object
}

type Windows = ReturnType<typeof pageWithWindows>

const lastState = (path: string) => (set: KitSet) => set.api.to(path).at(-1)?.body?.state_code
const returning = (path: string) => ({
  resultOf: (set: KitSet) => ({ data: response(lastState(path)(set)) }),
  refusals: {
    'posts that the user declined': (set: KitSet) => ({ data: response(lastState(path)(set), 'undefined') }),
    'posts that the provider failed': (set: KitSet) => ({ data: response(lastState(path)(set), 'error') }),
  },
})
const apple = 'https://cdn.apple-cloudkit.com'
const drive = (method: string) => ({
  app: { embedded_wallet_config: { create_on_login: 'off', user_owned_recovery_options: [method] } },
  accounts: [...wireUser().linked_accounts, { ...embeddedWallet, recovery_method: method }],
  loggedIn: true as const,
  begin: ({ kit }: KitSet) => kit.signMessage({ message: 'Hello' }),
  done: { signature: '0x12' },
})
const fromTelegram = (result: unknown) => () => ({
  data: JSON.stringify({ event: 'auth_result', result }),
  origin: telegramOrigin,
})
const signature = `0x${'ab'.repeat(65)}`
const otherAppToken = await new SignJWT({})
  .setProtectedHeader({ alg: 'HS256' })
  .setSubject(otherApp.account.subject)
  .setExpirationTime(Math.floor(testClock().now() / 1_000) + 3_600)
  .sign(new Uint8Array(32))
const driveInit = '/api/v1/recovery/oauth/init'
const journeys: Record<string, Journey> = {
  'a login at Google': {
    app: { google_oauth: true },
    accounts: [googleAccount],
    options: popup.options,
    routes: { [oauthPaths.init]: { body: { url: provider } } },
    begin: ({ kit }) => kit.login(),
    choice: { method: 'google' },
    ...returning(oauthPaths.init),
    done: { id: 'did:privy:u1' },
  },
  'a login with another app': {
    app: {},
    accounts: [otherApp.account],
    options: { config: { loginMethods: [`privy:${otherApp.id}`, 'email'] } },
    routes: otherAppRoutes,
    session: { oauth_tokens: { provider: `privy:${otherApp.id}`, access_token: 'e30.e30.x' } },
    begin: ({ kit }) => kit.login(),
    choice: { method: `privy:${otherApp.id}` },
    ...returning(oauthPaths.init),
    done: { id: 'did:privy:u1' },
  },
  'a recovery from Google Drive': {
    ...drive('google-drive'),
    routes: {
      [driveInit]: { body: { url: 'https://accounts.google.example/auth' } },
      '/api/v1/recovery/oauth/authenticate': { body: { access_token: 'drive-token' } },
    },
    ...returning(driveInit),
  },
  'a recovery from iCloud': {
    ...drive('icloud'),
    routes: {
      '/api/v1/recovery/oauth/init_icloud': { body: { url: 'https://idmsa.apple.example/auth' } },
    },
    resultOf: () => ({ data: { ckSession: 'web-token' }, origin: apple }),
    refusals: { 'posts that Apple failed': () => ({ data: { errorMessage: 'no' }, origin: apple }) },
  },
  'a login with Telegram': {
    app: telegramConfig,
    accounts: [telegramAccount],
    windows: telegramWindows,
    leaves: true,
    routes: {},
    login: '/api/v1/telegram/authenticate',
    begin: ({ kit }) => kit.login(),
    choice: { method: 'telegram' },
    resultOf: fromTelegram(telegramResult),
    refusals: { 'posts that the user declined': fromTelegram(false) },
    done: { id: 'did:privy:u1' },
  },
  'a request to another app': {
    app: {},
    accounts: [
      ...wireUser().linked_accounts,
      { ...otherApp.account, embedded_wallets: [{ address: walletAddress }] },
    ],
    routes: otherAppRoutes,
    loggedIn: true,
    stored: { [`lk:${appId}:cross-app`]: JSON.stringify({ [otherApp.id]: otherAppToken }) },
    begin: ({ kit }) => kit.crossApp.signMessage('Hello', { address: walletAddress }),
    resultOf: () => ({
      data: { type: 'PRIVY_CROSS_APP_ACTION_RESPONSE', result: signature },
      origin: 'https://api.example',
    }),
    refusals: {
      'posts that the other app failed': () => ({
        data: { type: 'PRIVY_CROSS_APP_ACTION_ERROR', error: 'Failed to initialize signature request' },
        origin: 'https://api.example',
      }),
    },
    done: { signature },
  },
}

/** Milliseconds: two minutes for the popup, and what the server then takes. */
const longestWait = 125_000
let cells = 0

beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}))
afterEach(() => vi.restoreAllMocks())

type Fault = PopupFault | { refuse: (set: KitSet) => PopupMessage }
/** The browser of a page that is opened beside another one, or after it. */
type Browser = Pick<KitSetUp, 'storage' | 'tabStorage' | 'clock' | 'tabs'>
async function setUp(journey: Journey, fault: Fault | undefined, lasting: boolean, browser: Browser = {}) {
  const { clock = testClock(), storage = memoryStorage() } = browser
  for (const [key, value] of Object.entries(journey.stored ?? {})) storage.set(key, value)
  let set: KitSet
  const popups = pageWithFaultyPopups({
    clock,
    fault: isRefusal(fault) ? ({ post }) => post(fault.refuse(set)) : fault,
    lasting,
    make: journey.windows,
  })
  const user = wireUser('did:privy:u1', { linked_accounts: journey.accounts })
  let here = false
  const vault = fakeVault({
    walletRpc: () =>
      here
        ? {
            address: walletAddress,
            chainType: 'ethereum',
            response: { method: 'personal_sign', data: '0x12' },
          }
        : { error: { type: 'wallet_not_on_device', message: 'not here' } },
    recoverWallet() {
      here = true
      return { entropyId: walletAddress }
    },
  })
  set = await kitWithPerson({
    app: journey.app,
    accounts: journey.accounts,
    page: popups.page,
    tabStorage: tabStorage(),
    vault,
    storage,
    ...browser,
    clock,
    ...(journey.options && { options: journey.options }),
    routes: {
      ...journey.routes,
      [journey.login ?? oauthPaths.authenticate]: {
        body: await sessionBody(testClock(), { user, ...journey.session }),
      },
    },
  })
  await set.kit.whenReady()
  if (journey.loggedIn && !set.kit.user) {
    await set.kit.email.sendCode({ email: 'ada@example.com' })
    await set.kit.email.loginWithCode({ code: '123456' })
  }
  return {
    ...set,
    opened: popups.opened,
    post: popups.post,
    heal: popups.heal,
    others: () => popups.act(() => journey.resultOf(set)),
  }
}
const isRefusal = (fault: Fault | undefined): fault is Exclude<Fault, PopupFault> => typeof fault === 'object'
type World = Awaited<ReturnType<typeof setUp>>

function answerTo(journey: Journey, screen: string, props: Record<string, unknown>): unknown {
  if (props.done) return undefined
  if (screen === 'landing') return journey.choice
  if (screen === 'sign-message') return 'sign'
  if (props.phase === 'confirm') return 'confirm'
  if (props.phase === 'ready') return 'open'
  if (props.phase === 'blocked') return screen === 'recovery-oauth' ? 'confirm' : 'retry'
  return answerToFailure(props)
}
const follow = (set: World, journey: Journey, patience: number) =>
  persist({
    ...set,
    patience,
    longestWait,
    begin: () => journey.begin(set),
    answerTo: (screen, props) => answerTo(journey, screen, props),
  })

/** Continues until the popup is at the provider. Resolves with the popup, and a promise of the journey’s outcome. */
async function untilAway(set: World, journey: Journey) {
  const outcome = journey.begin(set).then(
    (value) => ({ value, code: undefined }),
    ({ code }: { code: string }) => ({ value: undefined, code }),
  )
  for (let tries = 0; tries < 200; tries++) {
    await goOn(set, journey)
    const window = set.opened.at(-1)
    if (window?.went) return { window, outcome }
  }
  throw new Error(`No window went anywhere: ${set.person.trace().join(' ')}`)
}

/** Lets a moment pass, and answers the screen that is shown. */
async function goOn({ clock, person }: World, journey: Journey) {
  // Hashing runs on a thread of its own, which no turn of the loop waits for.
  await new Promise((resolve) => setTimeout(resolve, 1))
  await clock.advance(50)
  const { scene } = person
  if (!scene || scene.busy !== undefined) return
  const answer = answerTo(journey, scene.screen.id, scene.props as Record<string, unknown>)
  if (answer !== undefined) scene.answer(answer)
}

describe.each(Object.entries(journeys))('%s', (name, journey) => {
  const table: (readonly [string, Fault])[] = [
    ...(journey.leaves ? [] : missingPopups),
    ...popupFaults,
    ...Object.entries(journey.refusals).map(([what, refuse]) => [what, { refuse }] as const),
  ]
  const chosen = faultsOfRow(table, Object.keys(journeys).indexOf(name), soak(12, 1))

  test('without a fault: done without a failure, and the popup is closed', async () => {
    const set = await setUp(journey, undefined, false)
    const { value, seen } = await follow(set, journey, 0)
    expect([value, seen]).toMatchObject([journey.done, []])
    expect(set.opened.map(({ closed }) => closed)).toEqual([true])
  })

  test('page reloaded while the popup is open: the new page ignores its result, and another attempt succeeds', async () => {
    cells++
    const browser = { storage: memoryStorage(), tabStorage: tabStorage(), clock: testClock() }
    const before = await setUp(journey, undefined, false, browser)
    const { window } = await untilAway(before, journey)
    const result = journey.resultOf(before)
    before.kit.destroy()

    const set = await setUp(journey, undefined, false, browser)
    const calls = set.api.calls.length
    set.post({ ...result, source: window })
    await set.clock.advance(5_000)
    expect([set.api.calls.length, set.person.scene]).toEqual([calls, undefined])
    expect(await follow(set, journey, 0)).toMatchObject({ value: journey.done, seen: [] })
  })

  test('two tabs, each with a popup of its own: each takes the result of its own popup, and both succeed', async () => {
    cells++
    const tabs = browserTabs()
    const shared = { storage: memoryStorage(), clock: testClock() }
    const open = () => setUp(journey, undefined, false, { ...shared, tabs: tabs.open() })
    const [one, two] = [await open(), await open()]
    const first = await untilAway(one, journey)
    const second = await untilAway(two, journey)
    // The result of the other tab’s popup is ignored here, although it comes from the same origin.
    two.post({ ...journey.resultOf(one), source: first.window })
    await two.clock.advance(500)
    expect(second.window.closed).toBe(false)
    for (const [set, { window, outcome }] of [
      [two, second],
      [one, first],
    ] as const) {
      set.post({ ...journey.resultOf(set), source: window })
      for (let turn = 0; turn < 80; turn++) await goOn(set, journey)
      expect(await outcome).toMatchObject({ value: journey.done })
    }
    expect([...one.opened, ...two.opened].every(({ closed }) => closed)).toBe(true)
  })

  test.each(chosen)(
    'each popup %s: reported, and an attempt without the fault succeeds',
    async (what, fault) => {
      cells++
      const set = await setUp(journey, fault, true)
      const { value, error, seen } = await follow(set, journey, 2)
      if (isHarmlessInPopup(what)) expect([value, seen]).toMatchObject([journey.done, []])
      else {
        expect(value).toBeUndefined()
        expectReported({ error, seen })
        set.heal()
        expect(await follow(set, journey, 5)).toMatchObject({ value: journey.done })
      }
      expect(set.opened.every(({ closed }) => closed)).toBe(true)
    },
  )

  test.each(chosen)('the first popup %s: the retry succeeds', async (what, fault) => {
    cells++
    const set = await setUp(journey, fault, false)
    const { value, seen } = await follow(set, journey, 5)
    expect(value).toMatchObject(journey.done)
    if (isHarmlessInPopup(what)) expect(seen).toEqual([])
    expect(set.opened.every(({ closed }) => closed)).toBe(true)
  })
})

afterAll(() => console.log(`Faults of popups: ${Object.keys(journeys).join(', ')}, ${counted(cells)} cells`))
