import { encodeAbiParameters } from 'viem'
import { describe, expect, test } from 'vitest'
import type { ActivityEntry } from '../../src/activity/entry.ts'
import type { Followed } from '../../src/activity/tracker.ts'
import { decodePermit } from '../../src/ethereum/permit-decoder.ts'
import { createNode } from '../../src/ethereum/rpc.ts'
import { serialize } from '../../src/ethereum/serialize.ts'
import { formatTransaction } from '../../src/ethereum/transaction.ts'
import { parseTypedData } from '../../src/ethereum/typed-data.ts'
import { InvalidRequest } from '../../src/lib/invalid-request.ts'
import { NodeError } from '../../src/lib/node-errors.ts'
import { createEthereumAdapter } from '../../src/signing/ethereum/adapter.ts'
import { titleOf } from '../../src/signing/preview.ts'
import { from, scriptedChain, sentTransaction } from '../ethereum/support/scripted-chain.ts'
import { fakeNode } from '../support/chain-node.ts'
import { testClock } from '../support/clock.ts'

const wallet = `0x${'12'.repeat(20)}`
const to = `0x${'ab'.repeat(20)}`
const { signal } = new AbortController()
const gwei = 10n ** 9n
const hex = (value: bigint | number) => `0x${value.toString(16)}`

/** An adapter whose node answers what the test sets. */
function setUp() {
  const chain = { baseFee: 10n * gwei, nonce: 7, balance: 10n ** 18n, gas: 21_000, isSilent: false }
  const answers: Record<string, () => unknown> = {
    eth_chainId: () => '0x1',
    eth_getBlockByNumber: () => ({ baseFeePerGas: hex(chain.baseFee), gasLimit: hex(30_000_000) }),
    eth_getTransactionCount: () => hex(chain.nonce),
    eth_getBalance: () => hex(chain.balance),
    eth_estimateGas: () => hex(chain.gas),
    eth_maxPriorityFeePerGas: () => hex(gwei),
    eth_gasPrice: () => hex(chain.baseFee + gwei),
  }
  const node = {
    async ask(method: string) {
      if (chain.isSilent) throw new NodeError(-32000, 'busy')
      const answer = answers[method]
      if (!answer) throw new NodeError(-32601, 'no such method')
      return answer()
    },
  }
  const adapter = createEthereumAdapter({
    chains: { host: {} },
    origin: 'https://host.example',
    wallet,
    node: node as never,
    chainId: 1,
  })
  const attempt = adapter.start(adapter.parse({ to, value: '0x64' }), 'send')
  return { chain, adapter, attempt }
}

test.each<[string, unknown]>([
  ['no object', 'transfer'],
  ['an address that is none', { to: '0x12', value: '0x1' }],
  ['a blob transaction', { to, type: 3 }],
  ['a value that is no quantity', { to, value: '1,304.53' }],
])('Ethereum adapter: parse refuses %s', (_, input) => {
  expect(() => setUp().adapter.parse(input)).toThrow(InvalidRequest)
})

test('Ethereum adapter: the vault is given exactly the prepared transaction, and before that a preparing one', async () => {
  const { adapter, attempt } = setUp()
  expect(adapter.encode(attempt).content).toMatchObject({ kind: 'evmTransaction', state: 'preparing' })
  const prepared = await adapter.prepare(attempt, signal)
  const { content } = adapter.encode(attempt, prepared)
  expect(content).toMatchObject({
    kind: 'evmTransaction',
    action: 'send',
    transaction: { value: '0x64', nonce: 7, gasLimit: hex(prepared.transaction.gasLimit) },
  })
  expect(content).not.toHaveProperty('state')
  expect(adapter.preview(attempt, prepared)).toMatchObject({ value: 100n, balance: 10n ** 18n, warnings: [] })
})

test.each<[string, (chain: ReturnType<typeof setUp>['chain']) => void]>([
  ['nothing has changed', () => {}],
  ['the base fee is still below the maximum', (chain) => (chain.baseFee = 15n * gwei)],
  ['the node does not answer', (chain) => (chain.isSilent = true)],
  ['the balance still pays for it', (chain) => (chain.balance = 10n ** 17n)],
])('Ethereum adapter: what was displayed holds where %s', async (_, change) => {
  const { chain, adapter, attempt } = setUp()
  const displayed = await adapter.prepare(attempt, signal)
  change(chain)
  expect(await adapter.renew(attempt, displayed, signal)).toBeUndefined()
})

test.each<[string, (chain: ReturnType<typeof setUp>['chain']) => void]>([
  ['the base fee is above the maximum', (chain) => (chain.baseFee = 200n * gwei)],
  ['another tab has used the nonce', (chain) => (chain.nonce = 8)],
  ['the balance no longer pays for it', (chain) => (chain.balance = 1n)],
  ['it needs much more gas', (chain) => (chain.gas = 90_000)],
])('Ethereum adapter: what was displayed is renewed where %s', async (_, change) => {
  const { chain, adapter, attempt } = setUp()
  const displayed = await adapter.prepare(attempt, signal)
  change(chain)
  const renewed = await adapter.renew(attempt, displayed, signal)
  expect(renewed).toBeDefined()
  expect(renewed).not.toEqual(displayed)
})

