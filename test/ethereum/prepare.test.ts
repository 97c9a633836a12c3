import { encodeErrorResult, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import { type PrepareOptions, prepareTransaction } from '../../src/ethereum/prepare-transaction.ts'
import { createNode } from '../../src/ethereum/rpc.ts'
import { parseTransaction, withSender } from '../../src/ethereum/transaction.ts'
import { InvalidRequest } from '../../src/lib/invalid-request.ts'
import { fakeNode } from '../support/chain-node.ts'
import { settled, testClock } from '../support/clock.ts'

const from = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const oracle = '0x420000000000000000000000000000000000000F'
const gwei = 1_000_000_000n
const balance = 0x8ac7230489e80000n

function prepare(
  answers: Parameters<typeof fakeNode>[0] = {},
  fields: object = {},
  options: PrepareOptions = {},
  chainId = 1,
) {
  const { fetch, methods } = fakeNode(answers)
  const node = createNode({ url: 'https://node.example/', fetch, clock: testClock() })
  const request = withSender(parseTransaction({ to, value: '0x1', ...fields }, { chainId }), from)
  return { methods, prepared: prepareTransaction(node, request, options) }
}
const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`
const history = { reward: [['0x3b9aca00', '0x77359400', '0xb2d05e00']] }

describe('prepare: nonce', () => {
  test.each([
    ['what is pending counts', '0x9', '0x7', 9n],
    ['a node that forgets what is pending does not repeat a mined one', '0x0', '0x7', 7n],
  ])('%s', async (_, pending, latest, nonce) => {
    const { prepared } = prepare({
      eth_getTransactionCount: ([, block]) => ({ result: block === 'pending' ? pending : latest }),
    })
    expect((await prepared).transaction.nonce).toBe(nonce)
  })
})

test('prepare: everything is asked at once, so that nobody waits for one answer after the other', async () => {
  const { fetch, methods } = fakeNode({ eth_feeHistory: history })
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  const node = createNode({
    url: 'https://node.example/',
    clock: testClock(),
    async fetch(url, init) {
      const response = await fetch(url, init)
      await held
      return response
    },
  })
  const request = withSender(parseTransaction({ to, value: '0x1', data: '0xfe' }, { chainId: 1 }), from)
  const prepared = prepareTransaction(node, request)
  await settled()
  const first = methods().sort()
  answer()
  await prepared
  expect(methods().sort()).toEqual(first)
  expect(first).toEqual([
    'eth_chainId',
    'eth_estimateGas',
    'eth_feeHistory',
    'eth_getBalance',
    'eth_getBlockByNumber',
    'eth_getTransactionCount',
    'eth_getTransactionCount',
  ])
})

describe('prepare: fees', () => {
  test('levels come from the tips of the last blocks, each with its most and its likely cost', async () => {
    const { prepared } = prepare({ eth_feeHistory: history })
    const { levels, fee, likelyFee, transaction } = await prepared
    expect(levels).toEqual({
      slow: {
        perGas: { type: 2, maxFeePerGas: (gwei * 9n) / 4n, maxPriorityFeePerGas: gwei },
        most: (21_000n * gwei * 9n) / 4n,
        likely: 21_000n * 2n * gwei,
      },
      usual: {
        perGas: { type: 2, maxFeePerGas: 4n * gwei, maxPriorityFeePerGas: 2n * gwei },
        most: 21_000n * 4n * gwei,
        likely: 21_000n * 3n * gwei,
      },
      fast: {
        perGas: { type: 2, maxFeePerGas: (gwei * 11n) / 2n, maxPriorityFeePerGas: 3n * gwei },
        most: (21_000n * gwei * 11n) / 2n,
        likely: 21_000n * 4n * gwei,
      },
    })
    expect([fee, likelyFee, transaction.maxFeePerGas]).toEqual([
      levels?.usual.most,
      levels?.usual.likely,
      4n * gwei,
    ])
  })

  test('likely cost counts the gas that is used, most cost the limit', async () => {
    const { prepared } = prepare({ eth_estimateGas: '0x186a0' }, { data: '0xfe' })
    expect(await prepared).toMatchObject({ fee: 120_000n * 3n * gwei, likelyFee: 100_000n * 2n * gwei })
  })

  test('a node without a fee history advises one tip, or else a gas price', async () => {
    const refused = () => ({ error: { code: -32_601, message: 'the method does not exist' } })
    const { prepared } = prepare({ eth_maxPriorityFeePerGas: refused, eth_gasPrice: '0x9502f900' })
    expect((await prepared).transaction.maxPriorityFeePerGas).toBe(1_500_000_000n)
    const none = prepare({ eth_maxPriorityFeePerGas: refused, eth_gasPrice: refused })
    expect((await none.prepared).transaction.maxPriorityFeePerGas).toBe(gwei)
  })

  test.each([
    ['a level', 'fast' as const, {}, { maxFeePerGas: (gwei * 11n) / 2n }],
    [
      'fees of the user’s own',
      { maxFeePerGas: 7n * gwei, maxPriorityFeePerGas: 1n },
      {},
      { maxFeePerGas: 7n * gwei, maxPriorityFeePerGas: 1n },
    ],
    [
      'a level in place of the page’s fees',
      'usual' as const,
      { gasPrice: '0x1' },
      { gasPrice: undefined, maxFeePerGas: 4n * gwei },
    ],
  ])('%s is the user’s choice', async (_, fees, fields, expected) => {
    const { transaction, levels } = await prepare({ eth_feeHistory: history }, fields, { fees }).prepared
    expect(transaction).toMatchObject(expected)
    expect(levels?.usual.perGas).toMatchObject({ maxFeePerGas: 4n * gwei })
  })

  test('fees that the page has set leave nothing to choose', async () => {
    const { levels, transaction } = await prepare({}, { gasPrice: '0x5' }).prepared
    expect([levels, transaction.gasPrice]).toEqual([undefined, 5n])
  })

  test('EIP-1559 on a chain without base fees is an invalid request', async () => {
    const { prepared } = prepare({ eth_getBlockByNumber: { gasLimit: '0x1c9c380' } }, { type: 2 })
    await expect(prepared).rejects.toThrow(InvalidRequest)
  })

  test('Arbitrum pays no tip, and its node isn’t asked for one', async () => {
    const { prepared, methods } = prepare({ eth_chainId: '0xa4b1' }, {}, {}, 42_161)
    const { model, transaction } = await prepared
    expect([model, transaction.maxPriorityFeePerGas, transaction.maxFeePerGas]).toEqual([
      'arbitrum',
      0n,
      2n * gwei,
    ])
    expect(methods()).not.toContain('eth_maxPriorityFeePerGas')
  })
})

describe('prepare: levels beside named fees', () => {
  const named = { maxFeePerGas: '0x5', maxPriorityFeePerGas: '0x4' }

  test('levels: they are named where they are wanted, and the named fees stay', async () => {
    const { prepared, methods } = prepare({ eth_feeHistory: history }, named, { offersLevels: true })
    const { levels, transaction } = await prepared
    expect(levels?.usual.perGas).toEqual({
      type: 2,
      maxFeePerGas: 4n * gwei,
      maxPriorityFeePerGas: 2n * gwei,
    })
    expect(transaction).toMatchObject({ maxFeePerGas: 5n, maxPriorityFeePerGas: 4n })
    expect(methods()).toContain('eth_feeHistory')
  })

  test('levels: those of a transaction with a gas price are gas prices', async () => {
    const { levels, transaction } = await prepare({}, { gasPrice: '0x5' }, { offersLevels: true }).prepared
    expect(levels?.fast.perGas).toEqual({ type: 0, gasPrice: (2n * gwei * 5n) / 4n })
    expect(transaction.gasPrice).toBe(5n)
  })

  test('levels: a node that names none keeps nothing from being prepared', async () => {
    const refused = () => ({ error: { code: -32601, message: 'no' } })
    const { levels, fee } = await prepare(
      { eth_gasPrice: refused },
      { gasPrice: '0x5' },
      { offersLevels: true },
    ).prepared
    expect([levels, fee]).toEqual([undefined, 21_000n * 5n])
  })
})

describe('prepare: funds', () => {
  test.each([
    ['a chain without a fee of its operator', undefined, 0n],
    ['an older contract', '0x', 0n],
    ['a constant', (_: bigint) => 1_000n, 1_000n],
    ['a part for each million of gas', (gas: bigint) => (gas * 5_000_000n) / 1_000_000n, 105_000n],
    ['both', (gas: bigint) => gas * 5n + 1_000n, 106_000n],
    ['a hundredfold scalar, as since Jovian', (gas: bigint) => gas * 700n + 9n, 14_700_009n],
    ['a part that isn’t whole', (gas: bigint) => (gas * 3n) / 1_000_000n, 1n],
  ])('maximum on the OP stack: the balance less gas, layer 1 and operator: %s', async (_, of, operator) => {
    const layerOne = 123_456_789n
    const { prepared } = prepare(
      {
        eth_call([call]) {
          const { data } = call as { data: string }
          if (data.startsWith('0x49948e0e')) return { result: word(layerOne) }
          if (of === undefined) return { error: { code: 3, message: 'execution reverted' } }
          return { result: typeof of === 'string' ? of : word(of(BigInt(`0x${data.slice(10)}`))) }
        },
      },
      {},
      { gasPriceOracle: oracle },
    )
    const beside = layerOne + operator
    expect(await prepared).toMatchObject({
      model: 'op-stack',
      balance,
      layerOneFee: beside,
      fee: 21_000n * 3n * gwei + beside,
      likelyFee: 21_000n * 2n * gwei + beside,
      maxSendable: balance - 21_000n * 3n * gwei - beside,
    })
  })

  test('an operator fee that a node doesn’t say is named as a doubt', async () => {
    const { prepared } = prepare(
      {
        eth_call: ([call]) =>
          (call as { data: string }).data.startsWith('0x49948e0e')
            ? { result: word(1n) }
            : { error: { code: -32_005, message: 'limit exceeded' } },
      },
      {},
      { gasPriceOracle: oracle },
    )
    expect((await prepared).simulationError).toMatchObject({ code: -32_005 })
  })

  test('a shortage is named to the last unit, with the node’s refusal and without', async () => {
    const cost = 10n ** 18n + 21_000n * 3n * gwei
    const value = `0x${(10n ** 18n).toString(16)}`
    const short = prepare({ eth_getBalance: '0x5' }, { value })
    expect(await short.prepared).toMatchObject({ isUnderfunded: true, missing: cost - 5n })
    const refused = prepare(
      {
        eth_getBalance: '0x5',
        eth_estimateGas: ([call]) =>
          (call as { value: string }).value === '0x0'
            ? { result: '0x5208' }
            : { error: { code: -32_000, message: 'insufficient funds for transfer' } },
      },
      { value },
    )
    expect(await refused.prepared).toMatchObject({
      isUnderfunded: true,
      missing: cost - 5n,
      maxSendable: 0n,
      reason: { kind: 'insufficient-funds' },
    })
  })

  test('enough to the last unit is enough', async () => {
    const fee = 21_000n * 3n * gwei
    const { prepared } = prepare({ eth_getBalance: `0x${(fee + 1n).toString(16)}` })
    expect(await prepared).toMatchObject({ isUnderfunded: false, missing: 0n, maxSendable: 1n })
  })
})

describe('prepare: the reason of a failure', () => {
  const errors = parseAbi(['error Error(string)', 'error Panic(uint256)', 'error NotYours(address who)'])
  const encode = (errorName: string, args: unknown[]) =>
    encodeErrorResult({ abi: errors, errorName, args } as never)
  test.each<[string, { code: number; message: string; data?: unknown }, object]>([
    [
      'words of the contract',
      { code: 3, message: 'execution reverted', data: encode('Error', ['not your\u202e token\n']) },
      { kind: 'reverted', message: 'not your token' },
    ],
    [
      'words of the node',
      { code: 3, message: 'execution reverted: paused' },
      { kind: 'reverted', message: 'paused' },
    ],
    [
      'a panic',
      { code: 3, message: 'execution reverted', data: encode('Panic', [0x11n]) },
      { kind: 'reverted', panic: 0x11n, message: 'A calculation went beyond the range of its numbers' },
    ],
    [
      'a custom error by its selector',
      { code: -32_000, message: 'reverted', data: { originalError: { data: encode('NotYours', [from]) } } },
      { kind: 'reverted', selector: encode('NotYours', [from]).slice(0, 10) },
    ],
    [
      'an error whose bytes are no text',
      { code: 3, message: 'execution reverted', data: `0x08c379a0${'ff'.repeat(64)}` },
      { kind: 'reverted', selector: '0x08c379a0' },
    ],
    ['no words', { code: 3, message: 'execution reverted', data: '0x' }, { kind: 'reverted' }],
    ['a missing method', { code: -32_601, message: 'no such method' }, { kind: 'method-unavailable' }],
    ['a nonce', { code: -32_000, message: 'nonce too low: next 5, tx 3' }, { kind: 'nonce-too-low' }],
    [
      'a base fee',
      { code: -32_000, message: 'max fee per gas less than block base fee' },
      { kind: 'fee-too-low' },
    ],
    ['too little gas', { code: -32_000, message: 'intrinsic gas too low' }, { kind: 'gas-too-low' }],
    ['a stranger', { code: -1, message: 'hm' }, { kind: 'unknown', message: 'hm' }],
  ])('%s', async (_, error, reason) => {
    const { prepared } = prepare({ eth_estimateGas: () => ({ error }) }, { data: '0xfe' })
    const { reason: found, simulationError } = await prepared
    expect(found).toEqual(expect.objectContaining(reason))
    expect(simulationError).toMatchObject({ code: error.code, message: error.message })
  })
})
