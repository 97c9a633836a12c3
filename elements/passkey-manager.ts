import type { ErrorCode } from '../src/errors/codes.ts'
import type { Kit, LinkOptions, ManageOptions, UnlinkOptions } from '../src/kit/api.ts'
import type { PasskeyAccount, User } from '../src/protocol/user.ts'
import { KitElement } from './element.ts'

/**
 * Shows the person who is logged in their passkeys, where they add, rename and unlink them. {@link KitElement} describes the
 * attributes and events that all elements share.
 *
 * @tag passkey-manager
 * @summary Look after the passkeys of an account.
 *
 * @fires {CustomEvent<{ passkeys: readonly PasskeyAccount[] }>} lk-passkeys - The person's passkeys have changed
 * @example
 * const manager = document.createElement('passkey-manager')
 * document.body.append(manager)
 * const passkeys = await manager.manage()
 */
export class PasskeyManager extends KitElement {
  static readonly tag: string = 'passkey-manager'

  /**
   * Shows the passkeys. Resolves, when the person closes them, with those that they have then. Rejects with a `KitError`:
   * `must_be_authenticated`; `session_changed` when somebody else has logged in meanwhile.
   */
  manage(options: Omit<ManageOptions, 'surface'> = {}): Promise<readonly PasskeyAccount[]> {
    return this.ask((kit, place) => kit.passkeys.manage({ ...options, ...place }), options.signal, false)
  }

  /**
   * Lets the person make another passkey. Resolves with all of theirs. Rejects with a `KitError`: `must_be_authenticated`,
   * `cannot_link_more_of_type` if they have five, `exited_link_flow` when the dialog was closed, `failed_to_link_account`, or
   * the server's code.
   */
  add(options: Pick<LinkOptions, 'signal'> = {}): Promise<readonly PasskeyAccount[]> {
    return this.ask(
      async (kit, place) => passkeysOf(await kit.link('passkey', { ...options, ...place })),
      options.signal,
      false,
    )
  }

  /**
   * Unlinks a passkey. Resolves with those that are left. Rejects with a `KitError`: `must_be_authenticated`,
   * `linked_account_not_found`, `not_supported` for one that is enrolled in MFA, `exited_link_flow` when it is the last way in
   * and they keep it, or the server's code.
   */
  unlink(
    credentialId: string,
    options: Pick<UnlinkOptions, 'signal'> = {},
  ): Promise<readonly PasskeyAccount[]> {
    return this.ask(
      async (kit, place) =>
        passkeysOf(await kit.unlink({ type: 'passkey', credentialId }, { ...options, ...place })),
      options.signal,
      false,
    )
  }

  /** Gives a passkey a name of 1 to 64 visible characters. Resolves with all of them; rejects as `kit.passkeys.rename` does. */
  async rename(credentialId: string, name: string): Promise<readonly PasskeyAccount[]> {
    const kit = await this.use()
    return passkeysOf(await kit.passkeys.rename(credentialId, name))
  }

  protected override get exitCode(): ErrorCode {
    return 'exited_update_flow'
  }

  protected override start(): Promise<unknown> {
    return this.manage()
  }

  protected override listen(kit: Kit): (() => void)[] {
    let before = kit.user
    return [
      kit.on('user', ({ user }) => {
        const passkeys = passkeysOf(user)
        // Another person's passkeys are no change of these.
        const samePerson = before !== null && before.id === user?.id
        const changed = samePerson && JSON.stringify(passkeysOf(before)) !== JSON.stringify(passkeys)
        before = user
        if (changed) this.emit('lk-passkeys', { passkeys })
      }),
    ]
  }
}

const passkeysOf = (user: User | null): readonly PasskeyAccount[] =>
  user?.linkedAccounts.filter((account) => account.type === 'passkey') ?? []

declare global {
  interface HTMLElementTagNameMap {
    'passkey-manager': PasskeyManager
  }
}
