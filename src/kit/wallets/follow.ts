import type { ActivityEntry } from '../../activity/activity.ts'
import type { Follow, Followed } from '../../activity/tracker.ts'
import type { ChainNode } from '../../ethereum/rpc.ts'
import type { Clock } from '../../lib/clock.ts'
import type { SolanaNode } from '../../solana/node.ts'
import { serviceFeatures } from '../services/features.ts'

export interface FollowContext {
  readonly clock: Clock
  readonly nodeOf: (chainId: number) => ChainNode | undefined
  /** `undefined` for a cluster that the app doesn't have any more. */
  readonly solanaNode: (chain: string) => Promise<SolanaNode | undefined>
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
  const { track, deserialize } = await serviceFeatures.ethereumTracking()
  const sent = { hash: entry.hash as `0x${string}`, transaction: deserialize(entry.raw, entry.wallet) }
  for await (const status of track(node, [sent], { clock, signal })) {
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
  { clock, solanaNode }: FollowContext,
  entry: ActivityEntry,
  signal: AbortSignal,
): AsyncGenerator<Followed> {
  const node = await solanaNode(entry.chain)
  while (node && !signal.aborted) {
    const status = await node.statusOf(entry.hash).catch(() => undefined)
    if (status?.err) {
      yield { change: { status: 'failed', block: String(status.slot) } }
      return
    }
    if (status && status.confirmationStatus !== 'processed') {
      yield { change: { status: 'confirmed', block: String(status.slot) }, receipt: status }
      return
    }
    await clock.sleep(SOLANA_INTERVAL, signal)
  }
}

/** Milliseconds between two looks at a transaction on Solana. */
const SOLANA_INTERVAL = 1_000
