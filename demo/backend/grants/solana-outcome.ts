import { listOf, lookUpStatus, natural, recordOf, textOf } from '../../../src/solana/queries.ts'
import type { PreviewNode } from '../preview/nodes.ts'
import type { Found } from './ethereum-outcome.ts'

/** Blocks for which a blockhash is good, and one to be sure. */
export const BLOCKHASH_BLOCKS = 151
/** As many of a wallet's transactions as a node lists at once. */
const LISTED = 1_000

/**
 * Reads a node's final word on a transaction of Solana. That a node doesn't know it shows nothing by itself: the node has to list
 * the wallet's transactions from beyond the transaction's last block back to before its first, without it. One that a node has
 * accepted is never taken for dropped.
 */
export async function solanaOutcome(
  node: PreviewNode,
  sought: { hash: string; lastBlock: number | null; address: string; wasAccepted: boolean },
): Promise<Found | undefined> {
  const { hash, lastBlock, address, wasAccepted } = sought
  const { status } = await lookUpStatus(node, hash, { withHistory: true })
  if (status) {
    if (status.commitment !== 'finalized') return undefined
    return { outcome: status.error === null ? 'confirmed' : 'failed', in: String(status.slot) }
  }
  if (wasAccepted || lastBlock === null) return undefined
  // Once its blockhash is too old at the finalized block, no later block can include it.
  const progress = recordOf(await node.ask('getEpochInfo', [{ commitment: 'finalized' }]))
  if (natural(progress.blockHeight) <= BigInt(lastBlock)) return undefined
  // One answer, by a node that has come so far, which reaches back by itself.
  const options = {
    commitment: 'finalized',
    limit: LISTED,
    minContextSlot: Number(natural(progress.absoluteSlot)),
  }
  const listed = listOf(await node.ask('getSignaturesForAddress', [address, options])).map(recordOf)
  const oldest = listed.at(-1)
  if (!oldest || listed.some(({ signature }) => textOf(signature) === hash)) return undefined
  const block = recordOf(
    await node.ask('getBlock', [
      Number(natural(oldest.slot)),
      {
        commitment: 'finalized',
        transactionDetails: 'none',
        rewards: false,
        maxSupportedTransactionVersion: 0,
      },
    ]),
  )
  if (natural(block.blockHeight) >= BigInt(lastBlock - 2 * BLOCKHASH_BLOCKS)) return undefined
  const again = await lookUpStatus(node, hash, { withHistory: true })
  return again.status ? undefined : { outcome: 'dropped', in: '' }
}
