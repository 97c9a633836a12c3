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
  /** Milliseconds that quotes and the start of a purchase may take. */
  quoteTime: 30_000,
  /** Milliseconds for which quotes are shown that say nothing of their end, and the least between two requests for them. */
  quoteLife: 60_000,
  quoteInterval: 10_000,
  /** How often quotes are renewed by themselves while nobody decides. */
  quoteRenewals: 20,
  /** Milliseconds from the start of a purchase to the first question about its status, and between those that follow, by provider. */
  purchasePace: {
    moonpay: { first: 8_000, every: 3_000 },
    'coinbase-onramp': { first: 5_000, every: 1_500 },
    other: { first: 8_000, every: 3_000 },
  },
  /** Milliseconds for one such question, and how many failed ones in a row mean that the service has failed. */
  purchaseTime: 15_000,
  purchaseErrors: 3,
  /** Milliseconds after which the status is asked for less often, how often then, and after which it no longer is. */
  purchaseQuick: 10 * 60_000,
  purchaseSlow: 30_000,
  purchaseFollowed: 2 * 60 * 60_000,
  /** So many times a user may close the provider's window before the methods are shown again. */
  windowClosures: 3,
  /** A link to the provider is renewed so many milliseconds before it expires. */
  linkMargin: 30_000,
  /** Milliseconds in which the provider's frame has to load. */
  frameTime: 20_000,
  /** Milliseconds for which a purchase that was not paid is offered again, and its reference used again. */
  unpaidOffered: 24 * 60 * 60_000,
  /** How many unfinished purchases are offered, and how many references are stored. */
  purchasesOffered: 3,
  references: 20,
  /** Bytes of the key by which a payment on Solana is found. */
  referenceLength: 32,
} as const
