import { randomUUID } from 'node:crypto'
import { and, eq, inArray, ne } from 'drizzle-orm'
import type { WalletAddress } from '../chains/address.ts'
import { devicesOf, endDevice } from '../devices/devices.ts'
import { vaultPasskeys } from '../devices/tables.ts'
import { Refusal } from '../lib/refusal.ts'
import { seal, unseal } from '../secrets/sealing.ts'
import { sourceOf } from '../sessions/sources.ts'
import { isUniqueViolation, type Transaction } from '../store/database.ts'
import { accounts } from '../users/tables.ts'
import { logsInSomebody } from '../users/wallet-addresses.ts'
import {
  type DeviceSession,
  firstAddress,
  lockUser,
  noSuchWallet,
  ownRoot,
  registered,
  signerOf,
  type UserSession,
  type WalletContext,
} from './context.ts'
import { requireProof, statements } from './proofs.ts'
import { notePresent } from './recovery/present.ts'
import {
  type RecoveryRecord,
  requireFreeSecret,
  requireOffered,
  requireOwnWay,
  sealRecord,
} from './recovery/record.ts'
import { forgetTries } from './recovery/tries.ts'
import { noteRelease } from './releases.ts'
import { authShareName, rootOwner } from './sealed-names.ts'
import { walletRoots, walletSets, wallets } from './tables.ts'

export interface NewRoot extends WalletAddress {
  walletId: string
  secret: 'entropy' | 'key'
  setId: string
  authShare: string
  recovery: RecoveryRecord
  proof: string
}
export interface NewWallet extends WalletAddress {
  walletIndex: number
  /** By the wallet's own key, and by that of the root. */
  proof: string
  rootProof: string
}
export interface Roots {
  /**
   * Stores a root with its first wallet, or finds the one that is there. The address is '' where the root that is
   * there has no such wallet yet.
   * @throws Refusal `resource_conflict`, `disallowed_recovery_method`, `cannot_link_more_of_type`, `invalid_credentials`
   */
  create(
    session: DeviceSession,
    root: NewRoot,
  ): Promise<{ address: string; walletId: string; created: boolean }>
  /** Adds a wallet that comes from the root; the same one again changes nothing. @throws Refusal */
  addWallet(
    session: UserSession,
    root: string,
    wallet: NewWallet,
  ): Promise<{ address: string; created: boolean }>
  /**
   * The auth share of the first of these sets that is known and the device's own.
   * @throws Refusal `linked_account_not_found`
   */
  authShare(
    session: DeviceSession,
    root: string,
    setIds: readonly string[],
  ): Promise<{ walletId: string; setId: string; authShare: string }>
  /** Adds the set of one more device; the same set again changes nothing. @throws Refusal `resource_conflict` */
  addDevice(
    session: DeviceSession,
    root: string,
    device: { setId: string; authShare: string; proof: string },
  ): Promise<void>
}

