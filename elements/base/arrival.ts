import { sessionKey } from '../../src/session/keys.ts'
import { type Returned, takeReturn } from '../../src/wire/returns.ts'

/** What came back in the address bar, taken out of there before anything else on the page looks at it. */
const found = take()

/** The same, read, once it is known that this page is not the window of another page's login, which then has it. */
export const arrival: Promise<Returned | undefined> | undefined =
  found &&
  import('../../src/auth/hand-back.ts')
    .then(({ arrive }) => arrive(found, window))
    // The part that can read it did not come: the login begins anew.
    .catch(() => undefined)

/** Whether an app of this page may be waiting for it: looked up without loading anything. */
export const isAwaited = (appId: string): boolean => (found ? isKept(sessionKey(appId, found.kind)) : isMiniApp())

/** Whether Telegram may have started the page: it says so, and is a browser of Telegram's or a frame. */
const isMiniApp = () =>
  location.hash.startsWith('#tgWebAppData=') && ('TelegramWebviewProxy' in window || window.top !== window)

function take() {
  try {
    return takeReturn({
      address: () => location.href,
      rewrite: (address) => history.replaceState(history.state, '', address),
    })
  } catch {
    // There is no page, or one whose address can't be changed.
    return undefined
  }
}

/** Merely touching `sessionStorage` throws where storage is blocked. */
function isKept(key: string): boolean {
  try {
    return sessionStorage.getItem(key) !== null
  } catch {
    return false
  }
}
