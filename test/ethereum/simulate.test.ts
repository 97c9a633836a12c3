/** What anvil's `eth_simulateV1` says of each kind of transaction, and what is believed of a node that answers otherwise. */
import {
  createTestClient,
  encodeFunctionData,
  http,
  maxUint256,
  parseAbi,
  publicActions,
  walletActions,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Anvil } from '../../demo/world/chains/anvil.ts'
import { parseReceipt } from '../../src/ethereum/receipt.ts'
import { createNode } from '../../src/ethereum/rpc.ts'
import { compareWithReceipt, isStale, type Simulation, simulate } from '../../src/ethereum/simulate.ts'
import { parseTransaction, withSender } from '../../src/ethereum/transaction.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { fakeNode } from '../support/chain-node.ts'
import { startChain } from '../support/chains.ts'
import { testClock } from '../support/clock.ts'
import { tokenCode } from './support/token-code.ts'

const me = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const party = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const token = '0x00000000000000000000000000000000000000AA'
const abi = parseAbi([
  'function mint(uint256 amount)',
  'function transfer(address to, uint256 amount)',
  'function approve(address spender, uint256 amount)',
  'function setApprovalForAll(address operator, bool approved)',
  'function safeTransferFrom(address from, address to, uint256 token)',
  'function safeTransferFrom(address from, address to, uint256 token, uint256 amount, bytes data)',
  'function deposit()',
  'function withdraw(uint256 amount)',
  'function pretend(uint256 amount)',
  'function transferOwnership(address to)',
])
const encode = (functionName: string, ...args: unknown[]) =>
  encodeFunctionData({ abi, functionName, args } as never)
const requestOf = (fields: object) =>
  withSender(parseTransaction({ to: token, ...fields }, { chainId: 31_337 }), me)
const TST = { kind: 'token', address: token, symbol: 'TST', decimals: 6 }

