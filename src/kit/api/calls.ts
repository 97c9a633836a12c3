/** Batches of calls, and the code of a wallet's own address. */
import type { SolanaReceipt } from '../../solana/receipt.ts'
import type { Quantity, SignTransactionOptions, TransactionUiOptions } from './signing.ts'

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
