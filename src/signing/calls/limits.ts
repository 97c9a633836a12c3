/** The numbers of batches that were approved. Times are milliseconds. */
export const callsLimits = {
  /** A batch is stored at least this long after it was approved (EIP-5792). */
  storedFor: 24 * 60 * 60_000,
  /** Batches of this time that are stored; a further one is refused. */
  stored: 100,
  /** Characters of all that is stored of them. Receipts beyond this are read from the network again. */
  storedSize: 1_500_000,
  /** A call that was not sent this long after its batch was approved is never sent: what the user has read is too old. */
  sentWithin: 30 * 60_000,
  /** Attempts to give a call to a network that doesn't answer, and the pause between them. */
  submitTries: 5,
  submitEvery: 3_000,
} as const
