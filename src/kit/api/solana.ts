/** Signing and sending by an embedded Solana wallet. */
import type { SolanaReceipt } from '../../solana/receipt.ts'
import type { CallsStatus } from './calls.ts'
import type { SignOptions, SignTransactionOptions } from './signing.ts'

export interface SolanaTransactionOptions extends SignTransactionOptions {
  /** The cluster by its name, such as `mainnet-beta` or `devnet`; the first one of `config.solanaClusters` by default. */
  cluster?: string
  /** The same as the Wallet Standard names it: `solana:mainnet`. */
  chain?: string
}
export interface SolanaBatchOptions extends SolanaTransactionOptions {
  /** As for `id` of {@link Kit.sendCalls}. */
  id?: string
}
/**
 * A transaction of Solana: an object of `@solana/web3.js` 1.x (`Transaction`, `VersionedTransaction`), a transaction or a
 * transaction message of `@solana/kit`, or the bytes of one.
 */
export type SolanaTransactionInput = object
/** A signed transaction as it comes back: of the kind that was given; of a message of `@solana/kit` it is a transaction of it. */
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
/** Signing and sending by an embedded Solana wallet; see {@link Kit.solana}. */
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
