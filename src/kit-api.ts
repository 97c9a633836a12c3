import type { FlowState } from './auth/flow-state.ts'
import type { HeadlessCalls } from './auth/headless-calls.ts'
import type { HostConfig } from './config.ts'
import type { CopyOverrides } from './copy/copy.ts'
import type { Readable } from './core/store.ts'
import type { Surface } from './core/surface.ts'
import type { KitError } from './errors/kit-error.ts'
import type { EthereumProvider, SolanaProvider } from './wallets/external/connector.ts'
import type { OAuthTokens } from './wire/sessions.ts'
import type { LinkedAccount, User, WalletAccount } from './wire/user.ts'

/** Spec §3 "Login data". */
export interface LoginOptions {
  /** Shows only these methods, in this order, instead of the app's. */
  loginMethods?: readonly string[]
  prefill?: { type: 'email' | 'phone'; value: string }
  /** Existing users only. */
  disableSignup?: boolean
  /** Which wallets the list holds; the configuration's without it. */
  walletChainType?: 'ethereum-only' | 'solana-only' | 'ethereum-and-solana'
  /** Ends the run as closing does. */
  signal?: AbortSignal
  /** Where to show it; without one, the page's surface. */
  surface?: Surface
}
/** Spec §3 "Sign UI options". */
export interface SignUiOptions {
  title?: string
  description?: string
  buttonText?: string
  iconUrl?: string
  isCancellable?: boolean
}
export interface SignOptions {
  uiOptions?: SignUiOptions
  /** Which embedded wallet signs; the person's first one without it. */
  address?: string
  signal?: AbortSignal
  surface?: Surface
}
/** Which embedded wallet is made. Spec §3 "Wallet creation". */
export interface CreateWalletOptions {
  /** `ethereum` without it. */
  chainType?: 'ethereum' | 'solana'
  /** Which one of the chain, from 0; one that is there already is resolved with. */
  walletIndex?: number
  /** The next one of the chain, beside those that are there. */
  createAdditional?: boolean
  /** Shows our screens meanwhile; without it they only come where the person has something to do. */
  dialog?: boolean
  signal?: AbortSignal
  surface?: Surface
}
export interface RecoveryUiOptions {
  /** Which wallet; the person's first one without it. Wallets of one secret share their recovery. */
  address?: string
  signal?: AbortSignal
  surface?: Surface
}
export interface SetRecoveryOptions extends RecoveryUiOptions {
  /** Goes over to automatic recovery instead of one of the person's own. */
  showAutomaticRecovery?: boolean
}
/** What a host may wish of the list of wallets. */
export interface ConnectWalletOptions {
  /** Which wallets, in which order; spec §3 `walletList`. The configuration's without it. */
  walletList?: readonly string[]
  walletChainType?: 'ethereum-only' | 'solana-only' | 'ethereum-and-solana'
  signal?: AbortSignal
  surface?: Surface
}
export interface ConnectOrCreateOptions
  extends Pick<LoginOptions, 'loginMethods' | 'prefill' | 'walletChainType' | 'signal' | 'surface'> {}

/** A wallet outside that is connected to the page. It does not change: after each change there is another one. */
export interface ConnectedWallet {
  /** Checksummed for Ethereum, base58 for Solana. */
  readonly address: string
  readonly chainType: 'ethereum' | 'solana'
  /** CAIP-2: `eip155:1`. */
  readonly chainId: string
  /** `metamask`, `phantom` …; `unknown` where nobody can tell. */
  readonly walletClientType: string
  /** `injected`, `wallet_connect_v2`, `coinbase_wallet` or `solana_adapter`. */
  readonly connectorType: string
  readonly meta: { readonly id: string; readonly name: string; readonly icon: string | undefined }
  /** Milliseconds since 1970. */
  readonly connectedAt: number
  /** Whether it belongs to the account of whoever is logged in. */
  readonly linked: boolean
  isConnected(): Promise<boolean>
  /**
   * What a library drives the wallet with: an EIP-1193 provider for Ethereum; for Solana the wallet and its account as
   * the Wallet Standard defines them.
   */
  getProvider(): EthereumProvider | SolanaProvider
  /**
   * Asks for another chain, by its number or in CAIP-2; one that the wallet does not know is added. Throws a
   * {@link KitError}: `unsupported_chain_id`, `wallet_rejected`, `wallet_timeout`, `unsupported_method` (Solana).
   */
  switchChain(chain: number | string): Promise<void>
  /**
   * Has the wallet sign text: EIP-191 as hex for Ethereum, ed25519 as base64 for Solana. Throws a {@link KitError}:
   * `invalid_message`, `wallet_rejected`, `wallet_timeout`, `wallet_disconnected`.
   */
  sign(message: string): Promise<string>
  /**
   * Has the wallet sign that it is the person's, without a dialog: logs in, or links the wallet to who is logged in.
   * Throws a {@link KitError}: the wallet's, or the server's code.
   */
  loginOrLink(): Promise<User>
  /** Takes the wallet off the account of who is logged in. */
  unlink(): Promise<User>
  /** Makes it the active one, which stands first. */
  activate(): Promise<void>
  /** Ends the connection. */
  disconnect(): Promise<void>
}

