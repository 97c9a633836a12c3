export { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'

export type Bytes = Uint8Array<ArrayBuffer>

/** Bytes of the browser's CSPRNG. */
export const randomBytes = (length: number): Bytes => crypto.getRandomValues(new Uint8Array(length))
/** Text as UTF-8. */
export const utf8 = (text: string): Bytes => new TextEncoder().encode(text)

/** Overwrites secrets with zeros. What was never made is passed over, so that it fits into a `finally`. */
export function wipe(...secrets: readonly (Uint8Array | undefined)[]): void {
  for (const secret of secrets) secret?.fill(0)
}

/** Whether two byte strings are the same; looks at all bytes in any case. */
export const equalBytes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.reduce((difference, byte, i) => difference | (byte ^ (b[i] ?? 0)), 0) === 0

/** Bytes as base64url without padding. */
export const toBase64url = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/**
 * Reads base64url without padding. Gives `undefined` for anything that {@link toBase64url} would not have written,
 * bits that are left over included, so that one value has one text only.
 */
export function fromBase64url(text: string): Bytes | undefined {
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) return undefined
  const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0))
  return toBase64url(bytes) === text ? bytes : undefined
}

/** A UUID as `crypto.randomUUID` writes it. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
export const isUuid = (text: unknown): text is string => typeof text === 'string' && UUID.test(text)
