/** The review of a transaction in the page: its simulation, its fees, prices, and what changes before the user approves. */
import { encodeFunctionData, keccak256, parseAbi, parseTransaction } from 'viem'
import { describe, expect, test } from 'vitest'
// Pages load these when there is something to sign; here no test should wait for their compilation.
import '../../../src/ethereum/rpc.ts'
import '../../../src/ethereum/track.ts'
import '../../../src/ethereum/transaction.ts'
import { resolveConfig } from '../../../src/app/config.ts'
import { createNode } from '../../../src/ethereum/rpc.ts'
import { parseTransaction as parseRequest, withSender } from '../../../src/ethereum/transaction.ts'
import type { BalanceChanges, TransactionPreview } from '../../../src/signing/preview.ts'
import { loadReview } from '../../../src/signing/transaction/review.ts'
import { fakeNode, type NodeAnswer } from '../../support/chain-node.ts'
import { testClock } from '../../support/clock.ts'
import { embeddedKit, ethereumAccount, exampleChain, secondAccount } from '../../support/embedded-kit.ts'
import type { Step } from '../../support/person.ts'
import { type SimulatedCall, simulationAnswer, transferLog } from '../../support/simulated.ts'

const { address } = ethereumAccount
const to = secondAccount.address
const token = '0x00000000000000000000000000000000000000AA'
const USDC = { [token.toLowerCase()]: { symbol: 'USDC', decimals: 6 } }
const blockHash = `0x${'b0'.repeat(32)}`
const gwei = 10n ** 9n
const hex = (value: bigint | number) => `0x${value.toString(16)}`
const host = {
  supportedChains: [exampleChain()],
}
const abi = parseAbi(['function transfer(address to, uint256 amount)'])
const transferOf = (amount: bigint) => ({
  to: token,
  value: '0x0',
  data: encodeFunctionData({ abi, functionName: 'transfer', args: [to, amount] }),
})

interface Network {
  simulation: SimulatedCall | 'none' | 'refused'
  baseFee: bigint
  balance: bigint
  nonce: number
  gas: number
  /** Logs of the receipt. */
  logs: readonly object[]
  chainId: number
}

function setUp(given: Partial<Network> = {}, more: Parameters<typeof embeddedKit>[0] = {}) {
  const network: Network = {
    simulation: 'none',
    baseFee: gwei,
    balance: 10n ** 19n,
    nonce: 7,
    gas: 21_000,
    logs: [],
    chainId: 1,
    ...given,
  }
  let hash = ''
  const node = fakeNode({
    eth_chainId: () => ({ result: hex(network.chainId) }),
    eth_simulateV1: (params): NodeAnswer => {
      if (network.simulation === 'none')
        return { error: { code: -32601, message: 'the method eth_simulateV1 does not exist' } }
      if (network.simulation === 'refused') return { error: { code: -32000, message: 'try later' } }
      return simulationAnswer(params, network.simulation)
    },
    eth_getBlockByNumber: (params) => ({
      result:
        params[0] === 'latest'
          ? { gasLimit: '0x1c9c380', baseFeePerGas: hex(network.baseFee) }
          : { hash: blockHash, transactions: [hash] },
    }),
    eth_getBalance: () => ({ result: hex(network.balance) }),
    eth_getTransactionCount: () => ({ result: hex(network.nonce) }),
    eth_estimateGas: () => ({ result: hex(network.gas) }),
    eth_blockNumber: '0x10',
    eth_sendRawTransaction(params) {
      hash = keccak256(params[0] as `0x${string}`)
      return { result: hash }
    },
    eth_getTransactionReceipt: () => ({
      result: {
        transactionHash: hash,
        status: '0x1',
        blockNumber: '0x10',
        blockHash,
        from: address.toLowerCase(),
        to: token.toLowerCase(),
        gasUsed: '0x5208',
        effectiveGasPrice: '0x77359400',
        logs: network.logs,
      },
    }),
  })
  const set = embeddedKit({ host, fetch: node.fetch, ...more })
  set.login()
  const seen: TransactionPreview[] = []
  const props: Record<string, unknown>[] = []
  const see = (answer: unknown, then?: () => void): Step => ({
    on: 'approve-transaction',
    expect: (given) => {
      props.push(given)
      seen.push(given.preview as TransactionPreview)
      then?.()
    },
    answer,
  })
  /** Result of a request; a pending one has none. */
  const settledOf = (done: Promise<{ code: number } | undefined>) =>
    Promise.race([done, new Promise<undefined>((resolve) => setTimeout(resolve, 0))])
  const send = async (script: Step[], fields: object = { to, value: '0x16345785d8a0000' }) => {
    const done = set
      .provider()
      .request({ method: 'eth_sendTransaction', params: [{ from: address, ...fields }] })
      .then(
        () => undefined,
        (error: { code: number }) => error,
      )
    await set.person.follow([...script, { wait: 2_000 }])
    return settledOf(done)
  }
  const sent = () =>
    node.asked
      .filter(({ method }) => method === 'eth_sendRawTransaction')
      .map(({ params }) => parseTransaction(params[0] as `0x02${string}`))
  const count = (method: string) => node.methods().filter((each) => each === method).length
  return { ...set, network, node, send, see, seen, props, sent, count }
}
const kitConfig = () => resolveConfig(host, { name: 'Harbor', loginMethods: new Set(), raw: {} } as never)
const codes = ({ warnings }: TransactionPreview) => warnings.map(({ code }) => code)
const later: Step = { wait: 16_000 }

