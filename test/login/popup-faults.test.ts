/** Every window that a login or a recovery opens, and all that can become of it. */
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
// Loaded beforehand, so that no test waits for the loading of what the kit loads lazily.
import '../../src/login/telegram/flow.ts'
import '../../src/login/telegram/service.ts'
import { memoryStorage } from '../../src/lib/storage.ts'
import { sessionBody, wireUser } from '../support/api.ts'
import { type TestClock, testClock } from '../support/clock.ts'
import { expectToldInWords } from '../support/faults.ts'
import { embeddedWallet, type KitSetUp, kitWithPerson, walletAddress } from '../support/kit.ts'
import {
  googleAccount,
  oauthPaths,
  otherApp,
  otherAppRoutes,
  pageWithWindows,
  popup,
  provider,
  response,
  tabStorage,
  type testWindow,
} from '../support/oauth.ts'
import { persist } from '../support/persist.ts'
import { counted, eachOf, soak } from '../support/soak.ts'
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
interface Said {
  data: object | string
  origin?: string
}
interface Journey {
  app: object
  accounts: object[]
  options?: KitSetUp['options']
  routes: Record<string, { body: object }>
  /** Where its window speaks, if not to the page itself. */
  windows?: (given: { blocked: () => boolean; clock: TestClock }) => Windows
  /** Without a window it leaves the page, so that there is nothing to go on with here. */
  leaves?: true
  /** The request that logs the person in. */
  login?: string
  session?: object
  loggedIn?: true
  begin: (set: KitSet) => Promise<unknown>
  choice?: object
  /** What the window says when all is well, and from where. */
  says: (set: KitSet) => Said
  /** What it says when the person has said no, or the provider has failed; none where it then says nothing. */
  refusals: Record<string, (set: KitSet) => Said>
  done: object
}

type Windows = ReturnType<typeof pageWithWindows>

const lastState = (path: string) => (set: KitSet) => set.api.to(path).at(-1)?.body?.state_code
const returning = (path: string) => ({
  says: (set: KitSet) => ({ data: response(lastState(path)(set)) }),
  refusals: {
    'says that the person declined': (set: KitSet) => ({ data: response(lastState(path)(set), 'undefined') }),
    'says that the provider failed': (set: KitSet) => ({ data: response(lastState(path)(set), 'error') }),
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
const telegramSays = (result: unknown) => () => ({
  data: JSON.stringify({ event: 'auth_result', result }),
  origin: telegramOrigin,
})
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
    says: () => ({ data: { ckSession: 'web-token' }, origin: apple }),
    refusals: { 'says that Apple failed': () => ({ data: { errorMessage: 'no' }, origin: apple }) },
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
    says: telegramSays(telegramResult),
    refusals: { 'says that the person declined': telegramSays(false) },
    done: { id: 'did:privy:u1' },
  },
}

/** What a window does once it was sent somewhere. */
type Misbehaviour = (at: {
  set: KitSet
  window: ReturnType<typeof testWindow>
  clock: TestClock
  says: Said
  say: (data: unknown, from?: { source?: unknown; origin?: string }) => void
  /** Says what it says when all is well. */
  answer: () => void
}) => void
const from = (origin: string | undefined): { origin?: string } => (origin === undefined ? {} : { origin })
const closing =
  (after: number): Misbehaviour =>
  ({ window, clock }) =>
    void clock.sleep(after).then(() => window.close())
const faults: Record<string, Misbehaviour> = {
  'is closed at once': closing(0),
  'is closed after 299 ms': closing(299),
  'is closed after 301 ms': closing(301),
  'is closed after a minute': closing(60_000),
  'says nothing': () => {},
  'says what nobody understands': ({ say, says }) => {
    const noise = [undefined, null, 7, 'PRIVY_OAUTH_RESPONSE', [], {}, { type: 'PRIVY_OAUTH_RESPONSE' }]
    for (const each of [...noise, { ckSession: 7 }, { stateCode: {}, authorizationCode: [] }])
      say(each, from(says.origin))
  },
  'comes back for another login': ({ say }) => say(response('another state')),
  'lets another origin speak': ({ say, says }) => say(says.data, { origin: 'https://evil.example' }),
  'lets another window speak': ({ say, says }) => say(says.data, { ...from(says.origin), source: {} }),
}
const harmless: Record<string, Misbehaviour> = {
  'comes back after 119 s': ({ clock, answer }) => void clock.sleep(119_000).then(answer),
  'comes back twice': ({ answer }) => {
    answer()
    answer()
  },
  'babbles before it comes back': (at) => {
    faults['says what nobody understands']?.(at)
    at.answer()
  },
}
const isHarmless = (what: string) => Object.hasOwn(harmless, what)
/** Two minutes for the window, and what the server then takes. */
const longestWait = 125_000
const windowless: [string, Fault][] = [
  ['is blocked', 'blocked'],
  ['is closed when it opens', 'closed when it opens'],
]
let cells = 0

beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}))
afterEach(() => vi.restoreAllMocks())

