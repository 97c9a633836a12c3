import { sessionKey } from './keys.ts'
import { sessionLimits } from './limits.ts'

const messages = ['login', 'logout', 'user', 'connections'] as const
/**
 * What one tab tells the others of the same app: that somebody logged in or out, that something about the person has
 * changed, or which external wallets are connected. Never what it is now: that is in the storage, or at the server.
 */
export type TabMessage = (typeof messages)[number]

/** The other tabs of this app on this origin. */
export interface Tabs {
  broadcast(message: TabMessage): void
  onMessage(listener: (message: TabMessage) => void): () => void
  /** Called when this tab was away (hidden, behind another window, in the back-forward cache) or without a network, and is back. */
  onReturn(listener: () => void): () => void
  /** Called when another tab has stored a token: what it told of that can have come earlier. */
  onStored(listener: () => void): () => void
  /** Runs `work` while no other tab runs the same; without the lock after a while rather than never. */
  exclusively<T>(work: () => Promise<T>): Promise<T>
  close(): void
}

const returns = ['online', 'focus'] as const

interface Browser {
  readonly BroadcastChannel?: typeof BroadcastChannel
  readonly navigator?: { readonly locks?: LockManager }
  readonly document?: EventTarget & { readonly visibilityState: string }
  readonly addEventListener?: Window['addEventListener']
  readonly removeEventListener?: Window['removeEventListener']
}

/**
 * Binds the tabs of an app through BroadcastChannel and Web Locks. Without locks the work simply runs: for 30
 * s the server answers a second refresh with the same tokens.
 */
export function createTabs(appId: string, browser: Browser = globalThis): Tabs {
  const name = `lk:${appId}`
  const channel = browser.BroadcastChannel ? new browser.BroadcastChannel(name) : undefined
  // Node would stay alive for it.
  if (channel && 'unref' in channel && typeof channel.unref === 'function') channel.unref()
  const { document } = browser
  const locks = browser.navigator?.locks

  return {
    broadcast: (message) => channel?.postMessage(message),
    onMessage(listener) {
      const handler = (event: MessageEvent) => {
        const message = messages.find((each) => each === event.data)
        if (message) listener(message)
      }
      channel?.addEventListener('message', handler)
      return () => channel?.removeEventListener('message', handler)
    },
    onReturn(listener) {
      const seen = () => document?.visibilityState === 'visible' && listener()
      document?.addEventListener('visibilitychange', seen)
      for (const back of returns) browser.addEventListener?.(back, listener)
      return () => {
        document?.removeEventListener('visibilitychange', seen)
        for (const back of returns) browser.removeEventListener?.(back, listener)
      }
    },
    onStored(listener) {
      const handler = ({ key }: StorageEvent) => key === sessionKey(appId, 'token') && listener()
      browser.addEventListener?.('storage', handler)
      return () => browser.removeEventListener?.('storage', handler)
    },
    async exclusively(work) {
      if (!locks) return work()
      let started = false
      try {
        return await locks.request(
          `${name}:refresh`,
          { signal: AbortSignal.timeout(sessionLimits.refreshLockWait) },
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
