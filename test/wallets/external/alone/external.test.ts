import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { anvilKeys, demoSeeds } from '../../../../demo/world/wallet/accounts.ts'
import { createEthereumWallet } from '../../../../demo/world/wallet/ethereum.ts'
import { createSolanaWallet } from '../../../../demo/world/wallet/solana.ts'
import type { HostConfig } from '../../../../src/app/config.ts'
import type { Clock } from '../../../../src/lib/clock.ts'
import { memoryStorage, type Storage } from '../../../../src/lib/storage.ts'
import { createStore } from '../../../../src/lib/store.ts'
import type {
  Connector,
  ExternalWallets,
  OpenAccount,
  WalletOffer,
} from '../../../../src/wallets/external/connector.ts'
import { createExternalWallets, type ExternalParts } from '../../../../src/wallets/external/external.ts'
import { settled, type TestClock, testClock } from '../../../support/clock.ts'
import { appId, connectorContext } from '../../../support/connectors.ts'
import { failure } from '../../../support/failure.ts'
import { testPage } from '../../../support/page.ts'
import { browserTabs } from '../../../support/tabs.ts'

const page = new EventTarget()
Reflect.set(globalThis, 'window', page)
const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

const first = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const second = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const key = `lk:${appId}:connections`
const both = { chains: ['ethereum', 'solana'] } as const

const metamask = (over: object = {}) =>
  createEthereumWallet({
    privateKey: anvilKeys[0],
    chains: { 1: 'http://127.0.0.1:1', 8453: 'http://127.0.0.1:1' },
    name: 'MetaMask',
    rdns: 'io.metamask',
    ...over,
  })
const rabby = () => metamask({ privateKey: anvilKeys[1], name: 'Rabby Wallet', rdns: 'io.rabby' })
const phantom = () => createSolanaWallet({ secretKey: demoSeeds[0], name: 'Phantom' })
const announce = <T extends { announce(target: EventTarget): () => void }>(wallet: T): T => {
  stops.push(wallet.announce(page))
  return wallet
}

let storage: Storage
let clock: TestClock
let tabs: ReturnType<typeof browserTabs>
beforeEach(() => {
  tabs = browserTabs()
  storage = memoryStorage()
  clock = testClock()
})

/** What a page loads; another call is the next page, with what the last one left. */
function open(host: HostConfig = {}, parts: ExternalParts = {}): ExternalWallets {
  const over = {
    storage,
    clock: clock as Clock,
    tabs: tabs.open(),
    page: testPage({ window: page as Window }),
  }
  const external = createExternalWallets(connectorContext(host, over).cx, parts)
  onTestFinished(() => external.close())
  return external
}
const offerOf = async (external: ExternalWallets, id: string): Promise<WalletOffer> => {
  const offer = (await external.offers(both)).find((each) => each.id === id)
  if (!offer) throw new Error(`There is no offer ${id}`)
  return offer
}
const connect = async (external: ExternalWallets, id: string) => external.connect(await offerOf(external, id))
const shown = (external: ExternalWallets) =>
  external.connected
    .get()
    .map(({ walletClientType, address }) => `${walletClientType} ${address.slice(0, 6)}`)

test('offers what is here, and connects it', async () => {
  announce(metamask())
  announce(phantom())
  const external = open()
  expect((await external.offers(both)).map(({ id, reach }) => `${id} ${reach}`).slice(0, 2)).toEqual([
    'phantom:solana here',
    'metamask here',
  ])
  const account = await connect(external, 'metamask')
  expect(account).toMatchObject({
    address: first,
    chainId: 'eip155:1',
    chainType: 'ethereum',
    connectorType: 'injected',
    walletClientType: 'metamask',
    connectedAt: clock.now(),
  })
  expect(external.connected.get()).toEqual([account])
  expect(await connect(external, 'phantom:solana')).toMatchObject({
    chainType: 'solana',
    connectorType: 'solana_adapter',
    walletClientType: 'phantom',
  })
})

