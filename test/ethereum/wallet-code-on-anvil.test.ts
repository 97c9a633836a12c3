/** Code at a wallet's own address on a real chain: what the kit prepares and the vault signs, a node carries out. */
import {
  createPublicClient,
  encodeFunctionData,
  http,
  parseAbi,
  parseEther,
  parseTransaction as readRaw,
  recoverTransactionAddress,
} from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { recoverAuthorizationAddress } from 'viem/utils'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Anvil } from '../../demo/world/chains/anvil.ts'
import { broadcast } from '../../src/ethereum/broadcast.ts'
import { prepareTransaction } from '../../src/ethereum/prepare-transaction.ts'
import { replacementKind, speedUp } from '../../src/ethereum/replacement.ts'
import { createNode } from '../../src/ethereum/rpc.ts'
import { deserialize } from '../../src/ethereum/serialize.ts'
import { simulate } from '../../src/ethereum/simulate.ts'
import {
  completeTransaction,
  formatTransaction,
  parseTransaction,
  type WalletTransaction,
} from '../../src/ethereum/transaction.ts'
import { NO_CODE, readWalletCode, simple7702Account } from '../../src/ethereum/wallet-code.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { hexToBytes } from '../../src/vault/bytes.ts'
import { transactionSigner } from '../../src/vault/signing/sign-transaction.ts'
import { startChain } from '../support/chains.ts'
import { deploySimple7702Account } from './support/simple-7702.ts'

const chainId = 31_337
let anvil: Anvil
beforeAll(async () => {
  anvil = await startChain(chainId)
  await deploySimple7702Account(anvil.url)
})
afterAll(() => anvil?.close())

const nodeOf = () => createNode({ url: anvil.url, fetch, clock: systemClock })
const rpc = (method: string, params: readonly unknown[]) => nodeOf().ask(method, params)
const abi = parseAbi(['function executeBatch((address target, uint256 value, bytes data)[] calls)'])

async function richWallet() {
  const key = generatePrivateKey()
  const address = privateKeyToAddress(key)
  await rpc('anvil_setBalance', [address, '0x8ac7230489e80000'])
  return { key, address }
}

const codeRequest = (
  address: `0x${string}`,
  delegate: `0x${string}`,
  more: object = {},
): WalletTransaction => ({
  chainId,
  from: address,
  to: address,
  value: 0n,
  data: '0x',
  authorizationList: [{ address: delegate, chainId: BigInt(chainId) }],
  ...more,
})

/** Prepares, passes across the frame as text, signs and sends. */
async function send(request: WalletTransaction, key: string) {
  const node = nodeOf()
  const prepared = await prepareTransaction(node, request)
  expect(prepared.simulationError).toBeUndefined()
  const text = formatTransaction(prepared.transaction)
  const signed = completeTransaction(parseTransaction(text, { delegates: [simple7702Account] }))
  const raw = transactionSigner(signed)(hexToBytes(key.slice(2)))
  const hash = (await broadcast(node, raw, chainId)) as `0x${string}`
  const receipt = await createPublicClient({ transport: http(anvil.url) }).waitForTransactionReceipt({
    hash,
    pollingInterval: 20,
  })
  return { raw: raw as `0x04${string}`, hash, receipt, prepared, transaction: signed }
}

test('a wallet gets the code of the allowed delegate by its own transaction, and gives it back', async () => {
  const { key, address } = await richWallet()
  expect(await readWalletCode(nodeOf(), address)).toBeUndefined()
  const on = await send(codeRequest(address, simple7702Account.address), key)
  expect(on.receipt.status).toBe('success')
  expect(on.transaction).toMatchObject({ type: 4, nonce: 0n, authorizationList: [{ nonce: 1n }] })
  expect(await recoverTransactionAddress({ serializedTransaction: on.raw })).toBe(address)
  expect(await readWalletCode(nodeOf(), address)).toBe(simple7702Account.address)

  const off = await send(codeRequest(address, NO_CODE), key)
  expect(off.receipt.status).toBe('success')
  expect(off.transaction).toMatchObject({ nonce: 2n, authorizationList: [{ nonce: 3n }] })
  expect(await readWalletCode(nodeOf(), address)).toBeUndefined()
})

test('code and calls in one transaction: all calls take effect, and their trial run says so before', async () => {
  const { key, address } = await richWallet()
  const to = privateKeyToAddress(generatePrivateKey())
  const calls = [
    { target: to, value: parseEther('1'), data: '0x' },
    { target: to, value: parseEther('2'), data: '0x' },
  ] as const
  const data = encodeFunctionData({ abi, args: [calls] })
  const request = codeRequest(address, simple7702Account.address, { data })
  const simulated = await simulate(nodeOf(), request, { now: Date.now })
  expect(simulated).toMatchObject({ outcome: 'simulated', status: 'success' })
  expect('leaves' in simulated && simulated.leaves).toMatchObject([{ amount: parseEther('3') }])
  const { receipt, prepared } = await send(request, key)
  expect(receipt.status).toBe('success')
  expect(receipt.gasUsed).toBeLessThanOrEqual(prepared.transaction.gasLimit)
  expect(await rpc('eth_getBalance', [to, 'latest'])).toBe(`0x${parseEther('3').toString(16)}`)
})

test('signed bytes are read back with their authorization, as it was asked for', async () => {
  const { key, address } = await richWallet()
  const { raw, transaction } = await send(codeRequest(address, simple7702Account.address), key)
  const sent = deserialize(raw, address)
  expect(sent.authorizationList).toEqual([
    { address: simple7702Account.address, chainId: BigInt(chainId), nonce: 1n },
  ])
  expect(completeTransaction(sent)).toMatchObject({ type: 4, nonce: transaction.nonce })
  const { request, replaces } = speedUp(sent)
  const dearer = await prepareTransaction(nodeOf(), request, { replaces })
  expect(dearer.transaction).toMatchObject({ type: 4, authorizationList: [{ nonce: 1n }] })
  expect(dearer.transaction.maxFeePerGas).toBeGreaterThan(sent.maxFeePerGas ?? 0n)
  expect(replacementKind(sent, dearer.transaction)).toBe('sped-up')
  expect(replacementKind(sent, { ...dearer.transaction, authorizationList: undefined })).toBe('cancelled')
})

test('the authorization is signed by the wallet itself, for one chain and one nonce', async () => {
  const { key, address } = await richWallet()
  const { raw } = await send(codeRequest(address, simple7702Account.address), key)
  const [authorization] = readRaw(raw).authorizationList ?? []
  if (!authorization) throw new Error('There is no authorization')
  expect(authorization).toMatchObject({ chainId, nonce: 1 })
  expect(await recoverAuthorizationAddress({ authorization })).toBe(address)
})
