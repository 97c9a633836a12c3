import * as v from 'valibot'
import { malformed } from './failure.ts'
import type { Reader } from './http.ts'

/** Text that may be missing or null on the wire; the client knows only `undefined`. */
export const maybeText = v.optional(
  v.pipe(
    v.nullish(v.string()),
    v.transform((text) => text || undefined),
  ),
)
/** A flag that is off when the server does not send it. */
export const flag = v.fallback(v.boolean(), false)
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

/** Anything with a way to be checked; what a call's answer must be. */
export type Schema<T> = v.GenericSchema<unknown, T>

/** Makes the reader of a call's answer. It throws a `malformed_response` that names the first wrong field. */
export const reader =
  <T>(schema: Schema<T>): Reader<T> =>
  (body, what) => {
    const result = v.safeParse(schema, body)
    if (result.success) return result.output
    const [issue] = result.issues
    throw malformed(what, `${v.getDotPath(issue) ?? 'body'}: expected ${issue.expected ?? issue.type}`)
  }
