import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { anvilKeys, demoSeeds } from '../../../../demo/world/wallet/accounts.ts'
import { createEthereumWallet } from '../../../../demo/world/wallet/ethereum.ts'
import { createSolanaWallet } from '../../../../demo/world/wallet/solana.ts'
import { createDiscovery } from '../../../../src/wallets/external/discovery.ts'
import { readLegacy } from '../../../../src/wallets/external/ethereum/injected.ts'
import { settled } from '../../../support/clock.ts'
import { connectorContext } from '../../../support/connectors.ts'
import { failure } from '../../../support/failure.ts'
import { testPage } from '../../../support/page.ts'

/** One window for all tests, as in a page: the libraries that find wallets hold on to the first that they have seen. */
const page = new EventTarget() as EventTarget & { ethereum?: unknown }
Reflect.set(globalThis, 'window', page)
const stops: (() => void)[] = []
const announce = (wallet: { announce(target: EventTarget, how?: object): () => void }, how?: object) =>
  void stops.push(wallet.announce(page, how))
const detail = (detail: unknown) =>
  page.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))

beforeEach(() => Reflect.deleteProperty(page, 'ethereum'))
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

const ethereum = (over: object = {}) =>
  createEthereumWallet({
    privateKey: anvilKeys[0],
    chains: { 1: 'http://127.0.0.1:1' },
    name: 'MetaMask',
    rdns: 'io.metamask',
    ...over,
  })
const solana = (name = 'Phantom') => createSolanaWallet({ secretKey: demoSeeds[0], name })

async function look() {
  const { cx, clock } = connectorContext({}, { page: testPage({ window: page as unknown as Window }) })
  const discovery = createDiscovery(cx)
  onTestFinished(() => discovery.close())
  const begun = discovery.begin()
  await settled()
  const names = () =>
    discovery.found
      .get()
      .map(({ meta, chainType }) => `${meta.id} ${chainType === 'solana' ? 'solana' : ''}`.trim())
  return { discovery, clock, begun, names }
}

