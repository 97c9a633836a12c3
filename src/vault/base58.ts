import type { Bytes } from './bytes.ts'

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Bytes as base58, the way Solana writes addresses, keys and signatures. */
export function toBase58(bytes: Uint8Array): string {
  const zeros = bytes.findIndex((byte) => byte !== 0)
  const leading = zeros < 0 ? bytes.length : zeros
  // Digits of the number that the bytes are, the lowest first.
  const digits: number[] = []
  for (const byte of bytes.subarray(leading)) {
    let carry = byte
    for (let i = 0; i < digits.length || carry > 0; i++) {
      carry += (digits[i] ?? 0) * 256
      digits[i] = carry % 58
      carry = Math.floor(carry / 58)
    }
  }
  const text =
    ALPHABET.charAt(0).repeat(leading) +
    digits
      .reverse()
      .map((digit) => ALPHABET[digit])
      .join('')
  digits.fill(0)
  return text
}

/** Reads base58 of exactly `length` bytes; `undefined` for whatever is none. */
export function fromBase58(text: string, length: number): Bytes | undefined {
  // A byte takes 1.37 characters at most, so longer text is refused before the work begins.
  if (text.length > Math.ceil(length * 1.4)) return undefined
  const bytes = new Uint8Array(length)
  for (const letter of text) {
    let carry = ALPHABET.indexOf(letter)
    if (carry < 0) return undefined
    for (let i = length - 1; i >= 0; i--) {
      carry += (bytes[i] ?? 0) * 58
      bytes[i] = carry & 0xff
      carry >>= 8
    }
    if (carry > 0) return undefined
  }
  // Each leading zero byte is one leading 1: another number of them is another text for the same bytes.
  return toBase58(bytes) === text ? bytes : undefined
}
