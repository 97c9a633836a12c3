import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import * as v from 'valibot'
import { parsePlain } from '../../../../src/lib/plain.ts'
import type { Proof, Prove } from '../../accounts/accounts.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { App } from '../../settings/app.ts'
import type { Limits } from '../../settings/limits.ts'
import type { OneTime } from '../../store/one-time.ts'

/** A line break in a value would let one signed text be read as two sets of fields. */
const line = v.pipe(v.string(), v.regex(/^[^\n\r]*$/), v.maxLength(4_096))
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(1))
const hash = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))

/** Fields that are unknown here are signed like the others. */
const otherField = v.union([line, v.pipe(v.number(), v.safeInteger()), v.boolean()])
/** A sign in a name could be read as part of a value. */
const FIELD_NAME = /^\w{1,64}$/

/** What the login widget gives. */
export const widgetResult = v.objectWithRest(
  {
    id: count,
    first_name: line,
    auth_date: count,
    hash,
    username: v.optional(line),
    last_name: v.optional(line),
    photo_url: v.optional(line),
  },
  otherField,
)

/** What a mini app is started with. */
export const webAppData = v.objectWithRest({ auth_date: count, hash, user: line }, otherField)

/** Of the person in a mini app's `user`; Telegram may tell more. */
const webAppUser = v.pipe(
  v.string(),
  // Not `parseJson`: what was signed is read whole or not at all.
  v.transform((text) => parsePlain(text, text.length)),
  v.object({
    id: count,
    first_name: line,
    last_name: v.optional(line),
    username: v.optional(line),
    photo_url: v.optional(line),
  }),
)

type WidgetResult = v.InferOutput<typeof widgetResult>
type WebAppData = v.InferOutput<typeof webAppData>

/** What a request brings: one of the two. */
export interface TelegramData {
  telegram_auth_result?: WidgetResult | null | undefined
  telegram_web_app_data?: WebAppData | null | undefined
}

export interface TelegramLogin {
  /**
   * Whose signed data these are.
   * @param more milliseconds that they may be older than those of a login, because a question stood in between
   * @throws Refusal when they are forged, too old, or of the future
   */
  read(app: App, data: TelegramData, more?: number): TelegramProof
  /** The same for a login: data that somebody has logged in with can't be used again. */
  proveOnce(app: App, data: TelegramData): Prove
}
type TelegramProof = Extract<Proof, { type: 'telegram' }>

/** Login with data that Telegram signed with the app's bot. */
export function createTelegramLogin(deps: {
  oneTime: OneTime
  limits: Limits
  clock: () => number
}): TelegramLogin {
  const { oneTime, limits, clock } = deps
  const forged = () =>
    new Refusal('invalid_credentials', 'This Telegram login is not valid.', { status: 401 })

  function read(app: App, data: TelegramData, more = 0): TelegramProof {
    const { telegram_auth_result: widget, telegram_web_app_data: webApp } = data
    const signed = widget ?? webApp
    if (!signed || (widget && webApp))
      throw new Refusal('invalid_data', 'Exactly one of the two kinds of Telegram data is required.')
    if (!app.telegram) throw new Refusal('disallowed_login_method', 'Login with Telegram not allowed.')
    if (!Object.keys(signed).every((name) => FIELD_NAME.test(name))) throw forged()
    const { botToken } = app.telegram
    const secret = webApp ? webAppSecret(botToken) : widgetSecret(botToken)
    if (!timingSafeEqual(telegramHash(secret, signed), Buffer.from(signed.hash, 'hex'))) throw forged()
    const age = clock() - signed.auth_date * 1_000
    if (age > limits.telegramAge + more || age < -limits.clockSkew) throw forged()
    if (widget) return proofOf(widget)
    const user = v.safeParse(webAppUser, webApp?.user)
    if (!user.success) throw new Refusal('invalid_data', 'Invalid or missing: telegram_web_app_data.user')
    return proofOf(user.output)
  }

  return {
    read,
    proveOnce(app, data) {
      const proof = read(app, data)
      const value = (data.telegram_auth_result ?? data.telegram_web_app_data)?.hash ?? ''
      const life = limits.telegramAge + limits.clockSkew
      return async (tx) =>
        (await oneTime.put(tx, { kind: 'telegram', appId: app.id, value, life }))
          ? proof
          : { refused: forged() }
    },
  }
}

const proofOf = (person: v.InferOutput<typeof webAppUser>): TelegramProof => ({
  type: 'telegram',
  subject: String(person.id),
  details: {
    firstName: person.first_name || null,
    lastName: person.last_name ?? null,
    username: person.username ?? null,
    photoUrl: person.photo_url ?? null,
  },
  displayName: person.username ? `@${person.username}` : person.first_name || null,
})

/** core.telegram.org/widgets/login, "Checking authorization". */
export const widgetSecret = (botToken: string): Buffer => createHash('sha256').update(botToken).digest()

/** core.telegram.org/bots/webapps, "Validating data received via the Mini App". */
export const webAppSecret = (botToken: string): Buffer =>
  createHmac('sha256', 'WebAppData').update(botToken).digest()

/** The hash of all fields but `hash`: `key=value` in the order of the keys, one a line. */
export function telegramHash(secret: Buffer, fields: object): Buffer {
  const lines = Object.entries(fields)
    .filter(([key, value]) => key !== 'hash' && value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${value}`)
  return createHmac('sha256', secret).update(lines.join('\n')).digest()
}

/** @throws Refusal `feature_not_enabled` where users log in with Telegram and can't add it, from a page or from the vault */
export function requireTelegramLink({ telegram }: App): void {
  if (!telegram?.link)
    throw new Refusal('feature_not_enabled', 'Telegram accounts cannot be linked in this app.')
}
