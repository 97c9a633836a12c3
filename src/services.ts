import { type Auth, createAuth } from './auth/auth.ts'
import type { AuthContext } from './auth/context.ts'
import { lazily } from './errors/lazily.ts'
import { createSession, type Session } from './session/session.ts'
import type { Tabs } from './session/tabs.ts'
import { createTokens } from './session/tokens.ts'
import { createEmbeddedWallets, type EmbeddedWallets } from './wallets/embedded/embedded.ts'
import { type OpenFrame, openFrame } from './wallets/embedded/frame-port.ts'
import { createVaultProxy } from './wallets/embedded/proxy.ts'
import type { ExternalWallets } from './wallets/external/connector.ts'
import { frameUrl } from './wire/frame/calls.ts'

/** What a kit does for a person: loaded once there is one, or somebody on the way to become one. */
export interface Services {
  readonly session: Session
  readonly auth: Auth
  readonly wallets: {
    readonly embedded: EmbeddedWallets
    /** Those outside: loaded when somebody asks for them. */
    readonly external: () => Promise<ExternalWallets>
  }
  close(): void
}

export interface ServicesOptions extends Omit<AuthContext, 'session'> {
  clientId: string | undefined
  vaultUrl: string
  tabs: Tabs
  openFrame?: OpenFrame | undefined
  /** Told once of the wallets outside, when they are there. */
  onExternal(wallets: ExternalWallets): void
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
  let outside: ExternalWallets | undefined
  let closed = false
  const external = lazily(async () => {
    const { createExternalWallets } = await import('./wallets/external/external.ts')
    const made = createExternalWallets(cx)
    outside = made
    if (closed) made.close()
    cx.onExternal(made)
    return made
  })
  return {
    session,
    auth: createAuth({ ...cx, session }),
    wallets: { embedded, external },
    close() {
      closed = true
      session.close()
      embedded.close()
      outside?.close()
    },
  }
}
