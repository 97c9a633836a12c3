import { recoverMessageAddress } from 'viem'
import { describe, expect, onTestFinished, test } from 'vitest'
import { anvilKeys } from '../../../demo/world/wallet/accounts.ts'
import { createEthereumWallet } from '../../../demo/world/wallet/ethereum.ts'
import { providerError } from '../../../demo/world/wallet/script.ts'
import type { HostConfig } from '../../../src/app/config.ts'
import type { EthereumProvider, OpenAccount } from '../../../src/wallets/external/connector.ts'
import { createEip1193Connector, type RawProvider } from '../../../src/wallets/external/ethereum/connector.ts'
import { settled } from '../../support/clock.ts'
import { connectorContext } from '../../support/connectors.ts'
import { failure } from '../../support/failure.ts'

const chain = (id: number, name: string) => ({
  id,
  name,
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [`https://node.example/${id}`] } },
})
const host: HostConfig = { supportedChains: [chain(1, 'Ethereum'), chain(8453, 'Base'), chain(10, 'OP')] }
const first = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const second = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

type Settings = Partial<Parameters<typeof createEthereumWallet>[0]>

function setUp(settings: Settings = {}, hostConfig: HostConfig = host, id = 'test_wallet') {
  const { cx, clock } = connectorContext(hostConfig)
  const wallet = createEthereumWallet({
    privateKey: anvilKeys[0],
    chains: { 1: 'http://127.0.0.1:1', 8453: 'http://127.0.0.1:1' },
    name: 'Test Wallet',
    rdns: 'example.test',
    ...settings,
  })
  const meta = { id, name: 'Test Wallet', icon: undefined }
  const connectTo = (raw: RawProvider) =>
    createEip1193Connector({ cx, type: 'injected', meta: () => meta, provider: async () => raw })
  const connector = connectTo(wallet.provider as RawProvider)
  onTestFinished(() => connector.close())
  const seen: (readonly OpenAccount[])[] = []
  connector.on('walletsUpdated', (accounts) => seen.push(accounts))
  return { cx, clock, wallet, connector, connectTo, seen, control: wallet.control }
}

/** A wallet that answers each method as written down, and has no events. */
const answering = (answers: Record<string, unknown>): RawProvider => ({
  request: ({ method }) => {
    const answer = answers[method]
    return typeof answer === 'function' ? answer() : Promise.resolve(answer)
  },
})

