import type { FlowState } from './auth/flow-state.ts'
import type { HeadlessCalls } from './auth/headless-calls.ts'
import type { HostConfig } from './config.ts'
import type { CopyOverrides } from './copy/copy.ts'
import type { Readable } from './core/store.ts'
import type { Surface } from './core/surface.ts'
import type { KitError } from './errors/kit-error.ts'
import type { OAuthTokens } from './wire/sessions.ts'
import type { LinkedAccount, User } from './wire/user.ts'

/** Spec §3 "Login data". */
export interface LoginOptions {
  /** Shows only these methods, in this order, instead of the app's. */
  loginMethods?: readonly string[]
  prefill?: { type: 'email' | 'phone'; value: string }
  /** Existing users only. */
  disableSignup?: boolean
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
  /** Makes the person's embedded wallet if they have none, without a dialog. Resolves with its address. */
  createWallet(): Promise<{ address: string }>
  /** Accepts the app's terms for the person, for hosts that show them on their own page. */
  acceptTerms(): Promise<void>
  /**
   * Shows a message and signs it (EIP-191) with the person's embedded wallet. The first form resolves with the
   * signature, the second with an object that holds it. Throws a {@link KitError}: `invalid_message`,
   * `must_be_authenticated`, `embedded_wallet_not_found`, or `unable_to_sign` when the person declines.
   */
  signMessage(message: string, uiOptions?: SignUiOptions, address?: string): Promise<string>
  signMessage(input: { message: string }, options?: SignOptions): Promise<{ signature: string }>
  /** Changes the host's configuration or words; what is on the screen now keeps the former ones. */
  configure(options: Pick<KitOptions, 'config' | 'copy'>): void
  /** Offers a place for dialogs; the last one offered is used. Returns the function that takes it back. */
  attach(surface: Surface): () => void
  /** Stops tabs, timers and frames of this kit; it can't be used afterwards. */
  destroy(): void
}