test('the most recent one is first, until somebody activates another', async () => {
  announce(metamask())
  announce(rabby())
  const external = open()
  const one = await connect(external, 'metamask')
  await clock.advance(1_000)
  await connect(external, 'rabby_wallet')
  expect(shown(external)).toEqual(['rabby_wallet 0x7099', 'metamask 0xf39F'])
  external.activate(one)
  expect(shown(external)).toEqual(['metamask 0xf39F', 'rabby_wallet 0x7099'])
  await clock.advance(1_000)
  await connect(external, 'rabby_wallet')
  expect(shown(external)).toEqual(['metamask 0xf39F', 'rabby_wallet 0x7099'])
})

test('connecting again makes no second entry, and keeps the connector', async () => {
  announce(metamask())
  const external = open()
  const one = await connect(external, 'metamask')
  await clock.advance(5_000)
  const again = await connect(external, 'metamask')
  expect(again.connector).toBe(one.connector)
  expect(again.connectedAt).toBe(one.connectedAt + 5_000)
  expect(external.connected.get()).toEqual([again])
})

test('an account that nothing has changed stays the same object', async () => {
  announce(metamask())
  announce(rabby())
  const external = open()
  const one = await connect(external, 'metamask')
  await connect(external, 'rabby_wallet')
  expect(external.connected.get()).toContain(one)
})

test('follows accounts, chains and the end of a connection', async () => {
  const wallet = announce(metamask({ privateKey: [anvilKeys[0], anvilKeys[1]] }))
  const external = open()
  await connect(external, 'metamask')
  expect(shown(external)).toEqual(['metamask 0xf39F', 'metamask 0x7099'])
  await clock.advance(1_000)
  wallet.control.pickAccount(anvilKeys[1])
  expect(shown(external)).toEqual(['metamask 0x7099', 'metamask 0xf39F'])
  wallet.control.pickChain(8453)
  expect(external.connected.get().map(({ chainId }) => chainId)).toEqual(['eip155:8453', 'eip155:8453'])
  wallet.control.revoke()
  expect(external.connected.get()).toEqual([])
})

test('a connection that was given up counts for nothing, even when the wallet says yes later', async () => {
  let answer = (_: boolean) => {}
  announce(
    metamask({
      approve: () =>
        new Promise<boolean>((resolve) => {
          answer = resolve
        }),
    }),
  )
  const external = open()
  const left = new AbortController()
  const failed = failure(external.connect(await offerOf(external, 'metamask'), { signal: left.signal }))
  await settled()
  left.abort(new Error('closed'))
  expect((await failed).message).toBe('closed')
  answer(true)
  await settled()
  expect(external.connected.get()).toEqual([])
  expect(storage.get(key)).toBeUndefined()
})

test('a failure is the connector’s, and leaves nothing connected', async () => {
  const wallet = announce(metamask())
  const external = open()
  wallet.control.next('reject', 'eth_requestAccounts')
  expect((await failure(connect(external, 'metamask'))).code).toBe('wallet_rejected')
  expect(external.connected.get()).toEqual([])
  const install: WalletOffer = {
    id: 'x',
    meta: { id: 'x', name: 'X', icon: undefined },
    chainType: 'ethereum',
    reach: 'install',
  }
  expect((await failure(external.connect(install))).code).toBe('wallet_not_installed')
})

test('disconnecting takes the wallet out, and out of the history', async () => {
  const wallet = announce(metamask())
  announce(rabby())
  const external = open()
  await connect(external, 'rabby_wallet')
  const account = await connect(external, 'metamask')
  external.activate(account)
  wallet.control.always('hang', 'wallet_revokePermissions')
  const done = external.disconnect(account)
  expect(shown(external)).toEqual(['rabby_wallet 0x7099'])
  await clock.advance(1_500)
  await done
  wallet.control.emit('accountsChanged', [first])
  expect(shown(external)).toEqual(['rabby_wallet 0x7099'])
  expect(JSON.parse(storage.get(key) ?? '')).toMatchObject([{ walletClientType: 'rabby_wallet' }])
  expect(storage.get(`lk:${appId}:active-wallet`)).toBeUndefined()
})

test('a wallet that another tab disconnects is gone here too', async () => {
  const wallet = announce(metamask())
  // A wallet that can't take its permission back tells the tabs nothing.
  wallet.control.always('hang', 'wallet_revokePermissions')
  const [one, two] = [open(), open()]
  const account = await connect(one, 'metamask')
  const here = await connect(two, 'metamask')
  const done = one.disconnect(account)
  await clock.advance(1_500)
  await done
  expect([shown(one), shown(two)]).toEqual([[], []])
  expect(here.connector.accounts.get()).toEqual([])
  expect(storage.get(key)).toBeUndefined()
})

