import { describe, expect, test } from 'vitest'
import {
  arbitrumLevels,
  bumpFees,
  chosenFees,
  eip1559Levels,
  feeModelOf,
  legacyLevels,
  likelyCost,
  maxSendable,
  mostCost,
  raiseTo,
  readTips,
  settleTips,
} from '../../src/ethereum/fees.ts'
import { InvalidRequest } from '../../src/lib/invalid-request.ts'
import { NodeError } from '../../src/lib/node-errors.ts'

const gwei = (amount: number) => BigInt(amount * 1e9)
const hex = (amount: bigint) => `0x${amount.toString(16)}`
const history = (...rows: bigint[][]) => ({ reward: rows.map((row) => row.map(hex)) })
const tips = (slow: number, usual: number, fast: number) => ({
  slow: gwei(slow),
  usual: gwei(usual),
  fast: gwei(fast),
})

describe('fee model', () => {
  test.each([
    [1, gwei(1), undefined, 'eip1559'],
    [56, undefined, undefined, 'legacy'],
    [10, gwei(1), '0x420000000000000000000000000000000000000F', 'op-stack'],
    [42_161, gwei(1), undefined, 'arbitrum'],
  ])('of chain %i', (chainId, baseFee, oracle, model) => {
    expect(feeModelOf(chainId, baseFee, oracle)).toBe(model)
  })
})

describe('fees: legacy', () => {
  test('never below the node’s gas price, which nodes reject', () => {
    expect(legacyLevels(100n)).toEqual({
      slow: { type: 0, gasPrice: 100n },
      usual: { type: 0, gasPrice: 100n },
      fast: { type: 0, gasPrice: 125n },
    })
  })
  test('access lists keep their type', () => {
    expect(legacyLevels(1n, 1).usual.type).toBe(1)
  })
  test('cost what their gas price says, whatever the base fee is', () => {
    const { usual } = legacyLevels(100n)
    expect([mostCost(usual, 10n), likelyCost(usual, 10n, 1n)]).toEqual([1_000n, 1_000n])
  })
})

describe('fees: EIP-1559', () => {
  test('each level has a tip and a margin above the base fee', () => {
    expect(eip1559Levels(gwei(8), tips(1, 2, 4))).toEqual({
      slow: { type: 2, maxFeePerGas: gwei(11), maxPriorityFeePerGas: gwei(1) },
      usual: { type: 2, maxFeePerGas: gwei(18), maxPriorityFeePerGas: gwei(2) },
      fast: { type: 2, maxFeePerGas: gwei(24), maxPriorityFeePerGas: gwei(4) },
    })
  })
  test('likely cost: the base fee and the tip, at most the max fee', () => {
    const { usual } = eip1559Levels(gwei(8), tips(1, 2, 4))
    expect(likelyCost(usual, 10n, gwei(8))).toBe(gwei(100))
    expect(likelyCost(usual, 10n, gwei(80))).toBe(mostCost(usual, 10n))
  })
  test('tips are the medians of blocks in which anybody paid', () => {
    const rows = [[1, 3, 9].map(gwei), [0n, 0n, 0n], [2, 4, 8].map(gwei), [1, 5, 7].map(gwei)]
    expect(readTips(history(...rows))).toEqual(tips(1, 4, 8))
  })
  test('tips: nobody paid any', () => {
    expect(readTips(history([0n, 0n, 0n]))).toBeUndefined()
    expect(readTips({ baseFeePerGas: ['0x1'] })).toBeUndefined()
  })
  test('tips: a level is never below the one before it', () => {
    expect(readTips(history([9, 2, 1].map(gwei)))).toEqual(tips(2, 2, 2))
  })
  test.each([
    ['no object', 'much'],
    ['rewards that are no list', { reward: 'much' }],
    ['a negative reward', { reward: [['-0x1']] }],
    ['a number for a reward', { reward: [[1]] }],
    ['more blocks than asked', { reward: Array.from({ length: 11 }, () => ['0x1']) }],
  ])('fee history with %s is refused', (_, answer) => {
    expect(() => readTips(answer)).toThrow(NodeError)
  })
})