type Fault = 'blocked' | 'closed when it opens' | Misbehaviour
/** Where a page is opened beside another one, or after it. */
type Browser = Pick<KitSetUp, 'storage' | 'tabStorage' | 'clock' | 'tabs'>
async function setUp(journey: Journey, fault: Fault | undefined, lasting: boolean, browser: Browser = {}) {
  let faulty = fault !== undefined
  const goesWrong = () => {
    const goes = faulty
    if (!lasting) faulty = false
    return goes
  }
  const { windows: make = pageWithWindows } = journey
  const { clock = testClock() } = browser
  const windows = make({ blocked: () => fault === 'blocked' && goesWrong(), clock })
  const { openWindow } = windows.page
  windows.page.openWindow = () => {
    const opened = openWindow()
    if (opened && fault === 'closed when it opens' && goesWrong()) opened.close()
    return opened
  }
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
  const set = await kitWithPerson({
    app: journey.app,
    accounts: journey.accounts,
    page: windows.page,
    tabStorage: tabStorage(),
    vault,
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
  const met = new Set<unknown>()
  return {
    ...set,
    opened: windows.opened,
    hear: windows.say,
    heal() {
      faulty = false
    },
    others() {
      const window = windows.opened.at(-1)
      if (!window?.went || window.closed || met.has(window)) return
      met.add(window)
      const says = journey.says(set)
      const say: Parameters<Misbehaviour>[0]['say'] = (data, more) =>
        windows.say(data, { source: window, ...more })
      const answer = () => say(says.data, from(says.origin))
      if (typeof fault === 'function' && goesWrong())
        fault({ set, window, clock: set.clock, says, say, answer })
      else answer()
    },
  }
}
type World = Awaited<ReturnType<typeof setUp>>

function answerTo(journey: Journey, screen: string, props: Record<string, unknown>): unknown {
  if (props.done) return undefined
  if (screen === 'landing') return journey.choice
  if (screen === 'sign-message') return 'sign'
  if (props.phase === 'confirm') return 'confirm'
  if (props.phase === 'ready') return 'open'
  if (props.phase === 'blocked') return screen === 'recovery-oauth' ? 'confirm' : 'retry'
  if (props.state === 'failed') return props.retryable ? 'retry' : 'back'
  if (props.phase === 'failed') return (props.failure as { retryable: boolean }).retryable ? 'retry' : 'back'
  return undefined
}
const follow = (set: World, journey: Journey, patience: number) =>
  persist({
    ...set,
    patience,
    longestWait,
    begin: () => journey.begin(set),
    answerTo: (screen, props) => answerTo(journey, screen, props),
  })

/** Goes on until the window is at the provider. Resolves with the window, and with what becomes of the journey. */
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

/** Lets a moment pass, and answers what is on the screen. */
async function goOn({ clock, person }: World, journey: Journey) {
  // Hashing runs on a thread of its own, which no turn of the loop waits for.
  await new Promise((resolve) => setTimeout(resolve, 1))
  await clock.advance(50)
  const { scene } = person
  if (!scene || scene.busy !== undefined) return
  const answer = answerTo(journey, scene.screen.id, scene.props as Record<string, unknown>)
  if (answer !== undefined) scene.answer(answer)
}

const step = soak(6, 1)
describe.each(Object.entries(journeys))('%s', (name, journey) => {
  const refusals = Object.entries(journey.refusals).map(([what, refuse]): [string, Fault] => [
    what,
    ({ set, say }) => {
      const { data, origin } = refuse(set)
      say(data, from(origin))
    },
  ])
  const table: [string, Fault][] = [
    ...(journey.leaves ? [] : windowless),
    ...Object.entries({ ...faults, ...harmless }),
    ...refusals,
  ]
  const shift = Object.keys(journeys).indexOf(name) % step
  const chosen = eachOf(table.slice(shift), step)

  test('comes back, and is done', async () => {
    const set = await setUp(journey, undefined, false)
    const { value, seen } = await follow(set, journey, 0)
    expect([value, seen]).toMatchObject([journey.done, []])
    expect(set.opened.map(({ closed }) => closed)).toEqual([true])
  })

  test('whose page is loaded again while the window is open: the new page takes nothing from it, and another try is done', async () => {
    cells++
    const browser = { storage: memoryStorage(), tabStorage: tabStorage(), clock: testClock() }
    const before = await setUp(journey, undefined, false, browser)
    const { window } = await untilAway(before, journey)
    const { data, origin } = journey.says(before)
    before.kit.destroy()

    const set = await setUp(journey, undefined, false, browser)
    const calls = set.api.calls.length
    set.hear(data, { source: window, ...from(origin) })
    await set.clock.advance(5_000)
    expect([set.api.calls.length, set.person.scene]).toEqual([calls, undefined])
    expect(await follow(set, journey, 0)).toMatchObject({ value: journey.done, seen: [] })
  })

  test('in two tabs, each with a window of its own: each takes what its own window says, and both are done', async () => {
    cells++
    const tabs = browserTabs()
    const shared = { storage: memoryStorage(), clock: testClock() }
    const open = () => setUp(journey, undefined, false, { ...shared, tabs: tabs.open() })
    const [one, two] = [await open(), await open()]
    const first = await untilAway(one, journey)
    const second = await untilAway(two, journey)
    // The answer to the other one is nobody's here, although it comes from the same origin.
    two.hear(journey.says(one).data, { source: first.window, ...from(journey.says(one).origin) })
    await two.clock.advance(500)
    expect(second.window.closed).toBe(false)
    for (const [set, { window, outcome }] of [
      [two, second],
      [one, first],
    ] as const) {
      const { data, origin } = journey.says(set)
      set.hear(data, { source: window, ...from(origin) })
      for (let turn = 0; turn < 80; turn++) await goOn(set, journey)
      expect(await outcome).toMatchObject({ value: journey.done })
    }
    expect([...one.opened, ...two.opened].every(({ closed }) => closed)).toBe(true)
  })

  test.each(chosen)('in a window that %s, for ever: words, a way on, an end', async (what, fault) => {
    cells++
    const set = await setUp(journey, fault, true)
    const { value, error, seen } = await follow(set, journey, 2)
    if (isHarmless(what)) expect([value, seen]).toMatchObject([journey.done, []])
    else {
      expect(value).toBeUndefined()
      expectToldInWords({ error, seen })
      set.heal()
      expect(await follow(set, journey, 5)).toMatchObject({ value: journey.done })
    }
    expect(set.opened.every(({ closed }) => closed)).toBe(true)
  })

  test.each(chosen)('in a window that %s, once: the way on leads to the end', async (what, fault) => {
    cells++
    const set = await setUp(journey, fault, false)
    const { value, seen } = await follow(set, journey, 5)
    expect(value).toMatchObject(journey.done)
    if (isHarmless(what)) expect(seen).toEqual([])
    expect(set.opened.every(({ closed }) => closed)).toBe(true)
  })
})

afterAll(() => console.log(`Faults of windows: ${Object.keys(journeys).join(', ')}, ${counted(cells)} cells`))
