/** What a trial run finds in the state of contracts that log nothing. */
import {
  createTestClient,
  encodeFunctionData,
  http,
  maxUint256,
  pad,
  parseAbi,
  publicActions,
  walletActions,
} from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Anvil } from '../../demo/world/chains/anvil.ts'
import { createNode } from '../../src/ethereum/rpc.ts'
import { compareWithReceipt, simulate } from '../../src/ethereum/simulate.ts'
import { simulateCalls } from '../../src/ethereum/simulate-calls.ts'
import { parseTransaction, withSender } from '../../src/ethereum/transaction.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { fakeNode } from '../support/chain-node.ts'
import { startChain } from '../support/chains.ts'
import { testClock } from '../support/clock.ts'
import { balanceSlot, ownerSlot, silentCode } from './support/silent-code.ts'
import { tokenCode } from './support/token-code.ts'

const me = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const thief = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const contract = '0x00000000000000000000000000000000000000bb'
const token = '0x00000000000000000000000000000000000000AA'
const abi = parseAbi([
  'function take(uint256 amount)',
  'function claim(address who, uint256 amount)',
  'function authorizeOperator(address who)',
  'function allow(address who, bool isAllowed)',
  'function setAuthorization(address who, bool isAllowed)',
  'function approveDelegation(address who, uint256 amount)',
  'function transferOwnership(address who)',
  'function enableModule(address who)',
  'function grant(address who)',
  'function register(address who)',
  'function approve(address who, uint256 amount)',
])
const encode = (functionName: string, ...args: unknown[]) =>
  encodeFunctionData({ abi, functionName, args } as never)
const requestOf = (data: string, to: string = contract) =>
  withSender(parseTransaction({ to, data }, { chainId: 31_337 }), me)

