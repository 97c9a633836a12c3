import type { Follow } from '../../activity/tracker.ts'
import type { ChainNode } from '../../ethereum/rpc.ts'
import type { Clock } from '../../lib/clock.ts'
import type { ChainTracker } from '../../signing/chain-adapter.ts'
import type { SolanaRoom } from '../../signing/solana/adapter.ts'
import type { SolanaCluster } from '../../solana/clusters.ts'
import type { SolanaRpc } from '../../solana/rpc.ts'
import { serviceFeatures } from '../services/features.ts'

/** A cluster of Solana with its nodes, and the parts that handle its transactions. */
export interface SolanaChain {
  readonly cluster: SolanaCluster
  readonly rpc: SolanaRpc
  readonly room: SolanaRoom
}

export interface FollowContext {
  readonly clock: Clock
  readonly nodeOf: (chainId: number) => ChainNode | undefined
  /** `undefined` for a cluster that the app doesn't have any more. */
  readonly solana: (chain: string) => Promise<SolanaChain | undefined>
}

/**
 * Follows entries of every kind of chain by the trackers of their adapters, which are loaded without the rest of these. Entries of a
 * chain that the app no longer has stay as they are.
 */
export function createFollow(cx: FollowContext): Follow {
  return async function* (entry, signal) {
    const tracker = await trackerOf(cx, entry.chain)
    if (tracker) yield* tracker.track(entry, { clock: cx.clock, signal })
  }
}

async function trackerOf(
  { nodeOf, solana }: FollowContext,
  chain: string,
): Promise<ChainTracker | undefined> {
  const [namespace, reference = ''] = chain.split(':')
  if (namespace === 'eip155') {
    const node = nodeOf(Number(reference))
    return node && (await serviceFeatures.ethereumTracking()).createEthereumTracker(node)
  }
  const cluster = namespace === 'solana' ? await solana(chain) : undefined
  return cluster && (await serviceFeatures.solanaTracking()).createSolanaTracker(cluster)
}