describe('review: simulation', () => {
  test('balance changes are displayed with the figures of the token’s own contract', async () => {
    const { send, see, seen } = setUp({
      simulation: { logs: [transferLog(token, address, to, 1_500_000n)], tokens: USDC },
    })
    await send([see('approve')], transferOf(1_500_000n))
    const asset = { symbol: 'USDC', decimals: 6 }
    expect(seen[0]?.balanceChanges).toEqual({
      out: [{ amount: 1_500_000n, token, asset }],
      in: [],
      allowances: [],
      isComplete: true,
    })
    expect(seen[0]?.actions).toMatchObject([{ kind: 'token', asset }])
  })

  test.each([
    ['none', 'unavailable'],
    ['refused', 'unanswered'],
  ] as const)(
    'a node that can’t simulate (%s) is said to, and the transaction can be sent',
    async (simulation, said) => {
      const { send, see, seen, sent } = setUp({ simulation })
      await send([see('approve')])
      expect(seen[0]?.balanceChanges).toBe(said)
      expect(codes(seen[0] as TransactionPreview)).toEqual([])
      expect(sent()).toHaveLength(1)
    },
  )

  test('a simulation that never comes is waited for 8 s', async () => {
    const { fetch } = fakeNode()
    const { send, see, seen } = setUp(
      {},
      {
        fetch: async (url, init) =>
          String(init?.body).includes('eth_simulateV1')
            ? new Promise((_, reject) =>
                init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
              )
            : fetch(url, init),
      },
    )
    await send([{ wait: 8_000 }, see('cancel')])
    expect(seen[0]?.balanceChanges).toBe('unanswered')
  })

  test('one that fails displays its reason, and is sent once for each approval', async () => {
    const { send, see, seen, sent } = setUp({
      simulation: { error: { code: 3, message: 'execution reverted: not today' } },
    })
    await send([see('approve')], { ...transferOf(5n), gas: '0x186a0' })
    expect(seen[0]?.warnings).toContainEqual({ code: 'reverts', severity: 'danger', reason: 'not today' })
    expect(seen[0]?.balanceChanges).toBe('failed')
    expect(sent()).toHaveLength(1)
  })

  test('an approval within 15 s repeats nothing', async () => {
    const { send, see, count } = setUp({ simulation: {} })
    await send([see(undefined), { wait: 14_000 }, see('approve')])
    expect(count('eth_simulateV1')).toBe(1)
  })

  test('an approval after 15 s repeats it, and signs what was shown where nothing has changed', async () => {
    const { send, see, count, sent, seen } = setUp({ simulation: {} })
    await send([see(undefined), later, see('approve')])
    expect(count('eth_simulateV1')).toBe(2)
    expect(seen).toHaveLength(2)
    expect(sent()).toHaveLength(1)
  })

  test('a renewed quote moves the amount, which has to be approved again', async () => {
    const quote = (amount: bigint) => ({ logs: [transferLog(token, to, address, amount)], tokens: USDC })
    const { send, see, seen, props, sent, network } = setUp({ simulation: quote(2_000_000n) })
    await send([
      see(undefined),
      later,
      see('approve', () => {
        network.simulation = quote(1_000_000n)
      }),
      see('approve'),
    ])
    const comes = seen.map(({ balanceChanges }) => (balanceChanges as BalanceChanges).in[0]?.amount)
    expect(comes).toEqual([2_000_000n, 2_000_000n, 1_000_000n])
    expect(props.map(({ notice }) => notice)).toEqual([undefined, undefined, 'renewed'])
    expect(sent()).toHaveLength(1)
  })
})

