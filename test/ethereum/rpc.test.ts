import { keccak256 } from 'viem'
import { describe, expect, test } from 'vitest'
import { atMost, formatUnits } from '../../src/ethereum/amounts.ts'
import { broadcast } from '../../src/ethereum/broadcast.ts'
import { prepareTransaction } from '../../src/ethereum/prepare-transaction.ts'
import { createNode } from '../../src/ethereum/rpc.ts'
import { parseTransaction, withSender } from '../../src/ethereum/transaction.ts'
import { NodeError, TransactionUnknownError, Unreachable } from '../../src/lib/node-errors.ts'
import { fakeNode } from '../support/chain-node.ts'
import { settled, testClock } from '../support/clock.ts'

const url = 'https://node.example/'
const from = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

function setUp(answers: Parameters<typeof fakeNode>[0] = {}) {
  const clock = testClock()
  const { fetch, ...seen } = fakeNode(answers)
  return { clock, node: createNode({ url, fetch, clock }), ...seen }
}
/** What a piece of work ends with, however long it takes by the clock. */
async function outcome<T>(work: Promise<T>, clock: ReturnType<typeof testClock>) {
  const done = work.then(
    (value) => ({ value, error: undefined }),
    (error: Error) => ({ value: undefined, error }),
  )
  for (let tries = 0; tries < 10; tries++) {
    await settled()
    await clock.advance(20_000)
  }
  return done
}

describe('a node', () => {
  test('is asked in JSON-RPC, without cookies', async () => {
    const { node, asked } = setUp()
    expect(await node.ask('eth_getBalance', [from, 'latest'])).toBe('0x8ac7230489e80000')
    expect(asked).toEqual([{ url, method: 'eth_getBalance', params: [from, 'latest'] }])
  })

  test('that refuses is heard with its own number, words and data', async () => {
    const error = { code: 3, message: 'execution reverted', data: '0x08c379a0' }
    const { node } = setUp({ eth_call: () => ({ error }) })
    await expect(node.ask('eth_call', [])).rejects.toMatchObject(error)
  })

  test.each([
    ['is not there', 'lost' as const, Unreachable],
    ['breaks down', new Response('<html>', { status: 502 }), Unreachable],
    ['sends something else', new Response('<html>'), Unreachable],
    ['answers another question', new Response('{"jsonrpc":"2.0","id":999,"result":1}'), Unreachable],
    ['gives no result', new Response('{"jsonrpc":"2.0","id":1}'), Unreachable],
    ['is asked too often', new Response('', { status: 429 }), NodeError],
    ['sends ten megabytes', new Response('x'.repeat(10_000_000)), NodeError],
  ])('that %s: the wait ends with a word', async (_, answer, kind) => {
    const { node, clock } = setUp({ eth_call: () => (answer === 'lost' ? answer : answer.clone()) })
    expect((await outcome(node.ask('eth_call', []), clock)).error).toBeInstanceOf(kind)
  })

  test('that never answers', async () => {
    const clock = testClock()
    const node = createNode({ url, clock, fetch: () => new Promise(() => {}) })
    expect((await outcome(node.ask('eth_call', []), clock)).error).toBeInstanceOf(Unreachable)
  })

  test('can’t be asked with what is not JSON', async () => {
    await expect(setUp().node.ask('eth_call', [1n])).rejects.toMatchObject({ code: -32602 })
  })
})

