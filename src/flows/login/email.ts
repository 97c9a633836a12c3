import { limits } from '../../core/limits.ts'
import { errorScreenVerdict } from '../../errors/error-screen.ts'
import { toKitError } from '../../errors/kit-error.ts'
import { loginCodeVerdict } from '../../errors/login-code.ts'
import { enterCode } from '../../screens/login/enter-code.tsx'
import type { User } from '../../wire/user.ts'
import { resolveConflict } from '../account/link-conflict.ts'
import type { BackToStart, Login, LoginContext } from './context.ts'
import { settle } from './gates.ts'

/** From an e-mail address to a person who has proved that it is theirs. Spec §4 "Login code screen". */
export async function loginWithEmail(cx: LoginContext, email: string): Promise<Login | BackToStart> {
  const { stage, clock } = cx
  const { email: auth } = cx.auth
  let resendAt = 0
  const send = async () => {
    await auth.sendCode(
      { email, disableSignup: cx.options.disableSignup ?? false },
      { signal: stage.signal, fromDialog: true },
    )
    resendAt = clock.now() + limits.resendCooldown
  }

  const start = await attempt(cx, send)
  if (start) return start
  if (cx.config.createOnLogin !== 'off') cx.wallets.embedded.prepare()

  let error: string | undefined
  for (;;) {
    const resendIn = Math.max(0, resendAt - clock.now())
    const screen = { to: email, via: 'email' as const, resendIn, ...(error && { error }) }
    const answer = await stage.ask(enterCode, screen)
    error = undefined
    if (answer === 'back') return { back: true }
    if (answer === 'resend') {
      const stopped = await attempt(cx, send)
      if (stopped) return stopped
      continue
    }
    try {
      const { user, isNewUser } = await auth.loginWithCode({ code: answer.code }, { signal: stage.signal })
      const wait = (signal: AbortSignal) => clock.sleep(limits.successBeforeNext, signal)
      await stage.during(enterCode, { ...screen, accepted: true }, wait).catch(() => {})
      return loggedIn(user, isNewUser, email)
    } catch (cause) {
      stage.signal.throwIfAborted()
      const failure = toKitError(cause)
      const settled = await settle(cx, failure, loginCodeVerdict(failure))
      if (settled.next === 'start') return { back: true, error: settled.error }
      if (settled.next === 'stay') error = settled.error
      if (settled.next === 'conflict') {
        const conflict = { ...settled.transfer, title: cx.t('account.conflict.email'), account: email }
        const user = await resolveConflict(cx, conflict, (nonce) =>
          auth.transfer({ nonce, email }, { signal: stage.signal }),
        )
        return user === 'declined' ? { back: true } : loggedIn(user, false, email)
      }
    }
  }
}

function loggedIn(user: User, isNewUser: boolean, email: string): Login {
  const address = email.toLowerCase()
  const account = user.linkedAccounts.find((linked) => linked.type === 'email' && linked.address === address)
  return { user, isNewUser, method: 'email', account: account ?? user.email }
}

/** Sends a code, as often as the person wants to; resolves with the way back when they give up. */
async function attempt(cx: LoginContext, send: () => Promise<void>): Promise<BackToStart | undefined> {
  for (;;) {
    try {
      await send()
      return undefined
    } catch (cause) {
      cx.stage.signal.throwIfAborted()
      const failure = toKitError(cause)
      const settled = await settle(cx, failure, errorScreenVerdict(failure))
      if (settled.next === 'again') continue
      return { back: true, ...('error' in settled && { error: settled.error }) }
    }
  }
}
