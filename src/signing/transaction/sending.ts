import { Closed } from '../../dialog/stage.ts'
import { Unsettled } from '../../lib/node-errors.ts'
import type { WalletFlow } from '../../wallets/flow-context.ts'
import { showFailure } from './failure.ts'

interface Sending<T> {
  broadcast: () => Promise<T>
  /** Called with the outcome of each attempt, which goes on even if the dialog is closed. */
  onBroadcast: (outcome: Promise<T>) => void
  /** Where the network shows a transaction. */
  explorerUrl?: (hash: string) => string | undefined
}

/**
 * Sends a signed transaction to the network, and the very same one again as long as its fate is unknown.
 * Throws a refusal, or an `Unsettled` when the person gives up.
 */
export async function sendSigned<T>(
  cx: WalletFlow,
  { broadcast, onBroadcast, explorerUrl }: Sending<T>,
): Promise<T> {
  let unsettled: Unsettled | undefined
  for (;;) {
    const outcome = broadcast()
    onBroadcast(outcome)
    try {
      return await outcome
    } catch (cause) {
      cx.stage.signal.throwIfAborted()
      if (cause instanceof Unsettled) unsettled = cause
      if (!unsettled || cause instanceof Closed) throw cause
      try {
        await showFailure(cx, unsettled, { explorerUrl: explorerUrl?.(unsettled.hash) })
      } catch {
        cx.stage.signal.throwIfAborted()
        throw unsettled
      }
    }
  }
}
