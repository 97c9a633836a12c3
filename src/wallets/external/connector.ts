import type { AuthContext } from '../../auth/context.ts'
import type { Clock } from '../../core/clock.ts'
import type { Page } from '../../core/page.ts'
import type { Storage } from '../../core/storage.ts'
import type { Readable } from '../../core/store.ts'

export type ChainType = 'ethereum' | 'solana'
/** Wire 11, `connector_types`. */
export type ConnectorType = 'injected' | 'coinbase_wallet' | 'wallet_connect_v2' | 'solana_adapter'

/** How a person recognises a wallet. */
export interface WalletMeta {
  /** The wallet client type: `metamask`, `phantom` … (wire 11). */
  readonly id: string
  readonly name: string
  /** What the wallet announced of itself: the data URL of an image. Without one the kit draws its own mark. */
  readonly icon: string | undefined
}

/** An account that a wallet has opened to the page. */
export interface OpenAccount {
  /** Checksummed for Ethereum, base58 for Solana. */
  readonly address: string
  /** CAIP-2: `eip155:1`, `solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp`. */
  readonly chainId: string
}

export interface ConnectOptions {
  readonly signal?: AbortSignal | undefined
  /** The chain that is wanted, by its number; Ethereum only. */
  readonly chainId?: number | undefined
  /** Told the address by which a wallet elsewhere finds this page (`wc:…`), and again whenever it changes. */
  readonly onUri?: ((uri: string) => void) | undefined
}

/** What tells of itself: it can be asked, and what it has opened has changed. Spec §4 "Wallet connection". */
export interface ConnectorEvents {
  initialized: undefined
  walletsUpdated: readonly OpenAccount[]
}

/**
 * One way to one wallet on one kind of chain. All failures are `KitError`s, raised here; no wait outlasts the request
 * timeout of the wallet's type.
 */
export interface Connector {
  readonly type: ConnectorType
  readonly chainType: ChainType
  /** A wallet elsewhere tells who it is with the connection. */
  readonly meta: WalletMeta
  /** What is open now, the wallet's active account first; empty while nothing is connected. */
  readonly accounts: Readable<readonly OpenAccount[]>
  on<Name extends keyof ConnectorEvents>(
    event: Name,
    listener: (detail: ConnectorEvents[Name]) => void,
  ): () => void
  /** Learns what is open without asking anybody. Resolves within 1500 ms, whatever the wallet does. */
  initialise(): Promise<void>
  /** Asks the person to open accounts. Resolves with at least one. */
  connect(options?: ConnectOptions): Promise<readonly OpenAccount[]>
  /** Asks for another chain; one that the wallet does not know (4902) is added, and then asked for again. */
  switchChain(chainId: number, signal?: AbortSignal): Promise<void>
  /** Has text signed: EIP-191 as hex for Ethereum, ed25519 as base64 for Solana. */
  sign(input: { address: string; message: string }, signal?: AbortSignal): Promise<string>
  /** Ends the connection; accounts become empty even where the wallet knows no such call. */
  disconnect(): Promise<void>
  /** What libraries drive: an {@link EthereumProvider}, or a {@link SolanaProvider} for that account. */
  provider(address: string): EthereumProvider | SolanaProvider
  /** Stops listening to the wallet. */
  close(): void
}

/** EIP-1193. */
export interface EthereumProvider {
  request(input: { method: string; params?: unknown }): Promise<unknown>
  on(event: string, listener: (...input: never[]) => void): unknown
  removeListener(event: string, listener: (...input: never[]) => void): unknown
}
/** A wallet and one of its accounts as the Wallet Standard defines them, for any library that speaks it. */
export interface SolanaProvider {
  readonly wallet: import('@wallet-standard/base').Wallet
  readonly account: import('@wallet-standard/base').WalletAccount
}

/** What connectors work with. */
export interface ConnectorContext extends Pick<AuthContext, 'appId' | 'app' | 'config'> {
  readonly page: Page
  readonly clock: Clock
  readonly storage: Storage
}

/** What a wallet can be reached by. */
export type Reach =
  /** It is in this browser. */
  | 'here'
  /** Over WalletConnect: by a code for a phone, or by a link on one. */
  | 'wallet-connect'
  /** Through Coinbase's own SDK. */
  | 'coinbase'
  /** By opening this page in the wallet's own browser, on a phone. */
  | 'browse'
  /** It must be installed first. */
  | 'install'

/** A wallet that somebody may choose. */
export interface WalletOffer {
  /** Unique among the offers: the client type, with `:solana` behind where it stands for that chain. */
  readonly id: string
  readonly meta: WalletMeta
  readonly chainType: ChainType
  readonly reach: Reach
  /** For `here`: what was found. */
  readonly found?: FoundWallet | undefined
  /** Where it is to be had; https. */
  readonly installUrl?: string | undefined
}

/** A wallet that this browser has. */
export interface FoundWallet {
  readonly meta: WalletMeta
  readonly chainType: ChainType
  /** EIP-6963's reverse-domain name. */
  readonly rdns?: string | undefined
  /** What speaks with it; loaded with the first call, and always the same. */
  connector(): Promise<Connector>
}

/** A connected wallet, as flows and the kit see it. */
export interface ConnectedAccount extends OpenAccount {
  readonly connector: Connector
  readonly chainType: ChainType
  readonly connectorType: ConnectorType
  readonly walletClientType: string
  readonly meta: WalletMeta
  /** Milliseconds since 1970. */
  readonly connectedAt: number
}

/** Which wallets a list is to hold. */
export interface ListWish {
  /** Spec §3 `walletList`; the app's, or the default one, without it. */
  readonly walletList?: readonly string[] | undefined
  readonly chains: readonly ChainType[]
  /** Every wallet of the registry, not only those of the list. */
  readonly all?: boolean | undefined
}

/** The wallets outside: those that could be connected, and those that are. */
export interface ExternalWallets {
  /** Most recent first, without doubles, the active one at the top (spec §4). */
  readonly connected: Readable<readonly ConnectedAccount[]>
  /** What there is to choose. Waits a moment for wallets that announce themselves late. */
  offers(wish: ListWish): Promise<readonly WalletOffer[]>
  /** Calls `listener` when a wallet has shown up since; returns the function that stops it. */
  onFound(listener: () => void): () => void
  /**
   * Connects, and remembers it. Throws a `KitError`: `wallet_rejected`, `wallet_timeout`, `wallet_request_pending`,
   * `wallet_no_accounts`, `wallet_disconnected`, `generic_connect_wallet_error` …
   */
  connect(offer: WalletOffer, options?: ConnectOptions): Promise<ConnectedAccount>
  /** Puts a wallet at the top. */
  activate(account: ConnectedAccount): void
  disconnect(account: ConnectedAccount): Promise<void>
  /** Takes up the connections of former pages, without asking anybody. */
  restore(): Promise<void>
  close(): void
}
