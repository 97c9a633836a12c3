/** The numbers of wallets. Times are milliseconds unless the name says otherwise. */
export const walletsLimits = {
  /** A node that has not said by then what code a wallet has: its calls are a transaction each. */
  capabilityWait: 5_000,
  /** What a wallet can do on a chain is asked again after so long. */
  capabilityLife: 60_000,
  /** A success stays visible before the dialog closes by itself. */
  successVisible: 1_400,
  /** 'Wallet created' closes by itself after this. */
  walletCreatedVisible: 2_500,
  /** The outcome of giving or revoking a permission closes by itself after this. */
  permissionVisible: 2_500,
  /** How often, and how many times, the page asks whether the vault is ready. */
  vaultHandshakeEvery: 150,
  vaultHandshakeTries: 270,
  /** Random bytes of an OAuth state and verifier. */
  oauthRandomBytes: 36,
  /** A page that was told to leave and is still here after this did not leave. */
  leavingPage: 10_000,
  /** Wait for a ready vault in session handling. */
  vaultReadySession: 15_000,
  /** The call that creates an embedded wallet. */
  walletCreation: 20_000,
  /** One heartbeat per … */
  vaultHeartbeatEvery: 2_000,
  /** … and a frame that has left so many in a row without an answer is dead. */
  vaultHeartbeatsMissed: 3,
  /** The greatest height of the export frame, in pixels, whatever it asks for. */
  exportFrameHeight: 640,
  /** A request to the vault; longer than the vault's own HTTP attempts with their retries. */
  vaultRequest: 60_000,
  /** The same where the vault also uses a drive, or asks the server several times. */
  vaultRecovery: 120_000,
  /** Words of a recovery password that we generate. */
  passphraseWords: 4,
  /** A wallet's key is not shown sooner than this after opening the wallet. */
  exportNavigation: 1_000,
  /** A request to an external wallet, unless the host sets another time for its type. */
  walletRequest: 120_000,
  /** A connector counts as initialised after this, whatever its wallet does. */
  connectorInitialised: 1_500,
  /** A wallet in the browser may announce itself this late. */
  walletDetection: 3_000,
  /** How many times, and how far apart, an account or a chain id is asked for. */
  walletLookupTries: 10,
  walletLookupEvery: 500,
  /** How many times a connection is retried. */
  walletConnectionRetries: 2,
  /** Rabby needs this pause after a chain was added. */
  walletChainAdded: 300,
  /** The link to Phantom asks 'Still here?' after this. */
  walletLinkPatience: 1_000,
  /** Rows beside the overflow, and how many wallets fit without one. */
  walletRows: 3,
  /** Create, save, confirm, finish. */
  passwordSteps: 4,
  walletRowsExact: 4,
  /** An announced icon, in characters of its data URL. */
  walletIconSize: 65_536,
  /** A wallet's own name, in characters. */
  walletNameLength: 40,
  /** Accounts that one wallet may open, and wallets that one page may announce. */
  walletAccounts: 100,
  walletsFound: 100,
  /** A signature, in characters; with ERC-6492 it includes the wallet's deployment. */
  walletSignatureSize: 65_536,
  /** How deep a wallet's error objects are searched for their fields. */
  walletObjectDepth: 8,
  /** The stored connections: their text, in characters, and their number. */
  walletHistorySize: 65_536,
  walletHistoryEntries: 50,
  /** Everything that a WalletConnect peer says about itself and what it opens, in characters. */
  walletSessionSize: 65_536,
  /** A WalletConnect pairing address, in characters; real ones have about 250. */
  walletConnectUriLength: 1_024,
  /** Requests of libraries to an embedded wallet that may wait for their turn; further ones are refused. */
  walletRequestsWaiting: 20,
  /** Length of such a request, in characters of JSON: the vault's message also has to hold a token. */
  walletRequestSize: 122_880,
  /** Characters of all calls of a batch as JSON: the vault's message also holds what prepares each of them. */
  batchSize: 98_304,
  /** Bytes of a batch's identifier (EIP-5792). */
  batchIdBytes: 4_096,
} as const
