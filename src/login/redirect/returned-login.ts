import type { Storage } from '../../lib/storage.ts'
import type { LoginReturn } from '../../protocol/returns.ts'
import type { MiniAppReturn } from '../../protocol/telegram-return.ts'
import type { WalletBrowserReturn } from '../../protocol/wallet-browser.ts'
import { loginLimits } from '../limits.ts'
import { telegramLoginOf } from '../telegram/left-login.ts'
import { leftLoginOf, type RunNotes } from './left-login.ts'

/** A returned login: what the address bar said, and what this tab remembers of its start. */
export interface ReturnedLogin extends RunNotes {
  readonly returned: LoginReturn | MiniAppReturn | WalletBrowserReturn
  /** Where this tab had sent the person, which the address bar can't change. */
  readonly method: string
  readonly disableSignup: boolean
  readonly headless: boolean
  /** The person to whom the account is added; without one it is a login. */
  readonly linkTo?: string | undefined
}

/**
 * The login that a return belongs to; `undefined` if this tab and app have begun none, so that a planted link
 * does nothing.
 */
export function returnedLoginOf(
  returned: LoginReturn,
  storage: Pick<Storage, 'get'>,
  appId: string,
  now: number,
): ReturnedLogin | undefined {
  if (returned.kind === 'telegram') {
    const left = telegramLoginOf(storage, appId, now)
    return left && { ...notesOf(left), returned, method: 'telegram' }
  }
  const left = leftLoginOf(storage, appId)
  if (!left) return undefined
  // A login that took too long is reported; a stranger's link is ignored.
  const over = now - left.leftAt >= loginLimits.oauthStateLife
  return over && left.state !== returned.state
    ? undefined
    : { ...notesOf(left), returned, method: left.provider }
}

type Notes = RunNotes & Pick<ReturnedLogin, 'disableSignup' | 'headless' | 'linkTo'>
const notesOf = ({
  surface,
  loginMethods,
  prefill,
  from,
  disableSignup,
  headless,
  linkTo,
}: Notes): Notes => ({
  surface,
  loginMethods,
  prefill,
  from,
  disableSignup,
  headless,
  linkTo,
})
