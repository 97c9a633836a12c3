import { isAddressEqual, verifyMessage } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Relay } from '../../../../../demo/world/relay/relay.ts'
import type { KitError } from '../../../../../src/errors/kit-error.ts'
import { systemClock } from '../../../../../src/lib/clock.ts'
import { memoryStorage } from '../../../../../src/lib/storage.ts'
import type {
  Connector,
  EthereumProvider,
  WalletMeta,
} from '../../../../../src/wallets/external/connector.ts'
import { createWalletConnectConnector } from '../../../../../src/wallets/external/wallet-connect/connector.ts'
import { limit } from '../../../../support/limit.ts'
import { type Phone, type PhoneSettings, startPhone } from '../../../../support/phone.ts'
import { blockedNetwork, connectorContext, localRelay, type RigSettings } from '../rig.ts'

let relay: Relay
let outside: string[]
const open: { close(): unknown }[] = []
const unhandled: unknown[] = []
const noteUnhandled = (cause: unknown) => unhandled.push(cause)

beforeAll(async () => {
  process.on('unhandledRejection', noteUnhandled)
  relay = await localRelay()
})
beforeEach(() => {
  outside = blockedNetwork()
})
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
  relay.control.up()
  expect(outside).toEqual([])
})
afterAll(async () => {
  process.off('unhandledRejection', noteUnhandled)
  await relay.close()
  expect(unhandled).toEqual([])
})

async function phoneWith(settings: Partial<PhoneSettings> = {}): Promise<Phone> {
  const phone = await startPhone({ relayUrl: relay.url, ...settings })
  open.push(phone)
  return phone
}
function page(settings: Partial<RigSettings> = {}, meta?: WalletMeta) {
  const cx = connectorContext({ relayUrl: relay.url, ...settings })
  const connector = createWalletConnectConnector(cx, { meta })
  open.push(connector)
  return { cx, connector }
}
/** Connects as a person does who scans the code. */
const connect = (connector: Connector, phone: Phone, more: object = {}) =>
  connector.connect({ onUri: (uri) => void phone.pair(uri), ...more })
const refused = (work: Promise<unknown>) =>
  work.then(
    () => 'accepted',
    (cause: KitError) => cause.code,
  )
const changed = (connector: Connector, until: () => boolean) =>
  new Promise<void>((resolve) => {
    const look = () => void (until() && resolve())
    connector.accounts.subscribe(look)
    look()
  })

