import type { CoreServices } from '../http/services.ts'
import type { Sessions } from './sessions.ts'
import type { Tokens } from './tokens.ts'

/** What the answers and tokens of a session say about its user. */
export interface UserDescription {
  /** The user as the API shows them. */
  view: object
  /** The accounts in their short form, for the identity token. */
  slimAccounts: readonly object[]
  customMetadata: object | null
}
/** What features work with that know sessions. */
export interface SessionServices extends CoreServices {
  tokens: Tokens
  sessions: Sessions
  /** `undefined` when the app has no such user. */
  describeUser: (appId: string, userId: string) => Promise<UserDescription | undefined>
}
