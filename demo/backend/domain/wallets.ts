import { randomUUID } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import { type Database, isUniqueViolation, type Transaction } from '../store/open.ts'
import { accounts, shareReleases, users, walletSets, wallets } from '../store/schema.ts'
import { Refusal } from './refusal.ts'
import { seal, unseal } from './sealing.ts'
import type { Secrets } from './secrets.ts'
import type { Bearer } from './tokens.ts'

export interface NewWallet {
  walletId: string
  chainType: 'ethereum'
  address: string
  walletIndex: number
  setId: string
  authShare: string
  recoveryPackage: string
  recoveryMethod: 'privy'
  recoveryKey: string
}
/** Who asks: the app and the session that its token speaks for. */
export interface Holder extends Bearer {
  appId: string
}
export interface Wallets {
  /** Stores a proved wallet, or answers with the one that is there already. @throws Refusal `resource_conflict` */
  create(holder: Holder, wallet: NewWallet): Promise<{ address: string; walletId: string; created: boolean }>
  /** @throws Refusal `linked_account_not_found` for another's wallet or an unknown set */
  authShare(holder: Holder, address: string, setId: string): Promise<{ walletId: string; authShare: string }>
  /** @throws Refusal `linked_account_not_found` */
  recoveryKey(holder: Holder, address: string): Promise<string>
  /** @throws Refusal `linked_account_not_found` */
  recoveryPackage(holder: Holder, address: string): Promise<{ walletId: string; recoveryPackage: string }>
  /** Adds the set of one more device; the same set again changes nothing. @throws Refusal `resource_conflict` */
  addSet(holder: Holder, address: string, setId: string, authShare: string): Promise<void>
}

/** The shares of embedded wallets: sealed at rest, given to their own user only, and every release noted. */
export function createWallets(deps: { database: Database; secrets: Secrets; clock: () => number }): Wallets {
  const { database, secrets, clock } = deps
  const notFound = () => new Refusal('linked_account_not_found', 'There is no such wallet.')
  const conflict = () => new Refusal('resource_conflict', 'This wallet is registered already.')
  const authSharePlace = (walletId: string, setId: string) => `wallet ${walletId} set ${setId} auth share`
  const packagePlace = (walletId: string) => `wallet ${walletId} recovery package`
  const keyPlace = (walletId: string) => `wallet ${walletId} recovery key`

  async function insert(tx: Transaction, holder: Holder, wallet: NewWallet) {
    const { appId, userId } = holder
    const { walletId, address, chainType, walletIndex, setId } = wallet
    // Two pages of one user that create at once: the second one waits here, and then finds the first one's wallet.
    const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('update')
    if (!user) throw notFound()
    const [existing] = await tx
      .select()
      .from(wallets)
      .where(
        and(
          eq(wallets.userId, userId),
          eq(wallets.chainType, chainType),
          eq(wallets.walletIndex, walletIndex),
          eq(wallets.imported, false),
        ),
      )
    if (existing) return { address: existing.address, walletId: existing.id, created: false }

    const now = clock()
    const [account] = await tx
      .insert(accounts)
      .values({
        appId,
        userId,
        type: 'wallet',
        subject: `${chainType}:${address.toLowerCase()}`,
        ...{ verifiedAt: now, firstVerifiedAt: now, latestVerifiedAt: now },
      })
      .returning({ id: accounts.id })
    if (!account) throw new Error('The account of a wallet was not stored')
    await tx.insert(wallets).values({
      id: walletId,
      appId,
      userId,
      accountId: account.id,
      chainType,
      address,
      walletIndex,
      recoveryMethod: wallet.recoveryMethod,
      sealedRecoveryPackage: seal(secrets, packagePlace(walletId), wallet.recoveryPackage),
      sealedRecoveryKey: seal(secrets, keyPlace(walletId), wallet.recoveryKey),
      createdAt: now,
    })
    const sealedAuthShare = seal(secrets, authSharePlace(walletId, setId), wallet.authShare)
    await tx.insert(walletSets).values({ walletId, setId, sealedAuthShare, createdAt: now })
    return { address, walletId, created: true }
  }

  async function own(holder: Holder, address: string) {
    const [wallet] = await database
      .select()
      .from(wallets)
      .where(
        and(
          eq(wallets.userId, holder.userId),
          eq(wallets.appId, holder.appId),
          eq(sql`lower(${wallets.address})`, address.toLowerCase()),
        ),
      )
    if (!wallet) throw notFound()
    return wallet
  }

  async function setOf(walletId: string, setId: string) {
    const [set] = await database
      .select()
      .from(walletSets)
      .where(and(eq(walletSets.walletId, walletId), eq(walletSets.setId, setId)))
    return set
  }

  /** Written before the share leaves: a release that cannot be noted does not happen. */
  async function note(
    { appId, userId, sessionId }: Holder,
    walletId: string,
    what: typeof shareReleases.$inferInsert.what,
    setId?: string,
  ) {
    const release = { id: randomUUID(), at: clock(), appId, userId, sessionId, walletId, what }
    await database.insert(shareReleases).values({ ...release, setId: setId ?? null })
  }

  return {
    async create(holder, wallet) {
      try {
        return await database.transaction((tx) => insert(tx, holder, wallet))
      } catch (cause) {
        throw isUniqueViolation(cause) ? conflict() : cause
      }
    },
    async authShare(holder, address, setId) {
      const { id: walletId } = await own(holder, address)
      const set = await setOf(walletId, setId)
      if (!set) throw new Refusal('linked_account_not_found', 'This device holds no share of the wallet.')
      await note(holder, walletId, 'auth-share', setId)
      return { walletId, authShare: unseal(secrets, authSharePlace(walletId, setId), set.sealedAuthShare) }
    },
    async recoveryKey(holder, address) {
      const wallet = await own(holder, address)
      await note(holder, wallet.id, 'recovery-key')
      return unseal(secrets, keyPlace(wallet.id), wallet.sealedRecoveryKey)
    },
    async recoveryPackage(holder, address) {
      const wallet = await own(holder, address)
      await note(holder, wallet.id, 'recovery-package')
      const recoveryPackage = unseal(secrets, packagePlace(wallet.id), wallet.sealedRecoveryPackage)
      return { walletId: wallet.id, recoveryPackage }
    },
    async addSet(holder, address, setId, authShare) {
      const { id: walletId } = await own(holder, address)
      const place = authSharePlace(walletId, setId)
      const added = await database
        .insert(walletSets)
        .values({ walletId, setId, sealedAuthShare: seal(secrets, place, authShare), createdAt: clock() })
        .onConflictDoNothing()
        .returning({ setId: walletSets.setId })
      if (added.length > 0) return
      const known = await setOf(walletId, setId)
      if (!known || unseal(secrets, place, known.sealedAuthShare) !== authShare)
        throw new Refusal('resource_conflict', 'This set is there already, with another share.')
    },
  }
}