describe('connecting', () => {
  test('opens the accounts, checksummed, with the chain that the wallet is on', async () => {
    const { connector, seen } = setUp({ privateKey: [anvilKeys[0], anvilKeys[1]], chainId: 8453 })
    expect(await connector.connect()).toEqual([
      { address: first, chainId: 'eip155:8453' },
      { address: second, chainId: 'eip155:8453' },
    ])
    expect(seen.at(-1)).toEqual(connector.accounts.get())
  })

  test('that the person declines says so, and may be tried again', async () => {
    const { connector, control } = setUp()
    control.next('reject', 'eth_requestAccounts')
    expect(await failure(connector.connect())).toMatchObject({ code: 'wallet_rejected', retryable: true })
    expect(await connector.connect()).toHaveLength(1)
  })

  test('to a wallet that never answers ends after 120 seconds', async () => {
    const { connector, control, clock } = setUp()
    control.always('hang')
    const failed = failure(connector.connect())
    await clock.advance(119_999)
    await clock.advance(1)
    expect(await failed).toMatchObject({ code: 'wallet_timeout', retryable: true })
    expect(clock.sleeping).toBe(0)
  })

  test('takes as long as the host allows to that type of wallet', async () => {
    const { connector, control, clock } = setUp(
      {},
      { ...host, rpcConfig: { rpcTimeouts: { test_wallet: 2_000 } } },
    )
    control.always('hang')
    const failed = failure(connector.connect())
    await clock.advance(2_000)
    expect((await failed).code).toBe('wallet_timeout')
  })

  test('that is given up rejects with the reason, and leaves nothing behind', async () => {
    const { connector, control, clock } = setUp()
    control.always('hang')
    const left = new AbortController()
    const failed = failure(connector.connect({ signal: left.signal }))
    await settled()
    left.abort(new Error('closed'))
    expect((await failed).message).toBe('closed')
    expect(clock.sleeping).toBe(0)
  })

  test('asks ten times for accounts that are not there, and then says so', async () => {
    const { connector, control, clock } = setUp()
    control.always('nothing', 'eth_requestAccounts')
    control.always('nothing', 'eth_accounts')
    const failed = failure(connector.connect())
    await clock.advance(5_000)
    expect(await failed).toMatchObject({
      code: 'wallet_no_accounts',
      shortMessage: 'Unable to retrieve accounts',
    })
    expect(control.calls.filter(({ method }) => method === 'eth_accounts')).toHaveLength(10)
  })

  test('finds accounts that come a moment later', async () => {
    const { connector, control, clock } = setUp()
    control.next({ answer: [] }, 'eth_requestAccounts')
    control.next({ answer: null }, 'eth_accounts')
    control.next({ answer: [first] }, 'eth_accounts')
    const connected = connector.connect()
    await clock.advance(500)
    expect(await connected).toEqual([{ address: first, chainId: 'eip155:1' }])
  })

  test.each([
    ['throw', 'generic_connect_wallet_error', true],
    ['internal', 'generic_connect_wallet_error', true],
    ['disconnected', 'wallet_disconnected', true],
    ['unauthorized', 'wallet_unauthorized', false],
    ['pending', 'wallet_request_pending', false],
    [{ error: 'boom' }, 'unknown_connect_wallet_error', true],
    [{ error: undefined }, 'unknown_connect_wallet_error', true],
    [{ error: { code: 4001 } }, 'wallet_rejected', true],
    [{ error: providerError(-32601, 'no such method') }, 'unsupported_method', false],
  ] as const)('to a wallet that fails with %j is %s', async (fault, code, retryable) => {
    const { connector, control } = setUp()
    control.next(fault, 'eth_requestAccounts')
    expect(await failure(connector.connect())).toMatchObject({ name: 'KitError', code, retryable })
  })

  test.each([
    ['no list', '0x1', '0x1'],
    ['nothing', null, '0x1'],
    ['other things', [7, null, {}, 'bogus', '0x12', `0x${'g'.repeat(40)}`], '0x1'],
    [
      'a list that throws',
      new Proxy([], {
        get: (_, name) => {
          if (name !== 'then') throw new Error('no')
        },
      }),
      '0x1',
    ],
  ])('to a wallet that gives %s instead of accounts opens none', async (_, accounts, id) => {
    const { clock, connectTo } = setUp()
    const connector = connectTo(
      answering({ eth_requestAccounts: accounts, eth_accounts: accounts, eth_chainId: id }),
    )
    const failed = failure(connector.connect())
    await clock.advance(5_000)
    expect((await failed).code).toBe('wallet_no_accounts')
    expect(connector.accounts.get()).toEqual([])
  })

  test.each([undefined, null, 'mainnet', '0x', 0, -1, 1.5, 2 ** 60, {}, '0x0'])(
    'to a wallet on the chain %j fails',
    async (id) => {
      const { clock, connectTo } = setUp()
      const failed = failure(
        connectTo(answering({ eth_requestAccounts: [first], eth_chainId: id })).connect(),
      )
      await clock.advance(5_000)
      expect(await failed).toMatchObject({ shortMessage: 'Unable to determine current chainId.' })
    },
  )

  test.each(['0x2105', '0x02105', '8453', 8453])('understands %j as a chain', async (id) => {
    const { connectTo } = setUp()
    const connector = connectTo(answering({ eth_requestAccounts: [first.toLowerCase()], eth_chainId: id }))
    expect(await connector.connect()).toEqual([{ address: first, chainId: 'eip155:8453' }])
  })

  test('takes a hundred accounts of a wallet that gives a million', async () => {
    const { connectTo } = setUp()
    const many = Array.from({ length: 1_000_000 }, (_, at) => `0x${at.toString(16).padStart(40, '0')}`)
    const connector = connectTo(answering({ eth_requestAccounts: many, eth_chainId: '0x1' }))
    expect(await connector.connect()).toHaveLength(100)
  })
})

