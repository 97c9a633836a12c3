import type { ActivityEntry } from '../activity/entry.ts'
import type { HostConfig, PaymentCap } from '../app/config.ts'
import type { Balance } from '../balances/balances.ts'
import type { CopyOverrides } from '../copy/copy.ts'
import type { Surface } from '../dialog/surface.ts'
import type { KitError } from '../errors/kit-error.ts'
import type { TransactionReceipt } from '../ethereum/receipt.ts'
import type { Readable } from '../lib/store.ts'
import type { FlowState } from '../login/flow-state.ts'
import type { HeadlessCalls, TransferRequest } from '../login/headless-calls.ts'
import type { MfaMethod } from '../mfa/methods.ts'
import type { ConnectedApp } from '../protocol/connected-apps.ts'
import type { RequestAsked } from '../protocol/cross-app-requests.ts'
import type { Device } from '../protocol/devices.ts'
import type { Permission } from '../protocol/grants.ts'
import type { LoginMethod } from '../protocol/login-method.ts'
import type { OAuthTokens } from '../protocol/sessions.ts'
import type {
  EmailAccount,
  FarcasterAccount,
  LinkedAccount,
  PasskeyAccount,
  PhoneAccount,
  SocialAccount,
  TelegramAccount,
  User,
  WalletAccount,
} from '../protocol/user.ts'
import type { UserSession } from '../protocol/user-sessions.ts'
import type { SolanaReceipt } from '../solana/receipt.ts'
import type { EthereumProvider, SolanaProvider } from '../wallets/external/connector.ts'
import type { SignedPayment } from '../x402/pay.ts'

export type { ActivityEntry, Balance, PaymentCap, SignedPayment, SolanaReceipt, TransactionReceipt }

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
  /** Where to show it; the page's surface by default. */
  surface?: Surface
}
/** How a request to sign is reviewed. */
export interface SignUiOptions {
  /**
   * `false` signs without a screen, in compatible apps alone: in strict apps the vault asks all the same. The app's
   * `embeddedWallets.showWalletUIs` by default.
   */
  showWalletUIs?: boolean
  title?: string
  description?: string
  buttonText?: string
  iconUrl?: string
  isCancellable?: boolean
}
export interface SignOptions {
  uiOptions?: SignUiOptions
  /** Which embedded wallet signs; the person's first one by default. */
  address?: string
  signal?: AbortSignal
  surface?: Surface
}
/** How a transaction is reviewed. In strict apps the vault displays its own words in place of the title, descriptions and buttons. */
export interface TransactionUiOptions {
  /**
   * `false` signs or sends without a screen, as for {@link SignUiOptions.showWalletUIs}. A transaction whose fee is unusual is not signed
   * unseen: the call rejects with `approval_required`, and `data.fee` in the coin's smallest unit.
   */
  showWalletUIs?: boolean
  transactionInfo?: {
    title?: string
    /** The action, in the place of a title. */
    action?: string
    actionDescription?: string
    /** An image of what is paid for; `name` is its text where there is no `imgAltText`. */
    contractInfo?: { imgUrl?: string; imgAltText?: string; name?: string }
  }
  description?: string
  buttonText?: string
  /** Title and text of the receipt. */
  successHeader?: string
  successDescription?: string
  isCancellable?: boolean
}
export interface SignTransactionOptions extends Omit<SignOptions, 'uiOptions'> {
  uiOptions?: TransactionUiOptions & SignUiOptions
}
export interface SignTypedDataOptions extends SignTransactionOptions {
  /**
   * The app takes a permit (EIP-2612, Permit2) that the user has lowered: it then uses the values of `typedData` in the result, in
   * place of those that it has asked for. Without this the amount of a permit can't be changed.
   */
  acceptsEdited?: boolean
}
/** A signature of typed data. */
export interface TypedDataSignature {
  readonly signature: string
  /** The typed data as they were signed, where the user has lowered a permit. The signature is valid for no others. */
  readonly typedData?: object
}
/** A quantity: a number, a bigint, or 0x-hex. */
type Quantity = number | bigint | string
/** An Ethereum transaction; missing fields are filled in. */
export interface TransactionRequestInput {
  to?: string
  from?: string
  /** In wei. */
  value?: Quantity
  /** 0x-hex. */
  data?: string
  /** The app's default chain unless it is given. */
  chainId?: number
  nonce?: Quantity
  gasLimit?: Quantity
  gasPrice?: Quantity
  maxFeePerGas?: Quantity
  maxPriorityFeePerGas?: Quantity
}
/** A transaction that the network has confirmed. */
export interface SentTransaction {
  readonly transactionHash: string
  /** The hash of the operation, where a smart wallet has sent it. The receipt then has the logs of its calls alone. */
  readonly userOpHash?: string
  readonly receipt: TransactionReceipt
}
/** How a request is paid; see {@link Kit.fetchWithPayment}. */
export interface FetchWithPaymentOptions {
  /** A cap of this call alone; those of `config.x402` hold beside it. */
  perPayment?: PaymentCap
  /** The wallet that pays; the user's first embedded Ethereum wallet by default. */
  address?: string
  surface?: Surface
}
/** One call of a batch: who is called, with which data, and the wei that go along. */
export interface CallInput {
  to?: string
  /** 0x-hex. */
  data?: string
  /** In wei. */
  value?: Quantity
}
export interface SendCallsOptions extends Omit<SignTransactionOptions, 'uiOptions'> {
  /** 1 to 20 calls, in the order in which they are sent. */
  calls: readonly CallInput[]
  /** The app's default chain unless it is given. */
  chainId?: number
  /** The app's own name for the batch, of at most 4,096 bytes, used once per wallet; a new one by default. */
  id?: string
  /**
   * All calls take effect or none does: they are one transaction of a wallet whose own address has code (EIP-7702), or gets it with them.
   * Without it a wallet that has code sends one transaction as well, and any other one for each call.
   */
  atomicRequired?: boolean
  uiOptions?: TransactionUiOptions
}
export interface DowngradeWalletOptions
  extends Pick<SignTransactionOptions, 'address' | 'surface' | 'signal'> {
  /** The app's default chain unless it is given. */
  chainId?: number
  uiOptions?: Omit<TransactionUiOptions, 'showWalletUIs'>
}
export interface UpgradeWalletOptions extends DowngradeWalletOptions {
  /** The contract; it must be one that the app's server allows on the chain. The first of these by default. */
  delegate?: string
}
export interface SignAuthorizationOptions extends Omit<UpgradeWalletOptions, 'uiOptions'> {
  /** The wallet's nonce for which it is valid; the next one by default. */
  nonce?: Quantity
}
/** An authorization of code for the wallet's own address, as viem takes it in an `authorizationList`. */
export interface SignedAuthorization {
  readonly address: `0x${string}`
  readonly chainId: number
  readonly nonce: number
  readonly r: `0x${string}`
  readonly s: `0x${string}`
  readonly yParity: 0 | 1
}
export interface SolanaBatchOptions extends SolanaTransactionOptions {
  /** As for {@link SendCallsOptions.id}. */
  id?: string
}
/** A receipt of a transaction that carried calls of a batch. */
export interface CallsReceipt {
  readonly transactionHash: string
  readonly status: 'success' | 'reverted'
  readonly blockNumber: bigint
  readonly blockHash: string
  readonly gasUsed: bigint
  readonly logs: readonly {
    readonly address: string
    readonly data: string
    readonly topics: readonly string[]
  }[]
}
/** The outcome of a batch of calls. */
export interface CallsStatus {
  readonly id: string
  /**
   * The codes of EIP-5792. 100: under way. 200: all calls were carried out. 400: none was sent. 500: the network took a fee, and none had an
   * effect. 600: only some had an effect.
   */
  readonly status: 100 | 200 | 400 | 500 | 600
  /** CAIP-2. */
  readonly chain: string
  /** Whether either all calls take effect or none does. */
  readonly atomic: boolean
  /** Receipts of the transactions that the network has included, in their order. */
  readonly receipts: readonly (CallsReceipt | SolanaReceipt)[]
}
export interface SolanaTransactionOptions extends SignTransactionOptions {
  /** The cluster by its name, such as `mainnet-beta` or `devnet`; the first one of `config.solanaClusters` by default. */
  cluster?: string
  /** The same as the Wallet Standard names it: `solana:mainnet`. */
  chain?: string
}
/**
 * A transaction of Solana: an object of `@solana/web3.js` 1.x (`Transaction`, `VersionedTransaction`), a transaction or a
 * transaction message of `@solana/kit`, or the bytes of one.
 */
