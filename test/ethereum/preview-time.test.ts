/** How long a user waits for a preview: at most 1.2 times the node's slowest answer, on a clock that nothing but the node moves. */
import { decodeFunctionData, encodeFunctionData, erc20Abi, parseAbi, parseTransaction } from 'viem'
import { expect, test } from 'vitest'
import { prepareTransaction } from '../../src/ethereum/prepare-transaction.ts'
import { createNode } from '../../src/ethereum/rpc.ts'
import { serialize } from '../../src/ethereum/serialize.ts'
import { readToken } from '../../src/ethereum/tokens.ts'
import { parseTransaction as parseRequest, withSender } from '../../src/ethereum/transaction.ts'
import { fakeNode } from '../support/chain-node.ts'
import { type TestClock, testClock } from '../support/clock.ts'

const from = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const oracle = '0x420000000000000000000000000000000000000F'
const history = { reward: [['0x3b9aca00', '0x77359400', '0xb2d05e00']] }
const fee = `0x${'1'.padStart(64, '0')}`

/** A node whose answers take 100 to 300 ms. */
function slowNode(answers: Parameters<typeof fakeNode>[0]) {
  const clock = testClock()
  const { fetch, methods, asked } = fakeNode({ eth_feeHistory: history, ...answers })
  const delays: number[] = []
  const node = createNode({
    url: 'https://node.example/',
    clock,
    async fetch(url, init) {
      const delay = 100 + 40 * (delays.length % 6)
      delays.push(delay)
      const answer = await fetch(url, init)
      await clock.sleep(delay)
      return answer
    },
  })
  return { clock, node, methods, asked, slowest: () => Math.max(...delays) }
}
async function timed(clock: TestClock, work: Promise<unknown>): Promise<number> {
  const start = clock.now()
  let took: number | undefined
  const done = work.then(() => {
    took = clock.now() - start
  })
  for (let turn = 0; took === undefined && turn < 500; turn++) await clock.advance(10)
  await done
  return took ?? Number.NaN
}
const request = (fields: object = {}) =>
  withSender(parseRequest({ to, value: '0x1', ...fields }, { chainId: 1 }), from)
const approve = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [to, 5n] })

test.each([
  ['a transfer', {}, {}, {}],
  ['a call', {}, { data: approve }, {}],
  ['fees of the host page', {}, { maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x1' }, {}],
  ['a gas price of the host page', {}, { gasPrice: '0x77359400' }, {}],
  ['an older type', {}, { type: '0x0' }, {}],
  ['the OP stack', { eth_call: fee }, { data: approve }, { gasPriceOracle: oracle }],
  [
    'the OP stack with fees of the host page',
    { eth_call: fee },
    { nonce: '0x1', gas: '0x5208', maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x1' },
    { gasPriceOracle: oracle },
  ],
])('preview time: %s takes at most 1.2 times the slowest answer', async (_, answers, fields, options) => {
  const { clock, node, slowest, methods } = slowNode(answers)
  const took = await timed(clock, prepareTransaction(node, request(fields), options))
  expect(methods().length).toBeGreaterThan(2)
  expect(took).toBeLessThanOrEqual(slowest() * 1.2)
})

test('preview time: the token of an allowance is read in one round', async () => {
  const { clock, node, slowest } = slowNode({ eth_call: fee })
  expect(await timed(clock, readToken(node, to, { owner: from }))).toBeLessThanOrEqual(slowest() * 1.2)
})

test('layer-1 fee: it is asked for a transaction that is no smaller than the one that is signed', async () => {
  const { clock, node, asked } = slowNode({ eth_call: fee })
  const prepared = prepareTransaction(node, request({ data: approve }), { gasPriceOracle: oracle })
  await timed(clock, prepared)
  const sizes = asked.flatMap(({ method, params }) =>
    isAboutData({ method, params }) ? [bytesAsked(params).length] : [],
  )
  expect(sizes).toHaveLength(1)
  expect(sizes[0]).toBeGreaterThanOrEqual(serialize((await prepared).transaction).length)
  const call = asked.find(isAboutData)
  expect(parseTransaction(bytesAsked(call?.params ?? []))).toMatchObject({
    type: 'eip1559',
    chainId: 1,
    value: 1n,
    data: approve,
  })
})

test('layer-1 fee: one that is longer than expected is asked for anew', async () => {
  const { clock, node, asked } = slowNode({
    eth_call: fee,
    eth_getBlockByNumber: { gasLimit: '0xffffffffffff', baseFeePerGas: '0xffffffffffff' },
    eth_getTransactionCount: '0xffffffffff',
  })
  const prepared = prepareTransaction(node, request(), { gasPriceOracle: oracle })
  await timed(clock, prepared)
  const calls = asked.filter(isAboutData)
  expect(calls).toHaveLength(2)
  const { nonce } = parseTransaction(bytesAsked(calls[1]?.params ?? []))
  expect(nonce).toBe(0xffffffffff)
})

/** Whether a question is about the fee for the size, and not about that of the operator. */
const isAboutData = ({ method, params }: { method: string; params: readonly unknown[] }): boolean =>
  method === 'eth_call' && JSON.stringify(params).includes('0x49948e0e')

function bytesAsked(params: readonly unknown[]): `0x${string}` {
  const [{ data }] = params as [{ data: `0x${string}` }]
  const { args } = decodeFunctionData({
    abi: parseAbi(['function getL1Fee(bytes) view returns (uint256)']),
    data,
  })
  return args[0]
}
