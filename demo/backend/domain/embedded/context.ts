import { and, eq, or } from 'drizzle-orm'
import type { Database, Queries, Transaction } from '../../store/open.ts'
import { users, walletRoots, wallets } from '../../store/schema.ts'
import type { App } from '../app-settings.ts'
import type { RateLimits } from '../limits.ts'
import type { OneTime } from '../one-time.ts'
import { Refusal } from '../refusal.ts'
import type { Secrets } from '../secrets.ts'
import type { Bearer } from '../tokens.ts'
import { readWalletAddress, type WalletAddress } from '../wallet-address.ts'

/** What everything about embedded wallets works with. */
export interface EmbeddedContext {
  database: Database
  secrets: Secrets
  oneTime: OneTime
  limits: RateLimits
  clock: () => number
}
/** Who asks: the app and the session that its token speaks for. */
export interface Holder extends Bearer {
  app: App
}
export const signerOf = ({ app, userId }: Holder) => ({ appId: app.id, userId })

export type RootRow = typeof walletRoots.$inferSelect
/** A root, and the index-0 address by which it was named. */
export interface NamedRoot {
  root: RootRow
  named: WalletAddress
}

export const noSuchWallet = () => new Refusal('linked_account_not_found', 'There is no such wallet.')
export const registered = () => new Refusal('resource_conflict', 'This wallet is registered already.')

/** A wallet of the user. @throws Refusal `linked_account_not_found` */
export async function ownWalletRow(db: Queries, holder: Holder, text: string) {
  const address = readWalletAddress(text)
  if (!address) throw noSuchWallet()
  const [row] = await db
    .select()
    .from(wallets)
    .where(
      and(
        eq(wallets.userId, holder.userId),
        eq(wallets.appId, holder.app.id),
        eq(wallets.chainType, address.chainType),
        eq(wallets.address, address.address),
      ),
    )
  if (!row) throw noSuchWallet()
  return row
}

/** The user's root of which this is an index-0 address, or which was imported. @throws Refusal `linked_account_not_found` */
export async function ownRoot(db: Queries, holder: Holder, text: string): Promise<NamedRoot> {
  const { chainType, address, walletIndex, imported, rootId } = await ownWalletRow(db, holder, text)
  if (walletIndex !== 0 && !imported) throw noSuchWallet()
  const [root] = await db.select().from(walletRoots).where(eq(walletRoots.id, rootId))
  if (!root) throw noSuchWallet()
  return { root, named: { chainType, address } }
}

/** Two pages of one user that create or change at once come one after the other. */
export async function lockUser(tx: Transaction, { userId }: Holder): Promise<void> {
  const [user] = await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update')
  if (!user) throw noSuchWallet()
}

/** The wallet of index 0 on a chain that a root has. */
export async function firstAddress(db: Queries, rootId: string, chainType: WalletAddress['chainType']) {
  const [row] = await db
    .select({ address: wallets.address })
    .from(wallets)
    .where(
      and(
        eq(wallets.rootId, rootId),
        eq(wallets.chainType, chainType),
        or(eq(wallets.walletIndex, 0), eq(wallets.imported, true)),
      ),
    )
  return row?.address
}