/** Embedded wallets: their shares are sealed at rest, given to their own user only, and every release is noted. */
export function createRoots(cx: WalletContext): Roots {
  const { database, secrets, clock, limits } = cx

  /** What two pages that try at once do one after the other, told apart from what nobody may do. */
  async function once<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    try {
      return await database.transaction(work)
    } catch (cause) {
      throw isUniqueViolation(cause) ? registered() : cause
    }
  }

  /** @throws Refusal `resource_conflict` for an address that is a login: it must not sign whenever a page asks */
  async function refuseLogin(tx: Transaction, { app }: UserSession, { address, chainType }: WalletAddress) {
    if (await logsInSomebody(tx, app, address, chainType)) throw registered()
  }

  async function insertWallet(
    tx: Transaction,
    session: UserSession,
    wallet: WalletAddress & { id: string; rootId: string; walletIndex: number; imported: boolean },
  ): Promise<void> {
    const { chainType, address } = wallet
    const { appId, userId } = signerOf(session)
    const now = clock()
    const [account] = await tx
      .insert(accounts)
      .values({
        appId,
        userId,
        type: 'wallet',
        subject: `${chainType}:${address.toLowerCase()}`,
        linkedAt: now,
        verifiedAt: now,
        firstVerifiedAt: now,
        latestVerifiedAt: now,
      })
      .returning({ id: accounts.id })
    if (!account) throw new Error('The account of a wallet was not stored')
    await tx.insert(wallets).values({ ...wallet, appId, userId, accountId: account.id, createdAt: now })
  }

  /** The root that makes a new one unnecessary: the user's only entropy, or the root with the imported address. */
  async function existing(tx: Transaction, { userId }: UserSession, root: NewRoot) {
    if (root.secret === 'entropy') {
      const [found] = await tx
        .select({ id: walletRoots.id })
        .from(walletRoots)
        .where(and(eq(walletRoots.userId, userId), eq(walletRoots.secretKind, 'entropy')))
      return found && { id: found.id, address: await firstAddress(tx, found.id, root.chainType) }
    }
    const { chainType, address } = root
    const [found] = await tx
      .select({ id: wallets.rootId, address: wallets.address })
      .from(wallets)
      .where(and(eq(wallets.userId, userId), eq(wallets.chainType, chainType), eq(wallets.address, address)))
    return found
  }

  /** @throws Refusal when there are too many already */
  async function requireFreeSlot(tx: Transaction, { userId }: UserSession) {
    const imported = and(eq(walletRoots.userId, userId), eq(walletRoots.secretKind, 'key'))
    if ((await tx.$count(walletRoots, imported)) >= limits.importedWallets)
      throw new Refusal('cannot_link_more_of_type', 'Cannot import more wallets.')
  }

  /**
   * Until there was a wallet, a login alone was enough for any browser, and so for whoever had a page's token. From now on it is
   * not: every other device, and every passkey that another device has registered, has to be proved again.
   */
  async function endOthers(tx: Transaction, session: DeviceSession, now: number): Promise<void> {
    const owner = signerOf(session)
    if ((await tx.$count(walletRoots, eq(walletRoots.userId, owner.userId))) > 1) return
    const deviceId = session.device.id
    for (const { id } of await devicesOf(tx, owner)) {
      if (id === deviceId) continue
      await endDevice(tx, owner, id, now)
      await noteRelease(tx, session, { at: now, what: 'device-removed' })
    }
    const { userId, deviceId: madeOn } = vaultPasskeys
    await tx.delete(vaultPasskeys).where(and(eq(userId, owner.userId), ne(madeOn, deviceId)))
  }

  async function insertRoot(tx: Transaction, session: DeviceSession, root: NewRoot) {
    const { walletId: id, address, chainType, setId, recovery } = root
    await refuseLogin(tx, session, root)
    await lockUser(tx, session)
    const found = await existing(tx, session, root)
    if (found) return { address: found.address ?? '', walletId: found.id, created: false }

    const imported = root.secret === 'key'
    if (imported) await requireFreeSlot(tx, session)
    await requireFreeSecret(cx, tx, session, recovery.secretId)
    const { appId, userId } = signerOf(session)
    const now = clock()
    await tx.insert(walletRoots).values({
      id,
      appId,
      userId,
      secretKind: root.secret,
      chainType,
      address,
      createdAt: now,
      ...sealRecord(secrets, rootOwner(id), recovery),
    })
    await insertWallet(tx, session, { id, rootId: id, chainType, address, walletIndex: 0, imported })
    const sealedAuthShare = seal(secrets, authShareName(id, setId), root.authShare)
    const deviceId = session.device.id
    await tx.insert(walletSets).values({ walletId: id, setId, sealedAuthShare, deviceId, createdAt: now })
    if (recovery.method !== 'privy') await notePresent(tx, { walletId: id, deviceId }, now)
    await endOthers(tx, session, now)
    return { address, walletId: id, created: true }
  }

  const setsOf = (walletId: string, setIds: readonly string[]) =>
    database
      .select()
      .from(walletSets)
      .where(and(eq(walletSets.walletId, walletId), inArray(walletSets.setId, [...setIds])))

  return {
    async create(session, root) {
      const { app } = session
      await requireProof(root, statements.newRoot(signerOf(session), root), root.proof)
      requireOffered(app, root.recovery.method)
      // An import says nothing of recovery: it is automatic until the person changes it.
      if (root.secret === 'entropy') requireOwnWay(app, root.recovery.method)
      return once((tx) => insertRoot(tx, session, root))
    },

    async addWallet(session, rootAddress, wallet) {
      const { root, named } = await ownRoot(database, session, rootAddress)
      const { chainType, walletIndex, address } = wallet
      const text = statements.addedWallet(signerOf(session), { ...wallet, walletId: root.id })
      await requireProof(wallet, text, wallet.proof)
      await requireProof(named, text, wallet.rootProof)
      if (root.secretKind !== 'entropy')
        throw new Refusal('invalid_state', 'An imported key has no other wallets.')
      return once(async (tx) => {
        await refuseLogin(tx, session, wallet)
        await lockUser(tx, session)
        const [found] = await tx
          .select({ address: wallets.address })
          .from(wallets)
          .where(
            and(
              eq(wallets.rootId, root.id),
              eq(wallets.chainType, chainType),
              eq(wallets.walletIndex, walletIndex),
            ),
          )
        if (found && found.address !== address) throw registered()
        if (found) return { address, created: false }
        if (walletIndex > 0 && (await firstAddress(tx, root.id, chainType)) === undefined)
          throw new Refusal('invalid_state', 'The first wallet of this chain does not exist yet.')
        if ((await tx.$count(wallets, eq(wallets.rootId, root.id))) >= limits.walletsPerRoot)
          throw new Refusal('cannot_link_more_of_type', 'Cannot add more wallets.')
        const id = randomUUID()
        await insertWallet(tx, session, {
          id,
          rootId: root.id,
          chainType,
          address,
          walletIndex,
          imported: false,
        })
        return { address, created: true }
      })
    },

    async authShare(session, rootAddress, setIds) {
      const { root, named } = await ownRoot(database, session, rootAddress)
      const { id: deviceId } = session.device
      const known = (await setsOf(root.id, setIds)).filter((each) => each.deviceId === deviceId)
      const set = setIds.map((id) => known.find(({ setId }) => setId === id)).find((one) => one !== undefined)
      if (!set) throw noSuchWallet()
      const { walletId, setId } = set
      const release = { at: clock(), walletId, address: named.address, setId }
      await noteRelease(database, session, { ...release, what: 'auth-share' })
      return {
        walletId,
        setId,
        authShare: unseal(secrets, authShareName(walletId, setId), set.sealedAuthShare),
      }
    },

    async addDevice(session, rootAddress, { setId, authShare, proof }) {
      const { root, named } = await ownRoot(database, session, rootAddress)
      const walletId = root.id
      await requireProof(named, statements.addedDevice(signerOf(session), { walletId, setId }), proof)
      const name = authShareName(walletId, setId)
      const added = await database.transaction(async (tx) => {
        const rows = await tx
          .insert(walletSets)
          .values({
            walletId,
            setId,
            sealedAuthShare: seal(secrets, name, authShare),
            deviceId: session.device.id,
            createdAt: clock(),
          })
          .onConflictDoNothing()
          .returning({ setId: walletSets.setId })
        if (rows.length === 0) return false
        // Only a new set tells that somebody has just recovered the wallet; an old proof might be shown again.
        const source = await sourceOf(cx.sessions, { ...session, deviceId: session.device.id })
        await forgetTries(tx, { userId: session.userId, walletId, source })
        await notePresent(tx, { walletId, deviceId: session.device.id }, clock())
        return true
      })
      if (added) return
      const [known] = await setsOf(walletId, [setId])
      if (known?.deviceId !== session.device.id || unseal(secrets, name, known.sealedAuthShare) !== authShare)
        throw new Refusal('resource_conflict', 'This set already exists with another share.')
    },
  }
}
