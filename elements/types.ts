/**
 * The types that frameworks need for our elements; the files in `types/` declare them where each framework
 * looks.
 */
import type { AccountLink } from './account-link.ts'
import type { AccountSettings } from './account-settings.ts'
import type {
  AccountDetails,
  ActivityDetails,
  BalancesDetails,
  CommonDetails,
  ConnectorDetails,
  CreateDetails,
  Details,
  EventsOf,
  FundDetails,
  LoginDetails,
  MfaDetails,
  PasskeyDetails,
  RecoveryDetails,
  SendDetails,
  SettingsDetails,
  SignDetails,
} from './events.ts'
import type { LoginModal } from './login-modal.ts'
import type { MfaEnroll } from './mfa-enroll.ts'
import type { PasskeyManager } from './passkey-manager.ts'
import type { WalletActivity } from './wallet-activity.ts'
import type { WalletBalances } from './wallet-balances.ts'
import type { WalletConnector } from './wallet-connector.ts'
import type { WalletCreate } from './wallet-create.ts'
import type { WalletExport } from './wallet-export.ts'
import type { WalletFund } from './wallet-fund.ts'
import type { WalletRecovery } from './wallet-recovery.ts'
import type { WalletSend } from './wallet-send.ts'
import type { WalletSign } from './wallet-sign.ts'

/** Each tag's element and its events. */
export interface LatchkeyElements {
  'account-link': [element: AccountLink, events: EventsOf<AccountDetails>]
  'account-settings': [element: AccountSettings, events: EventsOf<SettingsDetails>]
  'login-modal': [element: LoginModal, events: EventsOf<LoginDetails>]
  'mfa-enroll': [element: MfaEnroll, events: EventsOf<MfaDetails>]
  'passkey-manager': [element: PasskeyManager, events: EventsOf<PasskeyDetails>]
  'wallet-activity': [element: WalletActivity, events: EventsOf<ActivityDetails>]
  'wallet-balances': [element: WalletBalances, events: EventsOf<BalancesDetails>]
  'wallet-connector': [element: WalletConnector, events: EventsOf<ConnectorDetails>]
  'wallet-create': [element: WalletCreate, events: EventsOf<CreateDetails>]
  'wallet-export': [element: WalletExport, events: EventsOf<CommonDetails>]
  'wallet-fund': [element: WalletFund, events: EventsOf<FundDetails>]
  'wallet-recovery': [element: WalletRecovery, events: EventsOf<RecoveryDetails>]
  'wallet-send': [element: WalletSend, events: EventsOf<SendDetails>]
  'wallet-sign': [element: WalletSign, events: EventsOf<SignDetails>]
}
export type Tag = keyof LatchkeyElements
export type ElementOf<T extends Tag> = LatchkeyElements[T][0]
export type EventsFrom<T extends Tag> = LatchkeyElements[T][1]

/** The attributes that markup may have. */
export interface Attributes {
  'app-id'?: string
  'api-url'?: string
  'client-id'?: string
  'vault-url'?: string
}
/** The properties that a template may set: frameworks prefer properties to attributes. */
export type Properties<T extends Tag> = Partial<
  Pick<
    ElementOf<T>,
    | 'appId'
    | 'apiUrl'
    | 'clientId'
    | 'vaultUrl'
    | 'analytics'
    | 'config'
    | 'copy'
    | 'kit'
    | 'open'
    | 'inline'
    | 'theme'
    | 'accent'
    | 'preload'
  >
> &
  OwnProperties<T>
/** Properties of one element alone. */
type OwnProperties<T extends Tag> = T extends 'wallet-fund'
  ? Partial<Pick<WalletFund, 'amount' | 'asset' | 'chain'>>
  : unknown
/** Handlers in the form `onlk-login={…}`. */
export type Handlers<T extends Tag> = {
  [Name in keyof EventsFrom<T> & string as `on${Name}`]?: (event: EventsFrom<T>[Name]) => void
} & {
  // Names with a dash are not checked in JSX unless they are known.
  [Name in Exclude<keyof Details, keyof EventsFrom<T>> as `on${Name}`]?: never
}
export type Props<T extends Tag> = Attributes & Properties<T> & Handlers<T>
