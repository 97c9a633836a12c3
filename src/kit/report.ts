import { type KitError, toKitError } from '../errors/kit-error.ts'
import type { Emitter } from '../lib/emitter.ts'
import type { KitEvents } from './api.ts'

/** Reports failures to the host: each once, however many calls it has failed. */
export interface Report {
  report(error: KitError): void
  /** Resolves once the work is over, with its failure reported. */
  reportFailure(work: Promise<unknown>): Promise<void>
}

export function createReport(events: Emitter<KitEvents>): Report {
  const reported = new WeakSet<KitError>()
  const report = (error: KitError): void => {
    // Whoever closes a dialog wanted that.
    if (reported.has(error) || error.code === 'exited_auth_flow') return
    reported.add(error)
    events.emit('error', error)
  }
  return {
    report,
    reportFailure: (work) =>
      work.then(
        () => {},
        (cause: unknown) => report(toKitError(cause)),
      ),
  }
}
