import { addWords } from '../../copy/copy.ts'
import { captcha as words } from '../../copy/en/captcha.ts'
import { type KitError, toKitError } from '../../errors/kit-error.ts'
import { say } from '../../errors/words.ts'
import type { LoginContext } from '../context.ts'
import { loginLimits } from '../limits.ts'
import { captcha as screen } from './captcha.tsx'
import { captchaVerdict } from './errors.ts'
import { type CaptchaWidget, isBlocked } from './service.ts'

addWords(words)

/** Gets a token from the captcha in a dialog. Resolves with `'back'` when the person gives up. */
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
        const wait = (signal: AbortSignal) => clock.sleep(loginLimits.successBeforeNext, signal)
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
        state: 'failed',
        box,
        retryable,
        title: cx.t(title),
        detail: say(cx.t, detail),
        ...(advised(outcome, failures) && { advice: cx.t('error.captcha.advice') }),
      })
      if (answer === 'back') return 'back'
    }
  } finally {
    widget.close()
  }
}

/** After three retries; at once if only a blocker is likely. */
const advised = (error: KitError, failures: number) =>
  error.code === 'captcha_failure' && (isBlocked(error) || failures > loginLimits.captchaRetries)

/** One check, visible for at least a moment, which the person can leave while it runs. */
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
    const visible = clock.sleep(loginLimits.captchaVisible, stage.signal)
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
