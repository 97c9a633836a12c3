/** Every request that a user’s steps send to the vault’s frame, with every fault of that frame. */
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import '../../../src/wallets/recovery/recover-flow.ts'
import '../../../src/kit/host/devices.ts'
import { frameEvents } from '../../../src/protocol/frame/calls.ts'
import { wireUser } from '../../support/api.ts'
import { testClock } from '../../support/clock.ts'
import {
  type FrameFault,
  type FrameRequest,
  faultyFrames,
  frameFaults,
  isHarmlessInFrame,
} from '../../support/faults/frame.ts'
import { expectReported, faultsOfRow } from '../../support/faults/matrix.ts'
import { embeddedWallet, type KitSetUp, kitWithPerson, walletAddress } from '../../support/kit.ts'
import { pageWithWindows, response } from '../../support/oauth.ts'
import { answerToFailure, persist } from '../../support/persist.ts'
import { counted, soak } from '../../support/soak.ts'

const importedAddress = `0x${'4'.repeat(40)}`

type KitSet = Awaited<ReturnType<typeof kitWithPerson>>

/** The vault’s and the server’s state of one user, which all frames share. */
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
  /** Does what is requested; doing it again changes nothing. */
  function act({ event, data }: FrameRequest): object {
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

interface Journey {
  wallet: boolean
  here: boolean
  method: string
  loggedIn: boolean
  /** The requests to the vault, in this order. */
  events: (keyof typeof frameEvents)[]
  begin: (set: KitSet) => Promise<unknown>
  /** Begun by the host page, without a screen. */
  headless?: true
  expectDone: (value: unknown, world: ReturnType<typeof vaultWorld>['world']) => void
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
    expectDone: (value, { wallets }) =>
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
    expectDone: (value, { wallets }) =>
      expect([value, wallets]).toMatchObject([{ address: walletAddress }, 1]),
  },
  'a key that the page brings': {
    wallet: false,
    here: false,
    method: 'privy',
    loggedIn: true,
    events: ['importWallet'],
    begin: ({ kit }) => kit.importWallet({ chainType: 'ethereum', privateKey: `0x${'17'.repeat(32)}` }),
    headless: true,
    expectDone: (value, { imported }) =>
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
    expectDone: (value, { devices }) => expect([value, devices]).toEqual(['removed', 1]),
  },
  'a signature': {
    wallet: true,
    here: true,
    method: 'privy',
    loggedIn: true,
    events: ['walletRpc'],
    begin: sign,
    expectDone: isSigned,
  },
  'a signature after a recovery by password': {
    wallet: true,
    here: false,
    method: 'user-passcode',
    loggedIn: true,
    events: ['walletRpc', 'recoverWallet'],
    begin: sign,
    expectDone: isSigned,
  },
  'a signature after a recovery by Google Drive': {
    wallet: true,
    here: false,
    method: 'google-drive',
    loggedIn: true,
    events: ['walletRpc', 'recoverWallet'],
    begin: sign,
    expectDone: isSigned,
  },
  'a signature after a recovery that asks nothing': {
    wallet: true,
    here: false,
    method: 'privy',
    loggedIn: true,
    events: ['walletRpc', 'recoverWallet'],
    begin: sign,
    expectDone: isSigned,
  },
  'a new recovery password': {
    wallet: true,
    here: true,
    method: 'privy',
    loggedIn: true,
    events: ['connectWallet', 'setRecovery'],
    begin: ({ kit }) => kit.setWalletRecovery(),
    expectDone: (_, { method }) => expect(method).toBe('user-passcode'),
  },
}

/** The answer to each screen that leads on; `undefined` where the user can only wait. */
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
      return answerToFailure(props)
  }
  return undefined
}

/** Milliseconds that a user may wait at the most: for a recovery that starts again after a crash. */
const longestWait = 250_000
let cells = 0

beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}))
afterEach(() => vi.restoreAllMocks())

