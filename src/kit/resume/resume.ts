import type { Surface } from '../../dialog/surface.ts'
import { toKitError } from '../../errors/kit-error.ts'
import type { Storage } from '../../lib/storage.ts'
import { forgetLeftLogin, leftLoginOf } from '../../login/redirect/left-login.ts'
import { type ReturnedLogin, returnedLoginOf } from '../../login/redirect/returned-login.ts'
import { forgetTelegramLogin } from '../../login/telegram/left-login.ts'
import type { Returned } from '../../protocol/returns.ts'
import { insideTelegram, webAppProof } from '../../protocol/telegram.ts'
import { dropMiniApp, type MiniAppReturn } from '../../protocol/telegram-return.ts'
import type { User } from '../../protocol/user.ts'
import { returnKey, sessionKey } from '../../session/keys.ts'
import type { KitContext, LoginDialog } from '../context.ts'
import type { ShowActivity } from '../host/settings.ts'
import { kitLimits } from './limits.ts'
import type { WalletDialogs } from './wallet-browser.ts'

interface ResumeOptions extends Pick<LoginDialog, 'resume'> {
  readonly appId: string
  readonly tabStorage: Storage
  readonly cx: KitContext
  /** Displays the activity from the settings. */
  readonly showActivity: ShowActivity
  /** The parts of the kit that continue what is not a login in a dialog. */
  readonly features: {
    account(): Promise<typeof import('../host/account.ts')>
    settings(): Promise<typeof import('../host/settings.ts')>
    sessionChanged(): Promise<typeof import('../session/session-changed.ts')>
    completeLogin(): Promise<typeof import('../../login/redirect/complete.ts')>
    walletBrowser(): Promise<typeof import('./wallet-browser.ts')>
    purchases(): Promise<typeof import('../host/purchases.ts')>
  }
}

/** Continues a login or a purchase, and resolves once that has begun. */
type Begin = () => Promise<void>

/**
 * Loads what resumes the purchase or the login of this app that left the page in this tab, if that is what brought it back, or the one
 * with which Telegram has started it. Resolves with what begins it, so that a host's own `login()` can join it; its outcome is
 * reported by events. What came back is kept until it is over, because a reload in between continues it.
 */
export async function prepareResume(
  returned: Returned | MiniAppReturn,
  options: ResumeOptions,
): Promise<Begin> {
  const { cx, appId, tabStorage, features } = options
  // Nobody waits for the outcome.
  const report = (cause: unknown) => cx.report(toKitError(cause))
  const over = () => tabStorage.remove(returnKey)
  if (returned.kind === 'mini-app') return async () => void enterMiniApp(returned, options)
  if (returned.kind === 'purchase') {
    const part = await features.purchases()
    return async () => {
      await cx.app.whenReady().catch(() => {})
      part.resumePurchase(cx, returned.id).catch(report).finally(over)
    }
  }
  if (returned.kind === 'wallet-browser') {
    const [part, account] = await Promise.all([features.walletBrowser(), features.account()])
    const dialogs: WalletDialogs = {
      resume: options.resume,
      link: (method, flow) => account.linkFlow(cx, method, flow),
    }
    return async () => {
      await cx.app
        .whenReady()
        .then(() => part.enterWalletBrowser(cx, dialogs, returned, over))
        .catch(report)
    }
  }
  const left = returnedLoginOf(returned, tabStorage, appId, cx.clock.now())
  if (!left)
    return async () => {
      // Another app of the page may have begun it, so this names the one that has not.
      console.warn(
        `A login came back to this page, but the app ${appId} has begun none in this tab that it belongs to, so it is ignored`,
      )
      over()
    }
  const finish = await (left.headless ? completion(options, left) : continuation(options, left))
  const end = () => {
    over()
    if (returned.kind === 'telegram') forgetTelegramLogin(tabStorage, appId)
    else if (leftLoginOf(tabStorage, appId)?.state === returned.state) forgetLeftLogin(tabStorage, appId)
  }
  return async () => {
    const surface =
      left.headless || left.surface === undefined ? undefined : await surfaceNamed(left.surface, cx)
    // A dialog reports its own failures, and its closing matters only to those who asked for it.
    finish(surface)
      .catch(left.headless ? report : () => {})
      .finally(end)
  }
}

