import { type Auth, createAuth } from './auth/auth.ts'
import type { AuthContext } from './auth/context.ts'
import { createSession, type Session } from './session/session.ts'
import type { Tabs } from './session/tabs.ts'
import { createTokens } from './session/tokens.ts'
import { createEmbeddedWallets, type EmbeddedWallets } from './wallets/embedded/embedded.ts'
import { type OpenFrame, openFrame } from './wallets/embedded/frame-port.ts'
import { createVaultProxy } from './wallets/embedded/proxy.ts'
import { frameUrl } from './wire/frame.ts'

/** What a kit does for a person: loaded once there is one, or somebody on the way to become one. */
export interface Services {
  readonly session: Session
  readonly auth: Auth
  readonly wallets: { readonly embedded: EmbeddedWallets }
  close(): void
}

export interface ServicesOptions extends Omit<AuthContext, 'session'> {
  clientId: string | undefined
  vaultUrl: string
  tabs: Tabs
  openFrame?: OpenFrame | undefined
  /** The client's analytics id. */
  analyticsId(): string
}

export function createServices(cx: ServicesOptions): Services {
  const { appId, clientId, storage, clock, tabs, http, track } = cx
  const session = createSession({ tokens: createTokens({ appId, storage, clock }), tabs, http })
  const proxy = createVaultProxy({
    url: () => frameUrl(cx.vaultUrl, { appId, clientId, analyticsId: cx.analyticsId() }),
    open: cx.openFrame ?? openFrame,
    clock,
  })
  const embedded = createEmbeddedWallets({ proxy, session, track })
  return {
    session,
    auth: createAuth({ ...cx, session }),
    wallets: { embedded },
    close() {
      session.close()
      embedded.close()
    },
  }
}