export type SolanaTransactionInput = object
/** What a signed transaction comes back as: of the kind that was given; of a message of `@solana/kit` it is a transaction of it. */
export type SignedSolanaTransaction<T extends SolanaTransactionInput> = T extends {
  readonly instructions: readonly unknown[]
  readonly version: unknown
}
  ? object
  : T
/** A transaction of Solana that the network has confirmed. */
export interface SentSolanaTransaction {
  /** Its first signature, in base58. */
  readonly transactionHash: string
  /** The network's own record. */
  readonly receipt: SolanaReceipt
}
/** What an embedded Solana wallet signs and sends; see {@link Kit.solana}. */
export interface KitSolana {
  /**
   * Displays a text and signs it (ed25519). Bytes are signed through the provider ({@link EmbeddedWallet.getProvider}).
   *
   * @returns the signature, in base64
   * @example
   * const { signature } = await kit.solana.signMessage('Hello')
   * @throws KitError `invalid_message`, `must_be_authenticated`, `embedded_wallet_not_found`, or `unable_to_sign` when the user
   * declines
   */
  signMessage(message: string, options?: SignOptions): Promise<{ signature: string }>
  /**
   * Has the user review a transaction, and signs exactly what was given, without sending it.
   *
   * @returns the signed transaction, of the kind that was given
   * @example
   * async function sign(transaction: Uint8Array) {
   *   const { signedTransaction } = await kit.solana.signTransaction(transaction, { cluster: 'devnet' })
   *   return signedTransaction
   * }
   * @throws KitError as {@link signAndSendTransaction} does
   */
  signTransaction<T extends SolanaTransactionInput>(
    transaction: T,
    options?: SolanaTransactionOptions,
  ): Promise<{ signedTransaction: SignedSolanaTransaction<T> }>
  /**
   * Does the same for 1 to 20 transactions, which are reviewed one after the other. All are signed, or none is given out.
   *
   * @example
   * async function signBoth(first: Uint8Array, second: Uint8Array) {
   *   const { signedTransactions } = await kit.solana.signAllTransactions([first, second])
   *   return signedTransactions
   * }
   * @throws KitError as {@link signAndSendTransaction} does
   */
  signAllTransactions<T extends SolanaTransactionInput>(
    transactions: readonly T[],
    options?: SolanaTransactionOptions,
  ): Promise<{ signedTransactions: SignedSolanaTransaction<T>[] }>
  /**
   * Has the user review a transaction, signs it, sends it, and waits for the network's record of it. A missing blockhash is filled
   * in, and a priority fee is added where nobody has set one. Closing the dialog after it was sent doesn't call it back.
   *
   * @example
   * async function send(transaction: Uint8Array) {
   *   const { transactionHash } = await kit.solana.signAndSendTransaction(transaction, { cluster: 'devnet' })
   *   return transactionHash
   * }
   * @throws KitError `invalid_request_arguments`, `unsupported_chain_id` for a cluster that the app doesn't have,
   * `must_be_authenticated`, `embedded_wallet_not_found`, `unable_to_sign` when the user declines, `approval_required` for an unusual fee without a screen, `insufficient_funds`, or
   * `transaction_failure`, with `data.transactionHash` where the network failed it or let it expire
   */
  signAndSendTransaction(
    transaction: SolanaTransactionInput,
    options?: SolanaTransactionOptions,
  ): Promise<SentSolanaTransaction>
  /**
   * Has the user review 1 to 20 transactions once, signs all of them, and sends each once the one before it is confirmed. Where one fails, the
   * rest isn't sent. Waits until nothing about them can change any more; closing the dialog after the approval stops none of them.
   *
   * @returns the status by {@link CallsStatus.status}, and the network's records of those that it has
   * @example
   * async function sendBoth(first: Uint8Array, second: Uint8Array) {
   *   const { status } = await kit.solana.signAndSendAllTransactions([first, second], { cluster: 'devnet' })
   *   return status === 200
   * }
   * @throws KitError as {@link signAndSendTransaction} does, except for what the network decides: that is the status
   */
  signAndSendAllTransactions(
    transactions: readonly SolanaTransactionInput[],
    options?: SolanaBatchOptions,
  ): Promise<CallsStatus>
}
/** Which wallet of another app is asked, and where the wait for it is shown. */
export interface CrossAppRequestOptions {
  /** The wallet's address, as the user's account of the other app has it (`cross_app`, among `user.linkedAccounts`). */
  address: string
  signal?: AbortSignal
  surface?: Surface
}
/** A request of another app, as this app's own server names it. */
export interface CrossAppRequest {
  readonly requester: {
    readonly id: string
    readonly name: string
    readonly iconUrl: string | undefined
    /** The origin of the page that asks. */
    readonly origin: string
  }
  readonly kind: 'message' | 'typed-data' | 'transaction'
  /** Milliseconds since 1970, by the server's clock: the other app no longer waits then. */
  readonly expiresAt: number
}
/** Requests to wallets of other apps, and the answers of an app whose wallets others ask; see {@link Kit.crossApp}. */
export interface CrossAppRequests {
  /**
   * Has the user review a message in the other app, in a window, and resolves with the signature of its wallet (EIP-191). Call it within a
   * click, after `kit.crossApp.prepare()`. Where the other app's token is over, they log in there first.
   *
   * @param message text, which is signed as text also if it looks like hex
   * @param options the address of the wallet, which says the app
   * @returns the signature, 0x-hex
   * @throws KitError `invalid_message`, `must_be_authenticated`, `cross_app_invalid_wallet` for an address that no account of another app
   * has, `cross_app_invalid_app`, `cross_app_read_only`, `cross_app_request_error`, `popup_closed`, `popup_timeout` after two minutes, or
   * `unable_to_sign` when the user rejects it or closes the dialog
   * @example
   * await kit.crossApp.prepare()
   * document.querySelector('#sign')?.addEventListener('click', async () => {
   *   const address = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
   *   const { signature } = await kit.crossApp.signMessage('Hello', { address })
   *   console.log(signature)
   * })
   */
  signMessage(message: string, options: CrossAppRequestOptions): Promise<{ signature: string }>
  /**
   * Does the same for typed data (EIP-712).
   *
   * @param typedData `{ domain, types, primaryType, message }`
   * @returns the signature, 0x-hex
   * @throws KitError `invalid_request_arguments`, also for typed data that are too long for an address, and what {@link signMessage} throws
   * @example
   * const { signature } = await kit.crossApp.signTypedData(
   *   {
   *     domain: { name: 'Harbor', chainId: 1 },
   *     types: { Vote: [{ name: 'proposal', type: 'uint256' }] },
   *     primaryType: 'Vote',
   *     message: { proposal: 12 },
   *   },
   *   { address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F' },
   * )
   */
  signTypedData(typedData: object, options: CrossAppRequestOptions): Promise<{ signature: string }>
  /**
   * Has the user review a transaction in the other app, which sends it. Resolves as soon as the network has it; a missing `chainId` is this
   * app's default.
   *
   * @returns the hash, 0x-hex
   * @throws KitError as {@link signTypedData} does, but `cross_app_may_be_sent` after two minutes: the user may have approved it, and the
   * network may have it or get it yet. A closed window says `mayBeSent` in its `data` for the same reason.
   * @example
   * const { transactionHash } = await kit.crossApp.sendTransaction(
   *   { to: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', value: 10n ** 15n, chainId: 8453 },
   *   { address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F' },
   * )
   */
  sendTransaction(
    transaction: TransactionRequestInput,
    options: CrossAppRequestOptions,
  ): Promise<{ transactionHash: string }>
  /**
   * For the page of an app whose wallets others ask (its setting `transactUrl`): reads the request that the page was opened with.
   *
   * @param asked `request_id` and `client_id` of the page's address
   * @returns the app that asks, as the server names it, and what kind of request it is
   * @throws KitError `must_be_authenticated`, `cross_app_wrong_user` if the request is for another account of the user, or
   * `cross_app_request_over` if it isn't open, or is another app's
   * @example
   * const query = new URLSearchParams(location.search)
   * const asked = { id: query.get('request_id') ?? '', appId: query.get('client_id') ?? '' }
   * const { requester } = await kit.crossApp.request(asked)
   * document.title = `${requester.name} asks you`
   */
  request(asked: RequestAsked): Promise<CrossAppRequest>
  /**
   * For the same page: has the user review the request as one of this app's own, with the other app as its requester, and carries it out. In
   * strict apps the vault reads from its own server who asks, and for what.
   *
   * @returns the address to go to next, which hands the result to the app that asks; also where the user has rejected it
   * @throws KitError as {@link request} does, and what went wrong, such as `unsupported_chain_id`; the request is still open then
   * @example
   * const query = new URLSearchParams(location.search)
   * const asked = { id: query.get('request_id') ?? '', appId: query.get('client_id') ?? '' }
   * location.assign(await kit.crossApp.respond(asked))
   */
  respond(asked: RequestAsked, options?: ManageOptions): Promise<string>
  /**
   * For the same page: rejects the request without a review.
   *
   * @param options with `disconnect` the other app can't ask again either, until the user logs in there once more
   * @returns the address to go to next
   * @throws KitError as {@link request} does
   * @example
   * const query = new URLSearchParams(location.search)
   * const asked = { id: query.get('request_id') ?? '', appId: query.get('client_id') ?? '' }
   * location.assign(await kit.crossApp.decline(asked, { disconnect: true }))
   */
  decline(asked: RequestAsked, options?: { disconnect?: boolean }): Promise<string>
}
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
/** How an account is added. */
export interface LinkOptions {
  /** What is written into the field of an e-mail address or a phone number. */
  prefill?: string
  /** Which wallets are listed, in which order; the configuration's by default. */
  walletList?: readonly string[]
  walletChainType?: 'ethereum-only' | 'solana-only' | 'ethereum-and-solana'
  /** Ends the run as closing does. */
  signal?: AbortSignal
  /** Where to show it; the page's surface by default. */
  surface?: Surface
}
export interface UpdateOptions extends Pick<LinkOptions, 'prefill' | 'signal' | 'surface'> {}
/** How a dialog is opened in which a person looks after what they have. */
export interface ManageOptions extends Pick<LinkOptions, 'signal' | 'surface'> {}
/** What the page fills into the form with which a user sends. The user may change all of it. */
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
/** What was sent by the form, on either kind of chain. */
export interface SentByForm {
  /** The transaction's hash, or its first signature on Solana. */
  readonly transactionHash: string
  readonly receipt: TransactionReceipt | SolanaReceipt
  /** CAIP-2. */
  readonly chain: string
  /** The address of the wallet that has sent it. */
  readonly address: string
}
/** What is funded. The app's settings fill in what is missing. */
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
/** What has come into a wallet. */
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

