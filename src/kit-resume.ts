import { type LeftLogin, leftLoginOf } from './auth/left-login.ts'
import { forgetTelegramFlow } from './auth/telegram-flow.ts'
import type { Clock } from './core/clock.ts'
import { limits } from './core/limits.ts'
import type { Page } from './core/page.ts'
import type { Storage } from './core/storage.ts'
import type { Readable } from './core/store.ts'
import type { Surface } from './core/surface.ts'
import { type KitError, toKitError } from './errors/kit-error.ts'
import type { KitApp } from './kit-app.ts'
import { enterMiniApp } from './kit-telegram.ts'
import type { Returned } from './wire/returns.ts'
import type { MiniAppReturn } from './wire/telegram-return.ts'
import type { WalletBrowserReturn } from './wire/wallet-browser.ts'

interface ResumeOptions {
  appId: string
  tabStorage: Storage
  clock: Clock
  page: Page
  app: KitApp
  /** Where a dialog may appear. */
  surfaces: Readable<readonly Surface[]>
  /** Goes on in a dialog. */
  resume(left: LeftLogin, surface: Surface | undefined): Promise<unknown>
  /** Goes on without one. */
  complete(left: LeftLogin): Promise<unknown>
  /** Goes on with what a link into a wallet's browser has begun. */
  enterWalletBrowser(returned: WalletBrowserReturn): Promise<void>
  /** Nobody waits for the outcome: a failure is told by an event. */
  report(error: KitError): void
}

/**
 * Takes up the login of this app with which this tab has left the page, if that is what brought it back, or the one
 * with which Telegram has started it. Resolves once it has begun, so that a host's own `login()` joins it; its outcome
 * is told by events.
 */
export async function resumeLogin(returned: Returned | MiniAppReturn, cx: ResumeOptions): Promise<void> {
  // A dialog tells of its failures itself, and of its closing nobody need hear who has not asked for it.
  const inDialog = (left: LeftLogin, surface?: Surface) => void cx.resume(left, surface).catch(() => {})
  if (returned.kind === 'mini-app') return void enterMiniApp(returned, { ...cx, inDialog })
  if (returned.kind === 'wallet-browser')
    return cx.enterWalletBrowser(returned).catch((cause: unknown) => cx.report(toKitError(cause)))
  const left = leftLoginOf(returned, cx.tabStorage, cx.appId, cx.clock.now())
  if (!left) return
  if (returned.kind === 'telegram') forgetTelegramFlow(cx.tabStorage, cx.appId)
  if (left.headless) cx.complete(left).catch((cause: unknown) => cx.report(toKitError(cause)))
  else inDialog(left, left.surface === undefined ? undefined : await surfaceNamed(left.surface, cx))
}

/** The surface of that name, which may still be on its way; after a while there is none. */
async function surfaceNamed(name: string, { surfaces, clock }: ResumeOptions): Promise<Surface | undefined> {
  const found = () => surfaces.get().find((surface) => surface.name === name)
  const over = new AbortController()
  const came = new Promise<void>((resolve) => {
    const look = () => found() && resolve()
    over.signal.addEventListener('abort', surfaces.subscribe(look))
    look()
  })
  await Promise.race([came, clock.sleep(limits.surfaceWait, over.signal)])
  over.abort()
  return found()
}
