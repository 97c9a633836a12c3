/** Values that are shared for a while. */
export interface Cache {
  /** The value of a key, or what `load` resolves with; callers at the same time share one load. A failure is not remembered. */
  get<T>(key: string, life: number, load: () => Promise<T>): Promise<T>
}

/** A cache in memory. @param options.most entries beyond this push out the oldest ones */
export function createCache({
  most,
  now = () => performance.now(),
}: {
  most: number
  now?: () => number
}): Cache {
  const entries = new Map<string, { until: number; value: Promise<unknown> }>()
  return {
    get<T>(key: string, life: number, load: () => Promise<T>): Promise<T> {
      const known = entries.get(key)
      if (known && known.until > now()) return known.value as Promise<T>
      const value = load()
      const entry = { until: now() + life, value }
      entries.delete(key)
      entries.set(key, entry)
      value.catch(() => {
        if (entries.get(key) === entry) entries.delete(key)
      })
      for (const oldest of entries.keys()) {
        if (entries.size <= most) break
        entries.delete(oldest)
      }
      return value
    },
  }
}
