/** The envelopes of what a page and the vault's frame say to each other. */

import * as v from 'valibot'
import { isPlainObject, type Plain, type PlainObject, parsePlain, readPlain } from '../../lib/plain.ts'
import { protocolLimits } from '../limits.ts'
import { frameLimits } from './limits.ts'

export const frameErrorTypes = [
  'error',
  'invalid_request_arguments',
  'invalid_recovery_pin',
  'wallet_not_on_device',
  'enrolment_required',
  'approval_required',
  'account_frozen',
  'already_delegated',
  'feature_not_enabled',
  'recovery_proof_required',
  'recovery_method_not_supported',
  'insufficient_funds',
  'missing_or_invalid_mfa',
  'mfa_verification_max_attempts_reached',
  'mfa_timeout',
  'twilio_verification_failed',
  'mfa_canceled',
  'network_unavailable',
  'client_request_timeout',
] as const
export type FrameErrorType = (typeof frameErrorTypes)[number]

/** How a prompt for a second factor ends when nobody was verified; whoever asked for it gets nothing then. */
export const notVerified: ReadonlySet<string> = new Set<FrameErrorType>([
  'mfa_canceled',
  'mfa_timeout',
  'mfa_verification_max_attempts_reached',
])

const errorType = v.fallback(v.picklist(frameErrorTypes), 'error')
/** A type of error as the protocol names it; one that this version does not know is a plain 'error'. */
export const toFrameErrorType = (type: unknown): FrameErrorType =>
  frameErrorTypes.find((each) => each === type) ?? 'error'

/** Why something failed. The message is for logs, and is cut to what may be shown. */
export const frameFailure = v.object({
  type: errorType,
  message: v.pipe(
    v.fallback(v.string(), ''),
    v.transform((message) => message.slice(0, protocolLimits.serverTextLength)),
  ),
})
export type FrameFailure = Readonly<v.InferOutput<typeof frameFailure>>

const name = v.pipe(
  v.string(),
  v.check((text) => text.length >= 1 && text.length <= 128),
)
const envelope = { id: name, event: v.pipe(name, v.regex(/^privy:/)) }
const dataObject = v.custom<PlainObject>((value) => isPlainObject(value as Plain | undefined))

const request = v.pipe(
  v.object({ ...envelope, data: v.optional(dataObject) }),
  v.transform(({ data = Object.create(null), ...raw }): FrameRequest => ({ ...raw, data })),
)
export interface FrameRequest {
  readonly id: string
  readonly event: string
  readonly data: PlainObject
}

const answer = v.union([
  v.object({ ...envelope, error: frameFailure }),
  v.object({ ...envelope, data: dataObject }),
])
export type FrameAnswer<D extends object = object> =
  | { readonly id: string; readonly event: string; readonly data: D; readonly error?: never }
  | { readonly id: string; readonly event: string; readonly error: FrameFailure }

/**
 * Reads what a window sent as a request: an object, or the same as JSON text, as older clients send it. Gives
 * `undefined`, and never throws, for anything else. The event may be one that nobody knows.
 */
export function readRequest(raw: unknown): FrameRequest | undefined {
  const size = frameLimits.messageSize
  return parseMessage(request, typeof raw === 'string' ? parsePlain(raw, size) : readPlain(raw, size))
}

/** Reads what the vault sent as an answer; always an object. Gives `undefined`, and never throws, for anything else. */
export const readAnswer = (raw: unknown): FrameAnswer<PlainObject> | undefined =>
  parseMessage(answer, readPlain(raw, frameLimits.messageSize))

/** Gives `undefined`, and never throws, for what the schema does not fit: it is not meant for us. */
export function parseMessage<T>(
  schema: v.GenericSchema<unknown, T>,
  message: Plain | undefined,
): T | undefined {
  const read = v.safeParse(schema, message, { abortEarly: true })
  return read.success ? read.output : undefined
}
