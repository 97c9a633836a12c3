import { KitError } from '../src/errors/kit-error.ts'
import type { Kit, SentTransaction, SignTransactionOptions, TransactionRequestInput } from '../src/kit/api.ts'
import { KitElement } from './element.ts'

/** An Ethereum transaction, and how the user reviews it. */
export interface SendRequest extends TransactionRequestInput, Omit<SignTransactionOptions, 'surface'> {}

/**
 * Has the user who is logged in review a transaction, sends it with their embedded wallet, and displays what becomes of it.
 * {@link KitElement} describes the attributes and events that all elements share. Setting `open` starts nothing here, because
 * sending needs a transaction.
 *
 * @tag wallet-send
 * @summary Send a transaction.
 *
 * @fires {CustomEvent<{ transaction: TransactionRequestInput }>} lk-send-request - Fired before the dialog opens;
 * `preventDefault()` refuses the transaction
 * @fires {CustomEvent<{ transactionHash: string, chain: string, address: string }>} lk-submitted - The network has the transaction
 * @fires {CustomEvent<{ transactionHash: string, receipt: object, chain: string, address: string }>} lk-receipt - The network has
 * confirmed the transaction
 * @example
 * const sender = document.createElement('wallet-send')
 * document.body.append(sender)
 * const { transactionHash } = await sender.send({
 *   to: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
 *   value: 10n ** 15n,
 *   chainId: 8453,
 * })
 */
export class WalletSend extends KitElement {
  static readonly tag: string = 'wallet-send'

  /**
   * Has the user review a transaction, sends it, and resolves with its hash and receipt.
   *
   * @param request the transaction, with the options of {@link Kit.sendTransaction}
   * @throws KitError `unable_to_sign` when the user declines or the page vetoes it, otherwise as {@link Kit.sendTransaction}
   */
  send(request: SendRequest): Promise<SentTransaction> {
    const { uiOptions, address, signal, ...transaction } = request
    if (!this.emit('lk-send-request', { transaction }, true))
      return Promise.reject(new KitError('unable_to_sign', 'The page refused the transaction'))
    const options = { ...(uiOptions && { uiOptions }), ...(address !== undefined && { address }) }
    return this.ask((kit, place) => kit.sendTransaction(transaction, { ...options, ...place }), signal, false)
  }

  protected override get exitCode(): string {
    return 'unable_to_sign'
  }

  protected override start(): undefined {}

  protected override listen(kit: Kit): (() => void)[] {
    return [
      kit.on('submitted', (detail) => this.emit('lk-submitted', detail)),
      kit.on('receipt', (detail) => this.emit('lk-receipt', detail)),
    ]
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'wallet-send': WalletSend
  }
}
