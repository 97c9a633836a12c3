import * as v from 'valibot'
import type { CallOptions, Endpoint, Http } from './http.ts'
import { parseOptional } from './schema.ts'
import { type LoginMode, type SessionAnswer, sessionAnswer } from './sessions.ts'
import { unlinking } from './unlinking.ts'
import { type User, user } from './user.ts'

type Signed = Readonly<Record<string, string | number | boolean>>
type ProofBody = { readonly telegram_auth_result: Signed } | { readonly telegram_web_app_data: Signed }
/** What Telegram signed for the app's bot: who a person is, as the server wants to see it. Only the server can check it. */
export interface TelegramProof {
  readonly userId: string
  readonly body: ProofBody
}

const digits = v.pipe(v.union([v.string(), v.number()]), v.transform(String), v.regex(/^[1-9]\d{0,15}$/))
const count = v.pipe(digits, v.transform(Number))
const hash = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))
/** The types of signed fields; unknown fields of other types are passed over. */
const signable: ReadonlySet<string> = new Set(['string', 'number', 'boolean'])
/** A signed field: one of another type has not been signed by Telegram, and nothing of the rest counts. */
const signedText = v.optional(v.string())
const widgetResult = v.pipe(
  // Fields that are unknown here are signed like the others.
  v.looseObject({
    id: count,
    first_name: v.string(),
    auth_date: count,
    hash,
    username: signedText,
    last_name: signedText,
    photo_url: signedText,
  }),
  v.transform((signed): TelegramProof => {
    const fields = Object.entries(signed).filter(([, value]) => signable.has(typeof value))
    return {
      userId: String(signed.id),
      body: { telegram_auth_result: Object.fromEntries(fields) as Signed },
    }
  }),
)
const webAppUser = v.object({ id: digits })
const webAppFields = v.pipe(
  v.string(),
  v.transform((data) => [...new URLSearchParams(data)]),
  v.check((pairs) => new Set(pairs.map(([key]) => key)).size === pairs.length, 'expected no field twice'),
  v.transform((pairs) => Object.fromEntries(pairs)),
)
const webAppData = v.looseObject({ hash, auth_date: count, user: v.string() })

/** What the login widget, or a return in the address bar, gave; `undefined` for what is no such thing. */
export const widgetProof = (result: unknown): TelegramProof | undefined => parseOptional(widgetResult, result)

/** What a mini app was started with: the text behind `tgWebAppData`, decoded once. `undefined` for another text. */
export function webAppProof(data: string): TelegramProof | undefined {
  const signed = parseOptional(webAppData, parseOptional(webAppFields, data))
  const person = signed && parseOptional(webAppUser, jsonOf(signed.user))
  // The rest is text as well: it was a query.
  return person && { userId: person.id, body: { telegram_web_app_data: signed as Signed } }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const authenticate: Endpoint<
  ProofBody & { mode: LoginMode; captcha_token?: string | undefined },
  SessionAnswer
> = {
  method: 'POST',
  path: '/api/v1/telegram/authenticate',
  answer: sessionAnswer,
}
const link: Endpoint<ProofBody, User> = { method: 'POST', path: '/api/v1/telegram/link', answer: user }
const transfer: Endpoint<ProofBody & { nonce: string }, User> = {
  method: 'POST',
  path: '/api/v1/telegram/transfer',
  answer: user,
}

/**
 * `POST /telegram/authenticate`: logs in with what Telegram signed. Throws what {@link Http.call} throws;
 * `invalid_credentials` for what the bot's key has not signed.
 */
export const authenticateWithTelegram = (
  http: Http,
  { proof, mode, captchaToken }: { proof: TelegramProof; mode: LoginMode; captchaToken?: string | undefined },
  options?: CallOptions,
): Promise<SessionAnswer> =>
  http.call(authenticate, { ...proof.body, mode, captcha_token: captchaToken || undefined }, options)

/**
 * `POST /telegram/link`: gives the account to who is logged in, with what Telegram signed. Throws what {@link Http.call}
 * throws; `linked_to_another_user` or `account_transfer_required` for an account of somebody else.
 */
export const linkTelegram = (http: Http, proof: TelegramProof, options?: CallOptions): Promise<User> =>
  http.call(link, proof.body, options)

/** `POST /telegram/unlink`: unlinks a Telegram account from the person who is logged in. Throws what {@link Http.call} throws. */
export const unlinkTelegram = unlinking({
  path: '/api/v1/telegram/unlink',
  body: (userId: string) => ({
    telegram_user_id: userId,
  }),
})

/**
 * `POST /telegram/transfer`: takes a Telegram account over from another user, who is then gone. Throws what
 * {@link Http.call} throws.
 */
export const transferTelegram = (
  http: Http,
  { nonce, proof }: { nonce: string; proof: TelegramProof },
  options?: CallOptions,
): Promise<User> => http.call(transfer, { nonce, ...proof.body }, options)

/**
 * Whether the page really runs inside Telegram: its own clients put an object into it, and its client for the browser
 * shows it in a frame. A link with somebody's data in it, opened elsewhere, logs nobody in.
 */
export function insideTelegram(
  page: { window: object; framed: boolean },
  clients: readonly string[],
): boolean {
  const {
    TelegramWebviewProxy: proxy,
    location,
    document,
  } = page.window as {
    TelegramWebviewProxy?: { postEvent?: unknown }
    location?: { ancestorOrigins?: ArrayLike<string> }
    document?: { referrer?: string }
  }
  if (typeof proxy?.postEvent === 'function') return true
  if (!page.framed) return false
  const referrer = document?.referrer
  const parent =
    location?.ancestorOrigins?.[0] ?? (referrer && URL.canParse(referrer) ? new URL(referrer).origin : '')
  return clients.includes(parent)
}

/** The script that asks a person at Telegram. */
export const telegramScriptUrl = (http: Http) => `${http.base}/js/telegram-login.js`
export const telegramScriptAttributes = (botName: string) => ({
  'data-telegram-login': botName,
  'data-request-access': 'write',
  'data-lang': 'en',
})

/** What that script provides. */
interface TelegramLoginScript {
  auth(options: object, callback: (result: unknown) => void): void
}
export function telegramScript(page: object): TelegramLoginScript | undefined {
  const { Telegram } = page as { Telegram?: { Login?: Partial<TelegramLoginScript> } }
  const login = Telegram?.Login
  return typeof login?.auth === 'function' ? (login as TelegramLoginScript) : undefined
}
/** @param returnTo where Telegram sends the person if no window opens */
export const telegramOptions = (botId: string, returnTo: string | undefined) => ({
  bot_id: botId,
  request_access: true,
  lang: 'en',
  ...(returnTo !== undefined && { return_to: returnTo }),
})
/** The name of the script's window, so that one that is already open is used. */
export const telegramWindowName = (botId: string) => `telegram_oauth_bot${Number.parseInt(botId, 10)}`
