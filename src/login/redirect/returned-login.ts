import type { Storage } from '../../lib/storage.ts'
import type { LoginReturn } from '../../protocol/returns.ts'
import type { MiniAppReturn } from '../../protocol/telegram-return.ts'
import type { WalletBrowserReturn } from '../../protocol/wallet-browser.ts'
import { loginLimits } from '../limits.ts'
import { telegramFlowOf } from '../telegram/pending-flow.ts'
import { flowOf, type RunNotes } from './pending-flow.ts'

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
    const flow = telegramFlowOf(storage, appId, now)
    return flow && { ...notesOf(flow), returned, method: 'telegram' }
  }
  const flow = flowOf(storage, appId)
  if (!flow) return undefined
  // A login that took too long is reported; a stranger's link is ignored.
  const over = now - flow.leftAt >= loginLimits.oauthStateLife
  return over && flow.state !== returned.state
    ? undefined
    : { ...notesOf(flow), returned, method: flow.provider }
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
  ...{ surface, loginMethods, prefill, from, disableSignup, headless, linkTo },
})
