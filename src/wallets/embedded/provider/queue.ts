import { untilAborted } from '../../../core/abort.ts'
import type { Readable } from '../../../core/store.ts'
import { toKitError } from '../../../errors/kit-error.ts'
import { ProviderRpcError } from '../../external/provider-error.ts'

/** Lets requests to a person come one after the other. */
export interface RequestQueue {
  /**
   * Does `work` when it is its turn and no other dialog is open. Throws a `ProviderRpcError` -32005 where too many wait
   * already, the signal's reason, or what `work` throws.
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
        // Somebody else's dialog was faster.
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
