import type { AppConfig } from './app-config.ts'
import { fieldsOf } from './failure.ts'

/** What the app says to somebody who is not on its list. Spec §2 "Allowlist rejection". */
export interface AllowlistWords {
  readonly title: string | undefined
  readonly detail: string | undefined
  readonly buttonText: string | undefined
  readonly link: string | undefined
}

const text = (value: unknown) => (typeof value === 'string' && value ? value : undefined)

/** Wire 4.1, read where it is needed: not every app has it, and the landing screen does without. */
export function allowlistOf({ raw }: AppConfig): AllowlistWords {
  const words = fieldsOf(raw.allowlist_config)
  return {
    title: text(words.error_title),
    detail: text(words.error_detail),
    buttonText: text(words.cta_text),
    link: text(words.cta_link),
  }
}

/** The ways of recovery that an app lets people own. Wire 4.1, `embedded_wallet_config`. */
export interface RecoverySettings {
  /** As the wire names them, unknown ones included. */
  readonly options: readonly string[]
  /** Nobody gets a wallet before they have chosen one of them. */
  readonly required: boolean
}
export function recoverySettingsOf({ raw }: AppConfig): RecoverySettings {
  const config = fieldsOf(raw.embedded_wallet_config)
  const options = config.user_owned_recovery_options
  return {
    options: Array.isArray(options) ? options.filter((option) => typeof option === 'string') : [],
    required:
      config.require_user_owned_recovery_on_create === true ||
      config.require_user_password_on_create === true,
  }
}

/** Whether people may sign up with a passkey. */
export const passkeySignup = ({ raw }: AppConfig): boolean => raw.passkeys_for_signup_enabled === true

export interface CaptchaSettings {
  /** Whether the server asks for it. */
  readonly enabled: boolean
  /** The vendor's key of this app; `undefined` where there is none, or one for a kind of captcha that we don't have. */
  readonly siteKey: string | undefined
}

/** Wire 4.1: of a captcha's site key, what follows `t:` is Turnstile's. */
export function captchaOf({ raw }: AppConfig): CaptchaSettings {
  const part = (text(raw.captcha_site_key) ?? '').split(',').find((each) => each.trim().startsWith('t:'))
  return { enabled: raw.captcha_enabled === true, siteKey: part?.trim().slice(2) || undefined }
}

/** The id that the vendor of WalletConnect gave to this app. */
export const walletConnectProjectOf = ({ raw }: AppConfig): string | undefined =>
  text(raw.wallet_connect_cloud_project_id)

/** The bot with which people log in at Telegram. Wire 4.1, `telegram_auth_config`. */
export interface TelegramSettings {
  readonly botId: string
  readonly botName: string
  /** Whoever opens the page inside Telegram is logged in without being asked. */
  readonly seamless: boolean
  /** Where Telegram's own client for the browser is, which shows mini apps in a frame. */
  readonly clientOrigins: readonly string[]
}

/** `undefined` where the app has no bot. */
export function telegramOf({ raw }: AppConfig): TelegramSettings | undefined {
  const config = fieldsOf(raw.telegram_auth_config)
  const botId = text(config.bot_id)
  if (!botId) return undefined
  const origins = Array.isArray(config.client_origins) ? config.client_origins : ['https://web.telegram.org']
  return {
    botId,
    botName: text(config.bot_name) ?? '',
    seamless: config.seamless_auth_enabled === true,
    clientOrigins: origins.filter((origin) => typeof origin === 'string'),
  }
}
