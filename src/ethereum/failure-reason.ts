/** Why a node or a contract refuses a transaction, as a cause that programs and screens can tell apart. */

import { decodeAbiParameters } from 'viem/utils'
import {
  EXECUTION_REVERTED,
  INSUFFICIENT_FUNDS,
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
  /** The node has no room for it at present. */
  | 'busy'
  | 'method-unavailable'
  | 'unreachable'
  | 'unknown'

/** In wei for each gas. */
export interface LeastPrice {
  readonly tip?: bigint | undefined
  /** Tip and base fee together. */
  readonly price?: bigint | undefined
  /** Of the transaction that waits under the same number. */
  readonly replaced?: bigint | undefined
}

export interface FailureReason {
  readonly kind: FailureKind
  /** The words of the contract or the node, on one line and without invisible characters; never markup, always text. */
  readonly message?: string | undefined
  /** The code of a Solidity panic. */
  readonly panic?: bigint | undefined
  /** The selector of a custom error, whose name only the contract's ABI tells. */
  readonly selector?: `0x${string}` | undefined
  /** The price that a node names which finds this one too low. */
  readonly least?: LeastPrice | undefined
}

/**
 * Causes in the order in which they are looked for, each with the words of geth and its kin, Besu, Erigon, Nethermind, Parity, Reth,
 * Lotus, Arbitrum and zkSync, in lower case. The more special ones come first.
 */
const kinds: readonly (readonly [FailureKind, readonly RegExp[]])[] = [
  [
    'already-known',
    [
      /already[ _]?(known|imported|exists|in (the )?(mem)?pool)/,
      /known transaction|same hash|was already imported|hash already in/,
    ],
  ],
  // Of one transaction that another one with its number keeps out.
  [
    'underpriced',
    [
      /replacement (transaction|fee|not allowed)|replacementnotallowed|replace existing|could not replace/,
      /another (transaction|tx)( which has the| with) same nonce|trigger replace by fee|future transaction tries to replace/,
    ],
  ],
  [
    'tip-above-max-fee',
    [
      /(priority fee|tip)[^:]* (higher|above|greater|exceeds) [^:]*(max ?fee|fee ?cap)/,
      /priority fee greater than/,
    ],
  ],
  [
    'fee-too-high',
    [
      /exceeds the configured cap|fee cap exceeded|fee (per gas|cap)[^:]* (very high|higher than 2\^)|fee too high/,
    ],
  ],
  [
    'fee-too-low',
    [
      /(less|lower|below)( than)? (the )?(current |block )*base ?fee|base fee exceeds|unacceptable gas price/,
      /max_?fee_?per_?gas too low|max fee per gas too low|feeperga?s needs to be|fee ?cap (too low|below)|gasfeecap.*too low/,
      /below (the )?(configured |chain )?minimum|minimal gas price|gaspremium.*too low/,
    ],
  ],
  [
    'underpriced',
    [
      /underpriced|(fee|tip|gas ?price)[^.:]* (is )?too low|feetoolow|try increasing the (fee|gas price)|gas tip cap .*minimum needed/,
    ],
  ],
  ['out-of-gas', [/out of gas|gas required exceeds allowance/]],
  [
    'gas-too-low',
    [
      /intrinsic gas (too low|exceeds|limit)|intrinsic gas .*exceeds gas limit|floor data gas|enough gas to cover minimal/,
      /gas ?(limit )?(is )?too ?low|call gas cost exceeds the gas limit|gas limit (is )?below|gaslimit.*(too ?low|cannot be less)/,
    ],
  ],
  [
    'gas-too-high',
    [
      /exceeds? (the )?(block|current|max(imum)?( transaction)?) gas ?limit|gas limit reached|intrinsic gas too high|gaslimitexceeded/,
      /supplied gas is beyond limit|gas ?(limit )?(is )?too ?high|gas uint64 overflow|exceeds (the )?(allowance|maximum gas)/,
    ],
  ],
  ['insufficient-funds', [INSUFFICIENT_FUNDS]],
  [
    'nonce-too-high',
    [
      /nonce (is |has )?too (high|big|far)|noncegap|noncetoofar|future nonce|nonce has max|nonce.*(higher|greater) than/,
    ],
  ],
  [
    'nonce-too-low',
    [
      /nonce (is )?too (low|small)|oldnonce|ownnoncealreadyused|nonce has already been used|invalid (transaction )?nonce/,
      /nonce.*(lower|less) than|stale nonce|already finalized|minimum expected nonce/,
    ],
  ],
  [
    'type-unsupported',
    [
      /transaction type not (valid|supported)|(unsupported|invalid|unknown) (transaction )?type|nottxtype|type .*not supported/,
    ],
  ],
  [
    'busy',
    [
      /(tx|transaction)? ?pool (is )?full|txpool is full|queue (is )?full|too many (pending|queued|transactions)|temporarily banned/,
    ],
  ],
  ['reverted', [/revert|invalid opcode/]],
]

/** The price for which a node takes a transaction, if it names one. The words are the node's: whoever pays it checks it. */
const prices: readonly (readonly [keyof LeastPrice, RegExp])[] = [
  ['tip', /gas tip cap \d+, minimum needed (\d{1,30})/],
  ['tip', /priorityfeepergas too low \d+ < (\d{1,30})/],
  ['tip', /increase gaspremium to (\d{1,30})/],
  ['price', /\(minimal: (\d{1,30}) got/],
  ['price', /minimum gas price:? '?(\d{1,30})/],
  ['price', /base ?fee:? (\d{1,30})/],
  ['price', /feepergas needs to be higher than (\d{1,30})/],
  ['price', /tx\.gasprice = (\d{1,30})/],
  ['replaced', /in the queue with gas price (\d{1,30}) ?wei/],
]

function leastPrice(message: string): LeastPrice | undefined {
  const words = message.toLowerCase()
  for (const [name, pattern] of prices) {
    const [, named] = pattern.exec(words) ?? []
    if (named !== undefined) return { [name]: BigInt(named) }
  }
  return undefined
}

/** The reason of a failed request to a node. */
export function failureReason(cause: unknown): FailureReason {
  if (cause instanceof Unreachable) return { kind: 'unreachable' }
  if (!(cause instanceof NodeError)) return { kind: 'unknown' }
  if (cause.code === METHOD_NOT_FOUND)
    return { kind: 'method-unavailable', message: plainText(cause.message) }
  const data = revertData(cause.data)
  const kind = kindOf(cause, data)
  const least = isOfPrice(kind) ? leastPrice(cause.message) : undefined
  if (kind !== 'reverted') return { kind, message: plainText(cause.message), ...(least && { least }) }
  const message = plainText(cause.message.replace(/^.*?(execution )?reverted(:| with reason string)?/i, ''))
  return { kind, ...(message && { message }), ...(data && readRevert(data)) }
}

/** Whether a higher price is what the network wants. */
export const isOfPrice = (kind: FailureKind): boolean => kind === 'underpriced' || kind === 'fee-too-low'

function kindOf(cause: NodeError, data: `0x${string}` | undefined): FailureKind {
  if (cause.code === EXECUTION_REVERTED || data !== undefined) return 'reverted'
  const words = cause.message.toLowerCase()
  if (/^(execution|vm exception).*revert/.test(words)) return 'reverted'
  const found = kinds.find(([, patterns]) => patterns.some((pattern) => pattern.test(words)))?.[0]
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
