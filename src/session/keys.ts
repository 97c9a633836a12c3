/** What a session keeps in the page's storage, per app, so that two apps on one origin don't share it. */
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
  | 'unfinished'
  | 'oauth'
  | 'email-code'
  | 'sms-code'
  | 'telegram'
  | 'mini-app'
  | 'custom'
  | 'cross-app'
  | 'connections'
  | 'active-wallet'
  | 'announced'

/** Logins that have left the page, with the codes by which their return is known. */
export const leftLogins = ['oauth', 'telegram'] as const satisfies readonly SessionKey[]

/** The storage key of a session's value. */
export const sessionKey = (appId: string, name: SessionKey) => `lk:${appId}:${name}`

/** The storage key of an embedded wallet's chain. */
export const addressChainKey = (appId: string, address: string) => `lk:${appId}:wallet:${address}`

/** Whether an earlier page left a session, checked without loading what a session needs. */
export const hasStoredSession = (appId: string, storage: { get(key: string): string | undefined }): boolean =>
  storage.get(sessionKey(appId, 'token')) !== undefined ||
  storage.get(sessionKey(appId, 'refresh')) !== undefined