/** What a host may set for the list of wallets. */
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
 * What libraries use to drive a wallet: an EIP-1193 provider for Ethereum; for Solana the wallet and its account as the
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

/** Where something of second factors is shown, and what ends it. */
export interface MfaOptions {
  signal?: AbortSignal
  surface?: Surface
}
/** How far the prompt of a second factor is. */
export type MfaState =
  | { readonly status: 'idle' }
  /** The kit asks the person. */
  | { readonly status: 'prompting'; readonly methods: readonly MfaMethod[] }
  /** A request waits for the host, which draws its own prompt. */
  | { readonly status: 'required'; readonly methods: readonly MfaMethod[] }
/** Proof that the factor being enrolled works. */
export type EnrollmentInput =
  | { readonly method: 'totp'; readonly code: string }
  | { readonly method: 'sms'; readonly phoneNumber: string; readonly code: string }
  /** All passkeys that are to be factors; any other no longer is one. */
  | { readonly method: 'passkey'; readonly credentialIds: readonly string[] }

/** Which passkey is asked for, as `PublicKeyCredential.parseRequestOptionsFromJSON` takes it. */
export interface PasskeyChallenge {
  /** Base64url. */
  challenge: string
  rpId?: string
  /** Milliseconds. */
  timeout?: number
  userVerification?: string
  allowCredentials?: { id: string; type: string; transports?: string[] }[]
}

/** Second factors of the person who is logged in. */
export interface KitMfa {
  /** Those that are enrolled, the oldest first. */
  readonly methods: readonly MfaMethod[]
  readonly state: Readable<MfaState>
  /**
   * Lets the person add second factors, and take them away; with `method`, enrols that one. Resolves with what they have then.
   * Throws a {@link KitError}: `must_be_authenticated`, `mfa_canceled` when they leave before, or what went wrong.
   */
  enroll(options?: MfaOptions & { method?: MfaMethod }): Promise<readonly MfaMethod[]>
  /** Removes a factor, once the person has agreed and is verified. Throws as {@link enroll} does. */
  remove(method: MfaMethod, options?: MfaOptions): Promise<readonly MfaMethod[]>
  /** Makes new recovery codes and shows them to the person. */
  recoveryCodes(options?: MfaOptions): Promise<void>
  /**
   * Has the person verified ahead of what needs it, unless they were just now. Throws `missing_mfa_enrollment` if they have no factor, `mfa_canceled`,
   * `mfa_timeout`, `mfa_verification_max_attempts_reached`.
   */
  prompt(options?: MfaOptions): Promise<void>
  /**
   * For hosts that draw their own prompt (`mfa.noPromptOnMfaRequired`), after the event `mfa-required`: has a code sent for
   * `sms`; resolves with what to ask the browser for with `passkey`.
   */
  init(method: MfaMethod): Promise<PasskeyChallenge | undefined>
  /**
   * Gives what the person gave to the request that waits: a code, or for `passkey` what {@link init} resolved with or what the
   * browser has answered. Rejects with `missing_or_invalid_mfa` if it is wrong; the request goes on waiting then, for four
   * attempts in all.
   */
  submit(method: MfaMethod, given: string | object): Promise<void>
  /** Gives up: the request that waits fails with `mfa_canceled`, and nothing else happens. */
  cancel(): void
  /** Enrols without a screen of the kit, in compatible apps alone. */
  initEnrollment(
    input: { method: 'totp' } | { method: 'sms'; phoneNumber: string },
  ): Promise<{ secret?: string; authUrl?: string }>
  submitEnrollment(input: EnrollmentInput): Promise<readonly MfaMethod[]>
  /** Removes a factor without a confirmation, in compatible apps alone; the person is verified all the same. */
  unenroll(
    method: MfaMethod,
    options?: MfaOptions & { removeForLogin?: boolean },
  ): Promise<readonly MfaMethod[]>
}

