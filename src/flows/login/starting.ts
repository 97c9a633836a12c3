import type { Translate } from '../../copy/copy.ts'
import type { Stage } from '../../core/stage.ts'
import { toKitError } from '../../errors/kit-error.ts'
import { lazily } from '../../errors/lazily.ts'
import { starting as screen } from '../../screens/login/starting.tsx'

const loadFailed = lazily(() => import('./starting-failed.ts'))

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
      const { startingFailed } = await loadFailed()
      await startingFailed(cx, toKitError(cause))
    }
  }
}
