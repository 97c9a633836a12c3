/** The numbers of what page and vault say to each other. Times are milliseconds unless the name says otherwise. */
export const frameLimits = {
  /** The largest message, in characters. */
  messageSize: 131_072,
  /** Transactions that are reviewed as one request. */
  batchCalls: 20,
  /** Wait for a ready vault when creating a wallet or signing. */
  readyForAction: 30_000,
} as const
