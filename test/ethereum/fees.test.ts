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
  readTips,
  tipsAround,
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
    expect(readTips(history(...rows), gwei(8))).toEqual(tips(1, 4, 8))
  })
  test('tips: nobody paid any', () => {
    expect(readTips(history([0n, 0n, 0n]), gwei(8))).toBeUndefined()
    expect(readTips({ baseFeePerGas: ['0x1'] }, gwei(8))).toBeUndefined()
  })
  test('tips: a level is never below the one before it', () => {
    expect(readTips(history([9, 2, 1].map(gwei)), gwei(1))).toEqual(tips(2, 2, 2))
  })
  test('tips around an advice', () => {
    expect(tipsAround(gwei(10), gwei(1))).toEqual(tips(8, 10, 15))
    expect(tipsAround(0n, gwei(1))).toEqual(tips(0, 0, 0))
  })
  test('tips: an absurd one is capped, from a history and from advice', () => {
    expect(readTips(history([1_000, 1_000, 1_000].map(gwei)), gwei(1))).toEqual(tips(1, 1, 1))
    expect(tipsAround(gwei(1_000), gwei(1))).toMatchObject(tips(0.8, 1, 1.5))
    expect(readTips(history([100, 200, 300].map(gwei)), gwei(100))).toEqual(tips(100, 200, 300))
  })
  test.each([
    ['no object', 'much'],
    ['rewards that are no list', { reward: 'much' }],
    ['a negative reward', { reward: [['-0x1']] }],
    ['a number for a reward', { reward: [[1]] }],
    ['more blocks than asked', { reward: Array.from({ length: 11 }, () => ['0x1']) }],
  ])('fee history with %s is refused', (_, answer) => {
    expect(() => readTips(answer, gwei(1))).toThrow(NodeError)
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
