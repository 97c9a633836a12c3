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
