import { Hono } from 'hono'
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
import {
  createBundlerClient,
  createPaymasterClient,
  formatUserOperationRequest,
  type SmartAccount,
  type UserOperation,
} from 'viem/account-abstraction'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { base } from 'viem/chains'
import { createBundler } from '../../../../demo/world/account-abstraction/bundler.ts'
import {
  createContracts,
  type EntryPointVersion,
} from '../../../../demo/world/account-abstraction/contracts.ts'
import { createPaymaster, type SponsorPolicy } from '../../../../demo/world/account-abstraction/paymaster.ts'
import { createNode } from '../../../../src/ethereum/rpc.ts'
import { systemClock } from '../../../../src/lib/clock.ts'
import type { SmartAccountCodec } from '../../../../src/wallets/smart/account-codec.ts'
import { createBundler as createKitBundler } from '../../../../src/wallets/smart/bundler.ts'
import type { OperationContext } from '../../../../src/wallets/smart/operation.ts'
import { createPaymaster as createKitPaymaster } from '../../../../src/wallets/smart/paymaster.ts'
import { startChain } from '../../../support/chains.ts'
import { serveFetch } from '../../../support/serve.ts'
import { toSimpleAccount } from './simple-account.ts'

export const newOwner = () => privateKeyToAccount(generatePrivateKey())
export const newAddress = (): Address => newOwner().address

export type SimpleAccount = Awaited<ReturnType<typeof toSimpleAccount>>
export interface RpcAnswer {
  readonly id: unknown
  // biome-ignore lint/suspicious/noExplicitAny: the original's JSON
  readonly result?: any
  readonly error?: { code: number; message: string; data?: Record<string, unknown> }
}
const fees = { maxFeePerGas: parseGwei('5'), maxPriorityFeePerGas: parseGwei('1') }

/** A chain with a bundler and a sponsor in front of it, over HTTP. */
export async function startStandIns(
  policies: readonly [SponsorPolicy, ...SponsorPolicy[]] = [{ id: 'any', sponsor: { name: 'Example' } }],
) {
  const chain = await startChain(base.id)
  const contracts = createContracts({ [base.id]: chain.url })
  const bundler = createBundler({ base: '/bundler', contracts, delay: 10 })
  const paymaster = createPaymaster({ base: '/paymaster', contracts, policies })
  const app = new Hono().route('/bundler', bundler.app).route('/paymaster', paymaster.app)
  const { origin, stop } = await serveFetch((request) => app.fetch(request))
  await bundler.prepare()

  const client = createPublicClient({ chain: base, transport: http(chain.url), pollingInterval: 20 })
  const tester = createTestClient({ mode: 'anvil', transport: http(chain.url) }).extend(walletActions)

  const rpcAt =
    (path: string) =>
    async (method: string, ...params: unknown[]): Promise<RpcAnswer> => {
      const response = await fetch(`${origin}${path}/${base.id}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }),
      })
      return (await response.json()) as RpcAnswer
    }
  const rpc = rpcAt('/bundler')

  /** An unmodified client of viem's. @param options.context given where the sponsor is to pay */
  function clientFor<T extends SmartAccount>(account: T, { context }: { context?: object } = {}) {
    return createBundlerClient({
      account,
      client,
      transport: http(`${origin}/bundler/${base.id}`, { retryCount: 0 }),
      pollingInterval: 20,
      userOperation: { estimateFeesPerGas: async () => fees },
      ...(context && {
        paymaster: createPaymasterClient({
          transport: http(`${origin}/paymaster/${base.id}`, { retryCount: 0 }),
        }),
        paymasterContext: context,
      }),
    })
  }
  /** The stand-ins as the kit speaks with them. */
  function contextOf(
    codec: SmartAccountCodec,
    owner: Address,
    { isSponsored = false }: { isSponsored?: boolean } = {},
  ): OperationContext {
    const services = { fetch: (url: string, init?: RequestInit) => fetch(url, init), clock: systemClock }
    const url = `${origin}/bundler/${base.id}`
    return {
      codec,
      owner,
      chainId: base.id,
      node: createNode({ url: chain.url, ...services }),
      bundler: createKitBundler({ url, node: createNode({ url, ...services }) }),
      ...(isSponsored && {
        paymaster: createKitPaymaster({
          url: `${origin}/paymaster/${base.id}`,
          ...services,
          context: { policyId: 'any' },
        }),
      }),
      clock: systemClock,
    }
  }
  /** A sample account that isn't deployed yet, with money of its own. */
  async function newAccount(version: EntryPointVersion, value = parseEther('1')): Promise<SimpleAccount> {
    const account = await toSimpleAccount({ client, owner: newOwner(), version })
    await tester.setBalance({ address: account.address, value })
    return account
  }
  /** An operation that lacks only its signature. */
  async function prepare(
    account: SimpleAccount,
    { to = newAddress(), context, ...more }: Partial<UserOperation> & { to?: Address; context?: object } = {},
  ): Promise<UserOperation> {
    const calls = [{ to, value: 5n }]
    const {
      account: _,
      calls: __,
      ...operation
    } = (await clientFor(account, {
      ...(context && { context }),
    }).prepareUserOperation({ calls })) as object as UserOperation & { account: unknown; calls: unknown }
    return { ...operation, ...more } as UserOperation
  }
  /** Signs an operation and presents it to the bundler. */
  async function present(account: SimpleAccount, operation: UserOperation, signature?: Hex) {
    const signed = { ...operation, signature: signature ?? (await account.signUserOperation(operation)) }
    return rpc('eth_sendUserOperation', formatUserOperationRequest(signed), account.entryPoint.address)
  }
  /** Waits for an operation's receipt. */
  const receiptOf = (account: SimpleAccount, hash: Hex) =>
    clientFor(account).waitForUserOperationReceipt({ hash })

  return {
    chain,
    client,
    tester,
    bundler: bundler.control,
    paymaster: paymaster.control,
    origin,
    rpc,
    sponsorRpc: rpcAt('/paymaster'),
    clientFor,
    contextOf,
    newAccount,
    prepare,
    present,
    receiptOf,
    async close() {
      bundler.close()
      paymaster.close()
      await stop()
      await chain.close()
    },
  }
}
export type StandIns = Awaited<ReturnType<typeof startStandIns>>