export interface KitState {
  /** The app's configuration is known, and a stored session was restored or given up. */
  readonly ready: boolean
  readonly authenticated: boolean
  readonly user: User | null
  /** A dialog of this kit is on the page. */
  readonly isModalOpen: boolean
}
/** One object for each event. */
export interface KitEvents {
  login: {
    user: User
    isNewUser: boolean
    wasAlreadyAuthenticated: boolean
    loginMethod: string | null
    loginAccount: LinkedAccount | null
  }
  logout: undefined
  user: { user: User | null }
  /** An account was added to the person who is logged in. */
  linked: AccountChange
  /** An account was unlinked from them. */
  unlinked: AccountChange
  /** Their e-mail address or phone number was replaced. */
  updated: AccountChange
  /**
   * An account that is to be linked belongs to another user, who would be deleted by taking it over. Emitted before the
   * person is asked; `refuse()` keeps it from being offered.
   */
  'transfer-request': { method: string; account: string; refuse(): void }
  signature: { signature: string; address: string }
  /** The network has a transaction that {@link Kit.sendTransaction} sent. `chain` is CAIP-2, such as `eip155:1`. */
  submitted: { transactionHash: string; chain: string; address: string }
  /** The network has confirmed it. */
  receipt: (SentTransaction | SentSolanaTransaction) & { chain: string; address: string }
  /** A wallet of the user has more than before. */
  funded: FundedWallet
  /** An embedded wallet was created or imported because somebody asked for it. */
  wallet: { wallet: WalletAccount }
  /** The recovery method of an embedded wallet has changed. */
  recovery: { method: string; wallet: WalletAccount }
  /** New devices of the user wait for this one to approve them, or no longer do; see {@link Kit.devices}. */
  'device-request': { count: number }
  /** The user's wallet lives in one browser alone: they have no proof for another device yet. At most once in a tab. */
  'device-proof-missing': { required: boolean }
  /** An external wallet is connected: newly, or again after the page was loaded. */
  connect: { wallet: ConnectedWallet }
  disconnect: { wallet: ConnectedWallet }
  /** The connected wallets have changed: a wallet, its account or its chain. */
  wallets: { wallets: readonly ConnectedWallet[] }
  /** A social provider gave the app tokens of its own. They are passed on here, once, and not kept. */
  'oauth-tokens': { oAuthTokens: OAuthTokens; user: User }
  /** The person's second factors have changed. */
  mfa: { methods: readonly MfaMethod[] }
  /** A request waits until the host has had the person verified; see {@link KitMfa.submit}. */
  'mfa-required': { methods: readonly MfaMethod[] }
  error: KitError
}
/** The person as they are now, and the account that was added, removed or changed. */
export interface AccountChange {
  readonly user: User
  /** `email`, `sms`, `siwe`, `siws`, a social provider, `farcaster`, `telegram`, `passkey`, or another app's method. */
  readonly method: string
  readonly account: LinkedAccount | null
}

/** How the app looks, as set by its owner and the host. */
export interface Look {
  readonly theme: 'auto' | 'light' | 'dark'
  /** A CSS hex colour. */
  readonly accent: string | undefined
  readonly appName: string | undefined
}

export interface KitOptions {
  /** 25 characters. */
  appId: string
  /** Base address of the API, without a trailing slash; https, or http on localhost. */
  apiUrl: string
  clientId?: string
  /** Base address of the vault, which should have an origin of its own. The API's by default. */
  vaultUrl?: string
  config?: HostConfig
  copy?: CopyOverrides
  /** `false`: nothing is posted to the app's analytics. */
  analytics?: boolean
}

/** What a host can do without our screens, with the state of each method. */
export type HeadlessMethods = {
  readonly [Method in keyof HeadlessCalls]: HeadlessCalls[Method] & { readonly state: Readable<FlowState> }
}

/**
 * One app on a page: its session, its wallets, and the flows that it runs on a surface. Created by
 * `createKit`; elements with the same app id share one. Every method waits until the kit is ready.
 */
