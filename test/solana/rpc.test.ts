/** Which node answers, how long each has, and what is said when none does. */
import { describe, expect, test } from 'vitest'
import { NodeError, Unreachable } from '../../src/lib/node-errors.ts'
import { getBalance, getStatus } from '../../src/solana/queries.ts'
import type { RpcOptions, SolanaRpc } from '../../src/solana/rpc.ts'
import { inContext, scriptedNodes } from '../support/solana-node.ts'

const getBlockHeight = (rpc: SolanaRpc, options?: RpcOptions) => rpc.ask('getBlockHeight', [], options)
const broken = () => new Response('no', { status: 503 })
const answer = (error: { code: number; message: string }) => () => ({ error })

describe('nodes of Solana', () => {
  test.each([
    ['a lost connection', () => 'lost' as const],
    ['status 503', broken],
    ['an error page', () => new Response('<h1>Sorry</h1>')],
    ['too many requests', () => new Response('', { status: 429 })],
    ['a method that it lacks', answer({ code: -32601, message: 'Method not found' })],
    ['a slot that it has not reached', answer({ code: -32016, message: 'Minimum context slot' })],
    ['an unhealthy node', answer({ code: -32005, message: 'Node is behind' })],
  ])('fall-back: the next node answers after %s', async (_, getBlockHeightAnswer) => {
    const { rpc, finish, methods } = scriptedNodes(
      { getBlockHeight: getBlockHeightAnswer },
      { getBlockHeight: 42 },
    )
    expect(await finish(getBlockHeight(rpc))).toBe(42)
    expect(methods()).toEqual([['getBlockHeight'], ['getBlockHeight']])
  })

  test('fall-back: a silent node has 5 s, and is asked last from then on', async () => {
    const { rpc, clock, finish, nodes } = scriptedNodes({}, { getBlockHeight: 42 })
    const [silent] = nodes
    if (!silent) throw new Error('There is no node')
    let asked = 0
    silent.fetch = () => {
      asked++
      return new Promise(() => {})
    }
    const started = clock.now()
    expect(await finish(getBlockHeight(rpc))).toBe(42)
    expect(clock.now() - started).toBeLessThanOrEqual(6_000)
    expect(await finish(getBlockHeight(rpc))).toBe(42)
    expect(asked).toBe(1)
  })

  test('fall-back: a refusal of the request itself is final', async () => {
    const refusal = answer({ code: -32602, message: 'Invalid params' })
    const { rpc, finish, methods } = scriptedNodes({ getBlockHeight: refusal }, { getBlockHeight: 42 })
    await expect(finish(getBlockHeight(rpc))).rejects.toMatchObject({ name: 'NodeError', code: -32602 })
    expect(methods()[1]).toEqual([])
  })

  test('failure: no node that answers is `Unreachable`, after the retries of the last one', async () => {
    const { rpc, finish, methods } = scriptedNodes({ getBlockHeight: broken }, { getBlockHeight: broken })
    await expect(finish(getBlockHeight(rpc))).rejects.toBeInstanceOf(Unreachable)
    expect(methods().map((each) => each.length)).toEqual([1, 4])
  })

  test('failure: what one node said counts more than another one’s silence', async () => {
    const lacks = answer({ code: -32601, message: 'Method not found' })
    const { rpc, finish } = scriptedNodes({ getBlockHeight: lacks }, { getBlockHeight: broken })
    await expect(finish(getBlockHeight(rpc))).rejects.toBeInstanceOf(NodeError)
  })

  test('abort: the signal’s reason ends a request', async () => {
    const { rpc, finish } = scriptedNodes({ getBlockHeight: broken }, { getBlockHeight: broken })
    const controller = new AbortController()
    const work = getBlockHeight(rpc, { signal: controller.signal })
    controller.abort(new Error('closed'))
    await expect(finish(work)).rejects.toThrow('closed')
  })

  test('amounts: 64 bits arrive exactly, and text with digits stays text', async () => {
    const text = (lamports: string) =>
      new Response(`{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":5},"value":${lamports}}}`)
    const { rpc, finish } = scriptedNodes({ getBalance: () => text('18446744073709551615') })
    expect(await finish(getBalance(rpc, 'a'))).toBe(18_446_744_073_709_551_615n)
    const logs = scriptedNodes({
      logs: () => new Response('{"result":["need 18446744073709551615, \\"9999999999999999999\\""]}'),
    })
    expect(await logs.finish(logs.rpc.ask('logs'))).toEqual([
      'need 18446744073709551615, "9999999999999999999"',
    ])
  })

  test.each([
    ['a negative balance', inContext(-1)],
    ['half a lamport', inContext(0.5)],
    ['no number', inContext('many')],
    ['no context', { value: 1 }],
    ['a list', inContext([1])],
  ])('answers: %s is none', async (_, balance) => {
    const { rpc, finish } = scriptedNodes({ getBalance: balance })
    await expect(finish(getBalance(rpc, 'a'))).rejects.toBeInstanceOf(Unreachable)
  })

  test('answers: a status with an unknown commitment is none', async () => {
    const odd = inContext([{ slot: 1, err: null, confirmationStatus: 'maybe' }])
    const { rpc, finish } = scriptedNodes({ getSignatureStatuses: odd })
    await expect(finish(getStatus(rpc, 'a'))).rejects.toBeInstanceOf(Unreachable)
  })
})
