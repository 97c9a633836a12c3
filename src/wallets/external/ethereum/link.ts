import { within } from '../../../lib/clock.ts'
import { poll } from '../../../lib/poll.ts'
import { walletsLimits } from '../../limits.ts'
import type { ConnectorContext, WalletMeta } from '../connector.ts'
import { requestTimeout } from '../timeouts.ts'

/** A wallet's or SDK's provider: EIP-1193 at best. */
export interface RawProvider {
  request(input: { method: string; params?: unknown }): unknown
  on?(event: string, listener: (...input: unknown[]) => void): unknown
  removeListener?(event: string, listener: (...input: unknown[]) => void): unknown
}

export type Listener = (...input: unknown[]) => void

/** A connection to a wallet on which every wait ends. What comes over it is still a claim. */
export interface Link {
  /** Uses the provider within the time that the wallet's type has. Rejects with what was thrown. */
  run<T>(work: (raw: RawProvider) => T | Promise<T>, signal?: AbortSignal): Promise<T>
  ask(method: string, params?: readonly unknown[], signal?: AbortSignal): Promise<unknown>
  /**
   * Asks without disturbing anybody, repeatedly until `read` accepts the answer, because a wallet that has
   * just been unlocked needs a moment. `undefined` if it never does.
   */
  lookUp<T>(
    method: string,
    read: (answer: unknown) => T | undefined,
    signal?: AbortSignal,
  ): Promise<T | undefined>
  /** Listens to the wallet's events from now on, if it has any. */
  listen(signal?: AbortSignal): Promise<void>
  close(): void
}

export function createLink({
  cx,
  meta,
  provider,
  listeners,
}: {
  cx: Pick<ConnectorContext, 'clock' | 'config'>
  meta: () => WalletMeta
  provider: () => Promise<RawProvider>
  listeners: Readonly<Record<string, Listener>>
}): Link {
  let subscribed: RawProvider | undefined

  const run: Link['run'] = (work, signal) =>
    within(cx.clock, requestTimeout(cx, meta().id), async () => await work(await provider()), signal)

  const ask: Link['ask'] = (method, params, signal) =>
    run((raw) => raw.request(params ? { method, params } : { method }), signal)

  function stop(): void {
    for (const [event, listener] of Object.entries(listeners))
      quietly(() => subscribed?.removeListener?.(event, listener))
    subscribed = undefined
  }

  return {
    run,
    ask,
    async lookUp(method, read, signal) {
      const every = walletsLimits.walletLookupEvery
      const tries = walletsLimits.walletLookupTries
      const once = async (signal: AbortSignal) => {
        try {
          return read(await ask(method, undefined, signal))
        } catch {
          signal.throwIfAborted()
          return undefined
        }
      }
      try {
        const again = (signal: AbortSignal) => poll(cx.clock, { every, tries, signal }, () => once(signal))
        return await within(cx.clock, every * tries, again, signal)
      } catch {
        signal?.throwIfAborted()
        return undefined
      }
    },
    async listen(signal) {
      const raw = await run((raw) => raw, signal)
      if (raw === subscribed) return
      stop()
      subscribed = raw
      for (const [event, listener] of Object.entries(listeners)) quietly(() => raw.on?.(event, listener))
    },
    close: stop,
  }
}

/** A wallet whose events can't be heard can still be asked. */
function quietly(work: () => unknown): void {
  try {
    // Some return a promise, which may fail later.
    Promise.resolve(work()).catch(() => {})
  } catch {
    // `on` of a frozen or incomplete provider
  }
}
