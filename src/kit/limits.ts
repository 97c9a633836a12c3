export const kitLimits = {
  /** Attempts to fetch the app's settings after which the host hears that they fail: at once, and after one quick retry. */
  attemptsBeforeReport: 2,
} as const