describe('simulation on anvil', () => {
  let anvil: Anvil
  beforeAll(async () => {
    anvil = await startChain(31_337)
    await chain().setCode({ address: token, bytecode: tokenCode })
    await send({ data: encode('mint', 100n) })
  })
  afterAll(() => anvil?.close())

  const chain = () =>
    createTestClient({ mode: 'anvil', transport: http(anvil.url) })
      .extend(publicActions)
      .extend(walletActions)
  const node = () =>
    createNode({ url: anvil.url, fetch: (url, init) => fetch(url, init), clock: systemClock })
  const run = async (fields: object) => {
    const result = await simulate(node(), requestOf(fields), { now: () => 5 })
    if (result.outcome === 'unavailable') throw new Error('anvil has eth_simulateV1')
    return result
  }
  async function send({ data, value = 0n }: { data: `0x${string}`; value?: bigint }) {
    const hash = await chain().sendTransaction({ account: me, to: token, data, value, chain: null })
    await chain().waitForTransactionReceipt({ hash })
    const receipt = await node().ask('eth_getTransactionReceipt', [hash])
    return parseReceipt(receipt, { hashes: [hash], from: me })
  }
  const lists = ({ leaves, comes, allowances }: Simulation) => ({ leaves, comes, allowances })

  test.each<[string, object, Partial<ReturnType<typeof lists>>]>([
    [
      'coins',
      { to: party, value: '0x5' },
      { leaves: [{ kind: 'native', token: undefined, id: undefined, amount: 5n, parties: [party] }] },
    ],
    [
      'ERC-20',
      { data: encode('transfer', party, 7n) },
      { leaves: [{ kind: 'erc20', token, id: undefined, amount: 7n, parties: [party] }] },
    ],
    [
      'ERC-20 that comes',
      { data: encode('mint', 9n) },
      {
        comes: [{ kind: 'erc20', token, id: undefined, amount: 9n, parties: [`0x${'0'.repeat(40)}`] }],
      },
    ],
    [
      'ERC-721',
      { data: encode('safeTransferFrom', me, party, 3n) },
      { leaves: [{ kind: 'erc721', token, id: 3n, amount: 1n, parties: [party] }] },
    ],
    [
      'ERC-1155',
      { data: encode('safeTransferFrom', me, party, 3n, 4n, '0x') },
      { leaves: [{ kind: 'erc1155', token, id: 3n, amount: 4n, parties: [party] }] },
    ],
    [
      'an allowance',
      { data: encode('approve', party, 8n) },
      {
        allowances: [
          { kind: 'amount', token, spender: party, amount: 8n, isUnlimited: false, isPermit2: false },
        ],
      },
    ],
    [
      'an allowance without limit',
      { data: encode('approve', party, maxUint256) },
      {
        allowances: [
          { kind: 'amount', token, spender: party, amount: maxUint256, isUnlimited: true, isPermit2: false },
        ],
      },
    ],
    [
      'an allowance for everything',
      { data: encode('setApprovalForAll', party, true) },
      {
        allowances: [{ kind: 'all', token, spender: party, amount: 1n, isUnlimited: true, isPermit2: false }],
      },
    ],
    [
      'coins that are wrapped',
      { data: encode('deposit'), value: '0x9' },
      {
        leaves: [{ kind: 'native', token: undefined, id: undefined, amount: 9n, parties: [token] }],
        comes: [{ kind: 'erc20', token, id: undefined, amount: 9n, parties: [token] }],
      },
    ],
    ['a deposit that the balance doesn’t show', { data: encode('pretend', 9n) }, {}],
  ])('%s', async (_, fields, expected) => {
    const result = await run(fields)
    expect(lists(result)).toEqual({ leaves: [], comes: [], allowances: [], ...expected })
    expect(result).toMatchObject({
      status: 'success',
      isComplete: true,
      at: 5,
      blockNumber: expect.any(BigInt),
      baseFee: expect.any(BigInt),
    })
    const hasToken = [...result.leaves, ...result.comes, ...result.allowances].some((each) => each.token)
    expect(result.tokens).toEqual(hasToken ? { [token]: TST } : {})
  })

  test('coins that are unwrapped come back', async () => {
    await chain().setBalance({ address: token, value: 10n ** 18n })
    expect(lists(await run({ data: encode('withdraw', 4n) }))).toEqual({
      leaves: [{ kind: 'erc20', token, id: undefined, amount: 4n, parties: [token] }],
      comes: [{ kind: 'native', token: undefined, id: undefined, amount: 4n, parties: [token] }],
      allowances: [],
    })
  })

  test('a failure has the contract’s reason, and changes nothing', async () => {
    const result = await run({ data: encode('transfer', party, 10n ** 9n) })
    expect(result).toMatchObject({
      status: 'failed',
      reason: { kind: 'reverted', message: 'not enough' },
      leaves: [],
      comes: [],
      allowances: [],
    })
  })

  test('more coins than the wallet has: it would fail for want of them', async () => {
    const result = await run({ to: party, value: `0x${(10n ** 30n).toString(16)}` })
    expect(result).toMatchObject({ status: 'failed', reason: { kind: 'insufficient-funds' } })
  })

  test.each([
    ['a transfer', { data: encode('transfer', party, 2n) }],
    ['an allowance', { data: encode('approve', party, 3n) }],
    ['wrapped coins', { data: encode('deposit'), value: 6n }],
    ['an ERC-1155', { data: encode('safeTransferFrom', me, party, 3n, 4n, '0x') }],
  ])(
    'the receipt of %s is as shown',
    async (_, { data, value = 0n }: { data: `0x${string}`; value?: bigint }) => {
      const shown = await run({ data, value: `0x${value.toString(16)}` })
      expect(compareWithReceipt(shown, await send({ data, value }), me)).toEqual([])
    },
  )

  test('a receipt that differs is told apart, amount by amount', async () => {
    const shown = await run({ data: encode('transfer', party, 2n) })
    expect(compareWithReceipt(shown, await send({ data: encode('transfer', party, 3n) }), me)).toEqual([
      { list: 'leaves', token, id: undefined, shown: 2n, actual: 3n },
    ])
    expect(compareWithReceipt(shown, await send({ data: encode('approve', party, 3n) }), me)).toEqual([
      { list: 'leaves', token, id: undefined, shown: 2n, actual: 0n },
      { list: 'allowances', token, id: undefined, spender: party, shown: 0n, actual: 3n },
    ])
  })
})

