import type { ActivityEntry } from '../../activity/activity.ts'
import type { Follow, Followed } from '../../activity/tracker.ts'
import type { ChainNode } from '../../ethereum/rpc.ts'
import type { Clock } from '../../lib/clock.ts'
import type { SolanaRpc } from '../../solana/rpc.ts'
import { serviceFeatures } from '../services/features.ts'

export interface FollowContext {
  readonly clock: Clock
  readonly nodeOf: (chainId: number) => ChainNode | undefined
  /** `undefined` for a cluster that the app doesn't have any more. */
  readonly solanaRpc: (chain: string) => Promise<SolanaRpc | undefined>
}

/** Follows entries of every kind of chain; those of a chain that the app no longer has stay as they are. */
export function createFollow(cx: FollowContext): Follow {
  return (entry, signal) => {
    const [namespace, reference = ''] = entry.chain.split(':')
    if (namespace === 'eip155') return followEthereum(cx, Number(reference), entry, signal)
    return namespace === 'solana' ? followSolana(cx, entry, signal) : nothing()
  }
}

async function* nothing(): AsyncGenerator<Followed> {}

async function* followEthereum(
  { clock, nodeOf }: FollowContext,
  chainId: number,
  entry: ActivityEntry,
  signal: AbortSignal,
): AsyncGenerator<Followed> {
  const node = nodeOf(chainId)
  if (!node || !entry.raw) return
  const { trackRaw } = await serviceFeatures.ethereumTracking()
  for await (const status of trackRaw(node, { raw: entry.raw, from: entry.wallet }, { clock, signal })) {
    switch (status.status) {
      case 'confirmed':
      case 'failed': {
        const { blockNumber, gasUsed, effectiveGasPrice } = status.receipt
        yield {
          change: {
            status: status.status,
            block: String(blockNumber),
            ...(effectiveGasPrice !== undefined && { fee: String(gasUsed * effectiveGasPrice) }),
            ...(status.status === 'failed' &&
              status.reason.message !== undefined && { reason: status.reason.message }),
          },
          receipt: status.receipt,
        }
        break
      }
      case 'replaced':
        yield { change: { status: 'replaced', ...(status.by && { replacedBy: status.by }) } }
        break
      default:
        yield { change: { status: status.status } }
    }
  }
}

async function* followSolana(
  { clock, solanaRpc }: FollowContext,
  entry: ActivityEntry,
  signal: AbortSignal,
): AsyncGenerator<Followed> {
  const rpc = await solanaRpc(entry.chain)
  if (!rpc || !entry.raw) return
  const { followSolanaTransaction } = await serviceFeatures.solanaTracking()
  yield* followSolanaTransaction({ rpc, clock }, entry, signal)
}
