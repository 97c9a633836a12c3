import { Closed } from '../../dialog/stage.ts'
import { Unsettled } from '../../lib/node-errors.ts'
import type { WalletFlow } from '../../wallets/flow-context.ts'
import { reportFailure, showDone } from '../approved.ts'
import { type ApproveTransactionProps, approveTransaction } from './approve-transaction.tsx'
import { failureOf } from './failure.ts'

/**
 * Sends a signed transaction to the network, and the very same one again as long as its fate is unknown.
 * Throws a refusal, or an `Unsettled` when the person gives up.
 * @param onBroadcast called with the outcome of each attempt, which continues even if the dialog is closed
 */
export async function sendSigned<T>(
  cx: WalletFlow,
  props: ApproveTransactionProps,
  { broadcast, onBroadcast }: { broadcast: () => Promise<T>; onBroadcast: (outcome: Promise<T>) => void },
): Promise<T> {
  let unsettled: Unsettled | undefined
  for (;;) {
    const outcome = broadcast()
    onBroadcast(outcome)
    try {
      const result = await outcome
      await showDone(cx, approveTransaction, props)
      return result
    } catch (cause) {
      cx.stage.signal.throwIfAborted()
      if (cause instanceof Unsettled) unsettled = cause
      if (!unsettled || cause instanceof Closed) throw cause
      const error = reportFailure(cx, failureOf(cause), 'transaction.unsettled')
      if ((await cx.stage.ask(approveTransaction, { ...props, error })) === 'cancel') throw unsettled
    }
  }
}
