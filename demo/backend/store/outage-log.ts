/** Writes one line when the database stops answering and one when it answers again, however many requests notice. */
export interface OutageLog {
  failed(error: unknown): void
  answered(): void
}

/** Failures and answers alternate while some connections are dead and others alive: that is one outage, for so many milliseconds. */
const QUIET = 5_000

export function createOutageLog(
  log: (line: string) => void,
  now: () => number = () => performance.now(),
): OutageLog {
  let since: number | undefined
  /** The first answer after the latest failure. */
  let answeredAt: number | undefined
  return {
    failed(error) {
      answeredAt = undefined
      if (since !== undefined) return
      since = now()
      log(`The database does not answer: ${reasonOf(error)}`)
    },
    answered() {
      if (since === undefined) return
      answeredAt ??= now()
      if (now() - answeredAt < QUIET) return
      log(`The database answers again after ${((answeredAt - since) / 1_000).toFixed(1)} s`)
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
