/** The numbers of accounts. Times are milliseconds unless the name says otherwise. */
export const accountLimits = {
  /** A successful transfer stays visible for this long. */
  transferVisible: 1_000,
} as const