describe('a wallet without manners', () => {
  test.each([
    ['frozen', { frozen: true }],
    ['without on', { without: ['on', 'removeListener'] }],
    ['without removeListener', { without: ['removeListener'] }],
  ] as [string, Settings][])('works %s', async (_, settings) => {
    const { connector } = setUp(settings)
    expect(await connector.connect()).toHaveLength(1)
    expect(await connector.sign({ address: first, message: 'hi' })).toMatch(/^0x[0-9a-f]{130}$/)
    await connector.disconnect()
    connector.close()
  })

  test('may throw from every method that hears', async () => {
    const { connectTo } = setUp()
    const throws = () => {
      throw new Error('not today')
    }
    const raw = {
      ...answering({ eth_requestAccounts: [first], eth_chainId: '0x1' }),
      on: throws,
      removeListener: throws,
    }
    const connector = connectTo(raw)
    expect(await connector.connect()).toHaveLength(1)
    connector.close()
  })

  test('sends events of any shape, and nothing comes of them', async () => {
    const { connector, control } = setUp()
    await connector.connect()
    const before = connector.accounts.get()
    for (const junk of [undefined, null, 7, 'x', {}, { length: 3 }, Symbol('s')])
      control.emit('accountsChanged', junk)
    for (const junk of [undefined, null, 'x', -5, {}, [], '0x0']) control.emit('chainChanged', junk)
    await settled()
    expect(connector.accounts.get()).toBe(before)
  })
})

describe('what is open', () => {
  test('is learnt without asking anybody, and said to be', async () => {
    const { connector, control, wallet } = setUp()
    await wallet.provider.request({ method: 'eth_requestAccounts' })
    let initialised = 0
    connector.on('initialized', () => initialised++)
    await connector.initialise()
    expect(initialised).toBe(1)
    expect(connector.accounts.get()).toEqual([{ address: first, chainId: 'eip155:1' }])
    expect(control.calls.filter(({ method }) => method === 'eth_requestAccounts')).toHaveLength(1)
  })

  test('is given up after 1500 ms, and still heard of when it comes', async () => {
    const { connectTo, clock } = setUp()
    let answer = (_: unknown) => {}
    const slow = new Promise((resolve) => {
      answer = resolve
    })
    const connector = connectTo(answering({ eth_accounts: () => slow, eth_chainId: '0x1' }))
    let initialised = false
    connector.on('initialized', () => {
      initialised = true
    })
    const done = connector.initialise()
    await clock.advance(1_499)
    expect(initialised).toBe(false)
    await clock.advance(1)
    await done
    expect(initialised).toBe(true)
    answer([first])
    await settled()
    expect(connector.accounts.get()).toHaveLength(1)
  })

  test('never takes longer with a wallet that hangs or throws', async () => {
    for (const fault of ['hang', 'throw', 'internal'] as const) {
      const { connector, control, clock } = setUp()
      control.always(fault)
      const done = connector.initialise()
      await clock.advance(1_500)
      await done
      await clock.advance(10_000)
      expect(clock.sleeping).toBe(0)
      expect(connector.accounts.get()).toEqual([])
    }
  })

  test('follows the account and the chain that the person picks in the wallet', async () => {
    const { connector, control, seen } = setUp()
    await connector.connect()
    control.pickAccount(anvilKeys[1])
    expect(connector.accounts.get().map(({ address }) => address)).toEqual([second, first])
    control.pickChain(8453)
    expect(connector.accounts.get().map(({ chainId }) => chainId)).toEqual(['eip155:8453', 'eip155:8453'])
    expect(seen).toHaveLength(3)
  })

  test('is nothing once the person has revoked it, and back when they open it again', async () => {
    const { connector, control, wallet, seen } = setUp()
    await connector.connect()
    control.revoke()
    expect(connector.accounts.get()).toEqual([])
    expect(seen.at(-1)).toEqual([])
    await wallet.provider.request({ method: 'eth_requestAccounts' })
    await settled()
    expect(connector.accounts.get()).toHaveLength(1)
  })

  test('is nothing once the wallet has disappeared', async () => {
    const { connector, control } = setUp()
    await connector.connect()
    control.disappear()
    expect(connector.accounts.get()).toEqual([])
    expect((await failure(connector.connect())).code).toBe('wallet_disconnected')
  })

  test('outlasts the reconnecting of MetaMask', async () => {
    const { connector, control } = setUp()
    await connector.connect()
    control.emit('disconnect', providerError(1013, 'Disconnected from MetaMask background. Try again later.'))
    expect(connector.accounts.get()).toHaveLength(1)
  })
})

