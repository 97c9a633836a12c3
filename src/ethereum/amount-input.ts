/** Amounts as users type and paste them. */

import { asciiDigits, dropInvisible } from '../lib/typed-text.ts'

/** `ambiguous`: a separator of thousands, or the decimal separator of another language. */
export type AmountProblem =
  | 'empty'
  | 'not-a-number'
  | 'ambiguous'
  | 'negative'
  | 'too-many-decimals'
  | 'too-large'
export type ParsedAmount =
  | { readonly amount: bigint; readonly problem?: undefined }
  | { readonly amount?: undefined; readonly problem: AmountProblem }

const MOST_CHARACTERS = 128
const UINT256 = 2n ** 256n - 1n

/**
 * Reads an amount as a user types or pastes it, into the smallest unit. There is one decimal separator, that of the locale, and no
 * separator of thousands: `1,304.53` must never become 1.3. Exponents are refused.
 * @param locale a BCP 47 tag
 */
export function parseAmount(text: string, decimals: number, locale: string): ParsedAmount {
  if (text.length > MOST_CHARACTERS) return { problem: 'not-a-number' }
  const separator = decimalSeparator(locale)
  const typed = dropInvisible(asciiDigits(text)).trim()
  if (typed === '') return { problem: 'empty' }
  if (/^[-−–]\s*[\d.,٫]/.test(typed)) return { problem: 'negative' }
  const [whole = '', rest = '', ...more] = typed.split(separator)
  if (!/\d/.test(typed) || more.length > 0 || !/^\d*$/.test(whole) || !/^\d*$/.test(rest))
    return { problem: /^\d[\d.,٫٬'’\s]*$/.test(typed) ? 'ambiguous' : 'not-a-number' }
  const figures = rest.replace(/0+$/, '')
  if (figures.length > decimals) return { problem: 'too-many-decimals' }
  const amount = BigInt(`${whole}${figures.padEnd(decimals, '0')}` || '0')
  return amount > UINT256 ? { problem: 'too-large' } : { amount }
}

/** What stands before the decimals in a language. Unknown languages have a point. */
export function decimalSeparator(locale: string): string {
  try {
    const parts = new Intl.NumberFormat(locale).formatToParts(1.5)
    return parts.find(({ type }) => type === 'decimal')?.value ?? '.'
  } catch {
    return '.'
  }
}
