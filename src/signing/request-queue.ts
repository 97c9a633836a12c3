import { exitOf } from '../dialog/intent.ts'
import type { RunQueue } from '../dialog/runs.ts'
import type { QueuePosition } from '../dialog/screen.ts'
import { Closed } from '../dialog/stage.ts'
import { toKitError } from '../errors/kit-error.ts'
import { untilAborted } from '../lib/abort.ts'
import { createStore, type Readable } from '../lib/store.ts'
import { ProviderRpcError } from '../wallets/external/provider-error.ts'

/** A request whose turn it is. Its position is the one among those that came since the queue was last empty. */
export interface Turn extends RunQueue {
  /** The request was carried out: closing its dialog rejects nothing any more. */
  commit(): void
  /** Whoever asked knows the outcome: what the dialog still displays gives way to whatever is to be displayed next. */
  tell(): void
  /** The user has closed the dialog: the requests that wait by now are rejected with it. Later ones are displayed. */
  rejectWaiting(): void
}

/** Displays requests one after the other, whoever makes them: the host, a provider or an element. */
export interface RequestQueue {
  /**
   * Runs `work` when it is its turn and no other dialog is open. A request that is aborted while it waits is rejected at once, and
   * waits no more.
   * @throws ProviderRpcError -32005 if too many wait already; KitError `unable_to_sign` if the user closes the dialog of one
   * before; the signal's reason; or what `work` throws
   */
  run<T>(work: (turn: Turn) => Promise<T>, signal: AbortSignal): Promise<T>
}

/** @param isBusy whether something else is displayed */
export function createRequestQueue(isBusy: Readable<boolean>, most: number): RequestQueue {
  /** Requests that wait or are displayed, and those since the queue was last empty. */
  const open = createStore(0)
  const place = createStore<QueuePosition>({ position: 0, count: 0 })
  let last: Promise<unknown> = Promise.resolve()
  const waiting = new Set<AbortController>()

  const untilFree = () =>
    new Promise<void>((resolve) => {
      if (!isBusy.get()) return resolve()
      const stop = isBusy.subscribe(() => {
        if (isBusy.get()) return
        stop()
        resolve()
      })
    })

  const rejectWaiting = () => {
    const reason = exitOf('sign', new Closed('The user closed the dialog of a request before it'))
    for (const each of waiting) each.abort(reason)
  }

  /** @param isOver whether the request itself is no longer among those that are open */
  function createTurn(isOver: () => boolean): Turn {
    let isCommitted = false
    let isTold = false
    return {
      isTold: () => isTold,
      tell() {
        isTold = true
      },
      position: place,
      hasNext: { get: () => open.get() > (isOver() ? 0 : 1), subscribe: open.subscribe },
      commit() {
        isCommitted = true
      },
      rejectWaiting: () => isCommitted || rejectWaiting(),
    }
  }

  async function runOnce<T>(
    work: (turn: Turn) => Promise<T>,
    signal: AbortSignal,
    isOver: () => boolean,
  ): Promise<T> {
    for (;;) {
      await untilAborted(untilFree(), signal)
      signal.throwIfAborted()
      try {
        return await work(createTurn(isOver))
      } catch (cause) {
        // Another dialog was faster.
        if (toKitError(cause).code !== 'flow_in_progress' || !isBusy.get()) throw cause
      }
    }
  }

  /** Takes a request out that is over before its turn: the ones that wait behind it move up. */
  const leave = () => {
    const { position, count } = place.get()
    place.set({ position, count: count - 1 })
  }

  return {
    async run(work, signal) {
      signal.throwIfAborted()
      if (open.get() >= most) throw new ProviderRpcError(-32005, 'Too many requests are waiting')
      const { position, count } = place.get()
      place.set(open.get() === 0 ? { position: 0, count: 1 } : { position, count: count + 1 })
      open.set(open.get() + 1)
      let isOver = false
      let end = () => {}
      const ended = new Promise<void>((resolve) => {
        end = resolve
      })
      const rejection = new AbortController()
      waiting.add(rejection)
      const before = last
      // One that gives up ends before those in front of it do.
      last = before.then(() => ended)
      try {
        const turn = untilAborted(before, AbortSignal.any([signal, rejection.signal]))
        await turn.catch((cause: unknown) => {
          leave()
          throw cause
        })
        waiting.delete(rejection)
        place.set({ ...place.get(), position: place.get().position + 1 })
        return await runOnce(work, signal, () => isOver)
      } finally {
        waiting.delete(rejection)
        isOver = true
        open.set(open.get() - 1)
        end()
      }
    },
  }
}
