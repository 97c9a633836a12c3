/** The numbers of balances. */
export const balancesLimits = {
  /** Milliseconds that a network has for one balance, retries included. */
  time: 15_000,
  /** Milliseconds for a price, after the balance is known. */
  priceTime: 5_000,
  /** Milliseconds for which a price is not asked for again. */
  priceLife: 60_000,
  /** Tokens of an app that are read. */
  tokens: 50,
  /** Decimals that a list displays. */
  places: 6,
} as const
