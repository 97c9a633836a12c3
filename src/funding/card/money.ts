/** An amount of money in its currency, as the user's language writes it. */
export function formatMoney(amount: string, currency: string, locale: string): string {
  try {
    // Dollars are those of the United States wherever nothing else is said.
    const currencyDisplay = currency === 'USD' ? 'narrowSymbol' : 'symbol'
    return new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay }).format(
      Number(amount),
    )
  } catch {
    // A currency or a language that the browser doesn't know.
    return `${amount} ${currency}`
  }
}

/** Thousands are told apart; no digit is left out. */
export function groupDigits(amount: string): string {
  const [whole = '', rest] = amount.split('.')
  return whole.replace(/\B(?=(\d{3})+$)/g, ',') + (rest === undefined ? '' : `.${rest}`)
}
