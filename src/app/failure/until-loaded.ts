import { toKitError } from '../../errors/kit-error.ts'
import { isOffline } from '../../lib/online.ts'
import type { FlowContext } from '../flow-context.ts'
import { failure } from './failure.tsx'

/**
 * Runs `work`. If a part of the page that it needs cannot be loaded, shows a failure screen, and runs `work` again each time
 * the person retries. Resolves with 'back' when they go back instead. Rethrows every other error.
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
