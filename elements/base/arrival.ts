import { sessionKey } from '../../src/session/keys.ts'
import { type Returned, takeReturn } from '../../src/wire/returns.ts'
import type { MiniAppReturn } from '../../src/wire/telegram-return.ts'
import { isStored } from './stored.ts'

/** What came back in the address bar, taken out of there before anything else on the page looks at it. */
const found = take()

/** The same, read, once it is known that this page is not the window of another page's login, which then has it. */
export const arrival: Promise<Returned | MiniAppReturn | undefined> | undefined =
  found &&
  import('../../src/auth/hand-back.ts')
    .then(({ arrive }) => arrive(found, window))
    // The part that can read it did not come: the login begins anew.
    .catch(() => undefined)

let claimed = false
/** The same for one app: a link into a wallet's browser names none, and is the first one's that takes it. */
export const takeArrival = (): typeof arrival =>
  arrival?.then((returned) => {
    if (returned?.kind !== 'wallet-browser') return returned
    const mine = !claimed
    claimed = true
    return mine ? returned : undefined
  })

/** Whether an app of this page may be waiting for it: looked up without loading anything. */
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
    // Telegram may have started the page: it says so, and is a browser of Telegram's or a frame.
    const inside = 'TelegramWebviewProxy' in window || window.top !== window
    const isMiniApp = inside && location.hash.startsWith('#tgWebAppData=')
    return takeReturn(page) ?? (isMiniApp ? { kind: 'mini-app' as const } : undefined)
  } catch {
    // There is no page, or one whose address can't be changed.
    return undefined
  }
}
