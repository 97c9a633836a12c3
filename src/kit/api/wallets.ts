/** Wallets as a host sees them, and what it may set where they are created, connected and recovered. */
import type { Surface } from '../../dialog/surface.ts'
import type { User } from '../../protocol/user.ts'
import type { EthereumProvider, SolanaProvider } from '../../wallets/external/connector.ts'
import type { LoginOptions } from './accounts.ts'
import type { SignOptions, SignUiOptions } from './signing.ts'

/** Which embedded wallet is created. */
export interface CreateWalletOptions {
  /** `ethereum` by default. */
  chainType?: 'ethereum' | 'solana'
  /** Its index on the chain, from 0; an existing one is returned. */
  walletIndex?: number
  /** Creates the next one of the chain, in addition to the existing ones. */
  createAdditional?: boolean
  /**
   * Shows our screens, for the wallet of index 0 only; without it they appear only if the person has something
   * to do.
   */
  dialog?: boolean
  signal?: AbortSignal
  surface?: Surface
}
/** How the message is reviewed that links a smart wallet to the user. */
export interface CreateSmartWalletOptions {
  uiOptions?: SignUiOptions
  signal?: AbortSignal
  surface?: Surface
}
export interface RecoveryUiOptions {
  /** Which wallet; the person's first one by default. Wallets of one secret share their recovery. */
  address?: string
  signal?: AbortSignal
  surface?: Surface
}
export interface ImportWalletOptions {
  chainType?: 'ethereum' | 'solana'
  /** In compatible apps alone; in strict ones the person enters it in the vault's own window. */
  privateKey?: string
  signal?: AbortSignal
  surface?: Surface
}
export interface DelegateWalletOptions {
  /** Which wallet; the user's first one by default. */
  address?: string
  /** Which of the app's permissions, by the id in its settings; the first one by default. */
  permission?: string
  signal?: AbortSignal
  surface?: Surface
}
/** The element that shows the approval of a signer on Farcaster. */
export interface SignerOptions {
  signal?: AbortSignal
  surface?: Surface
}
export interface SignFarcasterOptions extends Omit<SignOptions, 'address'> {}
export interface RevokeDelegationOptions {
  signal?: AbortSignal
  surface?: Surface
}
export interface RemoveDeviceOptions {
  signal?: AbortSignal
  surface?: Surface
}
export interface SetRecoveryOptions extends RecoveryUiOptions {
  /** Switches to automatic recovery instead of one of the person's own. */
  showAutomaticRecovery?: boolean
}

/** Options of the list of wallets. */
export interface ConnectWalletOptions {
  /** Which wallets, in which order; the configuration's by default. */
  walletList?: readonly string[]
  walletChainType?: 'ethereum-only' | 'solana-only' | 'ethereum-and-solana'
  signal?: AbortSignal
  surface?: Surface
}
export interface ConnectOrCreateOptions
  extends Pick<LoginOptions, 'loginMethods' | 'prefill' | 'walletChainType' | 'signal' | 'surface'> {}

/**
 * The means by which libraries drive a wallet: an EIP-1193 provider for Ethereum; for Solana the wallet and its account as the
 * Wallet Standard defines them. `chainType` tells which, for the type checker as well.
 */
export type OnChain =
  | { readonly chainType: 'ethereum'; getProvider(): EthereumProvider }
  | { readonly chainType: 'solana'; getProvider(): SolanaProvider }

/** An external wallet that is connected to the page. Immutable: each change makes a new object. */
export type ConnectedWallet = ConnectedWalletParts & OnChain
interface ConnectedWalletParts {
  /** Checksummed for Ethereum, base58 for Solana. */
  readonly address: string
  /** CAIP-2: `eip155:1`. */
  readonly chainId: string
  /** `metamask`, `phantom` …; `unknown` if nobody can tell. */
  readonly walletClientType: string
  /** `injected`, `wallet_connect_v2`, `coinbase_wallet` or `solana_adapter`. */
  readonly connectorType: string
  readonly meta: { readonly id: string; readonly name: string; readonly icon: string | undefined }
  /** Milliseconds since 1970. */
  readonly connectedAt: number
  /** Whether it is linked to the account of the person who is logged in. */
  readonly linked: boolean
  isConnected(): Promise<boolean>
  /**
   * Switches to another chain, by its number or in CAIP-2; a chain that the wallet does not know is added.
   * Throws a {@link KitError}: `unsupported_chain_id`, `wallet_rejected`, `wallet_timeout`,
   * `unsupported_method` (Solana).
   */
  switchChain(chain: number | string): Promise<void>
  /**
   * Has the wallet sign text: EIP-191 as hex for Ethereum, ed25519 as base64 for Solana. Throws a {@link
   * KitError}: `invalid_message`, `wallet_rejected`, `wallet_timeout`, `wallet_disconnected`.
   */
  sign(message: string): Promise<string>
  /**
   * Has the wallet prove that it is the person's, without a dialog: logs in, or links the wallet to the
   * person who is logged in. Throws a {@link KitError} with the wallet's or the server's code.
   */
  loginOrLink(): Promise<User>
  /** Unlinks the wallet from the person who is logged in. */
  unlink(): Promise<User>
  /** Makes it the active wallet, which comes first. */
  activate(): Promise<void>
  /** Ends the connection. */
  disconnect(): Promise<void>
}

/**
 * An embedded wallet of the person who is logged in; its key is in the vault. Immutable: each change makes a
 * new object. Its provider signs what the person approves in the dialog, and refuses with 4900 once they have logged out.
 */
export type EmbeddedWallet = EmbeddedWalletParts & OnChain
interface EmbeddedWalletParts {
  /** Checksummed for Ethereum, base58 for Solana. */
  readonly address: string
  /** Its index among the wallets of one secret; an imported one has none. */
  readonly walletIndex: number | undefined
  readonly imported: boolean
  /** How it is recovered without its device: `user-passcode`, `google-drive` … */
  readonly recoveryMethod: string | undefined
}

/**
 * A smart wallet of the user who is logged in: an account with code (ERC-4337), owned by the key of one of their embedded wallets. Several calls
 * are one operation, and the app may pay its fee. Its provider takes the same requests as that of an embedded wallet, but for transactions that are
 * only signed.
 */
export interface SmartWallet {
  /** Checksummed. */
  readonly address: string
  /** The account's contract, such as `safe` or `coinbase_smart_wallet`. */
  readonly type: string
  getProvider(): EthereumProvider
}
