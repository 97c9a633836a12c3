import { type KitError, toKitError } from '../errors/kit-error.ts'
import type { Emitter } from '../lib/emitter.ts'
import type { KitEvents } from './api.ts'

/** Reports failures to the host: each once, however many calls it has failed. */
export function createReport(events: Emitter<KitEvents>) {
  const reported = new WeakSet<KitError>()
  const report = (error: KitError): void => {
    // Whoever closes a dialog wanted that.
    if (reported.has(error) || error.code === 'exited_auth_flow') return
    reported.add(error)
    events.emit('error', error)
  }
  return {
    report,
    /** Resolves once the work is over, with its failure reported. */
    reportFailure: (work: Promise<unknown>): Promise<void> =>
      work.then(
        () => {},
        (cause: unknown) => report(toKitError(cause)),
      ),
  }
}
