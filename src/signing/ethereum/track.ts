import type { ActivityEntry } from '../../activity/entry.ts'
import type { Followed } from '../../activity/tracker.ts'
import type { ChainNode } from '../../ethereum/rpc.ts'
import { deserialize, track, trackByHash } from '../../ethereum/track.ts'
import type { ChainTracker, TrackOptions } from '../chain-adapter.ts'

export { deserialize, replacementKind } from '../../ethereum/track.ts'

/** Follows transactions on an EVM chain, by the signed bytes where this browser has them. */
export const createEthereumTracker = (node: ChainNode): ChainTracker => ({
  track: (entry, options) => follow(node, entry, options),
})

async function* follow(
  node: ChainNode,
  { chain, hash: name, raw, wallet: from }: ActivityEntry,
  options: TrackOptions,
): AsyncGenerator<Followed> {
  const hash = name as `0x${string}`
  const chainId = Number(chain.split(':')[1])
  const statuses =
    raw === undefined
      ? trackByHash(node, { hash, from, chainId }, options)
      : track(node, [{ hash, transaction: deserialize(raw, from) }], options)
  for await (const status of statuses) {
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
