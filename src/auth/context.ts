import type { Config } from '../config.ts'
import type { Clock } from '../core/clock.ts'
import type { Page } from '../core/page.ts'
import type { Storage } from '../core/storage.ts'
import type { Store } from '../core/store.ts'
import type { RecentWallet } from '../session/recent-login.ts'
import type { Session } from '../session/session.ts'
import type { AnalyticsEvent, AnalyticsPayload } from '../wire/analytics.ts'
import type { AppConfig } from '../wire/app-config.ts'
import type { Http } from '../wire/http.ts'
import type { FlowState, HeadlessMethod } from './flow-state.ts'

/** What every way to log in works with. */
export interface AuthContext {
  readonly appId: string
  readonly http: () => Http
  readonly session: Session
  readonly clock: Clock
  /** The browser's: what is kept there outlives the page, and other tabs see it. */
  readonly storage: Storage
  /** This tab's: what is kept there outlives a redirect. */
  readonly tabStorage: Storage
  readonly page: Page
  /** The app as its server describes it. Only to be called when the kit is ready. */
  readonly app: () => AppConfig
  /** The host's wishes over the app's settings. Only to be called when the kit is ready. */
  readonly config: () => Config
  /** Where a headless login says how far it is. */
  state(method: HeadlessMethod): Store<FlowState>
  /** Somebody has just logged in by that method, which the landing screen may call 'Recent'. */
  readonly onLogin: (method: string, wallet?: RecentWallet) => void
  readonly track: (event: AnalyticsEvent, payload?: AnalyticsPayload) => void
}
