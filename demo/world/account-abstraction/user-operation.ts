import * as v from 'valibot'
import { type Address, getAddress, type Hex, hexToBigInt, padHex, type SignedAuthorization } from 'viem'
import { toPackedUserOperation, type UserOperation } from 'viem/account-abstraction'
import { type EntryPointVersion, entryPointAddresses, entryPointVersions } from './contracts.ts'
import { INVALID_FIELDS, RpcError, readParameter } from './json-rpc.ts'

const bytes = v.pipe(
  v.string(),
  v.regex(/^0x(?:[\da-f]{2})*$/i, 'must be bytes in hex'),
  v.transform((text) => text as Hex),
)
export const address = v.pipe(
  v.string(),
  v.regex(/^0x[\da-f]{40}$/i, 'must be an address'),
  v.transform((text) => getAddress(text)),
)
export const quantity = v.pipe(
  v.string(),
  v.regex(/^0x[\da-f]{1,64}$/i, 'must be a number in hex'),
  v.transform((text) => hexToBigInt(text as Hex)),
)
/** Amounts of gas and fees have 128 bits in a packed operation. */
const amount = v.pipe(
  quantity,
  v.check((value) => value < 2n ** 128n, 'has more than 128 bits'),
)
const authorization = v.strictObject({
  address,
  chainId: quantity,
  nonce: quantity,
  r: quantity,
  s: quantity,
  yParity: quantity,
  v: v.optional(quantity),
})

/** Fields that an operation must have to be sent, and need not have to be estimated. */
const figures = ['callGasLimit', 'verificationGasLimit', 'preVerificationGas'] as const
const fees = ['maxFeePerGas', 'maxPriorityFeePerGas'] as const
const common = {
  sender: address,
  nonce: quantity,
  callData: bytes,
  ...v.entriesFromList([...figures, ...fees], v.optional(amount)),
  signature: v.optional(bytes),
  eip7702Auth: v.optional(authorization),
}
const unpacked = v.strictObject({
  ...common,
  factory: v.optional(v.union([address, v.literal('0x7702')])),
  factoryData: v.optional(bytes),
  paymaster: v.optional(address),
  paymasterData: v.optional(bytes),
  paymasterVerificationGasLimit: v.optional(amount),
  paymasterPostOpGasLimit: v.optional(amount),
})
const schemas = {
  '0.6': v.strictObject({
    ...common,
    initCode: v.optional(bytes, '0x'),
    paymasterAndData: v.optional(bytes, '0x'),
  }),
  '0.7': unpacked,
  '0.8': unpacked,
} as const

/** An operation of one EntryPoint, in viem's form. */
export interface Operation {
  readonly version: EntryPointVersion
  readonly fields: UserOperation
  /** As it was presented. */
  readonly presented: Readonly<Record<string, unknown>>
  readonly authorization: SignedAuthorization | undefined
}

/** @throws RpcError unless it is one of the three EntryPoints */
export function readEntryPoint(value: unknown): EntryPointVersion {
  const given = readParameter(address, value)
  const version = entryPointVersions.find((each) => entryPointAddresses[each] === given)
  if (!version) throw new RpcError(INVALID_FIELDS, `Unsupported EntryPoint ${given}`)
  return version
}

/**
 * Reads an operation to the letter: a field that its EntryPoint doesn't know is a mistake.
 * @param options.complete whether gas, fees and signature have to be there
 * @throws RpcError that names the field
 */
export function readOperation(
  value: unknown,
  version: EntryPointVersion,
  { complete }: { complete: boolean },
): Operation {
  const { eip7702Auth, ...given } = readParameter(schemas[version], value)
  if (complete)
    for (const field of [...figures, ...fees, 'signature'] as const)
      if (given[field] === undefined) throw new RpcError(INVALID_FIELDS, `Invalid ${field}: is missing`)
  if ('factory' in given && (given.factory === undefined) !== (given.factoryData === undefined))
    if (given.factory !== '0x7702')
      throw new RpcError(INVALID_FIELDS, 'Invalid factoryData: comes with a factory, and only with one')
  const signed = eip7702Auth && {
    address: eip7702Auth.address,
    chainId: Number(eip7702Auth.chainId),
    nonce: Number(eip7702Auth.nonce),
    r: toWord(eip7702Auth.r),
    s: toWord(eip7702Auth.s),
    yParity: Number(eip7702Auth.yParity),
  }
  const fields = {
    callGasLimit: 0n,
    verificationGasLimit: 0n,
    preVerificationGas: 0n,
    maxFeePerGas: 0n,
    maxPriorityFeePerGas: 0n,
    signature: '0x',
    ...withoutMissing(given),
    // The mark of EIP-7702 has the length of an address where something follows it.
    ...('factory' in given &&
      given.factory === '0x7702' &&
      (given.factoryData ?? '0x') !== '0x' && { factory: padHex('0x7702', { dir: 'right', size: 20 }) }),
    ...(signed && version !== '0.6' && { authorization: signed }),
  } as unknown as UserOperation
  return { version, fields, presented: value as Record<string, unknown>, authorization: signed }
}

const toWord = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`
const withoutMissing = (given: object) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))

/** The operation as its EntryPoint takes it. */
export const toContractForm = ({ version, fields }: Pick<Operation, 'version' | 'fields'>) =>
  version === '0.6' ? fields : toPackedUserOperation(fields)

/** The contract that pays in the place of the account. */
export function paymasterOf({ version, fields }: Pick<Operation, 'version' | 'fields'>): Address | undefined {
  if (version !== '0.6') return fields.paymaster
  const { paymasterAndData = '0x' } = fields
  return paymasterAndData.length >= 42 ? getAddress(paymasterAndData.slice(0, 42)) : undefined
}

/** All gas that the operation may use. */
export function gasOf({ version, fields }: Pick<Operation, 'version' | 'fields'>): bigint {
  const { callGasLimit, verificationGasLimit, preVerificationGas } = fields
  // The older EntryPoint limits a paymaster's two calls by the account's own limit.
  const times = version === '0.6' && paymasterOf({ version, fields }) ? 3n : 1n
  const own = callGasLimit + verificationGasLimit * times + preVerificationGas
  return own + (fields.paymasterVerificationGasLimit ?? 0n) + (fields.paymasterPostOpGasLimit ?? 0n)
}
