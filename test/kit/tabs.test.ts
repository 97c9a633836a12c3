import { decodeJwt } from 'jose'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
// Loaded beforehand, so that no test waits for what the kit loads lazily.
import '../../src/kit/host/farcaster-signer.ts'
import '../../src/kit/host/funding.ts'
import '../../src/funding/receive/flow.ts'
import { memoryStorage, type Storage } from '../../src/lib/storage.ts'
import { leftLogins, sessionKey } from '../../src/session/keys.ts'
import type { EthereumProvider } from '../../src/wallets/external/connector.ts'
import { appId, type Call, makeToken, sessionBody, wireUser } from '../support/api.ts'
import { settled, testClock } from '../support/clock.ts'
import { embeddedWallet, kitWithPerson, paths, walletAddress } from '../support/kit.ts'
import type { Step } from '../support/person.ts'
import { browserTabs } from '../support/tabs.ts'
import { fakeVault } from '../support/vault.ts'

const ada = 'did:privy:ada'
const bob = 'did:privy:bob'
const secondAddress = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const second = { ...embeddedWallet, address: secondAddress, wallet_index: 1 }
const notHere = () => ({ error: { type: 'wallet_not_on_device', message: 'Wallet not on device' } })

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => vi.restoreAllMocks())

/** Tabs of one browser, in front of one server that knows two people. */
async function browser({ terms = false, app = {} }: { terms?: boolean; app?: object } = {}) {
  const clock = testClock()
  const [storage, tabs] = [memoryStorage(), browserTabs()]
  const wallets: Record<string, object[]> = { [ada]: [embeddedWallet], [bob]: [] }
  const personOf = (id: string) =>
    wireUser(id, {
      linked_accounts: [...wireUser().linked_accounts, ...(wallets[id] ?? [])],
      has_accepted_terms: accepted.has(id),
    })
  const accepted = new Set<string>()
  const asked: string[] = []
  let isOver = false

  async function open(vault = fakeVault()) {
    const sessionOf = async (id: string) => {
      const token = await makeToken(clock, { userId: id })
      return sessionBody(clock, { token, privy_access_token: token, user: personOf(id) })
    }
    const sessions = { [ada]: await sessionOf(ada), [bob]: await sessionOf(bob) }
    const set = await kitWithPerson({
      clock,
      storage,
      tabs: tabs.open(),
      vault,
      app: { ...app, ...(terms && { require_users_accept_terms: true }) },
      intercept(call) {
        asked.push(call.path)
        if (isOver && call.path === '/api/v1/sessions') return over
        if (call.path === paths.me) return { body: { user: personOf(decodeJwt(bearerOf(call)).sub ?? '') } }
        if (call.path === paths.authenticate)
          return { body: sessions[call.body?.email === 'bob@example.com' ? bob : ada] }
        if (call.path === paths.terms) {
          const id = decodeJwt(bearerOf(call)).sub ?? ''
          accepted.add(id)
          return { body: personOf(id) }
        }
        return undefined
      },
    })
    const heard: string[] = []
    set.kit.on('user', ({ user }) => heard.push(user ? user.id : 'nobody'))
    set.kit.on('logout', () => heard.push('logout'))
    await set.kit.whenReady()
    return {
      ...set,
      heard,
      async logIn(email = 'ada@example.com') {
        await set.kit.email.sendCode({ email })
        await set.kit.email.loginWithCode({ code: '123456' })
        await settled()
      },
    }
  }
  return {
    open,
    wallets,
    asked,
    clock,
    broadcast: tabs.open().broadcast,
    /** Ends all sessions at the server. */
    endAll() {
      isOver = true
    },
  }
}
const over = { status: 401, body: { error: 'Over', code: 'missing_or_invalid_token' } }
const bearerOf = ({ headers }: Call) => headers.authorization?.replace('Bearer ', '') ?? ''
const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (cause: { code?: string }) => cause.code,
  )

