import { eq } from 'drizzle-orm'
import { parseQuantity } from '../../../src/ethereum/integer.ts'
import { askTwo } from '../preview/compare.ts'
import type { PreviewNode, PreviewNodes } from '../preview/nodes.ts'
import type { Limits } from '../settings/limits.ts'
import type { Database } from '../store/database.ts'
import { innermost, isUnavailable } from '../store/failures.ts'
import { wallets } from '../wallets/tables.ts'
import { sendEthereum } from './ethereum.ts'
import { ethereumOutcome, type Found } from './ethereum-outcome.ts'
import { dropUnsigned, noteUse, release, takeDue, type UseRow } from './reservations.ts'

/** Steps of one question to a node, each of which has its own time limit: so many are waited for. */
const STEPS = 10

/**
 * Follows transactions of grants to their end, from time to time and whoever asks: nothing that a signer or a page does sets it off.
 * Only what two nodes have found gives an amount back; what can't be asked, or isn't there, stays counted.
 * @param deps.closeGap uses up the free number below a use that waits for it
 * @returns ends it
 */
export function startSettling(deps: {
  database: Database
  nodes: PreviewNodes
  limits: Limits
  clock: () => number
  log: (line: string) => void
  closeGap: (use: UseRow, nonce: number) => Promise<void>
}): () => void {
  const { database, nodes, limits, clock, log, closeGap } = deps
  let isEnded = false
  let timer: NodeJS.Timeout

  const nodesOf = (chain: string): readonly PreviewNode[] => {
    const [namespace = '', reference = ''] = chain.split(':')
    return namespace === 'solana' ? nodes.solana(reference) : nodes.ethereum(Number(reference))
  }

  /** What two nodes say alike, or the only one that is known. `undefined` where they don't, or one of two is silent. */
  async function agreed<T>(
    known: readonly PreviewNode[],
    ask: (node: PreviewNode) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    if (known.length === 0) return undefined
    const [one, ...others] = await askTwo(known, ask, STEPS * limits.previewNodeTime)
    const isAlike = others.every((other) => JSON.stringify(other) === JSON.stringify(one))
    return isAlike && others.length + 1 >= Math.min(2, known.length) ? one : undefined
  }

  async function found(use: UseRow, address: string): Promise<Found | undefined> {
    const { chain, hash } = use
    if (hash === null) return undefined
    const sought = { ...use, hash, address, wasAccepted: use.status === 'sent' }
    if (!chain.startsWith('solana:'))
      return agreed(nodesOf(chain), (node) => ethereumOutcome(node, sought, limits.grantDepth))
    const { solanaOutcome } = await import('./solana-outcome.ts')
    return agreed(nodesOf(chain), (node) => solanaOutcome(node, sought))
  }

  async function settle(use: UseRow): Promise<void> {
    if (use.hash === null) return dropUnsigned(database, use.id)
    const address = await walletAddress(database, use.walletId)
    // A node that fails, or answers what can't be read, has found nothing.
    const end = await found(use, address).catch(() => undefined)
    if (end?.outcome === 'confirmed') return noteUse(database, use.id, { status: 'confirmed', raw: null })
    if (end) return release(database, use.id, end.outcome)
    await sendAgain(use)
    await lookForGap(use, address)
  }

  /** Nodes forget transactions that wait, and those with higher numbers wait with them. */
  async function sendAgain({ id, chain, raw, status }: UseRow): Promise<void> {
    if (raw === null) return
    const send = chain.startsWith('solana:') ? (await import('./solana.ts')).sendSolana : sendEthereum
    if ((await send(nodesOf(chain), raw)) === 'sent' && status !== 'sent')
      await noteUse(database, id, { status: 'sent' })
  }

  async function lookForGap(use: UseRow, address: string): Promise<void> {
    const { nonce, chain, at, status } = use
    if (nonce === null || status === 'refused' || clock() - at < limits.grantGapAfter) return
    const next = await agreed(nodesOf(chain), async (node) =>
      Number(parseQuantity(await node.ask('eth_getTransactionCount', [address, 'pending']))),
    ).catch(() => undefined)
    if (next !== undefined && next < nonce) await closeGap(use, next)
  }

  async function round(): Promise<void> {
    const most = limits.grantSettleBatch
    for (let taken = most; taken === most && !isEnded; ) {
      const due = await takeDue(database, { now: clock(), after: limits.grantSettleAfter, most })
      taken = due.length
      await Promise.all(due.map((use) => settle(use).catch(logFailure)))
    }
  }

  function logFailure(cause: unknown): void {
    // An outage has a line of its own already.
    if (!isEnded && !isUnavailable(cause))
      log(`A permission's transactions could not be looked after: ${innermost(cause)}`)
  }

  const next = () => {
    timer = setTimeout(turn, limits.grantSettleEvery)
    timer.unref()
  }
  async function turn(): Promise<void> {
    await round().catch(logFailure)
    if (!isEnded) next()
  }
  next()
  return () => {
    isEnded = true
    clearTimeout(timer)
  }
}

async function walletAddress(database: Database, walletId: string): Promise<string> {
  const [row] = await database
    .select({ address: wallets.address })
    .from(wallets)
    .where(eq(wallets.id, walletId))
  return row?.address ?? ''
}
