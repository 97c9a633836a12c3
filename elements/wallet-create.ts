import type { ErrorCode } from '../src/errors/codes.ts'
import type { CreateWalletOptions, Kit } from '../src/kit/api.ts'
import type { WalletAccount } from '../src/protocol/user.ts'
import { KitElement } from './element.ts'

/**
 * Creates an embedded wallet for the person who is logged in. {@link KitElement} describes the attributes and
 * events that all elements share.
 *
 * @tag wallet-create
 * @summary Create an embedded wallet.
 *
 * @fires {CustomEvent<{ wallet: WalletAccount }>} lk-wallet - A wallet was created or imported
 * @example
 * const creator = document.createElement('wallet-create')
 * creator.addEventListener('lk-wallet', ({ detail }) => console.log(detail.wallet.address))
 * document.body.append(creator)
 * await creator.create()
 */
export class WalletCreate extends KitElement {
  static readonly tag: string = 'wallet-create'

  /**
   * Creates the person's first wallet of a chain in a dialog, with a recovery method of their own if the app requires
   * one; further ones need no dialog (`kit.createWallet`). Resolves with the wallet. Rejects with a `KitError`:
   * `must_be_authenticated`, `embedded_wallet_already_exists` (with `walletIndex: 0`, it resolves with that wallet
   * instead), `embedded_wallet_create_error` (also when the dialog was closed).
   */
  create(
    options: Pick<CreateWalletOptions, 'chainType' | 'signal'> & { walletIndex?: 0 } = {},
  ): Promise<WalletAccount> {
    return this.ask(
      (kit, place) => kit.createWallet({ ...options, ...place, dialog: true }),
      options.signal,
      false,
    )
  }

  protected override get exitCode(): ErrorCode {
    return 'embedded_wallet_create_error'
  }

  protected override start(): Promise<unknown> {
    return this.create()
  }

  protected override listen(kit: Kit): (() => void)[] {
    return [kit.on('wallet', (detail) => this.emit('lk-wallet', detail))]
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'wallet-create': WalletCreate
  }
}
