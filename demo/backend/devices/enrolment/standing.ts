import { createHash } from 'node:crypto'
import { and, asc, eq, min } from 'drizzle-orm'
import type { Limits } from '../../settings/limits.ts'
import type { Queries } from '../../store/database.ts'
import { addressesOf, type VerifiedAddress } from '../../users/addresses.ts'
import { formerAddressesOf } from '../../users/former-addresses.ts'
import { accounts, users } from '../../users/tables.ts'
import { walletRoots } from '../../wallets/tables.ts'

/** An address to which a code may go. */
export interface CodeTarget extends Pick<VerifiedAddress, 'channel' | 'address'> {
  id: string
}
type AccountRow = typeof accounts.$inferSelect

/** The accounts and addresses that enrol a user's device now. */
export interface Standing {
  hasWallet: boolean
  /** When the user froze the account, if it is frozen. */
  frozenAt: number | null
  /** The accounts that count as proofs. */
  accounts: AccountRow[]
  /** The addresses to which codes may go, each with the id by which a code is asked for. */
  addresses: CodeTarget[]
  /** Whether something that was set up then counts: of a frozen account only what is older than the waiting time before it. */
  counts(since: number): boolean
}

/**
 * Reads which accounts of a user count as proofs for a new device: those that are older than the first wallet, and those whose
 * linking an enrolled device has approved. A page's token is enough to link others, and time alone changes nothing about them.
 */
export async function standingOf(
  db: Queries,
  { app, userId }: { app: { id: string }; userId: string },
  limits: Limits,
): Promise<Standing> {
  const [user] = await db.select({ frozenAt: users.frozenAt }).from(users).where(eq(users.id, userId))
  const [wallet] = await db
    .select({ first: min(walletRoots.createdAt) })
    .from(walletRoots)
    .where(eq(walletRoots.userId, userId))
  const first = wallet?.first ?? null
  const frozenAt = user?.frozenAt ?? null
  const wait = limits.accountChangeWait
  const isOlderThanWallet = (since: number) => first === null || since <= first
  const counts = (since: number) => frozenAt === null || isOlderThanWallet(since) || since < frozenAt - wait
  const rows = await db
    .select()
    .from(accounts)
    .where(and(eq(accounts.appId, app.id), eq(accounts.userId, userId)))
    .orderBy(asc(accounts.id))
  const isProof = ({ linkedAt, confirmedAt }: Pick<AccountRow, 'linkedAt' | 'confirmedAt'>) =>
    (isOlderThanWallet(linkedAt) || confirmedAt !== null) && counts(linkedAt)
  const counted = rows.filter(isProof)
  const addresses: CodeTarget[] = addressesOf(counted).map(({ accountId, channel, address }) => ({
    channel,
    address,
    id: String(accountId),
  }))
  if (frozenAt !== null) {
    const former = await formerAddressesOf(db, userId, { wait, now: frozenAt })
    for (const { channel, address } of former.filter(isProof))
      addresses.push({ channel, address, id: formerId(address) })
  }
  return { hasWallet: first !== null, frozenAt, accounts: counted, addresses, counts }
}

/** Names a former address, which has no account any more, without giving it away. */
const formerId = (address: string) =>
  `former-${createHash('sha256').update(address).digest('base64url').slice(0, 22)}`
