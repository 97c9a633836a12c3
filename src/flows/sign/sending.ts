import { Unsettled } from '../../chains/rpc.ts'
import { Closed } from '../../core/stage.ts'
import { type ApproveTransactionProps, approveTransaction } from '../../screens/sign/approve-transaction.tsx'
import type { WalletFlow } from '../wallet/context.ts'
import { showDone, tellFailure } from './approved.ts'
import { failureOf } from './transaction-failure.ts'

/**
 * Gives a signed transaction to the network, the very same one again as long as nobody knows whether it is there.
 * Throws a refusal, or an `Unsettled` when the person gives up.
 * @param onSending told of each try: it goes on whatever becomes of the dialog
 */
export async function sendSigned<T>(
  cx: WalletFlow,
  props: ApproveTransactionProps,
  { broadcast, onSending }: { broadcast: () => Promise<T>; onSending: (sending: Promise<T>) => void },
): Promise<T> {
  let unsettled: Unsettled | undefined
  for (;;) {
    const sending = broadcast()
    onSending(sending)
    try {
      const result = await sending
      await showDone(cx, approveTransaction, props)
      return result
    } catch (cause) {
      cx.stage.signal.throwIfAborted()
      if (cause instanceof Unsettled) unsettled = cause
      if (!unsettled || cause instanceof Closed) throw cause
      const error = tellFailure(cx, failureOf(cause), 'transaction.unsettled')
      if ((await cx.stage.ask(approveTransaction, { ...props, error })) === 'cancel') throw unsettled
    }
  }
}
