/** Every request that a person's steps send to the vault's frame, and all that can become of that frame meanwhile. */
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import '../../../src/wallets/recovery/recover-flow.ts'
import '../../../src/kit/host/devices.ts'
import { frameEvents } from '../../../src/protocol/frame/calls.ts'
import type { FrameEvents, OpenFrame } from '../../../src/wallets/embedded/frame-port.ts'
import { wireUser } from '../../support/api.ts'
import type { TestClock } from '../../support/clock.ts'
import { expectToldInWords } from '../../support/faults.ts'
import { embeddedWallet, type KitSetUp, kitWithPerson, walletAddress } from '../../support/kit.ts'
import { pageWithWindows, response } from '../../support/oauth.ts'
import { persist } from '../../support/persist.ts'
import { counted, eachOf, soak } from '../../support/soak.ts'

const importedAddress = `0x${'4'.repeat(40)}`

type KitSet = Awaited<ReturnType<typeof kitWithPerson>>
type Request = { id: string; event: string; data: Record<string, unknown> }

/** What the vault and the server hold of one person, whichever frame is asked. */
function vaultWorld({ wallet, here, method }: { wallet: boolean; here: boolean; method: string }) {
  const world = {
    wallets: wallet ? 1 : 0,
    here,
    method,
    password: 'the old one',
    imported: false,
    devices: 2,
  }
  const entropy = { entropyId: walletAddress }
  /** Does what a request asks for; doing it again changes nothing. */
  function act({ event, data }: Request): object {
    switch (event) {
      case frameEvents.ready:
        return { data: {} }
      case frameEvents.createWallet:
        world.wallets = 1
        world.here = true
        return { data: { address: walletAddress } }
      case frameEvents.recoverWallet:
        world.here = true
        return { data: entropy }
      case frameEvents.setRecovery:
        world.method = String(data.recoveryMethod)
        return {
          data: { ...entropy, entropyIdVerifier: 'ethereum-address-verifier', recoveryMethod: world.method },
        }
    }
    if (event === frameEvents.importWallet) {
      world.imported = true
      return { data: { address: importedAddress } }
    }
    if (event === frameEvents.removeDevice) {
      world.devices = 1
      return { data: { deviceId: data.deviceId } }
    }
    if (!world.here) return { error: { type: 'wallet_not_on_device', message: 'not here' } }
    if (event === frameEvents.connectWallet) return { data: entropy }
    return {
      data: {
        address: walletAddress,
        chainType: 'ethereum',
        response: { method: 'personal_sign', data: '0x12' },
      },
    }
  }
  const accounts = () => [
    ...wireUser().linked_accounts,
    ...(world.wallets > 0 ? [{ ...embeddedWallet, recovery_method: world.method }] : []),
    ...(world.imported ? [{ ...embeddedWallet, address: importedAddress, imported: true }] : []),
  ]
  return { world, act, accounts }
}

/** What a frame does with a request that it goes wrong at: it may answer, and cease to be there. */
type Misbehaviour = (at: {
  request: Request
  events: FrameEvents
  clock: TestClock
  act: () => object
  answer: (message: object) => void
  /** From now on the frame answers nothing at all. */
  die: () => void
}) => void

