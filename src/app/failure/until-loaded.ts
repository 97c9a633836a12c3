import { LoadError } from '../../errors/lazily.ts'
import { isOffline } from '../../lib/online.ts'
import type { FlowContext } from '../flow-context.ts'
import { failure } from './failure.tsx'

/**
 * Does `work`. Where a part of the page that it needs does not load, the person is told, and `work` is done anew as
 * often as they try again. Resolves with 'back' when they go back instead. Throws what else `work` throws.
 */
export async function untilLoaded<T>(
  { stage, t, report }: Pick<FlowContext, 'stage' | 't' | 'report'>,
  work: () => Promise<T>,
): Promise<T | 'back'> {
  for (;;) {
    try {
      return await work()
    } catch (cause) {
      stage.signal.throwIfAborted()
      if (!(cause instanceof LoadError)) throw cause
      report(cause)
      const answer = await stage.ask(failure, {
        title: t(isOffline() ? 'error.offline.title' : 'error.load.title'),
        detail: t(isOffline() ? 'error.offline.detail' : 'error.load.detail'),
        ...({ action: 'retry', back: true } as const),
      })
      if (answer !== 'retry') return 'back'
    }
  }
}