/** A wallet whose key is in the vault, of whoever is logged in. It does not change: after a change there is another one. */
export interface EmbeddedWallet {
  /** Checksummed for Ethereum, base58 for Solana. */
  readonly address: string
  readonly chainType: 'ethereum' | 'solana'
  /** Its place among those of one secret; an imported one has none. */
  readonly walletIndex: number | undefined
  readonly imported: boolean
  /** How it comes back without its device: `user-passcode`, `google-drive` … */
  readonly recoveryMethod: string | undefined
  /**
   * What a library drives the wallet with: an EIP-1193 provider for Ethereum; for Solana the wallet and its account as
   * the Wallet Standard defines them. It signs what the person approves in the dialog, and refuses with 4900 once they
   * have logged out.
   */
  getProvider(): EthereumProvider | SolanaProvider
}

export interface KitState {
  /** The app's configuration is known and a stored session has been restored or given up. */
  readonly ready: boolean
  readonly authenticated: boolean
  readonly user: User | null
  /** A dialog of this kit is on the page. */
  readonly isModalOpen: boolean
}
/** Wire 12.5, as one object for each event. */
export interface KitEvents {
  login: {
    user: User
    isNewUser: boolean
    wasAlreadyAuthenticated: boolean
    loginMethod: string | null
    loginAccount: LinkedAccount | null
  }
  logout: undefined
  user: { user: User | null }
  signature: { signature: string; address: string }
  /** An embedded wallet was made or imported because somebody asked for it. */
  wallet: { wallet: WalletAccount }
  /** How an embedded wallet comes back on another device has changed. */
  recovery: { method: string; wallet: WalletAccount }
  /** A wallet outside is connected: newly, or again after the page was loaded. */
  connect: { wallet: ConnectedWallet }
  disconnect: { wallet: ConnectedWallet }
  /** What is connected has changed: a wallet, its account or its chain. */
  wallets: { wallets: readonly ConnectedWallet[] }
  /** A social provider gave the app tokens of its own. They are handed over here, once, and kept nowhere. */
  'oauth-tokens': { oAuthTokens: OAuthTokens; user: User }
  error: KitError
}
/** How the app looks, as its owner and the host set it up. */
export interface Look {
  readonly theme: 'auto' | 'light' | 'dark'
  /** A CSS hex colour. */
  readonly accent: string | undefined
  readonly appName: string | undefined
}

export interface KitOptions {
  /** 25 characters. */
  appId: string
  /** Base address of the API, without a trailing slash; https, or http on localhost. */
  apiUrl: string
  clientId?: string
  /** Base address of the vault, on an origin of its own. The API's without it. */
  vaultUrl?: string
  config?: HostConfig
  copy?: CopyOverrides
  /** `false`: nothing is posted to the app's analytics. */
  analytics?: boolean
}

/** What a host can do without any of our screens, with the state of each method. */
export type HeadlessMethods = {
  readonly [Method in keyof HeadlessCalls]: HeadlessCalls[Method] & { readonly state: Readable<FlowState> }
}

/**
 * One app on a page: its session, its wallets, and the flows that it runs on a surface. Made by `createKit`; elements
 * with the same app id share one. Every method waits until the kit is ready.
 */
