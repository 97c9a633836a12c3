/** The numbers of the session. Times are milliseconds unless the name says otherwise. */
export const sessionLimits = {
  /** A token that expires within this time counts as inactive. */
  tokenInactiveWithin: 30_000,
  /**
   * Longest wait for another tab that holds the refresh lock. Waiting for all of its timed-out attempts would
   * take too long.
   */
  refreshLockWait: 30_000,
} as const
