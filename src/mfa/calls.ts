/** What the flows of second factors need of whoever runs them: the kit over the vault's messages, or the vault itself. */
import type { Translate } from '../copy/copy.ts'
import type { Stage } from '../dialog/stage.ts'
import type { Clock } from '../lib/clock.ts'
import type { MfaFailure, MfaGiven, MfaMethod, MfaPasskey, MfaPerson } from './methods.ts'

/** What such a flow runs with. */
export interface MfaContext {
  readonly stage: Stage
  readonly clock: Clock
  readonly t: Translate
  /** The person was shown this failure and may try again. */
  report(cause: unknown): void
}

/** Why a call has failed; `undefined` for what has nothing to do with factors, and ends the flow. */
export type FailureOf = (cause: unknown) => MfaFailure | undefined

/** Verifying a person. `T` is what being verified leads to. */
export interface VerifyCalls<T> {
  /** The factors that may be used, the one to begin with first. */
  readonly methods: readonly MfaMethod[]
  /** A recovery code is good as well. */
  readonly recoveryCodes: boolean
  /** Has a code sent to the person's phone. */
  sendCode(signal: AbortSignal): Promise<void>
  /** Asks the browser for one of the person's passkeys. Resolves with its answer as the server takes it. */
  askPasskey(signal: AbortSignal): Promise<object>
  /** Gives the server what the person gave, and does what that is for. */
  verify(given: MfaGiven, signal: AbortSignal): Promise<T>
  readonly failureOf: FailureOf
}

/** Enrolling and removing factors. */
export interface EnrollCalls {
  /** The app's name, for the consent to text messages. */
  readonly appName: string
  /** Whose numbers need no calling code. */
  readonly country?: string | undefined
  /** The factors that the app offers. */
  readonly offered: readonly MfaMethod[]
  /** What the person has now. */
  person(signal: AbortSignal): Promise<MfaPerson>
  initTotp(signal: AbortSignal): Promise<{ readonly secret: string; readonly authUrl: string }>
  enrollTotp(code: string, signal: AbortSignal): Promise<void>
  /** Has a code sent to a number that is being enrolled. */
  initSms(phone: string, signal: AbortSignal): Promise<void>
  enrollSms(phone: string, code: string, signal: AbortSignal): Promise<void>
  /** Has the browser make a passkey, and links it to the account. */
  addPasskey(signal: AbortSignal): Promise<void>
  /**
   * Makes all of these, and no other, the passkeys that verify the person. Resolves with whether they still want it, where
   * they are asked once more.
   */
  enrollPasskeys(passkeys: readonly MfaPasskey[], signal: AbortSignal): Promise<boolean>
  remove(method: MfaMethod, signal: AbortSignal): Promise<void>
  /** Makes new recovery codes; the earlier ones are good no more. */
  newRecoveryCodes(signal: AbortSignal): Promise<readonly string[]>
  /** Lends `work` a stage on which a person may agree to losing a factor. */
  agreeing<T>(work: (stage: Stage) => Promise<T>): Promise<T>
  readonly failureOf: FailureOf
}
