import type { Storage } from '../../lib/storage.ts'
import { returnKey, sessionKey } from '../../session/keys.ts'
import { loginLimits } from '../limits.ts'
import type { RunNotes } from '../redirect/left-login.ts'

/** A login that is at Telegram, stored by this tab in case it leaves the page. */
export interface LeftTelegramLogin extends RunNotes {
  readonly leftAt: number
  readonly disableSignup: boolean
  /** The host draws its own screens. */
  readonly headless: boolean
  /** The person to whom the account is added; without one it is a login. */
  readonly linkTo?: string | undefined
}

const key = (appId: string) => sessionKey(appId, 'telegram')

export function keepTelegramLogin(storage: Storage, appId: string, left: LeftTelegramLogin): void {
  // What has come back before belongs to no login that comes after it.
  storage.remove(returnKey)
  storage.set(key(appId), JSON.stringify(left))
}

export const forgetTelegramLogin = (storage: Storage, appId: string) => storage.remove(key(appId))

/** The login that this tab has begun; `undefined` if there is none, or it was too long ago. */
export function telegramLoginOf(
  storage: Pick<Storage, 'get'>,
  appId: string,
  now: number,
): LeftTelegramLogin | undefined {
  const text = storage.get(key(appId))
  if (text === undefined) return undefined
  try {
    const flow: Partial<LeftTelegramLogin> | null = JSON.parse(text)
    if (typeof flow?.leftAt !== 'number') return undefined
    const age = now - flow.leftAt
    return age >= 0 && age < loginLimits.oauthStateLife ? (flow as LeftTelegramLogin) : undefined
  } catch {
    return undefined
  }
}
