import { type Changes, createChanges } from './changes.ts'
import type { EmbeddedContext, Holder } from './context.ts'
import { createExportTickets, type ExportTickets } from './export-tickets.ts'
import { createRecovery, type Recovery } from './recovery.ts'
import { type Release, releasesOf } from './releases.ts'
import { createRoots, type Roots } from './roots.ts'
import { createTransactions, type Transactions } from './transactions.ts'

/** The server's half of embedded wallets. */
export interface EmbeddedWallets {
  roots: Roots
  recovery: Recovery
  changes: Changes
  exports: ExportTickets
  transactions: Transactions
  /** What was given out in a user's name, the newest first; the last hundred. */
  releases(holder: Holder): Promise<Release[]>
}

export function createEmbeddedWallets(
  cx: EmbeddedContext & { rpcUrls: Readonly<Record<number, string>> },
): EmbeddedWallets {
  return {
    roots: createRoots(cx),
    recovery: createRecovery(cx),
    changes: createChanges(cx),
    exports: createExportTickets(cx),
    transactions: createTransactions(cx),
    releases: (holder) => releasesOf(cx.database, holder, 100),
  }
}
