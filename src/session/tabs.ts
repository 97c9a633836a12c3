import { limits } from '../core/limits.ts'

/** What one tab tells the others of the same app. Never a token: the storage has it. */
export type TabMessage = 'login' | 'logout' | 'user'

/** The other tabs of this app on this origin. */
export interface Tabs {
  tell(message: TabMessage): void
  hear(listener: (message: TabMessage) => void): () => void
  /** Calls back when this tab was away (hidden, frozen, in the back-forward cache) and is seen again. */
  onReturn(listener: () => void): () => void
  /** Runs `work` while no other tab runs the same; after a while without the lock rather than never. */
  exclusively<T>(work: () => Promise<T>): Promise<T>
  close(): void
}

interface Browser {
  readonly BroadcastChannel?: typeof BroadcastChannel
  readonly navigator?: { readonly locks?: LockManager }
  readonly document?: EventTarget & { readonly visibilityState: string }
}

/**
 * Binds the tabs of an app through BroadcastChannel and Web Locks. Where a browser lacks the locks, the work just
 * runs: within its grace the server answers a second refresh with the same child token.
 */
export function createTabs(appId: string, browser: Browser = globalThis): Tabs {
  const name = `lk:${appId}`
  const channel = browser.BroadcastChannel ? new browser.BroadcastChannel(name) : undefined
  const { document } = browser
  const locks = browser.navigator?.locks

  return {
    tell: (message) => channel?.postMessage(message),
    hear(listener) {
      const hear = (event: MessageEvent) => {
        if (event.data === 'login' || event.data === 'logout' || event.data === 'user') listener(event.data)
      }
      channel?.addEventListener('message', hear)
      return () => channel?.removeEventListener('message', hear)
    },
    onReturn(listener) {
      const seen = () => document?.visibilityState === 'visible' && listener()
      document?.addEventListener('visibilitychange', seen)
      return () => document?.removeEventListener('visibilitychange', seen)
    },
    async exclusively(work) {
      if (!locks) return work()
      let started = false
      try {
        return await locks.request(
          `${name}:refresh`,
          { signal: AbortSignal.timeout(limits.refreshLockWait) },
          () => {
            started = true
            return work()
          },
        )
      } catch (cause) {
        if (started) throw cause
        return work()
      }
    },
    close: () => channel?.close(),
  }
}