test('a wallet that another tab connects is connected here too, without asking anybody', async () => {
  const wallet = announce(metamask())
  announce(phantom())
  const [one, two] = [open(), open()]
  await Promise.all([one.restore(), two.restore()])
  await connect(one, 'metamask')
  await settled()
  expect(shown(two)).toEqual(shown(one))
  expect(wallet.control.calls.filter(({ method }) => method === 'eth_requestAccounts')).toHaveLength(1)
  await connect(two, 'phantom:solana')
  await settled()
  expect(shown(one)).toEqual(shown(two))
})

test('wallets that show up later are reported', async () => {
  const external = open()
  let heard = 0
  const stop = external.onFound(() => heard++)
  await settled()
  announce(metamask())
  expect(heard).toBe(1)
  stop()
  announce(rabby())
  expect(heard).toBe(1)
})

describe('the next page', () => {
  test('takes the connections up in their order, with their times, without asking anybody', async () => {
    const wallets = [announce(metamask()), announce(rabby()), announce(phantom())]
    const before = open()
    await connect(before, 'metamask')
    await clock.advance(1_000)
    await connect(before, 'rabby_wallet')
    await clock.advance(1_000)
    await connect(before, 'phantom:solana')
    before.activate(before.connected.get()[2] as never)
    const was = before.connected.get()
    before.close()
    await clock.advance(60_000)
    const asked = wallets.map(({ control }) => control.calls.length)

    const after = open()
    await after.restore()
    const keep = ({ address, connectedAt, walletClientType }: (typeof was)[number]) => ({
      address,
      connectedAt,
      walletClientType,
    })
    expect(after.connected.get().map(keep)).toEqual(was.map(keep))
    const since = wallets.flatMap(({ control }, at) => control.calls.slice(asked[at]))
    expect(since.map(({ method }) => method)).not.toContain('eth_requestAccounts')
  })

  test('does nothing where there is no history, or none that can be read', async () => {
    const wallet = announce(metamask())
    await wallet.provider.request({ method: 'eth_requestAccounts' })
    for (const text of [undefined, 'x', '{}', '[7]', '[{"address":1}]', '[{"__proto__":{}}]']) {
      if (text !== undefined) storage.set(key, text)
      const external = open()
      await external.restore()
      expect(external.connected.get()).toEqual([])
    }
    expect(wallet.control.calls.filter(({ method }) => method === 'eth_accounts')).toEqual([])
  })

  test('finds a wallet that comes late, and does not wait for one that never comes', async () => {
    const wallet = announce(metamask())
    const before = open()
    await connect(before, 'metamask')
    before.close()
    for (const stop of stops.splice(0)) stop()

    const after = open()
    let over = false
    const restored = after.restore().then(() => {
      over = true
    })
    await clock.advance(500 + 2_999)
    expect(over).toBe(false)
    await clock.advance(1)
    await restored
    announce(wallet)
    await settled()
    expect(shown(after)).toEqual(['metamask 0xf39F'])
  })

  test('takes a locked wallet up when it is unlocked', async () => {
    const wallet = announce(metamask())
    const before = open()
    await connect(before, 'metamask')
    before.close()
    wallet.control.next({ answer: [] }, 'eth_accounts')
    const after = open()
    await after.restore()
    expect(after.connected.get()).toEqual([])
    wallet.control.emit('accountsChanged', [first])
    await settled()
    expect(shown(after)).toEqual(['metamask 0xf39F'])
  })

  test('shows the account that the person has picked since', async () => {
    const wallet = announce(metamask())
    const before = open()
    await connect(before, 'metamask')
    before.close()
    wallet.control.always({ answer: [second] }, 'eth_accounts')
    const after = open()
    await after.restore()
    expect(shown(after)).toEqual(['metamask 0x7099'])
  })

  test('is not taken in by a wallet of the same name', async () => {
    announce(metamask())
    const before = open()
    await connect(before, 'metamask')
    before.close()
    const evil = announce(metamask({ privateKey: anvilKeys[2], rdns: 'io.metamask.evil' }))
    await evil.provider.request({ method: 'eth_requestAccounts' })
    const after = open()
    await after.restore()
    expect(shown(after)).toEqual(['metamask 0xf39F'])
  })

  test('ends its waiting with wallets that hang', async () => {
    const wallet = announce(metamask())
    const before = open()
    await connect(before, 'metamask')
    before.close()
    wallet.control.always('hang')
    const after = open()
    let over = false
    void after.restore().then(() => {
      over = true
    })
    await clock.advance(3_500)
    expect(over).toBe(true)
    expect(JSON.parse(storage.get(key) ?? '')).toHaveLength(1)
    await clock.advance(10_000)
    expect(clock.sleeping).toBe(0)
  })
})

