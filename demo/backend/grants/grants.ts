import { randomUUID } from 'node:crypto'
import { and, count, desc, eq, inArray, isNull } from 'drizzle-orm'
import { noteOwn } from '../audit/audit.ts'
import { Refusal } from '../lib/refusal.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { App, Apps } from '../settings/app.ts'
import { isUniqueViolation, type Queries } from '../store/database.ts'
import { createNotices, type NoticeContext } from '../users/notices.ts'
import { lockUser, ownWalletRow, type UserSession } from '../wallets/context.ts'
import { statements } from '../wallets/proofs.ts'
import { wallets } from '../wallets/tables.ts'
import { type EndedGrant, endExpiredGrants, endGrant, endGrantsOf } from './ending.ts'
import type { GrantKeys } from './grant-keys.ts'
import {
  amountsOf,
  countedUse,
  type GrantRow,
  latestUses,
  spentByLimits,
  type UseRow,
} from './reservations.ts'
import { grants, grantUses } from './tables.ts'
import { type GrantTerms, termsHash, termsOf } from './terms.ts'
import { addressOf, sealShare, shareContext, type WalletChain, withWalletKey } from './wallet-key.ts'

/** Terms and key that the window of the vault shows before a user agrees. */
export interface Offer {
  terms: GrantTerms
  address: string
  chainType: WalletChain
  key: { id: string; publicKey: Buffer }
}
/** A grant with its uses, for its user and its signer. */
export interface GrantReport {
  grant: GrantRow
  address: string
  chainType: WalletChain
  status: 'active' | 'ended'
  uses: number
  spent: { chain: string; asset: string; inWindow: bigint; total: bigint }[]
  latest: {
    use: UseRow
    amounts: { asset: string; amount: string }[]
  }[]
}
export interface Grants {
  /** @throws Refusal `feature_not_enabled`, `already_delegated`, `linked_account_not_found` */
  offer(session: UserSession, address: string, permission: string | undefined): Promise<Offer>
  /** The text that the window has shown and the device's key signs. @throws Refusal */
  statementOf(session: UserSession, address: string, permission: string | undefined): Promise<string>
  /**
   * Stores a grant with the two halves of the wallet's key.
   * @throws Refusal as {@link Grants.offer}; `invalid_data` where the halves don't make that wallet's key
   */
  create(
    session: UserSession,
    address: string,
    given: { permission: string | undefined; keyId: string; encryptedShare: string; share: string },
  ): Promise<{ id: string; notAfter: number }>
  /** The user's grants, the newest first. */
  listOf(owner: { appId: string; userId: string }): Promise<GrantReport[]>
  /** The grants of a wallet to one signer. */
  find(given: { appId: string; address: string; permission: string }): Promise<GrantReport[]>
  reports(rows: readonly GrantRow[]): Promise<GrantReport[]>
  /** @throws Refusal `linked_account_not_found` */
  end(session: UserSession, id: string): Promise<void>
  /** @throws Refusal `user_has_not_delegated_wallet` */
  endAll(session: UserSession): Promise<void>
}

const alreadyDelegated = () => new Refusal('already_delegated', 'Wallet with address is already delegated.')
const day = 86_400_000

