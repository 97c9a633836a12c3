import type { ActivityEntry } from '../../activity/entry.ts'
import type { Followed } from '../../activity/tracker.ts'
import { bytes, readFields } from '../../ethereum/answers.ts'
import { ethereumLimits } from '../../ethereum/limits.ts'
import { parseOperationReceipt } from '../../ethereum/operation-receipt.ts'
import type { TransactionReceipt } from '../../ethereum/receipt.ts'
import type { ChainNode } from '../../ethereum/rpc.ts'
import { TimedOut, within } from '../../lib/clock.ts'
import { limits } from '../../lib/limits.ts'
import { NodeError, Unreachable } from '../../lib/node-errors.ts'
import type { ChainTracker, TrackOptions } from '../chain-adapter.ts'

export interface OperationNodes {
  readonly node: ChainNode
  readonly bundler: ChainNode
}

/**
 * Follows operations of smart accounts: the bundler says in which transaction one was included, and success is said by that
 * transaction's receipt from the chain's own node.
 */
export const createOperationTracker = (nodes: OperationNodes): ChainTracker => ({
  track: (entry, options) => follow(nodes, entry, options),
})

/** An operation's state at one poll. `forgotten`: the bundler doesn't know it. */
type Found = TransactionReceipt | 'pending' | 'forgotten' | 'unreachable'

async function* follow(
  nodes: OperationNodes,
  entry: ActivityEntry,
  { clock, signal }: TrackOptions,
): AsyncGenerator<Followed> {
  const start = clock.now()
  let interval: number = ethereumLimits.trackInterval
  let isLate = false
  let forgotten = 0
  try {
    for (;;) {
      const found = await within(
        clock,
        limits.requestTimeout,
        (own) => poll(nodes, entry, own),
        signal,
      ).catch((cause: unknown): Found => {
        signal.throwIfAborted()
        if (cause instanceof NodeError || cause instanceof Unreachable || cause instanceof TimedOut)
          return 'unreachable'
        throw cause
      })
      if (typeof found === 'object') {
        yield decided(found)
        return
      }
      forgotten = found === 'forgotten' ? forgotten + 1 : found === 'pending' ? 0 : forgotten
      const age = clock.now() - start
      // A bundler that has lost it can be given the same bytes again, and its nonce can be used by another operation.
      if (forgotten >= ethereumLimits.dropPolls && age >= ethereumLimits.dropTime) {
        yield { change: { status: 'dropped' } }
        return
      }
      if (!isLate && age >= ethereumLimits.trackTime) {
        isLate = true
        yield { change: { status: 'unknown' } }
      }
      await clock.sleep(isLate ? ethereumLimits.trackIdleInterval : interval, signal)
      interval = Math.min(interval * 1.5, ethereumLimits.trackSlowInterval)
    }
  } catch (cause) {
    if (!signal.aborted) throw cause
  }
}

function decided(receipt: TransactionReceipt): Followed {
  const { transactionHash, blockNumber, gasUsed, effectiveGasPrice = 0n, status } = receipt
  return {
    change: {
      status: status === 'success' ? 'confirmed' : 'failed',
      transactionHash,
      block: String(blockNumber),
      fee: String(gasUsed * effectiveGasPrice),
    },
    receipt,
  }
}

async function poll(
  { bundler, node }: OperationNodes,
  entry: ActivityEntry,
  signal: AbortSignal,
): Promise<Found> {
  const answer = await bundler.ask('eth_getUserOperationReceipt', [entry.hash], { signal })
  if (answer === null) {
    const known = await bundler.ask('eth_getUserOperationByHash', [entry.hash], { signal })
    return known === null ? 'forgotten' : 'pending'
  }
  const included = readFields(readFields(answer, WHAT).get('receipt'), WHAT)
  const hash = bytes(WHAT, 32)(included.get('transactionHash'))
  return (await readOperationReceipt(node, entry, hash, signal)) ?? 'pending'
}

const WHAT = 'a receipt'

/**
 * Reads the receipt of an operation from the chain's own node.
 * @param hash the transaction that a bundler has named
 * @returns `undefined` while the node doesn't have the transaction, and for one that doesn't hold the operation
 */
export async function readOperationReceipt(
  node: ChainNode,
  { hash: operation, wallet, operation: details }: ActivityEntry,
  hash: string,
  signal?: AbortSignal,
): Promise<TransactionReceipt | undefined> {
  const answer = await node.ask('eth_getTransactionReceipt', [hash], { signal })
  if (answer === null || details === undefined) return undefined
  return parseOperationReceipt(answer, { hash: operation, sender: wallet, entryPoint: details.entryPoint })
}
