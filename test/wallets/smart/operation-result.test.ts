import { encodeErrorResult, type Hex, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import type { KitError } from '../../../src/errors/kit-error.ts'
import type { SubmittedOperation } from '../../../src/wallets/smart/operation.ts'
import { waitForOperation } from '../../../src/wallets/smart/operation-result.ts'
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

async function wait(answers: (event: EventOptions) => Services, { time }: { time?: number } = {}) {
  const { codec, sender } = await createServices()
  const nonce = codec.nonceKey << 64n
  const event = { hash, sender, nonce, entryPoint: codec.entryPoint.address }
  const services = await createServices(answers(event))
  const sent: SubmittedOperation = {
    outcome: 'submitted',
    hash,
    sender,
    nonce,
    entryPoint: codec.entryPoint,
    blockNumber: 100n,
  }
  return { ...services, event, result: waitForOperation(services.cx, sent, { time }) }
}
const rejection = (work: Promise<unknown>): Promise<KitError> =>
  work.then(
    () => expect.unreachable(),
    (cause) => cause,
  )

describe('an operation that was sent', () => {
  test('is included: the result has both hashes, and the node says that it succeeded', async () => {
    const { result } = await wait((event) => ({
      bundler: { eth_getUserOperationReceipt: operationReceipt(transaction, event) },
      node: { eth_getTransactionReceipt: transactionReceipt(transaction, event) },
    }))
    expect(await result).toMatchObject({
      status: 'included',
      userOpHash: hash,
      transactionHash: transaction,
      isSuccessful: true,
      receipt: { status: 'success', gasUsed: 100_000n },
    })
  })

  test('is included though its calls failed: the reason is the contract’s, whatever the bundler says', async () => {
    const revert = encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: ['Paused'] })
    const { result } = await wait((event) => ({
      bundler: { eth_getUserOperationReceipt: operationReceipt(transaction, { ...event, success: true }) },
      node: {
        eth_getTransactionReceipt: transactionReceipt(transaction, { ...event, success: false, revert }),
      },
    }))
    expect(await result).toMatchObject({
      status: 'included',
      isSuccessful: false,
      transactionHash: transaction,
      reason: { kind: 'reverted', message: 'Paused' },
    })
  })

  test('is waited for until the bundler has included it, and the node has seen it', async () => {
    let polls = 0
    let seen = 0
    const { result, clock } = await wait((event) => ({
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
    expect(await result).toMatchObject({ status: 'included', isSuccessful: true })
    expect([polls, seen]).toEqual([4, 2])
  })

  test('is found by the node where another bundler has included it', async () => {
    const { result } = await wait((event) => ({
      node: {
        eth_call: word(event.nonce + 1n),
        eth_getLogs: ([filter]) => {
          expect(filter).toMatchObject({ address: event.entryPoint, fromBlock: '0x64' })
          return { result: [{ transactionHash: transaction, blockNumber: '0x65' }] }
        },
        eth_getTransactionReceipt: transactionReceipt(transaction, event),
      },
    }))
    expect(await result).toMatchObject({ status: 'included', transactionHash: transaction })
  })

  test('is replaced once another operation has used its nonce, and no log has it', async () => {
    const { result, clock } = await wait((event) => ({
      node: { eth_call: word(event.nonce + 1n), eth_getLogs: () => ({ result: [] }) },
    }))
    await clock.advance(20_000)
    expect(await result).toEqual({ status: 'replaced', userOpHash: hash })
  })

  test('is dropped once the bundler has not known it for half a minute', async () => {
    const { result, clock, bundler } = await wait((event) => ({ node: { eth_call: word(event.nonce) } }))
    await clock.advance(20_000)
    expect(bundler.methods()).toContain('eth_getUserOperationByHash')
    await clock.advance(20_000)
    expect(await result).toEqual({ status: 'dropped', userOpHash: hash })
  })

  test('is pending when the time has passed, and the wait has an end though nothing answers', async () => {
    const { result, clock } = await wait(
      () => ({
        bundler: { eth_getUserOperationReceipt: () => ({ error: { code: -32_005, message: 'slow down' } }) },
      }),
      { time: 60_000 },
    )
    await clock.advance(60_000)
    expect(await result).toEqual({ status: 'pending', userOpHash: hash })
    expect(clock.sleeping).toBe(0)
  })

  test('is no longer waited for once its signal is aborted', async () => {
    const { cx, clock, codec, sender } = await createServices()
    const stop = new AbortController()
    const sent = {
      outcome: 'submitted',
      hash,
      sender,
      nonce: 0n,
      entryPoint: codec.entryPoint,
      blockNumber: 1n,
    } as const
    const error = rejection(waitForOperation(cx, sent, { signal: stop.signal }))
    await clock.advance(1_000)
    stop.abort(new Error('closed'))
    expect((await error).message).toBe('closed')
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
    const { result } = await wait((event) => ({
      bundler: { eth_getUserOperationReceipt: () => ({ result: receipt(event) }) },
      node: { eth_getTransactionReceipt: transactionReceipt(transaction, event) },
    }))
    expect((await rejection(result)).code).toBe('bundler_answer_invalid')
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
    const { result } = await wait((event) => ({
      bundler: { eth_getUserOperationReceipt: operationReceipt(transaction, event) },
      node: { eth_getTransactionReceipt: () => ({ result: receipt(event) }) },
    }))
    expect((await rejection(result)).code).toBe('bundler_answer_invalid')
  })

  test('where the operation that it says it has is another', async () => {
    const { result } = await wait((event) => ({
      bundler: { eth_getUserOperationByHash: { userOperation: { sender: stranger, nonce: '0x0' } } },
      node: { eth_call: word(event.nonce) },
    }))
    expect((await rejection(result)).code).toBe('bundler_answer_invalid')
  })
})
