/**
 * Calls listeners of named events. A listener that throws is reported like any uncaught error and affects no
 * other.
 */
export interface Emitter<Events> {
  emit<Name extends keyof Events>(name: Name, detail: Events[Name]): void
  on<Name extends keyof Events>(name: Name, listener: (detail: Events[Name]) => void): () => void
}

export function createEmitter<Events>(): Emitter<Events> {
  const all = new Map<keyof Events, Set<(detail: never) => void>>()
  return {
    emit(name, detail) {
      for (const listener of [...(all.get(name) ?? [])]) {
        try {
          ;(listener as (detail: Events[typeof name]) => void)(detail)
        } catch (error) {
          reportError(error)
        }
      }
    },
    on(name, listener) {
      const set = all.get(name) ?? new Set()
      all.set(name, set.add(listener))
      return () => void set.delete(listener)
    },
  }
}