export interface Kit extends Omit<HeadlessMethods, 'crossApp'> {
  readonly appId: string
  readonly ready: boolean
  readonly authenticated: boolean
  readonly user: User | null
  readonly isModalOpen: boolean
  readonly state: Readable<KitState>
  readonly look: Readable<Look>
  /** The host's words, which override ours. */
  readonly copy: Readable<CopyOverrides>
  /**
   * What the dialog has shown so far, names only: `landing > email enter-code …`. For debugging and demos.
   */
  readonly trace: Readable<readonly string[]>
  /**
   * Resolves when {@link KitState.ready}; rejects with the {@link KitError} that prevents it.
   * @example
   * await kit.whenReady()
   * console.log(kit.authenticated)
   */
  whenReady(): Promise<void>
  /**
   * Calls `listener` now and after each change; returns a function that stops it.
   * @example
   * const stop = kit.subscribe(({ ready, user }) => {
   *   if (ready) document.title = user ? 'Welcome back' : 'Log in'
   * })
   * stop()
   */
  subscribe(listener: (state: KitState) => void): () => void
  on<Name extends keyof KitEvents>(event: Name, listener: (detail: KitEvents[Name]) => void): () => void
  /**
   * Opens the login dialog. Resolves with the person once they are logged in, have accepted the app's terms
   * and have the wallet that the app gives them. Somebody who is logged in already is returned at once, with
   * a warning. Throws a {@link KitError}: `exited_auth_flow` when the dialog was closed,
   * `terms_not_accepted`, or what went wrong. A second call joins the first.
   * @example
   * const user = await kit.login({ loginMethods: ['email', 'passkey'] })
   */
  login(options?: LoginOptions): Promise<User>
  /**
   * Ends the session here, in the other tabs and at the server.
   * @example
   * await kit.logout()
   */
  logout(): Promise<void>
  /**
   * An access token that is good for at least 30 s, refreshed if necessary; `null` when nobody is logged in.
   * @example
   * const token = await kit.getAccessToken()
   * if (token) await fetch('/orders', { headers: { authorization: `Bearer ${token}` } })
   */
  getAccessToken(): Promise<string | null>
  /**
   * The identity token of the person who is logged in, or `null`.
   * @example
   * const token = await kit.getIdentityToken()
   */
  getIdentityToken(): Promise<string | null>
  /**
   * Creates an embedded wallet and resolves with it. Throws a {@link KitError}: `must_be_authenticated`,
   * `embedded_wallet_already_exists` if neither an index nor an additional one was asked for,
   * `invalid_wallet_index`, `embedded_wallet_create_error`.
   * @example
   * const wallet = await kit.createWallet({ chainType: 'ethereum' })
   */
  createWallet(options?: CreateWalletOptions): Promise<WalletAccount>
  /**
   * Imports a private key as an embedded wallet: 0x-hex of 32 bytes for Ethereum, base58 of 64 for Solana. Resolves with the
   * wallet. In a strict app the person enters the key in the vault's own window, and a page that passes one is refused. In a
   * compatible app the page passes it: the key goes to the vault and is kept nowhere else, but the page has seen it. Throws
   * `invalid_request_arguments` if it is no key, or if the page may not have it; `embedded_wallet_create_error` if the person
   * turns back.
   * @example
   * const wallet = await kit.importWallet({ chainType: 'solana' })
   */
  importWallet(options?: ImportWalletOptions): Promise<WalletAccount>
  readonly mfa: KitMfa
  /** The devices that may use the person's wallets. */
  readonly devices: {
    /**
     * Those that are known, the one used last first. Throws `must_be_authenticated`, or the server's error.
     * @example
     * const devices = await kit.devices.list()
     */
    list(): Promise<readonly Device[]>
    /**
     * Removes a device: from that moment it can't use the wallets until the person shows again who they are. In a strict app the
     * vault's own window names the device and asks the person first. Throws `invalid_request_arguments` if they have no such
     * device, `unknown_embedded_wallet_error` if they turn back, or what went wrong.
     * @example
     * const [, oldest] = await kit.devices.list()
     * if (oldest) await kit.devices.remove(oldest.id)
     */
    remove(id: string, options?: RemoveDeviceOptions): Promise<void>
    /**
     * Counts the new devices that wait for one of these to approve them; see the event `device-request`. Throws
     * `must_be_authenticated`, or the server's error.
     * @example
     * const waiting = await kit.devices.countRequests()
     */
    countRequests(): Promise<number>
    /**
     * Has the user decide, in the vault's own window, about a new device that waits. Resolves with what they have decided: `none`
     * if nothing was waiting any more. Throws `must_be_authenticated`, `wallet_enrolment_required` where this device can't use the
     * wallets itself, `unknown_embedded_wallet_error` if they leave it for later, or what went wrong.
     * @example
     * const decision = await kit.devices.approve()
     */
    approve(options?: RemoveDeviceOptions): Promise<'approved' | 'denied' | 'none'>
    /**
     * The kinds of proof with which the user could confirm a new device, such as `passkey`, `email` or `recovery`. With none, their
     * wallet lives in one browser alone. Throws `must_be_authenticated`, or the server's error.
     * @example
     * const isBackedUp = (await kit.devices.proofs()).length > 0
     */
    proofs(): Promise<readonly string[]>
    /**
     * Offers the user a passkey of the vault or a recovery password, with which they can use their wallet on another device.
     * Resolves with whether they have added one. Throws `must_be_authenticated`, `embedded_wallet_not_found`, or what went wrong.
     * @example
     * const isAdded = await kit.devices.addProof()
     */
    addProof(options?: RemoveDeviceOptions): Promise<boolean>
  }
  /**
   * Lets a server of the app act with an embedded wallet, within one of the permissions of the app's settings. The user reads in the
   * vault's own window who acts, what may be done, the most that can be lost and until when. Resolves with the server's id of the
   * permission and its end.
   *
   * @param options the wallet, the permission, where it is shown, and a signal that closes it
   * @returns the id by which the app's server acts, and when it ends
   * @throws KitError `must_be_authenticated`, `embedded_wallet_not_found`, `already_delegated`, `feature_not_enabled` where the app has
   * no such permission, `delegation_declined` if the user says no, or what went wrong
   * @example
   * const { id } = await kit.delegateWallet({ permission: 'daily' })
   * await fetch('/permissions', { method: 'POST', body: JSON.stringify({ id }) })
   */
  delegateWallet(options?: DelegateWalletOptions): Promise<{ id: string; expiresAt: Date }>
  /**
   * Ends every permission of the user, once they have confirmed it. No server can act with the next request.
   *
   * @param options where it is shown, and a signal that closes it
   * @throws KitError `must_be_authenticated`, `user_has_not_delegated_wallet`, `revocation_declined` if the user says no, or what went
   * wrong
   * @example
   * await kit.revokeDelegatedWallets()
   */
  revokeDelegatedWallets(options?: RevokeDelegationOptions): Promise<void>
  /**
   * The key with which the app may post for a user on Farcaster. It comes from the secret of the user's embedded wallet, and never leaves
   * the vault; its public half is `signerPublicKey` of the user's Farcaster account.
   */
  readonly farcasterSigner: {
    /**
     * Has the user approve the key in their Farcaster app: a code to scan, or on a phone a link to the app. Resolves with the user, whose
     * Farcaster account has it then; at once where it has it already.
     *
     * @throws KitError `must_be_authenticated`, `linked_account_not_found` without a Farcaster account, `embedded_wallet_not_found` without
     * an embedded wallet that isn't imported, `feature_not_enabled` where the app has no account to ask with, `farcaster_rejected` also for
     * a user who closes the dialog, or `farcaster_timeout` after five minutes
     * @example
     * const user = await kit.farcasterSigner.request()
     * const account = user.linkedAccounts.find(({ type }) => type === 'farcaster')
     */
    request(options?: SignerOptions): Promise<User>
    /**
     * Signs the hash of a message (20 bytes of BLAKE3) with the key. Strict apps have the vault ask each time, in its own window, because a
     * hash says nothing of what is posted.
     *
     * @returns the 64 bytes of the signature (ed25519)
     * @throws KitError as {@link request} does; `invalid_request_arguments`, `invalid_state` before the key was approved, or
     * `unable_to_sign` when the user declines
     * @example
     * const signature = await kit.farcasterSigner.sign(new Uint8Array(20), { uiOptions: { showWalletUIs: false } })
     */
    sign(hash: Uint8Array, options?: SignFarcasterOptions): Promise<Uint8Array>
  }
  /** Permissions of the app's servers to act with the user's wallets. */
  readonly permissions: {
    /**
     * All permissions, ended ones too, the newest first, with their latest uses. Throws `must_be_authenticated`, or the server's error.
     * @example
     * const active = (await kit.permissions.list()).filter(({ isActive }) => isActive)
     */
    list(): Promise<readonly Permission[]>
    /**
     * Ends one permission, without a screen. Throws `must_be_authenticated`, `invalid_request_arguments`, or the server's error.
     * @example
     * for (const { id } of await kit.permissions.list()) await kit.permissions.stop(id)
     */
    stop(id: string): Promise<void>
  }
  /** Other apps that the user has let in with their account of this one, and whose requests to their wallets it answers. */
  readonly connectedApps: {
    /**
     * All of them, the one used last first. Throws `must_be_authenticated`, or the server's error.
     * @example
     * const asking = (await kit.connectedApps.list()).filter(({ access }) => access === 'requests')
     */
    list(): Promise<readonly ConnectedApp[]>
    /**
     * Ends the access of one, without a screen: its tokens and open requests are over at the server with the next request, until the user logs in there
     * again. Throws `must_be_authenticated`, `invalid_request_arguments`, or the server's error.
     * @example
     * for (const { id } of await kit.connectedApps.list()) await kit.connectedApps.disconnect(id)
     */
    disconnect(id: string): Promise<void>
  }
  /** Where the person is logged in. */
  readonly sessions: {
    /**
     * Those that haven't ended, the one used last first. Throws `must_be_authenticated`, or the server's error.
     * @example
     * const sessions = await kit.sessions.list()
     */
    list(): Promise<readonly UserSession[]>
    /**
     * Logs the person out of a session elsewhere; that browser notices with its next call to the server. The session of this
     * page ends with {@link logout}. Throws `must_be_authenticated`, `invalid_request_arguments`, or the server's error.
     * @example
     * const [, other] = await kit.sessions.list()
     * if (other) await kit.sessions.end(other.id)
     */
    end(id: string): Promise<void>
    /**
     * Logs the person out everywhere but here. Throws as {@link end} does.
     * @example
     * await kit.sessions.endOthers()
     */
    endOthers(): Promise<void>
  }
  /**
   * Opens the settings of the person's account: accounts, passkeys, second factors, wallets, sessions and devices. Resolves,
   * when they close it, with the person as they are then. Throws a {@link KitError}: `must_be_authenticated`;
   * `session_changed` when somebody else has logged in meanwhile.
   * @example
   * const user = await kit.manageAccount()
   */
  manageAccount(options?: ManageOptions): Promise<User>
  /**
   * Shows the user what their wallets sent from this browser, and what became of it. There they speed up or cancel a pending Ethereum
   * transaction, and send a dropped one again. Resolves once they close it.
   *
   * @param options where it is shown, and a signal that closes it
   * @throws KitError `must_be_authenticated`, or `flow_in_progress` while another dialog is open
   * @example
   * await kit.openActivity()
   */
  openActivity(options?: ManageOptions): Promise<void>
  /**
   * Shows the user what their embedded wallets hold, read anew. Resolves once they close it.
   *
   * @param options where it is shown, and a signal that closes it
   * @throws KitError `must_be_authenticated`, or `flow_in_progress` while another dialog is open
   * @example
   * await kit.openBalances()
   */
  openBalances(options?: ManageOptions): Promise<void>
  /**
   * Opens a form in which the user chooses what to send, to whom and how much, from an embedded or a connected wallet. They review the
   * transaction, or their external wallet has them review it, and it is sent. Closing the dialog after that doesn't call it back.
   *
   * @param options what is filled in, where it is shown, and a signal that closes it
   * @returns the hash and the receipt
   * @throws KitError `must_be_authenticated`, `embedded_wallet_not_found` for a user without a wallet, `unsupported_chain_id` or
   * `invalid_request_arguments` for a chain or token that the app doesn't have, `unable_to_sign` when the user closes the form,
   * `wallet_rejected`, `insufficient_funds`, or `transaction_failure`, as {@link sendTransaction} does
   * @example
   * const { transactionHash } = await kit.openSend({ chain: 'eip155:8453', amount: '0.25' })
   */
  openSend(options?: SendFormOptions): Promise<SentByForm>
  /**
   * Opens a dialog in which the user adds funds to one of their wallets, in one of the ways that the app offers. Resolves once the wallet
   * has more than before, or the user has left a payment that is under way. One that was begun and not paid is offered by the next call.
   *
   * @param options what is funded, where it is shown, and a signal that closes it
   * @returns the method, the amount that has come or will, and the purchase where something was bought
   * @throws KitError `must_be_authenticated`, `feature_not_enabled` where the app has no funding, `invalid_configuration` where its
   * settings offer no method or name no chain, `invalid_request_arguments`, `unsupported_chain_id`, `embedded_wallet_not_found`, or
   * `exited_funding_flow` when the user closes the dialog before paying
   * @example
   * const { amount, symbol } = await kit.fundWallet({ chain: 'eip155:8453', amount: '0.02' })
   */
  fundWallet(options?: FundWalletOptions): Promise<FundedWallet>
  /**
   * Lets the person choose how their wallet is recovered on another device. The old method works until the
   * new one is confirmed. Resolves with the method: `user-passcode`, `google-drive`, `icloud`, or the
   * automatic one's name. Throws `embedded_wallet_not_found`, `user_exited_set_password_flow`, or what went
   * wrong.
   * @example
   * const method = await kit.setWalletRecovery()
   */
  setWalletRecovery(options?: SetRecoveryOptions): Promise<string>
  /**
   * Sets or replaces the recovery password.
   * @example
   * const wallet = await kit.setWalletPassword()
   */
  setWalletPassword(options?: RecoveryUiOptions): Promise<WalletAccount>
  /**
   * Shows the person their wallet's private key or recovery phrase in the vault's own window (strict apps) or frame
   * (compatible apps): neither the page nor the kit ever has it. Resolves when the dialog is closed. Throws
   * `must_be_authenticated`, `embedded_wallet_not_found`, or what went wrong.
   * @example
   * await kit.exportWallet()
   */
  exportWallet(options?: RecoveryUiOptions): Promise<void>
  /**
   * Lets the person add another account, in a dialog, and resolves with them as they are then. Somebody who comes back from a
   * provider's page continues by themselves, and the event `linked` tells of it. Throws a {@link KitError}:
   * `must_be_authenticated`; `cannot_link_more_of_type` where they have as many of that kind as may be;
   * `mfa_method_not_allowed` for the phone of somebody whose second factor are text messages; `exited_link_flow` when the dialog was closed; `failed_to_link_account`, or the server's code.
   * @example
   * const user = await kit.link('google')
   */
  link(method: LoginMethod, options?: LinkOptions): Promise<User>
  /**
   * Unlinks an account from the person, and resolves with them as they are then. Only where it is their last way in to this app a
   * dialog asks them first; before a passkey goes, somebody with a second factor is verified. Throws a {@link KitError}:
   * `must_be_authenticated`, `linked_account_not_found`, `not_supported` for an embedded wallet, a passkey that is enrolled in
   * MFA, and a login of the host's own, `exited_link_flow` when they keep it, what {@link KitMfa.prompt} throws, or the
   * server's code.
   * @example
   * const account = kit.user?.linkedAccounts.find(({ type }) => type === 'email')
   * if (account?.type === 'email') await kit.unlink({ type: 'email', address: account.address })
   */
  unlink(account: AccountToUnlink, options?: UnlinkOptions): Promise<User>
  /**
   * Lets the person replace their e-mail address, in a dialog, and resolves with them as they are then. Throws a
   * {@link KitError}: `must_be_authenticated`; `failed_to_update_account`, also when they have none;
   * `exited_update_flow` when the dialog was closed; or the server's code.
   * @example
   * const user = await kit.updateEmail()
   */
  updateEmail(options?: UpdateOptions): Promise<User>
  /**
   * Lets the person replace their phone number. Throws as {@link updateEmail} does.
   * @example
   * const user = await kit.updatePhone()
   */
  updatePhone(options?: UpdateOptions): Promise<User>
  /**
   * For hosts that draw their own screens: takes over an account of another user, who is deleted by that, after a link has
   * failed with `account_transfer_required`; the error's `data` has what it takes. Resolves with the person as they are
   * then. Throws a {@link KitError}: `must_be_authenticated`, `invalid_data`, or the server's code.
   * @example
   * import { KitError } from 'latchkey'
   *
   * try {
   *   await kit.link('google')
   * } catch (error) {
   *   if (error instanceof KitError && error.code === 'account_transfer_required')
   *     await kit.initiateTransfer(error.data as Parameters<typeof kit.initiateTransfer>[0])
   * }
   */
  initiateTransfer(request: TransferRequest): Promise<User>
  /** The passkeys of the person who is logged in; they are added by {@link link} and removed by {@link unlink}. */
  readonly passkeys: {
    /**
     * Shows the person their passkeys, where they add, rename and unlink them. Resolves, when they close it, with those that
     * they have then. Throws as {@link manageAccount} does.
     * @example
     * const passkeys = await kit.passkeys.manage()
     */
    manage(options?: ManageOptions): Promise<readonly PasskeyAccount[]>
    /**
     * Gives a passkey a name of the person's own: 1 to 64 visible characters. Throws a {@link KitError}:
     * `must_be_authenticated`, `invalid_data`, or the server's code.
     * @example
     * const [passkey] = await kit.passkeys.manage()
     * if (passkey) await kit.passkeys.rename(passkey.credentialId, 'Laptop')
     */
    rename(credentialId: string, name: string): Promise<User>
  }
  /**
   * Accepts the app's terms for the person, for hosts that show them on their own page.
   * @example
   * await kit.acceptTerms()
   */
  acceptTerms(): Promise<void>
  /**
   * Shows a message and signs it (EIP-191) with an embedded Ethereum wallet; a Solana wallet signs by
   * {@link solana}, and a wallet of another app, named by its address, as {@link CrossAppRequests.signMessage} says. The message is text, and that very text is signed,
   * also if it looks like hex: verify it as text. Bytes are signed through the provider. The first form resolves with the signature, the
   * second with an object that holds it. Throws a {@link KitError}: `invalid_message`, also for a text that
   * signs in at another site (ERC-4361),
   * `must_be_authenticated`, `embedded_wallet_not_found`, or `unable_to_sign` when the person declines.
   * @example
   * const { signature } = await kit.signMessage({ message: 'Hello' }, { uiOptions: { buttonText: 'Agree' } })
   */
  signMessage(message: string, uiOptions?: SignUiOptions, address?: string): Promise<string>
  signMessage(input: { message: string }, options?: SignOptions): Promise<{ signature: string }>
  /**
   * Displays typed data (EIP-712) and signs it with an embedded Ethereum wallet, or with a wallet of another app, named by its address, as
   * {@link CrossAppRequests.signTypedData} does.
   *
   * @param typedData `{ domain, types, primaryType, message }`, as `eth_signTypedData_v4` takes it
   * @param options with `acceptsEdited` the user may lower a permit
   * @returns the signature, and `typedData` as they were signed where the user has lowered a permit: the signature is valid for these
   * alone
   * @throws KitError `invalid_request_arguments`, `unsupported_chain_id` for a chain that the app doesn't have,
   * `must_be_authenticated`, `embedded_wallet_not_found`, or `unable_to_sign` when the user declines
   * @example
   * const { signature } = await kit.signTypedData({
   *   domain: { name: 'Harbor', chainId: 1 },
   *   types: { Vote: [{ name: 'proposal', type: 'uint256' }] },
   *   primaryType: 'Vote',
   *   message: { proposal: 12 },
   * })
   */
  signTypedData(typedData: object, options?: SignTypedDataOptions): Promise<TypedDataSignature>
  /**
   * Has the user review a transaction, and signs it with an embedded Ethereum wallet without sending it.
   *
   * @returns the signed transaction, 0x-hex
   * @throws KitError as {@link sendTransaction} does
   * @example
   * const { signedTransaction } = await kit.signTransaction({
   *   to: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
   *   value: 10n ** 15n,
   *   chainId: 8453,
   * })
   */
  signTransaction(
    transaction: TransactionRequestInput,
    options?: SignTransactionOptions,
  ): Promise<{ signedTransaction: string }>
  /**
   * Has the user review a transaction, signs it with an embedded Ethereum wallet, sends it, and waits for its receipt. Closing the
   * dialog after it was sent doesn't call it back. Several requests are reviewed one after the other. Where the user speeds it up, the hash
   * and the receipt are those of the transaction that was confirmed in its place. With the address of a smart wallet it becomes an operation, which has
   * a nonce, gas and fees of its own in place of the transaction's.
   *
   * @example
   * const { transactionHash } = await kit.sendTransaction({
   *   to: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
   *   value: 10n ** 15n,
   *   chainId: 8453,
   * })
   * @throws KitError `invalid_request_arguments`, `unsupported_chain_id` for a chain that the app doesn't have,
   * `must_be_authenticated`, `embedded_wallet_not_found`, `unable_to_sign` when the user declines, `approval_required` for an unusual fee without a screen, `insufficient_funds`,
   * `signature_mismatch` where the vault signed another transaction than the one that was approved, which is not sent, or
   * `transaction_failure`, with `data.transactionHash` where the network failed, dropped or replaced it (`data.replacedBy`), as
   * after the user cancelled it
   */
  sendTransaction(
    transaction: TransactionRequestInput,
    options?: SignTransactionOptions,
  ): Promise<SentTransaction>
  /**
   * Fetches as the browser's own `fetch` does, and pays where the server asks for it by x402 (versions 1 and 2; scheme `exact` with a
   * signed transfer, EIP-3009, such as that of USDC): the user reviews what is bought, an embedded Ethereum wallet signs it, and the
   * request is sent once more. A response without status 402 comes back as it is. Off without `config.x402` and its caps.
   *
   * @param input an address or a request, as for `fetch`
   * @param init its body is sent twice, so it can't be a stream
   * @param options a lower cap for this call, the wallet that pays, and where it is reviewed
   * @returns the response to the request that was paid
   * @example
   * const response = await kit.fetchWithPayment('https://api.example.com/report', {}, { perPayment: { usd: 0.05 } })
   * console.log(await response.text())
   * @throws KitError before anything is signed: `payment_not_enabled`, `payment_cap_missing`, `payment_over_cap` (`data.left`),
   * `payment_not_supported` and `payment_terms_invalid` (`data.reason`), `request_not_repeatable`, `invalid_request_arguments`,
   * `insufficient_funds`, `flow_in_progress` for a request that is being paid already, `must_be_authenticated`,
   * `embedded_wallet_not_found`, `network_unavailable`, `client_request_timeout`, or `unable_to_sign` when the user declines. Once it was
   * signed, with {@link SignedPayment} in `data.payment`: `payment_refused` and `payment_terms_changed` for a seller that asks again,
   * `payment_unanswered` where no answer came. Like `fetch` it rejects with a `TypeError` where the first request fails, and with the
   * signal's reason.
   */
  fetchWithPayment(
    input: RequestInfo | URL,
    init?: RequestInit,
    options?: FetchWithPaymentOptions,
  ): Promise<Response>
  /**
   * Has the user review several calls of an embedded Ethereum wallet once, and sends them in their order, each once the one before it is
   * confirmed. A call that fails stops those after it. Those of a smart wallet are one operation: either all take effect or none does. Waits until nothing about them can change any more; closing the dialog after the
   * approval, or reloading the page, stops none of them and sends none twice.
   *
   * @param options the calls, and how they are reviewed
   * @returns the status, and the receipts of what the network has included
   * @example
   * const { status, receipts } = await kit.sendCalls({
   *   chainId: 8453,
   *   calls: [
   *     { to: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', value: 10n ** 15n },
   *     { to: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', data: '0x' },
   *   ],
   * })
   * console.log(status === 200 ? receipts.length : 'not everything was carried out')
   * @throws KitError `invalid_request_arguments`, also for an `id` that the wallet has used (`data.code` 5720), `unsupported_chain_id` for a
   * chain that the app doesn't have, `must_be_authenticated`, `embedded_wallet_not_found`, or `unable_to_sign` when the user declines
   */
  sendCalls(options: SendCallsOptions): Promise<CallsStatus>
  /**
   * Returns the outcome of a batch of {@link sendCalls}, or of `wallet_sendCalls` of a library, within the 24 hours after it was approved; also after a
   * reload, and in another tab.
   *
   * @param id the batch's identifier
   * @returns its status; `null` for a batch that isn't known
   * @example
   * const batch = await kit.getCallsStatus('order-1234')
   * if (batch?.status === 600) console.log('Only a part was carried out')
   * @throws KitError `must_be_authenticated`, or `network_unavailable` where the network has to be asked and doesn't answer
   */
  getCallsStatus(id: string): Promise<CallsStatus | null>
  /** Logging in with accounts of other apps, asking their wallets, and answering other apps. */
  readonly crossApp: HeadlessMethods['crossApp'] & CrossAppRequests
  /**
   * Gives an embedded Ethereum wallet's own address the code of a contract on one chain (EIP-7702), once the user has reviewed what that
   * means, by a transaction that the wallet pays for. From then on several calls can be one transaction. The contract must be one that the
   * app's server allows; Simple7702Account of EntryPoint 0.8 by default. Its review is displayed in every app.
   *
   * @param options the chain, the contract and the wallet
   * @returns the hash and the receipt of the transaction
   * @example
   * const { transactionHash } = await kit.upgradeWallet({ chainId: 8453 })
   * @throws KitError as {@link sendTransaction} does; `invalid_request_arguments` also for a contract that the app doesn't allow and for
   * code that the wallet has already, `unsupported_chain_id` also for a chain without that contract
   */
  upgradeWallet(options?: UpgradeWalletOptions): Promise<SentTransaction>
  /**
   * Takes the code of a wallet's own address back on one chain, once the user has reviewed it, by a transaction that the wallet pays for.
   *
   * @param options the chain and the wallet
   * @returns the hash and the receipt of the transaction
   * @example
   * await kit.downgradeWallet({ chainId: 8453 })
   * @throws KitError as {@link upgradeWallet} does; `invalid_request_arguments` also for a wallet without code
   */
  downgradeWallet(options?: DowngradeWalletOptions): Promise<SentTransaction>
  /**
   * Has the user review an authorization of code for their wallet's own address (EIP-7702), and signs it without sending it: for apps
   * that send it by themselves, such as with a sponsored operation. It is for one chain and one nonce, and only for a
   * contract that the app's server allows; the zero address takes the code back.
   *
   * @param options the chain, the contract, the nonce and the wallet
   * @returns the authorization with its signature, as viem takes it
   * @example
   * const authorization = await kit.signAuthorization({ chainId: 8453 })
   * console.log(authorization.address, authorization.nonce)
   * @throws KitError as {@link upgradeWallet} does
   */
  signAuthorization(options?: SignAuthorizationOptions): Promise<SignedAuthorization>
  /** Signing and sending with an embedded Solana wallet. */
  readonly solana: KitSolana
  /**
   * What the user's wallets sent from this browser, newest first; empty until their wallets are loaded. It survives a reload, is shared by
   * the tabs, and is followed until the network has decided, also where the tab that sent it was closed.
   *
   * @example
   * kit.activity.subscribe(() => {
   *   const waiting = kit.activity.get().filter(({ status }) => status === 'pending')
   *   document.title = waiting.length > 0 ? `(${waiting.length}) Harbor` : 'Harbor'
   * })
   */
  readonly activity: Readable<readonly ActivityEntry[]>
  /**
   * What the user's embedded wallets hold: the networks' own coins and the tokens of `config.tokens`, on the chains that the app names (its
   * default chain otherwise). Empty until `refresh()` is called; then they are also read after each transaction of the user. Amounts
   * are in smallest units, and each is a claim of the network's node. A network that doesn't answer is a `status`, and no error. What is held
   * has a `price` where the app's server has one that is fresh.
   *
   * @example
   * const balances = await kit.balances.refresh()
   * const ether = balances.find(({ chain, kind }) => chain === 'eip155:1' && kind === 'coin')
   */
  readonly balances: Readable<readonly Balance[]> & {
    /**
     * Reads all of them. Resolves once each is known, or the time of its network is over (15 s).
     *
     * @returns all balances
     * @throws KitError `must_be_authenticated`
     * @example
     * const balances = await kit.balances.refresh()
     */
    refresh(): Promise<readonly Balance[]>
  }
  /**
   * The connected external wallets: the active one first, then the most recent. Those of an earlier visit
   * reconnect by themselves.
   */
  readonly wallets: Readable<readonly ConnectedWallet[]>
  /**
   * The embedded wallets of the person who is logged in, those of index 0 first. The page's libraries find
   * them by themselves.
   */
  readonly embeddedWallets: Readable<readonly EmbeddedWallet[]>
  /** The smart wallets of the user who is logged in. */
  readonly smartWallets: Readable<readonly SmartWallet[]>
  /**
   * Creates the user's smart wallet, and resolves with it; the one that there is already is returned at once. Its address follows from the user's
   * first embedded Ethereum wallet, whose key signs a message that links the two. Its contract is deployed with the first operation.
   *
   * @param options how the message is reviewed
   * @returns the smart wallet, whose address {@link sendTransaction}, {@link sendCalls}, {@link signMessage} and {@link signTypedData} take
   * @example
   * const { address } = await kit.createSmartWallet()
   * const { transactionHash } = await kit.sendTransaction(
   *   { to: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', value: 1n, chainId: 8453 },
   *   { address },
   * )
   * @throws KitError `must_be_authenticated`, `feature_not_enabled` in an app without smart wallets, `embedded_wallet_not_found` for a user without
   * an embedded Ethereum wallet, or `unable_to_sign` when the user declines
   */
  createSmartWallet(options?: CreateSmartWalletOptions): Promise<SmartWallet>
  /**
   * Lets the person connect a wallet without logging in, and resolves with it. Throws a {@link KitError}:
   * `generic_connect_wallet_error` when the dialog was closed, or what went wrong.
   * @example
   * const wallet = await kit.connectWallet()
   * console.log(wallet.address)
   */
  connectWallet(options?: ConnectWalletOptions): Promise<ConnectedWallet>
  /**
   * The same for people who may have no wallet: every other login method logs them in and creates one.
   * Resolves with the connected wallet, or with the person. Throws `invalid_state` when somebody is logged in
   * already.
   * @example
   * const result = await kit.connectOrCreateWallet()
   * if ('wallet' in result) console.log(result.wallet.address)
   */
  connectOrCreateWallet(
    options?: ConnectOrCreateOptions,
  ): Promise<{ wallet: ConnectedWallet } | { user: User }>
  /**
   * Changes the host's configuration or words; what is on screen keeps the old ones.
   * @example
   * kit.configure({ config: { appearance: { theme: 'dark' } } })
   */
  configure(options: Pick<KitOptions, 'config' | 'copy'>): void
  /**
   * Offers a place for dialogs; the last one offered is used. Returns a function that withdraws it.
   * @example
   * import type { Kit } from 'latchkey'
   *
   * function offer(surface: Parameters<Kit['attach']>[0]) {
   *   return kit.attach(surface)
   * }
   */
  attach(surface: Surface): () => void
  /**
   * Stops tabs, timers and frames of this kit; it can't be used afterwards.
   * @example
   * kit.destroy()
   */
  destroy(): void
}
