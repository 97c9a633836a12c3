import type { ErrorCode } from '../src/errors/codes.ts'
import type { ConnectedWallet, ConnectWalletOptions, Kit } from '../src/kit/api.ts'
import { KitElement } from './element.ts'

/**
 * Connects an external wallet without logging in. {@link KitElement} describes the attributes and events that
 * all elements share.
 *
 * @tag wallet-connector
 * @summary Connect a wallet, and which are connected.
 *
 * @fires {CustomEvent<{ wallet: ConnectedWallet }>} lk-connect - A wallet is connected: newly, or again after
 * the page was loaded
 * @fires {CustomEvent<{ wallet: ConnectedWallet }>} lk-disconnect - A wallet is no longer connected
 * @fires {CustomEvent<{ wallets: readonly ConnectedWallet[] }>} lk-wallets - The connected wallets have
 * changed: a wallet, its account or its chain
 * @example
 * const connector = document.createElement('wallet-connector')
 * document.body.append(connector)
 * const { address } = await connector.connect()
 */
export class WalletConnector extends KitElement {
  static readonly tag: string = 'wallet-connector'

  /** The connected wallets, the active one first. */
  get wallets(): readonly ConnectedWallet[] {
    return this.kit?.wallets.get() ?? []
  }

  /**
   * Opens the list of wallets and resolves with the one that the person connected. A second call while the
   * dialog is open joins the first. Rejects with a `KitError`: `generic_connect_wallet_error` when the dialog
   * was closed, or what went wrong.
   */
  connect(options: Omit<ConnectWalletOptions, 'surface'> = {}): Promise<ConnectedWallet> {
    return this.ask((kit, place) => kit.connectWallet({ ...options, ...place }), options.signal)
  }

  protected override get exitCode(): ErrorCode {
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
