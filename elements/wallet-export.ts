import type { RecoveryUiOptions } from '../src/kit-api.ts'
import { KitElement } from './element.ts'

/**
 * Shows the person who is logged in the private key of their embedded wallet, or its recovery phrase, in a frame of
 * the vault: no key ever reaches the page. What all elements have in common, attributes and events included, is told
 * at {@link KitElement}.
 *
 * @tag wallet-export
 * @summary Show a person their wallet's key.
 */
export class WalletExport extends KitElement {
  static readonly tag: string = 'wallet-export'

  /**
   * Opens the dialog with the vault's frame and resolves when it is closed. Rejects with a `KitError`:
   * `must_be_authenticated`, `embedded_wallet_not_found`, or what went wrong.
   */
  export(options: Omit<RecoveryUiOptions, 'surface'> = {}): Promise<void> {
    return this.ask((kit, place) => kit.exportWallet({ ...options, ...place }), options.signal, false)
  }

  protected override get exitCode(): string {
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
