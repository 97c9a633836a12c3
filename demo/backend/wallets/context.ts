import { and, eq, or } from 'drizzle-orm'
import { readWalletAddress, type WalletAddress } from '../chains/address.ts'
import type { EnrolledDevice } from '../devices/devices.ts'
import type { ProvedKey } from '../devices/proofs.ts'
import { Refusal } from '../lib/refusal.ts'
import type { Mailer } from '../outside/mail.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Bearer } from '../sessions/tokens.ts'
import type { App } from '../settings/app.ts'
import type { Limits } from '../settings/limits.ts'
import type { Database, Queries, Transaction } from '../store/database.ts'
import type { OneTime } from '../store/one-time.ts'
import { users } from '../users/tables.ts'
import { walletRoots, wallets } from './tables.ts'

/** What everything about embedded wallets works with. */
export interface WalletContext {
  database: Database
  secrets: Secrets
  oneTime: OneTime
  limits: Limits
  mailer: Mailer
  clock: () => number
  sessions: Pick<Sessions, 'describe'>
}
/** Who asks: the app and the session that its token speaks for. */
export interface UserSession extends Bearer {
  app: App
  /** About where they are, for people to read. */
  place: string
}
/** The same on a browser that is one of the person's. */
export interface DeviceSession extends UserSession {
  device: EnrolledDevice
}
/** The same on a browser that may be none of the person's. */
export interface KeySession extends UserSession {
  device: ProvedKey & { id?: string | undefined }
}
/** In whose name a wallet signs its statements. */
export const signerOf = ({ app, userId }: UserSession) => ({ appId: app.id, userId })

export type RootRow = typeof walletRoots.$inferSelect
/** A root, and the index-0 address by which it was named. */
export interface NamedRoot {
  root: RootRow
  named: WalletAddress
}

/** The refusal of a wallet that is not there, or not this user's. */
export const noSuchWallet = () => new Refusal('linked_account_not_found', 'There is no such wallet.')
/** The refusal of a browser that is none of the person's. */
export const notEnrolled = () =>
  new Refusal('device_not_enrolled', 'This browser may not use the wallets of this person yet.')
/** The refusal of a wallet that somebody has registered before. */
export const registered = () => new Refusal('resource_conflict', 'This wallet is already registered.')

/** A wallet of the user. @throws Refusal `linked_account_not_found` */
export async function ownWalletRow(db: Queries, session: UserSession, text: string) {
  const address = readWalletAddress(text)
  if (!address) throw noSuchWallet()
  const [row] = await db
    .select()
    .from(wallets)
    .where(
      and(
        eq(wallets.userId, session.userId),
        eq(wallets.appId, session.app.id),
        eq(wallets.chainType, address.chainType),
        eq(wallets.address, address.address),
      ),
    )
  if (!row) throw noSuchWallet()
  return row
}

/** The user's root that has this index-0 address, or that was imported. @throws Refusal `linked_account_not_found` */
export async function ownRoot(db: Queries, session: UserSession, text: string): Promise<NamedRoot> {
  const { chainType, address, walletIndex, imported, rootId } = await ownWalletRow(db, session, text)
  if (walletIndex !== 0 && !imported) throw noSuchWallet()
  const [root] = await db.select().from(walletRoots).where(eq(walletRoots.id, rootId))
  if (!root) throw noSuchWallet()
  return { root, named: { chainType, address } }
}

/** Whether somebody has anything to protect yet. */
export const hasWallets = async (db: Queries, { userId }: { userId: string }): Promise<boolean> =>
  (await db.$count(walletRoots, eq(walletRoots.userId, userId))) > 0

/**
 * Whether a page's token alone must change nothing about this user: the app is strict and the user has a wallet
 * (docs/security.md, "A token reads").
 */
export const isGuarded = async (db: Queries, app: App, userId: string): Promise<boolean> =>
  app.vault === 'strict' && (await hasWallets(db, { userId }))

/** Two pages of one user that create or change at once come one after the other. */
export async function lockUser(tx: Transaction, { userId }: UserSession): Promise<void> {
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
