/** A value with subscribers. It belongs to a kit, never to a module, because a page may have several apps. */
export interface Readable<T> {
  get(): T
  /** Calls `listener` after each change; returns a function that stops it. */
  subscribe(listener: () => void): () => void
}
export interface Store<T> extends Readable<T> {
  /** Replaces the value; listeners are called only if it differs. */
  set(next: T): void
}

export function createStore<T>(initial: T): Store<T> {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return
      value = next
      for (const listener of [...listeners]) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
