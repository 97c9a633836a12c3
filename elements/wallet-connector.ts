import type { ConnectedWallet, ConnectWalletOptions, Kit } from '../src/kit-api.ts'
import { KitElement } from './element.ts'

/**
 * Connects a wallet that the person has, without logging in. What all elements have in common, attributes and events
 * included, is told at {@link KitElement}.
 *
 * @tag wallet-connector
 * @summary Connect a wallet, and which are connected.
 *
 * @fires {CustomEvent<{ wallet: ConnectedWallet }>} lk-connect - A wallet is connected: newly, or again after the page was loaded
 * @fires {CustomEvent<{ wallet: ConnectedWallet }>} lk-disconnect - It is not any more
 * @fires {CustomEvent<{ wallets: readonly ConnectedWallet[] }>} lk-wallets - What is connected has changed: a wallet, its account or its chain
 */
export class WalletConnector extends KitElement {
  static readonly tag: string = 'wallet-connector'

  /** The wallets that are connected, the active one first. */
  get wallets(): readonly ConnectedWallet[] {
    return this.kit?.wallets.get() ?? []
  }

  /**
   * Opens the list of wallets and resolves with the one that the person has connected. A second call while the dialog
   * is open joins the first. Rejects with a `KitError`: `generic_connect_wallet_error` when the dialog was closed, or
   * what went wrong.
   */
  connect(options: Omit<ConnectWalletOptions, 'surface'> = {}): Promise<ConnectedWallet> {
    return this.ask((kit, place) => kit.connectWallet({ ...options, ...place }), options.signal)
  }

  protected override get exitCode(): string {
    return 'generic_connect_wallet_error'
  }

  protected override start(): Promise<unknown> {
    return this.connect()
  }

  protected override listen(kit: Kit): (() => void)[] {
    return [
      kit.on('connect', (detail) => this.emit('lk-connect', detail)),
      kit.on('disconnect', (detail) => this.emit('lk-disconnect', detail)),
      kit.on('wallets', (detail) => this.emit('lk-wallets', detail)),
    ]
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'wallet-connector': WalletConnector
  }
}
