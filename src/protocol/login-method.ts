import type { CrossAppMethod } from './cross-app.ts'
import type { SocialName } from './user.ts'

/** A wallet that a login may go straight to. */
type WalletName =
  | 'metamask'
  | 'coinbase_wallet'
  | 'rainbow'
  | 'phantom'
  | 'solflare'
  | 'backpack'
  | 'okx_wallet'
  | 'cryptocom'
  | 'uniswap'
  | 'zerion'
  | 'universal_profile'
  | 'bybit_wallet'
  | 'rabby_wallet'
  | 'safe'
  | 'ronin_wallet'
  | 'wallet_connect'
  | 'detected_wallets'
  | 'detected_ethereum_wallets'
  | 'detected_solana_wallets'

/** What a host may name as a way to log in. */
export type LoginMethod =
  | 'email'
  | 'sms'
  | SocialName
  | 'farcaster'
  | 'telegram'
  | 'passkey'
  | 'wallet'
  | WalletName
  | CrossAppMethod