describe('somebody else who logs in in another tab', () => {
  test('comes after a logout of the first person', async () => {
    const { open } = await browser()
    const [one, two] = [await open(), await open()]
    await one.logIn()
    two.heard.length = 0
    await one.logIn('bob@example.com')
    expect(two.heard).toEqual(['nobody', 'logout', bob])
  })

  test('closes what is open for the first person, and the tab says so', async () => {
    const { open } = await browser()
    const [one, two] = [await open(), await open()]
    await one.logIn()
    const signed = outcome(two.kit.signMessage('Hello'))
    await two.person.follow([{ on: 'sign-message' }])
    await one.logIn('bob@example.com')
    expect(await signed).toBe('session_changed')
    await two.person.follow([
      {
        on: 'failure',
        expect: (props) => expect(props).toMatchObject({ title: "You're no longer logged in here" }),
        answer: 'close',
      },
    ])
    expect(two.person.ends).toMatchObject([
      { completed: false, code: 'session_changed' },
      { completed: true },
    ])
  })

  test('funding: the dialog in which the first user receives funds is closed', async () => {
    const { open } = await browser({
      app: {
        funding_config: {
          default_recommended_currency: { chain: 'eip155:8453' },
          default_recommended_amount: '0.02',
          methods: ['external'],
          options: [],
        },
      },
    })
    const [one, two] = [await open(), await open()]
    await one.logIn()
    const funded = outcome(two.kit.fundWallet({ defaultMethod: 'manual' }))
    await two.person.follow([{ on: 'receive-funds' }])
    await one.logIn('bob@example.com')
    expect(await funded).toBe('session_changed')
  })

  test('is not logged out by a login that the first person had not finished', async () => {
    const { open, asked } = await browser({ terms: true })
    const [one, two] = [await open(), await open()]
    const login = outcome(two.kit.login())
    await two.person.follow([
      ['landing', { email: 'ada@example.com' }],
      ['enter-code', { code: '123456' }],
      { on: 'terms' },
    ])
    await one.logIn('bob@example.com')
    expect(await login).toBe('session_changed')
    expect(asked).not.toContain(paths.logout)
  })

  test('is who a login dialog was waiting for, where nobody was logged in', async () => {
    const { open } = await browser()
    const [one, two] = [await open(), await open()]
    const login = two.kit.login()
    await two.person.follow([{ on: 'landing' }])
    await one.logIn('bob@example.com')
    expect((await login).id).toBe(bob)
    expect(two.person.scene).toBeUndefined()
    expect(two.heard).toEqual([bob])
  })
})

describe('a login that has left the page, with the code that knows it again', () => {
  const left = leftLogins.map((name) => sessionKey(appId, name))
  const begin = ({ tabStorage }: { tabStorage: Storage }) => {
    for (const key of left) tabStorage.set(key, 'begun')
  }
  const kept = ({ tabStorage }: { tabStorage: Storage }) =>
    left.filter((key) => tabStorage.get(key) !== undefined).length

  test('is forgotten in every tab of whoever logs out', async () => {
    const { open } = await browser()
    const [one, two] = [await open(), await open()]
    await one.logIn()
    for (const tab of [one, two]) begin(tab)
    await one.kit.logout()
    await settled()
    expect([kept(one), kept(two)]).toEqual([0, 0])
  })

  test('is forgotten where somebody else has logged in meanwhile', async () => {
    const { open } = await browser()
    const [one, two] = [await open(), await open()]
    await one.logIn()
    begin(two)
    await one.logIn('bob@example.com')
    expect([two.kit.user?.id, kept(two)]).toEqual([bob, 0])
  })

  test('is forgotten when the server has ended the session', async () => {
    const { open, clock, endAll } = await browser()
    const one = await open()
    await one.logIn()
    begin(one)
    endAll()
    await clock.advance(3_600_000)
    await one.kit.getAccessToken()
    expect([one.kit.user, kept(one)]).toEqual([null, 0])
  })

  test('stays where nobody was logged in, whatever another tab says', async () => {
    const { open, broadcast } = await browser()
    const one = await open()
    // The session, and with it what hears of logouts.
    await one.kit.email.sendCode({ email: 'ada@example.com' })
    begin(one)
    broadcast('logout')
    await settled()
    expect(kept(one)).toBe(left.length)
  })
})

