import type { CodeAuth } from '../../auth/code.ts'
import { limits } from '../../core/limits.ts'
import type { KitError } from '../../errors/kit-error.ts'
import { loginCodeVerdict } from '../../errors/login-code.ts'
import type { Verdict } from '../../errors/verdict.ts'
import { enterCode } from '../../screens/login/enter-code.tsx'
import { attempt } from './attempt.ts'
import type { BackToStart, Login, LoginContext } from './context.ts'
import { prove } from './prove.ts'

/** Where a code goes, and how that is said. */
interface CodeLogin {
  auth: CodeAuth
  via: 'email' | 'sms'
  /** As the server takes it. */
  to: string
  /** As a person reads it. */
  shown: string
  conflictTitle: string
  /** What failures of the sending mean, where that is not what they mean for every code. */
  verdict?: (error: KitError) => Verdict
}

/** From an address to a person who has proved that it is theirs. Spec §4 "Login code screen". */
export async function loginWithCode(
  cx: LoginContext,
  { auth, via, to, shown, conflictTitle, verdict }: CodeLogin,
): Promise<Login | BackToStart> {
  const { stage, clock } = cx
  const { signal } = stage
  const disableSignup = cx.options.disableSignup ?? false
  let resendAt = 0
  const send = () =>
    attempt(
      cx,
      async (captchaToken) => {
        await auth.sendCode({ to, disableSignup, captchaToken }, { signal, fromDialog: true })
        resendAt = clock.now() + limits.resendCooldown
      },
      { ...(verdict && { verdict }) },
    )

  const sent = await send()
  if ('back' in sent) return sent
  if (cx.config.createOnLogin !== 'off') {
    const ahead = cx.wallets.embedded().then((embedded) => embedded.prepare())
    // What goes wrong shows when the wallet is made.
    ahead.catch(() => {})
  }

  let error: string | undefined
  for (;;) {
    const resendIn = Math.max(0, resendAt - clock.now())
    const screen = { to: shown, via, resendIn, ...(error && { error }) }
    const answer = await stage.ask(enterCode, screen)
    error = undefined
    if (answer === 'back') return { back: true }
    if (answer === 'resend') {
      const again = await send()
      if ('back' in again) return again
      continue
    }
    const proved = await prove(cx, {
      async work() {
        const login = await auth.loginWithCode({ code: answer.code }, { signal })
        const wait = (own: AbortSignal) => clock.sleep(limits.successBeforeNext, own)
        await stage.during(enterCode, { ...screen, accepted: true }, wait).catch(() => {})
        return login
      },
      verdict: loginCodeVerdict,
      conflict: {
        title: conflictTitle,
        account: shown,
        transfer: ({ nonce }) => auth.transfer({ nonce, to }, { signal }),
      },
    })
    if ('login' in proved) return proved.login
    if ('back' in proved) return proved
    if (proved.next === 'stay') error = proved.error
  }
}
