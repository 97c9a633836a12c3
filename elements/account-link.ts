import type { ErrorCode } from '../src/errors/codes.ts'
import type { AccountToUnlink, Kit, LinkOptions, UnlinkOptions, UpdateOptions } from '../src/kit/api.ts'
import type { LoginMethod } from '../src/protocol/login-method.ts'
import type { User } from '../src/protocol/user.ts'
import { text } from './base/host.ts'
import { KitElement } from './element.ts'

/**
 * Adds an account to the person who is logged in, takes one off them, or replaces their e-mail address or phone number.
 * {@link KitElement} describes the attributes and events that all elements share.
 *
 * @tag account-link
 * @summary Link, unlink and update accounts.
 *
 * @attr {string} method - What {@link link} adds unless it is told: a login method, such as `email`, `google` or `wallet`
 *
 * @fires {CustomEvent<AccountChange>} lk-link - An account was added
 * @fires {CustomEvent<AccountChange>} lk-unlink - An account was taken off
 * @fires {CustomEvent<AccountChange>} lk-update - An e-mail address or a phone number was replaced
 * @fires {CustomEvent<{ method: string, account: string }>} lk-transfer-request - The account belongs to another user, who
 * would be deleted by taking it over; `preventDefault()` keeps that from being offered
 * @example
 * const link = document.createElement('account-link')
 * link.setAttribute('method', 'google')
 * link.addEventListener('lk-link', ({ detail }) => console.log(detail.method))
 * document.body.append(link)
 */
export class AccountLink extends KitElement {
  static readonly tag: string = 'account-link'
  static override readonly rules = { ...KitElement.rules, method: text } as const

  /** What {@link link} adds unless it is told: a login method. */
  get method(): LoginMethod | undefined {
    return this.readText('method') as LoginMethod | undefined
  }
  set method(value: LoginMethod | undefined) {
    this.write('method', value)
  }

  /**
   * Lets the person add an account, and resolves with them as they are then. Rejects with a `KitError`:
   * `must_be_authenticated`; `cannot_link_more_of_type`; `exited_link_flow` when the dialog was closed;
   * `failed_to_link_account`, or the server's code; `invalid_configuration` without a method.
   */
  link(
    method: LoginMethod | undefined = this.method,
    options: Omit<LinkOptions, 'surface'> = {},
  ): Promise<User> {
    return this.#change(options, (kit, place) => kit.link(method as LoginMethod, place))
  }

  /**
   * Unlinks an account from the person, and resolves with them as they are then. Only their last way in opens a dialog, which asks
   * them first. Rejects with a `KitError`: `must_be_authenticated`, `linked_account_not_found`, `not_supported`,
   * `exited_link_flow` when they keep it, or the server's code.
   */
  unlink(account: AccountToUnlink, options: Omit<UnlinkOptions, 'surface'> = {}): Promise<User> {
    return this.#change(options, (kit, place) => kit.unlink(account, place))
  }

  /**
   * Lets the person replace their e-mail address or phone number, and resolves with them as they are then. Rejects with a
   * `KitError`: `must_be_authenticated`, `failed_to_update_account`, `exited_update_flow` when the dialog was closed, or
   * the server's code.
   */
  update(kind: 'email' | 'phone', options: Omit<UpdateOptions, 'surface'> = {}): Promise<User> {
    return this.#change(options, (kit, place) =>
      kind === 'phone' ? kit.updatePhone(place) : kit.updateEmail(place),
    )
  }

  #change<Options extends UnlinkOptions>(
    options: Options,
    change: (kit: Kit, options: Options) => Promise<User>,
  ): Promise<User> {
    return this.ask((kit, place) => change(kit, { ...options, ...place }), options.signal, false)
  }

  protected override get exitCode(): ErrorCode {
    return 'exited_link_flow'
  }

  protected override start(): Promise<unknown> | undefined {
    return this.method && this.link()
  }

  protected override listen(kit: Kit): (() => void)[] {
    return [
      kit.on('linked', (detail) => this.emit('lk-link', detail)),
      kit.on('unlinked', (detail) => this.emit('lk-unlink', detail)),
      kit.on('updated', (detail) => this.emit('lk-update', detail)),
      kit.on('transfer-request', ({ method, account, refuse }) => {
        if (!this.emit('lk-transfer-request', { method, account }, true)) refuse()
      }),
    ]
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'account-link': AccountLink
  }
}