describe('what a transaction lacks', () => {
  const request = (fields: object = {}) =>
    withSender(parseTransaction({ to, value: '0x1', ...fields }, { chainId: 1 }), from)

  test('is filled in by the node', async () => {
    const { node } = setUp()
    expect(await prepareTransaction(node, request())).toMatchObject({
      isUnderfunded: false,
      fee: 21_000n * 3_000_000_000n,
      transaction: {
        nonce: 7n,
        gasLimit: 21_000n,
        type: 2,
        maxFeePerGas: 3_000_000_000n,
        maxPriorityFeePerGas: 1_000_000_000n,
      },
    })
  })

  test('is what the page left open, and nothing else', async () => {
    const { node, methods } = setUp()
    const wish = { gas: '0x30d40', nonce: '0x1', maxFeePerGas: '0x2', maxPriorityFeePerGas: '0x1' }
    expect(await prepareTransaction(node, request(wish))).toMatchObject({
      transaction: {
        nonce: 1n,
        gasLimit: 200_000n,
        type: 2,
        maxFeePerGas: 2n,
        maxPriorityFeePerGas: 1n,
      },
    })
    expect(methods().sort()).toEqual(['eth_chainId', 'eth_getBalance', 'eth_getBlockByNumber'])
  })

  test('is a gas price on a chain without base fees', async () => {
    const { node } = setUp({ eth_getBlockByNumber: { gasLimit: '0x1c9c380' } })
    expect((await prepareTransaction(node, request())).transaction).toMatchObject({
      type: 0,
      gasPrice: 2_000_000_000n,
      maxFeePerGas: undefined,
    })
    expect((await prepareTransaction(node, request({ accessList: [] }))).transaction.type).toBe(1)
  })

  test('is given a fifth more gas where a contract is called', async () => {
    const { node } = setUp({ eth_estimateGas: '0x186a0' })
    expect((await prepareTransaction(node, request({ data: '0xfe' }))).transaction.gasLimit).toBe(120_000n)
  })

  test('may be more than the wallet has', async () => {
    const { node } = setUp({ eth_getBalance: '0x1' })
    expect((await prepareTransaction(node, request())).isUnderfunded).toBe(true)
  })

  const lies: [string, Parameters<typeof fakeNode>[0]][] = [
    ['of another chain', { eth_chainId: '0x2105' }],
    ['of a chain that is none', { eth_chainId: null }],
    ['with a padded chain', { eth_chainId: '0x01' }],
    ['with no block', { eth_getBlockByNumber: null }],
    ['with a block without a limit', { eth_getBlockByNumber: {} }],
    ['with a negative base fee', { eth_getBlockByNumber: { gasLimit: '0x1', baseFeePerGas: '-0x1' } }],
    ['with a decimal nonce', { eth_getTransactionCount: 7 }],
    ['with words for a nonce', { eth_getTransactionCount: '<b>7</b>' }],
    ['with an endless nonce', { eth_getTransactionCount: `0x${'f'.repeat(65)}` }],
    ['with NaN for a balance', { eth_getBalance: 'NaN' }],
    ['with less gas than anything costs', { eth_estimateGas: '0x1' }],
    ['with more gas than a block has', { eth_estimateGas: '0xffffffffff' }],
    ['with an object for a tip', { eth_maxPriorityFeePerGas: { value: 1 } }],
  ]
  test.each(lies)('is not taken from a node %s', async (_, answers) => {
    const { node, clock } = setUp(answers)
    const { error } = await outcome(prepareTransaction(node, request()), clock)
    expect(error).toBeInstanceOf(NodeError)
  })

  test('and the node’s reason against it is one to simulationError, with gas for the attempt', async () => {
    const error = { code: 3, message: 'execution reverted: no', data: '0x08c379a0' }
    const { node } = setUp({ eth_estimateGas: () => ({ error }) })
    const { simulationError, transaction, isUnderfunded } = await prepareTransaction(node, request())
    expect(simulationError).toMatchObject(error)
    expect([transaction.gasLimit, isUnderfunded]).toEqual([1_000_000n, false])
  })
})

describe('sending', () => {
  const raw = '0x02f8'
  const hash = keccak256(raw)
  const sent = { eth_sendRawTransaction: hash }

  test('gives the hash that was worked out here', async () => {
    expect(await broadcast(setUp(sent).node, raw, 1)).toBe(hash)
  })

  test('does not happen on another chain', async () => {
    const { node, methods } = setUp({ ...sent, eth_chainId: '0x2105' })
    await expect(broadcast(node, raw, 1)).rejects.toThrow(NodeError)
    expect(methods()).toEqual(['eth_chainId'])
  })

  test('believes no other hash', async () => {
    const { node } = setUp({ eth_sendRawTransaction: `0x${'11'.repeat(32)}` })
    await expect(broadcast(node, raw, 1)).rejects.toMatchObject({ name: 'TransactionUnknownError', hash })
  })

  test.each(['already known', 'AlreadyKnown', 'ALREADY_EXISTS: already known', 'known transaction: 02f8'])(
    '“%s” is as good as done',
    async (message) => {
      const { node } = setUp({ eth_sendRawTransaction: () => ({ error: { code: -32000, message } }) })
      expect(await broadcast(node, raw, 1)).toBe(hash)
    },
  )

  test('what was lost on the way back is found by its hash', async () => {
    const { node, clock } = setUp({
      eth_sendRawTransaction: () => 'lost',
      eth_getTransactionByHash: { hash },
    })
    expect((await outcome(broadcast(node, raw, 1), clock)).value).toBe(hash)
  })

  test('what nobody can say is not called refused', async () => {
    const { node, clock } = setUp({ eth_sendRawTransaction: () => 'lost' })
    expect((await outcome(broadcast(node, raw, 1), clock)).error).toBeInstanceOf(TransactionUnknownError)
  })

  test('a used number is no refusal when it was this one that used it', async () => {
    const error = { code: -32000, message: 'nonce too low' }
    const answers = { eth_sendRawTransaction: () => ({ error }) }
    await expect(broadcast(setUp(answers).node, raw, 1)).rejects.toMatchObject(error)
    const through = setUp({ ...answers, eth_getTransactionByHash: { hash } })
    expect(await broadcast(through.node, raw, 1)).toBe(hash)
  })
})

test('amounts are shown to the last figure, estimates rounded up', () => {
  expect(formatUnits(1n, 18)).toBe('0.000000000000000001')
  expect(formatUnits(1_500_000_000_000_000_000n, 18)).toBe('1.5')
  expect(formatUnits(0n, 18)).toBe('0')
  expect(formatUnits(7n, 0)).toBe('7')
  expect(formatUnits(1_234_567_500_000n, 6)).toBe('1,234,567.5')
  expect(formatUnits(123_456n, 3)).toBe('123.456')
  expect(formatUnits(atMost(1_234_567_000_001n), 18)).toBe('0.00000123457')
  expect(atMost(999_999n)).toBe(999_999n)
})
