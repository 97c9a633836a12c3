/** The numbers of the app that a kit runs for. Times are milliseconds unless the name says otherwise. */
export const appLimits = {
  /** The app's login message is cut at this many characters. */
  loginMessageLength: 100,
  /** Analytics wait until the first screen is visible. */
  analyticsDelay: 1_000,
} as const
