/** Why a node or a contract refuses a transaction, as a cause that programs and screens can tell apart. */

import {
  ExecutionRevertedError,
  FeeCapTooHighError,
  FeeCapTooLowError,
  InsufficientFundsError,
  IntrinsicGasTooHighError,
  IntrinsicGasTooLowError,
  NonceMaxValueError,
  NonceTooHighError,
  NonceTooLowError,
  TipAboveFeeCapError,
  TransactionTypeNotSupportedError,
} from 'viem'
import { decodeAbiParameters } from 'viem/utils'
import {
  EXECUTION_REVERTED,
  isInsufficientFunds,
  METHOD_NOT_FOUND,
  NodeError,
  Unreachable,
} from '../lib/node-errors.ts'
import { plainText } from '../lib/safe-text.ts'
import { isHexBytes } from './hex.ts'

export type FailureKind =
  | 'reverted'
  | 'insufficient-funds'
  | 'already-known'
  | 'underpriced'
  | 'fee-too-low'
  | 'fee-too-high'
  | 'tip-above-max-fee'
  | 'nonce-too-low'
  | 'nonce-too-high'
  | 'gas-too-low'
  | 'gas-too-high'
  | 'out-of-gas'
  | 'type-unsupported'
  | 'method-unavailable'
  | 'unreachable'
  | 'unknown'

export interface FailureReason {
  readonly kind: FailureKind
  /** The words of the contract or the node, on one line and without invisible characters; never markup, always text. */
  readonly message?: string | undefined
  /** The code of a Solidity panic. */
  readonly panic?: bigint | undefined
  /** The selector of a custom error, whose name only the contract's ABI tells. */
  readonly selector?: `0x${string}` | undefined
}

/** Causes in the order in which they are looked for; viem's classes know how the common nodes write them. */
const kinds: readonly (readonly [FailureKind, RegExp])[] = [
  ['already-known', /already[ _]?(known|imported|exists|in (the )?(mem)?pool)|known transaction/],
  ['underpriced', /underpriced|(fee|tip|gas price) (is )?too low/],
  ['insufficient-funds', InsufficientFundsError.nodeMessage],
  ['out-of-gas', /out of gas|gas required exceeds allowance/],
  ['gas-too-low', IntrinsicGasTooLowError.nodeMessage],
  ['gas-too-low', /gas (limit )?(is )?too low|call gas cost exceeds the gas limit/],
  ['gas-too-high', IntrinsicGasTooHighError.nodeMessage],
  ['gas-too-high', /exceeds (the )?block gas limit|gas (limit )?(is )?too high/],
  ['fee-too-high', FeeCapTooHighError.nodeMessage],
  ['fee-too-low', FeeCapTooLowError.nodeMessage],
  ['fee-too-low', /(less|lower) than (the )?block base fee|below the minimum/],
  ['tip-above-max-fee', TipAboveFeeCapError.nodeMessage],
  ['nonce-too-high', NonceTooHighError.nodeMessage],
  ['nonce-too-high', NonceMaxValueError.nodeMessage],
  ['nonce-too-low', NonceTooLowError.nodeMessage],
  ['nonce-too-low', /nonce is too low|nonce has already been used|invalid nonce/],
  ['type-unsupported', TransactionTypeNotSupportedError.nodeMessage],
  ['type-unsupported', /transaction type not (valid|supported)/],
  ['reverted', ExecutionRevertedError.nodeMessage],
  ['reverted', /revert|invalid opcode/],
]

/** The reason of a failed request to a node. */
export function failureReason(cause: unknown): FailureReason {
  if (cause instanceof Unreachable) return { kind: 'unreachable' }
  if (!(cause instanceof NodeError)) return { kind: 'unknown' }
  if (cause.code === METHOD_NOT_FOUND)
    return { kind: 'method-unavailable', message: plainText(cause.message) }
  const data = revertData(cause.data)
  const kind = kindOf(cause, data)
  if (kind !== 'reverted') return { kind, message: plainText(cause.message) }
  const message = plainText(cause.message.replace(/^.*?(execution )?reverted(:| with reason string)?/i, ''))
  return { kind, ...(message && { message }), ...(data && readRevert(data)) }
}

function kindOf(cause: NodeError, data: `0x${string}` | undefined): FailureKind {
  if (cause.code === EXECUTION_REVERTED || data !== undefined) return 'reverted'
  const words = cause.message.toLowerCase()
  if (/^(execution|vm exception).*revert/.test(words)) return 'reverted'
  const found = kinds.find(([, pattern]) => pattern.test(words))?.[0]
  return found ?? (isInsufficientFunds(cause) ? 'insufficient-funds' : 'unknown')
}

const ERROR = '0x08c379a0'
const PANIC = '0x4e487b71'

/** The documented panics of Solidity. */
const panics: Readonly<Record<string, string>> = {
  '1': 'An assertion failed',
  '17': 'A calculation went beyond the range of its numbers',
  '18': 'Division by zero',
  '33': 'A value is none of its enumeration',
  '34': 'Stored bytes are encoded incorrectly',
  '49': 'An element was taken from an empty list',
  '50': 'An element was taken from beyond the end of a list',
  '65': 'Too much memory was requested',
  '81': 'A function was called that was never set',
}

/** Decodes revert data: `Error(string)`, `Panic(uint256)`, or the selector of a custom error. */
export function readRevert(data: `0x${string}`): Omit<FailureReason, 'kind'> {
  const selector = data.slice(0, 10).toLowerCase() as `0x${string}`
  if (selector.length < 10) return {}
  const body = `0x${data.slice(10)}` as const
  try {
    if (selector === ERROR) {
      const [text] = decodeAbiParameters([{ type: 'string' }], body)
      const message = plainText(text)
      return message ? { message } : {}
    }
    if (selector === PANIC && body.length === 66) {
      const panic = BigInt(body)
      return { panic, message: panics[String(panic)] ?? `Panic 0x${panic.toString(16)}` }
    }
  } catch {
    // Anybody can revert with the selector of an error and other bytes behind it.
  }
  return { selector }
}

/** Nodes put revert data at several depths of an error. */
export function revertData(data: unknown, depth = 0): `0x${string}` | undefined {
  if (isHexBytes(data)) return data.length >= 10 ? data : undefined
  if (typeof data !== 'object' || data === null || depth > 3) return undefined
  for (const name of ['data', 'originalError', 'error', 'result', 'output']) {
    const found = Object.hasOwn(data, name)
      ? revertData((data as Record<string, unknown>)[name], depth + 1)
      : undefined
    if (found) return found
  }
  return undefined
}
