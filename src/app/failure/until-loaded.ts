import { toKitError } from '../../errors/kit-error.ts'
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
      const error = toKitError(cause)
      if (error.code !== 'network_unavailable') throw cause
      stage.signal.throwIfAborted()
      report(error)
      const why = isOffline() ? 'offline' : 'load'
      const words = { title: t(`error.${why}.title`), detail: t(`error.${why}.detail`) }
      if ((await stage.ask(failure, { ...words, action: 'retry', back: true })) !== 'retry') return 'back'
    }
  }
}
