import type { ServerContext } from '../http/services.ts'
import { Refusal } from '../lib/refusal.ts'
import { activeBearer } from '../sessions/bearer.ts'
import type { App } from '../settings/app.ts'
import { countEvent } from '../store/rate-limits.ts'
import type { LoginServices } from './services.ts'

const hour = 3_600_000

/** Whether a login method is on. @throws Refusal `disallowed_login_method` */
export function requireMethod(app: App, method: App['methods'][number]): void {
  if (!app.methods.includes(method))
    throw new Refusal('disallowed_login_method', `Login with ${method} is not enabled for this app.`)
}

/** For logins that show no address: nobody who comes by one of them is on a list. @throws Refusal `allowlist_rejected` */
export function refuseUnlisted(app: App): void {
  if (app.allowlist) throw new Refusal('allowlist_rejected', 'This user may not log in to this app.')
}

/**
 * What comes before anything that begins a login: the method is on, its network address has not begun too many
 * yet, and the captcha was passed where the app wants that; somebody whose session goes on needs none.
 * @param method `undefined` where another setting than the methods decides
 * @throws Refusal `disallowed_login_method`, `too_many_requests`, `invalid_captcha`
 */
export async function beforeStart(
  services: LoginServices,
  { c, app }: { c: ServerContext; app: App },
  method: App['methods'][number] | undefined,
  captchaToken: string | null | undefined,
): Promise<void> {
  await limitStarts(services, { c, app }, method)
  if (!(await activeBearer(c, services)))
    await services.captcha.check(app, captchaToken, services.clientIp(c))
}

/**
 * The same for logins to which the protocol gives no captcha: guests, and people whom the app's own login has checked.
 * @throws Refusal `disallowed_login_method`, `too_many_requests`
 */
export async function limitStarts(
  services: LoginServices,
  { c, app }: { c: ServerContext; app: App },
  method: App['methods'][number] | undefined,
): Promise<void> {
  if (method !== undefined) requireMethod(app, method)
  const ip = services.clientIp(c)
  if (ip === undefined) return
  const { startsPerIpMinute, startsPerIpHour, captchaAllowance } = services.limits
  const factor = app.captcha?.enabled ? captchaAllowance : 1
  // Every landing screen with an e-mail field asks for a passkey's challenge: looking at it takes nothing from logins.
  const key = method === 'passkey' ? `start passkey ${ip}` : `start ${ip}`
  await countEvent(services.database, key, services.clock(), hour, [
    { most: startsPerIpMinute * factor, span: 60_000 },
    { most: startsPerIpHour * factor, span: hour },
  ])
}
