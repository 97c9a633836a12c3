import type { ErrorCode } from '../src/errors/codes.ts'
import type { ActivityEntry, Kit, ManageOptions } from '../src/kit/api.ts'
import { KitElement } from './element.ts'

/**
 * Shows the user who is logged in what their wallets sent from this browser, and what became of it. There they speed up or cancel a
 * pending Ethereum transaction, and send a dropped one again. {@link KitElement} describes the attributes and events that all elements
 * share.
 *
 * @tag wallet-activity
 * @summary See what was sent.
 *
 * @fires {CustomEvent<{ activity: readonly ActivityEntry[] }>} lk-activity - A transaction was sent, or its state has changed
 * @example
 * const activity = document.createElement('wallet-activity')
 * document.body.append(activity)
 * await activity.show()
 */
export class WalletActivity extends KitElement {
  static readonly tag: string = 'wallet-activity'

  /**
   * Opens the activity. Resolves once the user closes it.
   *
   * @param options a signal that closes it
   * @throws KitError `must_be_authenticated`
   * @example
   * const activity = document.createElement('wallet-activity')
   * document.body.append(activity)
   * await activity.show()
   */
  show(options: Omit<ManageOptions, 'surface'> = {}): Promise<void> {
    return this.ask((kit, place) => kit.openActivity({ ...options, ...place }), options.signal)
  }

  /** What the user's wallets sent from this browser, newest first; empty before there is a kit. */
  get activity(): readonly ActivityEntry[] {
    return this.kit?.activity.get() ?? []
  }

  protected override get exitCode(): ErrorCode {
    return 'exited_update_flow'
  }

  protected override start(): Promise<unknown> {
    return this.show()
  }

  protected override listen(kit: Kit): (() => void)[] {
    return [kit.activity.subscribe(() => this.emit('lk-activity', { activity: kit.activity.get() }))]
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'wallet-activity': WalletActivity
  }
}
