import * as v from 'valibot'
import { flag, maybeText, type Schema, texts } from './decode.ts'
import type { CallOptions, Http } from './http.ts'

/** When a wallet is made for a person who logs in. */
export type CreateOnLogin = 'users-without-wallets' | 'all-users' | 'off'

const createOnLogin = v.fallback(v.picklist(['users-without-wallets', 'all-users', 'off']), 'off')
const methodFlag = (name: string, method: string) => ({ [name]: method })

/** The wire's flag of each login method, and our name of the method. */
const methodFlags: Record<string, string> = {
  ...methodFlag('wallet_auth', 'wallet'),
  ...methodFlag('solana_wallet_auth', 'solana-wallet'),
  ...methodFlag('email_auth', 'email'),
  ...methodFlag('sms_auth', 'sms'),
  ...methodFlag('farcaster_auth', 'farcaster'),
  ...methodFlag('passkey_auth', 'passkey'),
  ...methodFlag('telegram_auth', 'telegram'),
  ...methodFlag('guest_auth', 'guest'),
  ...Object.fromEntries(
    ['google', 'twitter', 'discord', 'github', 'spotify', 'instagram', 'tiktok', 'linkedin', 'apple'].map(
      (provider) => [`${provider}_oauth`, provider],
    ),
  ),
}

const wireAppConfig = v.looseObject({
  id: v.string(),
  name: v.fallback(v.string(), ''),
  logo_url: maybeText,
  icon_url: maybeText,
  accent_color: maybeText,
  theme: maybeText,
  terms_and_conditions_url: maybeText,
  privacy_policy_url: maybeText,
  require_users_accept_terms: flag,
  show_wallet_login_first: flag,
  disable_plus_emails: flag,
  allowlist_config: v.fallback(
    v.object({ error_title: maybeText, error_detail: maybeText, cta_text: maybeText, cta_link: maybeText }),
    { error_title: undefined, error_detail: undefined, cta_text: undefined, cta_link: undefined },
  ),
  custom_api_url: maybeText,
  embedded_wallet_config: v.fallback(
    v.object({ create_on_login: createOnLogin, user_owned_recovery_options: texts }),
    { create_on_login: 'off', user_owned_recovery_options: [] },
  ),
  enforce_wallet_uis: flag,
  captcha_enabled: flag,
  captcha_site_key: maybeText,
  mfa_methods: texts,
})

/** An app as its owner set it up at the server. Spec §3 "App configuration (server side)". */
export interface AppConfig {
  readonly id: string
  readonly name: string
  readonly logoUrl: string | undefined
  readonly iconUrl: string | undefined
  readonly accentColor: string | undefined
  readonly theme: string | undefined
  readonly termsUrl: string | undefined
  readonly privacyUrl: string | undefined
  readonly requireUsersAcceptTerms: boolean
  readonly showWalletLoginFirst: boolean
  readonly plusEmailsAllowed: boolean
  readonly allowlist: {
    readonly title: string | undefined
    readonly detail: string | undefined
    readonly buttonText: string | undefined
    readonly link: string | undefined
  }
  readonly customApiUrl: string | undefined
  readonly createOnLogin: CreateOnLogin
  readonly userOwnedRecoveryOptions: readonly string[]
  readonly enforceWalletUis: boolean
  readonly captcha: { readonly enabled: boolean; readonly siteKey: string | undefined }
  readonly mfaMethods: readonly string[]
  /** Login methods that the app has switched on, by our names. */
  readonly loginMethods: ReadonlySet<string>
}

const appConfig: Schema<AppConfig> = v.pipe(
  wireAppConfig,
  v.transform((raw) => ({
    id: raw.id,
    name: raw.name,
    logoUrl: raw.logo_url,
    iconUrl: raw.icon_url,
    accentColor: raw.accent_color,
    theme: raw.theme,
    termsUrl: raw.terms_and_conditions_url,
    privacyUrl: raw.privacy_policy_url,
    requireUsersAcceptTerms: raw.require_users_accept_terms,
    showWalletLoginFirst: raw.show_wallet_login_first,
    plusEmailsAllowed: !raw.disable_plus_emails,
    allowlist: {
      title: raw.allowlist_config.error_title,
      detail: raw.allowlist_config.error_detail,
      buttonText: raw.allowlist_config.cta_text,
      link: raw.allowlist_config.cta_link,
    },
    customApiUrl: raw.custom_api_url,
    createOnLogin: raw.embedded_wallet_config.create_on_login,
    userOwnedRecoveryOptions: raw.embedded_wallet_config.user_owned_recovery_options,
    enforceWalletUis: raw.enforce_wallet_uis,
    captcha: { enabled: raw.captcha_enabled, siteKey: raw.captcha_site_key },
    mfaMethods: raw.mfa_methods,
    loginMethods: new Set(
      Object.entries(methodFlags).flatMap(([name, method]) => (raw[name] === true ? [method] : [])),
    ),
  })),
)

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
