import type { ErrorCode } from '../src/errors/codes.ts'
import type { Kit, RecoveryUiOptions, SetRecoveryOptions } from '../src/kit/api.ts'
import type { WalletAccount } from '../src/protocol/user.ts'
import { KitElement } from './element.ts'

/**
 * Lets the person who is logged in choose how their embedded wallet is recovered on another device. {@link
 * KitElement} describes the attributes and events that all elements share.
 *
 * @tag wallet-recovery
 * @summary Back up an embedded wallet.
 *
 * @fires {CustomEvent<{ method: string, wallet: WalletAccount }>} lk-recovery - The recovery method has
 * changed
 * @example
 * const recovery = document.createElement('wallet-recovery')
 * document.body.append(recovery)
 * const method = await recovery.setRecovery()
 */
export class WalletRecovery extends KitElement {
  static readonly tag: string = 'wallet-recovery'

  /**
   * Lets the person choose among the recovery methods of the app. The old one works until the new one is
   * confirmed. Resolves with its name: `user-passcode`, `google-drive`, `icloud`, or the automatic one's.
   * Rejects with a `KitError`: `must_be_authenticated`, `embedded_wallet_not_found`,
   * `user_exited_set_password_flow` when the dialog was closed, or what went wrong.
   */
  setRecovery(options: Omit<SetRecoveryOptions, 'surface'> = {}): Promise<string> {
    return this.ask((kit, place) => kit.setWalletRecovery({ ...options, ...place }), options.signal, false)
  }

  /** Sets or replaces a recovery password. Resolves with the wallet; rejects as {@link setRecovery} does. */
  setPassword(options: Omit<RecoveryUiOptions, 'surface'> = {}): Promise<WalletAccount> {
    return this.ask((kit, place) => kit.setWalletPassword({ ...options, ...place }), options.signal, false)
  }

  protected override get exitCode(): ErrorCode {
    return 'user_exited_set_password_flow'
  }

  protected override start(): Promise<unknown> {
    return this.setRecovery()
  }

  protected override listen(kit: Kit): (() => void)[] {
    return [kit.on('recovery', (detail) => this.emit('lk-recovery', detail))]
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'wallet-recovery': WalletRecovery
  }
}
