/** The numbers of balances. */
export const balancesLimits = {
  /** Milliseconds that a network has for one balance, retries included. */
  time: 15_000,
  /** Tokens of an app that are read. */
  tokens: 50,
  /** Decimals that a list displays. */
  places: 6,
} as const
