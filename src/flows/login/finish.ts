import { limits } from '../../core/limits.ts'
import { Closed } from '../../core/stage.ts'
import { ensureWallets } from '../wallet/ensure.ts'
import type { Login, LoginContext } from './context.ts'
import { passTerms } from './terms.ts'

/**
 * What follows when a person is known: the app's terms, and the wallet that the app gives them. Whoever does not get
 * through all of it is logged out again. Spec §4 "Login code screen".
 */
export async function finish(cx: LoginContext, login: Login): Promise<Login> {
  try {
    await passTerms(cx)
    const created = await ensureWallets(cx, login.isNewUser)
    if (created.length === 0) await restOfSuccess(cx, login)
  } catch (cause) {
    await cx.session.logout()
    throw cause
  }
  return { ...login, user: cx.session.user.get() ?? login.user }
}

/** Methods whose success has only been shown for the while before another screen (wire 10.2). */
const shownBriefly: ReadonlySet<string> = new Set(['email', 'sms', 'passkey', 'siwe', 'siws'])

/** Nothing follows the success that is on the screen: it stays for the whole of its time, or until it is closed. */
async function restOfSuccess(cx: LoginContext, { method, transferred }: Login): Promise<void> {
  if (transferred || !shownBriefly.has(method)) return
  try {
    await cx.clock.sleep(limits.successVisible - limits.successBeforeNext, cx.stage.signal)
  } catch (cause) {
    if (!(cause instanceof Closed)) throw cause
  }
}