/** Continues a login whose parts are there. */
type Finish = (surface: Surface | undefined) => Promise<unknown>

/** Continues in a dialog: what the person came for, or what they began it from. */
async function continuation(
  { cx, features, resume, showActivity }: ResumeOptions,
  left: ReturnedLogin,
): Promise<Finish> {
  const { linkTo } = left
  if (linkTo === undefined) return (surface) => resume(left, surface)
  const intent = left.from === 'settings' ? 'settings' : 'link'
  const [{ requireBeginner, resumeLink }, { sayWhy }, settings] = await Promise.all([
    features.account(),
    features.sessionChanged(),
    intent === 'settings' ? features.settings() : undefined,
  ])
  return async (surface) => {
    await cx.app.whenReady()
    try {
      requireBeginner(cx, left)
    } catch (cause) {
      cx.report(toKitError(cause))
      // What somebody else has begun is nothing to a person who is logged in.
      if (!cx.app.state.get().user) await sayWhy(cx, { intent, surface }, linkTo)
      throw cause
    }
    return settings ? settings.resumeSettings(cx, left, surface, showActivity) : resumeLink(cx, left, surface)
  }
}

/** Continues for a host that draws its own screens. */
async function completion({ cx, features }: ResumeOptions, left: ReturnedLogin): Promise<Finish> {
  if (left.linkTo !== undefined) {
    const { completeLink } = await features.account()
    return async () => {
      await cx.app.whenReady()
      return completeLink(cx, left)
    }
  }
  const { completeHeadless } = await features.completeLogin()
  return async () => {
    await cx.app.whenReady()
    const { auth } = await cx.services()
    await cx.app.loggingIn(async () => {
      const login = await completeHeadless(auth, left)
      if (login) await cx.announceWithWallet(login)
    })
  }
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

/**
 * Logs in people who have opened the page inside Telegram, if the app wants that. The start data count once:
 * somebody who logs out and reloads the page stays logged out.
 */
async function enterMiniApp(
  started: MiniAppReturn,
  { cx, appId, tabStorage, resume }: ResumeOptions,
): Promise<void> {
  const { app, page } = cx
  // A failure to start is reported where it is asked for.
  const ready = await app.whenReady().then(
    () => true,
    () => false,
  )
  if (!ready) return
  const config = app.known()
  const telegram = config.app.telegram
  if (!telegram?.seamless || !config.app.loginMethods.has('telegram')) return
  const key = sessionKey(appId, 'mini-app')
  const mark = new URLSearchParams(started.data).get('hash')?.slice(0, kitLimits.miniAppMark) ?? ''
  const isOver =
    !insideTelegram(page, telegram.clientOrigins) ||
    isLoggedIn(app.state.get()) ||
    tabStorage.get(key) === mark ||
    !webAppProof(started.data)
  if (isOver) return dropMiniApp(page)
  const left = { returned: started, method: 'telegram', disableSignup: false, headless: false }
  const over = new AbortController()
  const loggedIn = new Promise<void>((resolve) => {
    const look = () => isLoggedIn(app.state.get()) && resolve()
    over.signal.addEventListener('abort', app.state.subscribe(look))
  })
  await Promise.race([loggedIn, resume(left, undefined).catch(() => {})])
  over.abort()
  // Not before: a reload in between begins it once more.
  tabStorage.set(key, mark)
  dropMiniApp(page)
}

/** A guest may still log in. */
const isLoggedIn = ({ user }: { user: User | null }): boolean => user !== null && !user.isGuest