describe('a wallet elsewhere', () => {
  it('is found by a code, opens its accounts, signs, and says who it is', async () => {
    const phone = await phoneWith({ chains: [1, 8453] })
    const { connector } = page()
    const uris: string[] = []
    const accounts = await connect(connector, phone, {
      onUri(uri: string) {
        uris.push(uri)
        phone.pair(uri)
      },
    })
    expect(uris).toHaveLength(1)
    expect(uris[0]).toMatch(/^wc:[0-9a-f]{64}@2\?/)
    expect(accounts).toEqual([{ address: phone.account.address, chainId: 'eip155:1' }])
    expect(connector.meta).toEqual({ id: 'rainbow', name: 'Rainbow', icon: undefined })

    const message = 'Sign in, please: é 🙂'
    const signature = await connector.sign({ address: phone.account.address, message })
    const signed = { address: phone.account.address, message, signature: signature as `0x${string}` }
    expect(await verifyMessage(signed)).toBe(true)
    expect(phone.asked).toEqual([{ method: 'personal_sign', chainId: 'eip155:1' }])
  })

  it('begins on the chain that is wanted, and goes to another that it has opened without being asked', async () => {
    const phone = await phoneWith({ chains: [1, 8453] })
    const { connector } = page()
    const [account] = await connect(connector, phone, { chainId: 8453 })
    expect(account?.chainId).toBe('eip155:8453')
    await connector.switchChain(1)
    expect(connector.accounts.get()[0]?.chainId).toBe('eip155:1')
    expect(phone.asked).toEqual([])
  })

  it('is refused a chain that the app does not have, and one that the wallet never opens', async () => {
    const phone = await phoneWith()
    phone.namespaces = { eip155: { ...phone.opens(1).eip155, methods: ['personal_sign'] } as never }
    const { connector } = page()
    await connect(connector, phone)
    expect(await refused(connector.switchChain(5))).toBe('unsupported_chain_id')
    expect(await refused(connector.switchChain(8453))).toBe('unsupported_chain_id')
    expect(connector.accounts.get()[0]?.chainId).toBe('eip155:1')
  })

  it('tells of another account and another chain', async () => {
    const phone = await phoneWith({ chains: [1, 8453] })
    const { other } = phone
    const both = phone.opens(1, 8453)
    both.eip155?.accounts.push(`eip155:1:${other.address}`)
    phone.namespaces = both
    const { connector } = page()
    await connect(connector, phone)
    const emit = (name: string, data: unknown, chainId = 'eip155:1') =>
      phone.kit.emitSessionEvent({ topic: phone.topic(), event: { name, data }, chainId })
    await emit('accountsChanged', [`eip155:1:${other.address}`])
    await changed(connector, () => connector.accounts.get()[0]?.address === other.address)
    await emit('chainChanged', 8453, 'eip155:8453')
    await changed(connector, () => connector.accounts.get()[0]?.chainId === 'eip155:8453')
    expect(connector.accounts.get()).toHaveLength(1)
  })

  it('says no: the error says so, and the next try works', async () => {
    const phone = await phoneWith()
    phone.namespaces = undefined
    const { connector } = page()
    expect(await refused(connect(connector, phone))).toBe('wallet_rejected')
    expect(connector.accounts.get()).toEqual([])
    phone.namespaces = phone.opens(1)
    const [account] = await connect(connector, phone)
    phone.answer = 'reject'
    expect(await refused(connector.sign({ address: account?.address ?? '', message: 'x' }))).toBe(
      'wallet_rejected',
    )
  })

  it('can be left from here', async () => {
    const phone = await phoneWith()
    const { connector, cx } = page()
    await connect(connector, phone)
    const left = new Promise((resolve) => phone.kit.on('session_delete', resolve))
    await connector.disconnect()
    await left
    expect(connector.accounts.get()).toEqual([])
    expect(connector.meta.id).toBe('wallet_connect')
    const again = createWalletConnectConnector(cx)
    open.push(again)
    await again.initialise()
    expect(again.accounts.get()).toEqual([])
  })

  it('can be left from there', async () => {
    const phone = await phoneWith()
    const { connector } = page()
    const [account] = await connect(connector, phone)
    const provider = connector.provider(account?.address ?? '') as EthereumProvider
    const told = new Promise((resolve) => provider.on('disconnect', resolve as never))
    await phone.kit.disconnectSession({ topic: phone.topic(), reason: { code: 6000, message: 'Bye' } })
    expect(await told).toMatchObject({ code: 4900 })
    expect(connector.accounts.get()).toEqual([])
    expect(await refused(provider.request({ method: 'eth_accounts' }))).toBe(4900)
  })

  it('is still there on the next page, under the name that it went by', async () => {
    const phone = await phoneWith({ chains: [1, 8453] })
    const storage = memoryStorage()
    const first = page({ storage })
    const [before] = await connect(first.connector, phone)
    await first.connector.switchChain(8453)
    first.connector.close()
    const cx = { ...first.cx }
    const next = createWalletConnectConnector(cx, {
      meta: { id: 'rainbow', name: 'Rainbow', icon: undefined },
    })
    open.push(next)
    await next.initialise()
    expect(next.accounts.get()).toEqual([{ address: before?.address, chainId: 'eip155:8453' }])
    await next.sign({ address: before?.address ?? '', message: 'again' })
    const another = createWalletConnectConnector(cx, {
      meta: { id: 'metamask', name: 'MetaMask', icon: undefined },
    })
    open.push(another)
    await another.initialise()
    expect(another.accounts.get()).toEqual([])
  })

  it('is still there on the next page when it opened its accounts by chain', async () => {
    const phone = await phoneWith()
    const accounts = [`eip155:1:${phone.account.address}`]
    phone.namespaces = { 'eip155:1': { accounts, methods: ['personal_sign'], events: ['accountsChanged'] } }
    const first = page({ storage: memoryStorage() })
    const before = await connect(first.connector, phone)
    first.connector.close()
    const next = createWalletConnectConnector(
      { ...first.cx },
      { meta: { id: 'rainbow', name: 'Rainbow', icon: undefined } },
    )
    open.push(next)
    await next.initialise()
    expect(next.accounts.get()).toEqual(before)
    await next.sign({ address: phone.account.address, message: 'again' })
  })

  /** The next page of a user with a session of seven days, where server and device have these clocks. */
  async function nextPage(days: { server: number; device: number }) {
    const phone = await phoneWith()
    const first = page({ storage: memoryStorage() })
    const before = await connect(first.connector, phone)
    first.connector.close()
    const ahead = (count: number) => () => Date.now() + count * 86_400_000
    const cx = {
      ...first.cx,
      clock: { ...first.cx.clock, now: ahead(days.device) },
      serverNow: ahead(days.server),
    }
    const next = createWalletConnectConnector(cx, {
      meta: { id: 'rainbow', name: 'Rainbow', icon: undefined },
    })
    open.push(next)
    await next.initialise()
    return { before, accounts: next.accounts.get() }
  }

  it.each([0, -30, 8])('is gone once its session has run out, on a device %i days ahead', async (device) => {
    expect((await nextPage({ server: 8, device })).accounts).toEqual([])
  })

  it.each([-1, 0.3, 8, 365])('is still there on a device whose clock is %d days ahead', async (device) => {
    const { before, accounts } = await nextPage({ server: 0, device })
    expect(accounts).toEqual(before)
  })

  it('opens its app with each request on a phone, and nothing elsewhere or inside another app', async () => {
    const key = 'WALLETCONNECT_DEEPLINK_CHOICE'
    const phone = await phoneWith({ redirect: 'javascript:alert(1)' })
    const mobile = page({ userAgent: 'iPhone' })
    await connect(mobile.connector, phone)
    expect(JSON.parse(mobile.cx.storage.get(key) ?? '')).toEqual({ href: 'rainbow://', name: 'Rainbow' })
    await mobile.connector.disconnect()
    expect(mobile.cx.storage.get(key)).toBeUndefined()
    // Inside another app only a press may leave it.
    for (const userAgent of [
      'X11; Linux',
      'iPhone Instagram 300.0',
      'Linux; Android 15; Pixel; wv) Mobile',
    ]) {
      const other = page({ userAgent })
      await connect(other.connector, await phoneWith())
      expect(other.cx.storage.get(key)).toBeUndefined()
    }
  })
})

