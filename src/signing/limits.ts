/** The numbers of signing. */
export const signingLimits = {
  /** What a node says is shown up to this many characters. */
  reasonLength: 300,
  /** Milliseconds after which a confirmation takes longer than usual. */
  usualConfirmation: 60_000,
  /** Milliseconds after which a trial run is repeated before anything is signed. */
  previewAge: 15_000,
  /** Milliseconds that a sponsor's answer counts while the user reads; sponsors vouch for some minutes. */
  sponsorshipAge: 120_000,
  /** Milliseconds that a sponsor still has to vouch for when the user approves: by then the operation has to be included. */
  inclusionTime: 30_000,
  /** Milliseconds that figures of tokens and descriptors are waited for before a review is displayed without them. */
  figuresWait: 3_000,
  /** Milliseconds that a trial run may take before the review does without it. */
  simulationTime: 8_000,
  /** Milliseconds that a review waits for prices once everything else is there. */
  priceWait: 300,
  /** Milliseconds that a review waits for the app's offer to add funds, which is loaded while the transaction is prepared. */
  fundingWait: 3_000,
  /** Tokens of a trial run whose prices are asked for. */
  pricedTokens: 6,
} as const
