import * as v from 'valibot'
import { KitError } from '../errors/kit-error.ts'

/** Says what a value from outside must be, and what becomes of it. */
export type Schema<T> = v.GenericSchema<unknown, T>

/**
 * Checks a value from outside and gives what its schema makes of it. `what` names the call or the message for logs.
 * Throws a {@link KitError} `malformed_response` that names the first wrong field.
 */
export function parse<T>(schema: Schema<T>, value: unknown, what: string): T {
  const result = v.safeParse(schema, value)
  if (result.success) return result.output
  const [issue] = result.issues
  throw malformed(
    what,
    `${issue.path?.map(({ key }) => key).join('.') ?? 'body'}: expected ${issue.expected ?? issue.type}`,
  )
}

/** The same where a value that does not fit is simply not meant for us: gives `undefined` and never throws. */
export function parseOptional<T>(schema: Schema<T>, value: unknown): T | undefined {
  const result = v.safeParse(schema, value, { abortEarly: true })
  return result.success ? result.output : undefined
}

/** An answer that is not what the protocol promises. `details` names the field and never quotes its value. */
export function malformed(what: string, details: string, cause?: unknown): KitError {
  return new KitError('malformed_response', 'The server sent an unexpected answer', {
    details: `${what}: ${details}`,
    cause,
    retryable: true,
  })
}

/** For answers that carry nothing of interest. */
export const nothing = v.pipe(
  v.unknown(),
  v.transform(() => undefined),
)
export const requiredText = v.pipe(v.string(), v.nonEmpty())
/** Text that we can do without: null, an empty text and what is no text at all count as missing. */
export const optionalText = v.fallback(v.optional(requiredText), undefined)
/** A flag that is off unless the server says `true`. */
export const flag = v.fallback(v.boolean(), false)
/** Unix seconds, as far as a `Date` reaches. */
export const unixTime = v.pipe(
  v.number(),
  // What a `Date` can hold.
  v.check((seconds) => seconds >= 0 && seconds <= 8.64e12),
  v.transform((seconds) => new Date(seconds * 1000)),
)
export const optionalUnixTime = v.fallback(v.optional(unixTime), undefined)

/** A list without the entries that can't be read: they come from a newer server, and the others still count. */
export const readableItems = <const T extends v.GenericSchema>(item: T) =>
  v.pipe(
    v.array(v.union([item, unreadable])),
    v.transform((items) => items.filter((each): each is v.InferOutput<T> => each !== unreadableItem)),
  )
const unreadableItem = Symbol('unreadable')
const unreadable = v.pipe(
  v.unknown(),
  v.transform(() => unreadableItem),
)
