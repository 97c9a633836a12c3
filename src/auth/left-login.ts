import { limits } from '../core/limits.ts'
import type { Storage } from '../core/storage.ts'
import type { LoginReturn } from '../wire/returns.ts'
import type { MiniAppReturn } from '../wire/telegram-return.ts'
import type { WalletBrowserReturn } from '../wire/wallet-browser.ts'
import { flowOf, type RunNotes } from './left-flow.ts'
import { telegramFlowOf } from './telegram-flow.ts'

/** A login that is back: what the address bar said, beside what this tab remembers of its beginning. */
export interface LeftLogin extends RunNotes {
  readonly returned: LoginReturn | MiniAppReturn | WalletBrowserReturn
  /** Where this tab had sent the person, whatever the address bar says. */
  readonly method: string
  readonly disableSignup: boolean
  readonly headless: boolean
}

/** The login that a return belongs to; `undefined` where this tab and app have begun none (security T11). */
export function leftLoginOf(
  returned: LoginReturn,
  storage: Pick<Storage, 'get'>,
  appId: string,
  now: number,
): LeftLogin | undefined {
  if (returned.kind === 'telegram') {
    const flow = telegramFlowOf(storage, appId, now)
    return flow && { ...notesOf(flow), returned, method: 'telegram' }
  }
  const flow = flowOf(storage, appId)
  if (!flow) return undefined
  // One that took too long is told so; to a stranger's link it is nothing any more.
  const over = now - flow.leftAt >= limits.oauthStateLife
  return over && flow.state !== returned.state
    ? undefined
    : { ...notesOf(flow), returned, method: flow.provider }
}

type Notes = Pick<LeftLogin, 'surface' | 'loginMethods' | 'prefill' | 'disableSignup' | 'headless'>
const notesOf = ({ surface, loginMethods, prefill, disableSignup, headless }: Notes): Notes => ({
  ...{ surface, loginMethods, prefill, disableSignup, headless },
})
