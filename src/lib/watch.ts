import { type Clock, within } from './clock.ts'

export interface WatchOptions<T> {
  /** Milliseconds between two attempts … */
  readonly every: number
  /** … and from the first to the last one. */
  readonly limit: number
  readonly signal?: AbortSignal | undefined
  /** One attempt; `undefined`: not yet. */
  readonly ask: (signal: AbortSignal) => Promise<T | undefined>
  /** Whether a failed attempt ends everything. One that got lost does not. */
  readonly isEnd: (cause: unknown) => boolean
  /** Calls `wake` when it is time to ask at once; returns a function that stops it. */
  readonly onWake?: ((wake: () => void) => () => void) | undefined
}

/**
 * Asks repeatedly whether something has happened elsewhere, even if the network fails in between.
 * Resolves with the answer, or with `undefined` when the time is up. After a standstill (a page in the
 * background) the last attempt is still made. Rejects with an error that ends it, or with the signal's
 * reason.
 */
export async function watch<T>(clock: Clock, options: WatchOptions<T>): Promise<T | undefined> {
  const { every, limit, signal, ask, isEnd, onWake } = options
  const end = clock.now() + limit
  /** Counts the pauses, in case the clock is set back. */
  let rests = Math.ceil(limit / every)
  let awake = false
  let nap: AbortController | undefined
  const stop = onWake?.(() => {
    awake = true
    nap?.abort()
  })

  async function rest(): Promise<void> {
    if (awake) return
    nap = new AbortController()
    const follow = () => nap?.abort()
    signal?.addEventListener('abort', follow, { once: true })
    try {
      await clock.sleep(Math.max(0, Math.min(every, end - clock.now())), nap.signal)
      rests--
    } catch {
      // Woken, or stopped.
    } finally {
      signal?.removeEventListener('abort', follow)
    }
  }

  try {
    for (;;) {
      signal?.throwIfAborted()
      await rest()
      signal?.throwIfAborted()
      awake = false
      try {
        const answer = await within(clock, Math.max(every, end - clock.now()), ask, signal)
        if (answer !== undefined) return answer
      } catch (cause) {
        signal?.throwIfAborted()
        if (isEnd(cause)) throw cause
      }
      if (clock.now() >= end || rests <= 0) return undefined
    }
  } finally {
    stop?.()
  }
}

/** Wakes when somebody returns to the page, or the page is online again. */
export function onReturn(window: Window, wake: () => void): () => void {
  const { document } = window
  const shown = () => document.visibilityState === 'visible' && wake()
  document.addEventListener('visibilitychange', shown)
  window.addEventListener('pageshow', wake)
  window.addEventListener('online', wake)
  return () => {
    document.removeEventListener('visibilitychange', shown)
    window.removeEventListener('pageshow', wake)
    window.removeEventListener('online', wake)
  }
}