export interface Kit extends HeadlessMethods {
  readonly appId: string
  readonly ready: boolean
  readonly authenticated: boolean
  readonly user: User | null
  readonly isModalOpen: boolean
  readonly state: Readable<KitState>
  readonly look: Readable<Look>
  /** The host's words, which override ours. */
  readonly copy: Readable<CopyOverrides>
  /** What the dialog showed so far, names only: `landing > email enter-code …`. For debugging and demos. */
  readonly trace: Readable<readonly string[]>
  /** Resolves when {@link KitState.ready}; rejects with the {@link KitError} that stands in the way. */
  whenReady(): Promise<void>
  /** Calls `listener` now and after each change; returns the function that stops it. */
  subscribe(listener: (state: KitState) => void): () => void
  on<Name extends keyof KitEvents>(event: Name, listener: (detail: KitEvents[Name]) => void): () => void
  /**
   * Opens the login dialog. Resolves with the person once they are in, have accepted the app's terms and have the
   * wallet that the app gives them. Somebody who is logged in already is returned at once, with a warning.
   * Throws a {@link KitError}: `exited_auth_flow` when it was closed, `terms_not_accepted`, or what went wrong.
   * A second call joins the first.
   */
  login(options?: LoginOptions): Promise<User>
  /** Ends the session here, in the other tabs and at the server. */
  logout(): Promise<void>
  /** A token that is good for at least 30 s, refreshed when it must be; `null` when nobody is logged in. */
  getAccessToken(): Promise<string | null>
  /** The signed statement of who is logged in, or `null`. */
  getIdentityToken(): Promise<string | null>
  /**
   * Makes an embedded wallet. Resolves with it. Throws a {@link KitError}: `must_be_authenticated`,
   * `embedded_wallet_already_exists` where neither an index nor an additional one was asked for,
   * `invalid_wallet_index`, `embedded_wallet_create_error`.
   */
  createWallet(options?: CreateWalletOptions): Promise<WalletAccount>
  /**
   * Takes a private key over as an embedded wallet: 0x-hex of 32 bytes for Ethereum, base58 of 64 for Solana. The key
   * goes to the vault and is kept nowhere else; that it was in the page before is the page's business. Resolves with the
   * wallet. Throws `invalid_request_arguments` when it is no key.
   */
  importWallet(input: { chainType?: 'ethereum' | 'solana'; privateKey: string }): Promise<WalletAccount>
  /**
   * Has the person choose how their wallet comes back on another device. The old way works until the new one is
   * confirmed. Resolves with the method: `user-passcode`, `google-drive` or `icloud`, or the automatic one's name.
   * Throws `embedded_wallet_not_found`, `user_exited_set_password_flow`, or what went wrong. Spec §2.
   */
  setWalletRecovery(options?: SetRecoveryOptions): Promise<string>
  /** The same for a password alone, set for the first time or anew. */
  setWalletPassword(options?: RecoveryUiOptions): Promise<WalletAccount>
  /**
   * Shows the person their wallet's private key, or its recovery phrase, in the vault's own frame: neither the page nor
   * the kit ever has it. Resolves when the dialog is closed. Throws `must_be_authenticated`,
   * `embedded_wallet_not_found`, or what went wrong. Spec §2 "Key export".
   */
  exportWallet(options?: RecoveryUiOptions): Promise<void>
  /** Accepts the app's terms for the person, for hosts that show them on their own page. */
  acceptTerms(): Promise<void>
  /**
   * Shows a message and signs it (EIP-191) with an embedded Ethereum wallet; a Solana one signs by its own provider
   * ({@link EmbeddedWallet.getProvider}). The first form resolves with the signature, the second with an object that holds it. Throws a {@link KitError}: `invalid_message`,
   * `must_be_authenticated`, `embedded_wallet_not_found`, or `unable_to_sign` when the person declines.
   */
  signMessage(message: string, uiOptions?: SignUiOptions, address?: string): Promise<string>
  signMessage(input: { message: string }, options?: SignOptions): Promise<{ signature: string }>
  /**
   * The wallets outside that are connected: most recent first, the active one at the top. Those of a former page come
   * back by themselves.
   */
  readonly wallets: Readable<readonly ConnectedWallet[]>
  /** The embedded wallets of whoever is logged in, those of index 0 first. The page's libraries find them by themselves. */
  readonly embeddedWallets: Readable<readonly EmbeddedWallet[]>
  /**
   * Has the person connect a wallet, without logging in. Resolves with it. Throws a {@link KitError}:
   * `generic_connect_wallet_error` when the dialog was closed, or what went wrong.
   */
  connectWallet(options?: ConnectWalletOptions): Promise<ConnectedWallet>
  /**
   * The same for somebody who may have no wallet: each other way in logs them in and gives them one. Resolves with the
   * connected wallet, or with the person. Throws `invalid_state` when somebody is logged in already.
   */
  connectOrCreateWallet(
    options?: ConnectOrCreateOptions,
  ): Promise<{ wallet: ConnectedWallet } | { user: User }>
  /** Changes the host's configuration or words; what is on the screen now keeps the former ones. */
  configure(options: Pick<KitOptions, 'config' | 'copy'>): void
  /** Offers a place for dialogs; the last one offered is used. Returns the function that takes it back. */
  attach(surface: Surface): () => void
  /** Stops tabs, timers and frames of this kit; it can't be used afterwards. */
  destroy(): void
}
