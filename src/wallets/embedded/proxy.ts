import { KitError } from '../../errors/kit-error.ts'
import { type Clock, TimedOut, within } from '../../lib/clock.ts'
import { isOffline } from '../../lib/online.ts'
import { type FrameCalls, type FrameEvent, vaultAnswers } from '../../protocol/frame/calls.ts'
import { parse, type Schema } from '../../protocol/schema.ts'
import { walletsLimits } from '../limits.ts'
import type { OpenFrame } from './frame-port.ts'
import { loadVault, offline, unreachable, type VaultFrame } from './vault-frame.ts'

const answers: { readonly [E in FrameEvent]: Schema<FrameCalls[E]['answer']> } = vaultAnswers

export interface AskOptions {
  /** Milliseconds to wait for a vault that has not answered yet. */
  readonly ready: number
  /** Milliseconds to wait for the answer. */
  readonly answer?: number
  readonly signal?: AbortSignal | undefined
}

/** Talks to the vault. A frame that never loads, is blocked, crashes or reloads ends in a named error. */
export interface VaultProxy {
  /** Loads the frame ahead of its first use; a failure shows at that use. */
  prepare(): void
  /**
   * Sends the vault a request. A request that a crash or a reload cut short is repeated once, in a new frame.
   * Throws `network_unavailable` while the browser has no network to load the vault with, `vault_unavailable`, `vault_timeout`, `vault_crashed` (all retryable), `malformed_response`, or
   * the vault's own error type.
   */
  ask<E extends FrameEvent>(
    event: E,
    data: FrameCalls[E]['data'],
    options: AskOptions,
  ): Promise<FrameCalls[E]['answer']>
  readonly isReady: boolean
  close(): void
}

export function createVaultProxy(cx: { url: () => string; open: OpenFrame; clock: Clock }): VaultProxy {
  let current: VaultFrame | undefined

  function load(): VaultFrame {
    if (current) return current
    // The browser's own error page would come in its place, and be waited for in vain.
    if (isOffline()) throw offline()
    const frame = loadVault({
      ...cx,
      url: cx.url(),
      ended: () => {
        if (current === frame) current = undefined
      },
    })
    current = frame
    return frame
  }

  async function once(event: FrameEvent, data: object, options: AskOptions): Promise<object> {
    const { ready, answer = walletsLimits.vaultRequest, signal } = options
    const frame = load()
    try {
      await within(cx.clock, ready, () => frame.ready, signal)
    } catch (cause) {
      if (!(cause instanceof TimedOut)) throw cause
      const error = unreachable('vault_timeout', `not ready within ${ready} ms`, cause)
      frame.end(error)
      throw error
    }
    try {
      return await within(cx.clock, answer, () => frame.send(event, data), signal)
    } catch (cause) {
      if (!(cause instanceof TimedOut)) throw cause
      throw unreachable('vault_timeout', 'did not send a response', cause)
    }
  }

  return {
    get isReady() {
      return current?.isReady ?? false
    },
    prepare() {
      if (!isOffline()) load()
    },
    async ask(event, data, options) {
      const answer = await once(event, data, options).catch((cause: unknown) => {
        if (!(cause instanceof KitError) || cause.code !== 'vault_crashed') throw cause
        return once(event, data, options)
      })
      return parse(answers[event], answer, event)
    },
    close: () => current?.end(unreachable('vault_unavailable', 'the kit was closed')),
  }
}
