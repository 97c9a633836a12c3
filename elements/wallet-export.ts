import type { ErrorCode } from '../src/errors/codes.ts'
import type { RecoveryUiOptions } from '../src/kit/api.ts'
import { KitElement } from './element.ts'

/**
 * Shows the private key or recovery phrase of an embedded wallet to the person who is logged in, in the vault's
 * own window (in a compatible app, in its frame): no key ever reaches the page. {@link KitElement} describes the
 * attributes and events that all elements share.
 *
 * @tag wallet-export
 * @summary Show a person their wallet's key.
 * @example
 * const exporter = document.createElement('wallet-export')
 * document.body.append(exporter)
 * await exporter.export()
 */
export class WalletExport extends KitElement {
  static readonly tag: string = 'wallet-export'

  /**
   * Opens the dialog from which the vault shows the key, and resolves when it is closed. Rejects with a `KitError`:
   * `must_be_authenticated`, `embedded_wallet_not_found`, or what went wrong.
   */
  export(options: Omit<RecoveryUiOptions, 'surface'> = {}): Promise<void> {
    return this.ask((kit, place) => kit.exportWallet({ ...options, ...place }), options.signal, false)
  }

  protected override get exitCode(): ErrorCode {
    return 'unknown_embedded_wallet_error'
  }

  protected override start(): Promise<unknown> {
    return this.export()
  }

  protected override listen(): (() => void)[] {
    return []
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'wallet-export': WalletExport
  }
}
