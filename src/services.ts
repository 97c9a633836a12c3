import type { CodeState } from './auth/code-state.ts'
import { createEmailAuth, type EmailAuth } from './auth/email.ts'
import type { Clock } from './core/clock.ts'
import type { Storage } from './core/storage.ts'
import type { Store } from './core/store.ts'
import { createSession, type Session } from './session/session.ts'
import type { Tabs } from './session/tabs.ts'
import { createTokens } from './session/tokens.ts'
import { createEmbeddedWallets, type EmbeddedWallets } from './wallets/embedded/embedded.ts'
import { type OpenFrame, openFrame } from './wallets/embedded/frame-port.ts'
import { createVaultProxy } from './wallets/embedded/proxy.ts'
import type { AnalyticsEvent } from './wire/analytics.ts'
import { frameUrl } from './wire/frame.ts'
import type { Http } from './wire/http.ts'

/** What a kit does for a person: loaded once there is one, or somebody on the way to become one. */
export interface Services {
  readonly session: Session
  readonly auth: { readonly email: EmailAuth }
  readonly wallets: { readonly embedded: EmbeddedWallets }
  close(): void
}

export function createServices(cx: {
  appId: string
  clientId: string | undefined
  vaultUrl: string
  http: Http
  storage: Storage
  clock: Clock
  tabs: Tabs
  openFrame?: OpenFrame
  analytics: { id(): string; track(event: AnalyticsEvent): void }
  emailState: Store<CodeState>
  /** Somebody has just logged in by that method. */
  onLogin: (method: string) => void
}): Services {
  const { appId, clientId, storage, clock, tabs, analytics } = cx
  const http = () => cx.http
  const session = createSession({ tokens: createTokens({ appId, storage, clock }), tabs, http })
  const proxy = createVaultProxy({
    url: () => frameUrl(cx.vaultUrl, { appId, clientId, analyticsId: analytics.id() }),
    open: cx.openFrame ?? openFrame,
    clock,
  })
  const embedded = createEmbeddedWallets({ proxy, session, track: analytics.track })
  const email = createEmailAuth({ http, session, state: cx.emailState, onLogin: cx.onLogin })
  return {
    session,
    auth: { email },
    wallets: { embedded },
    close() {
      session.close()
      embedded.close()
    },
  }
}
