import type { JWTPayload } from 'jose'
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
  /**
   * The other app's token for acting with its account; `undefined` once it has expired.
   * @param subject the user whom it has to name, where it names any
   */
  token(appId: string, subject?: string): string | undefined
  /** Stores another token of the other app, or removes it. */
  setToken(appId: string, token: string | undefined): void
  /** Base address of this app's own API, which serves other apps as well. */
  apiUrl(): string
  /** The server's time, in milliseconds since 1970. */
  serverNow(): number
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
    setToken: tokens.set,
    apiUrl: () => cx.http().base,
    serverNow: cx.session.serverNow,
    grant: (asked) => grantLogin(cx.http(), asked),

    start(begin, options) {
      track('cross_app_auth_started')
      return oauth.start({ ...begin, stays: true }, options).catch(trackFailure)
    },

    async complete(returned, options) {
      const { oauthTokens, ...login } = await oauth.complete(returned, options).catch(trackFailure)
      const app = crossAppId(login.method)
      if (app && oauthTokens) tokens.set(app, oauthTokens.accessToken)
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
  const readAll = (): Record<string, string> => {
    try {
      return Object.assign(Object.create(null), JSON.parse(storage.get(key) ?? '{}'))
    } catch {
      return Object.create(null)
    }
  }
  const read = (token: string): JWTPayload | undefined => {
    try {
      const payload = decodeJwt(token)
      const { exp } = payload
      if (typeof exp !== 'number') return undefined
      return exp * 1000 - now() <= sessionLimits.tokenInactiveWithin ? undefined : payload
    } catch {
      return undefined
    }
  }
  const write = (all: Record<string, string>) =>
    Object.keys(all).length > 0 ? storage.set(key, JSON.stringify(all)) : storage.remove(key)
  const set = (app: string, token: string | undefined): void => {
    const { [app]: _, ...rest } = readAll()
    if (token === undefined) write(rest)
    else if (read(token)) write({ ...rest, [app]: token })
  }
  return {
    set,
    get(app: string, subject?: string): string | undefined {
      const token: unknown = readAll()[app]
      if (token === undefined) return undefined
      const payload = typeof token === 'string' ? read(token) : undefined
      if (!payload) {
        set(app, undefined)
        return undefined
      }
      const isOther = subject !== undefined && payload.sub !== undefined && payload.sub !== subject
      return isOther ? undefined : (token as string)
    },
  }
}
