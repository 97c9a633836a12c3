import type { FlowContext } from '../app/flow-context.ts'
import { within } from '../lib/clock.ts'
import { logFailure } from '../lib/log-failure.ts'
import { fundingLimits } from './limits.ts'

/** Asks the network for the wallet's balance of what is funded. */
export type ReadBalance = (signal: AbortSignal) => Promise<bigint>

/** Reads a balance at once, and then in intervals. Resolves with `undefined` for a reading that has failed. */
export function watchBalance(
  { clock }: Pick<FlowContext, 'clock'>,
  read: ReadBalance,
): (signal: AbortSignal) => Promise<bigint | undefined> {
  let due = clock.now()
  return async (signal) => {
    const wait = due - clock.now()
    if (wait > 0) await clock.sleep(wait, signal)
    try {
      return await within(clock, fundingLimits.balanceTime, read, signal)
    } catch (cause) {
      signal.throwIfAborted()
      logFailure('Unable to fetch the balance of what is funded', cause)
      return undefined
    } finally {
      due = clock.now() + fundingLimits.balanceInterval
    }
  }
}
