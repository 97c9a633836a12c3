import type { Analytics } from './analytics.ts'
import type { LeftLogin } from './auth/left-login.ts'
import type { Translate } from './copy/copy.ts'
import type { Clock } from './core/clock.ts'
import type { Emitter } from './core/emitter.ts'
import type { Page } from './core/page.ts'
import { singleFlight } from './core/single-flight.ts'
import type { Stage } from './core/stage.ts'
import type { Surface } from './core/surface.ts'
import { KitError, toKitError } from './errors/kit-error.ts'
import { lazily } from './errors/lazily.ts'
import type { EntryContext, FlowContext, Login, LoginWishes } from './flows/login/context.ts'
import type { KitEvents, LoginOptions } from './kit-api.ts'
import type { KitApp } from './kit-app.ts'
import type { Runs } from './runs.ts'
import type { Services } from './services.ts'
import type { RecentLogin } from './session/recent-login.ts'
import type { User } from './wire/user.ts'

/** What the kit does with a person in front of it. The flows, and React with them, are loaded when they are needed. */
export interface KitFlows {
  login(options: LoginOptions): Promise<User>
  /** Goes on with a login that has left the page: where it was, with the wishes that it had. */
  resume(left: LeftLogin, surface: Surface | undefined): Promise<User>
  /** Does what is loaded only when it is asked for, with all that it takes; the kit is ready then. */
  lead<T>(work: (cx: FlowsContext) => Promise<T>): Promise<T>
  /** Tells the host of a login, and gives the person. */
  welcome(login: Login): User
}

const loadLogin = lazily(() => import('./flows/login/index.ts'))

export interface KitFlowsOptions {
  app: KitApp
  runs: Runs
  recent: RecentLogin
  analytics: Analytics
  events: Emitter<KitEvents>
  clock: Clock
  page: Page
  t: () => Translate
  report: (error: KitError) => void
  /** Whose session is there, even if the app has not let them in yet. */
  user: () => User | null
  services: () => Promise<Services>
}

/** What a flow that is loaded by itself works with. */
export interface FlowsContext extends KitFlowsOptions {
  /** What all flows share. */
  context(stage: Stage): FlowContext
  /** The same for one that begins at the landing screen. */
  entry(stage: Stage, options: LoginWishes): EntryContext
}

export function createKitFlows(cx: KitFlowsOptions): KitFlows {
  const { app, runs, analytics, events, report, services } = cx

  /** What all flows share; only to be called when the app is ready. */
  function context(stage: Stage): FlowContext {
    const { clock, page, recent } = cx
    const config = app.known()
    return {
      stage,
      clock,
      page,
      config,
      t: cx.t(),
      report,
      track: analytics.track,
      recentWallet: recent.wallet(),
    }
  }
  const entry = (stage: Stage, options: LoginWishes): EntryContext => ({
    ...context(stage),
    ...{ options, services, recent: cx.recent.get(), user: cx.user(), surface: undefined },
  })

  async function runLogin(wishes: LoginOptions, left?: LeftLogin): Promise<User> {
    const { signal, surface, ...options } = wishes
    analytics.track('modal_open', { initialScreen: left ? 'AWAITING_OAUTH_SCREEN' : 'LANDING' })
    try {
      const login = await runs.run('login', { surface, signal }, async (stage, { name }) => {
        const flows = await loadLogin()
        if (!app.state.get().ready) await flows.starting({ stage, t: cx.t(), ready: app.whenReady })
        if (alreadyIn()) return undefined
        return flows.login({ ...entry(stage, options), left, surface: name })
      })
      return login ? welcome(login) : welcomeBack()
    } catch (cause) {
      const error = toKitError(cause)
      if (error.code !== 'exited_auth_flow') report(error)
      throw error
    } finally {
      analytics.track('modal_closed')
    }
  }
  const joinLogin = singleFlight(runLogin)

  function alreadyIn(): User | undefined {
    const { user } = app.state.get()
    return user && !user.isGuest ? user : undefined
  }

  function welcomeBack(): User {
    const user = alreadyIn()
    if (!user) throw new KitError('unknown_auth_error', 'Something went wrong', { details: 'nobody is in' })
    console.warn('login() was called, but somebody is logged in already')
    const detail = { user, isNewUser: false, wasAlreadyAuthenticated: true }
    events.emit('login', { ...detail, loginMethod: null, loginAccount: null })
    return user
  }

  function welcome({ user, isNewUser, method, account, oauthTokens }: Login): User {
    app.update()
    analytics.track('sdk_authenticate', { method })
    const detail = { user, isNewUser, wasAlreadyAuthenticated: false }
    events.emit('login', { ...detail, loginMethod: method, loginAccount: account ?? null })
    if (oauthTokens) events.emit('oauth-tokens', { oAuthTokens: oauthTokens, user })
    return user
  }

  return {
    login: async (options) => (alreadyIn() ? welcomeBack() : joinLogin(options)),
    resume: ({ loginMethods, prefill, disableSignup, ...left }, surface) =>
      joinLogin({ loginMethods, prefill, disableSignup, surface } as LoginOptions, {
        ...left,
        disableSignup,
      }),
    async lead(work) {
      await app.whenReady()
      return work({ ...cx, context, entry })
    },
    welcome,
  }
}
