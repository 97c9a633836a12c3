import { type LeftLogin, leftLoginOf } from './auth/left-login.ts'
import { forgetTelegramFlow } from './auth/telegram-flow.ts'
import type { Clock } from './core/clock.ts'
import type { Page } from './core/page.ts'
import type { Storage } from './core/storage.ts'
import { type KitError, toKitError } from './errors/kit-error.ts'
import type { KitApp } from './kit-app.ts'
import { enterMiniApp } from './kit-telegram.ts'
import type { Returned } from './wire/returns.ts'
import type { MiniAppReturn } from './wire/telegram-return.ts'

interface ResumeOptions {
  appId: string
  tabStorage: Storage
  clock: Clock
  page: Page
  app: KitApp
  /** Goes on in a dialog. */
  inDialog(left: LeftLogin): Promise<unknown>
  /** Goes on without one. */
  complete(left: LeftLogin): Promise<unknown>
  /** Nobody waits for the outcome: a failure is told by an event. */
  report(error: KitError): void
}

/**
 * Takes up the login of this app with which this tab has left the page, if that is what brought it back, or the one
 * with which Telegram has started it. Returns once it has begun, so that a host's own `login()` joins it; its outcome is
 * told by events.
 */
export function resumeLogin(returned: Returned | MiniAppReturn, cx: ResumeOptions): void {
  if (returned.kind === 'mini-app') return void enterMiniApp(returned, cx)
  const left = leftLoginOf(returned, cx.tabStorage, cx.appId, cx.clock.now())
  if (!left) return
  if (returned.kind === 'telegram') forgetTelegramFlow(cx.tabStorage, cx.appId)
  if (left.headless) cx.complete(left).catch((cause: unknown) => cx.report(toKitError(cause)))
  // A dialog tells of its failures itself, and of its closing nobody need hear who has not asked for it.
  else cx.inDialog(left).catch(() => {})
}
