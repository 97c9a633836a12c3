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
  | 'initialized'

export const sessionKey = (appId: string, name: SessionKey) => `lk:${appId}:${name}`
