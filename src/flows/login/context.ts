import type { LeftLogin } from '../../auth/left-login.ts'
import type { Config } from '../../config.ts'
import type { Translate } from '../../copy/copy.ts'
import type { Clock } from '../../core/clock.ts'
import type { Page } from '../../core/page.ts'
import type { Stage } from '../../core/stage.ts'
import type { KitError } from '../../errors/kit-error.ts'
import type { Services } from '../../services.ts'
import type { RecentWallet } from '../../session/recent-login.ts'
import type { AnalyticsEvent, AnalyticsPayload } from '../../wire/analytics.ts'
import type { User } from '../../wire/user.ts'
import type { WalletChainType } from '../connect/wish.ts'

export type { Login } from '../../auth/login.ts'

/** What every flow has: a person, time, the page, the app's settings and words. */
export interface FlowContext {
  readonly stage: Stage
  readonly clock: Clock
  readonly page: Page
  readonly config: Config
  readonly t: Translate
  /** Tells the host of a failure that a person was shown; each failure once. */
  readonly report: (error: KitError) => void
  readonly track: (event: AnalyticsEvent, payload?: AnalyticsPayload) => void
  /** The wallet with which somebody last logged in here. */
  readonly recentWallet: RecentWallet | undefined
}

/** The host's wishes for one login. They survive a redirect, so they are plain data. */
export interface LoginWishes {
  readonly loginMethods?: readonly string[] | undefined
  readonly prefill?: { readonly type: 'email' | 'phone'; readonly value: string } | undefined
  readonly disableSignup?: boolean | undefined
  /** Which wallets the list holds. */
  readonly walletChainType?: WalletChainType | undefined
}

/** What a login needs until somebody has chosen a way in. */
export interface EntryContext extends FlowContext {
  readonly options: LoginWishes
  /** The method with which somebody last logged in here. */
  readonly recent: string | undefined
  /** Somebody whose session is there, although the app has not let them in yet, or who is a guest. */
  readonly user: User | null
  /** Where the run is shown, for one that has to come back to it. */
  readonly surface: string | undefined
  /** A login that has left the page and is back. */
  readonly left?: LeftLogin | undefined
  /** Loads what does the work. */
  readonly services: () => Promise<Services>
}

/** What a login needs from then on. */
export interface LoginContext extends Omit<EntryContext, 'services'>, Omit<Services, 'close'> {}

/** Back at the landing screen, with what to say under the field. */
export interface BackToStart {
  readonly back: true
  readonly error?: string | undefined
}

/** What somebody chose on the landing screen. */
export interface Choice {
  readonly method: string
  /** The e-mail address, or the phone number in E.164. */
  readonly value?: string | undefined
  /** What the browser's own list gave: a passkey that was picked in the e-mail field. */
  readonly autofill?: unknown
}

/** A way in: from a choice to a person who has proved who they are, or back. */
export type Way = (
  cx: LoginContext,
  choice: Choice,
) => Promise<import('../../auth/login.ts').Login | BackToStart>

/** What a way does beforehand, while the landing screen stands. */
export interface PrepareContext extends LoginContext {
  /** Aborted when anything is chosen, and when the dialog closes. */
  readonly signal: AbortSignal
  /** An e-mail field is on the screen. */
  readonly emailField: boolean
}
export interface WayModule {
  readonly way: Way
  /**
   * Called once the landing screen stands and the page has time: loads what must be there when somebody presses the
   * row. Resolves with a choice that came some other way than by a press, if there is such a thing.
   */
  readonly prepare?: ((cx: PrepareContext) => Promise<Choice | undefined>) | undefined
}
