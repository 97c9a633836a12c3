import type { FlowContext } from '../../app/flow-context.ts'
import type { Translate } from '../../copy/copy.ts'
import type { Stage } from '../../dialog/stage.ts'
import { toKitError } from '../../errors/kit-error.ts'
import { starting as screen } from './starting.tsx'

/**
 * Waits for the app's configuration. A failure is shown with a button to try again; if the person gives up,
 * it is thrown.
 */
export async function starting(cx: {
  stage: Stage
  t: Translate
  ready: () => Promise<void>
  /** Loads what shows a failure. */
  failed: () => Promise<Pick<typeof import('./starting-failed.ts'), 'startingFailed'>>
}): Promise<void> {
  for (;;) {
    try {
      return await cx.stage.during(screen, {}, cx.ready)
    } catch (cause) {
      cx.stage.signal.throwIfAborted()
      const part = await cx.failed().catch(() => askAgain(cx))
      if (part !== 'retry') await part.startingFailed(cx, toKitError(cause))
    }
  }
}

/** Loads what even a failure can't be shown without, as often as the person tries again. */
export async function untilThere<T>(
  cx: Pick<FlowContext, 'stage' | 'report'>,
  load: () => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await load()
    } catch (cause) {
      cx.report(toKitError(cause))
      await askAgain(cx)
    }
  }
}

const askAgain = ({ stage }: { stage: Stage }) => stage.ask(screen, { failed: true })
