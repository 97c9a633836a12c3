import * as v from 'valibot'
import { safeLink } from '../core/origin.ts'
import { crossAppId } from './cross-app.ts'
import { reader } from './decode.ts'
import type { CallOptions, Http } from './http.ts'
import { type LoginMode, type SessionAnswer, sessionAnswer } from './sessions.ts'
import { type LinkedAccount, type User, user } from './user.ts'

/** Where a person goes on: only ever a web address. */
export const webAddress = reader(
  v.pipe(
    v.object({
      url: v.pipe(
        v.string(),
        v.check((url) => safeLink(url) !== undefined, 'expected a web address'),
      ),
    }),
    v.transform(({ url }) => url),
  ),
)

/** What a login at a provider is begun with. */
export interface OAuthStart {
  readonly provider: string
  /** Where the person comes back to. */
  readonly redirectTo: string
  readonly state: string
  /** S256 of the verifier. */
  readonly challenge: string
  readonly captchaToken: string | undefined
}

/** Wire 2.4: where to send the person. */
export const startOAuth = (http: Http, start: OAuthStart, options?: CallOptions): Promise<string> =>
  http.call(
    { method: 'POST', path: '/api/v1/oauth/init', answer: webAddress },
    {
      provider: start.provider,
      redirect_to: start.redirectTo,
      state_code: start.state,
      code_challenge: start.challenge,
      ...(start.captchaToken && { token: start.captchaToken }),
    },
    options,
  )

/** What a person came back with, and what only this tab knows of it. */
export interface OAuthFinish {
  readonly code: string
  readonly state: string
  readonly verifier: string
  readonly mode: LoginMode
  /** Only for another app's account: which one. */
  readonly provider?: string | undefined
}

/** Wire 2.4: logs in with the code that a provider's return carried. */
export const finishOAuth = (http: Http, finish: OAuthFinish, options?: CallOptions): Promise<SessionAnswer> =>
  http.call(
    { method: 'POST', path: '/api/v1/oauth/authenticate', answer: sessionAnswer },
    {
      authorization_code: finish.code,
      state_code: finish.state,
      code_verifier: finish.verifier,
      mode: finish.mode,
      ...(finish.provider && { provider: finish.provider }),
    },
    options,
  )

/** Wire 2.4: takes a profile at a provider over from another account, which is then gone. */
export const transferOAuth = (
  http: Http,
  { nonce, profile }: { nonce: string; profile: object },
  options?: CallOptions,
): Promise<User> =>
  http.call(
    { method: 'POST', path: '/api/v1/oauth/transfer', answer: reader(user) },
    { nonce, userInfo: profile },
    options,
  )

/** Whether an account is the one with which somebody has just logged in at `provider`. */
export const isAccountOf =
  (provider: string) =>
  (account: LinkedAccount): boolean => {
    if (account.type !== 'other') return false
    const app = crossAppId(provider)
    return app
      ? account.kind === 'cross_app' && account.fields.provider_app_id === app
      : account.kind === `${provider}_oauth`
  }
