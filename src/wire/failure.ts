import { limits } from '../core/limits.ts'
import { KitError } from '../errors/kit-error.ts'

/** An answer that is not what the wire promises: names the call and the first wrong field, never its value. */
export function malformed(what: string, details: string, cause?: unknown): KitError {
  return new KitError('malformed_response', 'The server sent an unexpected answer', {
    details: `${what}: ${details}`,
    cause,
    retryable: true,
  })
}

/** An error answer (wire 3.1) -> a `KitError` with the server's code in our spelling and its text, cut to what may be shown. */
export function decodeFailure(status: number, body: unknown, what: string): KitError {
  const { error, message, code, data } = fieldsOf(body)
  const text = [message, error].find((each) => typeof each === 'string') ?? ''
  return new KitError(
    typeof code === 'string' && code ? normaliseCode(code) : codeOfStatus(status),
    String(text).slice(0, limits.serverTextLength),
    { status, data, details: `${what} answered ${status}`, retryable: status >= 500 || status === 429 },
  )
}

/** The fields of an object, and none of anything else. */
export const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}

/** One spelling for each code: lower case, without the vendor's prefix inside. */
const normaliseCode = (code: string) => code.toLowerCase().replace('_privy_', '_')

const codeOfStatus = (status: number) => (status === 429 ? 'too_many_requests' : 'unknown_auth_error')
