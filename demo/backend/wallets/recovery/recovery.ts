import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { Refusal } from '../../lib/refusal.ts'
import { seal, unseal } from '../../secrets/sealing.ts'
import { sourceOf } from '../../sessions/sources.ts'
import { countEvent } from '../../store/rate-limits.ts'
import { createNotices } from '../../users/notices.ts'
import { verifierHash } from '../bodies.ts'
import {
  type DeviceSession,
  type KeySession,
  ownRoot,
  type RootRow,
  signerOf,
  type UserSession,
  type WalletContext,
} from '../context.ts'
import { noteRelease } from '../releases.ts'
import { recoverySecretName, rootOwner } from '../sealed-names.ts'
import { type ReleaseKind, recoverySecrets, walletSets } from '../tables.ts'
import { notePresent } from './present.ts'
import { openRecord, type RecoveryRecord } from './record.ts'
import { countTry, forgetTries } from './tries.ts'

/** What shows that somebody can recover a wallet: made from its password, or from its recovery key. */
export type Shown = { proof: Uint8Array } | { verifier: string }

export interface Recovery {
  /** All but the package. @throws Refusal `linked_account_not_found` */
  material(session: DeviceSession, root: string): Promise<Omit<RecoveryRecord, 'package'>>
  /** @throws Refusal `linked_account_not_found` */
  package(
    session: DeviceSession,
    root: string,
  ): Promise<Pick<RecoveryRecord, 'method' | 'package'> & { walletId: string }>
  /** A new secret for a password that is being set, and what it makes of the password's proof. */
  newSecret(session: UserSession, proof: Uint8Array): Promise<{ secretId: string; evaluation: Buffer }>
  /**
   * What the wallet's own secret makes of a password's proof: without it no guess can be judged.
   * @throws Refusal `invalid_state` for a wallet without a password, `too_many_requests`
   */
  evaluate(session: DeviceSession, root: string, proof: Uint8Array): Promise<Buffer>
  /**
   * Checks that somebody can recover a wallet now. A password counts as a try of it, whether it was right or not.
   * @throws Refusal `invalid_credentials`, `too_many_requests`, `invalid_state` where it cannot be checked
   */
  check(session: KeySession, root: string, shown: Shown): Promise<{ walletId: string }>
  /** The same, and remembers it for this device. */
  present(session: DeviceSession, root: string, shown: Shown): Promise<void>
}

const hour = 3_600_000
const evaluation = (secret: Uint8Array, proof: Uint8Array) =>
  createHmac('sha256', secret).update(proof).digest()
/** Tells a right password from a wrong one, and nothing about what the right one is evaluated to. */
const verifierOf = (secret: Uint8Array, proof: Uint8Array) =>
  createHmac('sha256', secret).update('enrolment|').update(proof).digest()

