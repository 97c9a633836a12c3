import type { Kit, LoginOptions } from '../src/kit-api.ts'
import type { User } from '../src/wire/user.ts'
import { KitElement } from './element.ts'

/**
 * Logs people in: in a dialog over the page, or inside the page.
 *
 * @tag login-modal
 * @summary Log in, log out, and who is logged in.
 *
 * @attr {string} app-id - The app's id, 25 characters; elements with the same id share one sign-in
 * @attr {string} api-url - Base address of the API; https, or http on localhost
 * @attr {string} client-id - The app client's id, where the app has several
 * @attr {string} vault-url - Base address of the vault; the API's where it isn't set
 * @attr {boolean} open - Whether the dialog is on screen; set it to open, remove it to close
 * @attr {boolean} inline - Stands in the page instead of over it, without a close button
 * @attr {'auto'|'light'|'dark'} theme - The app's own theme where it isn't set
 * @attr {string} accent - A CSS hex colour, from which the whole theme is derived
 * @attr {string} lang - The language; the nearest ancestor's where it isn't set
 * @attr {'ltr'|'rtl'} dir - The direction of writing; the page's where it isn't set
 * @attr {'on'|'off'} analytics - `off`: nothing is posted to the app's analytics
 *
 * @fires {CustomEvent} lk-ready - The element can act, and `user` is what it is
 * @fires {CustomEvent<{ intent: string }>} lk-open - The dialog is on screen; not when the page set `open` itself
 * @fires {CustomEvent<{ reason: 'escape' | 'backdrop' | 'button' }>} lk-close-request - Somebody wants to close it; `preventDefault()` keeps it open
 * @fires {CustomEvent<{ completed: boolean, code?: string }>} lk-close - The dialog is gone; not when the page took `open` away itself
 * @fires {CustomEvent<{ screen: string, from: string | null }>} lk-step - A screen is shown: names only
 * @fires {CustomEvent<{ code: string, message: string, retryable: boolean }>} lk-error - A failure that the page may want to log
 * @fires {CustomEvent<LoginDetails['lk-login']>} lk-login - Somebody logged in
 * @fires {CustomEvent} lk-logout - Nobody is logged in any more
 * @fires {CustomEvent<{ user: User | null }>} lk-user - The user changed
 */
export class LoginModal extends KitElement {
  static readonly tag: string = 'login-modal'

  #login: Promise<User> | undefined

  /** Who is logged in. */
  get user(): User | null {
    return this.kit?.user ?? null
  }

  /**
   * Opens the dialog and resolves with the person once they are in. Somebody who is logged in already is returned at
   * once. A second call while the dialog is open joins the first. Rejects with a `KitError`: `exited_auth_flow` when
   * the dialog was closed, or what went wrong.
   */
  login(options: Omit<LoginOptions, 'surface'> = {}): Promise<User> {
    this.#login ??= this.begin(
      this.use(),
      (kit, signal) => kit.login({ ...options, signal, surface: this }),
      options.signal,
    ).finally(() => {
      this.#login = undefined
    })
    return this.join(this.#login, options.signal)
  }

  /** Ends the session here, in the other tabs and at the server. */
  async logout(): Promise<void> {
    await (await this.use()).logout()
  }

  /** A token that is good for at least 30 s, refreshed when it must be; `null` when nobody is logged in. */
  async getAccessToken(): Promise<string | null> {
    return (await this.use()).getAccessToken()
  }

  protected override start(): Promise<unknown> {
    return this.login()
  }

  protected override listen(kit: Kit): (() => void)[] {
    return [
      kit.on('login', (detail) => this.emit('lk-login', detail)),
      kit.on('logout', () => this.emit('lk-logout')),
      kit.on('user', (detail) => this.emit('lk-user', detail)),
    ]
  }
}
