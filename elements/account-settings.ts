import type { Kit, ManageOptions } from '../src/kit/api.ts'
import type { User } from '../src/protocol/user.ts'
import { KitElement } from './element.ts'

/**
 * Shows the person who is logged in what is in their account, and lets them change it: linked accounts, passkeys, second
 * factors, wallets, sessions and devices. {@link KitElement} describes the attributes and events that all elements share.
 *
 * @tag account-settings
 * @summary Look after an account.
 *
 * @fires {CustomEvent<AccountChange>} lk-link - An account was added
 * @fires {CustomEvent<AccountChange>} lk-unlink - An account was taken off
 * @fires {CustomEvent<AccountChange>} lk-update - An e-mail address or a phone number was replaced
 * @fires {CustomEvent<{ method: string, account: string }>} lk-transfer-request - The account belongs to another user, who
 * would be deleted by taking it over; `preventDefault()` keeps that from being offered
 * @fires {CustomEvent<{ method: string, wallet: WalletAccount }>} lk-recovery - The recovery method of a wallet has changed
 */
export class AccountSettings extends KitElement {
  static readonly tag: string = 'account-settings'

  /**
   * Opens the settings. Resolves, when the person closes them, with the person as they are then. Rejects with a `KitError`:
   * `must_be_authenticated`; `session_changed` when somebody else has logged in meanwhile.
   */
  manage(options: Omit<ManageOptions, 'surface'> = {}): Promise<User> {
    return this.ask((kit, place) => kit.manageAccount({ ...options, ...place }), options.signal)
  }

  protected override get exitCode(): string {
    return 'exited_update_flow'
  }

  protected override start(): Promise<unknown> {
    return this.manage()
  }

  protected override listen(kit: Kit): (() => void)[] {
    return [
      kit.on('linked', (detail) => this.emit('lk-link', detail)),
      kit.on('unlinked', (detail) => this.emit('lk-unlink', detail)),
      kit.on('updated', (detail) => this.emit('lk-update', detail)),
      kit.on('recovery', (detail) => this.emit('lk-recovery', detail)),
      kit.on('transfer-request', ({ method, account, refuse }) => {
        if (!this.emit('lk-transfer-request', { method, account }, true)) refuse()
      }),
    ]
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'account-settings': AccountSettings
  }
}