describe('the same person, in the middle of logging in in two tabs', () => {
  const toCode: Step[] = [
    ['landing', { email: 'bob@example.com' }],
    ['enter-code', { code: '123456' }],
  ]
  const embedded_wallet_config = { create_on_login: 'users-without-wallets' }

  test('is in in both once one of them has accepted the terms', async () => {
    const { open, asked } = await browser({ terms: true })
    const [one, two] = [await open(), await open()]
    const logins = [one, two].map(({ kit }) => outcome(kit.login()))
    for (const { person } of [one, two]) await person.follow([...toCode, { on: 'terms' }])
    await one.person.follow([['terms', 'accept'], { wait: 2_000 }])
    expect(await Promise.all(logins)).toEqual(['done', 'done'])
    expect([one, two].map(({ kit, person }) => [kit.user?.id, person.scene])).toEqual([
      [bob, undefined],
      [bob, undefined],
    ])
    expect(asked).not.toContain(paths.logout)
  })

  test('is in in both, with one wallet, once one of them has made the wallet that the app creates', async () => {
    const { open, wallets, asked, clock } = await browser({ app: { embedded_wallet_config } })
    const vault = fakeVault({
      createWallet() {
        wallets[bob] = [embeddedWallet]
        return { address: walletAddress }
      },
    })
    const silent = fakeVault({ createWallet: () => undefined })
    const [one, two] = [await open(vault), await open(silent)]
    const logins = [two, one].map(({ kit }) => outcome(kit.login()))
    await two.person.follow([...toCode, { on: 'creating-wallet' }])
    await one.person.follow([...toCode, { wait: 1_000 }, ['wallet-created', 'continue']])
    await clock.advance(2_000)
    expect(await Promise.all(logins)).toEqual(['done', 'done'])
    expect([one, two].map(({ kit, person }) => [kit.user?.id, person.scene])).toEqual([
      [bob, undefined],
      [bob, undefined],
    ])
    expect(asked).not.toContain(paths.logout)
  })

  test('is out in both, and told so in the other, once one of them is given up', async () => {
    const { open, clock } = await browser({ terms: true })
    const [one, two] = [await open(), await open()]
    const logins = [one, two].map(({ kit }) => outcome(kit.login()))
    for (const { person } of [one, two]) await person.follow([...toCode, { on: 'terms' }])
    await one.person.follow([['terms', 'decline'], { wait: 2_000 }])
    await two.person.follow([['failure', 'close']])
    await clock.advance(2_000)
    expect(await Promise.all(logins)).toEqual(['terms_not_accepted', 'session_changed'])
    expect([one, two].map(({ kit, person }) => [kit.user, person.scene])).toEqual([
      [null, undefined],
      [null, undefined],
    ])
  })
})

describe('a logout in another tab', () => {
  test('ends an export that is open here', async () => {
    const { open } = await browser()
    const vault = fakeVault({ connectWallet: () => undefined as never })
    const [one, two] = [await open(), await open(vault)]
    await one.logIn()
    const exported = outcome(two.kit.exportWallet())
    await two.person.follow([{ on: 'connecting-wallet' }])
    await one.kit.logout()
    await two.person.follow([['failure', 'close']])
    expect(await exported).toBe('session_changed')
    expect(two.heard.slice(-2)).toEqual(['nobody', 'logout'])
  })

  test('ends a request for a Farcaster signer that is open here', async () => {
    const { open, wallets } = await browser()
    wallets[ada]?.push({
      type: 'farcaster',
      fid: 7,
      owner_address: walletAddress,
      verified_at: 1_700_000_000,
    })
    const vault = fakeVault({ initFarcasterSigner: () => undefined })
    const [one, two] = [await open(), await open(vault)]
    await one.logIn()
    const requested = outcome(two.kit.farcasterSigner.request())
    await two.person.follow([{ on: 'awaiting-farcaster-signer' }])
    await one.kit.logout()
    await two.person.follow([['failure', 'close']])
    expect(await requested).toBe('session_changed')
  })
})

