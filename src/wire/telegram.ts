import * as v from 'valibot'
import { reader } from './decode.ts'
import type { CallOptions, Http } from './http.ts'
import { type LoginMode, type SessionAnswer, sessionAnswer } from './sessions.ts'
import { type User, user } from './user.ts'

/** What Telegram signed for the app's bot: who a person is, as the server wants to see it. Only the server can check it. */
export interface TelegramProof {
  readonly userId: string
  readonly body:
    | { readonly telegram_auth_result: Readonly<Record<string, string | number>> }
    | { readonly telegram_web_app_data: Readonly<Record<string, string | number>> }
}

const digits = v.pipe(v.union([v.string(), v.number()]), v.transform(String), v.regex(/^[1-9]\d{0,15}$/))
const count = v.pipe(digits, v.transform(Number))
const hash = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))
const maybe = v.optional(v.string())
const widgetResult = v.object({
  id: count,
  first_name: v.string(),
  auth_date: count,
  hash,
  username: maybe,
  last_name: maybe,
  photo_url: maybe,
})
const webAppFields = v.objectWithRest({ hash, auth_date: count, user: v.string() }, v.string())
const webAppUser = v.pipe(v.string(), v.parseJson(), v.object({ id: digits }))

/** What the login widget, or a return in the address bar, gave; `undefined` for what is no such thing. Wire 2.8. */
export function widgetProof(result: unknown): TelegramProof | undefined {
  const read = v.safeParse(widgetResult, result)
  if (!read.success) return undefined
  const fields = Object.entries(read.output).filter(([, value]) => value !== undefined)
  return {
    userId: String(read.output.id),
    body: { telegram_auth_result: Object.fromEntries(fields) as Record<string, string | number> },
  }
}

/** What a mini app was started with: the text behind `tgWebAppData`, decoded once. */
export function webAppProof(data: string): TelegramProof | undefined {
  const pairs = [...new URLSearchParams(data)]
  if (new Set(pairs.map(([key]) => key)).size !== pairs.length) return undefined
  const read = v.safeParse(webAppFields, Object.fromEntries(pairs))
  const person = read.success ? v.safeParse(webAppUser, read.output.user) : undefined
  if (!read.success || !person?.success) return undefined
  return { userId: person.output.id, body: { telegram_web_app_data: read.output } }
}

/** Wire 2.8: logs in with what Telegram signed. */
export const authenticateWithTelegram = (
  http: Http,
  input: { proof: TelegramProof; mode: LoginMode; captchaToken?: string | undefined },
  options?: CallOptions,
): Promise<SessionAnswer> =>
  http.call(
    { method: 'POST', path: '/api/v1/telegram/authenticate', answer: sessionAnswer },
    {
      ...input.proof.body,
      mode: input.mode,
      ...(input.captchaToken && { captcha_token: input.captchaToken }),
    },
    options,
  )

/** Wire 2.8: takes a Telegram account over from another user, who is then gone. */
export const transferTelegram = (
  http: Http,
  input: { nonce: string; proof: TelegramProof },
  options?: CallOptions,
): Promise<User> =>
  http.call(
    { method: 'POST', path: '/api/v1/telegram/transfer', answer: reader(user) },
    { nonce: input.nonce, ...input.proof.body },
    options,
  )

/** Wire 6.3: the script that asks a person at Telegram. */
export const telegramScriptUrl = (http: Http) => `${http.base}/js/telegram-login.js`
export const telegramScriptAttributes = (botName: string) => ({
  'data-telegram-login': botName,
  'data-request-access': 'write',
  'data-lang': 'en',
})

/** What that script brings. */
interface TelegramLoginScript {
  auth(options: object, callback: (result: unknown) => void): void
}
export function telegramScript(page: object): TelegramLoginScript | undefined {
  const { Telegram } = page as { Telegram?: { Login?: Partial<TelegramLoginScript> } }
  const login = Telegram?.Login
  return typeof login?.auth === 'function' ? (login as TelegramLoginScript) : undefined
}
/** @param returnTo where Telegram sends the person, should no window open */
export const telegramOptions = (botId: string, returnTo: string | undefined) => ({
  bot_id: botId,
  request_access: true,
  lang: 'en',
  ...(returnTo !== undefined && { return_to: returnTo }),
})
/** The window that the script uses: one that is there already by that name is taken. */
export const telegramWindowName = (botId: string) => `telegram_oauth_bot${Number.parseInt(botId, 10)}`
