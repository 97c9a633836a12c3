/** A number of JSON as digits, without an exponent. `undefined` for what is no amount. */
export function toDigits(value: number | string | null | undefined): string | undefined {
  if (typeof value === 'string') return /^\d{1,30}(?:\.\d{1,30})?$/.test(value) ? value : undefined
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0 || value >= 1e21) return undefined
  const [mantissa = '', exponent] = String(value).split('e-')
  if (exponent === undefined) return mantissa
  const [whole = '', part = ''] = mantissa.split('.')
  return `0.${'0'.repeat(Number(exponent) - 1)}${whole}${part}`
}

/** Adds amounts in digits. */
export function sumOf(amounts: readonly string[]): string {
  const places = Math.max(0, ...amounts.map((each) => each.split('.')[1]?.length ?? 0))
  const total = amounts.reduce((sum, each) => {
    const [whole = '0', part = ''] = each.split('.')
    return sum + BigInt(whole + part.padEnd(places, '0'))
  }, 0n)
  const text = total.toString().padStart(places + 1, '0')
  return places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`
}

/** An amount in the form in which it is stored: `0.50` and `.5` are one. `undefined` for zero and what is no amount. */
export function readAmount(text: string, decimals: number): string | undefined {
  if (!/^(?:\d{1,20}(?:\.\d*)?|\.\d+)$/.test(text)) return undefined
  const [whole = '', part = ''] = text.split('.')
  const fraction = part.replace(/0+$/, '')
  if (fraction.length > decimals) return undefined
  const units = whole.replace(/^0+(?=.)/, '') || '0'
  const amount = fraction === '' ? units : `${units}.${fraction}`
  return /[1-9]/.test(amount) ? amount : undefined
}
