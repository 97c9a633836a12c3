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
  /** Payments of other wallets that are remembered, for so many milliseconds, and the call of one, in characters. */
  payments: 20,
  paymentLife: 30 * 24 * 60 * 60_000,
  paymentData: 20_000,
  /** Wallets of the user's that are listed with what they hold. */
  payingWallets: 20,
  /** Quotes of the bridge that are asked for at once. */
  bridgeQuotes: 4,
  /** Milliseconds for one quote of the bridge, and for which it is taken to hold. */
  bridgeQuoteTime: 20_000,
  bridgeQuoteLife: 30_000,
  /** Milliseconds for a trial run of a bridge's steps. */
  trialTime: 15_000,
  /** A quote that pays this part more than the one that was shown is shown again: one in so many. */
  bridgeQuoteSlack: 100n,
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
