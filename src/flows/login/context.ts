import type { Config } from '../../config.ts'
import type { Translate } from '../../copy/copy.ts'
import type { Clock } from '../../core/clock.ts'
import type { Stage } from '../../core/stage.ts'
import type { KitError } from '../../errors/kit-error.ts'
import type { Services } from '../../services.ts'
import type { LinkedAccount, User } from '../../wire/user.ts'

/** What every flow has: a person, time, the app's settings and words. */
export interface FlowContext {
  readonly stage: Stage
  readonly clock: Clock
  readonly config: Config
  readonly t: Translate
  /** Tells the host of a failure that a person was shown; each failure once. */
  readonly report: (error: KitError) => void
}

/** What a login needs until somebody has chosen a way in. */
export interface EntryContext extends FlowContext {
  readonly options: {
    readonly loginMethods?: readonly string[] | undefined
    readonly prefill?: { readonly type: 'email' | 'phone'; readonly value: string } | undefined
    readonly disableSignup?: boolean | undefined
  }
  /** The method with which somebody last logged in here. */
  readonly recent: string | undefined
  /** Somebody whose session is there, although the app has not let them in yet. */
  readonly user: User | null
  /** Loads what does the work. */
  readonly services: () => Promise<Services>
}

/** What a login needs from then on. */
export interface LoginContext extends Omit<EntryContext, 'services'>, Omit<Services, 'close'> {}

/** A person who has proved who they are. */
export interface Login {
  readonly user: User
  readonly isNewUser: boolean
  readonly method: string
  readonly account: LinkedAccount | undefined
}

/** Back at the landing screen, with what to say under the field. */
export interface BackToStart {
  readonly back: true
  readonly error?: string | undefined
}
