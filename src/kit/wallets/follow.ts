import { base64 } from '@scure/base'
import type { ActivityEntry } from '../../activity/entry.ts'
import type { Follow, Followed } from '../../activity/tracker.ts'
import type { ChainNode } from '../../ethereum/rpc.ts'
import type { Clock } from '../../lib/clock.ts'
import type { SolanaRoom } from '../../signing/solana/adapter.ts'
import type { SolanaCluster } from '../../solana/clusters.ts'
import type { SolanaReceipt } from '../../solana/receipt.ts'
import type { SolanaRpc } from '../../solana/rpc.ts'
import type { TransactionStatus } from '../../solana/track.ts'
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
  { clock, solana }: FollowContext,
  entry: ActivityEntry,
  signal: AbortSignal,
): AsyncGenerator<Followed> {
  const chain = await solana(entry.chain)
  if (!chain || !entry.raw) return
  const { room, rpc } = chain
  const bytes = base64.decode(entry.raw)
  const { message } = room.decodeTransaction(bytes)
  const transaction = { bytes, signature: entry.hash }
  const life = room.lifeOf(message, entry.lastValidBlockHeight ? BigInt(entry.lastValidBlockHeight) : NEVER)
  for (;;) {
    let last: TransactionStatus = { status: 'unknown' }
    for await (last of room.track({ rpc, clock }, { transaction, message, life, until: 'confirmed', signal }))
      if (last.status === 'sent') yield { change: { status: 'pending' } }
    if (last.status === 'expired') {
      yield { change: { status: 'expired' } }
      return
    }
    if (last.status !== 'unknown' && last.status !== 'sent') {
      const receipt = await receiptOf(last.status === 'failed' ? RECEIPT_LOOKS_OF_FAILED : RECEIPT_LOOKS)
      const failure = last.status === 'failed' ? last.failure : receipt?.failure
      if (failure) {
        yield {
          change: {
            status: 'failed',
            block: String(last.slot),
            reason: failure.custom === undefined ? failure.code : `${failure.code} ${failure.custom}`,
            ...(receipt && { fee: String(receipt.fee) }),
          },
          receipt,
        }
        return
      }
      // A status is only a word; success is said for the network's own record.
      if (receipt) {
        const { slot, fee } = receipt
        yield { change: { status: 'confirmed', block: String(slot), fee: String(fee) }, receipt }
        return
      }
    }
    yield { change: { status: 'unknown' } }
    await clock.sleep(SOLANA_REST, signal)
  }

  async function receiptOf(looks: number): Promise<SolanaReceipt | undefined> {
    for (let look = 0; look < looks; look++) {
      if (look > 0) await clock.sleep(SOLANA_INTERVAL, signal)
      const receipt = await room
        .getReceipt(rpc, entry.hash, { wallet: entry.wallet, message, signal })
        .catch(() => undefined)
      signal.throwIfAborted()
      if (receipt) return receipt
    }
    return undefined
  }
}

/** Of an entry that doesn't say when it ends: it is never called expired. */
const NEVER = 2n ** 64n
/** Milliseconds between two looks at a receipt, and until a transaction that nobody can say more about is followed again. */
const SOLANA_INTERVAL = 1_000
const SOLANA_REST = 30_000
/** How often the record of a transaction is asked for; a failure is one without it. */
const RECEIPT_LOOKS = 30
const RECEIPT_LOOKS_OF_FAILED = 3
