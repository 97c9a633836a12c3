import { createAnalytics } from './analytics.ts'
import type { LeftLogin } from './auth/left-login.ts'
import { type CopyOverrides, createTranslate } from './copy/copy.ts'
import { type Clock, systemClock } from './core/clock.ts'
import { createEmitter } from './core/emitter.ts'
import { type Page, pageOf } from './core/page.ts'
import type { Fetch } from './core/retrying-fetch.ts'
import { type Storage, webStorage } from './core/storage.ts'
import { createStore } from './core/store.ts'
import type { Surface } from './core/surface.ts'
import { KitError, toKitError } from './errors/kit-error.ts'
import { lazily } from './errors/lazily.ts'
import { checkIdentity } from './identity.ts'
import type { ConnectedWallet, EmbeddedWallet, Kit, KitEvents, KitOptions } from './kit-api.ts'
import { createKitApp } from './kit-app.ts'
import type { KitCalls } from './kit-calls.ts'
import { createKitFlows } from './kit-flows.ts'
import { createHeadlessMethods } from './kit-headless.ts'
import { createRuns } from './runs.ts'
import type { Services } from './services.ts'
import { hasStoredSession, sessionKey } from './session/keys.ts'
import { createRecentLogin } from './session/recent-login.ts'
import { createTabs, type Tabs } from './session/tabs.ts'
import type { OpenFrame } from './wallets/embedded/frame-port.ts'
import { getAppConfig } from './wire/app-config.ts'
import { createHttp, type Http } from './wire/http.ts'
import type { Returned } from './wire/returns.ts'
import type { MiniAppReturn } from './wire/telegram-return.ts'

export type * from './kit-api.ts'

/** What a kit takes from the page; tests give their own. */
export interface Seams {
  fetch: Fetch
  clock: Clock
  storage: Storage
  /** What outlives a redirect in this tab, and nothing else. */
  tabStorage: Storage
  tabs: Tabs
  openFrame: OpenFrame
  page: Page
  /** What the page was come back to with, or started with, if there is such a thing. */
  returned: Promise<Returned | MiniAppReturn | undefined>
  /** Makes the place for dialogs where no element offers one. */
  makeSurface: () => Surface
}

/**
 * Binds one app to a page. Throws a {@link KitError} `invalid_configuration` when the app id or an address is wrong;
 * everything else that can go wrong is reported by the methods and by the event `error`.
 */
