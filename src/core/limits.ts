/**
 * Every number of the specification, once, named after its reason. Times are milliseconds unless the name says
 * otherwise. The comment gives the section of the specification (or of the wire contract) that fixes the number.
 */
export const limits = {
  /** Wire 1.2: one HTTP attempt. */
  requestTimeout: 20_000,
  /** A part of the bundle that neither arrives nor fails is given up after this. */
  chunkWait: 20_000,
  /** Spec §9: waits between the attempts of one HTTP call, 500 ms tripled. */
  retryDelays: [500, 1_500, 4_500],
  /** Spec §9: only these statuses are tried again. */
  retryStatuses: [408, 409, 425, 500, 502, 503, 504],
  /** Security §4.3, T34: the largest JSON answer that is read, in characters. */
  responseSize: 1_048_576,

  /** Spec §9: characters in an app id. */
  appIdLength: 25,
  /** Spec §4 "Session": a token that expires within this span counts as inactive. */
  tokenInactiveWithin: 30_000,
  /** Longest wait for another tab that holds the refresh lock: three timed-out attempts of it would be too long. */
  refreshLockWait: 30_000,

  /** Spec §9: digits in a login code. */
  codeLength: 6,
  /** Spec §4 "Login code screen": 'Code sent' blocks another sending. */
  resendCooldown: 30_000,
  /** Spec §4 "Login code screen": the boxes empty themselves after an error. */
  codeErrorReset: 1_400,

  /** Wire 10.2: a success stays visible before the dialog closes by itself. */
  successVisible: 1_400,
  /** Wire 10.2: a success stays visible before the next screen follows. */
  successBeforeNext: 900,
  /** Wire 10.2: 'Wallet created' closes by itself. */
  walletCreatedVisible: 2_500,
  /** Spec §2 "Account transfer": the dialog goes on after a success. */
  transferVisible: 1_000,
  /** Spec §4 "Session": the auth flow is cleared after the dialog closed. */
  authFlowClearedAfterClose: 200,

  /** Wire 7.3: the page asks the vault whether it is ready. */
  vaultHandshakeEvery: 150,
  vaultHandshakeTries: 270,
  /** Spec §5 "OAuth": random bytes of state and verifier. */
  oauthRandomBytes: 36,
  /** Security §5: a login that has left for a provider is taken up again for so long. */
  oauthStateLife: 600_000,
  /** A page that was told to leave and is still there after this did not leave. */
  leavingPage: 10_000,
  /** A window that has lost its opener waits this long for somebody who hears it. */
  openerAnswer: 500,
  /** A resumed login waits this long for the element in which it began. */
  surfaceWait: 1_500,

  /** So much of a mini app's signature tells one start from another, in characters. */
  miniAppMark: 16,

  /** Wire 2.9: random bytes of a guest credential. */
  guestRandomBytes: 32,
  /** Spec §9: passkeys per user. */
  passkeysPerUser: 5,
  /** Security §5: a WebAuthn ceremony. */
  passkeyTimeout: 300_000,
  /** The browser ends a ceremony by itself; should it not, we do this much later. */
  passkeyGrace: 5_000,

  /** Spec §9: Farcaster's status is asked for. */
  farcasterPollEvery: 2_000,
  farcasterLoginLimit: 120_000,
  /** Elements 3.34: a page that is still in sight so long after a link to an app was tapped: nothing has opened. */
  appLinkPatience: 1_500,

  /** Spec §9 "Captcha". */
  captchaPollEvery: 200,
  captchaLimit: 20_000,
  captchaVisible: 1_000,
  captchaExecuteDelay: 500,
  captchaRetries: 3,
  /** A captcha that asks the person something is given up after this. */
  captchaAnswer: 300_000,
  /** A third party's script that neither loads nor fails. */
  scriptWait: 15_000,

  /** Spec §5 "E-mail and phone": what is too short or too long for a phone number. */
  phoneNationalDigitsMin: 2,
  phoneDigitsMax: 17,
  phoneInputMax: 250,
  /** Wire 10.3: a QR code's edge, in pixels. */
  qrSize: 160,
  /** Once the landing screen stands, what the next click needs is loaded after this. */
  landingIdle: 600,

  /** Spec §9: wait for a ready vault in session handling. */
  vaultReadySession: 15_000,
  /** Spec §9: wait for a ready vault in wallet creation and signing. */
  vaultReadyAction: 30_000,
  /** Spec §7: the call that creates an embedded wallet. */
  walletCreation: 20_000,
  /** Security §5 "Vault heartbeat": one ping each span … */
  vaultHeartbeatEvery: 2_000,
  /** … and a frame that has not answered for this long is dead. */
  vaultHeartbeatDead: 6_000,
  /** Security §4.3, T34: the largest message between page and vault, in characters. */
  vaultMessageSize: 131_072,
  /** The highest that the frame with a wallet's key becomes, in pixels, whatever it asks for. */
  exportFrameHeight: 640,
  /** A request to the vault that nobody answered; longer than the vault's own HTTP attempts with their retries. */
  vaultRequest: 60_000,
  /** The same where the vault speaks with a drive as well, or asks the server several times. */
  vaultRecovery: 120_000,

  /** Wire 6.2: popups. */
  popupWidth: 440,
  popupHeight: 680,
  popupClosedCheck: 300,
  popupLimit: 120_000,

  /** Spec §9 "Display": landing list, typed-data preview. */
  landingListHeight: 400,
  previewHeight: 310,
  /** Wire 10.1: the app's login message is cut here, in characters. */
  loginMessageLength: 100,
  /** Spec §2: primary methods in the ordered layout; one more when they are exactly that many and nothing else. */
  primaryMethods: 4,
  primaryMethodsExact: 5,
  /** Spec §2: rows of the grouped layout. */
  groupedRows: 5,
  /** Spec §2: 'Copied' stays on the button. */
  copiedVisible: 1_500,
  /** A copied secret is taken off the clipboard again after this, where the browser lets us. */
  secretOnClipboard: 60_000,
  /** Spec §9: the address of a download is given up after this. */
  downloadUrlLife: 5_000,
  /** Spec §5 "Password": its shortest length, in characters; wire 10.4: where the meter says Medium and Strong. */
  passwordLength: 6,
  passwordMedium: 0.5,
  passwordStrong: 0.9,
  /** Security §2, S7: server text that is shown, in characters. */
  serverTextLength: 300,

  /** Wire 10.4: words of a recovery password that we make. */
  passphraseWords: 4,
  /** Wire 10.2: a wallet's key is not shown sooner after its wallet was opened. */
  exportNavigation: 1_000,

  /** Wire 10.2: a request to a wallet outside, unless the host sets another time for its type. */
  walletRequest: 120_000,
  /** Spec §9: a connector counts as initialised after this, whatever its wallet does. */
  connectorInitialised: 1_500,
  /** Wire 10.2: a wallet in the browser may be that late. */
  walletDetection: 3_000,
  /** Spec §9: an account or a chain id is asked for so often, so far apart. */
  walletLookupTries: 10,
  walletLookupEvery: 500,
  /** Spec §9: a connection is tried again so often. */
  walletConnectionRetries: 2,
  /** Spec §9: one wallet needs this before it shows what is to be signed. */
  walletSignDelay: 2_500,
  /** Wire 3.5: Rabby needs this after it was told of a chain. */
  walletChainAdded: 300,
  /** A link that carries a session into a wallet's browser is made anew before its token is over (security §5). */
  walletTokenRenewal: 45_000,
  /** Wire 10.2: the link to Phantom asks 'Still here?' after this. */
  walletLinkPatience: 1_000,
  /** Look §12.2: wallets that stand on the landing screen by name, in an app whose wallets come first. */
  landingWallets: 2,
  /** Spec §2 "Wallet list": rows beside the overflow, and how many wallets there are without one. */
  walletRows: 3,
  walletRowsExact: 4,
  /** Look §8, security T38: an announced icon, in characters of its data URL. */
  walletIconSize: 65_536,
  /** Wire 2.5: a wallet client type or a connector type, as the server takes it, in characters. */
  walletOriginLength: 64,
  /** Security T19: a name that a wallet gives itself, in characters. */
  walletNameLength: 40,
  /** Security T34: accounts that one wallet opens, and wallets that one page announces. */
  walletAccounts: 100,
  walletsFound: 100,
  /** Security T34: a signature, in characters; ERC-6492 has a wallet's making in it. */
  walletSignatureSize: 65_536,
  /** How deep an object of a wallet is looked into for its class's fields. */
  walletObjectDepth: 8,
  /** Stored connections: the text, in characters, and how many. */
  walletHistorySize: 65_536,
  walletHistoryEntries: 50,
  /** Security T19: all that a wallet elsewhere tells of itself and of what it opens, in characters. */
  walletSessionSize: 65_536,
  /** Security T21: an address for a wallet elsewhere, in characters. One of WalletConnect's has about 250. */
  walletConnectUriLength: 1_024,

  /** Requests of the page's libraries to an embedded wallet that wait for their turn; more than that are refused. */
  walletRequestsWaiting: 20,
  /** What such a request may be long, in characters of JSON: the vault's message has a token beside it. */
  walletRequestSize: 122_880,
  /** Security T34: how deep typed data may be. */
  typedDataDepth: 32,
  /** A Solana transaction, in bytes: what fits into one packet of the network. */
  solanaTransactionSize: 1_232,
  /** A Solana transaction is looked for so often, and so long: by then its blockhash is over. */
  solanaStatusEvery: 1_000,
  solanaStatusLimit: 90_000,

  /** Elements 3.26: what is told to the app's analytics waits until the screen stands. */
  analyticsDelay: 1_000,
  /** Spec §4 "E-mail and phone": longer text is no phone number. */
  phoneInputLength: 250,
  /** Look §7.2: 'busy' appears only after this, and then stays a while, so that nothing flickers. */
  busyShownAfter: 150,
  busyShownFor: 400,
  /** Look §7.14: a waiting screen says more after this. */
  waitExplained: 8_000,
} as const
