const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

export const formatBase58 = (bytes: Uint8Array): string =>
  Array.from(inBase(58, 256, bytes), (digit) => ALPHABET[digit]).join('')

/** Reads base58 of exactly `length` bytes; `undefined` for anything else. */
export function parseBase58(text: unknown, length: number): Uint8Array<ArrayBuffer> | undefined {
  // A byte takes 1.37 characters at most. Decoding takes quadratic time, so longer text is refused before it.
  if (typeof text !== 'string' || text.length === 0 || text.length > Math.ceil(length * 1.4)) return undefined
  const digits = Array.from(text, (character) => ALPHABET.indexOf(character))
  if (digits.includes(-1)) return undefined
  const bytes = inBase(256, 58, digits)
  return bytes.length === length ? Uint8Array.from(bytes) : undefined
}

/** A number by its digits in one base, written in another; the greatest come first, and each zero in front stays one. */
function inBase(to: number, from: number, digits: Iterable<number>): readonly number[] {
  /** The least first. */
  const written: number[] = []
  let zeros = 0
  for (const digit of digits) {
    if (digit === 0 && written.length === 0) zeros++
    let carry = digit
    for (const [place, value] of written.entries()) {
      carry += value * from
      written[place] = carry % to
      carry = Math.floor(carry / to)
    }
    for (; carry > 0; carry = Math.floor(carry / to)) written.push(carry % to)
  }
  return [...new Array<number>(zeros).fill(0), ...written.reverse()]
}

/** Reads a Solana address: 32 bytes in base58. */
export const parseSolanaAddress = (text: unknown): string | undefined =>
  typeof text === 'string' && parseBase58(text, 32) ? text : undefined
