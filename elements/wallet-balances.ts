import type { ErrorCode } from '../src/errors/codes.ts'
import type { Balance, Kit, ManageOptions } from '../src/kit/api.ts'
import { KitElement } from './element.ts'

/**
 * Shows the user who is logged in what their embedded wallets hold: the networks' own coins and the app's tokens.
 * {@link KitElement} describes the attributes and events that all elements share.
 *
 * @tag wallet-balances
 * @summary See what wallets hold.
 *
 * @fires {CustomEvent<{ balances: readonly Balance[] }>} lk-balances - A balance was read
 * @example
 * const balances = document.createElement('wallet-balances')
 * document.body.append(balances)
 * await balances.show()
 */
export class WalletBalances extends KitElement {
  static readonly tag: string = 'wallet-balances'

  /** The balances as they were last read; empty before {@link show} or {@link refresh}. */
  get balances(): readonly Balance[] {
    return this.kit?.balances.get() ?? []
  }

  /**
   * Opens the balances, read anew. Resolves once the user closes them.
   *
   * @param options a signal that closes them
   * @throws KitError `must_be_authenticated`
   * @example
   * const balances = document.createElement('wallet-balances')
   * document.body.append(balances)
   * await balances.show()
   */
  show(options: Omit<ManageOptions, 'surface'> = {}): Promise<void> {
    return this.ask((kit, place) => kit.openBalances({ ...options, ...place }), options.signal)
  }

  /**
   * Reads the balances without showing them. A network that doesn't answer is a `status` of its balances.
   *
   * @returns all balances
   * @throws KitError `must_be_authenticated`
   */
  async refresh(): Promise<readonly Balance[]> {
    const kit = await this.use()
    return kit.balances.refresh()
  }

  protected override get exitCode(): ErrorCode {
    return 'exited_update_flow'
  }

  protected override start(): Promise<unknown> {
    return this.show()
  }

  protected override listen(kit: Kit): (() => void)[] {
    return [kit.balances.subscribe(() => this.emit('lk-balances', { balances: kit.balances.get() }))]
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'wallet-balances': WalletBalances
  }
}
