/** A node that lies: nothing crashes, nothing waits beyond its time, and nothing is called a success. */
import { encodeAbiParameters } from 'viem'
import { afterAll, describe, expect, test } from 'vitest'
import { prepareTransaction } from '../../src/ethereum/prepare-transaction.ts'
import { createNode } from '../../src/ethereum/rpc.ts'
import { simulate } from '../../src/ethereum/simulate.ts'
import { readToken } from '../../src/ethereum/tokens.ts'
import { type TransactionStatus, track } from '../../src/ethereum/track.ts'
import { parseTransaction, withSender } from '../../src/ethereum/transaction.ts'
import { NodeError, Unreachable } from '../../src/lib/node-errors.ts'
import type { Fetch } from '../../src/lib/retrying-fetch.ts'
import { settled, testClock } from '../support/clock.ts'
import { largeBody } from '../support/large-body.ts'
import { from, scriptedChain, sentTransaction, to } from './support/scripted-chain.ts'

const token = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const gwei = 1_000_000_000n
const data = `0xa9059cbb${to.slice(2).toLowerCase().padStart(64, '0')}${'7'.padStart(64, '0')}`
const request = withSender(parseTransaction({ to: token, data, value: '0x1' }, { chainId: 1 }), from)
const text = (value: string) => encodeAbiParameters([{ type: 'string' }], [value])
const number = (value: bigint) => encodeAbiParameters([{ type: 'uint256' }], [value])
const word = (address: string) => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`
const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const sent = sentTransaction('first')

const read = (returnData: string) => ({ status: '0x1', returnData, gasUsed: '0x5208', logs: [] })
const log = { address: token, topics: [transfer, word(from), word(to)], data: number(7n) }
const simulated = [
  {
    number: '0x10',
    baseFeePerGas: '0x3b9aca00',
    calls: [read(number(9n)), { ...read('0x'), logs: [log] }],
  },
  { number: '0x11', calls: [number(2n), text('USD Coin'), text('USDC'), number(6n)].map(read) },
]

/** An honest node: a waiting transaction, a wallet with ten coins, and a token. */
function honestAnswers(isMined: boolean) {
  const chain = scriptedChain()
  if (isMined) chain.mine(sent)
  else chain.pool.add(sent)
  return async (method: string, params: readonly unknown[]): Promise<unknown> => {
    if (method === 'eth_getBalance') return '0x8ac7230489e80000'
    if (method === 'eth_estimateGas') return '0xc350'
    if (method === 'eth_feeHistory') return { reward: [['0x3b9aca00', '0x77359400', '0xb2d05e00']] }
    if (method === 'eth_maxPriorityFeePerGas') return '0x3b9aca00'
    if (method === 'eth_gasPrice') return '0x77359400'
    if (method === 'eth_simulateV1') return simulated
    if (method === 'eth_getBlockByNumber' && params[0] === 'latest')
      return { gasLimit: '0x1c9c380', baseFeePerGas: '0x3b9aca00' }
    if (method === 'eth_call') {
      const { data: call } = params[0] as { data: string }
      if (call.startsWith('0x06fdde03')) return text('USD Coin')
      if (call.startsWith('0x95d89b41')) return text('USDC')
      return call.startsWith('0x313ce567') ? number(6n) : number(9n)
    }
    return chain.node.ask(method, params)
  }
}

type Lie =
  | { result: unknown }
  | { error: unknown }
  | { body: string | (() => BodyInit) }
  | 'never'
  /** The honest answer with other fields. */
  | { fields: object }

/** A node that answers one method with a lie, over the same transport as a real one. */
function lyingNode(liesAbout: string | undefined, lie: Lie | undefined, isMined = false) {
  const honest = honestAnswers(isMined)
  const clock = testClock()
  const asked: string[] = []
  const fetch: Fetch = async (_, init) => {
    const { id, method, params } = JSON.parse(String(init?.body))
    asked.push(method)
    const isLie = lie !== undefined && (liesAbout === '*' || liesAbout === method)
    if (isLie && lie === 'never') return new Promise(() => {})
    if (isLie && typeof lie === 'object' && 'body' in lie)
      return new Response(typeof lie.body === 'function' ? lie.body() : lie.body)
    if (isLie && typeof lie === 'object' && 'fields' in lie) {
      const result = Object.assign({}, await honest(method, params), lie.fields)
      return new Response(JSON.stringify({ jsonrpc: '2.0', id, result }))
    }
    const answer = isLie ? lie : { result: await honest(method, params) }
    return new Response(JSON.stringify({ jsonrpc: '2.0', id, ...(answer as object) }))
  }
  return { node: createNode({ url: 'https://node.example/', fetch, clock }), clock, asked }
}

/** Lies that any method can be answered with. */
const lies: readonly (readonly [string, Lie])[] = [
  ['null', { result: null }],
  ['an empty text', { result: '' }],
  ['markup', { result: '<img src=x onerror=alert(1)>' }],
  ['NaN', { result: 'NaN' }],
  ['Infinity', { result: 'Infinity' }],
  ['a negative quantity', { result: '-0x1' }],
  ['a negative number', { result: -1 }],
  ['a fraction', { result: 1.5 }],
  ['a number', { result: 7 }],
  ['true', { result: true }],
  ['an empty list', { result: [] }],
  ['an empty object', { result: {} }],
  ['a list of nothing', { result: Array(1_000).fill(null) }],
  ['hex without digits', { result: '0x' }],
  ['hex with letters', { result: '0xzz' }],
  ['padded hex', { result: '0x0001' }],
  ['half a byte', { result: '0x123' }],
  ['257 bits', { result: `0x1${'0'.repeat(64)}` }],
  ['256 bits', { result: `0x${'f'.repeat(64)}` }],
  ['a hundred thousand digits', { result: `0x${'f'.repeat(100_000)}` }],
  ['an object in place of text', { result: { toString: 'x', length: 5 } }],
  [
    'a key that reaches for a prototype',
    { body: '{"jsonrpc":"2.0","id":1,"result":{"__proto__":{"status":"0x1"}}}' },
  ],
  ['deep nesting', { result: JSON.parse(`${'['.repeat(1_000)}${']'.repeat(1_000)}`) }],
  ['an error that is text', { error: 'no' }],
  ['an error of a hostile shape', { error: { code: '3', message: { a: 1 }, data: { data: { data: {} } } } }],
  ['a revert with markup', { error: { code: 3, message: 'execution reverted: <b>\u202eok</b>' } }],
  [
    'a revert with other bytes',
    { error: { code: 3, message: 'reverted', data: `0x08c379a0${'f'.repeat(300)}` } },
  ],
  ['no such method', { error: { code: -32_601, message: 'Method not found' } }],
  ['a page', { body: '<!doctype html><title>Success!</title>' }],
  ['another request’s answer', { body: '{"jsonrpc":"2.0","id":99999,"result":"0x1"}' }],
  ['ten megabytes', { body: () => largeBody('x') }],
  ['half an answer', { body: '{"jsonrpc":"2.0","id":1,"res' }],
  ['nothing, ever', 'never'],
]

type Outcome = { value: unknown; error?: undefined } | { error: unknown; value?: undefined }
/** Two minutes by the clock are more than any request may take with its repetitions. */
async function outcome(
  work: Promise<unknown>,
  clock: ReturnType<typeof testClock>,
): Promise<Outcome | 'waits'> {
  let result: Outcome | 'waits' = 'waits'
  work.then(
    (value) => {
      result = { value }
    },
    (error: unknown) => {
      result = { error }
    },
  )
  for (let tries = 0; tries < 12 && result === 'waits'; tries++) {
    await settled()
    if (result === 'waits') await clock.advance(10_000)
  }
  return result
}

/** What came is an error that callers know, or passes `holds`. */
function expectHonest(result: Outcome | 'waits', holds: (value: never) => void): void {
  expect(result).not.toBe('waits')
  if (result === 'waits') return
  if (result.error !== undefined) {
    expect(
      [NodeError, Unreachable].some((kind) => result.error instanceof kind),
      String(result.error),
    ).toBe(true)
    return
  }
  holds(result.value as never)
}

let count = 0
afterAll(() => console.log(`lying node: ${count} lies, 0 believed`))

describe('a node that lies about a transaction to be prepared', () => {
  const prepare = (liesAbout?: string, lie?: Lie) => {
    const { node, clock, asked } = lyingNode(liesAbout, lie)
    return { asked, result: outcome(prepareTransaction(node, request), clock) }
  }
  const holds = ({
    transaction,
    fee,
    maxSendable,
    missing,
    reason,
  }: Awaited<ReturnType<typeof prepareTransaction>>) => {
    const { nonce, gasLimit, maxPriorityFeePerGas = 0n, maxFeePerGas = 0n } = transaction
    expect(nonce).toBeLessThanOrEqual(BigInt(Number.MAX_SAFE_INTEGER))
    expect(gasLimit).toBeGreaterThanOrEqual(21_000n)
    expect(gasLimit).toBeLessThanOrEqual(30_000_000n)
    expect(maxPriorityFeePerGas).toBeLessThanOrEqual(50n * gwei)
    expect(maxFeePerGas).toBeGreaterThanOrEqual(maxPriorityFeePerGas)
    for (const amount of [fee, maxSendable, missing]) expect(amount).toBeGreaterThanOrEqual(0n)
    expect(reason?.message ?? '').not.toMatch(/\u202e/)
  }

  test('an honest one is believed', async () => {
    const { asked, result } = prepare()
    expect(await result).toMatchObject({ value: { isUnderfunded: false, transaction: { nonce: 8n } } })
    expect(new Set(asked)).toEqual(
      new Set([
        'eth_chainId',
        'eth_getBlockByNumber',
        'eth_getTransactionCount',
        'eth_getBalance',
        'eth_feeHistory',
        'eth_estimateGas',
      ]),
    )
  })

  test.each(lies)('%s', async (_, lie) => {
    for (const method of [
      '*',
      'eth_chainId',
      'eth_getBlockByNumber',
      'eth_getTransactionCount',
      'eth_getBalance',
      'eth_feeHistory',
      'eth_estimateGas',
    ]) {
      count++
      expectHonest(await prepare(method, lie).result, holds)
    }
  })

  test.each<[string, string, unknown]>([
    ['another chain', 'eth_chainId', '0x2105'],
    ['a nonce that programs round', 'eth_getTransactionCount', '0x20000000000000'],
    ['more gas than a block has', 'eth_estimateGas', '0x1c9c381'],
    ['less gas than anything costs', 'eth_estimateGas', '0x5207'],
    ['a block without room', 'eth_getBlockByNumber', { gasLimit: '0x0' }],
    ['a negative base fee', 'eth_getBlockByNumber', { gasLimit: '0x1c9c380', baseFeePerGas: '-0x1' }],
    ['tips of eleven blocks', 'eth_feeHistory', { reward: Array(11).fill(['0x1', '0x1', '0x1']) }],
    ['tips of words', 'eth_feeHistory', { reward: [['much']] }],
  ])('%s is refused', async (_, method, result) => {
    count++
    expect(await prepare(method, { result }).result).toMatchObject({ error: expect.any(NodeError) })
  })

  test('a tip of a whole coin is not paid', async () => {
    count++
    const coin = '0xde0b6b3a7640000'
    const { result } = prepare('eth_feeHistory', { result: { reward: [[coin, coin, coin]] } })
    expect(await result).toMatchObject({ value: { transaction: { maxPriorityFeePerGas: gwei } } })
  })
})

describe('a node that lies about a simulation', () => {
  const run = (liesAbout?: string, lie?: Lie) => {
    const { node, clock } = lyingNode(liesAbout, lie)
    return outcome(simulate(node, request, { now: () => 0 }), clock)
  }
  const holds = (value: Awaited<ReturnType<typeof simulate>>) => {
    if (value.outcome === 'unavailable') return
    expect(['success', 'failed']).toContain(value.status)
    const { leaves, comes, allowances, tokens } = value
    for (const { amount } of [...leaves, ...comes]) expect(amount).toBeGreaterThan(0n)
    for (const { amount } of allowances) expect(amount).toBeGreaterThanOrEqual(0n)
    expect(JSON.stringify(tokens, (_, each) => (typeof each === 'bigint' ? String(each) : each))).not.toMatch(
      /[<\u202e]/,
    )
    if (value.status === 'failed') expect([leaves, comes, allowances]).toEqual([[], [], []])
  }

  test('an honest one is believed', async () => {
    expect(await run()).toMatchObject({
      value: {
        status: 'success',
        leaves: [
          { kind: 'native', amount: 1n },
          { kind: 'erc20', token, amount: 7n, parties: [to] },
        ],
        comes: [],
        tokens: { [token]: { symbol: 'USDC', decimals: 6 } },
      },
    })
  })

  test.each(lies)('%s', async (_, lie) => {
    for (const method of ['*', 'eth_chainId', 'eth_simulateV1']) {
      count++
      expectHonest(await run(method, lie), holds)
    }
  })

  const [first, second] = simulated
  const withCall = (fields: object) => [
    { ...first, calls: [first?.calls[0], { ...first?.calls[1], ...fields }] },
    second,
  ]
  test.each<[string, unknown]>([
    ['one block', [first]],
    ['three blocks', [first, second, second]],
    ['too few calls', [{ ...first, calls: [] }, second]],
    ['too few reads', [first, { ...second, calls: [] }]],
    ['a status of two', withCall({ status: '0x2' })],
    ['a status of true', withCall({ status: true })],
    ['gas in words', withCall({ gasUsed: 'much' })],
    ['a block number that programs round', [{ ...first, number: '0xffffffffffffffff' }, second]],
    ['logs that are no list', withCall({ logs: { length: 1 } })],
    ['a log of nobody', withCall({ logs: [{ ...log, address: null }] })],
    ['a topic of half a word', withCall({ logs: [{ ...log, topics: ['0x12'] }] })],
    ['log data of half a byte', withCall({ logs: [{ ...log, data: '0x1' }] })],
  ])('%s is refused', async (_, result) => {
    count++
    expect(await run('eth_simulateV1', { result })).toMatchObject({ error: expect.any(NodeError) })
  })

  test.each<[string, object]>([
    ['an amount of two words', { data: `${number(7n)}${'0'.repeat(64)}` }],
    ['an amount of nothing', { data: '0x' }],
    ['an address with something before it', { topics: [transfer, `0x01${word(from).slice(4)}`, word(to)] }],
    ['five topics', { topics: [transfer, ...Array(4).fill(word(from))] }],
  ])('a transfer with %s is none', async (_, fields) => {
    count++
    expect(
      await run('eth_simulateV1', { result: withCall({ logs: [{ ...log, ...fields }] }) }),
    ).toMatchObject({
      value: { leaves: [{ kind: 'native' }], comes: [] },
    })
  })

  test('changes of a call that failed are not shown', async () => {
    count++
    expect(await run('eth_simulateV1', { result: withCall({ status: '0x0' }) })).toMatchObject({
      value: { status: 'failed', leaves: [], comes: [], allowances: [] },
    })
  })

  test('100,000 logs are not all read', async () => {
    count++
    const short = { ...log, topics: [], data: '0x' }
    const result = withCall({ logs: Array(9_000).fill(short) })
    expect(await run('eth_simulateV1', { result })).toMatchObject({ value: { isComplete: false } })
  })
})

describe('a node that lies about a token', () => {
  const run = (lie?: Lie) => {
    const { node, clock } = lyingNode('eth_call', lie)
    return outcome(readToken(node, token, { owner: from }), clock)
  }
  test('an honest one is believed', async () => {
    expect(await run()).toMatchObject({ value: { kind: 'token', symbol: 'USDC', balance: 9n } })
  })
  test.each(lies)('%s', async (_, lie) => {
    count++
    expectHonest(await run(lie), (value: Awaited<ReturnType<typeof readToken>>) => {
      expect(value.kind).toBe('unknown')
      expect(value.balance ?? 0n).toBeLessThan(1n << 256n)
    })
  })
})

describe('a node that lies about what was sent', () => {
  async function run(
    liesAbout?: string,
    lie?: Lie,
    isMined?: boolean,
  ): Promise<readonly TransactionStatus[]> {
    const { node, clock } = lyingNode(liesAbout, lie, isMined)
    const stop = new AbortController()
    const seen: TransactionStatus[] = []
    const done = (async () => {
      for await (const status of track(node, [sent], { clock, signal: stop.signal })) seen.push(status)
    })()
    done.catch(() => {})
    await clock.advance(40_000)
    stop.abort()
    await settled()
    await done
    return seen
  }
  const never = (seen: readonly TransactionStatus[]) => {
    expect(seen.map(({ status }) => status)).not.toContain('confirmed')
    expect(seen.map(({ status }) => status)).not.toContain('failed')
  }

  test('an honest one is believed', async () => {
    expect(await run()).toMatchObject([{ status: 'pending' }])
    expect(await run('eth_getTransactionReceipt', { fields: {} }, true)).toMatchObject([
      { status: 'confirmed' },
    ])
  })

  test.each(lies)('%s', async (_, lie) => {
    for (const method of ['*', 'eth_getTransactionCount', 'eth_getTransactionReceipt']) {
      count++
      never(await run(method, lie))
    }
  })

  test.each<[string, object]>([
    ['in a block that the network does not have', { blockHash: `0x${'11'.repeat(32)}` }],
    ['in a block before', { blockNumber: '0x13' }],
    ['in a block to come', { blockNumber: '0xffff' }],
    ['of another transaction', { transactionHash: `0x${'22'.repeat(32)}` }],
    ['of another sender', { from: to }],
    ['of another recipient', { to: from }],
    ['of a new contract', { to: null, contractAddress: to }],
    ['without a status', { status: undefined }],
    ['with a status of two', { status: '0x2' }],
    ['with a number for a status', { status: 1 }],
    ['with true for a status', { status: true }],
    ['with a word for a status', { status: 'success' }],
    ['with a padded status', { status: '0x01' }],
    ['with the root of older chains', { status: undefined, root: `0x${'11'.repeat(32)}` }],
    ['that was turned over, and still has its logs', { status: '0x0', logs: [log] }],
    ['with more gas than its limit', { gasUsed: '0xc351' }],
    ['without gas', { gasUsed: '0x0' }],
    ['with a price above its fee', { effectiveGasPrice: '0xb2d05e01' }],
    ['with a block number of words', { blockNumber: 'latest' }],
    ['with a block number that programs round', { blockNumber: '0x20000000000000' }],
    ['with half a block hash', { blockHash: '0x1111' }],
    ['with logs of markup', { logs: ['<b>Success!</b>'] }],
    ['without logs', { logs: undefined }],
  ])('a receipt %s is no result', async (_, fields) => {
    count++
    never(await run('eth_getTransactionReceipt', { fields }, true))
  })

  test('a block that does not hold the transaction is no result either', async () => {
    count++
    never(await run('eth_getBlockByNumber', { fields: { transactions: [] } }, true))
  })
})