/** A user at a vault whose frames have a fault: each of them, or the first alone. */
async function setUp(journey: Journey, fault: FrameFault | undefined, { lasting }: { lasting: boolean }) {
  const { world, act, accounts } = vaultWorld(journey)
  const clock = testClock()
  const frames = faultyFrames({ clock, fault, lasting, act })
  const windows = pageWithWindows()
  const init = '/api/v1/recovery/oauth/init'
  const set = await kitWithPerson({
    clock,
    accounts: accounts(),
    page: windows.page,
    vault: { open: frames.open } as KitSetUp['vault'] & object,
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
  })
  if (journey.loggedIn) {
    await set.kit.email.sendCode({ email: 'ada@example.com' })
    await set.kit.email.loginWithCode({ code: '123456' })
  }
  return {
    ...set,
    world,
    ...frames,
    /** The drive’s popup returns, once. */
    others() {
      if (windows.sent()) windows.say(response(set.api.to(init).at(-1)?.body?.state_code))
    },
  }
}
type Set = Awaited<ReturnType<typeof setUp>>

const follow = (set: Set, journey: Journey, patience: number) =>
  persist({ ...set, patience, longestWait, begin: () => journey.begin(set), answerTo })

/** Begins again as often as a host page or its user would. */
async function untilDone(set: Set, journey: Journey) {
  let last = await follow(set, journey, 5)
  for (let again = 0; last.error && again < 2; again++) last = await follow(set, journey, 5)
  return last
}

/** Expects that nothing was lost by a failure: one more attempt succeeds. */
async function expectNothingLost(set: Set, journey: Journey) {
  set.heal()
  // A user who is logged in already would not meet the login’s screens.
  if (!journey.loggedIn) await set.kit.logout()
  const { value, error } = await untilDone(set, journey)
  // The failed attempt has created the wallet after all.
  if (journey.headless && error?.code === 'embedded_wallet_already_exists')
    return journey.expectDone(set.kit.user?.wallet, set.world)
  expect(error).toBeUndefined()
  journey.expectDone(value, set.world)
}

describe.each(Object.entries(journeys))('%s', (name, journey) => {
  const row = Object.keys(journeys).indexOf(name)
  const faults = faultsOfRow(frameFaults(journey.events), row, soak(18, 1))

  test('without a fault: makes the requests of the matrix, and succeeds', async () => {
    const set = await setUp(journey, undefined, { lasting: false })
    const { value, seen, error } = await follow(set, journey, 0)
    expect([error, seen]).toEqual([undefined, []])
    journey.expectDone(value, set.world)
    expect(new Set(set.requested)).toEqual(new Set(journey.events.map((event) => frameEvents[event])))
  })

  test.each(faults)('%s: each one %s: reported, and nothing is lost', async (_, what, fault) => {
    cells++
    const set = await setUp(journey, fault, { lasting: true })
    const { value, error, seen } = await follow(set, journey, 2)
    if (error) {
      expect(isHarmlessInFrame(what)).toBe(false)
      expectReported({ error, seen }, { hasScreens: !journey.headless })
    } else journey.expectDone(value, set.world)
    for (const each of set.errors) expect(each.code).toMatch(/^[a-z][a-z0-9_]+$/)
    await expectNothingLost(set, journey)
    expect(set.openFrames()).toBeLessThanOrEqual(1)
  })

  test.each(faults)('%s: the first one %s: the retry succeeds', async (_, what, fault) => {
    cells++
    const set = await setUp(journey, fault, { lasting: false })
    const { value, error, seen } = await untilDone(set, journey)
    expect(error).toBeUndefined()
    if (isHarmlessInFrame(what)) expect(seen).toEqual([])
    journey.expectDone(value, set.world)
  })
})

afterAll(() =>
  console.log(
    `Faults of the vault’s frame: ${Object.keys(journeys).length} journeys, ${counted(cells)} cells`,
  ),
)