describe('review: between reading and pressing', () => {
  test.each<[string, (network: Network) => void, object]>([
    [
      'a base fee above the fee that was shown',
      (now) => (now.baseFee = 4n * gwei),
      { maxFeePerGas: 9n * gwei },
    ],
    ['a nonce that another tab has used', (now) => (now.nonce = 8), { nonce: 8 }],
    ['more gas than the limit that was shown', (now) => (now.gas = 42_000), { gas: 42_000n }],
  ])('%s: the new figures are displayed and signed', async (_, change, expected) => {
    const { send, see, seen, props, sent, network } = setUp({ simulation: {} })
    await send([see(undefined), later, see('approve', () => change(network)), see('approve')])
    expect(props.at(-1)?.notice).toBe('renewed')
    const [signed, ...more] = sent()
    expect(more).toEqual([])
    expect(signed).toMatchObject(expected)
    const { gas = 0n, maxFeePerGas = 0n } = signed ?? {}
    expect(seen.at(-1)?.fee).toBe(gas * maxFeePerGas)
  })

  test('a base fee that the fee still covers changes nothing', async () => {
    const { send, see, seen, sent, network } = setUp({ simulation: {} })
    await send([see(undefined), later, see('approve', () => (network.baseFee = 3n * gwei))])
    expect(sent()).toMatchObject([{ maxFeePerGas: 3n * gwei }])
    expect(seen).toHaveLength(2)
  })

  test('a balance that is gone: nothing is signed', async () => {
    const { send, see, seen, sent, network, person } = setUp({ simulation: {} })
    await send([see(undefined), later, see('approve', () => (network.balance = 1n)), see(undefined)])
    expect(seen.at(-1)?.isUnderfunded).toBe(true)
    expect(sent()).toEqual([])
    person.close()
  })

  test('a node that has become another chain’s: nothing is sent', async () => {
    const { send, see, sent, network } = setUp({ simulation: {} })
    await send([
      see(undefined),
      later,
      see('approve', () => {
        network.chainId = 5
      }),
      { on: 'transaction-failed', close: true },
    ])
    expect(sent()).toEqual([])
  })

  test('another chain that the page switches to is none of the transaction’s', async () => {
    const chains = [...host.supportedChains, { ...host.supportedChains[0], id: 10, name: 'OP Mainnet' }]
    const { send, see, sent, provider } = setUp(
      { simulation: {} },
      { host: { supportedChains: chains } as never },
    )
    const change = () =>
      void provider().request({ method: 'wallet_switchEthereumChain', params: [{ chainId: '0xa' }] })
    await send([see(undefined, change), see('approve')])
    expect(sent()).toMatchObject([{ chainId: 1 }])
  })

  test('a user who logs out meanwhile signs nothing', async () => {
    const { send, see, sent, logout } = setUp({ simulation: {} })
    const error = await send([see(undefined, logout)])
    expect(error?.code).toBe(4900)
    expect(sent()).toEqual([])
  })
})

