import { toKitError } from '../errors/kit-error.ts'
import { untilAborted } from '../lib/abort.ts'
import type { Readable } from '../lib/store.ts'
import { ProviderRpcError } from '../wallets/external/provider-error.ts'

/** Shows requests to a person one after the other. */
export interface RequestQueue {
  /**
   * Runs `work` when it is its turn and no other dialog is open. Throws a `ProviderRpcError` -32005 if too
   * many wait already, the signal's reason, or what `work` throws.
   */
  run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>
}

/** @param isBusy whether a dialog is open */
export function createRequestQueue(isBusy: Readable<boolean>, most: number): RequestQueue {
  let waiting = 0
  let last: Promise<unknown> = Promise.resolve()

  const free = () =>
    new Promise<void>((resolve) => {
      if (!isBusy.get()) return resolve()
      const stop = isBusy.subscribe(() => {
        if (isBusy.get()) return
        stop()
        resolve()
      })
    })

  async function once<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    for (;;) {
      await untilAborted(free(), signal)
      signal.throwIfAborted()
      try {
        return await work()
      } catch (cause) {
        // Another dialog was faster.
        if (toKitError(cause).code !== 'flow_in_progress' || !isBusy.get()) throw cause
      }
    }
  }

  return {
    async run(work, signal) {
      if (waiting >= most) throw new ProviderRpcError(-32005, 'Too many requests are waiting')
      waiting++
      const before = last
      const turn = before.then(() => once(work, signal))
      last = turn.catch(() => {})
      return turn.finally(() => waiting--)
    },
  }
}