describe('signing', () => {
  test('signs the bytes of any text', async () => {
    const { connector } = setUp()
    await connector.connect()
    const message = 'host wants you to sign in ✓ 😀 \u202e'
    const signature = (await connector.sign({ address: first, message })) as `0x${string}`
    expect(await recoverMessageAddress({ message, signature })).toBe(first)
  })

  test('needs a connection, and an account that is open', async () => {
    const { connector } = setUp()
    expect(await failure(connector.sign({ address: first, message: 'x' }))).toMatchObject({
      code: 'wallet_disconnected',
      shortMessage: 'Wallet is not currently connected.',
    })
    await connector.connect()
    expect((await failure(connector.sign({ address: second, message: 'x' }))).code).toBe(
      'wallet_unauthorized',
    )
  })

  test('is void when the account has changed meanwhile', async () => {
    const { connector, control, wallet } = setUp()
    await connector.connect()
    control.during('personal_sign', () => wallet.control.emit('accountsChanged', [second]))
    expect(await failure(connector.sign({ address: first, message: 'x' }))).toMatchObject({
      code: 'wallet_unauthorized',
      retryable: true,
    })
  })

  test('is void when the wallet has been disconnected meanwhile', async () => {
    const { connector, control } = setUp()
    await connector.connect()
    control.during('personal_sign', () => control.emit('accountsChanged', []))
    expect((await failure(connector.sign({ address: first, message: 'x' }))).code).toBe('wallet_disconnected')
  })

  test('outlasts a change of chain', async () => {
    const { connector, control } = setUp()
    await connector.connect()
    control.during('personal_sign', () => control.pickChain(8453))
    expect(await connector.sign({ address: first, message: 'x' })).toMatch(/^0x/)
    expect(connector.accounts.get()[0]?.chainId).toBe('eip155:8453')
  })

  test.each([null, undefined, '', '0x', '0xabc', 'nope', 7, {}, `0x${'ab'.repeat(40_000)}`])(
    'does not take %j for a signature',
    async (answer) => {
      const { connector, control } = setUp()
      await connector.connect()
      control.next({ answer }, 'personal_sign')
      expect(await failure(connector.sign({ address: first, message: 'x' }))).toMatchObject({
        code: 'generic_connect_wallet_error',
        retryable: true,
      })
    },
  )

  test('that is declined, or hangs, ends in a named error', async () => {
    const { connector, control, clock } = setUp()
    await connector.connect()
    control.next('reject', 'personal_sign')
    expect((await failure(connector.sign({ address: first, message: 'x' }))).code).toBe('wallet_rejected')
    control.next('hang', 'personal_sign')
    const failed = failure(connector.sign({ address: first, message: 'x' }))
    await clock.advance(120_000)
    expect((await failed).code).toBe('wallet_timeout')
  })
})

