import { fieldsOf, malformed } from './failure.ts'
import type { CallOptions, Http, Reader } from './http.ts'

/** When a wallet is made for a person who logs in. */
export type CreateOnLogin = 'users-without-wallets' | 'all-users' | 'off'

/** A login method that is on: the wire's flag is our name of it with `_auth` or `_oauth` behind. */
const methodOf = ([flag, value]: [string, unknown]) =>
  value === true && /_o?auth$/.test(flag) ? [flag.replace(/_o?auth$/, '').replace('_', '-')] : []

/** Of an app as its owner set it up at the server, what the client goes by. Spec §3 "App configuration (server side)". */
export interface AppConfig {
  readonly id: string
  readonly name: string
  readonly logoUrl: string | undefined
  readonly accentColor: string | undefined
  readonly theme: string | undefined
  readonly termsUrl: string | undefined
  readonly privacyUrl: string | undefined
  readonly requireUsersAcceptTerms: boolean
  readonly plusEmailsAllowed: boolean
  readonly customApiUrl: string | undefined
  readonly createOnLogin: CreateOnLogin
  readonly walletLoginFirst: boolean
  readonly captcha: boolean
  /** Login methods that the app has switched on, by our names. */
  readonly loginMethods: ReadonlySet<string>
  /** The answer itself: what is needed later, and not by every app, is read from it then (wire/app-extras). */
  readonly raw: Readonly<Record<string, unknown>>
}

const text = (value: unknown) => (typeof value === 'string' && value ? value : undefined)
const createOnLogin = (value: unknown): CreateOnLogin =>
  value === 'users-without-wallets' || value === 'all-users' ? value : 'off'

/**
 * Wire 4.1, read by hand: it stands before the first screen, and a field that is missing or that a newer server has
 * changed must not keep anybody out. Only an answer that is no app at all is refused.
 */
const appConfig: Reader<AppConfig> = (body, what) => {
  const raw = fieldsOf(body)
  const id = text(raw.id)
  if (!id) throw malformed(what, 'no app id')
  const wallets = fieldsOf(raw.embedded_wallet_config)
  return {
    id,
    name: text(raw.name) ?? '',
    logoUrl: text(raw.logo_url),
    accentColor: text(raw.accent_color),
    theme: text(raw.theme),
    termsUrl: text(raw.terms_and_conditions_url),
    privacyUrl: text(raw.privacy_policy_url),
    requireUsersAcceptTerms: raw.require_users_accept_terms === true,
    plusEmailsAllowed: raw.disable_plus_emails !== true,
    customApiUrl: text(raw.custom_api_url),
    createOnLogin: createOnLogin(wallets.create_on_login),
    walletLoginFirst: raw.show_wallet_login_first === true,
    captcha: raw.captcha_enabled === true,
    raw,
    loginMethods: new Set(Object.entries(raw).flatMap(methodOf)),
  }
}

/** Wire 2.12: the app's configuration, always from the address that the host set. */
export const getAppConfig = (http: Http, appId: string, options?: CallOptions): Promise<AppConfig> =>
  http.call(
    {
      method: 'GET',
      path: `/api/v1/apps/${encodeURIComponent(appId)}`,
      answer: appConfig,
      refreshesFirst: false,
      onFallbackBase: true,
    },
    undefined,
    options,
  )
