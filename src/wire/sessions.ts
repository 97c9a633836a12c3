import * as v from 'valibot'
import { flag, maybeText, reader } from './decode.ts'
import { type CallOptions, type Http, nothing, type Reader } from './http.ts'
import { type User, user } from './user.ts'

/** Spec §4 "Login modes". */
export type LoginMode = 'login-or-sign-up' | 'no-signup'

/** What a provider gave the app for acting there in the person's name. Spec §3; only where the app asks for it. */
export interface OAuthTokens {
  readonly provider: string
  readonly accessToken: string
  readonly accessTokenExpiresInSeconds: number | undefined
  readonly refreshToken: string | undefined
  readonly refreshTokenExpiresInSeconds: number | undefined
  readonly scopes: readonly string[] | undefined
}

/** What the server says about a session. Spec §3 "Session token response". */
export interface SessionAnswer {
  readonly user: User | undefined
  readonly token: string | undefined
  readonly secondToken: string | undefined
  readonly identityToken: string | undefined
  /** The server holds a refresh token for us, in a cookie that no script can read. */
  readonly refreshable: boolean
  readonly isNewUser: boolean
  readonly action: 'set' | 'ignore' | 'clear'
  readonly oauthTokens: OAuthTokens | undefined
}

const maybeSpan = v.fallback(v.optional(v.pipe(v.number(), v.minValue(0))), undefined)
const oauthTokens = v.pipe(
  v.object({
    provider: v.string(),
    access_token: v.pipe(v.string(), v.minLength(1)),
    access_token_expires_in_seconds: maybeSpan,
    refresh_token: maybeText,
    refresh_token_expires_in_seconds: maybeSpan,
    scopes: v.fallback(v.optional(v.array(v.string())), undefined),
  }),
  v.transform(
    (raw): OAuthTokens => ({
      provider: raw.provider,
      accessToken: raw.access_token,
      accessTokenExpiresInSeconds: raw.access_token_expires_in_seconds,
      refreshToken: raw.refresh_token,
      refreshTokenExpiresInSeconds: raw.refresh_token_expires_in_seconds,
      scopes: raw.scopes,
    }),
  ),
)
/** Tokens that can't be read are no reason to refuse a login. */
const maybeTokens = v.fallback(v.optional(oauthTokens), undefined)

/** Wire 4.4. An action that a newer server made up is taken for the safest one that keeps a login: `set`. */
export const sessionAnswer: Reader<SessionAnswer> = reader(
  v.pipe(
    v.object({
      user: v.nullish(user),
      token: maybeText,
      privy_access_token: maybeText,
      refresh_token: maybeText,
      identity_token: maybeText,
      is_new_user: flag,
      session_update_action: v.fallback(v.picklist(['set', 'ignore', 'clear']), 'set'),
      oauth_tokens: maybeTokens,
      oauth_provider_tokens: maybeTokens,
    }),
    v.transform((raw) => ({
      user: raw.user ?? undefined,
      token: raw.token,
      secondToken: raw.privy_access_token,
      identityToken: raw.identity_token,
      refreshable: raw.refresh_token !== undefined,
      isNewUser: raw.is_new_user,
      action: raw.session_update_action,
      oauthTokens: raw.oauth_tokens ?? raw.oauth_provider_tokens,
    })),
  ),
)

const forkAnswer = reader(
  v.pipe(
    v.object({ token: v.string(), refresh_token: maybeText, new_session_refresh_token: v.string() }),
    v.transform((raw) => ({ token: raw.token, forkedToken: raw.new_session_refresh_token })),
  ),
)

const signedIn = <T>(path: string, answer: Reader<T>) =>
  ({ method: 'POST', path, answer, refreshesFirst: false }) as const

/** Wire 2.1: new tokens for the cookie that the server set. */
export const refreshSession = (http: Http, options?: CallOptions): Promise<SessionAnswer> =>
  http.call(signedIn('/api/v1/sessions', sessionAnswer), {}, options)

/** Wire 2.1: ends the session at the server. */
export const endSession = (http: Http, options?: CallOptions): Promise<undefined> =>
  http.call(signedIn('/api/v1/sessions/logout', nothing), {}, options)

/** Wire 2.1: a second session for another place, as a token that can be used once. */
export const forkSession = (http: Http, options?: CallOptions) =>
  http.call({ method: 'POST', path: '/api/v1/sessions/fork', answer: forkAnswer }, {}, options)

/** Wire 2.1: takes over a forked session. */
export const recoverSession = (
  http: Http,
  forkedToken: string,
  options?: CallOptions,
): Promise<SessionAnswer> =>
  http.call(signedIn('/api/v1/sessions/fork/recover', sessionAnswer), { refresh_token: forkedToken }, options)
