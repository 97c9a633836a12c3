import type { Analytics } from '../app/analytics.ts'
import type { FlowContext } from '../app/flow-context.ts'
import type { Translate } from '../copy/copy.ts'
import type { Stage } from '../dialog/stage.ts'
import type { Surface } from '../dialog/surface.ts'
import { awaitingCode } from '../login/code/sent-code.ts'
import type { EntryContext, Login, LoginRequest } from '../login/context.ts'
import type { ReturnedLogin } from '../login/redirect/returned-login.ts'
import type { User } from '../protocol/user.ts'
import { walletQuietly } from '../wallets/embedded/create/quietly.ts'
import type { LoginOptions } from './api.ts'
import type { KitApp } from './app.ts'
import type { KitBase } from './base.ts'
import type { Services } from './services/services.ts'

/** What the parts of a kit share. */
export interface KitParts extends KitBase {
  readonly app: KitApp
  readonly analytics: Analytics
  readonly t: () => Translate
  /** The person of the stored session, even if their login is not finished yet. */
  readonly user: () => User | null
  readonly services: () => Promise<Services>
  /** Lists the wallets of the person who is logged in; resolves when they are listed. */
  readonly showWallets: () => Promise<void>
}

/** The same with what a flow is started with. */
export interface KitContext extends KitParts {
  /** What every flow gets; only to be called when the app is ready. */
  flow(stage: Stage): FlowContext
  /** What a flow gets that begins at the landing screen. */
  entry(stage: Stage, request: LoginRequest): EntryContext
  /** Emits the events of a login when the person's wallets are listed, and resolves with the person. */
  announceLogin(login: Login): Promise<User>
  /** The same for a login without a dialog, in which the wallets would be created that the app wants the person to have. */
  announceWithWallet(login: Login): Promise<User>
  /** Emits the event of a change to the person's accounts when their wallets are listed, and resolves with the person. */
  announceChange(event: 'linked' | 'unlinked' | 'updated', change: Changed): Promise<User>
}
type Changed = Pick<Login, 'user' | 'method' | 'account' | 'oauthTokens'>

/** The login dialog. React and the flow are loaded when it is opened. */
export interface LoginDialog {
  /**
   * Opens it; a second call joins the first. Resolves at once with somebody who is logged in already, unless the app wants
   * them to have a wallet that they lack: then it continues with creating it.
   */
  open(options: LoginOptions): Promise<User>
  /**
   * Loads what a login that has come back needs, after that has failed: where it fails again it says so, and tries as often as
   * the person does. Throws `exited_auth_flow` when they close the dialog.
   */
  untilThere<T>(load: () => Promise<T>): Promise<T>
  /** Continues a login that left the page, at the same place and with the same options. */
  resume(login: ReturnedLogin, surface: Surface | undefined): Promise<User>
}

export function createKitContext(parts: KitParts): KitContext {
  const { app, analytics, clock, events, page, recent, report, services } = parts

  const flow = (stage: Stage): FlowContext => ({
    stage,
    clock,
    page,
    report,
    config: app.known(),
    t: parts.t(),
    track: analytics.track,
    recentWallet: recent.wallet(),
  })

  const context: KitContext = {
    ...parts,
    flow,
    entry: (stage, request) => ({
      ...flow(stage),
      options: request,
      services,
      recent: recent.get(),
      awaited: awaitingCode(parts, clock.now()),
      user: parts.user(),
      surface: undefined,
    }),
    async announceWithWallet(login) {
      const { wallets, session } = await services()
      await walletQuietly(wallets.embedded, app.known(), login.user)
      return context.announceLogin({ ...login, user: session.user.get() ?? login.user })
    },
    async announceLogin({ user, isNewUser, method, account, oauthTokens }) {
      await parts.showWallets()
      app.update()
      analytics.track('sdk_authenticate', { method })
      const detail = { user, isNewUser, wasAlreadyAuthenticated: false }
      events.emit('login', { ...detail, loginMethod: method, loginAccount: account ?? null })
      app.toldLogin()
      if (oauthTokens) events.emit('oauth-tokens', { oAuthTokens: oauthTokens, user })
      return user
    },
    async announceChange(event, { user, method, account, oauthTokens }) {
      await parts.showWallets()
      app.update()
      events.emit(event, { user, method, account: account ?? null })
      if (oauthTokens) events.emit('oauth-tokens', { oAuthTokens: oauthTokens, user })
      return user
    },
  }
  return context
}
