import { limits } from '../../core/limits.ts'
import { Closed } from '../../core/stage.ts'
import { ensureWallet } from '../wallet/ensure.ts'
import type { Login, LoginContext } from './context.ts'
import { identify } from './identify.ts'
import { passTerms } from './terms.ts'

/**
 * Logs a person in: who they are, the app's terms, and the wallet that the app gives them. Spec §4 "Login code
 * screen". Whoever does not get through all of it is logged out again.
 */
export async function login(cx: LoginContext): Promise<Login> {
  const login = known(cx) ?? (await identify(cx))
  try {
    await passTerms(cx)
    const created = await ensureWallet(cx, login.isNewUser)
    if (!created) await restOfSuccess(cx)
  } catch (cause) {
    await cx.session.logout()
    throw cause
  }
  return { ...login, user: cx.session.user.get() ?? login.user }
}

/** Somebody whose session is there but who has not accepted the terms yet: they need not log in again. */
function known(cx: LoginContext): Login | undefined {
  const user = cx.session.user.get()
  if (!user || user.isGuest) return undefined
  return { user, isNewUser: false, method: cx.recent.get() ?? 'email', account: undefined }
}

/** Nothing follows the success that is on the screen: it stays for the whole of its time, or until it is closed. */
async function restOfSuccess(cx: LoginContext): Promise<void> {
  try {
    await cx.clock.sleep(limits.successVisible - limits.successBeforeNext, cx.stage.signal)
  } catch (cause) {
    if (!(cause instanceof Closed)) throw cause
  }
}