describe('the screen that says that nobody is logged in any more', () => {
  async function shownInTwo() {
    const { open } = await browser()
    const [one, two] = [await open(), await open()]
    await one.logIn()
    const signed = outcome(two.kit.signMessage('Hello'))
    await two.person.follow([{ on: 'sign-message' }])
    await one.kit.logout()
    await two.person.follow([{ on: 'failure' }])
    expect(await signed).toBe('session_changed')
    return { one, two }
  }

  test('goes away by itself when the same person has logged in again in another tab', async () => {
    const { one, two } = await shownInTwo()
    await one.logIn()
    await two.person.follow([{ wait: 1_000 }])
    expect([two.kit.user?.id, two.person.scene]).toEqual([ada, undefined])
    expect(two.person.ends.at(-1)).toEqual({ completed: true })
  })

  test('stays when somebody else has, because the account has changed', async () => {
    const { one, two } = await shownInTwo()
    await one.logIn('bob@example.com')
    await two.person.follow([{ wait: 1_000 }, { on: 'failure' }])
    expect(two.kit.user?.id).toBe(bob)
  })
})

describe('a login dialog that a login in another tab overtakes', () => {
  test('ends as completed, because the user is logged in', async () => {
    const { open, clock } = await browser()
    const [one, two] = [await open(), await open()]
    const login = outcome(two.kit.login())
    await two.person.follow([{ on: 'landing' }])
    await one.logIn()
    await clock.advance(2_000)
    expect(await login).toBe('done')
    expect(two.person.ends).toEqual([{ completed: true }])
  })
})

describe('what one tab changes about the person', () => {
  test('is known in the others: a new wallet opens in their providers', async () => {
    const { open, wallets, clock } = await browser()
    const vault = fakeVault({
      addWallet() {
        wallets[ada]?.push(second)
        return { address: secondAddress }
      },
    })
    const [one, two] = [await open(vault), await open()]
    await one.logIn()
    const listed: string[][] = []
    two.kit.embeddedWallets.subscribe(() =>
      listed.push(two.kit.embeddedWallets.get().map(({ address }) => address)),
    )
    outcome(one.kit.createWallet({ createAdditional: true }))
    await clock.advance(1_000)
    expect(listed).toEqual([[walletAddress, secondAddress]])
    const provider = two.kit.embeddedWallets.get()[1]?.getProvider() as EthereumProvider
    expect(await provider.request({ method: 'eth_accounts' })).toEqual([secondAddress])
  })

  test('is asked of the server once by each of them, and told no further', async () => {
    const { open, wallets, asked, clock } = await browser()
    const vault = fakeVault({ addWallet: () => ({ address: secondAddress }) })
    const [one, ...others] = [await open(vault), await open(), await open(), await open()]
    await one.logIn()
    wallets[ada]?.push(second)
    asked.length = 0
    outcome(one.kit.createWallet({ createAdditional: true }))
    await clock.advance(1_000)
    expect([one, ...others].map(({ kit }) => kit.user?.linkedAccounts.length)).toEqual([3, 3, 3, 3])
    expect(asked.filter((path) => path === paths.me)).toHaveLength(4)
  })
})

describe('a recovery method that another device has changed', () => {
  test('is the one by which this device recovers the wallet, without a reload', async () => {
    const { open, wallets } = await browser()
    const one = await open(fakeVault({ connectWallet: notHere, walletRpc: notHere }))
    await one.logIn()
    wallets[ada] = [{ ...embeddedWallet, recovery_method: 'user-passcode' }]
    outcome(one.kit.exportWallet())
    await one.person.follow([{ on: 'password-recovery', close: true }])
  })

  test('is what the screens offer to update', async () => {
    const { open, wallets } = await browser()
    const one = await open(fakeVault({ connectWallet: () => ({ entropyId: walletAddress }) }))
    await one.logIn()
    wallets[ada] = [{ ...embeddedWallet, recovery_method: 'user-passcode' }]
    outcome(one.kit.setWalletPassword())
    await one.person.follow([
      { on: 'set-password', expect: (props) => expect(props).toMatchObject({ reset: true }), close: true },
    ])
  })
})

test('a tab whose start the network has prevented starts when it comes back', async () => {
  const [clock, tab] = [testClock(), browserTabs().open()]
  let isGone = true
  const set = await kitWithPerson({
    clock,
    tabs: tab,
    intercept: (call) => (isGone && call.path === paths.config ? 'dropped' : undefined),
  })
  await clock.advance(10_000)
  expect(set.kit.ready).toBe(false)
  isGone = false
  tab.comesBack()
  await settled()
  expect(set.kit.ready).toBe(true)
})
