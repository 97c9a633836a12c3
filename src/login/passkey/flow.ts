import type { ShowFailure } from '../../app/failure/flow.ts'
import { addWords } from '../../copy/copy.ts'
import { passkey as words } from '../../copy/en/passkey.ts'
import { attempt } from '../attempt.ts'
import { captchaNeeded } from '../captcha/needed.ts'
import type { Login, LoginMethod } from '../context.ts'
import { loginLimits } from '../limits.ts'
import { passkeyVerdict } from './errors.ts'
import { type PasskeyProps, passkey as screen } from './passkey.tsx'
import type { PickedPasskey } from './service.ts'

addWords(words)

/**
 * Logs in with a passkey, or signs up with one if the app allows it. Leaving the screen also ends the
 * browser's own dialogue.
 */
export const logIn: LoginMethod['logIn'] = async (cx, { autofill }) => {
  const { stage } = cx
  const auth = await cx.auth.passkey()
  const signUp = cx.config.app.passkeySignup && !cx.options.disableSignup
  let picked = autofill as PickedPasskey | undefined
  let doing: PasskeyProps['doing'] = cx.purpose.kind === 'login' ? 'login' : 'link'

  /** Asks until the person goes elsewhere. */
  async function ask(captchaToken: string | undefined): Promise<Login | 'signup' | 'back'> {
    const given = picked
    picked = undefined
    const outcome = await stage.askDuring(screen, { doing, signUp, state: 'waiting' }, (signal) => {
      const options = { signal, fromDialog: true }
      if (given) return auth.loginWith(given, options)
      return doing === 'login'
        ? auth.login({ captchaToken }, options)
        : auth.signup({ captchaToken }, options)
    })
    if ('done' in outcome) return outcome.done
    return outcome.answer === 'signup' ? 'signup' : 'back'
  }

  const show: ShowFailure = async (failure) => {
    const answer = await stage.ask(screen, { doing, signUp, state: 'failed', ...failure })
    if (answer !== 'signup') return answer
    doing = answer
    return 'retry'
  }

  for (;;) {
    const outcome = await attempt(cx, (token) => cx.loggingIn(() => ask(token)), {
      verdict: passkeyVerdict,
      show,
    })
    if ('back' in outcome) return outcome
    const { done } = outcome
    if (done === 'back') return { back: true }
    if (done === 'signup') {
      doing = done
      continue
    }
    const shown = { doing, signUp, state: 'done' } as const
    await stage.hold(screen, shown, loginLimits.successBeforeNext)
    return done
  }
}

/**
 * Lets the browser offer passkeys in the e-mail field. Not with a captcha, which is only for people who have
 * chosen something.
 */
export const prepare: LoginMethod['prepare'] = async (cx) => {
  const auth = await cx.auth.passkey()
  if (!cx.emailField || captchaNeeded(cx.config)) return void (await auth.prepare())
  const signal = AbortSignal.any([cx.signal, cx.stage.signal])
  const picked = await auth.offer({ signal, fromDialog: true })
  return picked && { method: 'passkey', autofill: picked }
}
