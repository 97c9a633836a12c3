import { sessionKey } from './keys.ts'
import { sessionLimits } from './limits.ts'

/** What the tabs of an app on this origin do with the tokens that they share in the page's storage. */
export interface SharedTokens {
  /** Called when another tab has stored a token: what it told of that can have come earlier. */
  onStored(listener: () => void): () => void
  /** Runs `work` while no other tab runs the same; without the lock after a while rather than never. */
  exclusively<T>(work: () => Promise<T>): Promise<T>
}

interface Browser {
  readonly navigator?: { readonly locks?: LockManager }
  readonly addEventListener?: Window['addEventListener']
  readonly removeEventListener?: Window['removeEventListener']
}

/**
 * Follows the page's storage, and lets one tab at a time refresh by a Web Lock. Where a browser has none, the work simply runs: for
 * 30 s the server answers a second refresh with the same tokens.
 */
export function shareTokens(appId: string, browser: Browser = globalThis): SharedTokens {
  const locks = browser.navigator?.locks
  return {
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
          `lk:${appId}:refresh`,
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
  }
}
