import type { Run, RunEnd } from '../src/dialog/surface.ts'
import type { ErrorCode } from '../src/errors/codes.ts'
import type {
  ActivityEntry,
  Balance,
  KitEvents,
  SendPrefill,
  TransactionRequestInput,
} from '../src/kit/api.ts'
import type { PasskeyAccount, User } from '../src/protocol/user.ts'

/** How a person asks to close the dialog; dragging a drawer down counts as its button. */
export type CloseReason = 'escape' | 'backdrop' | 'button'

/** The details of the events that every element fires. All of them bubble and leave shadow roots. */
export interface CommonDetails {
  /**
   * The element can act: its settings are correct, and a session that this browser remembers is restored or given up. Once
   * per element. Somebody who is logged in already is told by an `lk-user` that follows.
   */
  'lk-ready': undefined
  /** The dialog is on screen. Not fired when the page itself set `open`. */
  'lk-open': { intent: Run['intent'] }
  /** The person wants to close it; `preventDefault()` keeps it open. */
  'lk-close-request': { reason: CloseReason }
  /** The dialog is gone. Not fired when the page itself removed `open`. */
  'lk-close': RunEnd
  /** A screen is shown: names only, no personal data. */
  'lk-step': { screen: string; from: string | null }
  /** A failure that the page may want to log. */
  'lk-error': { code: ErrorCode; message: string; retryable: boolean }
}
export interface LoginDetails extends CommonDetails {
  'lk-login': KitEvents['login']
  'lk-logout': undefined
  'lk-user': { user: User | null }
  /** A social provider gave the app tokens of its own. They are passed on here and not kept. */
  'lk-oauth-tokens': KitEvents['oauth-tokens']
}
export interface AccountDetails extends CommonDetails {
  /** An account was added to the person who is logged in. */
  'lk-link': KitEvents['linked']
  /** An account was unlinked from them. */
  'lk-unlink': KitEvents['unlinked']
  /** Their e-mail address or phone number was replaced. */
  'lk-update': KitEvents['updated']
  /** The account belongs to another user; `preventDefault()` keeps its transfer from being offered. */
  'lk-transfer-request': { method: string; account: string }
}
export interface DeviceDetails extends CommonDetails {
  /** New devices of the user wait for this one to approve them, or no longer do: `approveDevice()` opens what that takes. */
  'lk-device-request': KitEvents['device-request']
  /** The user's wallet lives in one browser alone, because they have no proof for another device. */
  'lk-device-proof-missing': KitEvents['device-proof-missing']
}
export interface SettingsDetails extends AccountDetails, RecoveryDetails, DeviceDetails {}
export interface PasskeyDetails extends CommonDetails {
  /** The passkeys of the person who is logged in have changed. */
  'lk-passkeys': { passkeys: readonly PasskeyAccount[] }
}
export interface SignDetails extends CommonDetails {
  /** Fired before the dialog opens; `preventDefault()` refuses the signature. */
  'lk-sign-request': { message: string } | { typedData: object } | { transaction: TransactionRequestInput }
  'lk-signature': { signature: string; address: string }
}
export interface SendDetails extends CommonDetails {
  /** Fired before the dialog opens; `preventDefault()` refuses the transaction. */
  'lk-send-request': { transaction: TransactionRequestInput } | { form: SendPrefill }
  /** The network has the transaction. */
  'lk-submitted': KitEvents['submitted']
  /** The network has confirmed the transaction. */
  'lk-receipt': KitEvents['receipt']
}
export interface FundDetails extends CommonDetails {
  /** A wallet of the user has more than before. */
  'lk-fund-status': KitEvents['funded']
}
export interface ActivityDetails extends CommonDetails {
  /** A transaction was sent, or its state has changed. */
  'lk-activity': { activity: readonly ActivityEntry[] }
}
export interface BalancesDetails extends CommonDetails {
  /** A balance was read. */
  'lk-balances': { balances: readonly Balance[] }
}
export interface ConnectorDetails extends CommonDetails {
  /** An external wallet is connected: newly, or again after the page was loaded. */
  'lk-connect': KitEvents['connect']
  'lk-disconnect': KitEvents['disconnect']
  /** The connected wallets have changed: a wallet, its account or its chain. */
  'lk-wallets': KitEvents['wallets']
}
export interface CreateDetails extends CommonDetails {
  /** An embedded wallet was created or imported because somebody asked for it. */
  'lk-wallet': KitEvents['wallet']
}
export interface RecoveryDetails extends CommonDetails {
  /** The recovery method of an embedded wallet has changed. */
  'lk-recovery': KitEvents['recovery']
}
export interface MfaDetails extends CommonDetails {
  /** The person's second factors have changed. */
  'lk-mfa': KitEvents['mfa']
  /** A request waits until the page has had the person verified. */
  'lk-mfa-required': KitEvents['mfa-required']
}
export interface Details
  extends LoginDetails,
    AccountDetails,
    DeviceDetails,
    PasskeyDetails,
    SignDetails,
    SendDetails,
    FundDetails,
    ActivityDetails,
    BalancesDetails,
    ConnectorDetails,
    CreateDetails,
    RecoveryDetails,
    MfaDetails {}

/** Event name → event, as `addEventListener` wants it. */
export type EventsOf<D> = { [Name in keyof D]: CustomEvent<D[Name]> }
/** All events of all elements. */
export interface LatchkeyEventMap extends EventsOf<Details> {}

declare global {
  interface HTMLElementEventMap extends LatchkeyEventMap {}
  interface DocumentEventMap extends LatchkeyEventMap {}
}
