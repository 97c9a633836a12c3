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
  | 'proofs-asked'
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
  | 'announced-smart'
  | 'person'
  | 'purchases'

/** Logins that have left the page, with the codes by which their return is known. */
export const leftLogins = ['oauth', 'telegram'] as const satisfies readonly SessionKey[]

/** Names of what the next page announces again, by kind of wallet. */
export const announcedKeys = {
  embedded: 'announced',
  smart: 'announced-smart',
} as const satisfies Record<string, SessionKey>

/** What a login brought back to this tab, from the address bar until the login is over: a reload continues it. */
export const returnKey = 'lk:return'

/** The storage key of a session's value. */
export const sessionKey = (appId: string, name: SessionKey) => `lk:${appId}:${name}`