describe('tips: what blocks paid, what the node advises, and what the chain needs', () => {
  const flat = (amount: number) => tips(amount, amount, amount)
  test.each([
    ['Polygon, quiet, all tips 60', 137, 1, flat(60), 60, flat(60)],
    ['Polygon, tips below its floor', 137, 1, flat(1), 1, tips(25, 25, 25)],
    ['Polygon, nobody paid and the node advises little', 137, 30, undefined, 1, tips(25, 25, 37.5)],
    ['Polygon, without advice', 137, 30, undefined, undefined, tips(25, 25, 37.5)],
    ['Polygon, busy: two witnesses agree on 400', 137, 20, flat(400), 420, flat(400)],
    ['Polygon, blocks of 5,000 against advice of 40', 137, 1, flat(5_000), 40, tips(32, 40, 60)],
    ['Polygon, advice of 5,000 alone', 137, 1, undefined, 5_000, tips(25, 25, 37.5)],
    ['Polygon, both say 50,000', 137, 1, flat(50_000), 50_000, tips(25, 25, 37.5)],
    ['its testnet', 80_002, 1, flat(1), 1, tips(25, 25, 25)],
    ['BNB, tips of 0.01', 56, 0, flat(0.01), 0.01, flat(0.05)],
    ['Ethereum, as ever', 1, 8, tips(1, 2, 4), undefined, tips(1, 2, 4)],
    ['Ethereum, a tip far below one gwei', 1, 1, flat(0.001), undefined, flat(0.001)],
    ['Ethereum, an advice alone', 1, 1, undefined, 10, tips(8, 10, 15)],
    ['Ethereum, an advice of nothing', 1, 1, undefined, 0, flat(0)],
    ['Ethereum, neither', 1, 1, undefined, undefined, tips(0.8, 1, 1.5)],
    ['Ethereum, absurd blocks alone', 1, 1, flat(1_000), undefined, tips(0.8, 1, 1.5)],
    ['Ethereum, absurd blocks and a sober node', 1, 1, flat(1_000), 2, tips(1.6, 2, 3)],
    ['Ethereum, an absurd advice alone', 1, 1, undefined, 1_000, tips(0.8, 1, 1.5)],
    ['Ethereum, both absurd', 1, 1, flat(1_000), 1_000, tips(0.8, 1, 1.5)],
    ['Ethereum, both high, and far apart', 1, 1, flat(200), 90, tips(0.8, 1, 1.5)],
    ['Ethereum, both high, and alike', 1, 1, flat(80), 100, flat(80)],
    ['Ethereum, a high base fee', 1, 100, tips(100, 200, 300), undefined, tips(100, 200, 300)],
    ['Ethereum, one block in ten with a bribe', 1, 1, tips(1, 2, 900), undefined, tips(1, 2, 50)],
  ] as const)('%s', (_, chainId, baseFee, paid, advice, expected) => {
    const witnesses = { paid, advice: advice === undefined ? undefined : gwei(advice) }
    expect(settleTips(witnesses, { chainId, baseFee: gwei(baseFee) })).toEqual(expected)
  })

  test('legacy: never below what the chain needs', () => {
    expect(legacyLevels(1n, 0, 56).usual).toEqual({ type: 0, gasPrice: gwei(0.05) })
  })
})