describe('a wallet elsewhere', () => {
  /** A stand-in for the connectors of the SDKs, which are loaded for real only when they are chosen. */
  function elsewhere(type: Connector['type'], id: string, given: readonly OpenAccount[]) {
    const accounts = createStore<readonly OpenAccount[]>([])
    const log: string[] = []
    const connector = {
      type,
      chainType: 'ethereum',
      meta: { id, name: id, icon: undefined },
      accounts,
      on: () => () => {},
      async initialise() {
        log.push('initialise')
        accounts.set(given)
      },
      async connect() {
        log.push('connect')
        accounts.set(given)
        return given
      },
      async disconnect() {
        log.push('disconnect')
      },
      close: () => log.push('close'),
    } as unknown as Connector
    return { connector, log }
  }
  const account = { address: second, chainId: 'eip155:8453' }

  test('is offered where the app may use WalletConnect, connected, and taken up by the next page', async () => {
    const { connector, log } = elsewhere('wallet_connect_v2', 'rainbow', [account])
    const made: string[] = []
    const remotes = {
      connector: async (reach: string, { id }: { id: string }) => {
        made.push(`${reach} ${id}`)
        return connector
      },
      close: () => {},
    }
    const host: HostConfig = { walletConnectCloudProjectId: '0'.repeat(32) }
    const external = open(host, { remotes })
    const offers = external.offers(both)
    await clock.advance(500)
    expect((await offers).filter(({ reach }) => reach === 'wallet-connect').map(({ id }) => id)).toContain(
      'rainbow',
    )
    const offer = await offerOf(external, 'rainbow')
    expect(await external.connect(offer)).toMatchObject({ address: second, walletClientType: 'rainbow' })
    external.close()

    const after = open(host, { remotes })
    await after.restore()
    expect(shown(after)).toEqual(['rainbow 0x7099'])
    expect(made).toEqual(['wallet-connect rainbow', 'wallet-connect rainbow'])
    expect(log).toEqual(['connect', 'initialise'])
    await after.disconnect(after.connected.get()[0] as never)
    expect(log.at(-1)).toBe('disconnect')
  })

  test('is not offered where the host has switched WalletConnect off, or the app has no project', async () => {
    for (const host of [
      {},
      { walletConnectCloudProjectId: '0'.repeat(32), externalWallets: { walletConnect: { enabled: false } } },
    ]) {
      const offers = open(host).offers(both)
      await clock.advance(500)
      expect((await offers).filter(({ reach }) => reach === 'wallet-connect')).toEqual([])
    }
  })

  test('that can’t be loaded fails the connection, and holds up no page', async () => {
    const { connector } = elsewhere('coinbase_wallet', 'coinbase_wallet', [account])
    const warn = console.warn
    const warned: unknown[] = []
    console.warn = (...said) => void warned.push(said)
    onTestFinished(() => {
      console.warn = warn
    })
    const good = open({}, { remotes: { connector: async () => connector, close: () => {} } })
    const offers = good.offers(both)
    await clock.advance(500)
    const offer = (await offers).find(({ reach }) => reach === 'coinbase') as WalletOffer
    await good.connect(offer)
    const broken = {
      connector: () => Promise.reject(new Error('no network')),
      close: () => {},
    }
    const after = open({}, { remotes: broken })
    await after.restore()
    expect(after.connected.get()).toEqual([])
    expect(warned).toHaveLength(1)
    expect((await failure(after.connect(offer))).message).toBe('no network')
  })
})
