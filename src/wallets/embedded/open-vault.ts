import type { Clock } from '../../lib/clock.ts'
import type { AnalyticsEvent } from '../../protocol/analytics.ts'
import { frameUrl } from '../../protocol/frame/calls.ts'
import type { Session } from '../../session/session.ts'
import { createEmbeddedWallets } from './embedded.ts'
import type { EmbeddedWallets } from './embedded-wallets.ts'
import { type OpenFrame, openFrame } from './frame-port.ts'
import { createVaultProxy } from './proxy.ts'
import { type Verifying, verifyingProxy } from './verifying.ts'

export interface VaultOptions {
  appId: string
  clientId: string | undefined
  vaultUrl: string
  clock: Clock
  session: Session
  openFrame?: OpenFrame | undefined
  verifying: Verifying
  analyticsId(): string
  track(event: AnalyticsEvent): void
}

/** The embedded wallets of an app, with a frame that is loaded at the first request. */
export function openVault(cx: VaultOptions): EmbeddedWallets {
  const { appId, clientId, clock, session, track } = cx
  const proxy = createVaultProxy({
    url: () => frameUrl(cx.vaultUrl, { appId, clientId, analyticsId: cx.analyticsId() }),
    open: cx.openFrame ?? openFrame,
    clock,
  })
  return createEmbeddedWallets({ proxy: verifyingProxy(proxy, cx.verifying), session, track })
}
