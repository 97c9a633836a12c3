import * as v from 'valibot'
import { limits } from '../core/limits.ts'
import { KitError } from '../errors/kit-error.ts'

/** Text that may be missing or null on the wire; the client knows only `undefined`. */
export const maybeText = v.optional(
  v.pipe(
    v.nullish(v.string()),
    v.transform((text) => text || undefined),
  ),
)
/** A flag that is off when the server does not send it. */
export const flag = v.fallback(v.boolean(), false)
/** Texts in a list; entries of another kind are left out. */
export const texts = v.fallback(
  v.pipe(
    v.array(v.unknown()),
    v.transform((list) => list.filter((entry): entry is string => typeof entry === 'string')),
  ),
  [],
)
/** Unix seconds -> Date. */
export const seconds = v.pipe(
  v.number(),
  v.transform((value) => new Date(value * 1000)),
)
export const maybeSeconds = v.fallback(
  v.optional(v.pipe(v.nullish(v.number()), v.transform(toDate))),
  undefined,
)

function toDate(value: number | null | undefined): Date | undefined {
  return typeof value === 'number' ? new Date(value * 1000) : undefined
}

/** Answers that carry nothing of interest. */
export const nothing = v.pipe(
  v.unknown(),
  v.transform((): undefined => undefined),
)

/** Anything with a way to be checked; what a call's answer must be. */
export type Schema<T> = v.GenericSchema<unknown, T>

/**
 * Checks an answer of the server. Throws a `malformed_response` that names the call and the first wrong field,
 * never its value.
 */
export function decode<T>(schema: Schema<T>, value: unknown, what: string): T {
  const result = v.safeParse(schema, value)
  if (result.success) return result.output
  const [issue] = result.issues
  throw malformed(what, `${v.getDotPath(issue) ?? 'body'}: expected ${issue.expected ?? issue.type}`)
}

export function malformed(what: string, details: string, cause?: unknown): KitError {
  return new KitError('malformed_response', 'The server sent an unexpected answer', {
    details: `${what}: ${details}`,
    cause,
    retryable: true,
  })
}

const errorBody = v.object({
  error: v.fallback(v.optional(v.string()), undefined),
  message: v.fallback(v.optional(v.string()), undefined),
  code: v.fallback(v.optional(v.string()), undefined),
  data: v.fallback(v.optional(v.record(v.string(), v.unknown())), undefined),
})

/** An error answer -> a `KitError` with the server's code in our spelling, its text cut to what may be shown. */
export function decodeFailure(status: number, body: unknown, what: string): KitError {
  const parsed = v.safeParse(errorBody, body)
  const { error, message, code, data } = parsed.success ? parsed.output : {}
  const text = message ?? error ?? ''
  return new KitError(
    code ? normaliseCode(code) : codeOfStatus(status),
    text.slice(0, limits.serverTextLength),
    {
      status,
      data,
      details: `${what} answered ${status}`,
      retryable: status >= 500 || status === 429,
    },
  )
}

/** One spelling for each code: lower case, without the vendor's prefix inside. */
const normaliseCode = (code: string) => code.toLowerCase().replace('_privy_', '_')

const codeOfStatus = (status: number) => (status === 429 ? 'too_many_requests' : 'unknown_auth_error')
