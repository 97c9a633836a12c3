/** The numbers of sending by the form. */
export const sendLimits = {
  /** Characters of an address or a name. */
  recipientLength: 255,
  /** Characters of an amount. */
  amountLength: 128,
  /** Addresses that are offered, of each kind. */
  suggestions: 5,
  /** Decimals of a balance in a list. */
  places: 6,
  /** Milliseconds for one question about a recipient or a fee. */
  lookUp: 15_000,
} as const