describe('a wallet elsewhere, when it goes wrong', () => {
  it('never answers a request: the time of its type ends the wait', async () => {
    const phone = await phoneWith()
    const { connector } = page({ host: { rpcConfig: { rpcTimeouts: { rainbow: 400 } } } })
    const [account] = await connect(connector, phone)
    phone.answer = 'silence'
    expect(await refused(connector.sign({ address: account?.address ?? '', message: 'x' }))).toBe(
      'wallet_timeout',
    )
  })

  it('never comes: the time ends the wait, and the code is taken back', async () => {
    const { connector } = page({ host: { rpcConfig: { rpcTimeouts: { wallet_connect: 500 } } } })
    let uri = ''
    const onUri = (told: string) => {
      uri = told
    }
    expect(await refused(connector.connect({ onUri }))).toBe('wallet_timeout')
    const phone = await phoneWith()
    await phone.pair(uri).catch(() => {})
    // What the phone says to another page comes after all that it has said to this one.
    await connect(page().connector, phone)
    expect(connector.accounts.get()).toEqual([])
  })

  it('is given up by the person: what it opens afterwards is closed again', async () => {
    const phone = await phoneWith()
    const { connector } = page()
    const leaving = new AbortController()
    const reason = new Error('closed')
    const work = connector.connect({
      signal: leaving.signal,
      onUri(uri) {
        phone.pair(uri).catch(() => {})
        leaving.abort(reason)
      },
    })
    await expect(work).rejects.toBe(reason)
    await expect
      .poll(() => Object.keys(phone.kit.getActiveSessions()), { timeout: limit(5_000) })
      .toHaveLength(1)
    await expect.poll(() => Object.keys(phone.kit.getActiveSessions()), { timeout: limit(5_000) }).toEqual([])
    expect(connector.accounts.get()).toEqual([])
    expect(Object.keys(phone.kit.getActiveSessions())).toEqual([])
  })

  it(
    'has no relay: the error says that the network is to blame, and later it works',
    async () => {
      relay.control.down()
      // Ten times as fast: the relay has two seconds.
      const sleep = (ms: number, signal?: AbortSignal) => systemClock.sleep(ms / 10, signal)
      const { connector } = page({ clock: { ...systemClock, sleep } })
      expect(await refused(connector.connect())).toBe('network_unavailable')
      relay.control.up()
      const phoneAtLast = await phoneWith()
      await expect
        .poll(() => refused(connect(connector, phoneAtLast)), { timeout: limit(15_000), interval: 2_500 })
        .toBe('accepted')
    },
    limit(40_000),
  )

  it(
    'loses the relay for a moment: the session continues',
    async () => {
      const phone = await phoneWith()
      const { connector } = page()
      const [account] = await connect(connector, phone)
      relay.control.drop(0)
      relay.control.drop(0)
      await connector.sign({ address: account?.address ?? '', message: 'after all' })
    },
    limit(60_000),
  )

  it('starts from scratch when the storage holds invalid data', async () => {
    const storage = memoryStorage()
    const { cx, connector } = page({ storage })
    const place = `lk:${cx.appId}:wc`
    const key = `wc@2:core:0.3:lk-${cx.appId}//keychain`
    storage.set(place, JSON.stringify([key]))
    storage.set(`${place}:${key}`, '"rubbish"')
    storage.set(`lk:${cx.appId}:wallet-connect`, '[null,{"topic":7}]')
    const [account] = await connect(connector, await phoneWith())
    expect(account?.chainId).toBe('eip155:1')
  })

  it('is not set up for the app: it says so at once', async () => {
    const { connector } = page({ host: { externalWallets: { walletConnect: { enabled: false } } } })
    expect(await refused(connector.connect())).toBe('wallet_not_available')
  })
})

