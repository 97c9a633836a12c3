import { takeReturn } from '../../src/protocol/address-bar.ts'
import type { Returned } from '../../src/protocol/returns.ts'
import type { MiniAppReturn } from '../../src/protocol/telegram-return.ts'
import { sessionKey } from '../../src/session/keys.ts'
import { isStored } from './stored.ts'

/** What came back in the address bar, removed before any other script of the page can read it. */
const found = take()

/**
 * The same, parsed, once it is certain that this page is not another page's login window, which keeps its own
 * return.
 */
export const arrival: Promise<Returned | MiniAppReturn | undefined> | undefined =
  found &&
  import('../../src/login/redirect/arrive.ts')
    .then(({ arrive }) => arrive(found, window))
    // The chunk that reads it did not load, so the login has to begin again.
    .catch(() => undefined)

/** Whether an app of this page may be waiting for a return, checked without loading any chunk. */
export const isAwaited = (appId: string): boolean =>
  found !== undefined &&
  (found.kind === 'mini-app' ||
    found.kind === 'wallet-browser' ||
    isStored('sessionStorage', sessionKey(appId, found.kind)))

function take() {
  try {
    const page = {
      address: () => location.href,
      rewrite: (address: string) => history.replaceState(history.state, '', address),
    }
    // Telegram marks pages that it opens itself: by its own browser or by a frame.
    const inside = 'TelegramWebviewProxy' in window || window.top !== window
    const isMiniApp = inside && location.hash.startsWith('#tgWebAppData=')
    return takeReturn(page) ?? (isMiniApp ? { kind: 'mini-app' as const } : undefined)
  } catch {
    // There is no page, or its address can't be changed.
    return undefined
  }
}