describe('switching chains', () => {
  const asked = (calls: readonly { method: string }[]) =>
    calls.map(({ method }) => method).filter((method) => method.startsWith('wallet_'))

  test('moves to a chain that the wallet knows', async () => {
    const { connector, control } = setUp()
    await connector.connect()
    await connector.switchChain(8453)
    expect(connector.accounts.get()[0]?.chainId).toBe('eip155:8453')
    expect(asked(control.calls)).toEqual(['wallet_switchEthereumChain'])
  })

  test('adds one that it does not know, and asks again', async () => {
    const { connector, control, clock } = setUp()
    await connector.connect()
    const switched = connector.switchChain(10)
    await expect.poll(() => clock.sleeping).toBe(1)
    await clock.advance(300)
    await switched
    expect(connector.accounts.get()[0]?.chainId).toBe('eip155:10')
    expect(asked(control.calls)).toEqual([
      'wallet_switchEthereumChain',
      'wallet_addEthereumChain',
      'wallet_switchEthereumChain',
    ])
    expect(control.calls.find(({ method }) => method === 'wallet_addEthereumChain')?.params).toMatchObject([
      { chainId: '0xa', chainName: 'OP', rpcUrls: ['https://node.example/10'] },
    ])
  })

  test.each([
    ['by its code', providerError(4902, 'nope')],
    ['by a code within', providerError(-32603, 'Internal', { originalError: { code: 4902 } })],
    ['by the number in its text', new Error('code 4902')],
    ['in Coinbase’s words', new Error('Try addEthereumChain first')],
    ['in Rabby’s words', new Error('Unrecognized chain ID "0x2105".')],
    ['as text', 'Unrecognized chain ID'],
  ])('recognises an unknown chain %s', async (_, error) => {
    const { connector, control, clock } = setUp()
    await connector.connect()
    control.next({ error }, 'wallet_switchEthereumChain')
    const switched = connector.switchChain(8453)
    await settled()
    await clock.advance(300)
    await switched
    expect(asked(control.calls)).toContain('wallet_addEthereumChain')
  })

  test('refuses a chain that is not the app’s without asking', async () => {
    const { connector, control } = setUp()
    await connector.connect()
    expect(await failure(connector.switchChain(137))).toMatchObject({
      code: 'unsupported_chain_id',
      shortMessage: 'Unsupported chainId 137',
    })
    expect(asked(control.calls)).toEqual([])
  })

  test('says that Rainbow can’t', async () => {
    const { connector } = setUp({}, host, 'rainbow')
    await connector.connect()
    expect(await failure(connector.switchChain(10))).toMatchObject({
      code: 'unsupported_chain_id',
      shortMessage: 'Rainbow does not support the chainId 10',
    })
  })

  test('does not believe a wallet that says yes and stays', async () => {
    const { connector, control, clock } = setUp()
    await connector.connect()
    control.next({ answer: null }, 'wallet_switchEthereumChain')
    const failed = failure(connector.switchChain(8453))
    await expect.poll(() => clock.sleeping).toBeGreaterThan(0)
    await clock.advance(5_000)
    expect((await failed).shortMessage).toBe('The wallet stayed on another chain')
    expect(connector.accounts.get()[0]?.chainId).toBe('eip155:1')
  })

  test('that the person declines stays where it was', async () => {
    const { connector, control } = setUp()
    await connector.connect()
    control.next('reject', 'wallet_switchEthereumChain')
    expect((await failure(connector.switchChain(8453))).code).toBe('wallet_rejected')
    expect(connector.accounts.get()[0]?.chainId).toBe('eip155:1')
  })
})

describe('disconnecting', () => {
  test('empties the accounts, and revokes what the wallet allowed', async () => {
    const { connector, control } = setUp()
    await connector.connect()
    await connector.disconnect()
    expect(connector.accounts.get()).toEqual([])
    expect(control.calls.at(-1)).toMatchObject({ method: 'wallet_revokePermissions' })
  })

  test.each(['hang', 'throw', 'internal', 'reject'] as const)(
    'does so with a wallet that answers with %s as well',
    async (fault) => {
      const { connector, control, clock } = setUp()
      await connector.connect()
      control.always(fault, 'wallet_revokePermissions')
      const done = connector.disconnect()
      expect(connector.accounts.get()).toEqual([])
      await clock.advance(1_500)
      await done
      control.emit('accountsChanged', [first])
      control.emit('connect', { chainId: '0x1' })
      await settled()
      expect(connector.accounts.get()).toEqual([])
    },
  )

  test('and closing leave no listener with the wallet', async () => {
    const { connector, control } = setUp()
    await connector.connect()
    expect(control.listeners()).toBeGreaterThan(0)
    connector.close()
    expect(control.listeners()).toBe(0)
  })
})