test('Ethereum adapter: a refused fee leads to an attempt that pays more under the same nonce', async () => {
  const { adapter, attempt } = setUp()
  const prepared = await adapter.prepare(attempt, signal)
  const recovery = adapter.afterRefusal(
    attempt,
    prepared,
    new NodeError(-32000, 'replacement transaction underpriced'),
  )
  if (recovery.kind !== 'retry') throw new Error(recovery.kind)
  const next = await adapter.prepare(recovery.attempt, signal)
  expect(next.transaction.nonce).toBe(prepared.transaction.nonce)
  expect(next.fee * 8n).toBeGreaterThanOrEqual(prepared.fee * 9n)
})

test('Ethereum adapter: a nonce that the app gave is never changed', async () => {
  const { adapter } = setUp()
  const attempt = adapter.start(adapter.parse({ to, value: '0x64', nonce: 3 }), 'send')
  const prepared = await adapter.prepare(attempt, signal)
  const cause = new NodeError(-32000, 'nonce too low')
  expect(adapter.afterRefusal(attempt, prepared, cause)).toEqual({ kind: 'stop', cause })
  expect(adapter.afterOutcome(attempt, prepared, 'failed')).toBeUndefined()
})

test('Ethereum adapter: after a failure on the network the next attempt takes a new nonce', async () => {
  const { adapter, attempt } = setUp()
  const prepared = await adapter.prepare(attempt, signal)
  const next = adapter.afterOutcome(attempt, prepared, 'failed')
  expect(next?.request.nonce).toBeUndefined()
  expect(next?.replaces).toBeUndefined()
  expect(adapter.afterOutcome(attempt, prepared, 'expired')).toBeUndefined()
})

test('Ethereum adapter: an attempt after a refused fee pays more than what the vault has signed, not than what was prepared', async () => {
  const { adapter, attempt } = setUp()
  const prepared = await adapter.prepare(attempt, signal)
  const signed = { ...prepared.transaction, maxFeePerGas: 100n * gwei, maxPriorityFeePerGas: 20n * gwei }
  const adopted = adapter.adopt?.(attempt, prepared, { transaction: formatTransaction(signed) })
  if (!adopted) throw new Error('The adapter adopts nothing')
  expect(adopted.prepared.fee).toBe(signed.gasLimit * 100n * gwei)
  const cause = new NodeError(-32000, 'replacement transaction underpriced')
  const recovery = adapter.afterRefusal(adopted.attempt, adopted.prepared, cause)
  if (recovery.kind !== 'retry') throw new Error(recovery.kind)
  const { transaction } = await adapter.prepare(recovery.attempt, signal)
  expect(transaction.nonce).toBe(signed.nonce)
  expect(transaction.maxFeePerGas).toBeGreaterThanOrEqual((signed.maxFeePerGas * 9n) / 8n)
  expect(transaction.maxPriorityFeePerGas).toBeGreaterThanOrEqual((signed.maxPriorityFeePerGas * 9n) / 8n)
})

test.each([
  ['a level', 'slow'],
  ['one of their own', { maxFeePerGas: 31n * gwei, maxPriorityFeePerGas: 2n * gwei }],
] as const)(
  'Ethereum adapter: a retry after a failure or a refusal keeps the fee that the user chose: %s',
  async (_, fees) => {
    const { adapter, attempt } = setUp()
    const chosen = adapter.edit(attempt, { fees })
    const prepared = await adapter.prepare(chosen, signal)
    const again = adapter.afterOutcome(chosen, prepared, 'failed')
    if (!again) throw new Error('there is no retry')
    const { maxFeePerGas, maxPriorityFeePerGas } = prepared.transaction
    expect((await adapter.prepare(again, signal)).transaction).toMatchObject({
      maxFeePerGas,
      maxPriorityFeePerGas,
    })
    const refused = adapter.afterRefusal(chosen, prepared, new NodeError(-32000, 'nonce too low'))
    if (refused.kind !== 'retry') throw new Error(refused.kind)
    const next = await adapter.prepare(refused.attempt, signal)
    expect(next.transaction).toMatchObject({ maxFeePerGas, maxPriorityFeePerGas })
  },
)

test('Ethereum adapter: a retry keeps the fee that the user chose in the vault', async () => {
  const { adapter, attempt } = setUp()
  const prepared = await adapter.prepare(attempt, signal)
  const own = { maxFeePerGas: 42n * gwei, maxPriorityFeePerGas: 3n * gwei }
  const edited = { transaction: formatTransaction({ ...prepared.transaction, ...own }) }
  const adopted = adapter.adopt?.(attempt, prepared, edited)
  const again = adopted && adapter.afterOutcome(adopted.attempt, adopted.prepared, 'failed')
  if (!again) throw new Error('there is no retry')
  expect((await adapter.prepare(again, signal)).transaction).toMatchObject(own)
})

