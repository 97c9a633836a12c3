import { and, eq, min } from 'drizzle-orm'
import type { Queries } from '../../store/database.ts'
import { accounts } from '../../users/tables.ts'
import type { UserSession } from '../../wallets/context.ts'
import { walletRoots } from '../../wallets/tables.ts'

/** An account of the user that counts as a proof for a new device: older than the first wallet, or confirmed by an enrolled device. */
export async function countedAccount(db: Queries, { app, userId }: UserSession, id: string) {
  const [wallet] = await db
    .select({ first: min(walletRoots.createdAt) })
    .from(walletRoots)
    .where(eq(walletRoots.userId, userId))
  const [row] = await db
    .select()
    .from(accounts)
    .where(and(eq(accounts.appId, app.id), eq(accounts.userId, userId), eq(accounts.id, Number(id))))
  const first = wallet?.first ?? null
  return row && (first === null || row.linkedAt <= first || row.confirmedAt !== null) ? row : undefined
}
