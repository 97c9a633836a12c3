import type { Translate } from '../copy/copy.ts'
import type { Stage } from '../dialog/stage.ts'
import type { KitError } from '../errors/kit-error.ts'
import type { Clock } from '../lib/clock.ts'
import type { Page } from '../lib/page.ts'
import type { AnalyticsEvent, AnalyticsPayload } from '../protocol/analytics.ts'
import type { RecentWallet } from '../session/recent-login.ts'
import type { Config } from './config.ts'

/** What every flow has: a stage, a clock, the page, the app's settings and words. */
export interface FlowContext {
  readonly stage: Stage
  readonly clock: Clock
  readonly page: Page
  readonly config: Config
  readonly t: Translate
  /** Reports to the host a failure that the person was shown; each failure once. */
  readonly report: (error: KitError) => void
  readonly track: (event: AnalyticsEvent, payload?: AnalyticsPayload) => void
  /** The wallet with which somebody last logged in here. */
  readonly recentWallet: RecentWallet | undefined
}
