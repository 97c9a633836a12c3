/** The envelopes between a page and the vault's frame. Wire 7.2, 7.7. */
import { limits } from '../../core/limits.ts'
import { isPlainObject, type Plain, type PlainObject, parsePlain, readPlain } from './plain.ts'

/** Wire 7.7. */
export const frameErrorTypes = [
  'error',
  'invalid_request_arguments',
  'invalid_recovery_pin',
  'wallet_not_on_device',
  'insufficient_funds',
  'missing_or_invalid_mfa',
  'mfa_verification_max_attempts_reached',
  'mfa_timeout',
  'twilio_verification_failed',
] as const
export type FrameErrorType = (typeof frameErrorTypes)[number]

/** A type of error as the wire names it; one that this version does not know is a plain 'error'. */
export const toFrameErrorType = (type: unknown): FrameErrorType =>
  frameErrorTypes.find((known) => known === type) ?? 'error'

/** Wire 7.2. */
export interface FrameRequest {
  readonly id: string
  readonly event: string
  readonly data: PlainObject
}
export type FrameFailure = { readonly type: FrameErrorType; readonly message: string }
export type FrameAnswer<D extends object = object> =
  | { readonly id: string; readonly event: string; readonly data: D; readonly error?: never }
  | { readonly id: string; readonly event: string; readonly error: FrameFailure }

/**
 * Reads what a window sent as a request, in either form of wire 7.2: an object, or the same as JSON text.
 * Gives `undefined`, and never throws, for anything else. The event may be one that nobody knows.
 */
export function readRequest(raw: unknown): FrameRequest | undefined {
  const size = limits.vaultMessageSize
  const message = typeof raw === 'string' ? parsePlain(raw, size) : readPlain(raw, size)
  if (!isPlainObject(message)) return undefined
  const { id, event, data = Object.create(null) } = message
  if (!isName(id) || !isEvent(event) || !isPlainObject(data)) return undefined
  return { id, event, data }
}

/** Reads what the vault sent as an answer; always an object (R12). Gives `undefined` for anything else. */
export function readAnswer(raw: unknown): FrameAnswer<PlainObject> | undefined {
  const message = readPlain(raw, limits.vaultMessageSize)
  if (!isPlainObject(message)) return undefined
  const { id, event, data, error } = message
  if (!isName(id) || !isEvent(event)) return undefined
  if (isPlainObject(error)) {
    const text = typeof error.message === 'string' ? error.message.slice(0, limits.serverTextLength) : ''
    return { id, event, error: { type: toFrameErrorType(error.type), message: text } }
  }
  return isPlainObject(data) ? { id, event, data } : undefined
}

const isName = (value: Plain | undefined): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= 128
const isEvent = (value: Plain | undefined): value is string => isName(value) && value.startsWith('privy:')
