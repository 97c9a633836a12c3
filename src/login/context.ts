import type { FlowContext } from '../app/flow-context.ts'
import type { User } from '../protocol/user.ts'
import type { Session } from '../session/session.ts'
import type { WalletChainType } from '../wallets/connect/list-options.ts'
import type { WalletServices } from '../wallets/services.ts'
import type { Login } from './login-result.ts'
import type { Purpose } from './purpose.ts'
import type { ReturnedLogin } from './redirect/returned-login.ts'
import type { Auth } from './services.ts'

export type { Login } from './login-result.ts'
export type { Purpose } from './purpose.ts'

/** The host's options for one login. They survive a redirect, so they are plain data. */
export interface LoginRequest {
  readonly loginMethods?: readonly string[] | undefined
  readonly prefill?: { readonly type: 'email' | 'phone'; readonly value: string } | undefined
  readonly disableSignup?: boolean | undefined
  /** Which wallets are listed, in which order. */
  readonly walletList?: readonly string[] | undefined
  readonly walletChainType?: WalletChainType | undefined
}

/** What a login needs until a method is chosen. */
export interface EntryContext extends FlowContext {
  readonly options: LoginRequest
  /** The method with which somebody last logged in here. */
  readonly recent: string | undefined
  /** Where a code went that this tab waits for, even if the page was loaded again since. */
  readonly awaited: LoginRequest['prefill']
  /** A person with a session whose login is not finished yet, or who is a guest. */
  readonly user: User | null
  /** Where the run is shown, for a login that has to come back to it. */
  readonly surface: string | undefined
  /** What it was begun from, and leads back to. */
  readonly from?: 'settings' | undefined
  /** A login that left the page and has returned. */
  readonly returned?: ReturnedLogin | undefined
  /** Loads the services that do the work. */
  readonly services: () => Promise<LoginServices>
}

/** The services of a login. */
export interface LoginServices {
  readonly session: Session
  /** What becomes of the account that is proved. */
  readonly purpose: Purpose
  readonly auth: Auth
  readonly wallets: WalletServices
  readonly methods: LoginMethods
  /** Does what logs somebody in, who is in for the page only once that is {@link finished}, here and in the other tabs. */
  loggingIn<T>(work: () => Promise<T>): Promise<T>
  /** The login has nothing left to do. */
  finished(): void
  /** Lets the vault forget what it keeps for a person. */
  forget(userId: string): void
  /** Whether the host lets an account that somebody else has be offered to this person. */
  readonly mayTransfer?: ((offer: { readonly account: string }) => boolean) | undefined
}

/** What a login needs after that. */
export interface LoginContext extends Omit<EntryContext, 'services'>, LoginServices {}

/** Back at the landing screen, with a message under the field. */
export interface BackToStart {
  readonly back: true
  readonly error?: string | undefined
}

/** What somebody chose on the landing screen. */
export interface Choice {
  readonly method: string
  /** The e-mail address, or the phone number in E.164. */
  readonly value?: string | undefined
  /** A passkey that was picked from the browser's list in the e-mail field. */
  readonly autofill?: unknown
}

/** The kinds of login methods; a method that is none of the others is a wallet by its name. */
export type LoginKind =
  | 'email'
  | 'sms'
  | 'oauth'
  | 'cross-app'
  | 'passkey'
  | 'telegram'
  | 'farcaster'
  | 'wallet'

/** What preparing the methods may lead to: a choice, or methods that this page can't have. */
export type Prepared = Choice | { readonly unavailable: readonly string[] }

/** What a login method prepares while the landing screen is up. */
export interface PrepareContext extends LoginContext {
  /** Aborted when anything is chosen, and when the dialog closes. */
  readonly signal: AbortSignal
  /** An e-mail field is on the screen. */
  readonly emailField: boolean
}

/** The ceremony of one kind of login. */
export interface LoginMethod {
  /** From a choice to a person who has proved who they are, or back. */
  readonly logIn: (cx: LoginContext, choice: Choice) => Promise<Login | BackToStart>
  /**
   * Called once the landing screen is up and the page is idle: loads what must be there when somebody presses the row.
   * Resolves with a choice that was made some other way than by a press, if there is one, or says that this page can't
   * have the method at all.
   */
  readonly prepare?: ((cx: PrepareContext) => Promise<Choice | 'unavailable' | undefined>) | undefined
  /** How people write a value of the method, such as a phone number. */
  readonly shown?: ((value: string) => string) | undefined
  /** Continues where a login with this method left the page. What came back is a claim that the services check. */
  readonly resume?: ((cx: LoginContext, login: ReturnedLogin) => Promise<Login | BackToStart>) | undefined
}
/** The login methods, each loaded when it is needed. */
export type LoginMethods = Readonly<Record<LoginKind, () => Promise<LoginMethod>>>
