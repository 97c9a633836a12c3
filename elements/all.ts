import { AccountLink } from './account-link.ts'
import { AccountSettings } from './account-settings.ts'
import { type DefineOptions, defineElement } from './define.ts'
import { LoginModal } from './login-modal.ts'
import { MfaEnroll } from './mfa-enroll.ts'
import { PasskeyManager } from './passkey-manager.ts'
import { WalletActivity } from './wallet-activity.ts'
import { WalletBalances } from './wallet-balances.ts'
import { WalletConnector } from './wallet-connector.ts'
import { WalletCreate } from './wallet-create.ts'
import { WalletExport } from './wallet-export.ts'
import { WalletFund } from './wallet-fund.ts'
import { WalletRecovery } from './wallet-recovery.ts'
import { WalletSend } from './wallet-send.ts'
import { WalletSign } from './wallet-sign.ts'

export { announceWallet } from './early-wallet.ts'
export type { KitElement } from './element.ts'
export { elementRef, type RefProps } from './element-ref.ts'
export type { LatchkeyEventMap } from './events.ts'
export type { Attributes, ElementOf, EventsFrom, Handlers, Properties, Props, Tag } from './types.ts'
export {
  AccountLink,
  AccountSettings,
  LoginModal,
  MfaEnroll,
  PasskeyManager,
  WalletActivity,
  WalletBalances,
  WalletConnector,
  WalletCreate,
  WalletExport,
  WalletFund,
  WalletRecovery,
  WalletSend,
  WalletSign,
}

const elements = [
  AccountLink,
  AccountSettings,
  LoginModal,
  MfaEnroll,
  PasskeyManager,
  WalletActivity,
  WalletBalances,
  WalletConnector,
  WalletCreate,
  WalletExport,
  WalletFund,
  WalletRecovery,
  WalletSend,
  WalletSign,
]

/** Registers all elements, under a prefix if one is given. */
export function define(options?: DefineOptions): void {
  for (const element of elements) defineElement(element, options)
}
