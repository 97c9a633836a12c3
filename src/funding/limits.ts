/** The numbers of funding. */
export const fundingLimits = {
  /** Milliseconds between two readings of a balance that is expected to rise. */
  balanceInterval: 2_000,
  /** Milliseconds for one reading. */
  balanceTime: 15_000,
  /** Decimals of a balance. */
  places: 6,
  /** Characters of an amount, and digits before its point: no provider sells more. */
  amountLength: 64,
  amountDigits: 20,
  /** Bytes of the key by which a payment on Solana is found. */
  referenceLength: 32,
} as const
