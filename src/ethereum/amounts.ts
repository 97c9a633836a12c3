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

/** Decimals with which a price is counted. */
const PRICE_DECIMALS = 18

/**
 * The worth of an amount in US dollars, as {@link formatDollars} displays it.
 * @param usd the price of one whole coin, from 10^-15 to 10^15
 */
export function formatWorth(amount: bigint, decimals: number, usd: number): string {
  const price = BigInt(usd.toFixed(PRICE_DECIMALS).replace('.', ''))
  return formatDollars(amount * price, decimals + PRICE_DECIMALS)
}
