import { lazily } from '../../src/errors/lazily.ts'
import { type Taken, takeReturn } from '../../src/protocol/address-bar.ts'
import { leftLogins, returnKey, sessionKey } from '../../src/session/keys.ts'
import { isStored } from './stored.ts'

/** What came back in the address bar, removed before any other script of the page can read it. */
const found = take()

/**
 * The same, parsed, once it is certain that this page is not another page's login window, which keeps its own
 * return. What reads it is loaded once for all; where that fails, the next call tries it again.
 */
export const readArrival =
  found &&
  lazily(async () => {
    const { arrive } = await import('../../src/login/redirect/arrive.ts')
    return arrive(found, window)
  })
// A page in the window of a login hands over what it brought back, whether or not it has a kit.
readArrival?.().catch(() => {})

/** Whether an app of this page may be waiting for a return, checked without loading any chunk. */
export const isAwaited = (appId = ''): boolean =>
  found !== undefined &&
  leftLogins.every((kind) => kind !== found.kind || isStored('sessionStorage', sessionKey(appId, kind)))

function take(): Taken | { kind: 'mini-app' } | undefined {
  let came: Taken | undefined
  try {
    came = takeReturn({
      address: () => location.href,
      rewrite: (address: string) => history.replaceState(history.state, '', address),
    })
    // Without storage a reload loses it, and nothing else.
    if (came) sessionStorage.setItem(returnKey, JSON.stringify(came))
    came ??= JSON.parse(`${sessionStorage.getItem(returnKey)}`)
  } catch {
    // There is no page, its address can't be changed, or it has no storage.
  }
  // Telegram marks pages that it opens itself: by its own browser or by a frame.
  const isMiniApp =
    globalThis.location?.hash.startsWith('#tgWebAppData=') &&
    ('TelegramWebviewProxy' in window || window.top !== window)
  return came ?? (isMiniApp ? { kind: 'mini-app' } : undefined)
}
