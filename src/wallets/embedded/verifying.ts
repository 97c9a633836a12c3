import { KitError } from '../../errors/kit-error.ts'
import { type FrameEvent, frameEvents, type MfaPurpose, mfaPurposeOf } from '../../protocol/frame/calls.ts'
import type { VaultProxy } from './proxy.ts'

/** What a person gives to be verified, as it goes along with a request. */
export interface MfaFields {
  readonly mfaMethod: string
  readonly mfaCode: string | object
  readonly relyingParty?: string
}

/** Has the person verified where the vault wants that. */
export interface Verifying {
  /**
   * Does a request again once the person is verified. Throws `mfa_canceled`, `mfa_timeout`,
   * `mfa_verification_max_attempts_reached`, or what the request throws.
   */
  verified<T>(
    purpose: MfaPurpose,
    request: (given?: MfaFields) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T>
}

/** Nothing of these needs a second factor (docs/protocol.md, "Second factors in the frame"). */
const unguarded: ReadonlySet<FrameEvent> = new Set([
  frameEvents.ready,
  frameEvents.clearMfa,
  frameEvents.createWallet,
  frameEvents.importWallet,
])

/**
 * A proxy whose requests are made again once the person is verified, where the vault wants that: the one place that knows how
 * second factors and requests belong together.
 */
export function verifyingProxy(proxy: VaultProxy, person: Verifying): VaultProxy {
  return {
    prepare: proxy.prepare,
    get isReady() {
      return proxy.isReady
    },
    close: proxy.close,
    async ask(event, data, options) {
      const attempt = (given?: MfaFields) => proxy.ask(event, { ...data, ...given }, options)
      try {
        // Whoever was verified for it just now is not asked again: only the vault and the server know that.
        return await attempt()
      } catch (cause) {
        const wanted = cause instanceof KitError && cause.code === 'missing_or_invalid_mfa'
        if (unguarded.has(event) || !wanted) throw cause
      }
      return person.verified(mfaPurposeOf[event] ?? 'use', attempt, options.signal)
    },
  }
}
