/** The numbers of prices. */
export const pricesLimits = {
  /** Milliseconds for which a price is displayed before it is asked for again. */
  life: 60_000,
  /** Milliseconds that an answer may take; nobody waits longer for a counter-value. */
  time: 3_000,
} as const
