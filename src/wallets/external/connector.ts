import type { Config } from '../../app/config.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Page } from '../../lib/page.ts'
import type { Storage } from '../../lib/storage.ts'
import type { Readable } from '../../lib/store.ts'
import type { AppConfig } from '../../protocol/app-config.ts'
import type { Tabs } from '../../session/tabs.ts'

export type ChainType = 'ethereum' | 'solana'
/** How a wallet is connected. */
export type ConnectorType = 'injected' | 'coinbase_wallet' | 'wallet_connect_v2' | 'solana_adapter'

/** How a person recognises a wallet. */
export interface WalletMeta {
  /** The wallet client type: `metamask`, `phantom` … */
  readonly id: string
  readonly name: string
  /** The icon that the wallet announced, as a data URL. Without one the kit draws its own. */
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
  /** The desired chain, by its number; Ethereum only. */
  readonly chainId?: number | undefined
  /**
   * Called with the address by which a wallet elsewhere finds this page (`wc:…`), and again whenever it
   * changes.
   */
  readonly onUri?: ((uri: string) => void) | undefined
}

/** Events of a connector: it can be asked, and what it has opened has changed. */
export interface ConnectorEvents {
  initialized: undefined
  walletsUpdated: readonly OpenAccount[]
}

/**
 * One way to one wallet on one kind of chain. All failures are `KitError`s, raised here; no wait outlasts the
 * request timeout of the wallet's type.
 */
export interface Connector {
  readonly type: ConnectorType
  readonly chainType: ChainType
  /** A wallet elsewhere says who it is with the connection. */
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
  /** Switches to another chain; one that the wallet does not know (4902) is added first. */
  switchChain(chainId: number, signal?: AbortSignal): Promise<void>
  /** Has text signed: EIP-191 as hex for Ethereum, ed25519 as base64 for Solana. */
  sign(input: { address: string; message: string }, signal?: AbortSignal): Promise<string>
  /** Ends the connection; accounts become empty even if the wallet has no such call. */
  disconnect(): Promise<void>
  /** Lets go of a connection that another tab has ended; the wallet is not asked again. */
  letGo(): void
  /** What libraries use: an {@link EthereumProvider}, or a {@link SolanaProvider} for that account. */
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
export interface ConnectorContext {
  readonly appId: string
  /** The app as its server describes it; only call this when the kit is ready. */
  readonly app: () => AppConfig
  /** The host's configuration over the app's settings; only call this when the kit is ready. */
  readonly config: () => Config
  readonly page: Page
  readonly clock: Clock
  /** Milliseconds since the epoch by the server's clock: the device's own may be hours off. */
  readonly serverNow: () => number
  readonly storage: Storage
}

/** What the external wallets of a kit work with. */
export interface ExternalContext extends ConnectorContext {
  readonly tabs: Pick<Tabs, 'broadcast' | 'onMessage'>
}

/** How a wallet can be reached. */
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
  /** Unique among the offers: the client type, with `:solana` appended if it is for that chain. */
  readonly id: string
  readonly meta: WalletMeta
  readonly chainType: ChainType
  readonly reach: Reach
  /** For `here`: what was found. */
  readonly found?: FoundWallet | undefined
  /** Where to get it; https. */
  readonly installUrl?: string | undefined
}

/** A wallet in this browser. */
export interface FoundWallet {
  readonly meta: WalletMeta
  readonly chainType: ChainType
  /** EIP-6963's reverse-domain name. */
  readonly rdns?: string | undefined
  /** What talks to it; loaded with the first call, and always the same. */
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

/** Which wallets a list is to contain. */
export interface OfferOptions {
  /** Entries of the wallet list; the app's, or the default list, by default. */
  readonly walletList?: readonly string[] | undefined
  readonly chains: readonly ChainType[]
  /** Every wallet of the registry, not only those of the list. */
  readonly all?: boolean | undefined
}

/** The external wallets: those that could be connected, and those that are. */
export interface ExternalWallets {
  /** Most recent first, without duplicates, the active one at the top. */
  readonly connected: Readable<readonly ConnectedAccount[]>
  /** The available wallets. Waits a moment for wallets that announce themselves late. */
  offers(options: OfferOptions): Promise<readonly WalletOffer[]>
  /** Calls `listener` when another wallet has appeared; returns a function that stops it. */
  onFound(listener: () => void): () => void
  /**
   * Connects, and remembers it. Throws a `KitError`: `wallet_rejected`, `wallet_timeout`,
   * `wallet_request_pending`, `wallet_no_accounts`, `wallet_disconnected`, `generic_connect_wallet_error` …
   */
  connect(offer: WalletOffer, options?: ConnectOptions): Promise<ConnectedAccount>
  /** Makes a wallet the active one. */
  activate(account: ConnectedAccount): void
  disconnect(account: ConnectedAccount): Promise<void>
  /** Restores the connections of earlier visits, without asking anybody. */
  restore(): Promise<void>
  close(): void
}
