import type { EmailAuth } from '../../auth/email.ts'
import type { Config } from '../../config.ts'
import type { Translate } from '../../copy/copy.ts'
import type { Clock } from '../../core/clock.ts'
import type { Stage } from '../../core/stage.ts'
import type { KitError } from '../../errors/kit-error.ts'
import type { RecentLogin } from '../../session/recent-login.ts'
import type { Session } from '../../session/session.ts'
import type { LinkedAccount, User } from '../../wire/user.ts'
import type { WalletContext } from '../wallet/context.ts'

/** What every flow has: a person, time, the app's settings and words. */
export interface FlowContext {
  readonly stage: Stage
  readonly clock: Clock
  readonly config: Config
  readonly t: Translate
  /** Tells the host of a failure that a person was shown; each failure once. */
  readonly report: (error: KitError) => void
}

/** What a login needs. */
export interface LoginContext extends FlowContext, WalletContext {
  readonly session: Session
  readonly auth: { readonly email: EmailAuth }
  readonly recent: RecentLogin
  readonly options: {
    readonly loginMethods?: readonly string[] | undefined
    readonly prefill?: { readonly type: 'email' | 'phone'; readonly value: string } | undefined
    readonly disableSignup?: boolean | undefined
  }
}

/** A person who has proved who they are. */
export interface Login {
  readonly user: User
  readonly isNewUser: boolean
  readonly method: string
  readonly account: LinkedAccount | undefined
}
