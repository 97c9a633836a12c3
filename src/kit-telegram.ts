import type { LeftLogin } from './auth/left-login.ts'
import { limits } from './core/limits.ts'
import type { Page } from './core/page.ts'
import type { Storage } from './core/storage.ts'
import type { KitApp } from './kit-app.ts'
import { sessionKey } from './session/keys.ts'
import { telegramOf } from './wire/app-extras.ts'
import { webAppProof } from './wire/telegram.ts'
import { dropMiniApp, insideTelegram, type MiniAppReturn } from './wire/telegram-return.ts'

interface MiniAppOptions {
  appId: string
  app: KitApp
  page: Page
  tabStorage: Storage
  /** Goes on in a dialog, which tells of its failures itself. */
  inDialog(left: LeftLogin): void
}

/**
 * Logs in whoever has opened the page inside Telegram, where the app wants that (wire 6.3, seamless). What the page
 * was started with counts once: whoever logs out and loads the page again stays out.
 */
export async function enterMiniApp(started: MiniAppReturn, cx: MiniAppOptions): Promise<void> {
  const { app, page, tabStorage } = cx
  // Why an app can't start is told where it is asked for.
  const ready = await app.whenReady().then(
    () => true,
    () => false,
  )
  if (!ready) return
  const { user } = app.state.get()
  const config = app.known()
  const telegram = telegramOf(config.app)
  if (!telegram?.seamless || !config.app.loginMethods.has('telegram')) return
  dropMiniApp(page)
  if (!insideTelegram(page, telegram.clientOrigins)) return
  const key = sessionKey(cx.appId, 'mini-app')
  const mark = new URLSearchParams(started.data).get('hash')?.slice(0, limits.miniAppMark) ?? ''
  if ((user && !user.isGuest) || tabStorage.get(key) === mark || !webAppProof(started.data)) return
  tabStorage.set(key, mark)
  cx.inDialog({ returned: started, method: 'telegram', disableSignup: false, headless: false })
}
