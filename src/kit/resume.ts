import type { Surface } from '../dialog/surface.ts'
import { type KitError, toKitError } from '../errors/kit-error.ts'
import type { Clock } from '../lib/clock.ts'
import type { Page } from '../lib/page.ts'
import type { Storage } from '../lib/storage.ts'
import type { Readable } from '../lib/store.ts'
import { type ReturnedLogin, returnedLoginOf } from '../login/redirect/returned-login.ts'
import { forgetTelegramFlow } from '../login/telegram/pending-flow.ts'
import type { Returned } from '../protocol/returns.ts'
import { insideTelegram, webAppProof } from '../protocol/telegram.ts'
import { dropMiniApp, type MiniAppReturn } from '../protocol/telegram-return.ts'
import type { WalletBrowserReturn } from '../protocol/wallet-browser.ts'
import { sessionKey } from '../session/keys.ts'
import type { KitApp } from './app.ts'
import { kitLimits } from './limits.ts'

interface ResumeOptions {
  appId: string
  tabStorage: Storage
  clock: Clock
  page: Page
  app: KitApp
  /** Where a dialog may appear. */
  surfaces: Readable<readonly Surface[]>
  /** Continues in a dialog. */
  resume(left: ReturnedLogin, surface: Surface | undefined): Promise<unknown>
  /** The same for an account that is to be linked. */
  link: {
    resume(left: ReturnedLogin, surface: Surface | undefined): Promise<unknown>
    complete(left: ReturnedLogin): Promise<unknown>
  }
  /** Continues without one. */
  complete(left: ReturnedLogin): Promise<unknown>
  /** Continues what a link into a wallet's browser has begun. */
  enterWalletBrowser(returned: WalletBrowserReturn): Promise<void>
  /** Nobody waits for the outcome, so a failure is reported by an event. */
  report(error: KitError): void
}

/**
 * Resumes the login of this app that left the page in this tab, if that is what brought it back, or the one
 * with which Telegram has started it. Resolves once it has begun, so that a host's own `login()` joins it;
 * its outcome is reported by events.
 */
export async function resumeLogin(returned: Returned | MiniAppReturn, cx: ResumeOptions): Promise<void> {
  // A dialog reports its own failures, and its closing matters only to those who asked for it.
  const ways = (left: ReturnedLogin) => (left.linkTo === undefined ? cx : cx.link)
  const inDialog = (left: ReturnedLogin, surface?: Surface) =>
    void ways(left)
      .resume(left, surface)
      .catch(() => {})
  if (returned.kind === 'mini-app') return void enterMiniApp(returned, { ...cx, inDialog })
  if (returned.kind === 'wallet-browser')
    return cx.enterWalletBrowser(returned).catch((cause: unknown) => cx.report(toKitError(cause)))
  const left = returnedLoginOf(returned, cx.tabStorage, cx.appId, cx.clock.now())
  if (!left) return
  if (returned.kind === 'telegram') forgetTelegramFlow(cx.tabStorage, cx.appId)
  if (left.headless)
    ways(left)
      .complete(left)
      .catch((cause: unknown) => cx.report(toKitError(cause)))
  else inDialog(left, left.surface === undefined ? undefined : await surfaceNamed(left.surface, cx))
}

/** The surface of that name, which may still be created; after a while there is none. */
async function surfaceNamed(name: string, { surfaces, clock }: ResumeOptions): Promise<Surface | undefined> {
  const found = () => surfaces.get().find((surface) => surface.name === name)
  const over = new AbortController()
  const came = new Promise<void>((resolve) => {
    const look = () => found() && resolve()
    over.signal.addEventListener('abort', surfaces.subscribe(look))
    look()
  })
  await Promise.race([came, clock.sleep(kitLimits.surfaceWait, over.signal)])
  over.abort()
  return found()
}

interface MiniAppOptions {
  appId: string
  app: KitApp
  page: Page
  tabStorage: Storage
  /** Continues in a dialog, which reports its own failures. */
  inDialog(left: ReturnedLogin): void
}

/**
 * Logs in people who have opened the page inside Telegram, if the app wants that. The start data count once:
 * somebody who logs out and reloads the page stays logged out.
 */
async function enterMiniApp(started: MiniAppReturn, cx: MiniAppOptions): Promise<void> {
  const { app, page, tabStorage } = cx
  // A failure to start is reported where it is asked for.
  const ready = await app.whenReady().then(
    () => true,
    () => false,
  )
  if (!ready) return
  const { user } = app.state.get()
  const config = app.known()
  const telegram = config.app.telegram
  if (!telegram?.seamless || !config.app.loginMethods.has('telegram')) return
  dropMiniApp(page)
  if (!insideTelegram(page, telegram.clientOrigins)) return
  const key = sessionKey(cx.appId, 'mini-app')
  const mark = new URLSearchParams(started.data).get('hash')?.slice(0, kitLimits.miniAppMark) ?? ''
  if ((user && !user.isGuest) || tabStorage.get(key) === mark || !webAppProof(started.data)) return
  tabStorage.set(key, mark)
  cx.inDialog({ returned: started, method: 'telegram', disableSignup: false, headless: false })
}
