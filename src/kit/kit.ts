import { createAnalytics } from '../app/analytics.ts'
import { checkIdentity } from '../app/identity.ts'
import { type CopyOverrides, createTranslate } from '../copy/copy.ts'
import { createRuns } from '../dialog/runs.ts'
import type { Surface } from '../dialog/surface.ts'
import { type KitError, toKitError } from '../errors/kit-error.ts'
import { lazily } from '../errors/lazily.ts'
import { type Clock, systemClock } from '../lib/clock.ts'
import { createEmitter } from '../lib/emitter.ts'
import { type Page, pageOf } from '../lib/page.ts'
import type { Fetch } from '../lib/retrying-fetch.ts'
import { type Storage, webStorage } from '../lib/storage.ts'
import { createStore } from '../lib/store.ts'
import { getAppConfig } from '../protocol/app-config.ts'
import { createHttp, type Http } from '../protocol/http.ts'
import type { Returned } from '../protocol/returns.ts'
import type { MiniAppReturn } from '../protocol/telegram-return.ts'
import { sessionKey } from '../session/keys.ts'
import { createRecentLogin } from '../session/recent-login.ts'
import { hasStoredSession } from '../session/stored-session.ts'
import { createTabs, type Tabs } from '../session/tabs.ts'
import type { OpenFrame } from '../wallets/embedded/frame-port.ts'
import type { EarlyWallet } from '../wallets/embedded/provider/announcement.ts'
import type { ConnectedWallet, EmbeddedWallet, Kit, KitEvents, KitOptions, MfaState } from './api.ts'
import { createKitApp } from './app.ts'
import { createKitContext } from './context.ts'
import { features, loginFeatures } from './features.ts'
import type { HostCalls } from './host/calls.ts'
import { createHeadlessMethods } from './host/headless.ts'
import { createHostMethods } from './host/methods.ts'
import { createLoginDialog } from './login.ts'
import { createReport } from './report.ts'
import type { Services } from './services/services.ts'
import { createHostFollower } from './session/follow-host.ts'

export type * from './api.ts'

/** What a kit takes from the page; tests pass their own. */
interface Seams {
  fetch: Fetch
  clock: Clock
  storage: Storage
  /** What survives a redirect in this tab, and nothing else. */
  tabStorage: Storage
  tabs: Tabs
  openFrame: OpenFrame
  page: Page
  /** The wallet that the page announced before there was a kit, from what an earlier page had stored. */
  early: EarlyWallet | undefined
  /** Reads what the page came back or was started with, if anything. Where that can't be loaded, it is called again. */
  returned: () => Promise<Returned | MiniAppReturn | undefined>
  /** Creates the place for dialogs if no element offers one. */
  makeSurface: () => Surface
}

/** Whatever else is missing is the browser's own. */
export type KitSeams = Partial<Seams> & Pick<Seams, 'makeSurface'>

/**
 * Binds one app to a page. Throws a {@link KitError} `invalid_configuration` when the app id or an address is wrong;
 * everything else that can go wrong is reported by the methods and by the event `error`.
 */
