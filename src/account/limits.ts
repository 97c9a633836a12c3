/** The numbers of accounts. Times are milliseconds unless the name says otherwise. */
export const accountLimits = {
  /** How many passkeys a person may have. Of every other kind, wallets apart, they may have one account. */
  passkeys: 5,
  /** How many of them a list shows before somebody asks for all. */
  passkeysAtFirst: 2,
  /** A list of so many, all shown, fits a low screen. */
  shortList: 3,
  /** The characters of a passkey's own name. */
  passkeyName: 64,
  /** The latest uses of a permission that are shown. */
  permissionUses: 5,
  /** The shortest time between two checks for new devices when the user comes back to the settings. */
  requestsAskedAgain: 5_000,
} as const