export function createKit(options: KitOptions, seams: Partial<Seams> = {}): Kit {
  const { appId, apiUrl, vaultUrl } = checkIdentity(options)
  const { clientId } = options
  const {
    fetch = (input, init) => globalThis.fetch(input, init),
    clock = systemClock,
    storage = webStorage(() => globalThis.localStorage),
    tabStorage = webStorage(() => globalThis.sessionStorage),
    tabs = createTabs(appId),
    page = pageOf(() => globalThis.window),
    makeSurface = noSurface,
  } = seams

  const events = createEmitter<KitEvents>()
  const told = new WeakSet<KitError>()
  const report = (error: KitError) => {
    if (told.has(error)) return
    told.add(error)
    events.emit('error', error)
  }

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
    const { createServices } = await import('./services.ts')
    services = createServices({
      ...{ appId, clientId, vaultUrl, storage, tabStorage, clock, tabs, page },
      openFrame: seams.openFrame,
      http: () => http,
      app: () => app.known().app,
      config: app.known,
      state: headless.state,
      track: analytics.track,
      analyticsId: analytics.id,
      onLogin: recent.set,
      onExternal(external) {
        loadCalls()
          .then((calls) => calls.publishWallets(external))
          .catch((cause: unknown) => report(toKitError(cause)))
      },
    })
    services.session.user.subscribe(app.update)
    if (destroyed) services.close()
    return services
  })
  const user = () => services?.session.user.get() ?? null
  const restore = async () => {
    if (services || hasStoredSession(appId, storage)) await (await loadServices()).session.restore()
  }
  const unhear = tabs.hear((message) => {
    if (message === 'login' && !services) restore().catch((cause: unknown) => report(toKitError(cause)))
  })

  async function fetchConfig() {
    const config = await getAppConfig(http, appId)
    if (config.customApiUrl) http.moveTo(checkIdentity({ appId, apiUrl: config.customApiUrl }).apiUrl)
    analytics.initialized(config)
    return config
  }
  const copy = createStore<CopyOverrides>(options.copy ?? {})
  const wallets = createStore<readonly ConnectedWallet[]>([])
  const embeddedWallets = createStore<readonly EmbeddedWallet[]>([])
  const runs = createRuns({ clock, makeSurface, openWindow: page.openWindow })
  const { isOpen } = runs
  const app = createKitApp({ host: options.config ?? {}, user, restore, isOpen, events, fetchConfig, report })
  const flows = createKitFlows({
    ...{ app, runs, recent, analytics, events, clock, page, report, user, services: loadServices },
    t: () => createTranslate(copy.get()),
  })
  const loadCalls = lazily(async () => {
    const [{ createKitCalls }, loaded] = await Promise.all([import('./kit-calls.ts'), loadServices()])
    return createKitCalls({ app, flows, wallets, events, services: loaded })
  })
  const later =
    <Name extends keyof KitCalls>(name: Name) =>
    async (...input: unknown[]) =>
      ((await loadCalls())[name] as (...input: unknown[]) => unknown)(...input)
  const headless = createHeadlessMethods(async () => {
    await app.whenReady()
    return (await loadCalls()).headless()
  })

  let followed: string | undefined
  /** Where the host has a login of its own, this one follows it: at the start, and when the host knows more. */
  function followHost(): void {
    const { enabled = false, isLoading = false } = app.config()?.host.customAuth ?? {}
    const wish = `${enabled} ${isLoading}`
    if (wish === followed) return
    followed = wish
    if (!enabled || isLoading) return
    headless.methods.customAuth.sync().catch((cause: unknown) => report(toKitError(cause)))
  }

  let withdraw: (() => void) | undefined
  /** From the first person with a wallet of ours on, the page and its libraries are shown whatever there is. */
  const publishEmbedded = lazily(async () => {
    const { createKitEmbedded } = await import('./kit-embedded.ts')
    if (destroyed) return
    const embedded = createKitEmbedded({
      ...{ appId, flows, app, storage, clock, page, fetch, wallets: embeddedWallets },
    })
    withdraw = embedded.close
    embedded.publish()
  })
  const hasEmbedded = () =>
    app.state.get().user?.linkedAccounts.some((account) => account.type === 'wallet' && account.embedded)

  const unfollow = app.state.subscribe(() => {
    if (app.state.get().ready) followHost()
    if (hasEmbedded()) publishEmbedded().catch((cause: unknown) => report(toKitError(cause)))
  })
  if (storage.get(sessionKey(appId, 'connections')))
    app
      .whenReady()
      .then(async () => (await loadCalls()).restoreWallets())
      .catch(() => {})
  app.start().catch((cause: unknown) => report(toKitError(cause)))

  /** A login that has left the page goes on, before the page itself asks for one: that one then joins it. */
  const resuming = seams.returned
    ?.then(async (returned) => {
      if (!returned) return
      const { resumeLogin } = await import('./kit-resume.ts')
      const complete = async (left: LeftLogin) => (await loadCalls()).complete(left)
      const enterWalletBrowser: KitCalls['enterWalletBrowser'] = async (link) =>
        (await loadCalls()).enterWalletBrowser(link)
      await resumeLogin(returned, {
        ...{ appId, tabStorage, clock, page, app, report },
        ...{ surfaces: runs.surfaces, resume: flows.resume, complete, enterWalletBrowser },
      })
    })
    .catch((cause: unknown) => report(toKitError(cause)))

  return {
    appId,
    get ready() {
      return app.state.get().ready
    },
    get authenticated() {
      return app.state.get().authenticated
    },
    get user() {
      return app.state.get().user
    },
    get isModalOpen() {
      return app.state.get().isModalOpen
    },
    state: app.state,
    look: app.look,
    copy,
    trace: runs.trace,
    whenReady: app.whenReady,
    subscribe(listener) {
      listener(app.state.get())
      return app.state.subscribe(() => listener(app.state.get()))
    },
    on: events.on,
    login: (wishes = {}) => (resuming ? resuming.then(() => flows.login(wishes)) : flows.login(wishes)),
    async logout() {
      runs.close()
      if (services || hasStoredSession(appId, storage)) await (await loadCalls()).logout()
    },
    getAccessToken: async () =>
      hasStoredSession(appId, storage) ? (await loadCalls()).getAccessToken() : null,
    wallets,
    embeddedWallets,
    ...(Object.fromEntries(lazyCalls.map((name) => [name, later(name)])) as Pick<Kit, LazyCall>),
    ...headless.methods,
    configure(next) {
      if (next.copy) copy.set(next.copy)
      if (!next.config) return
      app.configure(next.config)
      followHost()
    },
    attach: runs.attach,
    destroy() {
      destroyed = true
      runs.close()
      app.close()
      unfollow()
      withdraw?.()
      unhear()
      services?.close()
      tabs.close()
    },
  }
}

/** What a page asks for by itself, and not by logging somebody in. */
const lazyCalls = [
  ...[
    'getIdentityToken',
    'createWallet',
    'importWallet',
    'setWalletRecovery',
    'setWalletPassword',
    'exportWallet',
    'acceptTerms',
    'signMessage',
    'connectWallet',
    'connectOrCreateWallet',
  ],
] as const satisfies readonly (keyof KitCalls)[]
type LazyCall = (typeof lazyCalls)[number]

const noSurface = (): Surface => {
  throw new KitError('invalid_configuration', 'There is no element on the page that could show a dialog')
}