const withData = (data: unknown): Misbehaviour => {
  return ({ request: { id, event }, events }) => events.message({ id, event, data })
}
/** What the frame does with the request itself; the requests before it are answered. */
const requestFaults: Record<string, Misbehaviour> = {
  'dies before it has begun': ({ die }) => die(),
  'dies when all is done': ({ act, die }) => {
    act()
    die()
  },
  'never answers, and is alive': () => {},
  'never answers what it has done': ({ act }) => void act(),
  'is loaded anew in the middle of it': ({ events, die }) => {
    die()
    events.loaded()
  },
  'is loaded anew when all is done': ({ act, events, die }) => {
    act()
    die()
    events.loaded()
  },
  'is taken out of the page': ({ events, die }) => {
    die()
    events.removed()
  },
  'answers null': withData(null),
  'answers a list': withData([1, 2, 3]),
  'answers a text': withData('ok'),
  'answers without what was asked for': withData({}),
  'answers with fields of another type': withData({
    address: 7,
    entropyId: {},
    response: 'no',
    recoveryMethod: [],
  }),
  'answers with keys of a prototype': ({ request: { id, event }, events }) =>
    events.message(JSON.parse(`{"id":"${id}","event":"${event}","data":{"__proto__":{"entropyId":"x"}}}`)),
  'answers a failure that nobody knows': ({ answer }) => answer({ error: { type: 'novel', message: 'x' } }),
  'answers a failure that is none': ({ answer }) => answer({ error: 'no' }),
  'answers something else and nothing more': ({ request, events }) =>
    events.message({ id: 'id-other', event: request.event, data: {} }),
}
/** What costs nothing but time. */
const harmless: Record<string, Misbehaviour> = {
  'answers after 14.9 s': ({ clock, act, answer }) => {
    const done = act()
    clock.sleep(14_900).then(() => answer(done))
  },
  'answers twice': ({ act, answer }) => {
    const done = act()
    answer(done)
    answer(done)
  },
  'babbles before it answers': ({ act, answer, events }) => {
    for (const noise of [undefined, 7, 'x', [], {}, { id: 'id-0' }, { data: {} }]) events.message(noise)
    answer(act())
  },
}
type Loading = (events: FrameEvents) => 'answers' | 'dead'
/** What becomes of a frame before it has answered anything. */
const loadingFaults: Record<string, Loading> = {
  'is blocked by the page’s policy': (events) => {
    events.blocked('frame-src')
    return 'dead'
  },
  'never loads': () => 'dead',
  'loads a page that says nothing': (events) => {
    events.loaded()
    return 'dead'
  },
  'is taken out as soon as it is there': (events) => {
    events.removed()
    return 'dead'
  },
  'is cut off by a network that is lost': (events) => {
    events.offline()
    return 'dead'
  },
}
const isHarmless = (name: string) => Object.hasOwn(harmless, name)

interface Journey {
  wallet: boolean
  here: boolean
  method: string
  loggedIn: boolean
  /** What it asks the vault, in this order. */
  events: (keyof typeof frameEvents)[]
  begin: (set: KitSet) => Promise<unknown>
  /** Begun by the page, without a screen. */
  headless?: true
  /** What is there when it has come to its end. */
  done: (value: unknown, world: ReturnType<typeof vaultWorld>['world']) => void
}
const sign = ({ kit }: KitSet) => kit.signMessage({ message: 'Hello' })
const isSigned = (value: unknown) => expect(value).toEqual({ signature: '0x12' })
const journeys: Record<string, Journey> = {
  'a login that makes a wallet': {
    wallet: false,
    here: false,
    method: 'privy',
    loggedIn: false,
    events: ['createWallet'],
    begin: ({ kit }) => kit.login(),
    done: (value, { wallets }) =>
      expect([value, wallets]).toMatchObject([{ wallet: { address: walletAddress } }, 1]),
  },
  'a wallet that the page makes': {
    wallet: false,
    here: false,
    method: 'privy',
    loggedIn: true,
    events: ['createWallet'],
    begin: ({ kit }) => kit.createWallet(),
    headless: true,
    done: (value, { wallets }) => expect([value, wallets]).toMatchObject([{ address: walletAddress }, 1]),
  },
  'a key that the page brings': {
    wallet: false,
    here: false,
    method: 'privy',
    loggedIn: true,
    events: ['importWallet'],
    begin: ({ kit }) => kit.importWallet({ chainType: 'ethereum', privateKey: `0x${'17'.repeat(32)}` }),
    headless: true,
    done: (value, { imported }) =>
      expect([value, imported]).toMatchObject([{ address: importedAddress }, true]),
  },
  'a device that is removed': {
    wallet: true,
    here: true,
    method: 'privy',
    loggedIn: true,
    events: ['removeDevice'],
    begin: async ({ kit }) => {
      await kit.devices.remove('d-2')
      return 'removed'
    },
    headless: true,
    done: (value, { devices }) => expect([value, devices]).toEqual(['removed', 1]),
  },
  'a signature': {
    wallet: true,
    here: true,
    method: 'privy',
    loggedIn: true,
    events: ['walletRpc'],
    begin: sign,
    done: isSigned,
  },
  'a signature after a recovery by password': {
    wallet: true,
    here: false,
    method: 'user-passcode',
    loggedIn: true,
    events: ['walletRpc', 'recoverWallet'],
    begin: sign,
    done: isSigned,
  },
  'a signature after a recovery by Google Drive': {
    wallet: true,
    here: false,
    method: 'google-drive',
    loggedIn: true,
    events: ['walletRpc', 'recoverWallet'],
    begin: sign,
    done: isSigned,
  },
  'a signature after a recovery that asks nothing': {
    wallet: true,
    here: false,
    method: 'privy',
    loggedIn: true,
    events: ['walletRpc', 'recoverWallet'],
    begin: sign,
    done: isSigned,
  },
  'a new recovery password': {
    wallet: true,
    here: true,
    method: 'privy',
    loggedIn: true,
    events: ['connectWallet', 'setRecovery'],
    begin: ({ kit }) => kit.setWalletRecovery(),
    done: (_, { method }) => expect(method).toBe('user-passcode'),
  },
}

