import { type CaptchaWidget, isBlocked } from '../../auth/captcha.ts'
import { learn } from '../../copy/copy.ts'
import { captcha as words } from '../../copy/en/captcha.ts'
import { limits } from '../../core/limits.ts'
import { captchaVerdict } from '../../errors/captcha.ts'
import { type KitError, toKitError } from '../../errors/kit-error.ts'
import { captcha as screen } from '../../screens/login/captcha.tsx'
import { say } from '../words.ts'
import type { LoginContext } from './context.ts'

learn(words)

/**
 * Gets a token from the captcha, with a person in front of it. Resolves with `'back'` when they give up. Spec §4
 * "Captcha".
 */
export async function checkHuman(cx: LoginContext): Promise<{ token: string } | 'back'> {
  const { stage, clock } = cx
  const widget = (await cx.auth.captcha()).widget()
  const { box } = widget
  let failures = 0
  try {
    for (;;) {
      let outcome = await look(cx, widget)
      if (outcome === 'back') return 'back'
      if (outcome === 'passed') {
        const wait = (signal: AbortSignal) => clock.sleep(limits.successBeforeNext, signal)
        await stage.during(screen, { state: 'passed', box }, wait)
        try {
          const token = widget.take()
          if (token !== undefined) return { token }
          continue
        } catch (cause) {
          outcome = toKitError(cause, 'captcha_failure')
        }
      }
      failures++
      cx.report(outcome)
      const { title, detail, retryable } = captchaVerdict(outcome)
      const answer = await stage.ask(screen, {
        ...{ state: 'failed', box, retryable, title: cx.t(title), detail: say(cx.t, detail) },
        ...(advised(outcome, failures) && { advice: cx.t('error.captcha.advice') }),
      })
      if (answer === 'back') return 'back'
    }
  } finally {
    widget.close()
  }
}

/** Spec §4: after three retries; at once where nothing but a blocker is likely. */
const advised = (error: KitError, failures: number) =>
  error.code === 'captcha_failure' && (isBlocked(error) || failures > limits.captchaRetries)

/** One check, shown for a moment at least, which can be left backwards while it runs. */
function look(cx: LoginContext, widget: CaptchaWidget): Promise<'passed' | 'back' | KitError> {
  const { stage, clock } = cx
  const { box, state } = widget
  return new Promise((resolve, reject) => {
    let shown: boolean | undefined
    const show = () => {
      const now = state.get()
      const asking = now.status === 'loading' && now.asking
      if (shown === asking) return
      shown = asking
      stage.ask(screen, { state: asking ? 'asking' : 'checking', box }).then(
        (answer) => answer === 'back' && end(() => resolve('back')),
        (cause) => end(() => reject(cause)),
      )
    }
    const unhear = state.subscribe(show)
    const end = (then: () => void) => {
      unhear()
      then()
    }
    show()
    const visible = clock.sleep(limits.captchaVisible, stage.signal)
    visible.catch(() => {})
    widget
      .check(stage.signal)
      .then(
        () => visible.then(() => end(() => resolve('passed'))),
        (cause) => visible.then(() => end(() => resolve(toKitError(cause, 'captcha_failure')))),
      )
      .catch((cause: unknown) => end(() => reject(cause)))
  })
}
