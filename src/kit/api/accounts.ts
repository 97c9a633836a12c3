/** Options of logging in, and of changing accounts. */
import type { Surface } from '../../dialog/surface.ts'
import type { LoginMethod } from '../../protocol/login-method.ts'
import type {
  EmailAccount,
  FarcasterAccount,
  LinkedAccount,
  PasskeyAccount,
  PhoneAccount,
  SocialAccount,
  TelegramAccount,
  WalletAccount,
} from '../../protocol/user.ts'

/** How a login begins. */
export interface LoginOptions {
  /** Shows only these methods, in this order, instead of the app's. */
  loginMethods?: readonly LoginMethod[]
  prefill?: { type: 'email' | 'phone'; value: string }
  /** Existing users only. */
  disableSignup?: boolean
  /** Which wallets are listed; the configuration's by default. */
  walletChainType?: 'ethereum-only' | 'solana-only' | 'ethereum-and-solana'
  /** Ends the run as closing does. */
  signal?: AbortSignal
  /** The surface to show it on; the page's by default. */
  surface?: Surface
}

/** How an account is added. */
export interface LinkOptions {
  /** The first content of the field of an e-mail address or a phone number. */
  prefill?: string
  /** Which wallets are listed, in which order; the configuration's by default. */
  walletList?: readonly string[]
  walletChainType?: 'ethereum-only' | 'solana-only' | 'ethereum-and-solana'
  /** Ends the run as closing does. */
  signal?: AbortSignal
  /** The surface to show it on; the page's by default. */
  surface?: Surface
}
export interface UpdateOptions extends Pick<LinkOptions, 'prefill' | 'signal' | 'surface'> {}
/** How a dialog is opened in which a person looks after what they have. */
export interface ManageOptions extends Pick<LinkOptions, 'signal' | 'surface'> {}

export interface UnlinkOptions extends Pick<LinkOptions, 'signal' | 'surface'> {}
/** An account of the person, as {@link User.linkedAccounts} has it; what identifies it is enough. */
export type AccountToUnlink =
  | Pick<EmailAccount, 'type' | 'address'>
  | Pick<PhoneAccount, 'type' | 'number'>
  | Pick<WalletAccount, 'type' | 'address'>
  | Pick<SocialAccount, 'type' | 'subject'>
  | Pick<FarcasterAccount, 'type' | 'fid'>
  | Pick<TelegramAccount, 'type' | 'telegramUserId'>
  | Pick<PasskeyAccount, 'type' | 'credentialId'>
  | LinkedAccount
