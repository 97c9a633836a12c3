import type { Storage } from '../core/storage.ts'
import { sessionKey } from './keys.ts'

/** Remembers how somebody last logged in, to tag that method 'Recent' (spec §3). Survives logout. */
export function createRecentLogin(appId: string, storage: Storage) {
  const key = sessionKey(appId, 'recent-login')
  return {
    get: () => storage.get(key),
    set: (method: string) => storage.set(key, method),
  }
}
export type RecentLogin = ReturnType<typeof createRecentLogin>