describe('the provider for libraries', () => {
  const forHost = async (settings: Settings = {}) => {
    const all = setUp({ privateKey: [anvilKeys[0], anvilKeys[1]], ...settings })
    await all.connector.connect()
    return { ...all, provider: all.connector.provider(second) as EthereumProvider }
  }

  test('answers, with its own account first', async () => {
    const { provider } = await forHost()
    expect(await provider.request({ method: 'eth_accounts' })).toEqual([second, first])
    expect(await provider.request({ method: 'eth_chainId' })).toBe('0x1')
  })

  test('gives the wallet’s own number and words with an error', async () => {
    const { provider, control } = await forHost()
    control.next({ error: providerError(3, 'execution reverted', '0x08c379a0') }, 'eth_call')
    const failed = failure(provider.request({ method: 'eth_call', params: [{}] }))
    expect(await failed).toMatchObject({ code: 3, message: 'execution reverted', data: '0x08c379a0' })
    control.next('throw', 'eth_chainId')
    expect((await failure(provider.request({ method: 'eth_chainId' }))).code).toBe(-32603)
    control.next('reject', 'eth_chainId')
    expect((await failure(provider.request({ method: 'eth_chainId' }))).code).toBe(4001)
  })

  test('ends a request that hangs', async () => {
    const { provider, control, clock } = await forHost()
    control.always('hang', 'eth_sendTransaction')
    const failed = failure(provider.request({ method: 'eth_sendTransaction', params: [{}] }))
    await clock.advance(120_000)
    expect(await failed).toMatchObject({
      name: 'ProviderRpcError',
      code: -32603,
      message: 'The wallet did not answer',
    })
  })

  test.each([{}, 'x', undefined, null, { 0: 'x', length: 1 }])('refuses %j as params', async (params) => {
    const { provider, control } = await forHost()
    const before = control.calls.length
    for (const method of ['personal_sign', 'eth_sendTransaction', 'wallet_switchEthereumChain'])
      expect(await failure(provider.request({ method, params }))).toMatchObject({
        code: 4200,
        message: `Invalid params for ${method}`,
      })
    expect(control.calls).toHaveLength(before)
  })

  test('is disconnected when the wallet is', async () => {
    const { provider, connector } = await forHost()
    await connector.disconnect()
    expect(await failure(provider.request({ method: 'eth_chainId' }))).toMatchObject({
      code: 4900,
      message: 'Disconnected',
    })
  })

  test('signs for nobody when its account is no longer open', async () => {
    const { provider, control } = await forHost()
    control.emit('accountsChanged', [first])
    const params = ['0x00', second]
    expect((await failure(provider.request({ method: 'personal_sign', params }))).code).toBe(4100)
  })

  test('lists its own account first, in an event as in an answer', async () => {
    const { provider, control } = await forHost()
    const heard: unknown[] = []
    provider.on('accountsChanged', (addresses: unknown) => heard.push(addresses))
    control.emit('accountsChanged', [second, first])
    control.emit('accountsChanged', [first, second])
    expect(heard).toEqual([
      [second, first],
      [second, first],
    ])
    expect(await provider.request({ method: 'eth_accounts' })).toEqual(heard.at(-1))
  })

  test('tells what happens, once to each listener, until it is told to stop', async () => {
    const { provider, control, connector } = await forHost()
    const heard: unknown[] = []
    const listen = (name: string) => (detail: unknown) => heard.push([name, detail])
    const onChain = listen('chainChanged')
    provider.on('chainChanged', onChain)
    provider.on('chainChanged', onChain)
    provider.on('accountsChanged', listen('accountsChanged'))
    provider.on('disconnect', (error: { code: number }) => heard.push(['disconnect', error.code]))
    control.pickChain(8453)
    provider.removeListener('chainChanged', onChain)
    control.pickChain(1)
    await connector.disconnect()
    expect(heard).toEqual([
      ['chainChanged', '0x2105'],
      ['accountsChanged', []],
      ['disconnect', 4900],
    ])
  })

  test('sees a change of chain of a wallet that has no events', async () => {
    const { provider, connector } = await forHost({ without: ['on'] })
    await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: '0x2105' }] })
    expect(connector.accounts.get()[0]?.chainId).toBe('eip155:8453')
  })
})

test('a page that has polluted Object.prototype changes nothing', async () => {
  const { connector, clock } = setUp()
  const poison = {
    isAdmin: true,
    origin: 'x',
    chainId: '0x2105',
    code: 4001,
    accounts: [second],
    address: second,
  }
  Object.assign(Object.prototype, poison)
  try {
    expect((await connector.connect()).map(({ address, chainId }) => `${address} ${chainId}`)).toEqual([
      `${first} eip155:1`,
    ])
    expect(await connector.sign({ address: first, message: 'x' })).toMatch(/^0x/)
    const failed = failure(connector.switchChain(137))
    await clock.advance(0)
    expect((await failed).code).toBe('unsupported_chain_id')
  } finally {
    for (const name of Object.keys(poison)) Reflect.deleteProperty(Object.prototype, name)
  }
})
