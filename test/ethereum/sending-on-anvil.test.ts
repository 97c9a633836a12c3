/** Prepare, sign, send and follow on a real chain, whose blocks the test makes. */
import { createTestClient, encodeFunctionData, http, keccak256, parseAbi, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Anvil } from '../../demo/world/chains/anvil.ts'
import { broadcast } from '../../src/ethereum/broadcast.ts'
import { type PrepareOptions, prepareTransaction } from '../../src/ethereum/prepare-transaction.ts'
import { cancel, speedUp } from '../../src/ethereum/replacement.ts'
import { createNode } from '../../src/ethereum/rpc.ts'
import { serialize } from '../../src/ethereum/serialize.ts'
import { type SentTransaction, type TransactionStatus, track } from '../../src/ethereum/track.ts'
import { parseTransaction, type WalletTransaction, withSender } from '../../src/ethereum/transaction.ts'
import { type Clock, systemClock } from '../../src/lib/clock.ts'
import { startChain } from '../support/chains.ts'
import { limit } from '../support/limit.ts'
import { tokenCode } from './support/token-code.ts'

/** The first key of every anvil. */
const account = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const token = '0x00000000000000000000000000000000000000AA'
const chainId = 31_337

let anvil: Anvil
beforeAll(async () => {
  anvil = await startChain(chainId)
  await chain().setAutomine(false)
  await chain().setCode({ address: token, bytecode: tokenCode })
})
afterAll(() => anvil?.close())
beforeEach(async () => {
  await chain().mine({ blocks: 1 })
})

const chain = () => createTestClient({ mode: 'anvil', transport: http(anvil.url) }).extend(publicActions)
const node = () => createNode({ url: anvil.url, fetch: (url, init) => fetch(url, init), clock: systemClock })
/** Twenty times as fast as the world. */
const start = Date.now()
const clock: Clock = {
  now: () => start + (Date.now() - start) * 20,
  sleep: (ms, signal) => systemClock.sleep(ms / 20, signal),
}

async function send(request: WalletTransaction, options: PrepareOptions = {}): Promise<SentTransaction> {
  const { transaction } = await prepareTransaction(node(), request, options)
  const { r, s, yParity } = await account
    .sign({ hash: keccak256(serialize(transaction)) })
    .then((signature) => ({
      r: signature.slice(0, 66) as `0x${string}`,
      s: `0x${signature.slice(66, 130)}` as const,
      yParity: Number.parseInt(signature.slice(130), 16) - 27,
    }))
  const raw = serialize(transaction, { r, s, yParity })
  const hash = (await broadcast(node(), raw, chainId)) as `0x${string}`
  // Sent twice, it is known already, and that is no error.
  expect(await broadcast(node(), raw, chainId)).toBe(hash)
  return { hash, transaction }
}
const requestOf = (fields: object) =>
  withSender(parseTransaction({ to, value: '0x1', ...fields }, { chainId }), account.address)

function follow(...sent: SentTransaction[]) {
  const stop = new AbortController()
  const seen: TransactionStatus[] = []
  const done = (async () => {
    for await (const status of track(node(), sent, { clock, signal: stop.signal, depth: 3 }))
      seen.push(status)
  })()
  done.catch(() => {})
  const until = (status: TransactionStatus['status']) =>
    vi.waitFor(() => expect(seen.at(-1)?.status).toBe(status), { timeout: limit(10_000), interval: 20 })
  return { seen, stop, done, until }
}
const statuses = (seen: readonly TransactionStatus[]) => seen.map(({ status }) => status)

test('anvil: a transaction is prepared, sent, confirmed and followed to its depth', async () => {
  const first = await send(requestOf({}))
  const { seen, done, until } = follow(first)
  await until('pending')
  await chain().mine({ blocks: 1 })
  await until('confirmed')
  await chain().mine({ blocks: 2 })
  await done
  expect(seen.at(-1)).toMatchObject({
    status: 'confirmed',
    hash: first.hash,
    confirmations: 3,
    receipt: { status: 'success', from: account.address, to, gasUsed: 21_000n },
  })
})

test.each([
  ['sped-up', speedUp],
  ['cancelled', cancel],
] as const)('anvil: one that waits is %s', async (kind, replace) => {
  const first = await send(requestOf({}))
  const { request, replaces } = replace(first.transaction)
  const second = await send(request, { replaces })
  expect(second.transaction.nonce).toBe(first.transaction.nonce)
  const { seen, stop, until } = follow(first, second)
  await until('pending')
  await chain().mine({ blocks: 1 })
  await until('confirmed')
  stop.abort()
  expect(seen).toMatchObject([
    { status: 'pending', hash: first.hash },
    { status: 'replaced', hash: first.hash, by: second.hash, kind },
    { status: 'confirmed', hash: second.hash },
  ])
})

test('anvil: a failure has the contract’s reason', async () => {
  const abi = parseAbi(['function transfer(address to, uint256 amount)'])
  const data = encodeFunctionData({ abi, functionName: 'transfer', args: [to, 10n ** 9n] })
  const { reason } = await prepareTransaction(node(), requestOf({ to: token, data, value: '0x0' }))
  expect(reason).toEqual({ kind: 'reverted', message: 'not enough' })
  const { seen, stop, until } = follow(
    await send(requestOf({ to: token, data, value: '0x0', gas: '0x186a0' })),
  )
  await chain().mine({ blocks: 1 })
  await until('failed')
  stop.abort()
  expect(seen.at(-1)).toMatchObject({ reason: { kind: 'reverted', message: 'not enough' } })
})

test('anvil: one that the node has forgotten is dropped, and confirmed once it is sent again', async () => {
  const first = await send(requestOf({ value: '0x2' }))
  await chain().dropTransaction({ hash: first.hash })
  const { seen, stop, until } = follow(first)
  await until('dropped')
  const again = await send({ ...first.transaction })
  expect(again.hash).toBe(first.hash)
  await chain().mine({ blocks: 1 })
  await until('confirmed')
  stop.abort()
  expect(statuses(seen)[0]).toBe('pending')
})

test('anvil: one whose block the network gave up is pending again', async () => {
  const first = await send(requestOf({ value: '0x3' }))
  const { seen, stop, until } = follow(first)
  await chain().mine({ blocks: 1 })
  await until('confirmed')
  await node().ask('anvil_reorg', [1, []])
  await vi.waitFor(
    () => expect(seen).toContainEqual({ status: 'pending', hash: first.hash, wasReorganised: true }),
    {
      timeout: limit(10_000),
    },
  )
  stop.abort()
})

test('anvil: maximum leaves nothing behind but what the fee spares', async () => {
  const balance = 10n ** 17n
  await chain().setBalance({ address: account.address, value: balance })
  const { maxSendable, fee } = await prepareTransaction(node(), requestOf({ value: '0x0' }))
  expect(maxSendable).toBe(balance - fee)
  const value = `0x${maxSendable.toString(16)}`
  expect(await prepareTransaction(node(), requestOf({ value }))).toMatchObject({
    isUnderfunded: false,
    missing: 0n,
  })
  const { stop, until } = follow(await send(requestOf({ value })))
  await chain().mine({ blocks: 1 })
  await until('confirmed')
  stop.abort()
})
