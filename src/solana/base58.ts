const DIGITS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Writes bytes as one large number; each zero byte at their front is a digit of its own. */
export function formatBase58(bytes: Uint8Array): string {
  const digits = convert(bytes, 256, 58, Math.ceil(bytes.length * 1.4)) ?? []
  return '1'.repeat(zerosOf(bytes)) + Array.from(digits.slice(zerosOf(digits)), (one) => DIGITS[one]).join('')
}

/** Reads base58 of exactly `length` bytes; `undefined` for anything else. */
export function parseBase58(text: unknown, length: number): Uint8Array<ArrayBuffer> | undefined {
  // A byte takes 1.37 characters at most. Decoding takes quadratic time, so longer text is refused before it.
  if (typeof text !== 'string' || text.length === 0 || text.length > Math.ceil(length * 1.4)) return undefined
  const digits = Array.from(text, (character) => DIGITS.indexOf(character))
  const bytes = digits.includes(-1) ? undefined : convert(digits, 58, 256, length)
  // A number that is shorter than the bytes could be written with any number of zeros; one of these ways counts.
  return bytes && formatBase58(bytes) === text ? bytes : undefined
}

/** The same number in another base with so many digits, or `undefined` if they don't suffice. */
function convert(
  digits: ArrayLike<number>,
  from: number,
  to: number,
  length: number,
): Uint8Array<ArrayBuffer> | undefined {
  const result = new Uint8Array(length)
  for (const digit of Array.from(digits)) {
    let carry = digit
    for (let at = length - 1; at >= 0; at--) {
      carry += (result[at] ?? 0) * from
      result[at] = carry % to
      carry = Math.floor(carry / to)
    }
    if (carry > 0) return undefined
  }
  return result
}

function zerosOf(digits: ArrayLike<number>): number {
  let zeros = 0
  while (zeros < digits.length && digits[zeros] === 0) zeros++
  return zeros
}

/** Reads a Solana address: 32 bytes in base58. */
export const parseSolanaAddress = (text: unknown): string | undefined =>
  typeof text === 'string' && parseBase58(text, 32) ? text : undefined
