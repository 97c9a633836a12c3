/** What a session keeps in the page's storage, per app: two apps on one origin never meet. */
export type SessionKey =
  | 'token'
  | 'second-token'
  | 'identity'
  | 'refresh'
  | 'skew'
  | 'client-id'
  | 'guest'
  | 'transfer'
  | 'recent-login'
  | 'recent-login-wallet-client'
  | 'recent-login-chain'
  | 'initialized'
  | 'oauth'
  | 'telegram'
  | 'mini-app'
  | 'custom'
  | 'cross-app'
  | 'connections'
  | 'active-wallet'

/** Where a session key of an app is stored. */
export const sessionKey = (appId: string, name: SessionKey) => `lk:${appId}:${name}`

/** Where the chain of an embedded wallet is stored. */
export const addressChainKey = (appId: string, address: string) => `lk:${appId}:wallet:${address}`

/** Whether a former page left anything of a session: looked up without loading what a session needs. */
export const hasStoredSession = (appId: string, storage: { get(key: string): string | undefined }): boolean =>
  storage.get(sessionKey(appId, 'token')) !== undefined ||
  storage.get(sessionKey(appId, 'refresh')) !== undefined
