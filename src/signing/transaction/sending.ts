import { Closed } from '../../dialog/stage.ts'
import { TransactionUnknownError } from '../../lib/node-errors.ts'
import type { Approver } from '../approver.ts'

interface Sending<T> {
  readonly broadcast: () => Promise<T>
  /** Called with the outcome of each attempt, which goes on even if the dialog is closed. */
  readonly onBroadcast: (outcome: Promise<T>) => void
  /** Where the network shows the transaction. */
  readonly explorerUrl: string | undefined
}

/**
 * Sends a signed transaction to the network, and the very same one again as long as nobody knows what has become of it.
 * @throws the network's refusal, or the error that leaves it open when the user gives up
 */
export async function sendSigned<T>(
  approver: Pick<Approver, 'showFailure'>,
  signal: AbortSignal,
  { broadcast, onBroadcast, explorerUrl }: Sending<T>,
): Promise<T> {
  let unknown: TransactionUnknownError | undefined
  for (;;) {
    const outcome = broadcast()
    onBroadcast(outcome)
    try {
      return await outcome
    } catch (cause) {
      signal.throwIfAborted()
      if (cause instanceof TransactionUnknownError) unknown = cause
      if (!unknown || cause instanceof Closed) throw cause
      try {
        await approver.showFailure(unknown, { explorerUrl })
      } catch {
        signal.throwIfAborted()
        throw unknown
      }
    }
  }
}
