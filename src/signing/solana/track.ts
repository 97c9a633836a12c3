import { base64 } from '@scure/base'
import type { ActivityEntry } from '../../activity/entry.ts'
import type { Followed } from '../../activity/tracker.ts'
import type { SolanaReceipt } from '../../solana/receipt.ts'
import type { SolanaRpc } from '../../solana/rpc.ts'
import type { TransactionStatus } from '../../solana/track.ts'
import type { ChainTracker, TrackOptions } from '../chain-adapter.ts'

interface SolanaNodes {
  readonly rpc: SolanaRpc
  /** Loaded by the caller. */
  readonly room: Pick<
    typeof import('../../solana/adapter.ts'),
    'decodeTransaction' | 'lifeOf' | 'track' | 'getReceipt'
  >
}

/** Follows transactions on Solana; those without their signed bytes can't be followed. */
export const createSolanaTracker = (nodes: SolanaNodes): ChainTracker => ({
  track: (entry, options) => follow(nodes, entry, options),
})

const reasonOf = ({ code, custom, words }: NonNullable<SolanaReceipt['failure']>) =>
  words ?? (custom === undefined ? code : `${code} ${custom}`)

async function* follow(
  { rpc, room }: SolanaNodes,
  entry: ActivityEntry,
  { clock, signal }: TrackOptions,
): AsyncGenerator<Followed> {
  if (!entry.raw) return
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
            reason: reasonOf(failure),
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
    await clock.sleep(REST, signal)
  }

  async function receiptOf(looks: number): Promise<SolanaReceipt | undefined> {
    for (let look = 0; look < looks; look++) {
      if (look > 0) await clock.sleep(INTERVAL, signal)
      const receipt = await room
        .getReceipt(rpc, entry.hash, { wallet: entry.wallet, message, signal })
        .catch(() => undefined)
      signal.throwIfAborted()
      if (receipt) return receipt
    }
    return undefined
  }
}

/** The life of an entry that doesn't say when it ends: it is never called expired. */
const NEVER = 2n ** 64n
/** Milliseconds between two looks at a receipt, and until a transaction that nobody can say more about is followed again. */
const INTERVAL = 1_000
const REST = 30_000
/** How often the record of a transaction is asked for; a failure is one without it. */
const RECEIPT_LOOKS = 30
const RECEIPT_LOOKS_OF_FAILED = 3
