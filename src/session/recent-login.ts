import type { Storage } from '../lib/storage.ts'
import { sessionKey } from './keys.ts'

/** The wallet with which somebody last logged in. */
export interface RecentWallet {
  /** The wallet client type: `metamask`, `phantom` …; unknown if the host signs by its own means. */
  readonly clientType: string | undefined
  readonly chainType: 'ethereum' | 'solana'
}

/** Remembers how somebody last logged in, to tag that method 'Recent'. Survives logout. */
export function createRecentLogin(appId: string, storage: Storage) {
  const key = sessionKey(appId, 'recent-login')
  const clientKey = sessionKey(appId, 'recent-login-wallet-client')
  const chainKey = sessionKey(appId, 'recent-login-chain')
  const put = (name: string, value: string | undefined) =>
    value === undefined ? storage.remove(name) : storage.set(name, value)
  return {
    get: () => storage.get(key),
    /** The wallet, if it was one. */
    wallet(): RecentWallet | undefined {
      const chainType = storage.get(chainKey)
      if (chainType !== 'ethereum' && chainType !== 'solana') return undefined
      return { clientType: storage.get(clientKey), chainType }
    },
    set(method: string, wallet?: RecentWallet) {
      storage.set(key, method)
      put(clientKey, wallet?.clientType)
      put(chainKey, wallet?.chainType)
    },
  }
}
export type RecentLogin = ReturnType<typeof createRecentLogin>
