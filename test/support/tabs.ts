import type { SharedTokens } from '../../src/session/shared-tokens.ts'
import type { TabMessage, Tabs } from '../../src/session/tabs.ts'

/** A browser with several tabs of one app: what one tells, the others hear; one lock for all. */
export function browserTabs() {
  const all = new Set<{ hear(message: TabMessage): void }>()
  let lock: Promise<unknown> = Promise.resolve()
  return {
    open(): Tabs & SharedTokens & { comesBack(): void; seesStored(): void } {
      const listeners = new Set<(message: TabMessage) => void>()
      const returns = new Set<() => void>()
      const stored = new Set<() => void>()
      const own = {
        hear: (message: TabMessage) => listeners.forEach((listener) => void listener(message)),
      }
      all.add(own)
      return {
        broadcast(message) {
          for (const other of all) if (other !== own) other.hear(message)
        },
        onMessage(listener) {
          listeners.add(listener)
          return () => listeners.delete(listener)
        },
        onReturn(listener) {
          returns.add(listener)
          return () => returns.delete(listener)
        },
        onStored(listener) {
          stored.add(listener)
          return () => stored.delete(listener)
        },
        exclusively(work) {
          const turn = lock.then(work, work)
          lock = turn.catch(() => {})
          return turn
        },
        close: () => void all.delete(own),
        comesBack: () => returns.forEach((listener) => void listener()),
        seesStored: () => stored.forEach((listener) => void listener()),
      }
    },
  }
}
