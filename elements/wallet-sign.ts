import { KitError } from '../src/errors/kit-error.ts'
import type { Kit, SignOptions } from '../src/kit/api.ts'
import { KitElement } from './element.ts'

/** What to sign, and how to ask for it. */
export interface SignRequest extends Omit<SignOptions, 'surface'> {
  message: string
}

/**
 * Asks the person who is logged in to sign a message with their embedded wallet. {@link KitElement} describes
 * the attributes and events that all elements share. Setting `open` starts nothing here, because signing
 * needs a message.
 *
 * @tag wallet-sign
 * @summary Sign a message.
 *
 * @fires {CustomEvent<{ message: string }>} lk-sign-request - Fired before the dialog opens;
 * `preventDefault()` refuses the signature
 * @fires {CustomEvent<{ signature: string, address: string }>} lk-signature - A message was signed
 */
export class WalletSign extends KitElement {
  static readonly tag: string = 'wallet-sign'
  /**
   * Shows a message and resolves with its signature (EIP-191). Rejects with a `KitError`: `unable_to_sign`
   * when the person declines or the page vetoes it, `must_be_authenticated`, `flow_in_progress` while another
   * request is open.
   */
  sign(request: string | SignRequest): Promise<string> {
    const { message, signal, ...options } = typeof request === 'string' ? { message: request } : request
    if (!this.emit('lk-sign-request', { message }, true))
      return Promise.reject(new KitError('unable_to_sign', 'The page refused the signature'))
    return this.ask(
      async (kit, place) => (await kit.signMessage({ message }, { ...options, ...place })).signature,
      signal,
      false,
    )
  }

  protected override get exitCode(): string {
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
