import { captchaNeeded } from '../../auth/captcha-needed.ts'
import type { PickedPasskey } from '../../auth/passkey.ts'
import { learn } from '../../copy/copy.ts'
import { passkey as words } from '../../copy/en/passkey.ts'
import { limits } from '../../core/limits.ts'
import { passkeyVerdict } from '../../errors/passkey.ts'
import { passkey as screen } from '../../screens/login/passkey.tsx'
import { passkeySignup } from '../../wire/app-extras.ts'
import { attempt } from './attempt.ts'
import type { Login, Way, WayModule } from './context.ts'
import type { ShowFailure } from './gates.ts'

learn(words)

/**
 * Logs in with a passkey, or signs up with one where the app has that. The screen can be left while the browser's own
 * dialogue is open: that ends with it.
 */
export const way: Way = async (cx, { autofill }) => {
  const { stage, clock } = cx
  const auth = await cx.auth.passkey()
  const signUp = passkeySignup(cx.config.app) && !cx.options.disableSignup
  let picked = autofill as PickedPasskey | undefined
  let doing: 'login' | 'signup' = 'login'

  /** Asks, as long as the person does not go elsewhere. */
  async function ask(captchaToken: string | undefined): Promise<Login | 'signup' | 'back'> {
    const left = new AbortController()
    const signal = AbortSignal.any([stage.signal, left.signal])
    const options = { signal, fromDialog: true }
    const given = picked
    picked = undefined
    const elsewhere = stage
      .ask(screen, { doing, signUp, state: 'waiting' })
      .then((answer) => (answer === 'signup' ? answer : 'back'))
    try {
      return await Promise.race([
        elsewhere,
        given
          ? auth.loginWith(given, options)
          : doing === 'login'
            ? auth.login({ captchaToken }, options)
            : auth.signup({ captchaToken }, options),
      ])
    } finally {
      left.abort()
    }
  }

  const show: ShowFailure = async (failure) => {
    const answer = await stage.ask(screen, { doing, signUp, state: 'failed', ...failure })
    if (answer !== 'signup') return answer
    doing = answer
    return 'retry'
  }

  for (;;) {
    const outcome = await attempt(cx, ask, { verdict: passkeyVerdict, show })
    if ('back' in outcome) return outcome
    const { done } = outcome
    if (done === 'back') return { back: true }
    if (done === 'signup') {
      doing = done
      continue
    }
    const shown = { doing, signUp, state: 'done' } as const
    const wait = (signal: AbortSignal) => clock.sleep(limits.successBeforeNext, signal)
    await stage.during(screen, shown, wait).catch(() => {})
    return done
  }
}

/**
 * Lets the browser offer passkeys where the e-mail address is typed. With a captcha in the way there is no offer: it
 * is for those who have chosen something.
 */
export const prepare: WayModule['prepare'] = async (cx) => {
  const auth = await cx.auth.passkey()
  if (!cx.emailField || captchaNeeded(cx.config)) return void (await auth.prepare())
  const signal = AbortSignal.any([cx.signal, cx.stage.signal])
  const picked = await auth.offer({ signal, fromDialog: true })
  return picked && { method: 'passkey', autofill: picked }
}
