/** User operations of ERC-4337 as JSON: the kit, the vault and a bundler read and write the same. */
import type { Address, Hex } from 'viem'
import type { UserOperation } from 'viem/account-abstraction'
import { InvalidRequest } from '../lib/invalid-request.ts'
import { isPlainObject, type Plain, type PlainObject, readPlain } from '../lib/plain.ts'
import { parseEthereumAddress } from './address.ts'
import { isHexBytes } from './hex.ts'
import { formatQuantity, parseQuantity } from './integer.ts'

/** Characters of one operation as JSON: the message to the vault also contains an access token. */
const MAX_SIZE = 120_832
/** The EntryPoint packs these into 128 bits each. */
const UINT128 = 2n ** 128n - 1n
const UINT256 = 2n ** 256n - 1n

const gasNames = ['callGasLimit', 'verificationGasLimit', 'preVerificationGas'] as const
const feeNames = ['maxFeePerGas', 'maxPriorityFeePerGas'] as const
const packedBytes = ['initCode', 'paymasterAndData'] as const
const splitAddresses = ['factory', 'paymaster'] as const
const splitBytes = ['factoryData', 'paymasterData'] as const
const splitGas = ['paymasterVerificationGasLimit', 'paymasterPostOpGasLimit'] as const
const always = ['sender', 'nonce', 'callData', 'signature', ...gasNames, ...feeNames] as const

/**
 * Reads an operation strictly. Throws {@link InvalidRequest} for an unknown field, which might mean something to the EntryPoint, and for one that
 * is missing.
 * @param version the EntryPoint's: 0.6 packs factory and paymaster with their data
 */
export function parseUserOperation(raw: unknown, version: '0.6' | '0.7' | '0.8'): UserOperation {
  const fields = readPlain(raw, MAX_SIZE)
  if (!isPlainObject(fields)) throw invalid('it is no object')
  const optional: readonly string[] =
    version === '0.6' ? packedBytes : [...splitAddresses, ...splitBytes, ...splitGas]
  const names: readonly string[] = [...always, ...optional]
  const unknown = Object.keys(fields).find((name) => !names.includes(name))
  if (unknown !== undefined) throw invalid(`the field ${unknown.slice(0, 64)} is unknown`)
  const read = <T>(name: string, parse: (value: Plain) => T | undefined): T => {
    const value = parse(fields[name] ?? null)
    if (value === undefined) throw invalid(`the ${name} can't be read`)
    return value
  }
  const operation: Record<string, unknown> = {
    sender: read('sender', parseAddress),
    nonce: read('nonce', parseAmount(UINT256)),
    callData: read('callData', parseBytes),
    signature: read('signature', parseBytes),
  }
  for (const name of [...gasNames, ...feeNames]) operation[name] = read(name, parseAmount(UINT128))
  const given = (name: string) => (fields[name] ?? null) !== null && optional.includes(name)
  for (const name of [...packedBytes, ...splitBytes])
    if (given(name)) operation[name] = read(name, parseBytes)
  for (const name of splitAddresses) if (given(name)) operation[name] = read(name, parseAddress)
  for (const name of splitGas) if (given(name)) operation[name] = read(name, parseAmount(UINT128))
  const has = (name: string) => operation[name] !== undefined
  if (has('factoryData') && !has('factory')) throw invalid('it has data for no factory')
  if ((has('paymasterData') || splitGas.some(has)) && !has('paymaster'))
    throw invalid('it has data for no paymaster')
  return operation as unknown as UserOperation
}

/** Writes an operation as a bundler and the vault read it. */
export function formatUserOperation(operation: UserOperation): PlainObject {
  const fields: Record<string, Plain> = {}
  for (const [name, value] of Object.entries(operation)) {
    if (value === undefined) continue
    fields[name] = typeof value === 'bigint' ? formatQuantity(value) : (value as Plain)
  }
  return fields
}

/**
 * The contract that the EntryPoint takes an operation's cost from in place of its account. What that contract takes from the account in turn is
 * its own affair.
 */
export function paymasterOf({ paymaster, paymasterAndData }: UserOperation): Address | undefined {
  const named =
    paymaster ??
    (paymasterAndData && paymasterAndData.length >= ADDRESS_LENGTH
      ? (parseEthereumAddress(paymasterAndData.slice(0, ADDRESS_LENGTH).toLowerCase()) as Address)
      : undefined)
  // The EntryPoint takes no contract for this address, and has the account pay.
  return named === undefined || BigInt(named) === 0n ? undefined : named
}

/** The deployment that an operation begins with. */
export function deploymentOf({
  factory,
  factoryData,
  initCode,
}: UserOperation): { readonly factory: Address; readonly factoryData: Hex } | undefined {
  if (factory) return { factory, factoryData: factoryData ?? '0x' }
  if (!initCode || initCode === '0x') return undefined
  const address = parseEthereumAddress(initCode.slice(0, ADDRESS_LENGTH).toLowerCase())
  if (!address) throw invalid('the factory is no address')
  return { factory: address as Address, factoryData: `0x${initCode.slice(ADDRESS_LENGTH)}` }
}

/** The most that an operation can cost, in wei, as the EntryPoint computes what it takes in advance. */
export function mostCostOf(operation: UserOperation): bigint {
  const { callGasLimit, verificationGasLimit, preVerificationGas, maxFeePerGas } = operation
  const { paymasterVerificationGasLimit = 0n, paymasterPostOpGasLimit = 0n, paymasterAndData } = operation
  // EntryPoint 0.6 runs the verification limit for the paymaster's two calls as well.
  const times = paymasterAndData && paymasterAndData !== '0x' ? 3n : 1n
  const gas =
    callGasLimit +
    verificationGasLimit * times +
    preVerificationGas +
    paymasterVerificationGasLimit +
    paymasterPostOpGasLimit
  return gas * maxFeePerGas
}

/** `0x` and 40 digits. */
const ADDRESS_LENGTH = 42

const parseAddress = (value: Plain): Address | undefined => parseEthereumAddress(value) as Address | undefined
const parseBytes = (value: Plain): Hex | undefined =>
  isHexBytes(value) ? (value.toLowerCase() as Hex) : undefined
const parseAmount =
  (most: bigint) =>
  (value: Plain): bigint | undefined => {
    const amount = parseQuantity(value)
    return amount !== undefined && amount <= most ? amount : undefined
  }

const invalid = (why: string) => new InvalidRequest(`Invalid user operation: ${why}`)
