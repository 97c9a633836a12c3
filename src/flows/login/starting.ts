import type { Translate } from '../../copy/copy.ts'
import type { Stage } from '../../core/stage.ts'
import { errorScreenVerdict } from '../../errors/error-screen.ts'
import { toKitError } from '../../errors/kit-error.ts'
import { failure } from '../../screens/gate/failure.tsx'
import { starting as screen } from '../../screens/login/starting.tsx'
import { say } from '../words.ts'

/** Waits for the app's configuration. A failure is shown with a way to try again; whoever gives up gets it thrown. */
export async function starting(cx: {
  stage: Stage
  t: Translate
  ready: () => Promise<void>
}): Promise<void> {
  for (;;) {
    try {
      return await cx.stage.during(screen, {}, cx.ready)
    } catch (cause) {
      cx.stage.signal.throwIfAborted()
      const error = toKitError(cause)
      const verdict = errorScreenVerdict(error)
      if (verdict.show !== 'screen') throw error
      const action = verdict.retryable ? 'retry' : 'close'
      const words = { title: cx.t(verdict.title), detail: say(cx.t, verdict.detail) }
      if ((await cx.stage.ask(failure, { ...words, action })) !== 'retry') throw error
    }
  }
}
