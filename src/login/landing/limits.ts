/** The numbers of the landing screen. Times are milliseconds. */
export const landingLimits = {
  /** This long after the screen appears, the code for the next click is loaded. */
  idle: 600,
  /** The height of the list, in pixels. */
  listHeight: 400,
  /** Primary methods in the ordered layout; one more if there are exactly that many and nothing else. */
  primaryMethods: 4,
  primaryMethodsExact: 5,
  /** Up to so many ways in, the links below among them, the screen is low. */
  shortList: 2,
  /** Rows of the grouped layout. */
  groupedRows: 5,
  /** Wallets listed by name in an app that puts wallets first. */
  wallets: 2,
} as const
