import { decimalSeparator } from '../../ethereum/amount-input.ts'
import { asciiDigits, dropInvisible } from '../../lib/typed-text.ts'
import { fundingLimits } from '../limits.ts'

export type AmountTextProblem = 'empty' | 'zero' | 'decimals' | 'too-large'

/**
 * Makes a typed or pasted text what an amount field may hold: digits and at most one point. A leading point gets a zero before it. The
 * decimal separator of the user's language, which is what a phone's keypad offers, becomes the point.
 * @returns `undefined` for anything else, such as a separator of thousands: the field keeps what it had
 */
export function toAmountText(text: string, locale: string): string | undefined {
  const typed = dropInvisible(asciiDigits(text)).trim()
  const separator = decimalSeparator(locale)
  const pointed = separator === '.' || typed.includes('.') ? typed : typed.replace(separator, '.')
  if (!/^\d*\.?\d*$/.test(pointed) || pointed.length > fundingLimits.amountLength) return undefined
  return pointed.startsWith('.') ? `0${pointed}` : pointed
}

/** Reads such a text into smallest units. */
export function readAmountText(
  text: string,
  decimals: number,
): { readonly amount: bigint; readonly problem?: undefined } | { readonly problem: AmountTextProblem } {
  const [, whole = '', rest = ''] = /^(\d*)\.?(\d*)$/.exec(text) ?? []
  if (whole + rest === '') return { problem: 'empty' }
  const figures = rest.replace(/0+$/, '')
  if (figures.length > decimals) return { problem: 'decimals' }
  if (whole.replace(/^0+/, '').length > fundingLimits.amountDigits) return { problem: 'too-large' }
  const amount = BigInt(`${whole}${figures.padEnd(decimals, '0')}`)
  return amount > 0n ? { amount } : { problem: 'zero' }
}

/** An amount in smallest units as such a text. */
export function writeAmountText(amount: bigint, decimals: number): string {
  const digits = amount.toString().padStart(decimals + 1, '0')
  const rest = decimals > 0 ? digits.slice(-decimals).replace(/0+$/, '') : ''
  return digits.slice(0, digits.length - decimals) + (rest && `.${rest}`)
}
