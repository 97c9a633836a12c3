import { Unavailable } from '../lib/refusal.ts'

/** The database did not answer. `connection`: it was lost, and with it what was not committed. */
export class DatabaseUnavailable extends Unavailable {
  override name = 'DatabaseUnavailable'
  constructor(
    readonly kind: 'connection' | 'overload',
    cause: unknown,
  ) {
    super('The database cannot be reached. Please try again.', { cause })
  }
}

/** Whether an error, or one of its causes, satisfies a condition. */
export function hasCause(error: unknown, is: (cause: Error) => boolean): boolean {
  for (let at = error; at instanceof Error; at = at.cause) if (is(at)) return true
  return false
}

/**
 * What went wrong at the innermost, for a line of the log: the outer errors of the database name the values of the query, which may be
 * secret.
 */
export function innermost(error: unknown): string {
  let at = error
  while (at instanceof Error && at.cause instanceof Error) at = at.cause
  return at instanceof Error ? at.message : String(at)
}

/** Whether a query failed with one of these SQLSTATE codes. */
export const failedWith = (error: unknown, codes: readonly string[]): boolean =>
  hasCause(error, (cause) => codes.includes(codeOf(cause) ?? ''))

/** Whether the database rolled a transaction back because of another one: the same work can succeed at once. */
export const isConflict = (error: unknown): boolean => failedWith(error, ['40001', '40P01'])

export const isUnavailable = (error: unknown): boolean =>
  hasCause(error, (cause) => cause instanceof DatabaseUnavailable)

export const isConnectionLost = (error: unknown): boolean =>
  hasCause(error, (cause) => cause instanceof DatabaseUnavailable && cause.kind === 'connection')

const codeOf = (cause: Error) => ('code' in cause && typeof cause.code === 'string' ? cause.code : undefined)

/** Connection exceptions, shutdowns, and sessions that the server has ended because of a timeout. */
const lostStates = /^(?:08...|57P0[1-5]|25P0[34])$/
/** Too many connections, no memory, a statement beyond its timeout, a standby that takes no writes. */
const overloadStates = /^(?:53...|57014|25006)$/
/** Errors of `pg` and `pg-pool` that have no code. */
const lostMessages =
  /^(?:Connection terminated|Query read timeout|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Client was closed)/

/** An error of the driver as an outage, or unchanged where it is the query's own. */
export function asOutage(cause: unknown): unknown {
  if (!(cause instanceof Error)) return cause
  const code = codeOf(cause)
  if (code !== undefined && /^[0-9A-Z]{5}$/.test(code) && 'severity' in cause) {
    if (lostStates.test(code)) return new DatabaseUnavailable('connection', cause)
    return overloadStates.test(code) ? new DatabaseUnavailable('overload', cause) : cause
  }
  // Node names failures of a socket and of a host's name by a code.
  const isSocket = code !== undefined && 'syscall' in cause
  return isSocket || cause instanceof AggregateError || lostMessages.test(cause.message)
    ? new DatabaseUnavailable('connection', cause)
    : cause
}
