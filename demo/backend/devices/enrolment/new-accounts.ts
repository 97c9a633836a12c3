import { and, eq, min, notInArray } from 'drizzle-orm'
import type { App } from '../../settings/app.ts'
import type { Limits } from '../../settings/limits.ts'
import type { Queries } from '../../store/database.ts'
import { type VerifiedAddress, verifiedAddresses } from '../../users/addresses.ts'
import { accounts } from '../../users/tables.ts'
import { walletRoots } from '../../wallets/tables.ts'

/** What somebody's accounts are good for where a browser is enrolled. */
export interface Standing {
  /** The addresses to which codes may go. */
  addresses: VerifiedAddress[]
  /** When the last of their new accounts is new no longer; `undefined` if none is new. */
  newUntil: number | undefined
}

/**
 * The addresses of a person, without those that came after their first wallet and not long ago: a page's token is enough to link
 * an account, and must not be enough to let in a browser.
 */
export async function standingOf(
  db: Queries,
  { app, userId }: { app: App; userId: string },
  { limits, now }: { limits: Limits; now: number },
): Promise<Standing> {
  const [wallet] = await db
    .select({ first: min(walletRoots.createdAt) })
    .from(walletRoots)
    .where(eq(walletRoots.userId, userId))
  const first = wallet?.first ?? null
  const isNew = ({ linkedAt }: { linkedAt: number }) =>
    first !== null && linkedAt > first && linkedAt + limits.newAccountWait > now
  const linked = await db
    .select({ linkedAt: accounts.linkedAt })
    .from(accounts)
    .where(
      and(
        eq(accounts.appId, app.id),
        eq(accounts.userId, userId),
        // Nobody logs in with an embedded wallet.
        notInArray(accounts.type, ['wallet', 'guest']),
      ),
    )
  const recent = linked.filter(isNew).map(({ linkedAt }) => linkedAt)
  const found = await verifiedAddresses(db, app.id, userId)
  return {
    addresses: found.filter((address) => !isNew(address)),
    newUntil: recent.length > 0 ? Math.max(...recent) + limits.newAccountWait : undefined,
  }
}
