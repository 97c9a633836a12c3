import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import * as v from 'valibot'
import { Refusal, Unavailable } from '../../lib/refusal.ts'
import { askOutside } from '../../outside/ask.ts'
import type { App } from '../../settings/app.ts'
import type { Limits } from '../../settings/limits.ts'
import type { Database } from '../../store/database.ts'
import type { OneTime } from '../../store/one-time.ts'

export interface Captcha {
  /**
   * Has the vendor judge a token, where the app asks for one. A token is good for one call, at this app and on its pages.
   * @param ip who presents it, as the vendor wants to know it
   * @throws Refusal `invalid_captcha`; Unavailable when the vendor can't be asked
   */
  check(app: App, token: string | null | undefined, ip: string | undefined): Promise<void>
}

/** The vendor's: no token is longer. */
const TOKEN_SIZE = 2_048
/** Codes by which the vendor says that it is our request that is wrong, or itself, and not the token. */
const notTheToken = ['missing-input-secret', 'invalid-input-secret', 'bad-request', 'internal-error']

const answer = v.object({
  success: v.boolean(),
  action: v.optional(v.string()),
  hostname: v.optional(v.string()),
  'error-codes': v.optional(v.array(v.string()), []),
})
type Answer = v.InferOutput<typeof answer>

/** Turnstile at the server. */
export function createCaptcha(deps: {
  verifyUrl: string
  database: Database
  oneTime: OneTime
  limits: Limits
}): Captcha {
  const { verifyUrl, database, oneTime, limits } = deps

  async function judge(secret: string, token: string, ip: string | undefined): Promise<Answer> {
    const body = {
      secret,
      response: token,
      // Asked again after an answer was lost, the vendor says the same; that a token counts once is seen to here.
      idempotency_key: uuidOf(token),
      ...(ip && isIP(ip) && { remoteip: ip }),
    }
    const { body: said } = await askOutside('The captcha service', verifyUrl, {
      json: body,
      timeout: limits.outsideTimeout,
      most: limits.outsideAnswerSize,
    })
    const judged = v.safeParse(answer, said)
    if (!judged.success) throw unavailable(new Error('The vendor sent an unexpected answer'))
    return judged.output
  }

  return {
    async check(app, token, ip) {
      if (!app.captcha?.enabled) return
      if (!token || token.length > TOKEN_SIZE) throw refused()
      const once = { kind: 'captcha', appId: app.id, value: token }
      if ((await oneTime.peek(database, once)) !== undefined) throw refused()
      const judged = await judge(app.captcha.secretKey ?? '', token, ip)
      const codes = judged['error-codes']
      if (!judged.success && codes.some((code) => notTheToken.includes(code)))
        throw unavailable(new Error(`The vendor returned ${codes.join(', ')}`))
      if (!judged.success || judged.action !== app.id || !hostAllowed(judged.hostname, app.allowedDomains))
        throw refused()
      // Of any number who present it at once, one gets through.
      if (!(await oneTime.put(database, { ...once, life: limits.captchaTokenLife }))) throw refused()
    },
  }
}

/** How many times the usual number of sendings one network address has: behind a captcha many people may share one. */
export const sendAllowance = (app: App, limits: Limits) =>
  app.captcha?.enabled ? limits.captchaAllowance : 1

const refused = () => new Refusal('invalid_captcha', 'The captcha was not passed.')
const unavailable = (cause: unknown) =>
  new Unavailable('The captcha could not be checked. Please try again.', { cause })

/** Whether a page of the app may be on that host; the vendor names no scheme and no port. */
export function hostAllowed(hostname: string | undefined, patterns: readonly string[]): boolean {
  const host = hostname?.toLowerCase()
  if (!host) return false
  return patterns.some((pattern) => {
    const allowed = pattern
      .toLowerCase()
      .replace(/^[a-z][a-z0-9+.-]*:\/\//, '')
      .replace(/:(?:\d+|\*)$/, '')
    if (!allowed.startsWith('*.')) return allowed === host
    const label = host.slice(0, 1 - allowed.length)
    return host.endsWith(allowed.slice(1)) && label.length > 0 && !label.includes('.')
  })
}

/** The same UUID for the same text. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
