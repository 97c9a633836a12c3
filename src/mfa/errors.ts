import { KitError } from '../errors/kit-error.ts'
import type { MfaFailure } from './methods.ts'

/** What failures of the kit mean to somebody who is being verified; any other failure comes from what they are verified for. */
const ofVerifying: Readonly<Record<string, MfaFailure>> = {
  missing_or_invalid_mfa: 'wrong',
  mfa_verification_max_attempts_reached: 'max-attempts',
  mfa_timeout: 'timeout',
  twilio_verification_failed: 'unsent',
  passkey_not_allowed: 'declined',
  passkey_not_supported: 'unsupported',
  missing_mfa_enrollment: 'other',
  too_many_requests: 'too-many',
  network_unavailable: 'network',
  client_request_timeout: 'network',
}
/** Failures that end what somebody does with their factors. */
const ending: ReadonlySet<string> = new Set([
  ...['mfa_canceled', 'must_be_authenticated', 'missing_or_invalid_token', 'session_changed'],
])

export const verifyFailureOf = (cause: unknown): MfaFailure | undefined =>
  cause instanceof KitError ? ofVerifying[cause.code] : undefined

export function enrollFailureOf(cause: unknown): MfaFailure | undefined {
  if (!(cause instanceof KitError) || ending.has(cause.code)) return undefined
  return ofVerifying[cause.code] ?? 'other'
}
