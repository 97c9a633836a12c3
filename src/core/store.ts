/** A value that changes, and those who want to know. Belongs to a kit, never to a module. */
export interface Readable<T> {
  get(): T
  /** Calls `listener` after each change; returns the function that stops it. */
  subscribe(listener: () => void): () => void
}
export interface Store<T> extends Readable<T> {
  /** Replaces the value; listeners hear of it only when it really is another one. */
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
