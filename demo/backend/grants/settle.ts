import { eq } from 'drizzle-orm'
import { parseQuantity } from '../../../src/ethereum/integer.ts'
import { askTwo } from '../preview/compare.ts'
import type { PreviewNode, PreviewNodes } from '../preview/nodes.ts'
import type { Limits } from '../settings/limits.ts'
import type { Database } from '../store/database.ts'
import { wallets } from '../wallets/tables.ts'
import { sendEthereum } from './ethereum.ts'
import { dropUnsigned, noteUse, release, type UseRow, unsettledUses } from './reservations.ts'

/** `open`: nobody can say yet. */
type Outcome = 'confirmed' | 'failed' | 'dropped' | 'open'

export interface Settling {
  /**
   * Looks what became of uses of a wallet's grants, ended ones too, and gives back what is known not to have moved. Throws nothing: what
   * can't be asked stays counted.
   */
  settle(walletId: string): Promise<void>
}

/** Follows transactions of grants to their end, each when a grant of its wallet is looked at. No time-out ever gives an amount back. */
export function createSettling(deps: {
  database: Database
  nodes: PreviewNodes
  limits: Limits
  clock: () => number
}): Settling {
  const { database, nodes, limits, clock } = deps

  async function outcomeOf(use: UseRow, address: string): Promise<Outcome> {
    const { chain, hash } = use
    if (hash === null) return 'open'
    const [namespace = '', reference = ''] = chain.split(':')
    if (namespace === 'solana') {
      const { solanaOutcome } = await import('./solana-outcome.ts')
      return agreed(nodes.solana(reference), (node) => solanaOutcome(node, { ...use, hash }))
    }
    return agreed(nodes.ethereum(Number(reference)), (node) =>
      ethereumOutcome(node, { ...use, hash, address }, limits.grantDepth),
    )
  }

  /** Two nodes have to agree; with one node it is that one's word. */
  async function agreed(
    known: readonly PreviewNode[],
    ask: (node: PreviewNode) => Promise<Outcome>,
  ): Promise<Outcome> {
    const [one, other = one] = await askTwo(known, ask, limits.previewNodeTime)
    return one === other ? one : 'open'
  }

  async function settleUse(use: UseRow, address: string): Promise<void> {
    await noteUse(database, use.id, { checkedAt: clock() })
    if (use.hash === null) return dropUnsigned(database, use.id)
    const outcome = await outcomeOf(use, address)
    if (outcome === 'confirmed') await noteUse(database, use.id, { status: 'confirmed', raw: null })
    else if (outcome !== 'open') await release(database, use.id, outcome)
    else if (use.status !== 'sent' && use.raw !== null) await sendAgain(use, use.raw)
  }

  async function sendAgain({ id, chain }: UseRow, raw: string): Promise<void> {
    const [namespace = '', reference = ''] = chain.split(':')
    const known = namespace === 'solana' ? nodes.solana(reference) : nodes.ethereum(Number(reference))
    const send = namespace === 'solana' ? (await import('./solana.ts')).sendSolana : sendEthereum
    const status = await send(known, raw)
    if (status === 'sent') await noteUse(database, id, { status })
  }

  return {
    async settle(walletId) {
      const before = clock() - limits.grantSettleAfter
      const found = await unsettledUses(database, walletId, { before, most: limits.grantSettleBatch })
      if (found.length === 0) return
      const address = await walletAddress(database, walletId)
      for (const use of found) await settleUse(use, address).catch(() => {})
    },
  }
}

async function walletAddress(database: Database, walletId: string): Promise<string> {
  const [row] = await database
    .select({ address: wallets.address })
    .from(wallets)
    .where(eq(wallets.id, walletId))
  return row?.address ?? ''
}

/** A receipt counts once it is so many blocks deep; a number that others have used that deep is a transaction that never will be. */
async function ethereumOutcome(
  node: PreviewNode,
  { hash, nonce, address }: { hash: string; nonce: number | null; address: string },
  depth: number,
): Promise<Outcome> {
  const height = parseQuantity(await node.ask('eth_blockNumber'))
  if (height === undefined) return 'open'
  const receipt = await node.ask('eth_getTransactionReceipt', [hash])
  if (typeof receipt === 'object' && receipt !== null) {
    const { status, blockNumber, transactionHash } = receipt as Record<string, unknown>
    const block = parseQuantity(blockNumber)
    const isDeep = block !== undefined && height - block >= BigInt(depth)
    if (transactionHash !== hash || !isDeep) return 'open'
    return status === '0x1' ? 'confirmed' : status === '0x0' ? 'failed' : 'open'
  }
  if (receipt !== null || nonce === null || height < BigInt(depth)) return 'open'
  const deep = `0x${(height - BigInt(depth)).toString(16)}`
  const used = parseQuantity(await node.ask('eth_getTransactionCount', [address, deep]))
  return used !== undefined && used > BigInt(nonce) ? 'dropped' : 'open'
}