/** How embedded wallets come back without their device. */
export function createRecovery(cx: WalletContext): Recovery {
  const { database, secrets, sessions, limits, clock } = cx

  const notices = createNotices(cx)
  const unknown = () =>
    new Refusal('invalid_state', 'This wallet is not recovered in a way that can be checked.')

  const sourceOfSession = ({ sessionId, device }: KeySession) =>
    sourceOf(sessions, { sessionId, deviceId: device.id })
  /** @throws Refusal `too_many_requests` */
  async function tryPassword(session: KeySession, walletId: string): Promise<void> {
    const { userId } = session
    const source = await sourceOfSession(session)
    await database.transaction((tx) => countTry(tx, limits, { userId, walletId, source }, clock()))
  }

  async function isRight(session: KeySession, root: RootRow, shown: Shown): Promise<boolean> {
    const record = openRecord(secrets, rootOwner(root.id), root)
    if ('verifier' in shown) {
      if (record.verifierHash === undefined) throw unknown()
      return same(verifierHash(shown.verifier), record.verifierHash)
    }
    const { secretId } = record
    if (secretId === undefined) throw unknown()
    const [row] = await database.select().from(recoverySecrets).where(eq(recoverySecrets.id, secretId))
    if (!row?.verifier) throw unknown()
    await tryPassword(session, root.id)
    const secret = Buffer.from(unseal(secrets, recoverySecretName(secretId), row.sealedSecret), 'base64url')
    if (!same(verifierOf(secret, shown.proof).toString('base64url'), row.verifier)) return false
    const source = await sourceOfSession(session)
    await database.transaction((tx) => forgetTries(tx, { userId: session.userId, walletId: root.id, source }))
    return true
  }

  async function check(session: KeySession, address: string, shown: Shown) {
    const { root } = await ownRoot(database, session, address)
    if (!(await isRight(session, root, shown)))
      throw new Refusal('invalid_credentials', 'This is not how the wallet is recovered.')
    return { walletId: root.id }
  }

  /** Whether this device has the wallet, so that nothing is recovered to it. */
  async function hasSet({ device }: DeviceSession, walletId: string): Promise<boolean> {
    const mine = and(eq(walletSets.walletId, walletId), eq(walletSets.deviceId, device.id))
    return (await database.select({ id: walletSets.setId }).from(walletSets).where(mine).limit(1)).length > 0
  }

  async function open(session: DeviceSession, address: string) {
    const { root, named } = await ownRoot(database, session, address)
    const { id: walletId } = root
    return {
      walletId,
      record: openRecord(secrets, rootOwner(walletId), root),
      async note(what: ReleaseKind) {
        await noteRelease(database, session, { at: clock(), walletId, address: named.address, what })
        if (what === 'recovery-hint') return
        const asked = (await hasSet(session, walletId)) ? 'recovery-shown' : 'recovering'
        notices.recoveryAsked(asked, session, named.address)
      },
    }
  }

  return {
    async material(session, address) {
      const { record, note } = await open(session, address)
      const { package: _, ...material } = record
      await note(material.key === undefined ? 'recovery-hint' : 'recovery-key')
      return material
    },

    async package(session, address) {
      const { record, note, walletId } = await open(session, address)
      await note('recovery-package')
      return { walletId, method: record.method, package: record.package }
    },

    async newSecret(session, proof) {
      const secret = randomBytes(32)
      const secretId = randomUUID()
      const now = clock()
      const { appId, userId } = signerOf(session)
      await database.transaction(async (tx) => {
        const window = { most: limits.recoverySecretsPerHour, span: hour }
        await countEvent(tx, `recovery secrets ${userId}`, now, hour, [window])
        const sealedSecret = seal(secrets, recoverySecretName(secretId), secret.toString('base64url'))
        const verifier = verifierOf(secret, proof).toString('base64url')
        const row = { id: secretId, appId, userId, sealedSecret, verifier, createdAt: now }
        await tx.insert(recoverySecrets).values(row)
      })
      return { secretId, evaluation: evaluation(secret, proof) }
    },

    async evaluate(session, address, proof) {
      const { record, note, walletId } = await open(session, address)
      const { secretId } = record
      if (secretId === undefined)
        throw new Refusal('invalid_state', 'This wallet is not recovered with a password.')
      await tryPassword(session, walletId)
      await note('recovery-evaluation')
      const [row] = await database.select().from(recoverySecrets).where(eq(recoverySecrets.id, secretId))
      // A change was confirmed just now, and took the old secret with it.
      if (!row) throw new Refusal('invalid_state', 'This wallet is no longer recovered with this password.')
      const secret = Buffer.from(unseal(secrets, recoverySecretName(secretId), row.sealedSecret), 'base64url')
      return evaluation(secret, proof)
    },

    check,
    async present(session, address, shown) {
      const { walletId } = await check(session, address, shown)
      await notePresent(database, { walletId, deviceId: session.device.id }, clock())
    },
  }
}

const same = (one: string, other: string) =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