test('finds what was there before, on both chains', async () => {
  announce(ethereum())
  announce(ethereum({ name: 'Rabby Wallet', rdns: 'io.rabby' }))
  announce(solana())
  const { names, discovery, begun } = await look()
  await begun
  expect(names()).toEqual(['metamask', 'rabby_wallet', 'phantom solana'])
  expect(discovery.found.get()[0]).toMatchObject({ rdns: 'io.metamask', chainType: 'ethereum' })
  expect(discovery.found.get()[0]?.meta.icon).toMatch(/^data:image\//)
})

test('waits half a second where there is nothing, and still finds latecomers', async () => {
  const { names, clock, begun, discovery } = await look()
  let over = false
  void begun.then(() => {
    over = true
  })
  await clock.advance(499)
  expect(over).toBe(false)
  await clock.advance(1)
  expect(over).toBe(true)
  let heard = 0
  discovery.found.subscribe(() => heard++)
  await clock.advance(9_000)
  announce(ethereum())
  announce(solana())
  expect(names()).toEqual(['metamask', 'phantom solana'])
  expect(heard).toBe(2)
  expect(clock.sleeping).toBe(0)
})

test('a wallet that is announced again and again stays one, with one connector', async () => {
  const wallet = ethereum()
  announce(wallet, { times: 5 })
  const { names, discovery, clock } = await look()
  const [found] = discovery.found.get()
  const connector = await found?.connector()
  await clock.advance(5_000)
  detail({ info: { ...wallet.info, uuid: 'another' }, provider: wallet.provider })
  detail({ info: { ...wallet.info, name: 'Other name' }, provider: ethereum().provider })
  expect(names()).toEqual(['metamask'])
  expect(discovery.found.get()[0]).toBe(found)
  expect(await found?.connector()).toBe(connector)
})

describe('at window.ethereum', () => {
  test.each([
    [{ isMetaMask: true }, 'metamask'],
    [{ isMetaMask: true, isRabby: true }, 'rabby_wallet'],
    [{ isMetaMask: true, isBraveWallet: true }, 'brave_wallet'],
    [{ isCoinbaseWallet: true }, 'coinbase_wallet'],
    [{ isPhantom: true, isMetaMask: true }, 'phantom'],
    [{ isMetaMask: 'yes' }, 'unknown'],
    [{}, 'unknown'],
  ])('a wallet with %j is %s', async (flags, id) => {
    announce(ethereum({ flags }), { legacy: 'only' })
    expect((await look()).names()).toEqual([id])
  })

  test('one that comes late is found within five seconds', async () => {
    const { names, clock } = await look()
    await clock.advance(4_400)
    page.ethereum = ethereum({ flags: { isMetaMask: true } }).provider
    await clock.advance(600)
    expect(names()).toEqual(['metamask'])
  })

  test('one that has announced itself is not listed twice', async () => {
    announce(ethereum({ flags: { isMetaMask: true } }), { legacy: true })
    expect((await look()).names()).toEqual(['metamask'])
  })

  test('one without a name is taken for one that has announced itself', async () => {
    announce(ethereum())
    page.ethereum = new Proxy(ethereum().provider, {})
    expect((await look()).names()).toEqual(['metamask'])
  })

  test('several may share the place', async () => {
    const providers = [{ isMetaMask: true }, { isCoinbaseWallet: true }, { isMetaMask: true }].map(
      (flags) => ethereum({ flags }).provider,
    )
    page.ethereum = { request: () => {}, providers }
    expect((await look()).names()).toEqual(['metamask', 'coinbase_wallet'])
  })

  test.each([
    ['text', 'x'],
    ['null', null],
    ['no provider', {}],
    ['a request that is none', { request: 'x' }],
    ['a list that is none', { request: 7, providers: { length: 3 } }],
  ])('%s is nothing', (_, ethereum) => {
    expect(readLegacy({ ethereum })).toEqual([])
  })

  test('a place that throws is nothing', () => {
    const throws = {
      get ethereum() {
        throw new Error('blocked')
      },
    }
    expect(readLegacy(throws)).toEqual([])
  })
})

describe('a hostile page', () => {
  const provider = { request: async () => {} }
  const thrower = new Proxy(
    {},
    {
      get: () => {
        throw new Error('no')
      },
      getOwnPropertyDescriptor: () => {
        throw new Error('no')
      },
    },
  )
  test.each([
    ['nothing', undefined],
    ['null', null],
    ['text', 'MetaMask'],
    ['no info', { provider }],
    ['no provider', { info: { uuid: '1', name: 'X', rdns: 'a.b', icon: '' } }],
    ['no name', { info: { uuid: '1', rdns: 'a.b' }, provider }],
    ['a name that is none', { info: { uuid: '1', name: { toString: (): string => 'X' } }, provider }],
    ['an invisible name', { info: { uuid: '1', name: '\u200b\u202e' }, provider }],
    ['a provider without request', { info: { uuid: '1', name: 'X' }, provider: {} }],
    ['info that throws', { info: thrower, provider }],
    ['a provider that throws', { info: { uuid: '1', name: 'X' }, provider: thrower }],
    ['all that throws', thrower],
  ])('that announces %s hides nobody and shows nothing', async (_, given) => {
    const { names } = await look()
    detail(given)
    announce(ethereum())
    expect(names()).toEqual(['metamask'])
  })

  test('with a wallet that answers for every field, even for that of a promise: it can still be asked', async () => {
    const { provider } = ethereum()
    const every = new Proxy(provider, {
      get: (wallet, name) => (name in wallet ? Reflect.get(wallet, name) : () => {}),
    })
    Reflect.set(page, 'ethereum', every)
    const { discovery, begun } = await look()
    await begun
    const connector = await discovery.found.get()[0]?.connector()
    expect(await connector?.connect()).toHaveLength(1)
  })

  test('gives names and icons that are shown as such, or not at all', async () => {
    const { discovery } = await look()
    const info = (name: string, icon: string) => ({
      info: { uuid: name, name, icon },
      provider: { ...provider },
    })
    detail(info('<b>Meta</b>\u202eMask', 'javascript:alert(1)'))
    detail(info('x'.repeat(1_000_000), 'https://evil.example/pixel.png'))
    detail(info('privy', `data:image/png;base64,${'A'.repeat(100_000)}`))
    detail(info('__proto__', 'data:text/html,x'))
    const metas = discovery.found.get().map(({ meta }) => meta)
    expect(metas.map(({ name }) => name)).toEqual(['<b>Meta</b>Mask', 'x'.repeat(40), 'privy', '__proto__'])
    expect(metas.map(({ id }) => id)).toEqual(['<b>meta</b>mask', 'x'.repeat(40), 'unknown', 'unknown'])
    expect(metas.every(({ icon }) => icon === undefined)).toBe(true)
  })

  test('with a wallet that takes another one’s name: the one of the registry comes first', async () => {
    announce(ethereum({ rdns: 'io.metamask.evil' }))
    announce(ethereum())
    const { discovery } = await look()
    expect(discovery.found.get().map(({ rdns }) => rdns)).toEqual(['io.metamask', 'io.metamask.evil'])
  })

  test('that announces a thousand wallets has a hundred', async () => {
    const { discovery } = await look()
    for (let at = 0; at < 1_000; at++)
      detail({ info: { uuid: String(at), name: `W${at}`, rdns: `w.n${at}` }, provider: { ...provider } })
    expect(discovery.found.get()).toHaveLength(100)
  })

  test('registers what is no Solana wallet, and that is not shown', async () => {
    const register = (wallet: unknown) => {
      const callback = (api: { register(wallet: unknown): () => void }) =>
        void stops.push(api.register(wallet))
      page.dispatchEvent(Object.assign(new Event('wallet-standard:register-wallet'), { detail: callback }))
    }
    const { names } = await look()
    const connect = { connect: async () => ({ accounts: [] }) }
    for (const junk of [
      ...[undefined, null, 7, {}, thrower, { name: 'A', chains: ['solana:mainnet'], features: {} }],
      { name: 'B', chains: ['sui:mainnet'], features: { 'standard:connect': connect } },
      { name: '', chains: ['solana:mainnet'], features: { 'standard:connect': connect } },
      { name: 'C', chains: 'solana:mainnet', features: { 'standard:connect': connect } },
    ])
      register(junk)
    expect(names()).toEqual([])
    announce(solana('Solflare'))
    announce(solana('Solflare'))
    expect(names()).toEqual(['solflare solana'])
  })
})

test('a Solana wallet that leaves the page is no longer found, and its connection is over', async () => {
  const wallet = solana()
  announce(wallet)
  const { discovery, names } = await look()
  const connector = await discovery.found.get()[0]?.connector()
  await connector?.connect()
  expect(connector?.accounts.get()).toHaveLength(1)
  wallet.control.disappear()
  expect(names()).toEqual([])
  expect(connector?.accounts.get()).toEqual([])
  expect((await failure(connector?.connect() ?? Promise.resolve())).code).toBe('wallet_not_available')
})

test('closing ends the search, and no listener stays with a wallet', async () => {
  const wallet = ethereum()
  announce(wallet)
  const { discovery, clock, names } = await look()
  await (await discovery.found.get()[0]?.connector())?.connect()
  discovery.close()
  await settled()
  announce(ethereum({ name: 'Late', rdns: 'late.wallet' }))
  expect(names()).toEqual(['metamask'])
  expect(clock.sleeping).toBe(0)
  expect(wallet.control.listeners()).toBe(0)
})
