/** The numbers of activity. */
export const activityLimits = {
  /** Older transactions are forgotten. */
  entries: 50,
  /** How many of them a short list displays. */
  shortList: 5,
} as const
