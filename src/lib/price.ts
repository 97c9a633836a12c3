/** Prices as exact numbers: amounts never pass through floating point. */

/** A price in US dollars for one whole coin or token: `units` divided by ten to the power of `scale`. */
export interface Price {
  readonly units: bigint
  readonly scale: number
  /** Milliseconds since 1970, as the source says it, or when it was asked for. */
  readonly at: number
}

/** A price older than this is not displayed, in milliseconds. */
export const PRICE_AGE = 10 * 60_000

/** Reads a price exactly as its decimal text; `undefined` for anything that is no price. */
export function readPrice(usd: number, at: number): Price | undefined {
  if (!Number.isFinite(usd) || usd <= 0) return undefined
  const [, whole = '', decimals = '', exponent = '0'] =
    /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(usd)) ?? []
  const digits = BigInt(whole + decimals)
  const scale = decimals.length - Number(exponent)
  return scale >= 0 ? { units: digits, scale, at } : { units: digits * 10n ** BigInt(-scale), scale: 0, at }
}

/** Whether a price may be displayed at a time. One from the future is another clock's, and as little worth as an old one. */
export const isFresh = ({ at }: Price, now: number): boolean => Math.abs(now - at) <= PRICE_AGE

/** What an amount is worth, in dollars with so many decimals. */
export function worthOf(
  amount: bigint,
  decimals: number,
  { units, scale }: Price,
): { readonly amount: bigint; readonly decimals: number } {
  // Cents are two decimals, which a token and its price may lack.
  return { amount: amount * units * 100n, decimals: decimals + scale + 2 }
}

/** A price as a number of dollars, for words such as "about $3". */
export const toDollars = ({ units, scale }: Price): number => Number(units) / 10 ** scale