describe('a hostile wallet elsewhere', () => {
  const evil = '0x000000000000000000000000000000000000dEaD'
  const methods = ['personal_sign', 'eth_sendTransaction']
  const only = (accounts: string[], names = methods, key = 'eip155') => ({
    [key]: { accounts, methods: names, events: ['accountsChanged'] },
  })
  const mine = (phone: Phone) => `eip155:1:${phone.account.address}`

  it.each([
    ['another chain', () => only([`eip155:5:${evil}`])],
    ['no account', () => only([])],
    ['an address that is none', () => only(['eip155:1:0x1234'])],
    [
      'another namespace',
      () => ({
        solana: { accounts: [`solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:${evil}`], methods, events: [] },
      }),
    ],
    ['no signing', (phone: Phone) => only([mine(phone)], ['eth_sendTransaction'])],
    ['a chain that its namespace is not', (phone: Phone) => only([mine(phone)], methods, 'eip155:8453')],
  ])('opens %s: refused, and its session is ended', async (_, namespaces) => {
    const phone = await phoneWith()
    phone.namespaces = namespaces(phone)
    // What the library itself does not let a wallet say is never answered.
    const { connector } = page({ host: { rpcConfig: { rpcTimeouts: { wallet_connect: 1_500 } } } })
    expect(await refused(connect(connector, phone))).toMatch(/generic_connect_wallet_error|wallet_timeout/)
    expect(connector.accounts.get()).toEqual([])
  })

  it('gives itself a name of half a megabyte: refused', async () => {
    const phone = await phoneWith({ name: 'x'.repeat(500_000), url: 'https://evil.example' })
    const { connector, cx } = page()
    expect(await refused(connect(connector, phone))).toBe('generic_connect_wallet_error')
    expect(cx.storage.get(`lk:${cx.appId}:wallet-connect`) ?? '').not.toContain('x'.repeat(100))
  })

  it('opens more than was asked for: the rest does not count', async () => {
    const phone = await phoneWith()
    phone.namespaces = only([mine(phone), `eip155:5:${evil}`], [...methods, 'eth_sign'])
    const { connector } = page()
    expect(await connect(connector, phone)).toEqual([{ address: phone.account.address, chainId: 'eip155:1' }])
    const provider = connector.provider(phone.account.address) as EthereumProvider
    expect(await refused(provider.request({ method: 'eth_sign', params: [evil, '0x'] }))).toBe(4200)
    expect(phone.asked).toEqual([])
  })

  it('signs with another key: refused', async () => {
    const phone = await phoneWith()
    const { connector } = page()
    const [account] = await connect(connector, phone)
    phone.answer = 'another key'
    const verdict = await refused(connector.sign({ address: account?.address ?? '', message: 'x' }))
    // Without a node nobody can tell whether the account is a contract that would say yes.
    expect(verdict).toMatch(/network_unavailable|generic_connect_wallet_error/)
  })

  it('says that it has moved to an account or a chain that it never opened: nobody believes it', async () => {
    const phone = await phoneWith()
    const { connector } = page()
    const [account] = await connect(connector, phone)
    const emit = (name: string, data: unknown) =>
      phone.kit.emitSessionEvent({ topic: phone.topic(), event: { name, data }, chainId: 'eip155:1' })
    await emit('accountsChanged', [`eip155:1:${evil}`])
    await emit('chainChanged', 8453)
    await emit('chainChanged', { toString: 'x' })
    // What it says of itself is heard before its answer to what it is asked now.
    await connector.sign({ address: account?.address ?? '', message: 'heard so far' })
    expect(connector.accounts.get()).toEqual([account])
    expect(isAddressEqual((account?.address ?? '0x') as `0x${string}`, phone.account.address)).toBe(true)
  })

  it('calls itself by a name that would turn the text around: only letters are left', async () => {
    const phone = await phoneWith({ name: '\u202EksaMateM\u0000 <b>', url: 'javascript:alert(1)' })
    const { connector } = page()
    await connect(connector, phone)
    expect(connector.meta).toEqual({ id: 'wallet_connect', name: 'ksaMateM <b>', icon: undefined })
  })
})
