import type { ActivityEntry } from '../../activity/entry.ts'
import type { Followed } from '../../activity/tracker.ts'
import { KitError } from '../../errors/kit-error.ts'
import { ethereumLimits } from '../../ethereum/limits.ts'
import { TimedOut, within } from '../../lib/clock.ts'
import { limits } from '../../lib/limits.ts'
import { NodeError, Unreachable } from '../../lib/node-errors.ts'
import {
  findOperation,
  type IncludedOperation,
  type OperationNodes,
  type OperationState,
} from '../../wallets/smart/operation-result.ts'
import type { ChainTracker, TrackOptions } from '../chain-adapter.ts'
import { readSentOperation } from './entry.ts'

export { readSentOperation } from './entry.ts'

/**
 * Follows operations of smart accounts: the bundler says in which transaction one was included, and success is said by that
 * transaction's receipt from the chain's own node. A bundler's word that the chain contradicts counts for nothing.
 */
export const createOperationTracker = (nodes: OperationNodes): ChainTracker => ({
  track: (entry, options) => follow(nodes, entry, options),
})

async function* follow(
  nodes: OperationNodes,
  entry: ActivityEntry,
  { clock, signal }: TrackOptions,
): AsyncGenerator<Followed> {
  const sent = readSentOperation(entry)
  const start = clock.now()
  let interval: number = ethereumLimits.trackInterval
  let isReported = false
  const polls = { superseded: 0, unknown: 0, contradicted: 0 }
  try {
    for (;;) {
      const found = await within(
        clock,
        limits.requestTimeout,
        (own) => findOperation(nodes, sent, own),
        signal,
      ).catch((cause: unknown) => {
        signal.throwIfAborted()
        if (isSilence(cause)) return undefined
        throw cause
      })
      if (found?.state === 'included') {
        yield decided(found)
        return
      }
      if (found) count(polls, found.state)
      const age = clock.now() - start
      // A bundler may learn of an inclusion later than the node.
      if (polls.superseded >= ethereumLimits.dropPolls) {
        yield { change: { status: 'replaced' } }
        return
      }
      // A bundler that has lost it can be given the same bytes again, and its nonce can be used by another operation.
      if (polls.unknown >= ethereumLimits.dropPolls && age >= ethereumLimits.dropTime) {
        yield { change: { status: 'dropped' } }
        return
      }
      const isLate = age >= ethereumLimits.trackTime
      if (!isReported && (isLate || polls.contradicted >= ethereumLimits.dropPolls)) {
        isReported = true
        yield { change: { status: 'unknown' } }
      }
      await clock.sleep(isLate ? ethereumLimits.trackIdleInterval : interval, signal)
      interval = Math.min(interval * 1.5, ethereumLimits.trackSlowInterval)
    }
  } catch (cause) {
    if (!signal.aborted) throw cause
  }
}

/** Whatever can't answer now may answer at the next poll. */
const isSilence = (cause: unknown): boolean =>
  cause instanceof NodeError ||
  cause instanceof Unreachable ||
  cause instanceof TimedOut ||
  cause instanceof KitError

type Undecided = Exclude<OperationState['state'], 'included'>

/** Counts the polls in a row with the same state. */
function count(polls: Record<'superseded' | 'unknown' | 'contradicted', number>, state: Undecided): void {
  for (const each of ['superseded', 'unknown', 'contradicted'] as const)
    polls[each] = each === state ? polls[each] + 1 : 0
}

function decided({ receipt, reason }: IncludedOperation): Followed {
  const { transactionHash, blockNumber, gasUsed, effectiveGasPrice = 0n, status } = receipt
  return {
    change: {
      status: status === 'success' ? 'confirmed' : 'failed',
      transactionHash,
      block: String(blockNumber),
      fee: String(gasUsed * effectiveGasPrice),
      ...(reason?.message !== undefined && { reason: reason.message }),
    },
    receipt,
  }
}
