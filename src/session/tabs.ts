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
  close(): void
}

const returns = ['online', 'focus'] as const

interface Browser {
  readonly BroadcastChannel?: typeof BroadcastChannel
  readonly document?: EventTarget & { readonly visibilityState: string }
  readonly addEventListener?: Window['addEventListener']
  readonly removeEventListener?: Window['removeEventListener']
}

/** Binds the tabs of an app through BroadcastChannel. */
export function createTabs(appId: string, browser: Browser = globalThis): Tabs {
  const channel = browser.BroadcastChannel ? new browser.BroadcastChannel(`lk:${appId}`) : undefined
  // Node would stay alive for it.
  if (channel && 'unref' in channel && typeof channel.unref === 'function') channel.unref()
  const { document } = browser

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
    close: () => channel?.close(),
  }
}
