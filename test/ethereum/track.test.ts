import { describe, expect, test } from 'vitest'
import { type SentTransaction, track } from '../../src/ethereum/track.ts'
import { InvalidRequest } from '../../src/lib/invalid-request.ts'
import { LIMIT_EXCEEDED, NodeError } from '../../src/lib/node-errors.ts'
import { testClock } from '../support/clock.ts'
import { from, scriptedChain, sentTransaction } from './support/scripted-chain.ts'

const minute = 60_000

function follow(sent: readonly SentTransaction[] = [sentTransaction('first')], depth?: number) {
  const chain = scriptedChain()
  const clock = testClock()
  const stop = new AbortController()
  const seen: unknown[] = []
  let isOver = false
  const done = (async () => {
    const options = { clock, signal: stop.signal, ...(depth !== undefined && { depth }) }
    for await (const status of track(chain.node, sent, options)) seen.push(status)
    isOver = true
  })()
  done.catch(() => {})
  const [first] = sent
  if (!first) throw new Error('nothing was sent')
  chain.pool.add(first)
  return { chain, clock, stop, seen, done, first, isOver: () => isOver }
}

test('tracking: pending, confirmed with each block, and over once it is deep', async () => {
  const { chain, clock, seen, done, first, isOver } = follow(undefined, 3)
  await clock.advance(5_000)
  expect(seen).toEqual([{ status: 'pending', hash: first.hash, wasReorganised: false }])
  chain.mine(first)
  await clock.advance(minute)
  chain.addBlocks(1)
  await clock.advance(minute)
  expect(isOver()).toBe(false)
  chain.addBlocks(1)
  await clock.advance(minute)
  await done
  expect(seen.slice(1)).toMatchObject(
    [1, 2, 3].map((confirmations) => ({
      status: 'confirmed',
      hash: first.hash,
      confirmations,
      receipt: { transactionHash: first.hash, status: 'success', from },
    })),
  )
})

test('tracking: a failure has its receipt and its reason', async () => {
  const { chain, clock, seen, first } = follow()
  chain.mine(first, false)
  await clock.advance(5_000)
  expect(seen).toMatchObject([
    {
      status: 'failed',
      hash: first.hash,
      receipt: { status: 'reverted' },
      reason: { kind: 'reverted', message: 'not today' },
    },
  ])
})

test('tracking: all gas used is the reason where all gas was used', async () => {
  const { chain, clock, seen } = follow([sentTransaction('first', { gasLimit: 21_000n })])
  chain.mine(sentTransaction('first', { gasLimit: 21_000n }), false)
  await clock.advance(5_000)
  expect(seen).toMatchObject([{ status: 'failed', reason: { kind: 'out-of-gas' } }])
})

describe('tracking: replaced', () => {
  test.each([
    ['sped-up', { maxFeePerGas: 4_000_000_000n }],
    ['cancelled', { to: from, value: 0n } as const],
    ['other', { value: 6n }],
  ])('by one of ours, which is then confirmed: %s', async (kind, fields) => {
    const first = sentTransaction('first')
    const second = sentTransaction('second', fields)
    const { chain, clock, seen } = follow([first, second])
    await clock.advance(2_000)
    chain.mine(second)
    await clock.advance(5_000)
    expect(seen).toMatchObject([
      { status: 'pending', hash: first.hash },
      { status: 'replaced', hash: first.hash, by: second.hash, kind },
      { status: 'confirmed', hash: second.hash, receipt: { transactionHash: second.hash } },
    ])
  })

  test('the first one wins: its replacement is not mentioned', async () => {
    const [first, second] = [sentTransaction('first'), sentTransaction('second')]
    const { chain, clock, seen } = follow([first, second])
    chain.mine(first)
    await clock.advance(5_000)
    expect(seen).toMatchObject([{ status: 'confirmed', hash: first.hash }])
  })

  test('by one from elsewhere: it is found by its nonce, never called a success, and ends the tracking', async () => {
    const { chain, clock, seen, first, done } = follow()
    const elsewhere = sentTransaction('elsewhere', { value: 9n })
    chain.addBlocks(30)
    chain.mine(elsewhere)
    chain.addBlocks(5)
    await clock.advance(10 * minute)
    await done
    expect(seen).toEqual([{ status: 'replaced', hash: first.hash, by: elsewhere.hash, kind: 'other' }])
  })

  test('by one that nobody can find any more', async () => {
    const { chain, clock, seen, first } = follow()
    chain.mine(sentTransaction('elsewhere'))
    chain.addBlocks(200)
    await clock.advance(minute)
    expect(seen).toEqual([{ status: 'replaced', hash: first.hash, by: undefined, kind: 'other' }])
  })

  test('a receipt that comes after the count is no replacement', async () => {
    const { chain, clock, seen, first } = follow()
    chain.mine(first)
    let lag = 1
    chain.lies.eth_getTransactionReceipt = (honest) => (lag-- > 0 ? null : honest())
    await clock.advance(5_000)
    expect(seen).toMatchObject([{ status: 'confirmed', hash: first.hash }])
  })
})

