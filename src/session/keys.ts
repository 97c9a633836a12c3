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
  | 'person'

/** Logins that have left the page, with the codes by which their return is known. */
export const leftLogins = ['oauth', 'telegram'] as const satisfies readonly SessionKey[]

/** The storage key of a session's value. */
export const sessionKey = (appId: string, name: SessionKey) => `lk:${appId}:${name}`
