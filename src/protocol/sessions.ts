import * as v from 'valibot'
import type { CallOptions, Endpoint, Http } from './http.ts'
import { flag, nothing, optionalText, requiredText, type Schema } from './schema.ts'
import { type User, user } from './user.ts'

/** Whether a login may make a new user. */
export type LoginMode = 'login-or-sign-up' | 'no-signup'

/** What a provider gave the app for acting there in the person's name; only where the app asks for it. */
export interface OAuthTokens {
  readonly provider: string
  readonly accessToken: string
  readonly accessTokenExpiresInSeconds: number | undefined
  readonly refreshToken: string | undefined
  readonly refreshTokenExpiresInSeconds: number | undefined
  readonly scopes: readonly string[] | undefined
}

/** What the server says about a session. */
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

/** A token that may be missing. One of another type is no token of ours, and the whole answer is refused. */
const optionalToken = v.optional(v.nullable(v.string()))
const seconds = v.fallback(
  v.optional(
    v.pipe(
      v.number(),
      v.check((count) => count >= 0),
    ),
  ),
  undefined,
)
const oauthTokens = v.pipe(
  v.object({
    provider: v.string(),
    access_token: requiredText,
    access_token_expires_in_seconds: seconds,
    refresh_token: optionalText,
    refresh_token_expires_in_seconds: seconds,
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
/** A provider's tokens that can't be read are no reason to refuse a login. */
export const optionalOAuthTokens = v.fallback(v.optional(oauthTokens), undefined)

/**
 * The answer of every endpoint that begins, refreshes or ends a session. An action that a newer server made up is taken
 * for the safest one that keeps a login: `set`.
 */
export const sessionAnswer: Schema<SessionAnswer> = v.pipe(
  v.object({
    user: v.optional(v.nullable(user)),
    token: optionalToken,
    privy_access_token: optionalToken,
    refresh_token: optionalToken,
    identity_token: optionalToken,
    is_new_user: flag,
    session_update_action: v.fallback(v.picklist(['set', 'ignore', 'clear']), 'set'),
    oauth_tokens: optionalOAuthTokens,
    oauth_provider_tokens: optionalOAuthTokens,
  }),
  v.transform((raw) => ({
    user: raw.user ?? undefined,
    token: raw.token || undefined,
    secondToken: raw.privy_access_token || undefined,
    identityToken: raw.identity_token || undefined,
    refreshable: Boolean(raw.refresh_token),
    isNewUser: raw.is_new_user,
    action: raw.session_update_action,
    oauthTokens: raw.oauth_tokens ?? raw.oauth_provider_tokens,
  })),
)

/** A second session in addition to this one: this page's next token, and the other session as a token that counts once. */
export interface ForkedSession {
  readonly token: string
  readonly forkedToken: string
}
const forkAnswer = v.pipe(
  v.object({ token: v.string(), new_session_refresh_token: v.string() }),
  v.transform((raw): ForkedSession => ({ token: raw.token, forkedToken: raw.new_session_refresh_token })),
)

const refresh: Endpoint<object, SessionAnswer> = {
  method: 'POST',
  path: '/api/v1/sessions',
  answer: sessionAnswer,
  refreshesFirst: false,
}
const logout: Endpoint<object, undefined> = {
  method: 'POST',
  path: '/api/v1/sessions/logout',
  answer: nothing,
  refreshesFirst: false,
}
const fork: Endpoint<object, ForkedSession> = {
  method: 'POST',
  path: '/api/v1/sessions/fork',
  answer: forkAnswer,
}
const recover: Endpoint<{ refresh_token: string }, SessionAnswer> = {
  method: 'POST',
  path: '/api/v1/sessions/fork/recover',
  answer: sessionAnswer,
  refreshesFirst: false,
}

/**
 * `POST /sessions`: new tokens for the cookie that the server set. Throws what {@link Http.call} throws;
 * `missing_or_invalid_token` when the session has ended.
 */
export const refreshSession = (http: Http, options?: CallOptions): Promise<SessionAnswer> =>
  http.call(refresh, {}, options)

/** `POST /sessions/logout`: ends the session at the server. Throws what {@link Http.call} throws. */
export const endSession = (http: Http, options?: CallOptions): Promise<undefined> =>
  http.call(logout, {}, options)

/** `POST /sessions/fork`: a second session for another place. Throws what {@link Http.call} throws. */
export const forkSession = (http: Http, options?: CallOptions): Promise<ForkedSession> =>
  http.call(fork, {}, options)

/**
 * `POST /sessions/fork/recover`: takes over a forked session. Throws what {@link Http.call} throws;
 * `token_already_used` for the second one who tries.
 */
export const recoverSession = (
  http: Http,
  forkedToken: string,
  options?: CallOptions,
): Promise<SessionAnswer> => http.call(recover, { refresh_token: forkedToken }, options)
