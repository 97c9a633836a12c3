/** Seconds for which a seller may want an authorization to be valid. */
const validity = 600
/** Seconds that a user has to review a payment: its authorization is valid for so much longer. */
const reviewTime = 300

/** The numbers of payments for requests (x402). */
export const x402Limits = {
  /** Milliseconds that count as a day of payments: those of the last 24 hours. */
  day: 24 * 60 * 60_000,
  validity,
  reviewTime,
  /** Seconds by which the clocks of this device and of the network may differ. */
  clockSkew: 600,
  /** Seconds that a facilitator needs of an authorization's validity. */
  settlingTime: 6,
  /** Milliseconds until the response to a request without a payment begins. */
  responseTime: 120_000,
  /** Milliseconds that reading the terms may take. */
  termsTime: 10_000,
  /** Milliseconds that the token's network has to say what the token is. */
  tokenTime: 20_000,
  /** Offers of one seller that are looked at on their networks. */
  offers: 4,
  /** Milliseconds that a seller may take for its answer beyond the time that it has named. */
  answerMargin: 15_000,
  /** Bytes of a request body, which is sent twice. */
  bodySize: 10 * 1_024 * 1_024,
  /** Characters of the seller's own words. */
  descriptionLength: 300,
  /**
   * Milliseconds after which the spending of a request that was never signed is free again, as after a reload: by then no authorization that
   * began with it is valid any more. A signature that comes all the same finds its reservation gone, and is thrown away.
   */
  reservation: (validity + reviewTime) * 1_000,
  /** Payments that this browser knows of. */
  entries: 500,
  /** Milliseconds between searches for a settlement on its network. */
  searchInterval: 4_000,
  /** Milliseconds for which a settlement is searched after its authorization has expired. */
  searchMargin: 2 * 60_000,
  /** US dollars of the greatest cap. */
  dollars: 1_000_000,
} as const