/** What somebody does who wants to get on; `undefined` where they can only wait. */
function answerTo(screen: string, props: Record<string, unknown>): unknown {
  if ('accepted' in props || props.done) return undefined
  const password = 'correct horse battery'
  switch (screen) {
    case 'landing':
      return { email: 'ada@example.com' }
    case 'enter-code':
      return { code: '123456' }
    case 'wallet-created':
    case 'save-password':
    case 'confirm-password':
      return 'continue'
    case 'sign-message':
      return 'sign'
    case 'password-recovery':
    case 'set-password':
      return { password }
    case 'recovery-selection':
      return { method: 'password' }
    case 'finish-password':
      return 'set'
    case 'password-result':
      return 'close'
    case 'failure':
      return props.action
    case 'recovery-oauth':
      if (props.phase === 'confirm') return 'confirm'
      if (props.phase !== 'failed') return undefined
      return (props.failure as { retryable: boolean }).retryable ? 'retry' : 'back'
  }
  return undefined
}

/** The longest that a person may wait: a request of recovery, begun anew after a crash. */
const longestWait = 250_000
let cells = 0

beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}))
afterEach(() => vi.restoreAllMocks())

/** A person at a vault whose frames go wrong as they are told: each of them, or the first alone. */
async function setUp(
  journey: Journey,
  fault: { loading: Loading } | { event: keyof typeof frameEvents; does: Misbehaviour } | undefined,
  lasting: boolean,
) {
  const { world, act, accounts } = vaultWorld(journey)
  const asked: string[] = []
  const frames: { open: boolean }[] = []
  let faulty = fault !== undefined
  let set: KitSet
  const goesWrong = () => {
    const goes = faulty
    if (!lasting) faulty = false
    return goes
  }
  const openFrame: OpenFrame = (_, events) => {
    const frame = { open: true, dead: false }
    frames.push(frame)
    if (fault && 'loading' in fault && goesWrong())
      queueMicrotask(() => {
        frame.dead = fault.loading(events) === 'dead'
      })
    else queueMicrotask(() => events.loaded())
    return {
      post(raw) {
        const request = raw as Request
        const { id, event } = request
        if (frame.dead || !frame.open) return
        if (event !== frameEvents.ready) asked.push(event)
        const answer = (message: object) => {
          if (frame.open) events.message({ id, event, ...message })
        }
        queueMicrotask(() => {
          if (fault && 'event' in fault && event === frameEvents[fault.event] && goesWrong())
            fault.does({
              request,
              events,
              answer,
              clock: set.clock,
              act: () => act(request),
              die: () => {
                frame.dead = true
              },
            })
          else answer(act(request))
        })
      },
      close() {
        frame.open = false
      },
    }
  }
  const windows = pageWithWindows()
  const returned = new Set<unknown>()
  const init = '/api/v1/recovery/oauth/init'
  const setUpOf: KitSetUp = {
    accounts: accounts(),
    page: windows.page,
    vault: { open: openFrame } as KitSetUp['vault'] & object,
    app: {
      embedded_wallet_config: {
        create_on_login: journey.loggedIn ? 'off' : 'all-users',
        user_owned_recovery_options: ['google-drive', 'user-passcode'],
      },
    },
    routes: {
      '/api/v1/users/me': () => ({
        body: { user: wireUser('did:privy:u1', { linked_accounts: accounts() }) },
      }),
      [init]: { body: { url: 'https://accounts.google.example/auth' } },
      '/api/v1/recovery/oauth/authenticate': { body: { access_token: 'drive-token' } },
    },
  }
  set = await kitWithPerson(setUpOf)
  if (journey.loggedIn) {
    await set.kit.email.sendCode({ email: 'ada@example.com' })
    await set.kit.email.loginWithCode({ code: '123456' })
  }
  return {
    ...set,
    world,
    asked,
    frames,
    heal() {
      faulty = false
    },
    /** The drive's window comes back, once. */
    others() {
      const source = windows.opened.at(-1)
      if (!source?.went || source.closed || returned.has(source)) return
      returned.add(source)
      windows.say(response(set.api.to(init).at(-1)?.body?.state_code))
    },
  }
}
type Set = Awaited<ReturnType<typeof setUp>>

