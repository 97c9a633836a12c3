import { type Address, encodeAbiParameters, encodeEventTopics, type Hex } from 'viem'
import { entryPoint07Abi, getUserOperationHash, type UserOperation } from 'viem/account-abstraction'
import { createNode } from '../../../../src/ethereum/rpc.ts'
import type { Fetch } from '../../../../src/lib/retrying-fetch.ts'
import type { SmartAccountKind } from '../../../../src/wallets/smart/account-codec.ts'
import { loadSmartAccountCodec } from '../../../../src/wallets/smart/accounts/features.ts'
import { createBundler, type EntryPoint } from '../../../../src/wallets/smart/bundler.ts'
import type { OperationContext } from '../../../../src/wallets/smart/operation.ts'
import { createPaymaster } from '../../../../src/wallets/smart/paymaster.ts'
import { fakeNode } from '../../../support/chain-node.ts'
import { testClock } from '../../../support/clock.ts'
import { owner } from './accepted.ts'

type Answers = NonNullable<Parameters<typeof fakeNode>[0]>

export const hex = (value: bigint | number): Hex => `0x${value.toString(16)}`
export const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`
export const refusal = (code: number, message: string, data?: unknown) => ({ error: { code, message, data } })

export const paymasterAddress = '0x00000000000000000000000000000000000000AA'
export const gas = {
  preVerificationGas: '0xc350',
  verificationGasLimit: '0x186a0',
  callGasLimit: '0x1d4c0',
  paymasterVerificationGasLimit: '0x7530',
  paymasterPostOpGasLimit: '0x2710',
}
export const sponsored = {
  paymaster: paymasterAddress,
  paymasterData: '0x1234',
  paymasterPostOpGasLimit: '0x64',
}

export interface Services {
  readonly kind?: SmartAccountKind
  readonly version?: string
  /** Answers of the chain's own node, of the bundler and of the paymaster, in place of healthy ones. */
  readonly node?: Answers
  readonly bundler?: Answers
  /** Without them there is no paymaster. */
  readonly paymaster?: Answers
  readonly context?: { readonly [name: string]: string | number }
  readonly bundlerUrl?: string
  readonly paymasterUrl?: string
  /** Whether the account has its code. */
  readonly isDeployed?: boolean
  readonly nonce?: bigint
}

/** An account with a scripted node, bundler and paymaster, each behind its own URL. */
export async function createServices(options: Services = {}) {
  const { kind = 'kernel', version, isDeployed = false, nonce = 0n, context } = options
  const { bundlerUrl = 'https://bundler.example/', paymasterUrl = 'https://paymaster.example/' } = options
  const codec = await loadSmartAccountCodec(kind, version)
  const sender = codec.getAddress(owner.address)
  const clock = testClock()
  const state = { isDeployed, nonce: (codec.nonceKey << 64n) | nonce }
  const node = fakeNode({
    eth_getBlockByNumber: { number: '0x64', gasLimit: '0x1c9c380', baseFeePerGas: '0x3b9aca00' },
    eth_getCode: ([address]) => ({
      result: isSame(address, sender) ? (state.isDeployed ? '0x01' : '0x') : '0x02',
    }),
    eth_call: ([call]) => {
      const { data } = call as { readonly data: string }
      return { result: word(data.startsWith('0x35567e1a') ? state.nonce : 0n) }
    },
    ...options.node,
  })
  const bundler = fakeNode({
    eth_supportedEntryPoints: () => ({ result: [codec.entryPoint.address] }),
    eth_estimateUserOperationGas: gas,
    eth_sendUserOperation: ([operation]) => ({ result: hashOf(operation, codec.entryPoint) }),
    eth_getUserOperationReceipt: null,
    eth_getUserOperationByHash: null,
    ...options.bundler,
  })
  const paymaster =
    options.paymaster &&
    fakeNode({ pm_getPaymasterStubData: sponsored, pm_getPaymasterData: sponsored, ...options.paymaster })
  const fetch: Fetch = (url, init) => {
    const service = url.includes('paymaster') ? paymaster : url.includes('node') ? node : bundler
    if (!service) throw new Error(`Nobody answers at ${url}`)
    return service.fetch(url, init)
  }
  const cx: OperationContext = {
    codec,
    owner: owner.address,
    chainId: 1,
    node: createNode({ url: 'https://node.example/', fetch, clock }),
    bundler: createBundler({ url: bundlerUrl, node: createNode({ url: bundlerUrl, fetch, clock }) }),
    ...(paymaster && {
      paymaster: createPaymaster({ url: paymasterUrl, fetch, clock, context }),
    }),
    clock,
  }
  return { cx, codec, sender, clock, state, node, bundler, paymaster }
}

const isSame = (one: unknown, other: string) => String(one).toLowerCase() === other.toLowerCase()

/** The hash of an operation as a bundler has read it. */
export function hashOf(sent: unknown, entryPoint: EntryPoint, chainId = 1): Hex {
  const amounts = /^(nonce|.*Gas|.*GasLimit|max.*)$/
  const operation = Object.fromEntries(
    Object.entries(sent as Record<string, unknown>).map(([name, value]) => [
      name,
      amounts.test(name) ? BigInt(String(value)) : value,
    ]),
  ) as unknown as UserOperation
  return getUserOperationHash({
    userOperation: operation,
    entryPointAddress: entryPoint.address,
    entryPointVersion: entryPoint.version,
    chainId,
  })
}

export interface EventOptions {
  readonly hash: Hex
  readonly sender: Address
  readonly nonce: bigint
  readonly success?: boolean
  readonly entryPoint: Address
  /** Revert data of the calls. */
  readonly revert?: Hex
}

/** The receipt of a transaction that holds an operation, as the chain's own node gives it. */
export function transactionReceipt(transactionHash: Hex, options: EventOptions) {
  const { hash, sender, nonce, success = true, entryPoint, revert } = options
  const zero = '0x0000000000000000000000000000000000000000'
  const logs = [
    ...(revert
      ? [
          {
            address: entryPoint,
            topics: encodeEventTopics({
              abi: entryPoint07Abi,
              eventName: 'UserOperationRevertReason',
              args: { userOpHash: hash, sender },
            }),
            data: encodeAbiParameters([{ type: 'uint256' }, { type: 'bytes' }], [nonce, revert]),
          },
        ]
      : []),
    {
      address: entryPoint,
      topics: encodeEventTopics({
        abi: entryPoint07Abi,
        eventName: 'UserOperationEvent',
        args: { userOpHash: hash, sender, paymaster: zero },
      }),
      data: encodeAbiParameters(
        [{ type: 'uint256' }, { type: 'bool' }, { type: 'uint256' }, { type: 'uint256' }],
        [nonce, success, 1_000_000n, 100_000n],
      ),
    },
  ]
  return {
    transactionHash,
    status: '0x1',
    blockNumber: '0x65',
    blockHash: `0x${'0b'.repeat(32)}`,
    from: '0x00000000000000000000000000000000000000bb',
    to: entryPoint,
    gasUsed: '0x30d40',
    effectiveGasPrice: '0x77359400',
    logs,
  }
}

/** The same as a bundler tells it. */
export const operationReceipt = (
  transactionHash: Hex,
  { hash, sender, nonce, entryPoint, success = true }: EventOptions,
) => ({
  userOpHash: hash,
  sender,
  nonce: hex(nonce),
  entryPoint,
  success,
  actualGasCost: '0xf4240',
  actualGasUsed: '0x186a0',
  logs: [],
  receipt: { transactionHash },
})
