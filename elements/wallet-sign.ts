import { KitError } from '../src/errors/kit-error.ts'
import type { Kit, SignOptions } from '../src/kit-api.ts'
import { KitElement } from './element.ts'

/** What to sign, and how to ask for it. */
export interface SignRequest extends Omit<SignOptions, 'surface'> {
  message: string
}

/**
 * Asks the person who is logged in to sign a message with their embedded wallet.
 *
 * @tag wallet-sign
 * @summary Sign a message.
 *
 * @attr {string} app-id - The app's id, 25 characters; elements with the same id share one sign-in
 * @attr {string} api-url - Base address of the API; https, or http on localhost
 * @attr {string} client-id - The app client's id, where the app has several
 * @attr {string} vault-url - Base address of the vault; the API's where it isn't set
 * @attr {boolean} open - Whether the dialog is on screen; remove it to close
 * @attr {boolean} inline - Stands in the page instead of over it, without a close button
 * @attr {'auto'|'light'|'dark'} theme - The app's own theme where it isn't set
 * @attr {string} accent - A CSS hex colour, from which the whole theme is derived
 * @attr {string} lang - The language; the nearest ancestor's where it isn't set
 * @attr {'ltr'|'rtl'} dir - The direction of writing; the page's where it isn't set
 * @attr {'on'|'off'} analytics - `off`: nothing is posted to the app's analytics
 *
 * @fires {CustomEvent} lk-ready - The element can act
 * @fires {CustomEvent<{ intent: string }>} lk-open - The dialog is on screen
 * @fires {CustomEvent<{ reason: 'escape' | 'backdrop' | 'button' }>} lk-close-request - Somebody wants to close it; `preventDefault()` keeps it open
 * @fires {CustomEvent<{ completed: boolean, code?: string }>} lk-close - The dialog is gone; not when the page took `open` away itself
 * @fires {CustomEvent<{ screen: string, from: string | null }>} lk-step - A screen is shown: names only
 * @fires {CustomEvent<{ code: string, message: string, retryable: boolean }>} lk-error - A failure that the page may want to log
 * @fires {CustomEvent<{ message: string }>} lk-sign-request - Before the dialog; `preventDefault()` refuses the signature
 * @fires {CustomEvent<{ signature: string, address: string }>} lk-signature - A signature was made
 */
export class WalletSign extends KitElement {
  static readonly tag: string = 'wallet-sign'
  #signing = false

  /**
   * Shows a message and resolves with its signature (EIP-191). Rejects with a `KitError`: `unable_to_sign` when the
   * person declines or the page vetoes it, `must_be_authenticated`, `flow_in_progress` while another one is asked for.
   */
  sign(request: string | SignRequest): Promise<string> {
    const { message, signal, ...options } = typeof request === 'string' ? { message: request } : request
    if (this.#signing)
      return Promise.reject(new KitError('flow_in_progress', 'Another signature is being asked for'))
    if (!this.emit('lk-sign-request', { message }, true))
      return Promise.reject(new KitError('unable_to_sign', 'The page refused the signature'))
    this.#signing = true
    const work = this.begin(
      this.use(),
      (kit, own) => kit.signMessage({ message }, { ...options, signal: own, surface: this }),
      signal,
    ).finally(() => {
      this.#signing = false
    })
    return this.join(
      work.then(({ signature }) => signature),
      signal,
    )
  }

  protected override get exitCode(): string {
    return 'unable_to_sign'
  }

  protected override start(): undefined {}

  protected override listen(kit: Kit): (() => void)[] {
    return [kit.on('signature', (detail) => this.emit('lk-signature', detail))]
  }
}
