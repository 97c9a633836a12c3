/** The activity's statuses of an operation that was sent, by a scripted node and bundler. */
import { encodeErrorResult, type Hex, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import type { ActivityEntry } from '../../../src/activity/entry.ts'
import { followEntry } from './support/sending.ts'
import {
  createServices,
  type EventOptions,
  operationReceipt,
  type Services,
  transactionReceipt,
  word,
} from './support/services.ts'

const hash: Hex = `0x${'11'.repeat(32)}`
const transaction: Hex = `0x${'22'.repeat(32)}`

async function follow(answers: (event: EventOptions) => Services) {
  const { codec, sender } = await createServices()
  const nonce = codec.nonceKey << 64n
  const event = { hash, sender, nonce, entryPoint: codec.entryPoint.address }
  const services = await createServices(answers(event))
  const entry: ActivityEntry = {
    chain: 'eip155:1',
    wallet: sender,
    hash,
    nonce: String(nonce),
    title: 'call',
    sentAt: 0,
    status: 'pending',
    operation: { entryPoint: codec.entryPoint.address, block: '100' },
  }
  const stop = new AbortController()
  const result = followEntry(services.cx, entry, { signal: stop.signal })
  /** The statuses by the end of this time. */
  const saidAfter = async (ms: number) => {
    await services.clock.advance(ms)
    stop.abort()
    return (await result).map(({ change }) => change)
  }
  return { ...services, event, result, stop, saidAfter }
}

describe('an operation that was sent', () => {
  test('is included: the result has both hashes, and the node says that it succeeded', async () => {
    const { result } = await follow((event) => ({
      bundler: { eth_getUserOperationReceipt: operationReceipt(transaction, event) },
      node: { eth_getTransactionReceipt: transactionReceipt(transaction, event) },
    }))
    expect(await result).toMatchObject([
      {
        change: { status: 'confirmed', transactionHash: transaction, block: '101', fee: '1000000' },
        receipt: { status: 'success', gasUsed: 100_000n },
      },
    ])
  })

  test('is included though its calls failed: the reason is the contract’s, whatever the bundler says', async () => {
    const revert = encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: ['Paused'] })
    const { result } = await follow((event) => ({
      bundler: { eth_getUserOperationReceipt: operationReceipt(transaction, { ...event, success: true }) },
      node: {
        eth_getTransactionReceipt: transactionReceipt(transaction, { ...event, success: false, revert }),
      },
    }))
    expect(await result).toMatchObject([
      { change: { status: 'failed', transactionHash: transaction, reason: 'Paused' } },
    ])
  })

  test('is waited for until the bundler has included it, and the node has seen it', async () => {
    let polls = 0
    let seen = 0
    const { result, clock } = await follow((event) => ({
      bundler: {
        eth_getUserOperationReceipt: () => ({
          result: ++polls < 3 ? null : operationReceipt(transaction, event),
        }),
        eth_getUserOperationByHash: () => ({
          result: {
            userOperation: { sender: event.sender, nonce: `0x${event.nonce.toString(16)}` },
            transactionHash: null,
          },
        }),
      },
      node: {
        eth_getTransactionReceipt: () => ({
          result: ++seen < 2 ? null : transactionReceipt(transaction, event),
        }),
      },
    }))
    await clock.advance(20_000)
    expect(await result).toMatchObject([{ change: { status: 'confirmed' } }])
    expect([polls, seen]).toEqual([4, 2])
  })

  test('is found by the node where another bundler has included it', async () => {
    const { result } = await follow((event) => ({
      node: {
        eth_call: word(event.nonce + 1n),
        eth_getLogs: ([filter]) => {
          expect(filter).toMatchObject({ address: event.entryPoint, fromBlock: '0x64' })
          return { result: [{ transactionHash: transaction, blockNumber: '0x65' }] }
        },
        eth_getTransactionReceipt: transactionReceipt(transaction, event),
      },
    }))
    expect(await result).toMatchObject([{ change: { status: 'confirmed', transactionHash: transaction } }])
  })

  test('is replaced once another operation has used its nonce, and no log has it', async () => {
    const { result, clock } = await follow((event) => ({
      node: { eth_call: word(event.nonce + 1n), eth_getLogs: () => ({ result: [] }) },
    }))
    await clock.advance(20_000)
    expect(await result).toEqual([{ change: { status: 'replaced' } }])
  })

  test('is dropped once the bundler has not known it for half a minute', async () => {
    const { result, clock, bundler } = await follow((event) => ({ node: { eth_call: word(event.nonce) } }))
    await clock.advance(20_000)
    expect(bundler.methods()).toContain('eth_getUserOperationByHash')
    await clock.advance(20_000)
    expect(await result).toEqual([{ change: { status: 'dropped' } }])
  })

  test('is unknown after ten minutes in which nothing answers, and followed all the same', async () => {
    const { saidAfter, clock } = await follow(() => ({
      bundler: { eth_getUserOperationReceipt: () => ({ error: { code: -32_005, message: 'slow down' } }) },
    }))
    expect(await saidAfter(11 * 60_000)).toEqual([{ status: 'unknown' }])
    expect(clock.sleeping).toBe(0)
  })

  test('is no longer followed once its signal is aborted', async () => {
    const { saidAfter, clock } = await follow((event) => ({ node: { eth_call: word(event.nonce) } }))
    expect(await saidAfter(1_000)).toEqual([])
    expect(clock.sleeping).toBe(0)
  })
})

