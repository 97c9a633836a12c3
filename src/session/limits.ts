/** The numbers of the session. Times are milliseconds unless the name says otherwise. */
export const sessionLimits = {
  /** A token that expires within this time counts as inactive. */
  tokenInactiveWithin: 30_000,
  /**
   * Longest wait for another tab that holds the refresh lock. Waiting for all of its timed-out attempts would
   * take too long.
   */
  refreshLockWait: 30_000,
  /** Who comes back to a tab more often than this does not make it ask the server each time. */
  askedAgain: 5_000,
} as const
