/** Simulates several calls of one account in their order, each after those before it: one `eth_simulateV1`. */

import { catchNodeError, NodeError } from '../lib/node-errors.ts'
import { quantity, readFields, readList, unusable } from './answers.ts'
import { type AssetChanges, assetChanges, type LogEntry, NATIVE } from './asset-changes.ts'
import { assertChainId } from './prepare-transaction.ts'
import type { ChainNode } from './rpc.ts'
import {
  type CallResult,
  metadataOf,
  readCalls,
  refused,
  type SimulateOptions,
  type Simulation,
  type SimulationUnavailable,
  withState,
} from './simulate.ts'
import { toCall } from './state-reads.ts'
import type { WalletTransaction } from './transaction.ts'

export interface CallsSimulation {
  readonly outcome: 'simulated'
  /** Each call, as it goes after those before it. */
  readonly calls: readonly Simulation[]
}

const WHAT = 'a simulation'

/**
 * Simulates calls in their order. Throws a `NodeError` for an answer that can't be used, `Unreachable`, or the signal's reason.
 * @param requests calls of one sender on one chain, at least one
 */
export async function simulateCalls(
  node: ChainNode,
  requests: readonly WalletTransaction[],
  { now, signal }: SimulateOptions,
): Promise<CallsSimulation | SimulationUnavailable> {
  const [first] = requests
  if (!first) throw unusable(WHAT)
  const payload = {
    blockStateCalls: [{ calls: requests.map(toCall) }],
    traceTransfers: true,
    validation: false,
  }
  const [answer] = await Promise.all([
    catchNodeError(node.ask('eth_simulateV1', [payload, 'latest'], { signal })),
    assertChainId(node, first.chainId, signal),
  ])
  const at = now()
  // A refusal of the whole doesn't tell which call it is about.
  if (answer instanceof NodeError) {
    const said = refused(answer, at)
    return said.outcome === 'unavailable' ? said : { outcome: 'unavailable', isUnanswered: true }
  }
  const blocks = readList(answer, WHAT)
  if (blocks.length !== 1) throw unusable(WHAT)
  const block = readFields(blocks[0], WHAT)
  const results = readCalls(block, requests.length)
  const baseFee = block.get('baseFeePerGas') ?? undefined
  const place = {
    blockNumber: quantity(WHAT, BigInt(Number.MAX_SAFE_INTEGER))(block.get('number')),
    baseFee: baseFee === undefined ? undefined : quantity(WHAT)(baseFee),
    at,
  }
  const logged = results.map((result, k) => changesOf(requests[k] ?? first, result))
  const runs = results.map((result, k) => ({
    request: requests[k] ?? first,
    changes: logged[k] ?? none,
    result,
  }))
  const changes = await withState(node, runs, {}, signal)
  const tokens = await metadataOf(
    node,
    {
      leaves: changes.flatMap(({ leaves }) => leaves),
      comes: changes.flatMap(({ comes }) => comes),
      allowances: changes.flatMap(({ allowances }) => allowances),
      isComplete: true,
    },
    {},
    signal,
  )
  const more = { outcome: 'simulated', tokens, wrappers: [], ...place } as const
  return {
    outcome: 'simulated',
    calls: results.map(({ isSuccess, reason, gasUsed }, k) => ({
      ...more,
      ...(changes[k] ?? { ...none, roles: [] }),
      logged: logged[k],
      status: isSuccess ? 'success' : 'failed',
      ...(reason && { reason }),
      gasUsed,
    })),
  }
}

const none: AssetChanges = { leaves: [], comes: [], allowances: [], isComplete: false }

/**
 * A gas limit out of a simulation, which says what is used after refunds: they are at most a fifth, and a contract may need more once others
 * have written to it.
 */
export const gasLimitOfSimulated = (used: bigint, data: string): bigint =>
  data === '0x' ? used : (used * 3n) / 2n

const changesOf = (request: WalletTransaction, result: CallResult): AssetChanges =>
  assetChanges(logsOf(request, result), { account: request.from, isComplete: result.isComplete })

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** The logs of a call. A node that doesn't trace the coins must not hide those that the call itself sends. */
function logsOf(
  { from, to, value }: WalletTransaction,
  { isSuccess, logs }: CallResult,
): readonly LogEntry[] {
  const isTraced = logs.some(({ address }) => address === NATIVE)
  if (!isSuccess || value === 0n || !to || to === from || isTraced) return logs
  const word = (hex: string) => `0x${hex.replace(/^0x/, '').toLowerCase().padStart(64, '0')}` as const
  return [
    { address: NATIVE, topics: [TRANSFER, word(from), word(to)], data: word(value.toString(16)) },
    ...logs,
  ]
}
