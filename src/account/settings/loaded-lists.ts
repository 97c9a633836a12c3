import { createStore, type Readable } from '../../lib/store.ts'
import type { Loaded } from '../shown.ts'

/** A list of the server's that is loaded while it is shown, and again after it was changed. */
export interface LoadedItems<T> extends Readable<Loaded<T>> {
  /** Loads it anew. What is known stays until something else is; only a first attempt is seen to be loading. */
  load(): Promise<void>
}

/**
 * @param ask asks the server
 * @param failed told what kept it from answering
 */
export function loadedItems<T>(
  ask: (signal: AbortSignal) => Promise<readonly T[]>,
  signal: AbortSignal,
  failed: (cause: unknown) => void,
): LoadedItems<T> {
  const store = createStore<Loaded<T>>({ state: 'loading' })
  /** The answer to an earlier question may come after that to a later one. */
  let latest = 0
  return {
    get: store.get,
    subscribe: store.subscribe,
    async load() {
      const mine = ++latest
      if (store.get().state === 'failed') store.set({ state: 'loading' })
      try {
        const items = await ask(signal)
        if (mine === latest) store.set({ state: 'loaded', items })
      } catch (cause) {
        if (signal.aborted) return
        failed(cause)
        if (mine === latest) store.set({ state: 'failed' })
      }
    },
  }
}

/** What is there of a list; nothing while it is loading, or couldn't be loaded. */
export const itemsOf = <T>(list: Loaded<T>): readonly T[] => (list.state === 'loaded' ? list.items : [])
