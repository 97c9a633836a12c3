import { createAnalytics } from './analytics.ts'
import { createEmailAuth } from './auth/email.ts'
import { type Config, type HostConfig, resolveConfig } from './config.ts'
import { type CopyOverrides, createTranslate } from './copy/copy.ts'
import { type Clock, systemClock } from './core/clock.ts'
import { createEmitter } from './core/emitter.ts'
import type { Fetch } from './core/retrying-fetch.ts'
import { singleFlight } from './core/single-flight.ts'
import type { Stage } from './core/stage.ts'
import { type Storage, webStorage } from './core/storage.ts'
import { createStore } from './core/store.ts'
import type { Surface } from './core/surface.ts'
import { KitError, toKitError } from './errors/kit-error.ts'
import type { Login } from './flows/login/context.ts'
import { checkIdentity } from './identity.ts'
import type { Kit, KitEvents, KitOptions, KitState, LoginOptions, Look, SignOptions } from './kit-api.ts'
import { createRuns } from './runs.ts'
import { createRecentLogin } from './session/recent-login.ts'
import { createSession } from './session/session.ts'
import { createTabs, type Tabs } from './session/tabs.ts'
import { createTokens } from './session/tokens.ts'
import { createEmbeddedWallets } from './wallets/embedded/embedded.ts'
import { type OpenFrame, openFrame } from './wallets/embedded/frame-port.ts'
import { createVaultProxy } from './wallets/embedded/proxy.ts'
import { type AppConfig, getAppConfig } from './wire/app-config.ts'
import { frameUrl } from './wire/frame.ts'
import { createHttp, type Http } from './wire/http.ts'
import type { User } from './wire/user.ts'

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
  const tokens = createTokens({ appId, storage, clock })
  const recent = createRecentLogin(appId, storage)
  const runs = createRuns({ clock, makeSurface })
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
  const email = createEmailAuth({ http: () => http, session, recent })

  const app = createStore<AppConfig | undefined>(undefined)
  const host = createStore<HostConfig>(options.config ?? {})
  const copy = createStore<CopyOverrides>(options.copy ?? {})
  const restored = createStore(false)
  const state = createStore<KitState>({ ready: false, authenticated: false, user: null, isModalOpen: false })
  const look = createStore<Look>({ theme: 'auto', accent: undefined, appName: undefined })
  let config: Config | undefined

  function reconfigure(): void {
    const known = app.get()
    if (!known) return
    config = resolveConfig(host.get(), known)
    look.set({ theme: config.theme, accent: config.accent, appName: config.appName })
  }

  /** Whoever still owes the app their assent to its terms is not in yet. */
  const admitted = (user: User | null) =>
    user && config?.requireTerms && !user.hasAcceptedTerms ? null : user

  function update(): void {
    const before = state.get()
    const ready = config !== undefined && restored.get()
    const user = ready ? admitted(session.user.get()) : before.user
    const isModalOpen = runs.isOpen.get()
    const same = sameUser(before.user, user)
    if (same && ready === before.ready && isModalOpen === before.isModalOpen) return
    state.set({ ready, authenticated: user !== null, user: same ? before.user : user, isModalOpen })
    if (same) return
    events.emit('user', { user })
    if (before.user && !user) events.emit('logout', undefined)
  }

  const start = singleFlight(async () => {
    if (!config) {
      const answer = await getAppConfig(http, appId)
      if (answer.customApiUrl) http.moveTo(checkIdentity({ appId, apiUrl: answer.customApiUrl }).apiUrl)
      app.set(answer)
      reconfigure()
      analytics.initialized(answer)
    }
    if (restored.get()) return
    try {
      await session.restore()
    } catch (cause) {
      report(toKitError(cause))
    }
    restored.set(true)
    update()
  })
  const ready = async () => {
    if (!state.get().ready) await start()
  }

  const told = new WeakSet<KitError>()
  const report = (error: KitError) => {
    if (told.has(error)) return
    told.add(error)
    events.emit('error', error)
  }
  const t = () => createTranslate(copy.get())
  const stops = [session.user.subscribe(update), runs.isOpen.subscribe(update)]

  /** What all flows share; only to be called when the kit is ready. */
  function flowContext(stage: Stage) {
    if (!config) throw new KitError('invalid_state', 'The kit is not ready')
    return {
      stage,
      clock,
      config,
      t: t(),
      session,
      auth: { email },
      recent,
      wallets: { embedded },
      report,
    }
  }

  async function runLogin({ surface, signal, ...wishes }: LoginOptions): Promise<User> {
    analytics.track('modal_open', { initialScreen: 'LANDING' })
    try {
      const outcome = await runs.run('login', { surface, signal }, async (stage) => {
        const flows = await import('./flows/login/index.ts')
        await flows.starting({ stage, t: t(), ready })
        if (alreadyIn()) return undefined
        return flows.login({ ...flowContext(stage), options: wishes })
      })
      return outcome ? welcome(outcome) : alreadyWelcome()
    } catch (cause) {
      const error = toKitError(cause)
      if (error.code !== 'exited_auth_flow') report(error)
      throw error
    } finally {
      analytics.track('modal_closed')
    }
  }
  const joinLogin = singleFlight(runLogin)

  const alreadyIn = () => {
    const { user } = state.get()
    return user && !user.isGuest ? user : undefined
  }

  function alreadyWelcome(): User {
    const user = alreadyIn()
    if (!user)
      throw new KitError('unknown_auth_error', 'Something went wrong', { details: 'nobody is logged in' })
    console.warn('login() was called, but somebody is logged in already')
    events.emit('login', {
      user,
      isNewUser: false,
      wasAlreadyAuthenticated: true,
      loginMethod: null,
      loginAccount: null,
    })
    return user
  }

  function welcome({ user, isNewUser, method, account }: Login): User {
    update()
    analytics.track('sdk_authenticate', { method })
    const detail = {
      user,
      isNewUser,
      wasAlreadyAuthenticated: false,
      loginMethod: method,
      loginAccount: account ?? null,
    }
    events.emit('login', detail)
    return user
  }

  async function sign(
    message: unknown,
    { uiOptions = {}, address, surface, signal }: SignOptions,
  ): Promise<string> {
    await ready()
    if (typeof message !== 'string' || message === '')
      throw new KitError('invalid_message', 'Message must be a non-empty string')
    if (!state.get().user)
      throw new KitError(
        'must_be_authenticated',
        'User must be authenticated before signing with an embedded wallet',
      )
    const wallet = embedded.find(address)
    if (!wallet)
      throw new KitError('embedded_wallet_not_found', 'Must have an embedded wallet before signing')
    analytics.track('embedded_wallet_sign_message_started')
    const signature = await runs.run('sign', { surface, signal }, async (stage) => {
      const flows = await import('./flows/sign/index.ts')
      const origin = seams.origin ?? globalThis.location.origin
      return flows.signMessage(flowContext(stage), {
        message,
        address: wallet.address,
        origin,
        ui: uiOptions,
      })
    })
    analytics.track('embedded_wallet_sign_message_completed')
    events.emit('signature', { signature, address: wallet.address })
    return signature
  }

  function signMessage(
    message: string,
    uiOptions?: SignOptions['uiOptions'],
    address?: string,
  ): Promise<string>
  function signMessage(input: { message: string }, options?: SignOptions): Promise<{ signature: string }>
  async function signMessage(input: unknown, second: object = {}, address?: string) {
    if (typeof input === 'object' && input !== null && 'message' in input)
      return { signature: await sign(input.message, second) }
    return sign(input, { uiOptions: second, ...(address !== undefined && { address }) })
  }

  start().catch((cause: unknown) => report(toKitError(cause)))

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
    look,
    copy,
    trace: runs.trace,
    whenReady: ready,
    subscribe(listener) {
      listener(state.get())
      return state.subscribe(() => listener(state.get()))
    },
    on: events.on,
    login: async (wishes = {}) => (alreadyIn() ? alreadyWelcome() : joinLogin(wishes)),
    async logout() {
      runs.close()
      const user = session.user.get()
      await session.logout()
      if (user) embedded.forget(user.id)
    },
    async getAccessToken() {
      if (tokens.read().state === 'none') return null
      await start().catch(() => {})
      const user = session.user.get()
      if (user && !admitted(user)) return null
      return (await session.accessToken()) ?? null
    },
    async getIdentityToken() {
      await ready()
      return state.get().user ? (session.identityToken() ?? null) : null
    },
    async createWallet() {
      await ready()
      const { address } = await embedded.create()
      return { address }
    },
    async acceptTerms() {
      await ready()
      await session.acceptTerms()
    },
    signMessage,
    email: {
      state: email.state,
      async sendCode(input) {
        await ready()
        await email.sendCode(input)
      },
      async loginWithCode(input) {
        await ready()
        const { user, isNewUser } = await email.loginWithCode(input)
        return welcome({ user, isNewUser, method: 'email', account: user.email })
      },
    },
    configure(next) {
      if (next.config) host.set(next.config)
      if (next.copy) copy.set(next.copy)
      reconfigure()
      update()
    },
    attach: runs.attach,
    destroy() {
      runs.close()
      for (const stop of stops) stop()
      session.close()
      embedded.close()
    },
  }
}

const noSurface = (): Surface => {
  throw new KitError('invalid_configuration', 'There is no element on the page that could show a dialog')
}

/** The same person with the same accounts, whatever object says so. */
const sameUser = (a: User | null, b: User | null) => a === b || JSON.stringify(a) === JSON.stringify(b)
