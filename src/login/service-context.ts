import type { Config } from '../app/config.ts'
import type { Clock } from '../lib/clock.ts'
import type { Page } from '../lib/page.ts'
import type { Storage } from '../lib/storage.ts'
import type { Store } from '../lib/store.ts'
import type { AnalyticsEvent, AnalyticsPayload } from '../protocol/analytics.ts'
import type { AppConfig } from '../protocol/app-config.ts'
import type { Http } from '../protocol/http.ts'
import type { RecentWallet } from '../session/recent-login.ts'
import type { Session } from '../session/session.ts'
import type { FlowState, HeadlessMethod } from './flow-state.ts'
import type { Purpose } from './purpose.ts'

/** What every login method works with. */
export interface AuthContext {
  readonly appId: string
  /** What becomes of the accounts that people prove. */
  readonly purpose: Purpose
  readonly http: () => Http
  readonly session: Session
  readonly clock: Clock
  /** The browser's storage, which other tabs see. */
  readonly storage: Storage
  /** This tab's storage, which survives a redirect. */
  readonly tabStorage: Storage
  readonly page: Page
  /** The app as its server describes it. Only call this when the kit is ready. */
  readonly app: () => AppConfig
  /** The host's settings over the app's. Only call this when the kit is ready. */
  readonly config: () => Config
  /** Where a headless login reports how far it is. */
  state(method: HeadlessMethod): Store<FlowState>
  /** Records the method of a login, which the landing screen may tag 'Recent'. */
  readonly onLogin: (method: string, wallet?: RecentWallet) => void
  readonly track: (event: AnalyticsEvent, payload?: AnalyticsPayload) => void
}
