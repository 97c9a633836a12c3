import { lazily } from '../../errors/lazily.ts'
import type { Http, TokenSource } from '../../protocol/http.ts'
import type { User } from '../../protocol/user.ts'
import { hasStoredSession } from '../../session/stored-session.ts'
import type { KitBase } from '../base.ts'
import type { KitContext } from '../context.ts'
import { features } from '../features.ts'
import type { Services, ServicesOptions } from '../services/services.ts'
import type { KitWallets } from '../wallets/external.ts'

/** The session of a kit, and the services of its person, which are loaded when somebody needs them. */
export interface KitSession {
  readonly services: () => Promise<Services>
  /** For calls to the server; there is no token before the services are loaded. */
  tokens(): TokenSource | undefined
  /** The person of the session, even if their login is not finished yet; `null` before it is restored. */
  user(): User | null
  /** The same person once the page may have them; only to be called when the app is ready. */
  admitted(): User | null
  /** Whether there may be a session: here, or in the browser's storage. */
  exists(): boolean
  /** Restores what an earlier page left, if anything. */
  restore(): Promise<void>
  /** A token that the page may use; `null` where nobody is logged in, or their login is not finished. */
  accessToken(): Promise<string | null>
  /** Who somebody is, as a token for the page's own server; `null` where nobody is logged in. */
  identityToken(): Promise<string | null>
  /** Logs the person out, and forgets what is kept for them here. */
  end(): Promise<void>
  close(): void
}

/** What a session needs of the host's side of its kit. */
export interface SessionHost {
  readonly flowState: ServicesOptions['state']
  readonly externalWallets: () => Promise<KitWallets>
  /** Loads what shows the embedded wallets while the session is restored, where there will be some. */
  expectWallets(): void
  showWallets(): Promise<void>
}

/** The context and the host's side need this session, and are made after it. */
export function createKitSession(
  base: KitBase & { readonly http: () => Http },
  context: () => KitContext,
  host: () => SessionHost,
): KitSession {
  const { appId, storage, tabs, reportFailure } = base
  let loaded: Services | undefined
  let closed = false

  const services = lazily(async () => {
    const [{ createServices }, { followSession }] = await Promise.all([
      features.services(),
      features.sessionChanges(),
    ])
    const cx = context()
    const { app, analytics } = cx
    const { externalWallets, flowState } = host()
    loaded = createServices({
      ...base,
      flow: cx.flow,
      app: () => app.known().app,
      config: app.known,
      state: flowState,
      track: analytics.track,
      analyticsId: analytics.id,
      onLogin: base.recent.set,
      willLogin: app.willLogin,
      onExternal: (external) =>
        reportFailure(externalWallets().then((published) => published.publish(external))),
    })
    followSession(cx, loaded, features.sessionChanged)
    loaded.session.user.subscribe(app.update)
    if (closed) loaded.close()
    return loaded
  })

  const isStored = () => hasStoredSession(appId, storage)
  const exists = () => loaded !== undefined || isStored()
  const user = () => loaded?.session.user.get() ?? null

  /** Restores the session that another tab has begun. */
  const follow = async () => (await services()).session.follow()
  /** Asks, once the network is back, for what this tab has missed meanwhile. */
  async function catchUp(): Promise<void> {
    await context().app.whenReady()
    if (!loaded && isStored()) await follow()
  }
  const stopFollowingTabs = tabs.onMessage((message) => {
    if (message === 'login' && !loaded) reportFailure(follow())
  })
  const stopCatchingUp = tabs.onReturn(() => void catchUp().catch(() => {}))

  return {
    services,
    tokens: () => loaded?.session,
    user,
    admitted: () => loaded?.admitted(user()) ?? null,
    exists,
    async restore() {
      if (!exists()) return
      const { expectWallets, showWallets } = host()
      expectWallets()
      await (await services()).session.restore()
      await showWallets()
    },
    accessToken: async () => (isStored() ? (await services()).accessToken(context().app) : null),
    identityToken: async () => (isStored() ? (await services()).identityToken(context().app) : null),
    end: async () => (await services()).logout(),
    close() {
      closed = true
      stopFollowingTabs()
      loaded?.close()
      stopCatchingUp()
      tabs.close()
    },
  }
}
