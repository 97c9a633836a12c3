import { createAnalytics } from './analytics.ts'
import { createEmailAuth } from './auth/email.ts'
import { type CopyOverrides, createTranslate } from './copy/copy.ts'
import { type Clock, systemClock } from './core/clock.ts'
import { createEmitter } from './core/emitter.ts'
import type { Fetch } from './core/retrying-fetch.ts'
import { type Storage, webStorage } from './core/storage.ts'
import { createStore } from './core/store.ts'
import type { Surface } from './core/surface.ts'
import { KitError, toKitError } from './errors/kit-error.ts'
import { checkIdentity } from './identity.ts'
import type { Kit, KitEvents, KitOptions, SignOptions } from './kit-api.ts'
import { createKitApp } from './kit-app.ts'
import { createKitFlows } from './kit-flows.ts'
import { createRuns } from './runs.ts'
import { createRecentLogin } from './session/recent-login.ts'
import { createSession } from './session/session.ts'
import { createTabs, type Tabs } from './session/tabs.ts'
import { createTokens } from './session/tokens.ts'
import { createEmbeddedWallets } from './wallets/embedded/embedded.ts'
import { type OpenFrame, openFrame } from './wallets/embedded/frame-port.ts'
import { createVaultProxy } from './wallets/embedded/proxy.ts'
import { getAppConfig } from './wire/app-config.ts'
import { frameUrl } from './wire/frame.ts'
import { createHttp, type Http } from './wire/http.ts'

export type * from './kit-api.ts'

/** What a kit takes from the page; tests give their own. */
export interface Seams {
  fetch: Fetch
  clock: Clock
  storage: Storage
  tabs: Tabs
  openFrame: OpenFrame
  /** The origin that a person is told of. */
  origin: string
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
    tabs = createTabs(appId),
    makeSurface = noSurface,
  } = seams

  const events = createEmitter<KitEvents>()
  const told = new WeakSet<KitError>()
  const report = (error: KitError) => {
    if (told.has(error)) return
    told.add(error)
    events.emit('error', error)
  }

  const tokens = createTokens({ appId, storage, clock })
  const session = createSession({ tokens, tabs, http: () => http })
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
    tokens: session,
    fetch,
    clock,
  })
  const proxy = createVaultProxy({
    url: () => frameUrl(vaultUrl, { appId, clientId, analyticsId: analytics.id() }),
    open: seams.openFrame ?? openFrame,
    clock,
  })
  const embedded = createEmbeddedWallets({ proxy, session, track: analytics.track })
  const recent = createRecentLogin(appId, storage)
  const email = createEmailAuth({ http: () => http, session, recent })

  async function fetchConfig() {
    const config = await getAppConfig(http, appId)
    if (config.customApiUrl) http.moveTo(checkIdentity({ appId, apiUrl: config.customApiUrl }).apiUrl)
    analytics.initialized(config)
    return config
  }
  const copy = createStore<CopyOverrides>(options.copy ?? {})
  const runs = createRuns({ clock, makeSurface })
  const { isOpen } = runs
  const app = createKitApp({ host: options.config ?? {}, session, isOpen, events, fetchConfig, report })
  const flows = createKitFlows({
    ...{ app, runs, session, email, recent, embedded, analytics, events, clock, report },
    t: () => createTranslate(copy.get()),
    origin: () => seams.origin ?? globalThis.location.origin,
  })

  function signMessage(message: string, ui?: SignOptions['uiOptions'], address?: string): Promise<string>
  function signMessage(input: { message: string }, options?: SignOptions): Promise<{ signature: string }>
  async function signMessage(input: unknown, second: object = {}, address?: string) {
    if (typeof input === 'object' && input !== null && 'message' in input)
      return { signature: await flows.sign(input.message, second) }
    return flows.sign(input, { uiOptions: second, ...(address !== undefined && { address }) })
  }

  app.start().catch((cause: unknown) => report(toKitError(cause)))

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
    login: (wishes = {}) => flows.login(wishes),
    async logout() {
      runs.close()
      const user = session.user.get()
      await session.logout()
      if (user) embedded.forget(user.id)
    },
    async getAccessToken() {
      if (tokens.read().state === 'none') return null
      await app.start().catch(() => {})
      const user = session.user.get()
      if (user && !app.admitted(user)) return null
      return (await session.accessToken()) ?? null
    },
    async getIdentityToken() {
      await app.whenReady()
      return app.state.get().user ? (session.identityToken() ?? null) : null
    },
    async createWallet() {
      await app.whenReady()
      const { address } = await embedded.create()
      return { address }
    },
    async acceptTerms() {
      await app.whenReady()
      await session.acceptTerms()
    },
    signMessage,
    email: {
      state: email.state,
      async sendCode(input) {
        await app.whenReady()
        await email.sendCode(input)
      },
      async loginWithCode(input) {
        await app.whenReady()
        const { user, isNewUser } = await email.loginWithCode(input)
        return flows.welcome({ user, isNewUser, method: 'email', account: user.email })
      },
    },
    configure(next) {
      if (next.copy) copy.set(next.copy)
      if (next.config) app.configure(next.config)
    },
    attach: runs.attach,
    destroy() {
      runs.close()
      app.close()
      session.close()
      embedded.close()
    },
  }
}

const noSurface = (): Surface => {
  throw new KitError('invalid_configuration', 'There is no element on the page that could show a dialog')
}
