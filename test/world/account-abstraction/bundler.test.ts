/** The bundler's stand-in, asked by an unmodified client of viem's. */

import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import {
  type Address,
  createPublicClient,
  createTestClient,
  type Hex,
  http,
  parseEther,
  parseGwei,
  walletActions,
} from 'viem'
import { createBundlerClient, formatUserOperationRequest, type UserOperation } from 'viem/account-abstraction'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { base } from 'viem/chains'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createBundler } from '../../../demo/world/account-abstraction/bundler.ts'
import {
  deployAccountAbstraction,
  entryPointAddresses,
  entryPointVersions,
  simple7702Address,
} from '../../../demo/world/account-abstraction/contracts.ts'
import type { Anvil } from '../../../demo/world/chains/anvil.ts'
import { startChain } from '../../support/chains.ts'
import { toSimpleAccount } from './support/simple-account.ts'

const CHAIN = 8453
let chain: Anvil
let bundler: ReturnType<typeof createBundler>
let server: ReturnType<typeof serve>
let url: string

beforeAll(async () => {
  chain = await startChain(CHAIN)
  bundler = createBundler({ base: 'http://localhost/bundler', chains: { [CHAIN]: chain.url }, delay: 10 })
  server = serve({ fetch: bundler.app.fetch, port: 0, hostname: '127.0.0.1', overrideGlobalObjects: false })
  await new Promise<void>((ready) => server.once('listening', () => ready()))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${CHAIN}`
  await bundler.prepare()
})
afterAll(async () => {
  bundler?.close()
  server?.close()
  await chain?.close()
})
afterEach(() => {
  bundler.control.behave('normal')
})

const reader = () => createPublicClient({ chain: base, transport: http(chain.url), pollingInterval: 20 })
const tester = () => createTestClient({ mode: 'anvil', transport: http(chain.url) }).extend(walletActions)
const newOwner = () => privateKeyToAccount(generatePrivateKey())
const newAddress = (): Address => newOwner().address

const fees = { maxFeePerGas: parseGwei('5'), maxPriorityFeePerGas: parseGwei('1') }
function bundlerFor<T extends Awaited<ReturnType<typeof toSimpleAccount>>>(account: T) {
  return createBundlerClient({
    account,
    client: reader(),
    transport: http(url, { retryCount: 0 }),
    pollingInterval: 20,
    userOperation: { estimateFeesPerGas: async () => fees },
  })
}
/** A sample account with money that isn't deployed yet. */
async function newAccount(version: (typeof entryPointVersions)[number], value = parseEther('1')) {
  const account = await toSimpleAccount({ client: reader(), owner: newOwner(), version })
  await tester().setBalance({ address: account.address, value })
  return account
}
/** An operation, ready to be sent but for its signature. */
async function prepared(
  account: Awaited<ReturnType<typeof newAccount>>,
  to: Address = newAddress(),
  more: Partial<UserOperation> = {},
): Promise<UserOperation> {
  const operation = await bundlerFor(account).prepareUserOperation({ calls: [{ to, value: 5n }] })
  return { ...operation, ...more } as unknown as UserOperation
}
async function rpc(method: string, ...params: unknown[]) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }),
  })
  return (await response.json()) as {
    id: number
    // biome-ignore lint/suspicious/noExplicitAny: the original's JSON
    result?: any
    error?: { code: number; message: string; data?: unknown }
  }
}
/** Signs an operation and presents it. */
async function present(
  account: Awaited<ReturnType<typeof newAccount>>,
  operation: UserOperation,
  { signature }: { signature?: Hex } = {},
) {
  const signed = { ...operation, signature: signature ?? (await account.signUserOperation(operation)) }
  return rpc('eth_sendUserOperation', onlyFields(signed), account.entryPoint.address)
}
const onlyFields = ({
  account: _,
  calls: __,
  ...fields
}: UserOperation & { account?: unknown; calls?: unknown }) =>
  formatUserOperationRequest(fields as UserOperation)

describe('the contracts', () => {
  it('stand at the addresses that they have on every chain, and stay when they are deployed again', async () => {
    const places = [...Object.values(entryPointAddresses), simple7702Address]
    for (const address of places) expect(await reader().getCode({ address })).toBeDefined()
    const block = await reader().getBlockNumber()
    await deployAccountAbstraction(chain.url)
    expect(await reader().getBlockNumber()).toBe(block)
  })
})

describe.each(entryPointVersions)('an operation of EntryPoint %s', (version) => {
  it('deploys its account and carries out a call that the account pays for', async () => {
    const account = await newAccount(version)
    const client = bundlerFor(account)
    const to = newAddress()
    const hash = await client.sendUserOperation({ calls: [{ to, value: 123n }] })
    const receipt = await client.waitForUserOperationReceipt({ hash })
    expect(receipt).toMatchObject({
      userOpHash: hash,
      success: true,
      sender: account.address,
      entryPoint: entryPointAddresses[version],
    })
    expect(receipt.receipt.transactionHash).toMatch(/^0x[\da-f]{64}$/)
    expect(receipt.paymaster).toBeUndefined()
    expect(await reader().getBalance({ address: to })).toBe(123n)
    expect(await account.isDeployed()).toBe(true)
    const found = await client.getUserOperation({ hash })
    expect(found).toMatchObject({ transactionHash: receipt.receipt.transactionHash })
    expect(found.userOperation).toMatchObject({ sender: account.address, nonce: BigInt(receipt.nonce) })
  })

  it('carries out several calls of a deployed account, and the bundler loses nothing by it', async () => {
    const account = await newAccount(version)
    const client = bundlerFor(account)
    const send = async (calls: { to: Address; value?: bigint; data?: Hex }[]) => {
      const hash = await client.sendUserOperation({ calls })
      return client.waitForUserOperationReceipt({ hash })
    }
    const first = await send([{ to: newAddress(), value: 1n }])
    const second = await send([
      { to: newAddress(), data: '0x1234' },
      { to: newAddress(), data: '0x' },
    ])
    for (const { success, actualGasUsed, receipt } of [first, second]) {
      expect(success).toBe(true)
      expect(actualGasUsed).toBeGreaterThanOrEqual(receipt.gasUsed)
      expect(actualGasUsed).toBeLessThan((receipt.gasUsed * 3n) / 2n)
    }
  })

  it('whose calls fail is refused when it is estimated', async () => {
    const account = await newAccount(version)
    await expect(
      bundlerFor(account).sendUserOperation({ calls: [{ to: newAddress(), value: parseEther('2') }] }),
    ).rejects.toMatchObject({
      name: 'UserOperationExecutionError',
      cause: { name: 'ExecutionRevertedError' },
    })
  })

  it('whose calls fail in the block has a receipt that says so', async () => {
    const account = await newAccount(version)
    const operation = await prepared(account, entryPointAddresses[version], {
      callData: await account.encodeCalls([
        { to: entryPointAddresses[version], value: 0n, data: '0xdeadbeef' },
      ]),
    })
    const { result } = await present(account, operation)
    const receipt = await bundlerFor(account).waitForUserOperationReceipt({ hash: result })
    expect(receipt.success).toBe(false)
    expect(receipt.receipt.status).toBe('success')
  })
})
