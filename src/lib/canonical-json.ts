/** Canonical JSON (RFC 8785): one text for each value, so that what was signed is what is read. */
import { dangerousKeys } from './plain.ts'

/**
 * Writes a value that JSON has. Throws a `TypeError` for anything else: `undefined`, numbers that aren't finite, text with half of a
 * surrogate pair, and keys that readers drop.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return canonicalText(value)
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError('JSON has no such number')
    return JSON.stringify(value)
  }
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`
  if (typeof value !== 'object' || !isPlain(value)) throw new TypeError('JSON has no such value')
  // Sorted by UTF-16 code units, as RFC 8785 wants and `sort` does.
  const names = Object.keys(value).sort()
  if (names.some((name) => dangerousKeys.includes(name))) throw new TypeError('A key is not allowed')
  const fields = value as Readonly<Record<string, unknown>>
  return `{${names.map((name) => `${canonicalText(name)}:${canonicalJson(fields[name])}`).join()}}`
}

function canonicalText(text: string): string {
  if (/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(text))
    throw new TypeError('The text is not valid Unicode')
  return JSON.stringify(text)
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
