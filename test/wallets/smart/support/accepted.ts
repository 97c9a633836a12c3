/**
 * Bytes that the accounts' own contracts have accepted: those of each account's deployment, its first operation, a batch, and signatures of
 * ERC-1271. Made on a local chain (31337) with the contracts whose creation code pimlicolabs/permissionless.js (MIT) publishes in
 * `mock-aa-infra`, and for Coinbase with that of coinbase/smart-wallet (MIT) in `broadcast/`. Each operation was included by its EntryPoint
 * with `success`, and `isValidSignature` returned its magic value for each signature. The contracts themselves are not in this repository.
 */
import fs from 'node:fs'
import type { Address, Hex } from 'viem'
import type { UserOperation } from 'viem/account-abstraction'
import { privateKeyToAccount } from 'viem/accounts'
import type { OwnerPayload, SmartAccountKind } from '../../../../src/wallets/smart/account-codec.ts'

export interface Accepted {
  readonly kind: SmartAccountKind
  readonly version: string
  readonly address: Address
  readonly deployment?: { readonly factory: Address; readonly factoryData: Hex } | undefined
  readonly operation: UserOperation
  readonly hash: Hex
  /** Call data of `batchCalls`. */
  readonly batch: Hex
  readonly contents: readonly { readonly content: OwnerPayload; readonly signature: Hex }[]
}

/** The second account of anvil's mnemonic. */
export const owner = privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d')
export const chainId = 31_337

const sink = '0x000000000000000000000000000000000000dEaD'
export const firstCalls = [{ to: sink, value: 5n, data: '0x' }] as const
export const batchCalls = [
  { to: sink, value: 7n, data: '0x' },
  { to: sink, value: 11n, data: '0x1234' },
] as const

const amounts = [
  ...['nonce', 'callGasLimit', 'verificationGasLimit', 'preVerificationGas'],
  ...['maxFeePerGas', 'maxPriorityFeePerGas'],
]
const file = new URL('accepted.json', import.meta.url)
const read = JSON.parse(fs.readFileSync(file, 'utf8'), (name, value) =>
  amounts.includes(name) && typeof value === 'string' ? BigInt(value) : value,
) as Record<SmartAccountKind, Omit<Accepted, 'kind'>>

export const accepted: readonly Accepted[] = Object.entries(read).map(([kind, each]) => ({
  kind: kind as SmartAccountKind,
  ...each,
}))

/** The owner's key, as the vault signs with it. */
export async function signAsOwner(payload: OwnerPayload): Promise<Hex> {
  if (payload.type === 'message') return owner.signMessage({ message: { raw: payload.raw } })
  if (payload.type === 'hash') return owner.sign({ hash: payload.hash })
  // As JSON, which is all that goes to the vault.
  return owner.signTypedData(JSON.parse(JSON.stringify(payload.typedData)))
}
