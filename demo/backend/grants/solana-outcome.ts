import { lookUpStatus, natural, recordOf } from '../../../src/solana/queries.ts'
import type { PreviewNode } from '../preview/nodes.ts'

/** Reads a node's final word on a transaction of Solana. */
export async function solanaOutcome(
  node: PreviewNode,
  { hash, lastBlock }: { hash: string; lastBlock: number | null },
): Promise<'confirmed' | 'failed' | 'dropped' | 'open'> {
  const { status } = await lookUpStatus(node, hash, { withHistory: true })
  if (status) {
    if (status.commitment !== 'finalized') return 'open'
    return status.error === null ? 'confirmed' : 'failed'
  }
  // Once its blockhash is too old at the finalized block, no later block can include it.
  const progress = recordOf(await node.ask('getEpochInfo', [{ commitment: 'finalized' }]))
  const isOver = lastBlock !== null && natural(progress.blockHeight) > BigInt(lastBlock)
  if (!isOver) return 'open'
  const again = await lookUpStatus(node, hash, { withHistory: true })
  return again.status ? 'open' : 'dropped'
}
