import { base58 } from '@scure/base'

/** Reads base58 of so many bytes; `undefined` for whatever is none. */
export function parseBase58(text: unknown, length: number): Uint8Array | undefined {
  // A byte takes 1.37 characters at most: longer text is refused before a slow decoder sees it.
  if (typeof text !== 'string' || text.length === 0 || text.length > Math.ceil(length * 1.4)) return undefined
  try {
    const bytes = base58.decode(text)
    return bytes.length === length ? bytes : undefined
  } catch {
    return undefined
  }
}
