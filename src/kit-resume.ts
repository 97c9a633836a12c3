import { type LeftLogin, leftLoginOf } from './auth/left-login.ts'
import { forgetTelegramFlow } from './auth/telegram-flow.ts'
import type { Clock } from './core/clock.ts'
import type { Storage } from './core/storage.ts'
import type { Returned } from './wire/returns.ts'

interface ResumeOptions {
  appId: string
  tabStorage: Storage
  clock: Clock
  /** What the address bar brought, once it is known to be this page's own. */
  returned: Promise<Returned | undefined>
  /** Goes on in a dialog. */
  inDialog(left: LeftLogin): Promise<unknown>
  /** Goes on without one. */
  headless(left: LeftLogin): Promise<unknown>
  /** Nobody waits for the outcome: a failure is told by an event. */
  report(cause: unknown): void
}

/**
 * Takes up the login of this app with which this tab has left the page, if that is what brought it back. Resolves as
 * soon as it is known whether there is one, so that a host's own `login()` joins it. Its outcome is told by events.
 */
export async function resumeLogin(cx: ResumeOptions): Promise<void> {
  const returned = await cx.returned
  const left = returned && leftLoginOf(returned, cx.tabStorage, cx.appId, cx.clock.now())
  if (!left) return
  if (returned.kind === 'telegram') forgetTelegramFlow(cx.tabStorage, cx.appId)
  if (left.headless) cx.headless(left).catch(cx.report)
  // A dialog tells of its failures itself, and of its closing nobody need hear who has not asked for it.
  else cx.inDialog(left).catch(() => {})
}