describe('tracking: dropped', () => {
  test('unknown to the node and its nonce free, for half a minute; and back when it is sent again', async () => {
    const { chain, clock, seen, first } = follow()
    chain.pool.clear()
    await clock.advance(25_000)
    expect(seen).toMatchObject([{ status: 'pending' }])
    await clock.advance(20_000)
    expect(seen).toMatchObject([{ status: 'pending' }, { status: 'dropped', hash: first.hash }])
    chain.pool.add(first)
    await clock.advance(20_000)
    chain.mine(first)
    await clock.advance(20_000)
    expect(seen.slice(2)).toMatchObject([{ status: 'pending' }, { status: 'confirmed', hash: first.hash }])
  })

  test('not while another transaction waits under its nonce', async () => {
    const { chain, clock, seen } = follow()
    chain.pool.clear()
    chain.pool.add(sentTransaction('elsewhere'))
    await clock.advance(5 * minute)
    expect(seen).toMatchObject([{ status: 'pending' }])
  })
})

test('tracking: a reorganised transaction is pending again, and confirmed in its new block', async () => {
  const { chain, clock, seen, first } = follow()
  chain.mine(first)
  await clock.advance(5_000)
  chain.reorganise(1)
  await clock.advance(20_000)
  chain.mine(first)
  await clock.advance(20_000)
  expect(seen).toMatchObject([
    { status: 'confirmed', confirmations: 1 },
    { status: 'pending', hash: first.hash, wasReorganised: true },
    { status: 'confirmed', confirmations: 1 },
  ])
})

test('tracking: a receipt from a block that the network gave up is no success', async () => {
  const { chain, clock, seen, first } = follow()
  chain.mine(first)
  const stale = await chain.node.ask('eth_getTransactionReceipt', [first.hash])
  chain.reorganise(1)
  chain.lies.eth_getTransactionReceipt = () => stale
  await clock.advance(minute)
  expect(seen).toMatchObject([{ status: 'pending' }])
})

describe('tracking: a block that is too large to be read', () => {
  const tooLarge = () => {
    throw new NodeError(LIMIT_EXCEEDED, 'The answer is too large')
  }

  test('the transaction itself names its block', async () => {
    const { chain, clock, seen, first } = follow()
    chain.mine(first)
    chain.lies.eth_getBlockByNumber = tooLarge
    await clock.advance(5_000)
    expect(seen).toMatchObject([{ status: 'confirmed', hash: first.hash }])
  })

  test('another block than in the receipt is no success', async () => {
    const { chain, clock, seen, first } = follow()
    chain.mine(first)
    chain.lies.eth_getBlockByNumber = tooLarge
    chain.lies.eth_getTransactionByHash = (honest) =>
      Object.assign({}, honest(), { blockHash: `0x${'11'.repeat(32)}` })
    await clock.advance(minute)
    expect(seen).toMatchObject([{ status: 'pending' }])
  })
})

describe('tracking: no result', () => {
  test('after ten minutes it is unknown, followed all the same, and found in the end', async () => {
    const { chain, clock, seen, first } = follow()
    await clock.advance(11 * minute)
    expect(seen).toMatchObject([{ status: 'pending' }, { status: 'unknown', hash: first.hash }])
    const before = chain.asked.length
    await clock.advance(10 * minute)
    expect(chain.asked.length - before).toBeLessThan(60)
    chain.mine(first)
    await clock.advance(2 * minute)
    expect(seen.slice(2)).toMatchObject([{ status: 'confirmed', hash: first.hash }])
  })

  test('a node that is away changes nothing, until the time is up', async () => {
    const { chain, clock, seen, first } = follow()
    await clock.advance(5_000)
    chain.unreachable()
    await clock.advance(5 * minute)
    expect(seen).toMatchObject([{ status: 'pending' }])
    await clock.advance(6 * minute)
    expect(seen).toMatchObject([{ status: 'pending' }, { status: 'unknown' }])
    chain.honest()
    chain.mine(first)
    await clock.advance(2 * minute)
    expect(seen.slice(2)).toMatchObject([{ status: 'confirmed' }])
  })

  test('a node that never answers, from the beginning', async () => {
    const { chain, clock, seen } = follow()
    chain.lies['*'] = () => new Promise(() => {})
    await clock.advance(12 * minute)
    expect(seen).toMatchObject([{ status: 'unknown' }])
  })

  test('polls become rarer', async () => {
    const { chain, clock } = follow()
    await clock.advance(minute)
    const polls = () => chain.asked.filter((method) => method === 'eth_getTransactionReceipt').length
    const early = polls()
    await clock.advance(minute)
    expect([early > 6, polls() - early <= 5]).toEqual([true, true])
  })
})

describe('tracking: aborted', () => {
  test('while it waits: it ends without an error', async () => {
    const { clock, stop, done, seen } = follow()
    await clock.advance(5_000)
    stop.abort()
    await done
    expect(seen).toHaveLength(1)
  })
  test('while the node is asked: the same', async () => {
    const { chain, clock, stop, done } = follow()
    chain.lies['*'] = () => new Promise(() => {})
    await clock.advance(1_000)
    stop.abort()
    await done
  })
})

test.each([
  ['none', []],
  ['of two nonces', [sentTransaction('a'), sentTransaction('b', { nonce: 8n })]],
  ['of two chains', [sentTransaction('a'), sentTransaction('b', { chainId: 10 })]],
])('tracking: transactions %s are refused', async (_, sent) => {
  const statuses = track(scriptedChain().node, sent, { clock: testClock() })
  await expect(statuses.next()).rejects.toThrow(InvalidRequest)
})
