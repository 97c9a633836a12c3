import type { Run, RunEnd } from '../src/core/surface.ts'
import type { KitEvents } from '../src/kit-api.ts'
import type { User } from '../src/wire/user.ts'

/** How a person wants to leave; dragging a drawer down counts as its button. */
export type CloseReason = 'escape' | 'backdrop' | 'button'

/** What the events of every element carry. All of them bubble and leave shadow roots. */
export interface CommonDetails {
  /** The element can act, and `user` is what it is. */
  'lk-ready': undefined
  /** The dialog is on screen. Not when the page itself set `open`. */
  'lk-open': { intent: Run['intent'] }
  /** Somebody wants to close it; `preventDefault()` keeps it open. */
  'lk-close-request': { reason: CloseReason }
  /** The dialog is gone. Not when the page itself took `open` away. */
  'lk-close': RunEnd
  /** A screen is shown: names only, no personal data. */
  'lk-step': { screen: string; from: string | null }
  /** A failure that the page may want to log. */
  'lk-error': { code: string; message: string; retryable: boolean }
}
export interface LoginDetails extends CommonDetails {
  'lk-login': KitEvents['login']
  'lk-logout': undefined
  'lk-user': { user: User | null }
  /** A social provider gave the app tokens of its own, which are handed over here and kept nowhere. */
  'lk-oauth-tokens': KitEvents['oauth-tokens']
}
export interface SignDetails extends CommonDetails {
  /** Before the dialog; `preventDefault()` refuses the signature. */
  'lk-sign-request': { message: string }
  'lk-signature': { signature: string; address: string }
}
export interface ConnectorDetails extends CommonDetails {
  /** A wallet outside is connected: newly, or again after the page was loaded. */
  'lk-connect': KitEvents['connect']
  'lk-disconnect': KitEvents['disconnect']
  /** What is connected has changed: a wallet, its account or its chain. */
  'lk-wallets': KitEvents['wallets']
}
export interface CreateDetails extends CommonDetails {
  /** An embedded wallet was made or imported because somebody asked for it. */
  'lk-wallet': KitEvents['wallet']
}
export interface RecoveryDetails extends CommonDetails {
  /** How an embedded wallet comes back on another device has changed. */
  'lk-recovery': KitEvents['recovery']
}
export interface Details
  extends LoginDetails,
    SignDetails,
    ConnectorDetails,
    CreateDetails,
    RecoveryDetails {}

/** Event name → event, as `addEventListener` wants it. */
export type EventsOf<D> = { [Name in keyof D]: CustomEvent<D[Name]> }
/** All events of all elements. */
export interface LatchkeyEventMap extends EventsOf<Details> {}

declare global {
  interface HTMLElementEventMap extends LatchkeyEventMap {}
  interface DocumentEventMap extends LatchkeyEventMap {}
}
