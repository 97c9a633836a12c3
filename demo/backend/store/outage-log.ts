/** Writes one line when the database stops answering and one when it answers again, however many requests notice. */
export interface OutageLog {
  failed(error: unknown): void
  answered(): void
}

/** With some connections dead and others alive, failures and answers alternate: it is one outage. */
const QUIET = 1_000

export function createOutageLog(
  log: (line: string) => void,
  now: () => number = () => performance.now(),
): OutageLog {
  let since: number | undefined
  let lastFailure = 0
  return {
    failed(error) {
      lastFailure = now()
      if (since !== undefined) return
      since = lastFailure
      log(`The database does not answer: ${reasonOf(error)}`)
    },
    answered() {
      if (since === undefined || now() - lastFailure < QUIET) return
      log(`The database answers again after ${((now() - since) / 1_000).toFixed(1)} s`)
      since = undefined
    },
  }
}

/** The innermost message: the outer ones name the values of a query. */
function reasonOf(error: unknown): string {
  let at = error
  while (at instanceof Error && at.cause instanceof Error) at = at.cause
  if (at instanceof AggregateError) at = at.errors[0]
  return at instanceof Error ? at.message : String(at)
}
