import type { ActivityEntry } from '../../activity/entry.ts'
import type { Follow } from '../../activity/tracker.ts'
import type { ChainNode } from '../../ethereum/rpc.ts'
import type { Clock } from '../../lib/clock.ts'
import type { ChainTracker } from '../../signing/chain-adapter.ts'
import type { SolanaRoom } from '../../signing/solana/adapter.ts'
import type { SolanaCluster } from '../../solana/clusters.ts'
import type { SolanaRpc } from '../../solana/rpc.ts'
import type { Bundler } from '../../wallets/smart/bundler.ts'
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
  /** The bundler of a chain; `undefined` for one on which the app has no smart accounts any more. */
  readonly bundler: (chainId: number) => Promise<Bundler | undefined>
}

/**
 * Follows entries of every kind of chain by the trackers of their adapters, which are loaded without the rest of these. Entries of a
 * chain that the app no longer has stay as they are.
 */
export function createFollow(cx: FollowContext): Follow {
  return async function* (entry, signal) {
    const tracker = await trackerOf(cx, entry)
    if (tracker) yield* tracker.track(entry, { clock: cx.clock, signal })
  }
}

async function trackerOf(
  { nodeOf, solana, bundler }: FollowContext,
  { chain, operation }: ActivityEntry,
): Promise<ChainTracker | undefined> {
  const [namespace, reference = ''] = chain.split(':')
  if (namespace === 'eip155') {
    const node = nodeOf(Number(reference))
    if (operation) {
      const own = node && (await bundler(Number(reference)))
      return own && (await serviceFeatures.operationTracking()).createOperationTracker({ node, bundler: own })
    }
    return node && (await serviceFeatures.ethereumTracking()).createEthereumTracker(node)
  }
  const cluster = namespace === 'solana' ? await solana(chain) : undefined
  return cluster && (await serviceFeatures.solanaTracking()).createSolanaTracker(cluster)
}
