/** Two nodes that make one trial run: what is worse for the user counts. */
import { describe, expect, test } from 'vitest'
import { simulateOn, worseOf } from '../../../demo/backend/preview/ethereum.ts'
import type { PreviewNode } from '../../../demo/backend/preview/nodes.ts'
import { defaultLimits } from '../../../demo/backend/settings/limits.ts'
import type { Simulation } from '../../../src/ethereum/simulate.ts'
import { parseTransaction, withSender } from '../../../src/ethereum/transaction.ts'

const me = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const thief = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const token = '0x00000000000000000000000000000000000000AA'

const run = (more: Partial<Simulation> = {}): Simulation => ({
  outcome: 'simulated',
  status: 'success',
  leaves: [],
  comes: [],
  allowances: [],
  roles: [],
  isComplete: true,
  tokens: {},
  wrappers: [],
  gasUsed: 0n,
  blockNumber: 1n,
  baseFee: undefined,
  at: 0,
  ...more,
})
const tokens = (amount: bigint) => ({ kind: 'erc20', token, amount, parties: [thief] }) as const
const allowance = (amount: bigint) =>
  ({ kind: 'amount', token, spender: thief, amount, isUnlimited: false, isPermit2: false }) as const
const operator = { kind: 'operator', account: token, spender: thief } as const

describe('two trial runs', () => {
  test.each<[string, Partial<Simulation>, Partial<Simulation>, Partial<Simulation>, boolean]>([
    [
      'that say the same',
      { leaves: [tokens(5n)] },
      { leaves: [tokens(5n)] },
      { leaves: [tokens(5n)] },
      false,
    ],
    [
      'whose amounts differ as prices do',
      { leaves: [tokens(100n)], comes: [tokens(100n)] },
      { leaves: [tokens(101n)], comes: [tokens(99n)] },
      { leaves: [tokens(101n)], comes: [tokens(99n)] },
      false,
    ],
    ['of which one hides what leaves', {}, { leaves: [tokens(5n)] }, { leaves: [tokens(5n)] }, true],
    ['of which one makes up what comes', { comes: [tokens(5n)] }, {}, { comes: [] }, true],
    [
      'of which one hides an allowance',
      { allowances: [] },
      { allowances: [allowance(5n)] },
      { allowances: [allowance(5n)] },
      true,
    ],
    [
      'of which one says less of an allowance',
      { allowances: [allowance(1n)] },
      { allowances: [allowance(5n)] },
      { allowances: [allowance(5n)] },
      true,
    ],
    ['of which one hides an operator', { roles: [] }, { roles: [operator] }, { roles: [operator] }, true],
    [
      'of which one fails',
      { status: 'failed' },
      { leaves: [tokens(5n)] },
      { status: 'success', leaves: [tokens(5n)] },
      true,
    ],
    ['of which one has more than it lists', {}, { isComplete: false }, { isComplete: false }, true],
  ])('%s', (_, one, other, expected, isDisputed) => {
    for (const pair of [
      [run(one), run(other)],
      [run(other), run(one)],
    ]) {
      const found = worseOf(pair)
      expect(found.simulation).toMatchObject(expected)
      expect(found.isDisputed).toBe(isDisputed)
    }
  })

  const request = withSender(parseTransaction({ to: thief, value: '0x5' }, { chainId: 1 }), me)
  const limits = { ...defaultLimits, previewNodeTime: 500, previewComparison: 50 }
  const call = { status: '0x1', returnData: '0x', gasUsed: '0x5208', logs: [] }
  const answering = (simulate: () => Promise<unknown>): PreviewNode => ({
    ask: async (method) => (method === 'eth_simulateV1' ? simulate() : '0x1'),
  })
  const honest = answering(async () => [
    { number: '0x1', calls: [call] },
    { number: '0x2', calls: [] },
  ])

  test('are not waited for longer than the comparison may take', async () => {
    const silent = answering(() => new Promise(() => {}))
    const began = performance.now()
    const found = await simulateOn([silent, honest], request, { limits, now: () => 0 })
    expect(found).toMatchObject({
      isDisputed: false,
      simulation: { leaves: [{ kind: 'native', amount: 5n }] },
    })
    expect(performance.now() - began).toBeLessThan(900)
  })

  test('of which one can’t be made are none to compare', async () => {
    const without = answering(async () => {
      throw Object.assign(new Error('down'))
    })
    expect(await simulateOn([without, honest], request, { limits, now: () => 0 })).toMatchObject({
      isDisputed: false,
      simulation: { status: 'success' },
    })
    expect(await simulateOn([without, without], request, { limits, now: () => 0 })).toEqual({
      simulation: undefined,
      isDisputed: false,
      nodes: 0,
    })
  })

  test('that two nodes contradict each other in are given as the worse one', async () => {
    const failing = answering(async () => [
      { number: '0x1', calls: [{ ...call, status: '0x0' }] },
      { number: '0x2', calls: [] },
    ])
    expect(await simulateOn([failing, honest], request, { limits, now: () => 0 })).toMatchObject({
      isDisputed: true,
      simulation: { status: 'success', leaves: [{ amount: 5n }] },
    })
  })
})
