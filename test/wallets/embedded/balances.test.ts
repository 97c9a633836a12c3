/** What embedded wallets hold: coins, tokens, networks that lie or don't answer, and when they are read again. */
import { encodeAbiParameters } from 'viem/utils'
import { expect, test, vi } from 'vitest'
import type { Balance } from '../../../src/kit/api.ts'
// Pages load these when balances are read; here no test should wait for their compilation.
import '../../../src/ethereum/rpc.ts'
import { erc20Selectors } from '../../../src/ethereum/tokens.ts'
import type { Fetch } from '../../../src/lib/retrying-fetch.ts'
import type { EmbeddedAccount } from '../../../src/wallets/embedded/embedded-wallets.ts'
import { fakeNode, type NodeAnswer } from '../../support/chain-node.ts'
import { testClock } from '../../support/clock.ts'
import {
  embeddedKit,
  ethereumAccount,
  exampleChain,
  onSolana,
  solanaAddress,
  walletAccount,
} from '../../support/embedded-kit.ts'

const { address } = ethereumAccount
const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const host = {
  supportedChains: [exampleChain(), exampleChain(8453, 'Base')],
  tokens: [{ chainId: 1, address: usdc.toLowerCase() }],
  solanaClusters: [{ name: 'devnet', rpcUrl: 'https://node.example/solana' }],
}
const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`
const string = (value: string) => encodeAbiParameters([{ type: 'string' }], [value])

/** The answers of a token's contract. */
function tokenAnswers(over: Record<string, string | undefined> = {}) {
  const answers: Record<string, string | undefined> = {
    [erc20Selectors.name]: string('USD Coin'),
    [erc20Selectors.symbol]: string('USDC'),
    [erc20Selectors.decimals]: word(6n),
    [erc20Selectors.balanceOf]: word(1_304_530_000n),
    ...over,
  }
  return ([call]: readonly unknown[]): NodeAnswer => {
    const answer = answers[String((call as { data: string }).data).slice(0, 10)]
    return answer === undefined ? { error: { code: 3, message: 'execution reverted' } } : { result: answer }
  }
}

function setUp({
  wallets = [walletAccount()],
  over = {},
  ethereum = {},
  base = {},
  solana = {},
}: {
  wallets?: readonly EmbeddedAccount[]
  over?: object
  ethereum?: Parameters<typeof fakeNode>[0]
  base?: Parameters<typeof fakeNode>[0]
  solana?: Parameters<typeof fakeNode>[0]
} = {}) {
  const nodes: Record<string, ReturnType<typeof fakeNode>> = {
    'https://node.example/1': fakeNode({ eth_call: tokenAnswers(), ...ethereum }),
    'https://node.example/8453': fakeNode({ eth_chainId: '0x2105', eth_getBalance: '0x0', ...base }),
    'https://node.example/solana': fakeNode({
      getBalance: { context: { slot: 5 }, value: 12_000_005_000 },
      ...solana,
    }),
  }
  const fetch: Fetch = (url, init) => {
    const node = nodes[url]
    if (!node) throw new TypeError(`There is no node at ${url}`)
    return node.fetch(url, init)
  }
  const clock = testClock()
  const kit = embeddedKit({ wallets, host: { ...host, ...over }, fetch, clock })
  kit.login()
  /** Lets time pass until it is done. */
  async function finish<T>(work: Promise<T>): Promise<T> {
    let isOver = false
    const over = () => {
      isOver = true
    }
    work.then(over, over)
    for (let tries = 0; !isOver && tries < 200; tries++) await clock.advance(500)
    return work
  }
  return { ...kit, nodes, finish }
}
const brief = (list: readonly Balance[]) =>
  list.map(({ network, symbol, amount, status }) => [network, symbol, amount, status])

test('balances: coins and the app’s tokens of every wallet, on the chains that the app names', async () => {
  const { balances, finish } = setUp({ wallets: [walletAccount(), onSolana] })
  const list = await finish(balances.refresh())
  expect(list).toEqual(balances.get())
  expect(list).toMatchObject([
    { chain: 'eip155:1', wallet: address, kind: 'coin', symbol: 'ETH', decimals: 18, amount: 10n ** 19n },
    {
      chain: 'eip155:1',
      kind: 'token',
      token: usdc,
      symbol: 'USDC',
      name: 'USD Coin',
      decimals: 6,
      amount: 1_304_530_000n,
    },
    { chain: 'eip155:8453', network: 'Base', kind: 'coin', amount: 0n },
    { chain: 'solana:devnet', wallet: solanaAddress, symbol: 'SOL', decimals: 9, amount: 12_000_005_000n },
  ])
  expect(list.every(({ status }) => status === 'loaded')).toBe(true)
})

test('balances: an app that names no chains has those of its default one', async () => {
  const { balances, finish } = setUp({
    over: { supportedChains: [], tokens: [], rpcConfig: { rpcUrls: { 1: 'https://node.example/1' } } },
  })
  expect(brief(await finish(balances.refresh()))).toEqual([['Ethereum', 'ETH', 10n ** 19n, 'loaded']])
})

test('balances: a network that does not answer is a state, and the others are there', async () => {
  const { balances, finish } = setUp({ base: { eth_getBalance: () => 'lost' as const } })
  expect(brief(await finish(balances.refresh()))).toEqual([
    ['Ethereum', 'ETH', 10n ** 19n, 'loaded'],
    ['Ethereum', 'USDC', 1_304_530_000n, 'loaded'],
    ['Base', 'ETH', undefined, 'unreachable'],
  ])
})

test('balances: one that can not be read is told in the console at debug level, with its reason', async () => {
  const debug = vi.spyOn(console, 'debug').mockImplementation(() => {})
  const { balances, finish } = setUp({ base: { eth_getBalance: () => 'lost' as const } })
  await finish(balances.refresh())
  expect(debug.mock.calls).toEqual([['Unable to fetch the balance of ETH on Base', expect.any(Error)]])
})

test('balances: a silent network ends the wait after 15 s', async () => {
  const { balances, clock, finish, nodes } = setUp()
  const silent = nodes['https://node.example/8453']
  if (!silent) throw new Error('There is no node')
  silent.fetch = () => new Promise(() => {})
  const started = clock.now()
  const list = await finish(balances.refresh())
  expect(clock.now() - started).toBeLessThanOrEqual(16_000)
  expect(list.at(-1)).toMatchObject({ network: 'Base', status: 'unreachable' })
})

test('balances: the last known amount stays while a network can not be reached', async () => {
  let isLost = false
  const { balances, finish } = setUp({
    base: { eth_getBalance: () => (isLost ? 'lost' : { result: '0x5' }) },
  })
  await finish(balances.refresh())
  isLost = true
  expect((await finish(balances.refresh())).at(-1)).toMatchObject({ amount: 5n, status: 'unreachable' })
})

test.each([
  ['is of another chain', { eth_chainId: '0x1' }],
  ['returns no number', { eth_getBalance: 'much' }],
  ['returns a negative number', { eth_getBalance: '-0x1' }],
  ['returns more than any wallet has', { eth_getBalance: `0x${'f'.repeat(65)}` }],
])('balances: a node that %s is not believed', async (_, base) => {
  const { balances, finish } = setUp({ base })
  expect((await finish(balances.refresh())).at(-1)).toMatchObject({ network: 'Base', status: 'unreachable' })
  expect(balances.get().at(-1)?.amount).toBeUndefined()
})

test.each([
  ['without a symbol', { [erc20Selectors.symbol]: undefined }],
  ['without decimals', { [erc20Selectors.decimals]: undefined }],
  ['with a symbol that would mislead', { [erc20Selectors.symbol]: string('USDC\u202e') }],
])('balances: a contract %s is no token', async (_, answers) => {
  const { balances, finish } = setUp({ ethereum: { eth_call: tokenAnswers(answers) } })
  expect((await finish(balances.refresh()))[1]).toMatchObject({ token: usdc, status: 'no-token' })
})

test('balances: a token that a node refuses for once stays a token', async () => {
  let isBroken = false
  const healthy = tokenAnswers()
  const { balances, finish } = setUp({
    ethereum: {
      eth_call: (params) => (isBroken ? { error: { code: -32000, message: 'busy' } } : healthy(params)),
    },
  })
  await finish(balances.refresh())
  isBroken = true
  expect((await finish(balances.refresh()))[1]).toMatchObject({
    symbol: 'USDC',
    amount: 1_304_530_000n,
    status: 'unreachable',
  })
})

test('balances: tokens that are no addresses are left out, and repeated ones are read once', async () => {
  const { balances, finish } = setUp({
    over: {
      tokens: [
        { chainId: 1, address: usdc },
        { chainId: 1, address: usdc.toLowerCase() },
        { chainId: 1, address: '0x1' },
        { chainId: 5_000_000, address: usdc },
      ],
    },
  })
  const list = await finish(balances.refresh())
  expect(list.filter(({ kind }) => kind === 'token')).toHaveLength(1)
})

test('balances: they are read again once the network has decided about a transaction', async () => {
  let amount = '0x5'
  const { balances, finish, clock, activity } = setUp({
    base: { eth_getBalance: () => ({ result: amount }) },
  })
  await finish(balances.refresh())
  amount = '0x3'
  const sent = { chain: 'eip155:8453', wallet: address, hash: 'h', title: 'transfer', sentAt: 0 } as const
  activity.set([{ ...sent, status: 'pending' }])
  await clock.advance(5_000)
  expect(balances.get().at(-1)?.amount).toBe(5n)
  activity.set([{ ...sent, status: 'confirmed' }])
  await clock.advance(5_000)
  expect(balances.get().at(-1)?.amount).toBe(3n)
})

test('balances: nothing is asked before somebody wants them, and nothing stays after a logout', async () => {
  const { balances, finish, nodes, activity, clock, logout } = setUp()
  activity.set([
    { chain: 'eip155:1', wallet: address, hash: 'h', title: 'transfer', sentAt: 0, status: 'confirmed' },
  ])
  await clock.advance(5_000)
  expect(nodes['https://node.example/1']?.asked).toEqual([])
  await finish(balances.refresh())
  logout()
  expect(balances.get()).toEqual([])
  await expect(balances.refresh()).rejects.toMatchObject({ code: 'must_be_authenticated' })
})

test('balances: what arrives after a logout is not shown to the next user', async () => {
  const { balances, finish, nodes, clock, logout, login } = setUp()
  const slow = nodes['https://node.example/8453']
  if (!slow) throw new Error('There is no node')
  const answer = slow.fetch
  let release: () => void = () => {}
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  slow.fetch = async (url, init) => {
    await gate
    return answer(url, init)
  }
  const reading = balances.refresh()
  await clock.advance(1_000)
  logout()
  login([walletAccount()], 'u2')
  release()
  await finish(reading)
  expect(balances.get()).toEqual([])
})

test('balances: the dialog shows them as they arrive, reads them again, and closing it is no failure', async () => {
  let amount = '0x5'
  const { openBalances, person, told } = setUp({ base: { eth_getBalance: () => ({ result: amount }) } })
  const open = openBalances()
  const seen: Record<string, unknown>[] = []
  const last = () => {
    const [{ balances = [] } = {}] = (seen.at(-1)?.wallets ?? []) as { balances?: Balance[] }[]
    return balances.at(-1)?.amount
  }
  const look = { on: 'wallet-balances', expect: (props: Record<string, unknown>) => void seen.push(props) }
  await person.follow([{ wait: 2_000 }, look])
  expect(last()).toBe(5n)
  amount = '0x7'
  await person.follow([['wallet-balances', 'refresh'], { wait: 2_000 }, look])
  expect(last()).toBe(7n)
  expect(seen.at(-1)).toMatchObject({ isRefreshing: false })
  await person.follow([{ on: 'wallet-balances', close: true }])
  await open
  expect(told).toEqual([])
})
