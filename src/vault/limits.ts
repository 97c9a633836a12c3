/** The vault's own numbers. Times are milliseconds. */
export const vaultLimits = {
  /** IndexedDB that has not answered for this long is given up, and memory takes its place. */
  storageWait: 3_000,
  /** How often a frame without storage looks for the one that keeps things for it. */
  sharedMemoryCheck: 50,
  /** Longest wait for another tab that writes. It is well under the 20 s of a creation. */
  lockWait: 8_000,
  /** Ids of requests that are remembered, so that none is answered twice. */
  rememberedIds: 4_096,
  /** What the server has released is reused for this long, and then asked for again. */
  releaseKept: 5 * 60_000,
  /** How long a second factor that was shown is good, and how long for what needs a fresh one. */
  mfaKept: 15 * 60_000,
  mfaFresh: 60_000,
  /** The most characters that a tab keeps of it. */
  mfaProofsSize: 4_096,
  /** Throw-away keys that are made before a page's first signature; a browser gets no faster by more of them. */
  warmUps: 4,
  /** Sets of shares that the server is asked for at a time. */
  setsAsked: 32,
  /** Device shares of creations with an unknown end, kept until the end is known; of each kind of secret. */
  pendingShares: 8,
  /** Rounds of a new recovery password, and the least and the most that any package may ask for. */
  passwordRounds: 1_000_000,
  passwordRoundsLeast: 600_000,
  passwordRoundsMost: 10_000_000,
  /** Characters of a new recovery password. */
  passwordLeast: 6,
  passwordMost: 1_024,
  /** Bits of every key of recovery. */
  recoveryKeyBits: 256,
  /** Characters of a secret that the host keeps: less could be guessed. */
  ownSecretLeast: 16,
  ownSecretMost: 4_096,
  /** Characters of a token for a person's own drive, and of what is read from there. */
  driveTokenLength: 8_192,
  driveAnswerSize: 65_536,
  /** A key that is shown hides by itself, and one that was copied leaves the clipboard. */
  exportShown: 60_000,
  clipboardKept: 60_000,
  /** A button must have been in sight for this long before it is pressed, as far as browsers can tell. */
  visibleBeforePress: 500,
  /** A press counts after this long without a change, another press or a move of the focus; a key, after this long on its control. */
  quietBeforePress: 1_000,
  keyAfterFocus: 500,
  /** How often it is looked whether a press would count. */
  pressCheck: 100,
  /** CSS pixels by which a pointer at rest may seem to move when places are rounded. */
  placeSlack: 4,
  /** The browser looks this often, and how much of a button must be seen. */
  visibilityCheck: 100,
  visibleShare: 0.95,
  /** No other code for a device can be asked for sooner than this; and how long a right one is shown as right. */
  codeEvery: 30_000,
  successVisible: 900,
  /** That a press is being worked on is drawn one frame of a screen later. */
  busyAfter: 16,
  /** CSS pixels of a frame in which a request can be read; in a smaller one it goes to the vault's window. */
  leastWidth: 280,
  leastHeight: 320,
  /** Device pixels of the smallest text; its CSS pixels; and the factor up to which it is enlarged to get there. */
  leastTextPixels: 11,
  leastTextSize: 12,
  raisedTextScale: 2,
  /** The longest wait for balances and supplies from the server. */
  figuresWait: 3_000,
  /** A price that is older than its preview by this is not displayed. */
  priceAge: 15 * 60_000,
  /** A trial run older than this is repeated before anything is signed. */
  previewAge: 15_000,
  /** How often it is looked whether a window of an approval, or its opener, is gone; and how long it may take to connect. */
  windowCheck: 400,
  windowConnects: 30_000,
  /** Looks at which its frame has not answered before a window gives it up. */
  windowUnanswered: 8,
  /** How long the user may take at a provider, and how long a popup's page waits for the window that opened it. */
  visitAnswer: 120_000,
  visitReply: 4_000,
  /** How often it is asked whether Farcaster's app has signed, and for how long. */
  farcasterCheck: 2_000,
  farcasterAnswer: 5 * 60_000,
  /** How often the server is asked whether another device has approved this one, and how long an outcome is shown. */
  approvalAsked: 2_000,
  /** External wallets that the vault's window lists, the characters of their names and of an error that is looked at, and how long one may take to sign. */
  walletsFound: 100,
  walletName: 40,
  walletErrorRead: 200,
  walletSigns: 3 * 60_000,
  /** Compatible clients give the frame 44 pixels; one below this height gets a single button. */
  compactHeight: 100,
  /** The offline tool: characters of a recovery file, wallets that it lists of each chain, tries of a password. */
  recoveryFileSize: 1_048_576,
  recoveredWallets: 1_000,
  passwordTries: 3,
  /** How long a cancelled change of an account may take to be taken back at the server before the page is told. */
  rejectWait: 1_000,
} as const
