import { untilLoaded } from '../app/failure/until-loaded.ts'
import { Closed } from '../dialog/stage.ts'
import { ensureWallets } from '../wallets/embedded/create/ensure.ts'
import { walletQuietly } from '../wallets/embedded/create/quietly.ts'
import { wantedWallets } from '../wallets/embedded/create/wanted.ts'
import { walletsLimits } from '../wallets/limits.ts'
import { recoveryOptionsOf } from '../wallets/recovery/recovery-options.ts'
import type { Login, LoginContext } from './context.ts'
import { loginLimits } from './limits.ts'
import { passTerms } from './terms/flow.ts'

/**
 * What follows a login: the app's terms, and the wallet that the app creates. A person who does not get
 * through all of it is logged out again. Whoever closes the success before any of it was shown stays as after a reload: not in yet,
 * and the next `login()` goes on here.
 */
export async function finish(cx: LoginContext, login: Login): Promise<Login> {
  const { signal } = cx.stage
  if (signal.aborted && isToBeAsked(cx, login)) throw signal.reason
  let created: Login['created']
  try {
    await passTerms(cx)
    if (signal.aborted && !recoveryOptionsOf(cx.config).required) createInBackground(cx, login)
    else created = await wallets(cx, login)
    if (created?.length === 0) await restOfSuccess(cx, login)
  } catch (cause) {
    if (isToBeEnded(cx, login)) await cx.session.logout()
    throw cause
  } finally {
    cx.finished()
  }
  return {
    ...login,
    user: cx.session.user.get() ?? login.user,
    ...(created?.length && !signal.aborted && { created }),
  }
}

/**
 * Whether this login's session is still its own, and lacks what the app requires: another tab may have logged somebody else in, or come
 * to the end of the same person's login.
 */
function isToBeEnded({ session, config }: LoginContext, login: Login): boolean {
  const user = session.user.get()
  if (user?.id !== login.user.id) return false
  return (config.requireTerms && !user.hasAcceptedTerms) || wantedWallets(config, user).length > 0
}

/** Whether what this login lacks can't be had without the person. */
function isToBeAsked(cx: LoginContext, login: Login): boolean {
  const { config, session } = cx
  const lacksTerms = config.requireTerms && !session.user.get()?.hasAcceptedTerms
  return isToBeEnded(cx, login) && (lacksTerms || recoveryOptionsOf(config).required)
}

/** The wallets that the app wants the person to have, and that they had not. */
async function wallets(cx: LoginContext, { isNewUser }: Login) {
  const created = await untilLoaded(cx, () => ensureWallets(cx, isNewUser)).catch((cause: unknown) => {
    cx.track('embedded_wallet_creation_failure_logout')
    throw cause
  })
  if (created === 'back') throw new Closed('The person turned back')
  return created
}

/** Closing the dialog on the success screen keeps the person logged in; the wallets are created in the background. */
function createInBackground({ wallets, config, session }: LoginContext, login: Login): void {
  void walletQuietly(wallets.embedded, config, session.user.get() ?? login.user)
}

/** Methods whose success is shown only briefly before another screen. */
const shownBriefly: ReadonlySet<string> = new Set(['email', 'sms', 'passkey', 'siwe', 'siws'])

/** Nothing follows, so the success stays for its full time, or until it is closed. */
async function restOfSuccess(cx: LoginContext, { method, transferred }: Login): Promise<void> {
  if (transferred || !shownBriefly.has(method)) return
  try {
    await cx.clock.sleep(walletsLimits.successVisible - loginLimits.successBeforeNext, cx.stage.signal)
  } catch (cause) {
    if (!(cause instanceof Closed)) throw cause
  }
}
