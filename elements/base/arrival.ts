import { sessionKey } from '../../src/session/keys.ts'
import { type Returned, takeReturn } from '../../src/wire/returns.ts'
import { peekMiniApp } from '../../src/wire/telegram-return.ts'

/** What came back in the address bar, taken out of there before anything else on the page looks at it. */
const found = take()

/** The same, once it is known that this page is not the window of another page's login, which then has it. */
export const arrival: Promise<Returned | undefined> | undefined = found && ownOnly(found)

/** Whether an app of this page may be waiting for it: looked up without loading anything. */
export const isAwaited = (appId: string): boolean =>
  found !== undefined ? isKept(sessionKey(appId, found.kind)) : isMiniApp()

/** Whether Telegram may have started the page: it says so, and is a browser of Telegram's or a frame. */
function isMiniApp(): boolean {
  const inside = 'TelegramWebviewProxy' in window || window.top !== window
  return inside && peekMiniApp({ address: () => location.href }) !== undefined
}

function take(): Returned | undefined {
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

async function ownOnly(returned: Returned): Promise<Returned | undefined> {
  if (returned.kind !== 'oauth') return returned
  try {
    const { handBack } = await import('../../src/auth/hand-back.ts')
    return (await handBack(returned, window)) ? undefined : returned
  } catch {
    // The part that could have told did not come: a return that is not ours will be refused all the same.
    return returned
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
