import type { ErrorCode, KnownErrorCode } from './codes.ts'

export interface KitErrorOptions extends ErrorOptions {
  /** For logs; never shown. */
  details?: string
  /** Whether the same action may succeed if it is tried again. */
  retryable?: boolean
  /** HTTP status, if there is one. */
  status?: number
  /** What the server sent along, already decoded. */
  data?: unknown
}

/**
 * The one error class of the kit: `code` is for programs, `shortMessage` for people, `details` for logs. Raw
 * failures become a `KitError` at the edge where they occur, with the original as `cause`.
 */
export class KitError extends Error {
  override name = 'KitError'
  declare readonly code: ErrorCode
  declare readonly shortMessage: string
  declare readonly details: string | undefined
  declare readonly retryable: boolean
  declare readonly status: number | undefined
  declare readonly data: unknown

  constructor(
    code: KnownErrorCode | (string & {}),
    shortMessage: string,
    { details, retryable = false, status, data, ...options }: KitErrorOptions = {},
  ) {
    super(details ? `${shortMessage} (${details})` : shortMessage, options)
    Object.assign(this, { code, shortMessage, details, retryable, status, data })
  }
}

/** Turns anything that was thrown into a `KitError`; one that already is comes back as it is. */
export function toKitError(
  cause: unknown,
  code: KnownErrorCode | (string & {}) = 'unknown_auth_error',
): KitError {
  if (cause instanceof KitError) return cause
  return new KitError(code, 'Something went wrong', { cause, details: String(cause) })
}

/** The same failure in the words that hosts know it by: its code stays, and the original is its `cause`. */
export function reworded(cause: unknown, shortMessage: string): KitError {
  const { code, retryable, status, data } = toKitError(cause)
  return new KitError(code, shortMessage, { cause, retryable, ...(status !== undefined && { status }), data })
}
