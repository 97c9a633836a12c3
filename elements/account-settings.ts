import type { ErrorCode } from '../src/errors/codes.ts'
import type { Kit, ManageOptions, RemoveDeviceOptions } from '../src/kit/api.ts'
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
 * @fires {CustomEvent<{ count: number }>} lk-device-request - New devices of the user wait for this one to approve them
 * @fires {CustomEvent<{ required: boolean }>} lk-device-proof-missing - The user's wallet lives in one browser alone
 * @example
 * const settings = document.createElement('account-settings')
 * document.body.append(settings)
 * const user = await settings.manage()
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

  /**
   * Has the user decide, in the vault's own window, about a new device that waits for this one. Resolves with what they have decided:
   * `none` if nothing was waiting any more. Rejects with a `KitError`: `must_be_authenticated`, `wallet_enrolment_required` where this
   * device can't use the wallets itself, or what went wrong.
   */
  approveDevice(options: Omit<RemoveDeviceOptions, 'surface'> = {}): Promise<'approved' | 'denied' | 'none'> {
    return this.ask((kit, place) => kit.devices.approve({ ...options, ...place }), options.signal, false)
  }

  /**
   * Offers the user a proof with which they can use their wallet on another device: a passkey of the vault, or a recovery password.
   * Resolves with whether they have added one.
   */
  addDeviceProof(options: Omit<RemoveDeviceOptions, 'surface'> = {}): Promise<boolean> {
    return this.ask((kit, place) => kit.devices.addProof({ ...options, ...place }), options.signal, false)
  }

  protected override get exitCode(): ErrorCode {
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
      kit.on('device-request', (detail) => this.emit('lk-device-request', detail)),
      kit.on('device-proof-missing', (detail) => this.emit('lk-device-proof-missing', detail)),
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