describe('a bundler’s receipt is refused', () => {
  const other = `0x${'33'.repeat(32)}` as const
  const stranger = '0x000000000000000000000000000000000000dEaD'
  test.each<[string, (event: EventOptions) => object]>([
    ['of another operation', (event) => ({ ...operationReceipt(transaction, event), userOpHash: other })],
    ['of another sender', (event) => ({ ...operationReceipt(transaction, event), sender: stranger })],
    ['of another EntryPoint', (event) => ({ ...operationReceipt(transaction, event), entryPoint: stranger })],
    ['with another nonce', (event) => ({ ...operationReceipt(transaction, event), nonce: '0x7' })],
    ['without a transaction', (event) => ({ ...operationReceipt(transaction, event), receipt: {} })],
    [
      'with half a hash',
      (event) => ({ ...operationReceipt(transaction, event), receipt: { transactionHash: '0x22' } }),
    ],
    ['in another form', () => ['receipt']],
  ])('%s', async (_, receipt) => {
    const { saidAfter } = await follow((event) => ({
      bundler: { eth_getUserOperationReceipt: () => ({ result: receipt(event) }) },
      node: {
        eth_call: word(event.nonce),
        eth_getTransactionReceipt: transactionReceipt(transaction, event),
      },
    }))
    expect(await saidAfter(60_000)).toEqual([{ status: 'unknown' }])
  })

  test('of another operation while the chain has ours: the result is the chain’s', async () => {
    const { result } = await follow((event) => ({
      bundler: {
        eth_getUserOperationReceipt: () => ({
          result: { ...operationReceipt(transaction, event), sender: stranger },
        }),
      },
      node: {
        eth_call: word(event.nonce + 1n),
        eth_getLogs: () => ({ result: [{ transactionHash: transaction, blockNumber: '0x65' }] }),
        eth_getTransactionReceipt: transactionReceipt(transaction, { ...event, success: false }),
      },
    }))
    expect(await result).toMatchObject([{ change: { status: 'failed', transactionHash: transaction } }])
  })

  test.each<[string, (event: EventOptions) => object]>([
    ['another operation', (event) => transactionReceipt(transaction, { ...event, hash: other })],
    [
      'another sender’s operation',
      (event) => transactionReceipt(transaction, { ...event, sender: stranger }),
    ],
    [
      'an event of a contract that is no EntryPoint',
      (event) => transactionReceipt(transaction, { ...event, entryPoint: stranger }),
    ],
  ])('where the node finds in its transaction %s', async (_, receipt) => {
    const { saidAfter } = await follow((event) => ({
      bundler: { eth_getUserOperationReceipt: operationReceipt(transaction, event) },
      node: {
        eth_call: word(event.nonce),
        eth_getTransactionReceipt: () => ({ result: receipt(event) }),
      },
    }))
    expect(await saidAfter(60_000)).toEqual([{ status: 'unknown' }])
  })

  test('where the operation that it says it has is another', async () => {
    const { saidAfter } = await follow((event) => ({
      bundler: { eth_getUserOperationByHash: { userOperation: { sender: stranger, nonce: '0x0' } } },
      node: { eth_call: word(event.nonce) },
    }))
    expect(await saidAfter(60_000)).toEqual([])
  })
})
