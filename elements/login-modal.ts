import type { Kit, LoginOptions } from '../src/kit/api.ts'
import type { User } from '../src/protocol/user.ts'
import { KitElement } from './element.ts'

/**
 * Logs people in, in a dialog over the page or inside it. {@link KitElement} describes the attributes
 * and events that all elements share.
 *
 * @tag login-modal
 * @summary Log in, log out, and who is logged in.
 *
 * @slot logo - In place of the app's logo on the first screen
 * @slot method - Under the login methods of the first screen, such as a button for the page's own login
 * @slot legal - In place of the links to the terms and the privacy policy
 *
 * @fires {CustomEvent<KitEvents['login']>} lk-login - Somebody logged in
 * @fires {CustomEvent} lk-logout - Nobody is logged in any more
 * @fires {CustomEvent<{ user: User | null }>} lk-user - The user changed, or was known before the element came
 * @fires {CustomEvent<KitEvents['oauth-tokens']>} lk-oauth-tokens - A social provider gave the app tokens of
 * its own
 * @example
 * const modal = document.createElement('login-modal')
 * modal.setAttribute('app-id', 'cm0000000000000000000harb')
 * modal.addEventListener('lk-login', ({ detail }) => console.log(detail.user.id))
 * document.body.append(modal)
 * const user = await modal.login()
 */
export class LoginModal extends KitElement {
  static readonly tag: string = 'login-modal'

  /** Whom the page was last told of. */
  #told: User | null = null

  /** The person who is logged in. */
  get user(): User | null {
    return this.kit?.user ?? null
  }

  /**
   * Opens the dialog and resolves with the person once they are logged in; at once if they already are. A
   * second call while the dialog is open joins the first. Rejects with a `KitError`: `exited_auth_flow` when
   * the dialog was closed, or what went wrong.
   */
  login(options: Omit<LoginOptions, 'surface'> = {}): Promise<User> {
    return this.ask((kit, place) => kit.login({ ...options, ...place }), options.signal)
  }

  /** Ends the session here, in the other tabs and at the server. */
  async logout(): Promise<void> {
    await (await this.use()).logout()
  }

  /**
   * An access token that is good for at least 30 s, refreshed if necessary; `null` when nobody is logged in.
   */
  async getAccessToken(): Promise<string | null> {
    return (await this.use()).getAccessToken()
  }

  protected override start(): Promise<unknown> {
    return this.login()
  }

  /** Also tells an element that came late, or was away meanwhile. */
  protected override announceUser(user: User | null): void {
    if (user === this.#told) return
    this.#told = user
    this.emit('lk-user', { user })
  }

  protected override listen(kit: Kit): (() => void)[] {
    return [
      kit.on('login', (detail) => this.emit('lk-login', detail)),
      kit.on('logout', () => this.emit('lk-logout')),
      kit.on('oauth-tokens', (detail) => this.emit('lk-oauth-tokens', detail)),
    ]
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'login-modal': LoginModal
  }
}
