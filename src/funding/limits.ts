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
  /** Payments of other wallets that are remembered, for so many milliseconds, and the call of one, in characters. */
  payments: 20,
  paymentLife: 30 * 24 * 60 * 60_000,
  paymentData: 20_000,
  /** Wallets of the user's that are listed with what they hold. */
  payingWallets: 20,
  /** Quotes of the bridge that are asked for at once. */
  bridgeQuotes: 4,
  /** Milliseconds for one quote, and for which it is taken to hold. */
  quoteTime: 20_000,
  quoteLife: 30_000,
  /** A quote that pays this part more than the one that was shown is shown again: one in so many. */
  quoteSlack: 100n,
  /** Milliseconds between two questions of what has become of a bridge. */
  bridgeInterval: 2_000,
  /** Milliseconds after which a bridge takes longer than usual; or so many times as long as it has said. */
  bridgeUsual: 60_000,
  bridgeUsualTimes: 4,
  /** Milliseconds for one question to the bridge, or to a network. */
  questionTime: 10_000,
  /** Nonces of a wallet that are searched for a transaction without a hash. */
  nonces: 8,
  /** Looks at the network for a payment that the bridge says it has made, and milliseconds between two of them. */
  arrivalTries: 10,
  arrivalInterval: 1_000,
} as const