describe('review: fees', () => {
  const withTips = (more: Partial<Network> = {}) => setUp({ simulation: {}, ...more })

  test('the levels are offered with the most that each costs, and the usual one is chosen', async () => {
    const { send, see, seen } = withTips()
    await send([see('cancel')])
    // Tips around the node's advice of 1 gwei, over a base fee of 1 gwei.
    expect(seen[0]?.fees).toEqual({
      chosen: 'usual',
      levels: [
        { speed: 'slow', fee: 21_000n * 2_050_000_000n },
        { speed: 'usual', fee: 21_000n * 3_000_000_000n },
        { speed: 'fast', fee: 21_000n * 4_000_000_000n },
      ],
      own: { maxFeePerGas: 3n * gwei, maxPriorityFeePerGas: gwei },
    })
  })

  test('another level changes fee and total, and is what is signed', async () => {
    const { send, see, seen, sent } = withTips()
    await send([see({ edited: { fees: 'fast' } }), see('approve')])
    expect(seen[1]).toMatchObject({
      fee: 21_000n * 4n * gwei,
      total: 10n ** 17n + 21_000n * 4n * gwei,
      fees: { chosen: 'fast' },
    })
    expect(sent()).toMatchObject([{ maxFeePerGas: 4n * gwei, maxPriorityFeePerGas: (3n * gwei) / 2n }])
  })

  test('own fees are signed to the last unit; one below the base fee is warned of', async () => {
    const { send, see, seen, sent } = withTips()
    const fees = { maxFeePerGas: gwei - 1n, maxPriorityFeePerGas: 7n }
    await send([see({ edited: { fees } }), see('approve')])
    expect(seen[1]?.fees).toMatchObject({ chosen: 'own', own: fees })
    expect(codes(seen[1] as TransactionPreview)).toEqual(['low-fee'])
    expect(sent()).toMatchObject([fees])
  })

  test('a fee that makes the wallet short says by how much, and a lower one mends it', async () => {
    const value = 10n ** 17n
    const { send, see, seen, sent } = withTips({ balance: value + 21_000n * 3n * gwei })
    await send([see({ edited: { fees: 'fast' } }), see({ edited: { fees: 'slow' } }), see('approve')])
    expect(seen.map(({ missing }) => missing)).toEqual([undefined, 21_000n * gwei, undefined])
    expect(sent()).toHaveLength(1)
  })

  test('an absurd fee, and a tip above the whole, are refused without an end to the request', async () => {
    const { send, see, seen, props, sent } = withTips()
    await send([
      see({ edited: { fees: { maxFeePerGas: 10n ** 15n, maxPriorityFeePerGas: 1n } } }),
      see({ edited: { fees: { maxFeePerGas: 1n, maxPriorityFeePerGas: 2n } } }),
      see('approve'),
    ])
    expect(props.map(({ notice }) => notice)).toEqual([undefined, 'fees-refused', 'fees-refused'])
    expect(new Set(seen.map(({ fee }) => fee)).size).toBe(1)
    expect(sent()).toMatchObject([{ maxFeePerGas: 3n * gwei }])
  })

  test('a fee that dwarfs the amount needs a confirmation of its own', async () => {
    const { send, see, seen } = withTips({ gas: 1_000_000 })
    await send([see('cancel')], { to, value: hex(10n ** 14n) })
    expect(seen[0]?.feeConcern).toBe('share')
  })

  test('a fee that needs a confirmation is not signed without a screen, and the host learns why', async () => {
    const { send, sent, sendForHost, configure } = withTips({ gas: 1_000_000 })
    configure({ ...host, embeddedWallets: { showWalletUIs: false } })
    const transaction = { to, value: hex(10n ** 14n), chainId: 1 }
    await expect(sendForHost(transaction)).rejects.toMatchObject({
      code: 'approval_required',
      data: { fee: String(1_000_000n * 3n * gwei) },
    })
    expect(await send([], { to, value: hex(10n ** 14n) })).toBeDefined()
    expect(sent()).toEqual([])
  })

  test('fees that the page has named are not changed', async () => {
    const { send, see, seen } = withTips()
    await send([see('cancel')], {
      to,
      value: '0x1',
      maxFeePerGas: hex(5n * gwei),
      maxPriorityFeePerGas: hex(gwei),
    })
    expect(seen[0]?.fees).toBeUndefined()
  })

  test('a chosen level stays through a renewed review', async () => {
    const { send, see, sent, network } = withTips()
    await send([
      see({ edited: { fees: 'fast' } }),
      see(undefined),
      later,
      see('approve', () => (network.baseFee = 5n * gwei)),
      see('approve'),
    ])
    expect(sent()).toMatchObject([{ maxFeePerGas: (25n * gwei) / 2n + (3n * gwei) / 2n }])
  })
})

