import type { Surface } from '../../dialog/surface.ts'
import { toKitError } from '../../errors/kit-error.ts'
import type { Storage } from '../../lib/storage.ts'
import { type ReturnedLogin, returnedLoginOf } from '../../login/redirect/returned-login.ts'
import { forgetTelegramLogin } from '../../login/telegram/left-login.ts'
import type { Returned } from '../../protocol/returns.ts'
import { insideTelegram, webAppProof } from '../../protocol/telegram.ts'
import { dropMiniApp, type MiniAppReturn } from '../../protocol/telegram-return.ts'
import { sessionKey } from '../../session/keys.ts'
import type { KitContext, LoginDialog } from '../context.ts'
import { kitLimits } from './limits.ts'
import type { WalletDialogs } from './wallet-browser.ts'

interface ResumeOptions extends Pick<LoginDialog, 'resume'> {
  readonly appId: string
  readonly tabStorage: Storage
  readonly cx: KitContext
  /** The parts of the kit that continue what is not a login in a dialog. */
  readonly features: {
    account(): Promise<typeof import('../host/account.ts')>
    settings(): Promise<typeof import('../host/settings.ts')>
    completeLogin(): Promise<typeof import('../../login/redirect/complete.ts')>
    walletBrowser(): Promise<typeof import('./wallet-browser.ts')>
  }
  /** Loads a part, and calls it once the kit is ready. */
  call<Part, T>(load: () => Promise<Part>, work: (part: Part) => Promise<T>): Promise<T>
}

/**
 * Resumes the login of this app that left the page in this tab, if that is what brought it back, or the one
 * with which Telegram has started it. Resolves once it has begun, so that a host's own `login()` joins it;
 * its outcome is reported by events.
 */
export async function resumeLogin(returned: Returned | MiniAppReturn, options: ResumeOptions): Promise<void> {
  const { cx, appId, tabStorage, features, call } = options
  // Nobody waits for the outcome.
  const report = (cause: unknown) => cx.report(toKitError(cause))
  // A dialog reports its own failures, and its closing matters only to those who asked for it.
  const inDialog = (left: ReturnedLogin, surface?: Surface) =>
    void continued(options, left, surface).catch(() => {})
  if (returned.kind === 'mini-app') return void enterMiniApp(returned, { ...options, inDialog })
  if (returned.kind === 'wallet-browser') {
    const dialogs: WalletDialogs = {
      resume: options.resume,
      link: (method, flow) => call(features.account, (part) => part.linkFlow(cx, method, flow)),
    }
    return call(features.walletBrowser, (part) => part.enterWalletBrowser(cx, dialogs, returned)).catch(
      report,
    )
  }
  const left = returnedLoginOf(returned, tabStorage, appId, cx.clock.now())
  if (!left)
    // Another app of the page may have begun it, so this names the one that has not.
    return console.warn(
      `A login came back to this page, but the app ${appId} has begun none in this tab that it belongs to, so it is ignored`,
    )
  if (returned.kind === 'telegram') forgetTelegramLogin(tabStorage, appId)
  if (left.headless) completed(options, left).catch(report)
  else inDialog(left, left.surface === undefined ? undefined : await surfaceNamed(left.surface, cx))
}

/** Continues in a dialog: what the person came for, or what they began it from. */
function continued(
  { cx, features, call, resume }: ResumeOptions,
  left: ReturnedLogin,
  surface: Surface | undefined,
): Promise<unknown> {
  if (left.linkTo === undefined) return resume(left, surface)
  return left.from === 'settings'
    ? call(features.settings, (part) => part.resumeSettings(cx, left, surface))
    : call(features.account, (part) => part.resumeLink(cx, left, surface))
}

/** Continues for a host that draws its own screens. */
async function completed({ cx, features, call }: ResumeOptions, left: ReturnedLogin): Promise<void> {
  if (left.linkTo !== undefined) return call(features.account, (part) => part.completeLink(cx, left))
  await call(features.completeLogin, async ({ completeHeadless }) => {
    const login = await completeHeadless((await cx.services()).auth, left)
    if (login) await cx.announceLogin(login)
  })
}

/** The surface of that name, which may still be created; after a while there is none. */
async function surfaceNamed(name: string, { runs, clock }: KitContext): Promise<Surface | undefined> {
  const { surfaces } = runs
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

interface MiniAppOptions extends Pick<ResumeOptions, 'appId' | 'tabStorage' | 'cx'> {
  /** Continues in a dialog, which reports its own failures. */
  inDialog(left: ReturnedLogin): void
}

/**
 * Logs in people who have opened the page inside Telegram, if the app wants that. The start data count once:
 * somebody who logs out and reloads the page stays logged out.
 */
async function enterMiniApp(
  started: MiniAppReturn,
  { cx, appId, tabStorage, inDialog }: MiniAppOptions,
): Promise<void> {
  const { app, page } = cx
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
  const key = sessionKey(appId, 'mini-app')
  const mark = new URLSearchParams(started.data).get('hash')?.slice(0, kitLimits.miniAppMark) ?? ''
  if ((user && !user.isGuest) || tabStorage.get(key) === mark || !webAppProof(started.data)) return
  tabStorage.set(key, mark)
  inDialog({ returned: started, method: 'telegram', disableSignup: false, headless: false })
}
