import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { Refusal } from '../../lib/refusal.ts'
import { seal, unseal } from '../../secrets/sealing.ts'
import { countEvent } from '../../store/rate-limits.ts'
import { ownRoot, signerOf, type UserSession, type WalletContext } from '../context.ts'
import { noteRelease } from '../releases.ts'
import { recoverySecretName, rootOwner } from '../sealed-names.ts'
import { type ReleaseKind, recoverySecrets } from '../tables.ts'
import { openRecord, type RecoveryRecord } from './record.ts'
import { countTry } from './tries.ts'

export interface Recovery {
  /** All but the package. @throws Refusal `linked_account_not_found` */
  material(session: UserSession, root: string): Promise<Omit<RecoveryRecord, 'package'>>
  /** @throws Refusal `linked_account_not_found` */
  package(
    session: UserSession,
    root: string,
  ): Promise<Pick<RecoveryRecord, 'method' | 'package'> & { walletId: string }>
  /** A new secret for a password that is being set, and what it makes of the password's proof. */
  newSecret(session: UserSession, proof: Uint8Array): Promise<{ secretId: string; evaluation: Buffer }>
  /**
   * What the wallet's own secret makes of a password's proof: without it no guess can be judged.
   * @throws Refusal `invalid_state` for a wallet without a password, `too_many_requests`
   */
  evaluate(session: UserSession, root: string, proof: Uint8Array): Promise<Buffer>
}

const hour = 3_600_000
const evaluation = (secret: Uint8Array, proof: Uint8Array) =>
  createHmac('sha256', secret).update(proof).digest()

/** How embedded wallets come back without their device. */
export function createRecovery(cx: WalletContext): Recovery {
  const { database, secrets, limits, clock } = cx

  async function open(session: UserSession, address: string) {
    const { root, named } = await ownRoot(database, session, address)
    const { id: walletId } = root
    return {
      walletId,
      record: openRecord(secrets, rootOwner(walletId), root),
      note: (what: ReleaseKind) =>
        noteRelease(database, session, { at: clock(), walletId, address: named.address, what }),
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
        await tx.insert(recoverySecrets).values({ id: secretId, appId, userId, sealedSecret, createdAt: now })
      })
      return { secretId, evaluation: evaluation(secret, proof) }
    },

    async evaluate(session, address, proof) {
      const { record, note, walletId } = await open(session, address)
      const { secretId } = record
      if (secretId === undefined)
        throw new Refusal('invalid_state', 'This wallet is not recovered with a password.')
      await database.transaction((tx) => countTry(tx, limits, { userId: session.userId, walletId }, clock()))
      await note('recovery-evaluation')
      const [row] = await database.select().from(recoverySecrets).where(eq(recoverySecrets.id, secretId))
      // A change was confirmed just now, and took the old secret with it.
      if (!row) throw new Refusal('invalid_state', 'This wallet is no longer recovered with this password.')
      const secret = Buffer.from(unseal(secrets, recoverySecretName(secretId), row.sealedSecret), 'base64url')
      return evaluation(secret, proof)
    },
  }
}
