import type { CoreServices } from '../http/services.ts'
import type { GuardedPurpose, ShownFactor } from './second-factor.ts'
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
/** Who calls, and with the key of which browser. */
export interface Prover {
  appId: string
  userId: string
  sessionId: string
  /** RFC 7638. */
  thumbprint: string
}
export interface MfaGuard {
  /**
   * Lets pass who has no second factor, or has shown one in this session on this browser, for this and recently enough.
   * @param token what a verification has answered (`latchkey-mfa`)
   * @returns what was shown; `undefined` for somebody without any
   * @throws Refusal `missing_or_invalid_mfa`, `expired_or_invalid_mfa_token`
   */
  require(who: Prover, purpose: GuardedPurpose, token: string | undefined): Promise<ShownFactor | undefined>
}
/** What features work with that know sessions. */
export interface SessionServices extends CoreServices {
  tokens: Tokens
  sessions: Sessions
  /** What asks for second factors. */
  mfa: MfaGuard
  /** `undefined` when the app has no such user. */
  describeUser: (appId: string, userId: string) => Promise<UserDescription | undefined>
}
