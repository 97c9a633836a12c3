import type { ErrorCode } from '../src/errors/codes.ts'
import { KitError } from '../src/errors/kit-error.ts'
import type {
  Kit,
  SendPrefill,
  SentByForm,
  SentTransaction,
  SignTransactionOptions,
  TransactionRequestInput,
} from '../src/kit/api.ts'
import { KitElement } from './element.ts'

/** An Ethereum transaction, and how the user reviews it. */
export interface SendRequest extends TransactionRequestInput, Omit<SignTransactionOptions, 'surface'> {}

/**
 * Lets the user who is logged in send. Without a request it is a form: what to whom, how much, from which wallet. With one, the user
 * reviews that transaction. Then it is sent, and the user sees what becomes of it. {@link KitElement} describes the attributes and events
 * that all elements share. Setting `open` opens the form.
 *
 * @tag wallet-send
 * @summary Send coins and tokens, or a transaction.
 *
 * @fires {CustomEvent<{ transaction: TransactionRequestInput } | { form: SendPrefill }>} lk-send-request - Fired before the
 * dialog opens; `preventDefault()` refuses it
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

  #prefill: SendPrefill | undefined

  /** Initial values of the form. Never written into the markup. */
  get prefill(): SendPrefill | undefined {
    return this.#prefill
  }
  set prefill(value: SendPrefill | undefined) {
    this.#prefill = value ?? undefined
  }

  /**
   * Opens the form, filled in with {@link prefill}. Resolves with the hash and receipt of what the user sent.
   *
   * @throws KitError `unable_to_sign` when the user closes it or the page vetoes it, otherwise as {@link Kit.openSend}
   * @example
   * const sender = document.createElement('wallet-send')
   * document.body.append(sender)
   * sender.prefill = { to: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F' }
   * const { transactionHash } = await sender.send()
   */
  send(): Promise<SentByForm>
  /**
   * Has the user review a transaction, sends it, and resolves with its hash and receipt.
   *
   * @param request the transaction, with the options of {@link Kit.sendTransaction}
   * @throws KitError `unable_to_sign` when the user declines or the page vetoes it, otherwise as {@link Kit.sendTransaction}
   */
  send(request: SendRequest): Promise<SentTransaction>
  send(request?: SendRequest): Promise<SentByForm | SentTransaction> {
    return request === undefined ? this.#openForm() : this.#review(request)
  }

  #openForm(): Promise<SentByForm> {
    const form = { ...this.#prefill }
    if (!this.emit('lk-send-request', { form }, true)) return Promise.reject(refused())
    return this.ask((kit, place) => kit.openSend({ ...form, ...place }), undefined, 'queued')
  }

  #review(request: SendRequest): Promise<SentTransaction> {
    const { uiOptions, address, signal, ...transaction } = request
    if (!this.emit('lk-send-request', { transaction }, true)) return Promise.reject(refused())
    const options = { ...(uiOptions && { uiOptions }), ...(address !== undefined && { address }) }
    return this.ask(
      (kit, place) => kit.sendTransaction(transaction, { ...options, ...place }),
      signal,
      'queued',
    )
  }

  protected override get exitCode(): ErrorCode {
    return 'unable_to_sign'
  }

  protected override start(): Promise<unknown> {
    return this.send()
  }

  protected override listen(kit: Kit): (() => void)[] {
    return [
      kit.on('submitted', (detail) => this.emit('lk-submitted', detail)),
      kit.on('receipt', (detail) => this.emit('lk-receipt', detail)),
    ]
  }
}

const refused = () => new KitError('unable_to_sign', 'The page refused the transaction')

declare global {
  interface HTMLElementTagNameMap {
    'wallet-send': WalletSend
  }
}
