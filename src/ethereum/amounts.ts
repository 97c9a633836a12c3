import { asciiDigits, dropInvisible } from '../lib/typed-text.ts'

/** An amount of a chain's smallest unit in whole ones, exactly: no figure is left out, and thousands are told apart. */
export function formatUnits(amount: bigint, decimals: number): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, ',')
  const rest = decimals > 0 ? digits.slice(-decimals).replace(/0+$/, '') : ''
  return `${amount < 0n ? '-' : ''}${whole}${rest && `.${rest}`}`
}

/** The figures that a person reads of an estimate. */
const FIGURES = 6

/** An estimate, rounded up to six figures: nobody pays more than it says. */
export function atMost(amount: bigint): bigint {
  const spare = amount.toString().length - FIGURES
  if (spare <= 0) return amount
  const step = 10n ** BigInt(spare)
  return ((amount + step - 1n) / step) * step
}

/**
 * An amount with at most so many decimals, cut off and never rounded up: nobody has more than it says. An amount that would be zero is
 * shown as less than the smallest one, such as `<0.001`.
 */
export function formatRounded(amount: bigint, decimals: number, places = 3): string {
  const step = 10n ** BigInt(Math.max(0, decimals - places))
  const size = amount < 0n ? -amount : amount
  if (size > 0n && size < step) return `<${formatUnits(step, decimals)}`
  return formatUnits((amount / step) * step, decimals)
}

/**
 * US dollars with two decimals, rounded to the nearest cent. An amount below one cent is shown as `<$0.01`.
 * @param amount in units of so many decimals
 */
export function formatDollars(amount: bigint, decimals: number): string {
  const cent = 10n ** BigInt(decimals - 2)
  const size = amount < 0n ? -amount : amount
  if (size > 0n && size < cent) return '<$0.01'
  const cents = (size + cent / 2n) / cent
  const [whole, rest = ''] = formatUnits(cents, 2).split('.')
  return `${amount < 0n ? '-' : ''}$${whole}.${rest.padEnd(2, '0')}`
}

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
