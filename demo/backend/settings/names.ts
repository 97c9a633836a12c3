/** Names that the protocol (docs/protocol.md) gives to things; the apps' settings use the same ones. */

/** The social providers. */
export const oauthProviders = [
  'google',
  'discord',
  'twitter',
  'github',
  'spotify',
  'instagram',
  'tiktok',
  'linkedin',
  'apple',
] as const
export type OAuthProvider = (typeof oauthProviders)[number]

/** Whether a kind of account is one at a social provider. */
export const isOAuthProvider = (type: string): type is OAuthProvider =>
  (oauthProviders as readonly string[]).includes(type)

/** Smart wallets that a user may have. */
export const smartWalletTypes = [
  'safe',
  'kernel',
  'biconomy',
  'light_account',
  'coinbase_smart_wallet',
  'thirdweb',
  'nexus',
] as const
export type SmartWalletType = (typeof smartWalletTypes)[number]

/** How an embedded wallet is recovered without its device. */
export type RecoveryMethod = 'privy' | 'user-passcode' | 'google-drive' | 'icloud' | 'recovery-encryption-key'