describe('review: prices', () => {
  test('the coin and the tokens that move have theirs; a price that doesn’t come is waited for 300 ms', async () => {
    const clock = testClock()
    const asked: unknown[] = []
    const node = fakeNode({
      eth_simulateV1: (params) =>
        simulationAnswer(params, { logs: [transferLog(token, address, to, 5n)], tokens: USDC }),
    })
    const prices = {
      async of(asset: object) {
        asked.push(asset)
        return { units: 'token' in asset ? 1n : 2_500n, scale: 0, at: clock.now() }
      },
    }
    const options = {
      chains: kitConfig(),
      node: createNode({ url: 'https://node.example', fetch: node.fetch, clock }),
      signal: new AbortController().signal,
    }
    const request = withSender(parseRequest({ ...transferOf(5n), chainId: 1 }), address)
    const found = await loadReview({ request }, { ...options, review: { clock, prices } })
    expect(found.prices).toEqual({ coin: 2_500, tokens: { [token]: 1 } })
    expect(asked).toEqual([
      { chain: 'eip155:1', symbol: 'ETH' },
      { chain: 'eip155:1', token, decimals: 6 },
    ])
    expect(JSON.stringify(asked)).not.toContain(address)
    const silent = { of: () => new Promise<undefined>(() => {}) }
    const waiting = loadReview({ request }, { ...options, review: { clock, prices: silent } })
    await clock.advance(300)
    expect((await waiting).prices).toBeUndefined()
  })
})

describe('review: receipt', () => {
  const moved = (amount: bigint) => transferLog(token, address, to, amount)
  const receiptLog = (amount: bigint) => ({ ...moved(amount), logIndex: '0x0', blockHash })
  const simulation = { logs: [moved(7n)], tokens: USDC }

  test.each([
    ['the same amount', 7n, undefined],
    ['another amount', 9n, true],
  ])('%s moved: the receipt says so where it differs', async (_, amount, expected) => {
    const { send, see, person } = setUp({ simulation, logs: [receiptLog(amount)] })
    const receipts: unknown[] = []
    await send(
      [
        see('approve'),
        {
          on: 'transaction-receipt',
          expect: ({ isDifferent }) => receipts.push(isDifferent),
        },
      ],
      transferOf(7n),
    )
    expect(receipts).toEqual([expected])
    person.close()
  })

  test('without a simulation nothing is compared', async () => {
    const { send, see, person } = setUp({ logs: [receiptLog(9n)] })
    const receipts: unknown[] = []
    await send(
      [
        see('approve'),
        { on: 'transaction-receipt', expect: ({ isDifferent }) => receipts.push(isDifferent) },
      ],
      transferOf(7n),
    )
    expect(receipts).toEqual([undefined])
    person.close()
  })
})
