/** Options of signing and sending. */
import type { PaymentCap } from '../../app/config.ts'
import type { Surface } from '../../dialog/surface.ts'
import type { TransactionReceipt } from '../../ethereum/receipt.ts'

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
export type Quantity = number | bigint | string
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