const follow = (set: Set, journey: Journey, patience: number) =>
  persist({ ...set, patience, longestWait, begin: () => journey.begin(set), answerTo })

/** As often as a page, or a person at it, would begin again. */
async function untilDone(set: Set, journey: Journey) {
  let last = await follow(set, journey, 5)
  for (let again = 0; last.error && again < 2; again++) last = await follow(set, journey, 5)
  return last
}

/** After a failure all is as before or done, and one more try comes to its end. */
async function nothingIsLost(set: Set, journey: Journey) {
  set.heal()
  // Somebody who was logged in meanwhile is not asked who they are; what is missing is made.
  if (!journey.loggedIn) await set.kit.logout()
  const { value, error } = await untilDone(set, journey)
  // The page is told that what it asked for is there already.
  if (journey.headless && error?.code === 'embedded_wallet_already_exists')
    return journey.done(set.kit.user?.wallet, set.world)
  expect(error).toBeUndefined()
  journey.done(value, set.world)
}

const faultsAt = (event: keyof typeof frameEvents) =>
  Object.entries({ ...requestFaults, ...harmless }).map(
    ([name, does]) => [event, name, { event, does }] as const,
  )
const loading = Object.entries(loadingFaults).map(
  ([name, each]) => ['frame', name, { loading: each }] as const,
)
/** In short runs each journey meets another part of the faults. */
const step = soak(9, 1)

describe.each(Object.entries(journeys))('%s', (name, journey) => {
  const table = [...loading, ...journey.events.flatMap(faultsAt)]
  const shift = Object.keys(journeys).indexOf(name) % step
  const faults = eachOf([...table.slice(shift), ...table.slice(0, shift)], step)

  test('asks the vault what the matrix says, and is done', async () => {
    const set = await setUp(journey, undefined, false)
    const { value, seen, error } = await follow(set, journey, 0)
    expect([error, seen]).toEqual([undefined, []])
    journey.done(value, set.world)
    expect(new Set(set.asked)).toEqual(new Set(journey.events.map((event) => frameEvents[event])))
  })

  test.each(faults)('%s: one that %s, for ever, ends in words and loses nothing', async (_, what, fault) => {
    cells++
    const set = await setUp(journey, fault, true)
    const { value, error, seen } = await follow(set, journey, 2)
    if (error) {
      expect(isHarmless(what)).toBe(false)
      expectToldInWords({ error, seen }, { hasScreens: !journey.headless })
    } else journey.done(value, set.world)
    for (const each of set.errors) expect(each.code).toMatch(/^[a-z][a-z0-9_]+$/)
    await nothingIsLost(set, journey)
    expect(set.frames.filter(({ open }) => open).length).toBeLessThanOrEqual(1)
  })

  test.each(faults)('%s: one that %s, once, is got over', async (_, what, fault) => {
    cells++
    const set = await setUp(journey, fault, false)
    const { value, error, seen } = await untilDone(set, journey)
    expect(error).toBeUndefined()
    if (isHarmless(what)) expect(seen).toEqual([])
    journey.done(value, set.world)
  })
})

afterAll(() =>
  console.log(
    `Faults of the vault’s frame: ${Object.keys(journeys).length} journeys, ${counted(cells)} cells`,
  ),
)
