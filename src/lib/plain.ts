/**
 * Plain data out of what came from outside, by hand and without a library: both the kit and the vault carry this
 * file, and it meets hostile input first.
 */

/**
 * What JSON can say, and bigint. Objects have no prototype, so nothing can be inherited from a polluted one.
 */
export type Plain = null | boolean | number | bigint | string | readonly Plain[] | PlainObject
export interface PlainObject {
  readonly [key: string]: Plain | undefined
}
export const isPlainObject = (value: Plain | undefined): value is PlainObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** As deep as typed data may be, and a few levels for the envelope around typed data. */
const DEPTH = 40
const ENTRIES = 10_000
const BIGGEST = 2n ** 256n
/** Keys that reach for a prototype. What reads them drops or misreads them, so data with one isn't what its sender has signed. */
export const dangerousKeys: readonly string[] = ['__proto__', 'constructor', 'prototype']

/**
 * Copies a value that came from outside into plain data. Gives `undefined`, and never throws, when it has a key that
 * reaches for a prototype, a cycle, anything that is not data, more than 40 levels or 10,000 entries in one list, or
 * is longer than `size` characters of JSON.
 */
export function readPlain(raw: unknown, size: number): Plain | undefined {
  let left = size
  const spend = (characters: number) => {
    left -= characters
    if (left < 0) throw new RangeError('too long')
  }
  const copy = (value: unknown, depth: number): Plain => {
    if (typeof value === 'string' || isShort(value)) {
      spend(typeof value === 'string' ? value.length + 2 : String(value).length)
      return value
    }
    if (typeof value !== 'object' || depth === DEPTH) throw new TypeError('not data')
    if (Array.isArray(value)) {
      if (value.length > ENTRIES) throw new RangeError('too long')
      spend(Math.max(2, value.length + 1))
      return Array.from(value, (entry) => copy(entry ?? null, depth + 1))
    }
    const prototype: unknown = Object.getPrototypeOf(value)
    if (prototype !== Object.prototype && prototype !== null) throw new TypeError('not data')
    const keys = Object.keys(value)
    if (keys.length > left) throw new RangeError('too long')
    spend(2)
    let comma = 0
    const result: Record<string, Plain> = Object.create(null)
    for (const key of keys) {
      if (dangerousKeys.includes(key)) throw new TypeError('dangerous key')
      const entry = (value as Record<string, unknown>)[key]
      if (entry === undefined) continue
      spend(key.length + 3 + comma)
      comma = 1
      result[key] = copy(entry, depth + 1)
    }
    return result
  }
  try {
    return copy(raw, 0)
  } catch {
    return undefined
  }
}

const isShort = (value: unknown): value is null | boolean | number | bigint =>
  value === null ||
  typeof value === 'boolean' ||
  Number.isFinite(value) ||
  (typeof value === 'bigint' && value < BIGGEST && value > -BIGGEST)

/**
 * Parses JSON text of at most `size` characters into plain data; `undefined` wherever {@link readPlain}
 * returns it.
 */
export function parsePlain(text: string, size: number): Plain | undefined {
  if (text.length > size) return undefined
  try {
    return readPlain(JSON.parse(text), size)
  } catch {
    return undefined
  }
}
