import type { CoreServices } from '../http/services.ts'
import type { App } from '../settings/app.ts'
import type { GuardedPurpose, ShownFactor } from './second-factor.ts'
import type { Sessions } from './sessions.ts'
import type { Bearer, Identity, Tokens } from './tokens.ts'

/** What the answers and tokens of a session say about its user. */
export interface UserDescription {
  /** The user as the API shows them. */
  view: object
  identity: Identity
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
/**
 * Ends sessions of a user from another one. Where the user has a wallet, in a strict app, an enrolled device has to approve
 * it first, like every change of their accounts (accounts/changes).
 */
export interface SessionEnding {
  /** @throws Refusal `linked_account_not_found`, `approval_required` */
  endSession(who: Caller, sessionId: string): Promise<void>
  /** @throws Refusal `approval_required` */
  endOtherSessions(who: Caller): Promise<void>
}
/** Who calls: the app, the session that the token speaks for, and about where they are. */
interface Caller {
  app: App
  bearer: Bearer
  place: string
}
/** What features work with that know sessions. */
export interface SessionServices extends CoreServices {
  tokens: Tokens
  sessions: Sessions
  /** What asks for second factors. */
  mfa: MfaGuard
  sessionEnding: SessionEnding
  /** `undefined` when the app has no such user. */
  describeUser: (appId: string, userId: string) => Promise<UserDescription | undefined>
}
