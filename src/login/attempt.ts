import { handleFailure, type Next, type ShowFailure } from '../app/failure/flow.ts'
import { errorScreenVerdict } from '../errors/error-screen.ts'
import { type KitError, toKitError } from '../errors/kit-error.ts'
import type { Verdict } from '../errors/verdict.ts'
import { passCaptcha } from './captcha/pass.ts'
import type { BackToStart, LoginContext } from './context.ts'

/**
 * Starts a login after the captcha, as often as the person wants to try: each attempt gets a captcha token of
 * its own. Resolves with the result, or with the way back when they give up.
 */
export async function attempt<T>(
  cx: LoginContext,
  work: (captchaToken: string | undefined) => Promise<T>,
  { verdict = errorScreenVerdict, show }: { verdict?: (error: KitError) => Verdict; show?: ShowFailure } = {},
): Promise<{ done: T } | BackToStart> {
  for (;;) {
    const captcha = await passCaptcha(cx)
    if (captcha === 'back') return { back: true }
    try {
      return { done: await work(captcha.token) }
    } catch (cause) {
      cx.stage.signal.throwIfAborted()
      const failure = toKitError(cause)
      const settled = await handleFailure(cx, failure, verdict(failure), show)
      if (settled.next !== 'again') return back(settled)
    }
  }
}

const back = (settled: Exclude<Next, { next: 'again' }>): BackToStart => ({
  back: true,
  ...('error' in settled && { error: settled.error }),
})
