import type { KnownErrorCode } from '../../errors/codes.ts'
import { KitError } from '../../errors/kit-error.ts'
import { TimedOut } from '../../lib/clock.ts'
import { protocolLimits } from '../../protocol/limits.ts'
import { fieldOf, isA, isObject, lineOf } from './claims.ts'
import { ProviderRpcError } from './provider-error.ts'
import { walletTimeout } from './wallet-failures.ts'

export { ProviderRpcError }

interface Meaning {
  readonly code: KnownErrorCode
  readonly message: string
  readonly retryable: boolean
}

const meaning = (code: KnownErrorCode, message: string, retryable: boolean): Meaning => ({
  code,
  message,
  retryable,
})
const generic = (retryable: boolean) =>
  meaning('generic_connect_wallet_error', 'Unable to connect to wallet', retryable)
const rejected = meaning('wallet_rejected', 'The request was rejected in the wallet', true)
const unsupported = meaning('unsupported_method', 'The wallet does not support this', false)
const disconnected = meaning('wallet_disconnected', 'Disconnected', true)

/**
 * By EIP-1193 and JSON-RPC numbers, and those by which a WalletConnect peer says the same (docs/protocol.md,
 * "Wallet errors").
 */
const meanings: ReadonlyMap<number, Meaning> = new Map([
  [4001, rejected],
  ...[5000, 5001, 5002].map((code) => [code, rejected] as const),
  [4100, meaning('wallet_unauthorized', 'The wallet has not authorized this', false)],
  ...[4200, -32601, -32004].map((code) => [code, unsupported] as const),
  ...[4900, 4901, 6000].map((code) => [code, disconnected] as const),
  [4902, meaning('unsupported_chain_id', 'Unsupported chainId', false)],
  [-32002, meaning('wallet_request_pending', 'The wallet has a request pending', false)],
  ...[-32603, -32003].map((code) => [code, generic(true)] as const),
  ...[-32700, -32600, -32602, -32000, -32001, -32005, -32006].map((code) => [code, generic(false)] as const),
])

/** How wallets without codes say that the person declined. */
const DECLINED =
  /\b(user|approval|request|connection)\b.{0,60}\b(reject|den(y|ied)|declin|disapprov|cancell?ed)|\buser\b.{0,60}\bclosed/i

/**
 * Turns anything that a wallet threw into a `KitError` with a code; one that already is comes back as it is.
 */
export function toWalletError(cause: unknown): KitError {
  if (isA(cause, KitError)) return cause
  if (isA(cause, TimedOut)) return walletTimeout(cause)
  const nested = fieldOf(cause, 'cause')
  if (isA(cause, ProviderRpcError) && isA(nested, KitError)) return nested

  const text = messageOf(cause)
  const code = codeOf(cause)
  const known = code === undefined ? undefined : meanings.get(code)
  const vague = !known || known.code === 'generic_connect_wallet_error'
  const details = [code, text].filter(Boolean).join(': ') || typeof cause
  const { code: ours, message, retryable } = vague && DECLINED.test(text) ? rejected : (known ?? other(cause))
  return new KitError(ours, ours === 'wallet_request_pending' ? pending(text) : message, {
    cause,
    details,
    retryable,
  })
}

const other = (cause: unknown): Meaning =>
  isObject(cause)
    ? generic(true)
    : meaning('unknown_connect_wallet_error', "Wallet couldn't be connected", true)

/** -32002 has three reasons, distinguished by their words. */
function pending(text: string): string {
  if (/unlock|locked/i.test(text)) return 'The wallet is locked'
  if (/requestaccounts|requestpermissions|connect/i.test(text)) return 'A connection is pending in the wallet'
  return 'A request is pending in the wallet'
}

/** Uses a wallet: what it throws becomes a `KitError`, except the reason of an aborted signal. */
export async function orWalletError<T>(
  signal: AbortSignal | undefined,
  work: () => T | Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    signal?.throwIfAborted()
    throw toWalletError(cause)
  }
}

/** How wallets say that they don't know a chain, by code or by text. */
export const isUnknownChain = (cause: unknown): boolean =>
  sources(cause).some((each) => numberOf(fieldOf(each, 'code')) === 4902) ||
  /4902|addEthereumChain|Unrecognized chain ID/i.test(messageOf(cause))

/** Rabby drops a request that follows too soon after this. */
export const isRabbyUnknownChain = (cause: unknown): boolean =>
  /Unrecognized chain ID/i.test(messageOf(cause))

/** The same failure for a host's library: the wallet's own number, words and data. */
export function toRpcError(cause: unknown): ProviderRpcError {
  if (isA(cause, ProviderRpcError)) return cause
  const raw = isA(cause, KitError) ? cause.cause : cause
  const ours = toWalletError(cause)
  const text = isA(raw, TimedOut) ? '' : messageOf(raw)
  const number = codeOf(raw) ?? numbers.get(ours.code) ?? -32603
  return new ProviderRpcError(number, text || ours.shortMessage, fieldOf(raw, 'data'), { cause })
}

const numbers: ReadonlyMap<string, number> = new Map([
  ['wallet_rejected', 4001],
  ['wallet_unauthorized', 4100],
  ['unsupported_method', 4200],
  ['wallet_disconnected', 4900],
  ['unsupported_chain_id', 4902],
  ['wallet_request_pending', -32002],
])

/** The most precise number: a wallet often wraps one in -32603. */
function codeOf(cause: unknown): number | undefined {
  const codes = sources(cause).flatMap((each) => numberOf(fieldOf(each, 'code')) ?? [])
  const precise = codes.find((code) => (meanings.get(code) ?? generic(true)).code !== generic(true).code)
  return precise ?? codes[0]
}

/** Where wallets and the layers above them put the original error. */
function sources(cause: unknown): readonly unknown[] {
  const data = fieldOf(cause, 'data')
  const inner = [data, fieldOf(data, 'originalError'), fieldOf(cause, 'error'), fieldOf(cause, 'cause')]
  return [cause, ...inner, fieldOf(fieldOf(cause, 'cause'), 'data')]
}

function messageOf(cause: unknown): string {
  if (typeof cause === 'string') return lineOf(cause, protocolLimits.serverTextLength)
  const own = isA(cause, KitError) ? cause.details : fieldOf(cause, 'message')
  const original = fieldOf(fieldOf(fieldOf(cause, 'data'), 'originalError'), 'message')
  return lineOf(own, protocolLimits.serverTextLength) || lineOf(original, protocolLimits.serverTextLength)
}

const numberOf = (value: unknown): number | undefined => {
  const number = typeof value === 'string' && /^-?\d{1,6}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined
}
