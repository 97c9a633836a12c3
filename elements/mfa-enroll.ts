import type { ErrorCode } from '../src/errors/codes.ts'
import type { Kit, MfaOptions } from '../src/kit/api.ts'
import type { MfaMethod } from '../src/mfa/methods.ts'
import { KitElement } from './element.ts'

/**
 * Lets the person who is logged in protect their wallets by a second factor: an authenticator app, text messages or passkeys.
 * {@link KitElement} describes the attributes and events that all elements share.
 *
 * @tag mfa-enroll
 * @summary Set up second factors.
 *
 * @fires {CustomEvent<{ methods: readonly MfaMethod[] }>} lk-mfa - The person's second factors have changed
 * @fires {CustomEvent<{ methods: readonly MfaMethod[] }>} lk-mfa-required - A request waits until the page has had the person
 * verified (`mfa.noPromptOnMfaRequired`)
 * @example
 * const factors = document.createElement('mfa-enroll')
 * document.body.append(factors)
 * const methods = await factors.enroll({ method: 'totp' })
 */
export class MfaEnroll extends KitElement {
  static readonly tag: string = 'mfa-enroll'

  /**
   * Lets the person add second factors and take them away; with `method`, enrols that one. Resolves with what they have then.
   * Rejects with a `KitError`: `must_be_authenticated`, `mfa_canceled` when the dialog was closed, or what went wrong.
   */
  enroll(options: Omit<MfaOptions, 'surface'> & { method?: MfaMethod } = {}): Promise<readonly MfaMethod[]> {
    return this.ask((kit, place) => kit.mfa.enroll({ ...options, ...place }), options.signal, false)
  }

  /**
   * Removes a factor, once the person has agreed and is verified. Resolves with what is left; rejects as {@link enroll} does.
   */
  override remove(method: MfaMethod, options?: Omit<MfaOptions, 'surface'>): Promise<readonly MfaMethod[]>
  /** Takes the element out of the page. */
  override remove(): void
  override remove(
    method?: MfaMethod,
    options: Omit<MfaOptions, 'surface'> = {},
  ): Promise<readonly MfaMethod[]> | undefined {
    if (method === undefined) return void super.remove()
    return this.ask((kit, place) => kit.mfa.remove(method, { ...options, ...place }), options.signal, false)
  }

  protected override get exitCode(): ErrorCode {
    return 'mfa_canceled'
  }

  protected override start(): Promise<unknown> {
    return this.enroll()
  }

  protected override listen(kit: Kit): (() => void)[] {
    return [
      kit.on('mfa', (detail) => this.emit('lk-mfa', detail)),
      kit.on('mfa-required', (detail) => this.emit('lk-mfa-required', detail)),
    ]
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'mfa-enroll': MfaEnroll
  }
}
