/** Text by key: in the browser's `localStorage`, or in memory where that is blocked or full. */
export interface Storage {
  get(key: string): string | undefined
  set(key: string, value: string): void
  remove(key: string): void
  /** Whether what is written survives a reload. */
  readonly persistent: boolean
}

export function memoryStorage(): Storage {
  const values = new Map<string, string>()
  return {
    persistent: false,
    get: (key) => values.get(key),
    set: (key, value) => void values.set(key, value),
    remove: (key) => void values.delete(key),
  }
}

/**
 * Wraps a Web Storage area. `open` is a function because merely touching `window.localStorage` may throw. A
 * value that can't be written is kept in memory, which then takes precedence for that key.
 */
export function webStorage(open: () => globalThis.Storage | undefined): Storage {
  const memory = memoryStorage()
  const removed = new Set<string>()
  const area = tryOr(undefined, open)
  if (!area) return memory

  return {
    get persistent() {
      return tryOr(false, () => {
        const probe = 'lk:probe'
        area.setItem(probe, probe)
        area.removeItem(probe)
        return true
      })
    },
    get(key) {
      const own = memory.get(key)
      if (own !== undefined || removed.has(key)) return own
      return tryOr(undefined, () => area.getItem(key) ?? undefined)
    },
    set(key, value) {
      try {
        area.setItem(key, value)
        memory.remove(key)
      } catch {
        memory.set(key, value)
      }
      removed.delete(key)
    },
    remove(key) {
      memory.remove(key)
      try {
        area.removeItem(key)
      } catch {
        removed.add(key)
      }
    },
  }
}

function tryOr<T>(otherwise: T, work: () => T): T {
  try {
    return work()
  } catch {
    return otherwise
  }
}