/** Permissions that users give to servers of the app. docs/permissions.md */
export function createGrants(cx: NoticeContext & { secrets: Secrets; apps: Apps; keys: GrantKeys }): Grants {
  const { database, secrets, keys, limits, clock } = cx
  const notices = createNotices(cx)

  function permissionOf(app: App, id: string | undefined) {
    const found = id === undefined ? app.permissions[0] : app.permissions.find((each) => each.id === id)
    if (!found) throw new Refusal('feature_not_enabled', 'This app has no such permission.')
    return found
  }

  async function offer(session: UserSession, text: string, id: string | undefined): Promise<Offer> {
    const key = keys.current()
    if (!key) throw new Refusal('feature_not_enabled', 'This server has no key for permissions.')
    const wallet = await ownWalletRow(database, session, text)
    const terms = termsOf(permissionOf(session.app, id))
    const namespace = wallet.chainType === 'solana' ? 'solana:' : 'eip155:'
    if (!terms.allow.some(({ chain }) => chain.startsWith(namespace)))
      throw new Refusal('not_supported', 'This permission is for wallets of another kind.')
    if (await isDelegated(database, wallet.id, clock())) throw alreadyDelegated()
    return { terms, address: wallet.address, chainType: wallet.chainType, key }
  }

  async function requireOwnKey(
    session: UserSession,
    { address, chainType }: Offer,
    split: { keyId: string; encryptedShare: string; share: string },
  ): Promise<void> {
    const context = shareContext({ appId: session.app.id, userId: session.userId, address })
    const found = await withWalletKey(keys, split, context, (key) => addressOf(chainType, key)).catch(
      () => undefined,
    )
    if (found !== address) throw new Refusal('invalid_data', 'Invalid or missing: share')
  }

  /** As many queries for one grant as for all. */
  async function reports(rows: readonly GrantRow[]): Promise<GrantReport[]> {
    if (rows.length === 0) return []
    const now = clock()
    const ids = rows.map(({ id }) => id)
    const walletIds = rows.map(({ walletId }) => walletId)
    const owned = await database
      .select({ id: wallets.id, address: wallets.address, chainType: wallets.chainType })
      .from(wallets)
      .where(inArray(wallets.id, walletIds))
    const counted = await database
      .select({ grantId: grantUses.grantId, uses: count() })
      .from(grantUses)
      .where(and(inArray(grantUses.grantId, ids), countedUse))
      .groupBy(grantUses.grantId)
    const spent = await spentByLimits(database, ids, now)
    const latest = await latestUses(database, ids, limits.grantUsesShown)
    const useIds = latest.map(({ id }) => id)
    const amounts = new Map<string, { asset: string; amount: string }[]>(useIds.map((id) => [id, []]))
    for (const { useId, asset, amount } of await amountsOf(database, useIds))
      amounts.get(useId)?.push({ asset, amount })
    return rows.map((grant) => {
      const wallet = owned.find(({ id }) => id === grant.walletId)
      const spentOfGrant = spent.filter(({ grantId }) => grantId === grant.id)
      return {
        grant,
        address: wallet?.address ?? '',
        chainType: wallet?.chainType ?? 'ethereum',
        status: grant.endedAt === null && now < grant.notAfter ? 'active' : 'ended',
        uses: counted.find(({ grantId }) => grantId === grant.id)?.uses ?? 0,
        spent: grant.terms.limits.map(({ chain, asset }) => {
          const found = spentOfGrant.find((each) => each.chain === chain && each.asset === asset)
          return {
            chain,
            asset,
            total: BigInt(found?.total ?? 0),
            inWindow: BigInt(found?.inWindow ?? 0),
          }
        }),
        latest: latest
          .filter(({ grantId }) => grantId === grant.id)
          .map((use) => ({
            use,
            amounts: amounts.get(use.id) ?? [],
          })),
      }
    })
  }

  async function noteEnded(db: Queries, session: UserSession, ended: readonly EndedGrant[]): Promise<void> {
    for (const { id, permission } of ended)
      await noteOwn(db, session, 'permission-ended', clock(), { grant: id, permission })
  }

  return {
    offer,
    reports,
    async statementOf(session, address, permission) {
      const { app, userId } = session
      const { terms, address: exact } = await offer(session, address, permission)
      return statements.grant(
        { appId: app.id, userId },
        { address: exact, permission: terms.permission, terms: termsHash(terms) },
      )
    },

    async create(session, text, { permission, ...split }) {
      const offered = await offer(session, text, permission)
      await requireOwnKey(session, offered, split)
      const { terms, address } = offered
      const id = randomUUID()
      const store = () =>
        database.transaction(async (tx) => {
          await lockUser(tx, session)
          const wallet = await ownWalletRow(tx, session, address)
          const now = clock()
          await endExpiredGrants(tx, now, wallet.id)
          if (await isDelegated(tx, wallet.id, now)) throw alreadyDelegated()
          const notAfter = now + terms.days * day
          await tx.insert(grants).values({
            id,
            appId: session.app.id,
            userId: session.userId,
            walletId: wallet.id,
            permission: terms.permission,
            terms,
            keyId: split.keyId,
            encryptedShare: split.encryptedShare,
            sealedShare: sealShare(secrets, id, split.share),
            notBefore: now,
            notAfter,
            createdAt: now,
          })
          await tx.update(wallets).set({ delegated: true }).where(eq(wallets.id, wallet.id))
          const { name } = terms.signer
          await noteOwn(tx, session, 'permission-given', now, { grant: id, address, signer: name })
          return notAfter
        })
      const notAfter = await store().catch((cause: unknown) => {
        throw isUniqueViolation(cause) ? alreadyDelegated() : cause
      })
      notices.tell(session, { what: 'permission-given', address, signer: terms.signer.name })
      return { id, notAfter }
    },

    async listOf({ appId, userId }) {
      const rows = await database
        .select()
        .from(grants)
        .where(and(eq(grants.userId, userId), eq(grants.appId, appId)))
        .orderBy(desc(grants.createdAt))
        .limit(limits.grantsShown)
      return reports(rows)
    },

    async find({ appId, address, permission }) {
      const rows = await database
        .select({ grant: grants })
        .from(grants)
        .innerJoin(wallets, eq(wallets.id, grants.walletId))
        .where(and(eq(grants.appId, appId), eq(grants.permission, permission), eq(wallets.address, address)))
        .orderBy(desc(grants.createdAt))
        .limit(limits.grantsShown)
      return reports(rows.map(({ grant }) => grant))
    },

    end: (session, id) =>
      database.transaction(async (tx) => {
        const ended = await endGrant(tx, { userId: session.userId, id }, 'user', clock())
        if (ended.length === 0) {
          const [known] = await tx
            .select({ id: grants.id })
            .from(grants)
            .where(and(eq(grants.id, id), eq(grants.userId, session.userId)))
          // Somebody who stops it twice has what they wanted.
          if (!known) throw new Refusal('linked_account_not_found', 'There is no such permission.')
        }
        await noteEnded(tx, session, ended)
      }),

    endAll: (session) =>
      database.transaction(async (tx) => {
        const ended = await endGrantsOf(tx, session.userId, 'user', clock())
        if (ended.length === 0)
          throw new Refusal('user_has_not_delegated_wallet', 'The user has not delegated a wallet.')
        await noteEnded(tx, session, ended)
      }),
  }
}

const isDelegated = async (db: Queries, walletId: string, now: number): Promise<boolean> => {
  const rows = await db
    .select({ notAfter: grants.notAfter })
    .from(grants)
    .where(and(eq(grants.walletId, walletId), isNull(grants.endedAt)))
  return rows.some(({ notAfter }) => now < notAfter)
}
