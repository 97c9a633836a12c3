/** Options of the form that sends, and of funding. */
import type { TransactionReceipt } from '../../ethereum/receipt.ts'
import type { SolanaReceipt } from '../../solana/receipt.ts'
import type { ManageOptions } from './accounts.ts'

/** Values that the page fills into the form with which a user sends. The user may change all of them. */
export interface SendPrefill {
  /** The address of the wallet that sends: an embedded one, or one that is connected. */
  from?: string
  /** The recipient, as a user would type it: an address, or a name of ENS where `config.ensNames` allows it. */
  to?: string
  /** As a user would type it, in whole coins or tokens: `'0.25'`, with the decimal separator of the user's language. */
  amount?: string
  /** The contract or mint of one of `config.tokens`, or `native` for the network's own coin. */
  asset?: string
  /** CAIP-2: `eip155:8453`, `solana:mainnet`. */
  chain?: string
}
export interface SendFormOptions extends SendPrefill, ManageOptions {}
/** A transaction that the form has sent, on either kind of chain. */
export interface SentByForm {
  /** The transaction's hash, or its first signature on Solana. */
  readonly transactionHash: string
  readonly receipt: TransactionReceipt | SolanaReceipt
  /** CAIP-2. */
  readonly chain: string
  /** The address of the wallet that has sent it. */
  readonly address: string
}
/** A wallet to be funded, and how. The app's settings fill in what is missing. */
export interface FundWalletOptions extends ManageOptions {
  /** A wallet of the user; by default the first one of the chain's kind. */
  address?: string
  /** CAIP-2: `eip155:8453`, `solana:mainnet`. */
  chain?: string
  /** The network's own coin, USDC on it, or the contract or mint of a token that the app names in its `funding.tokens`. */
  asset?: 'native-currency' | 'USDC' | (string & {}) | { readonly erc20: string }
  /** The amount that is proposed, in whole units with a point: `'0.05'`. */
  amount?: string
  /** Begins with this method; going back from it leads to all of them. `card`: bought from a provider. `exchange`: sent from an account at an
   * exchange. `wallet`: sent from another wallet of the user's. `manual`: the address is shown, for a payment from elsewhere. */
  defaultMethod?: 'card' | 'exchange' | 'wallet' | 'manual'
  /** The address that a provider's page leads to afterwards: on an origin of the app, or one of its `redirectUrls`. By default the page itself, without
   * query and fragment. */
  returnUrl?: string
}
/** Funds that have come into a wallet. */
export interface FundedWallet {
  readonly method: 'card' | 'exchange' | 'wallet' | 'manual'
  /**
   * `submitted`: it is under way, and the user left before its end; the next call finds it. `confirmed`: the network says that the wallet
   * has more than before, or has the transfer itself. `completed`: the provider or the bridge has ended it.
   */
  readonly status: 'submitted' | 'confirmed' | 'completed'
  readonly address: string
  /** CAIP-2. */
  readonly chain: string
  /** For a token its contract or mint. */
  readonly asset: 'native-currency' | 'USDC' | (string & {})
  readonly symbol: string
  /** By how much it is more, or will be, in whole units with a point; `undefined` where only the provider knows. */
  readonly amount?: string | undefined
  /** Hash of the payment to this wallet, where it is known. */
  readonly transactionHash?: string | undefined
  /** The purchase, with `card` and `exchange`. In a sandbox nobody has paid anything. */
  readonly purchase?:
    | { readonly id: string; readonly provider: string; readonly isSandbox: boolean }
    | undefined
}
