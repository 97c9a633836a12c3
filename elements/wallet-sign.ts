import type { ErrorCode } from '../src/errors/codes.ts'
import { KitError } from '../src/errors/kit-error.ts'
import type {
  Kit,
  SignTransactionOptions,
  TransactionRequestInput,
  TypedDataInput,
  TypedDataSignature,
} from '../src/kit/api.ts'
import { KitElement } from './element.ts'

/** A message, typed data (EIP-712) or a transaction to sign, and how the user reviews it. */
export type SignRequest = (
  | { message: string }
  | { typedData: TypedDataInput }
  | { transaction: TransactionRequestInput }
) &
  Omit<SignTransactionOptions, 'surface'>

/** Typed data whose permit the user may lower: the page uses what was signed, in place of what it has asked for. */
export interface EditableSignRequest extends Omit<SignTransactionOptions, 'surface'> {
  typedData: TypedDataInput
  acceptsEdited: true
}

/**
 * Asks the user who is logged in to sign with their embedded wallet. {@link KitElement} describes
 * the attributes and events that all elements share. Setting `open` starts nothing here, because signing
 * needs something to sign.
 *
 * @tag wallet-sign
 * @summary Sign a message, typed data or a transaction.
 *
 * @fires {CustomEvent<{ message: string } | { typedData: object } | { transaction: object }>} lk-sign-request - Fired before the dialog opens;
 * `preventDefault()` refuses the signature
 * @fires {CustomEvent<{ signature: string, address: string }>} lk-signature - A message or typed data was signed
 * @example
 * const signer = document.createElement('wallet-sign')
 * document.body.append(signer)
 * const signature = await signer.sign('Hello')
 */
export class WalletSign extends KitElement {
  static readonly tag: string = 'wallet-sign'
  /**
   * Displays typed data whose permit (EIP-2612, Permit2) the user may lower. Resolves with the signature, and with the `typedData` that
   * were signed where the user has lowered it.
   *
   * @param request typed data, with `acceptsEdited: true`
   * @throws KitError as {@link Kit.signTypedData}, and `unable_to_sign` when the page vetoes it
   * @example
   * const permit = { domain: {}, types: {}, primaryType: 'Permit', message: {} }
   * const signer = document.createElement('wallet-sign')
   * document.body.append(signer)
   * const { signature, typedData = permit } = await signer.sign({ typedData: permit, acceptsEdited: true })
   */
  sign(request: EditableSignRequest): Promise<TypedDataSignature>
  /**
   * Displays what is to be signed, and resolves with the signature; for a transaction, with the signed transaction, which is not
   * sent. Text is short for `{ message: text }` (EIP-191). Further calls wait for their turn in the same dialog.
   *
   * @throws KitError `unable_to_sign` when the user declines or the page vetoes it, `must_be_authenticated`, or what
   * {@link Kit.signMessage}, {@link Kit.signTypedData} and {@link Kit.signTransaction} throw
   */
  sign(request: string | SignRequest): Promise<string>
  sign(request: string | SignRequest | EditableSignRequest): Promise<string | TypedDataSignature> {
    const asked: SignRequest | EditableSignRequest =
      typeof request === 'string' ? { message: request } : request
    const { uiOptions, address, signal, ...named } = asked
    const { acceptsEdited, ...what } = { acceptsEdited: false, ...named }
    if (!this.emit('lk-sign-request', what, true))
      return Promise.reject(new KitError('unable_to_sign', 'The page refused the signature'))
    const options = { ...(uiOptions && { uiOptions }), ...(address !== undefined && { address }) }
    return this.ask(
      async (kit, place) => {
        const shown = { ...options, ...place }
        if ('typedData' in what) {
          if (acceptsEdited) return kit.signTypedData(what.typedData, { ...shown, acceptsEdited })
          return (await kit.signTypedData(what.typedData, shown)).signature
        }
        if ('transaction' in what)
          return (await kit.signTransaction(what.transaction, shown)).signedTransaction
        return (await kit.signMessage({ message: what.message }, shown)).signature
      },
      signal,
      'queued',
    )
  }

  protected override get exitCode(): ErrorCode {
    return 'unable_to_sign'
  }

  protected override start(): undefined {}

  protected override listen(kit: Kit): (() => void)[] {
    return [kit.on('signature', (detail) => this.emit('lk-signature', detail))]
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'wallet-sign': WalletSign
  }
}