export function createKit(options: KitOptions, seams: KitSeams): Kit {
  const { appId, apiUrl, vaultUrl } = checkIdentity(options)
  const { clientId } = options
  const {
    fetch = (input, init) => globalThis.fetch(input, init),
    clock = systemClock,
    storage = webStorage(() => globalThis.localStorage),
    tabStorage = webStorage(() => globalThis.sessionStorage),
    tabs = createTabs(appId),
    page = pageOf(() => globalThis.window),
    makeSurface,
  } = seams

  const events = createEmitter<KitEvents>()
  const { report, reportFailure } = createReport(events)
  const copy = createStore<CopyOverrides>(options.copy ?? {})
  const wallets = createStore<readonly ConnectedWallet[]>([])
  const embeddedWallets = createStore<readonly EmbeddedWallet[]>([])
  const mfaState = createStore<MfaState>({ status: 'idle' })
  const runs = createRuns({ clock, makeSurface, openWindow: page.openWindow })

  const analytics = createAnalytics({
    appId,
    on: options.analytics ?? true,
    storage,
    clock,
    http: () => http,
  })
  const http: Http = createHttp({
    base: apiUrl,
    appId,
    clientId,
    analyticsId: analytics.id,
    tokens: {
      stored: () => services?.session.stored(),
      fresh: async (signal) => services?.session.fresh(signal),
      renewed: async (refused, signal) => services?.session.renewed(refused, signal),
    },
    fetch,
    clock,
  })

  const recent = createRecentLogin(appId, storage)
  let services: Services | undefined
  let destroyed = false
  const loadServices = lazily(async () => {
    const [{ createServices }, { followSession }] = await Promise.all([
      features.services(),
      features.sessionChanges(),
    ])
    services = createServices({
      appId,
      clientId,
      vaultUrl,
      storage,
      tabStorage,
      clock,
      tabs,
      page,
      openFrame: seams.openFrame,
      runs,
      events,
      mfaState,
      flow: cx.flow,
      http: () => http,
      app: () => app.known().app,
      config: app.known,
      state: headless.state,
      track: analytics.track,
      analyticsId: analytics.id,
      onLogin: recent.set,
      onExternal: (external) =>
        reportFailure(externalWallets().then((published) => published.publish(external))),
    })
    followSession(cx, services, features.sessionChanged)
    services.session.user.subscribe(app.update)
    if (destroyed) services.close()
    return services
  })
  const user = () => services?.session.user.get() ?? null
  const restore = async () => {
    if (!services && !hasStoredSession(appId, storage)) return
    // If an earlier page announced a wallet, what announces it is loaded while the session is restored.
    if (storage.get(sessionKey(appId, 'announced'))) void hostCalls().catch(() => {})
    await (await loadServices()).session.restore()
    await showWallets()
  }
  const stopFollowingTabs = tabs.onMessage((message) => {
    if (message === 'login' && !services)
      reportFailure(loadServices().then(({ session }) => session.follow()))
  })
  /** Asks, once the network is back, for what this tab has missed meanwhile. */
  async function catchUp(): Promise<void> {
    await app.whenReady()
    if (!services && hasStoredSession(appId, storage)) await (await loadServices()).session.follow()
  }
  const stopCatchingUp = tabs.onReturn(() => void catchUp().catch(() => {}))

  async function fetchConfig() {
    const config = await getAppConfig(http, appId)
    if (config.customApiUrl) http.moveTo(checkIdentity({ appId, apiUrl: config.customApiUrl }).apiUrl)
    analytics.initialized(config)
    return config
  }
  const app = createKitApp({
    host: options.config ?? {},
    restore,
    isOpen: runs.isOpen,
    events,
    fetchConfig,
    report,
    admitted: () => services?.admitted(user()) ?? null,
  })
  const { state } = app
  const cx = createKitContext({
    app,
    runs,
    recent,
    analytics,
    events,
    clock,
    page,
    report,
    user,
    services: loadServices,
    t: () => createTranslate(copy.get()),
    showWallets,
  })
  const loginDialog = createLoginDialog(cx)

  const externalWallets = lazily(async () => {
    const [{ createKitWallets }, loaded] = await Promise.all([features.externalWallets(), loadServices()])
    return createKitWallets({
      wallets,
      events,
      services: loaded,
      announceLogin: cx.announceLogin,
      announceChange: cx.announceChange,
      unlink: async (...input) => (await hostCalls()).unlink(...input),
      config: app.known,
      user: () => state.get().user,
    })
  })
  let asked: HostCalls | undefined
  const hostCalls = lazily(async () => {
    const { createHostCalls } = await features.hostCalls()
    asked = createHostCalls({
      cx,
      appId,
      storage,
      tabStorage,
      fetch,
      externalWallets,
      embeddedWallets,
      loginFeatures,
      early: seams.early,
      resume: loginDialog.resume,
      logout: endSession,
    })
    if (destroyed) asked.close()
    return asked
  })
  const headless = createHeadlessMethods(async () => (await hostCalls()).headless())

  async function endSession(): Promise<void> {
    const { session, forget } = await loadServices()
    const left = session.user.get()
    await session.logout()
    if (left) forget(left.id)
  }

  const followHost = createHostFollower(
    app.config,
    () => void reportFailure(headless.methods.customAuth.sync()),
  )

  /** Pages read the wallets as soon as they see a user, so the list is loaded first. If it can't be, the user is still logged in. */
  async function showWallets(): Promise<void> {
    const hasEmbedded = user()?.linkedAccounts.some(
      (account) => account.type === 'wallet' && account.embedded,
    )
    if (hasEmbedded) await reportFailure(hostCalls().then((calls) => calls.publishEmbedded()))
    else if (state.get().ready) {
      seams.early?.release()
      storage.remove(sessionKey(appId, 'announced'))
    }
  }

  const stopFollowingState = state.subscribe(() => {
    if (state.get().ready) followHost()
    void showWallets()
  })
  if (storage.get(sessionKey(appId, 'connections')))
    app
      .whenReady()
      .then(async () => (await (await loadServices()).wallets.external()).restore())
      // A wallet that can't be restored has to be connected again by the person.
      .catch(() => {})
  const started = app.start()
  reportFailure(started)
  started.catch((cause: unknown) =>
    advise(({ explainStart }) => explainStart(toKitError(cause), { appId, apiUrl, origin: page.origin })),
  )
  if (options.copy) checkWords(options.copy)

  /** A login that left the page continues before the page asks for one; that request then joins it. */
  const resumed = seams.returned && reportFailure(resume(seams.returned))

  async function resume(read: Seams['returned']): Promise<void> {
    const load = async () => {
      const returned = await read()
      return returned && (await hostCalls()).resume(returned)
    }
    await (await load().catch(() => loginDialog.untilThere(load)))?.()
  }

  /** Nothing depends on advice, so it is no failure if its part can't be loaded. */
  function advise(give: (advice: typeof import('./host/advice.ts')) => void): void {
    hostCalls()
      .then((calls) => calls.advice())
      .then(give)
      .catch(() => {})
  }
  function checkWords(words: CopyOverrides): void {
    advise(({ warnOfUnknownWords }) => warnOfUnknownWords(words))
  }

  return {
    appId,
    get ready() {
      return state.get().ready
    },
    get authenticated() {
      return state.get().authenticated
    },
    get user() {
      return state.get().user
    },
    get isModalOpen() {
      return state.get().isModalOpen
    },
    state,
    look: app.look,
    copy,
    trace: runs.trace,
    wallets,
    embeddedWallets,
    whenReady: app.whenReady,
    subscribe(listener) {
      const tell = () => listener(state.get())
      tell()
      return state.subscribe(tell)
    },
    on: events.on,

    async login(request = {}) {
      await resumed
      return loginDialog.open(request)
    },
    async logout() {
      runs.close()
      if (services || hasStoredSession(appId, storage)) await endSession()
    },
    async acceptTerms() {
      await app.whenReady()
      await (await loadServices()).session.acceptTerms()
    },
    async getAccessToken() {
      if (!hasStoredSession(appId, storage)) return null
      const { session, admitted } = await loadServices()
      await app.start().catch(() => {})
      const known = session.user.get()
      if (known && app.config() && !admitted(known)) return null
      return (await session.accessToken()) ?? null
    },
    async getIdentityToken() {
      await app.whenReady()
      return state.get().user ? ((await loadServices()).session.identityToken() ?? null) : null
    },

    ...createHostMethods(hostCalls, state, mfaState, reportFailure),
    ...headless.methods,
    configure(next) {
      if (next.copy) {
        copy.set(next.copy)
        checkWords(next.copy)
      }
      if (!next.config) return
      app.configure(next.config)
      followHost()
    },
    attach: runs.attach,
    destroy() {
      destroyed = true
      runs.close()
      app.close()
      stopFollowingState()
      asked?.close()
      stopFollowingTabs()
      services?.close()
      stopCatchingUp()
      tabs.close()
    },
  }
}
