import { type NodeUrls, publicRpcUrls, publicSolanaUrls, type RpcUrls } from './chain-rpc-urls.ts'
import type { OAuthProvider } from './names.ts'

/** Addresses of one social provider; what is left out is the provider's real one (login/oauth/providers.ts). */
export interface OAuthEndpoints {
  authorize: string
  token: string
  /** Where the profile is read; unused where the identity token says it all. */
  profile: string
  issuer: string
  jwks: string
}

/** Where third parties are. Every address is a setting whose default is the real one. */
export interface Outside {
  captchaVerifyUrl: string
  farcasterRelayUrl: string
  /** The API of Farcaster's own app, which asks its users whether a key may sign for them. */
  farcasterApiUrl: string
  /** A node of the chain on which Farcaster's Id Registry is. */
  optimismRpcUrl: string
  /**
   * JSON-RPC nodes by chain id: one URL, or a list in the order of preference. They are asked whether a contract wallet signed
   * (EIP-1271, ERC-6492), and for previews of transactions, where the answers of the first two are compared. On a chain that
   * is not here such a wallet cannot log in, and nothing is previewed; a wallet with a key of its own needs no node.
   */
  chainRpcUrls: RpcUrls
  /** The same for Solana, by cluster: `mainnet`, `devnet`, `testnet`. */
  solanaRpcUrls: Readonly<Record<string, NodeUrls>>
  /** Where prices come from; without it there are none. */
  prices: PriceSource | undefined
  telegramUrl: string
  /** Where Telegram's own client for the browser is, which shows mini apps in a frame: origins. */
  telegramClients: readonly string[]
  /** A gateway that speaks Twilio's Messages API; without an account there is no SMS. */
  sms: { baseUrl: string; accountSid: string; authToken: string; from: string } | undefined
  oauth: Partial<Record<OAuthProvider, Partial<OAuthEndpoints>>>
  /** Google Drive's API, to which the vault itself speaks, without a slash at its end. */
  googleDriveUrl: string
  /** CloudKit web services: the same. */
  cloudKitUrl: string
  /** Where people sign in to iCloud, if that is none of Apple's own pages. */
  cloudKitAuthUrl: string
}

/** A service of token prices. It is asked for coins and contracts, never about a user. */
export interface PriceSource {
  /** The API that the price source speaks. */
  format: 'defillama' | 'coingecko'
  /** Without a slash at its end; the format's own service without it. */
  url?: string | undefined
  /** CoinGecko's demo key. */
  apiKey?: string | undefined
}

/** The real addresses. */
export const defaultOutside: Outside = {
  captchaVerifyUrl: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
  farcasterRelayUrl: 'https://relay.farcaster.xyz',
  farcasterApiUrl: 'https://api.farcaster.xyz',
  optimismRpcUrl: 'https://mainnet.optimism.io',
  chainRpcUrls: publicRpcUrls,
  solanaRpcUrls: publicSolanaUrls,
  prices: undefined,
  telegramUrl: 'https://oauth.telegram.org',
  telegramClients: ['https://web.telegram.org'],
  sms: undefined,
  oauth: {},
  googleDriveUrl: 'https://www.googleapis.com',
  cloudKitUrl: 'https://api.apple-cloudkit.com',
  cloudKitAuthUrl: 'https://idmsa.apple.com',
}
