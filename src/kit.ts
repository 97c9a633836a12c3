import type { CopyOverrides } from './copy/copy.ts'
import type { Readable } from './core/store.ts'
import type { Surface } from './core/surface.ts'
import type { KitError } from './errors/kit-error.ts'
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
  error: KitError
}
/** What the page may change while the kit lives. */
export interface Appearance {
  theme: 'auto' | 'light' | 'dark'
  /** A CSS hex colour; the app's own without it. */
  accent: string | undefined
}

export interface Kit {
  readonly appId: string
  readonly ready: boolean
  readonly authenticated: boolean
  readonly user: User | null
  readonly isModalOpen: boolean
  readonly state: Readable<KitState>
  whenReady(): Promise<void>
  subscribe(listener: (state: KitState) => void): () => void
  on<Name extends keyof KitEvents>(event: Name, listener: (detail: KitEvents[Name]) => void): () => void
  login(options?: LoginOptions): Promise<User>
  logout(): Promise<void>
  getAccessToken(): Promise<string | null>
  signMessage(message: string, uiOptions?: SignUiOptions, address?: string): Promise<string>
  signMessage(input: { message: string }, options?: SignOptions): Promise<{ signature: string }>
  /** Offers a place for dialogs; the last one offered is used. Returns the function that takes it back. */
  attach(surface: Surface): () => void
  /** The host's words, which override ours. */
  readonly copy: Readable<CopyOverrides>
  /** Stops tabs, timers and frames of this kit; it can't be used afterwards. */
  destroy(): void
}
