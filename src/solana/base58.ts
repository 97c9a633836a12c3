import { base58 } from '@scure/base'

export const formatBase58 = (bytes: Uint8Array): string => base58.encode(bytes)

/** Reads base58 of exactly `length` bytes; `undefined` for anything else. */
export function parseBase58(text: unknown, length: number): Uint8Array<ArrayBuffer> | undefined {
  // A byte takes 1.37 characters at most. Decoding takes quadratic time, so longer text is refused before it.
  if (typeof text !== 'string' || text.length === 0 || text.length > Math.ceil(length * 1.4)) return undefined
  try {
    const bytes = base58.decode(text)
    return bytes.length === length ? (bytes as Uint8Array<ArrayBuffer>) : undefined
  } catch {
    return undefined
  }
}

/** Reads a Solana address: 32 bytes in base58. */
export const parseSolanaAddress = (text: unknown): string | undefined =>
  typeof text === 'string' && parseBase58(text, 32) ? text : undefined

/** As long as the data of an instruction can be, in bytes. */
const MOST_DATA = 10_240

/** Reads base58 of any length up to what one instruction can hold. */
export function parseBase58Bytes(text: unknown): Uint8Array<ArrayBuffer> | undefined {
  if (typeof text !== 'string' || text.length > MOST_DATA * 1.4) return undefined
  try {
    return base58.decode(text) as Uint8Array<ArrayBuffer>
  } catch {
    return undefined
  }
}
