import { decodeJwt } from 'jose/jwt/decode'
import { KitError } from '../../errors/kit-error.ts'
import type { Readable } from '../../lib/store.ts'
import {
  type Connection,
  type ConnectionDetails,
  crossAppId,
  crossAppMethod,
  getConnectionDetails,
  getConnections,
  grantLogin,
  type LoginAsked,
} from '../../protocol/cross-app.ts'
import type { CallOptions } from '../../protocol/http.ts'
import { sessionKey } from '../../session/keys.ts'
import { sessionLimits } from '../../session/limits.ts'
import type { FlowState } from '../flow-state.ts'
import type { Login } from '../login-result.ts'
import { createOAuthAuth, loginInWindow, type OAuthAuth, type OAuthBegin } from '../oauth/service.ts'
import type { AuthContext } from '../service-context.ts'

/** Logging in with the account of another app (docs/protocol.md, "Cross-app login"). */
export interface CrossAppAuth
  extends Pick<OAuthAuth, 'start' | 'inWindow' | 'complete' | 'transfer' | 'forget'> {
  readonly state: Readable<FlowState>
  /** The app with that id, if its accounts can log in here. Throws `cross_app_invalid_app` otherwise. */
  connection(appId: string, options?: CallOptions): Promise<Connection>
  /** Name and icon of another app, requested once for each. */
  details(appId: string): Promise<ConnectionDetails>
  /** The other app's token for acting with its account; `undefined` once it has expired. */
  token(appId: string): string | undefined
  /** The whole login without a dialog; call it within a click, since it opens a window. */
  login(input: { appId: string; disableSignup?: boolean; captchaToken?: string }): Promise<Login>
  /** Logs the user in at the app that asks, with their account of this one. Resolves with the address to go to next. */
  grant(asked: LoginAsked): Promise<string>
}

export function createCrossAppAuth(given: AuthContext): CrossAppAuth {
  // Another app's account is never tagged 'Recent'.
  const cx: AuthContext = { ...given, state: () => given.state('crossApp'), onLogin: () => {} }
  const { appId: own, storage, track, page } = cx
  const oauth = createOAuthAuth(cx)
  const known = new Map<string, Promise<ConnectionDetails>>()
  const tokens = createTokenStore(storage, sessionKey(own, 'cross-app'), cx.session.serverNow)

  const crossApp: CrossAppAuth = {
    ...oauth,

    async connection(appId, options) {
      const connections = await getConnections(cx.http(), own, options)
      const found = connections.find((each) => each.appId === appId)
      if (!found) throw new KitError('cross_app_invalid_app', 'Invalid connected app')
      return found
    },

    details(appId) {
      const asked =
        known.get(appId) ??
        getConnectionDetails(cx.http(), appId).catch((cause: unknown) => {
          known.delete(appId)
          throw cause
        })
      known.set(appId, asked)
      return asked
    },

    token: tokens.get,
    grant: (asked) => grantLogin(cx.http(), asked),

    start(begin, options) {
      track('cross_app_auth_started')
      return oauth.start({ ...begin, stays: true }, options).catch(trackFailure)
    },

    async complete(returned, options) {
      const { oauthTokens, ...login } = await oauth.complete(returned, options).catch(trackFailure)
      const app = crossAppId(login.method)
      if (app && oauthTokens) tokens.put(app, oauthTokens.accessToken)
      track('cross_app_auth_completed')
      return login
    },

    async login({ appId, ...options }) {
      const window = page.openWindow()
      const begin: OAuthBegin = { ...options, provider: crossAppMethod(appId) }
      return loginInWindow(crossApp, window, async (signal) => {
        await crossApp.connection(appId, { signal })
        return crossApp.start(begin, { signal })
      })
    },
  }

  const trackFailure = (cause: unknown): never => {
    track('cross_app_auth_error')
    throw cause
  }
  return crossApp
}

/** Tokens by app, under one key, which is removed at logout. */
function createTokenStore(storage: AuthContext['storage'], key: string, now: () => number) {
  const read = (): Record<string, string> => {
    try {
      return Object.assign(Object.create(null), JSON.parse(storage.get(key) ?? '{}'))
    } catch {
      return Object.create(null)
    }
  }
  const isOver = (token: string) => {
    try {
      const { exp } = decodeJwt(token)
      return typeof exp !== 'number' || exp * 1000 - now() <= sessionLimits.tokenInactiveWithin
    } catch {
      return true
    }
  }
  const write = (all: Record<string, string>) =>
    Object.keys(all).length > 0 ? storage.set(key, JSON.stringify(all)) : storage.remove(key)
  return {
    put(app: string, token: string) {
      if (!isOver(token)) write({ ...read(), [app]: token })
    },
    get(app: string): string | undefined {
      const all = read()
      const token = all[app]
      if (token === undefined) return undefined
      if (typeof token === 'string' && !isOver(token)) return token
      delete all[app]
      write(all)
      return undefined
    },
  }
}