describe('simulation by a scripted node', () => {
  const log = (topics: readonly string[], data = '0x', address: string = token) => ({ address, topics, data })
  const word = (value: string | bigint | number) => `0x${BigInt(value).toString(16).padStart(64, '0')}`
  const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
  const ok = { status: '0x1', returnData: '0x', logs: [] as unknown[], gasUsed: '0x5208' }
  const block = (...calls: unknown[]) => ({ number: '0x10', baseFeePerGas: '0x3b9aca00', calls })

  async function run(answer: unknown, fields: object = { to: party, value: '0x5' }) {
    const { fetch } = fakeNode({
      eth_chainId: '0x7a69',
      eth_simulateV1: () => ((answer as { error?: unknown }).error ? (answer as never) : { result: answer }),
      eth_call: '0x',
    })
    const node = createNode({ url: 'https://node.example/', fetch, clock: testClock() })
    return simulate(node, requestOf(fields), { now: () => 0 })
  }

  test.each([
    [{ code: -32_601, message: 'Method not found' }],
    [{ code: -32_000, message: 'the method eth_simulateV1 does not exist/is not available' }],
    [{ code: -32_600, message: 'Unsupported method: eth_simulateV1' }],
  ])('a node without the method: unavailable (%o)', async (error) => {
    expect(await run({ error })).toEqual({ outcome: 'unavailable' })
  })

  test('coins that the node doesn’t trace are shown all the same', async () => {
    expect(await run([block(ok), block()])).toMatchObject({
      leaves: [{ kind: 'native', amount: 5n, parties: [party] }],
      blockNumber: 16n,
    })
  })

  test('Permit2: allowances of its own, and their end', async () => {
    const event = '0xda9fa7c1b00402c17d0161b249b1ab8bbec047c5a52207b9c112deffd817036b'
    const permit2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
    const data = `0x${word(2n ** 160n - 1n).slice(2)}${word(77).slice(2)}`
    const logs = [log([event, word(me), word(token), word(party)], data, permit2)]
    expect(await run([block({ ...ok, logs }), block()])).toMatchObject({
      allowances: [
        {
          kind: 'amount',
          token,
          spender: party,
          amount: 2n ** 160n - 1n,
          isUnlimited: true,
          isPermit2: true,
          expires: 77n,
        },
      ],
    })
  })

  test('what comes back counts against what leaves', async () => {
    const native = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'
    const logs = [
      log([transfer, word(me), word(party)], word(5), native),
      log([transfer, word(party), word(me)], word(2), native),
    ]
    expect(await run([block({ ...ok, logs }), block()])).toMatchObject({
      leaves: [{ kind: 'native', amount: 3n, parties: [party] }],
      comes: [],
    })
  })

  test('more logs than are read: the lists are incomplete, and say so', async () => {
    const logs = Array.from({ length: 1_001 }, () => log([transfer, word(me), word(party)], word(1)))
    expect(await run([block({ ...ok, logs }), block()])).toMatchObject({ isComplete: false })
  })

  test('other people’s tokens, and topics with dirty upper bytes, are not the wallet’s', async () => {
    const logs = [
      log([transfer, word(party), word(token)], word(1)),
      log([transfer, `0x01${word(me).slice(4)}`, word(party)], word(1)),
      log([transfer, word(me), word(party)], `${word(1)}00`),
    ]
    expect(await run([block({ ...ok, logs }), block()])).toMatchObject({
      leaves: [{ kind: 'native' }],
      comes: [],
    })
  })
})

describe('simulation: stale', () => {
  const fresh = { at: 1_000, baseFee: 800n } as Simulation
  test.each([
    ['at once', 1_000, 800n, false],
    ['before 15 s', 15_999, undefined, false],
    ['after 15 s', 16_000, undefined, true],
    ['when the clock was set back', 999, undefined, true],
    ['when the base fee rose by an eighth', 1_001, 900n, true],
    ['when it rose by less', 1_001, 899n, false],
    ['when it fell by an eighth', 1_001, 700n, true],
  ])('%s', (_, now, baseFee, stale) => {
    expect(isStale(fresh, now, baseFee)).toBe(stale)
  })
})