describe('fees after a refusal that names a price', () => {
  const market = { chainId: 137, baseFee: gwei(1) }
  const { usual } = eip1559Levels(gwei(1), tips(1, 1, 1))
  const raised = (maxFee: number, tip: number) => ({
    type: 2,
    maxFeePerGas: gwei(maxFee),
    maxPriorityFeePerGas: gwei(tip),
  })
  test.each([
    ['a tip', { tip: gwei(25) }, raised(27, 25)],
    ['a tip that is paid already', { tip: gwei(0.5) }, raised(3, 1)],
    ['a base fee', { price: gwei(7) }, raised(8, 1)],
    ['the price of the other one', { replaced: gwei(8) }, raised(18, 9)],
    ['a price that nobody means', { price: gwei(1_000_000) }, raised(3, 1)],
    ['a tip that nobody means', { tip: gwei(1_000_000) }, raised(3, 1)],
    ['nothing', {}, raised(3, 1)],
  ])('%s', (_, least, expected) => {
    expect(raiseTo(usual, least, market)).toEqual(expected)
  })
  test('a legacy one pays it as its gas price', () => {
    expect(raiseTo({ type: 0, gasPrice: 1n }, { tip: gwei(25) }, market)).toEqual({
      type: 0,
      gasPrice: gwei(25),
    })
  })
})

test('fees: Arbitrum pays no tip, and has one level', () => {
  const { slow, usual, fast } = arbitrumLevels(gwei(1))
  expect(usual).toEqual({ type: 2, maxFeePerGas: gwei(2), maxPriorityFeePerGas: 0n })
  expect([slow, fast]).toEqual([usual, usual])
})

describe('maximum', () => {
  const { usual } = eip1559Levels(gwei(1), tips(1, 1, 1))
  test('on the OP stack: the balance less gas limit × max fee less the layer-1 fee', () => {
    expect(maxSendable(10n ** 18n, usual, 21_000n, 77n)).toBe(10n ** 18n - 21_000n * gwei(3) - 77n)
  })
  test('of a wallet that can’t pay for a transaction is zero', () => {
    expect(maxSendable(1n, usual, 21_000n)).toBe(0n)
  })
})

describe('choice of fees', () => {
  const levels = eip1559Levels(gwei(1), tips(1, 2, 3))
  test('a level, or the user’s own', () => {
    expect(chosenFees('fast', levels)).toBe(levels.fast)
    const own = { maxFeePerGas: 9n, maxPriorityFeePerGas: 1n }
    expect(chosenFees(own, levels)).toEqual({ type: 2, ...own })
    expect(chosenFees({ gasPrice: 5n }, legacyLevels(1n))).toEqual({ type: 0, gasPrice: 5n })
  })
  test.each([
    ['a gas price with EIP-1559', { gasPrice: 1n }, levels],
    ['a max fee on an older chain', { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n }, legacyLevels(1n)],
    ['a tip above the max fee', { maxFeePerGas: 1n, maxPriorityFeePerGas: 2n }, levels],
    ['a negative fee', { maxFeePerGas: -1n, maxPriorityFeePerGas: -2n }, levels],
    ['an endless fee', { gasPrice: 1n << 200n }, legacyLevels(1n)],
  ])('%s is refused', (_, choice, from) => {
    expect(() => chosenFees(choice, from)).toThrow(InvalidRequest)
  })
})

describe('replacement fees', () => {
  const least = (before: bigint) => (before * 9n) / 8n
  test.each([1n, 7n, 8n, gwei(3), gwei(123.456)])('both of %d are at least 12.5 % up', (before) => {
    const market = eip1559Levels(0n, tips(0, 0, 0)).usual
    const bumped = bumpFees(market, { maxFeePerGas: before, maxPriorityFeePerGas: before })
    expect(bumped).toMatchObject({ type: 2 })
    if (bumped.type !== 2) return
    expect(bumped.maxFeePerGas * 8n).toBeGreaterThanOrEqual(before * 9n)
    expect(bumped.maxPriorityFeePerGas).toBeGreaterThanOrEqual(least(before))
  })
  test('are at least those of the market', () => {
    const market = eip1559Levels(gwei(50), tips(1, 2, 3)).usual
    expect(bumpFees(market, { maxFeePerGas: gwei(3), maxPriorityFeePerGas: gwei(1) })).toEqual(market)
  })
  test('of a legacy transaction are a gas price', () => {
    expect(bumpFees({ type: 0, gasPrice: 1n }, { gasPrice: 800n })).toEqual({ type: 0, gasPrice: 901n })
  })
})