test('Ethereum adapter: track follows an entry to its receipt by its signed bytes, without its request', async () => {
  const chain = scriptedChain()
  const clock = testClock()
  const stop = new AbortController()
  const first = sentTransaction('first')
  chain.pool.add(first)
  const adapter = createEthereumAdapter({
    chains: { host: {} },
    origin: 'https://host.example',
    wallet: from,
    node: chain.node,
    chainId: 1,
  })
  const { chainId, nonce, to: recipient } = first.transaction
  const entry: ActivityEntry = {
    chain: `eip155:${chainId}`,
    wallet: from,
    hash: first.hash,
    title: 'transfer',
    to: recipient,
    sentAt: 0,
    status: 'pending',
    nonce: String(nonce),
    raw: serialize(first.transaction),
  }
  const seen: Followed[] = []
  const done = (async () => {
    for await (const each of adapter.track(entry, { clock, signal: stop.signal })) seen.push(each)
  })()
  await clock.advance(5_000)
  expect(seen).toEqual([{ change: { status: 'pending' } }])
  chain.mine(first)
  await clock.advance(60_000)
  expect(seen[1]).toMatchObject({
    change: { status: 'confirmed' },
    receipt: { transactionHash: first.hash, status: 'success' },
  })
  stop.abort()
  await done
})

describe('Ethereum adapter: a review on a node that can’t simulate', () => {
  const token = `0x${'cd'.repeat(20)}`
  const words = (text: string) => encodeAbiParameters([{ type: 'string' }], [text])
  const number = (value: bigint) => encodeAbiParameters([{ type: 'uint256' }], [value])
  const answers: Record<string, string> = {
    '0x95d89b41': words('USDT'),
    '0x06fdde03': words('Tether'),
    '0x313ce567': number(6n),
    '0x70a08231': number(5_000_000n),
    '0x18160ddd': number(10n ** 15n),
  }
  const selectors = {
    transfer: 'a9059cbb',
    approve: '095ea7b3',
  }
  async function review(name: keyof typeof selectors, amount: bigint, decimals = answers['0x313ce567']) {
    const { fetch } = fakeNode({
      eth_call([call]) {
        const result = { ...answers, '0x313ce567': decimals }[(call as { data: string }).data.slice(0, 10)]
        return result === undefined ? { error: { code: 3, message: 'execution reverted' } } : { result }
      },
      eth_getCode: '0x60',
    })
    const clock = testClock()
    const adapter = createEthereumAdapter({
      chains: { host: {} },
      origin: 'https://host.example',
      wallet,
      node: createNode({ url: 'https://node.example/', fetch, clock }),
      chainId: 1,
      review: { clock },
    })
    const data = `0x${selectors[name]}${to.slice(2).padStart(64, '0')}${amount.toString(16).padStart(64, '0')}`
    const attempt = adapter.start(adapter.parse({ to: token, data }), 'send')
    return adapter.preview(attempt, await adapter.prepare(attempt, signal))
  }

  test.each([1n, 100n, 1_500_000n, 5_000_000n])(
    'counts a transfer of %d as its token does',
    async (amount) => {
      const [action] = (await review('transfer', amount)).actions
      expect(action).toMatchObject({ call: { amount }, asset: { symbol: 'USDT', decimals: 6 } })
    },
  )

  test('counts nothing that the token doesn’t say', async () => {
    const [action] = (await review('transfer', 1n, '0x')).actions
    expect(action).not.toHaveProperty('asset.decimals')
  })

  test('names an approval of nothing a revocation, and any other an approval', async () => {
    expect(titleOf(await review('approve', 0n))).toBe('revoke')
    expect(titleOf(await review('approve', 1n))).toBe('approve')
    // It may be the token with the number 0 that somebody is let take.
    expect(titleOf(await review('approve', 0n, '0x'))).toBe('approve')
  })
})

describe('a signed permit that takes back', () => {
  const permit = (fields: object, types: readonly { name: string; type: string }[]) =>
    decodePermit(
      parseTypedData({
        types: { Permit: types, EIP712Domain: [{ name: 'verifyingContract', type: 'address' }] },
        primaryType: 'Permit',
        domain: { verifyingContract: `0x${'cd'.repeat(20)}` },
        message: fields,
      }),
    )
  const dai = [
    { name: 'holder', type: 'address' },
    { name: 'spender', type: 'address' },
    { name: 'nonce', type: 'uint256' },
    { name: 'expiry', type: 'uint256' },
    { name: 'allowed', type: 'bool' },
  ]
  test.each([
    [false, 'revoke'],
    [true, 'approve'],
  ])('DAI, allowed %s: %s', (allowed, title) => {
    const call = permit({ holder: wallet, spender: to, nonce: '0', expiry: '0', allowed }, dai)
    expect(call && titleOf({ actions: [{ kind: 'token', call }] })).toBe(title)
  })
})
