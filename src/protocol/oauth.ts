import * as v from 'valibot'
import { safeLink } from '../lib/safe-link.ts'
import { crossAppId } from './cross-app.ts'
import type { CallOptions, Endpoint, Http } from './http.ts'
import { parse, parseOptional } from './schema.ts'
import {
  type LoginMode,
  type OAuthTokens,
  optionalOAuthTokens,
  type SessionAnswer,
  sessionAnswer,
} from './sessions.ts'
import { unlinking } from './unlinking.ts'
import { type LinkedAccount, type User, user } from './user.ts'

/** Where a person continues: only ever a web address. */
export const webAddress = v.pipe(
  v.object({
    url: v.pipe(
      v.string(),
      v.check((url) => safeLink(url) !== undefined, 'expected a web address'),
    ),
  }),
  v.transform(({ url }) => url),
)

/** What starts a login at a provider. */
export interface OAuthStart {
  readonly provider: string
  /** Where the person comes back to. */
  readonly redirectTo: string
  readonly state: string
  /** The S256 challenge of the verifier. */
  readonly challenge: string
  readonly captchaToken: string | undefined
}

/** What a person came back with, and what only this tab knows of it. */
export interface OAuthFinish {
  readonly code: string
  readonly state: string
  readonly verifier: string
  readonly mode: LoginMode
  /** Only for another app's account: which app. */
  readonly provider?: string | undefined
}

interface StartBody {
  provider: string
  redirect_to: string
  state_code: string
  code_challenge: string
  token?: string | undefined
}
interface FinishBody {
  authorization_code: string
  state_code: string
  code_verifier: string
  mode: LoginMode
  provider?: string | undefined
}
const start: Endpoint<StartBody, string> = {
  method: 'POST',
  path: '/api/v1/oauth/init',
  answer: webAddress,
}
const authenticate: Endpoint<FinishBody, SessionAnswer> = {
  method: 'POST',
  path: '/api/v1/oauth/authenticate',
  answer: sessionAnswer,
}
/** A person with an account more, and what its provider gave the app for acting there. */
export interface OAuthLinked {
  readonly user: User
  readonly oauthTokens: OAuthTokens | undefined
}
const tokensOfLink = v.object({
  oauth_tokens: optionalOAuthTokens,
  oauth_provider_tokens: optionalOAuthTokens,
})
/** The person and the tokens are side by side in one object, and each is read from it. */
const link: Endpoint<Omit<FinishBody, 'mode'>, unknown> = {
  method: 'POST',
  path: '/api/v1/oauth/link',
  answer: v.unknown(),
}
const transfer: Endpoint<{ nonce: string; userInfo: object }, User> = {
  method: 'POST',
  path: '/api/v1/oauth/transfer',
  answer: user,
}

/**
 * A page that is loaded again meanwhile repeats the call. By its key the server gives the same answer; a code that comes with another
 * one ends the session that it began.
 */
const once = <Body extends object, Answer>(
  endpoint: Endpoint<Body, Answer>,
  { state }: { state: string },
): Endpoint<Body, Answer> => ({
  ...endpoint,
  headers: { 'idempotency-key': state },
})

/**
 * `POST /oauth/init`: begins a login at a provider. Resolves with the address to which the person is sent. Throws what
 * {@link Http.call} throws.
 */
export const startOAuth = (http: Http, input: OAuthStart, options?: CallOptions): Promise<string> =>
  http.call(
    start,
    {
      provider: input.provider,
      redirect_to: input.redirectTo,
      state_code: input.state,
      code_challenge: input.challenge,
      token: input.captchaToken || undefined,
    },
    options,
  )

/**
 * `POST /oauth/authenticate`: logs in with the code that a provider's return carried. Throws what {@link Http.call}
 * throws; `oauth_state_mismatch`, `invalid_pkce_parameters` or `invalid_credentials` for a return that is not good.
 */
export const finishOAuth = (http: Http, input: OAuthFinish, options?: CallOptions): Promise<SessionAnswer> =>
  http.call(
    once(authenticate, input),
    {
      authorization_code: input.code,
      state_code: input.state,
      code_verifier: input.verifier,
      mode: input.mode,
      provider: input.provider || undefined,
    },
    options,
  )

/**
 * `POST /oauth/link`: gives the account at the provider to who is logged in. Throws what {@link finishOAuth} throws;
 * `linked_to_another_user` or `account_transfer_required` for an account of somebody else.
 */
export async function linkOAuth(
  http: Http,
  input: Omit<OAuthFinish, 'mode'>,
  options?: CallOptions,
): Promise<OAuthLinked> {
  const body = {
    authorization_code: input.code,
    state_code: input.state,
    code_verifier: input.verifier,
    provider: input.provider || undefined,
  }
  const answer = await http.call(once(link, input), body, options)
  const tokens = parseOptional(tokensOfLink, answer)
  return {
    user: parse(user, answer, link.path),
    oauthTokens: tokens?.oauth_tokens ?? tokens?.oauth_provider_tokens,
  }
}

/**
 * `POST /oauth/unlink`: unlinks an account at a provider, or another app's, from the person who is logged in. Throws what
 * {@link Http.call} throws.
 */
export const unlinkOAuth = unlinking({
  path: '/api/v1/oauth/unlink',
  body: (account: { provider: string; subject: string }) => account,
})

/**
 * `POST /oauth/transfer`: takes a profile at a provider over from another account, which is then gone. `profile` goes
 * back to the server as it came. Throws what {@link Http.call} throws.
 */
export const transferOAuth = (
  http: Http,
  { nonce, profile }: { nonce: string; profile: object },
  options?: CallOptions,
): Promise<User> => http.call(transfer, { nonce, userInfo: profile }, options)

/** Whether an account is the one that has just logged in at `provider`. */
export const isAccountOf =
  (provider: string) =>
  (account: LinkedAccount): boolean => {
    const app = crossAppId(provider)
    if (app === undefined) return account.type === provider
    return account.type === 'other' && account.kind === 'cross_app' && account.fields.provider_app_id === app
  }