describe('state that a trial run compares', () => {
  let anvil: Anvil
  let clean: `0x${string}`
  beforeAll(async () => {
    anvil = await startChain(31_337)
    await chain().setCode({ address: contract, bytecode: silentCode })
    await chain().setCode({ address: token, bytecode: tokenCode })
    await chain().setStorageAt({ address: contract, index: balanceSlot(me), value: pad('0x64') })
    await chain().setStorageAt({ address: contract, index: ownerSlot, value: pad(me) })
    clean = await chain().snapshot()
  })
  afterAll(() => anvil?.close())
  beforeEach(async () => {
    await chain().revert({ id: clean })
    clean = await chain().snapshot()
  })

  const chain = () =>
    createTestClient({ mode: 'anvil', transport: http(anvil.url) })
      .extend(publicActions)
      .extend(walletActions)
  const node = () =>
    createNode({ url: anvil.url, fetch: (url, init) => fetch(url, init), clock: systemClock })
  async function run(data: string, to?: string) {
    const result = await simulate(node(), requestOf(data, to), { now: () => 0 })
    if (result.outcome === 'unavailable') throw new Error('anvil has eth_simulateV1')
    return result
  }
  async function send(data: `0x${string}`, to: `0x${string}` = contract) {
    const hash = await chain().sendTransaction({ account: me, to, data, chain: null })
    return chain().waitForTransactionReceipt({ hash })
  }

  const role = (kind: string, more: object = {}) => ({ kind, account: contract, spender: thief, ...more })
  test.each([
    ['an operator of ERC-777', encode('authorizeOperator', thief), role('operator')],
    ['a manager of Comet', encode('allow', thief, true), role('operator')],
    ['an agent of Morpho', encode('setAuthorization', thief, true), role('operator')],
    ['a borrower of Aave', encode('approveDelegation', thief, 9n), role('delegate', { amount: 9n })],
    ['another owner', encode('transferOwnership', thief), role('owner')],
    ['a module of a Safe', encode('enableModule', thief), role('control')],
    ['an administrator', encode('grant', thief), role('control')],
  ])('%s is found without a log, once, and not where it was so before', async (_, data, expected) => {
    const found = await run(data)
    expect(found).toMatchObject({ status: 'success', isComplete: true, leaves: [], allowances: [] })
    expect(found.roles).toEqual([expected])
    await send(data)
    expect((await run(data)).roles).toEqual([])
  })

  test('an allowance is found without a log, and only where it has grown', async () => {
    const allowance = { kind: 'amount', token: contract, spender: thief, isPermit2: false }
    const data = encode('claim', thief, maxUint256)
    expect((await run(data)).allowances).toEqual([{ ...allowance, amount: maxUint256, isUnlimited: true }])
    await send(encode('claim', thief, 5n))
    expect((await run(encode('claim', thief, 5n))).allowances).toEqual([])
    expect((await run(encode('claim', thief, 4n))).allowances).toEqual([])
    expect((await run(encode('claim', thief, 6n))).allowances).toEqual([
      { ...allowance, amount: 6n, isUnlimited: false },
    ])
  })

  test('an operator of all tokens is found without a log', async () => {
    expect((await run(encode('register', thief))).allowances).toEqual([
      { kind: 'all', token: contract, spender: thief, amount: 1n, isUnlimited: true, isPermit2: false },
    ])
  })

  test('tokens that leave without a log are found in the balance', async () => {
    expect(await run(encode('take', 30n))).toMatchObject({
      leaves: [{ kind: 'erc20', token: contract, amount: 30n }],
      tokens: { [contract]: { symbol: 'SIL', decimals: 6 } },
    })
  })

  test('a logged allowance that was so before is no change, and its receipt no surprise', async () => {
    const data = encode('approve', thief, 7n)
    await send(data, token)
    const shown = await run(data, token)
    expect(shown.allowances).toEqual([])
    const { status, logs } = await send(data, token)
    const entries = logs.map(({ topics, data }) => ({ address: token, topics, data }) as const)
    expect(compareWithReceipt(shown, { status, logs: entries }, me)).toEqual([])
  })

  test('calls of a batch have each its own changes, after those before it', async () => {
    const requests = [
      requestOf(encode('claim', thief, 5n)),
      requestOf(encode('allow', thief, true)),
      requestOf(encode('claim', thief, 5n)),
      requestOf(encode('take', 30n)),
    ]
    const found = await simulateCalls(node(), requests, { now: () => 0 })
    expect(found).toMatchObject({
      calls: [
        { allowances: [{ amount: 5n, spender: thief }], roles: [], isComplete: true },
        { allowances: [], roles: [role('operator')] },
        { allowances: [], roles: [] },
        { leaves: [{ token: contract, amount: 30n }] },
      ],
    })
  })

  test('more names than are asked about: the lists are incomplete, and say so', async () => {
    const names = Array.from({ length: 25 }, (_, k) =>
      pad(`0x${(k + 1).toString(16).repeat(40).slice(0, 40)}`),
    )
    const data = `${encode('authorizeOperator', thief)}${names.map((each) => each.slice(2)).join('')}`
    expect(await run(data)).toMatchObject({ isComplete: false })
    expect(await run(data.slice(0, 10 + 64 * 20))).toMatchObject({ isComplete: true })
  })

  test('a node that carries it out once and not twice: the lists are incomplete', async () => {
    const call = { status: '0x1', returnData: '0x', logs: [], gasUsed: '0x5208' }
    const { fetch } = fakeNode({
      eth_chainId: '0x7a69',
      eth_call: '0x',
      eth_simulateV1(params) {
        const [{ blockStateCalls: blocks }] = params as [{ blockStateCalls: { calls: unknown[] }[] }]
        if (blocks.length === 3) return { error: { code: -32_005, message: 'too many blocks' } }
        return { result: blocks.map(({ calls }) => ({ number: '0x1', calls: calls.map(() => call) })) }
      },
    })
    const scripted = createNode({ url: 'https://node.example/', fetch, clock: testClock() })
    expect(await simulate(scripted, requestOf(encode('allow', thief, true)), { now: () => 0 })).toMatchObject(
      {
        status: 'success',
        isComplete: false,
      },
    )
  })
})
