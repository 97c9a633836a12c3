import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { recoverySecrets } from '../../store/schema.ts'
import { hit } from '../rates.ts'
import { Refusal } from '../refusal.ts'
import { seal, unseal } from '../sealing.ts'
import { type EmbeddedContext, type Holder, ownRoot, signerOf } from './context.ts'
import { rootOwner, secretPlace } from './places.ts'
import { openRecord, type RecoveryRecord } from './recovery-record.ts'
import { noteRelease, type ReleaseKind } from './releases.ts'
import { countTry } from './tries.ts'

export interface Recovery {
  /** All but the package. @throws Refusal `linked_account_not_found` */
  material(holder: Holder, root: string): Promise<Omit<RecoveryRecord, 'package'>>
  /** @throws Refusal `linked_account_not_found` */
  package(
    holder: Holder,
    root: string,
  ): Promise<Pick<RecoveryRecord, 'method' | 'package'> & { walletId: string }>
  /** A new secret for a password that is being set, and what it makes of the password's proof. */
  newSecret(holder: Holder, proof: Uint8Array): Promise<{ secretId: string; evaluation: Buffer }>
  /**
   * What the wallet's own secret makes of a password's proof: without it no guess can be judged (security S4).
   * @throws Refusal `invalid_state` for a wallet without a password, `too_many_requests`
   */
  evaluate(holder: Holder, root: string, proof: Uint8Array): Promise<Buffer>
}

const hour = 3_600_000
const evaluation = (secret: Uint8Array, proof: Uint8Array) =>
  createHmac('sha256', secret).update(proof).digest()

/** How embedded wallets come back without their device. */
export function createRecovery(cx: EmbeddedContext): Recovery {
  const { database, secrets, limits, clock } = cx

  async function open(holder: Holder, address: string) {
    const { root, named } = await ownRoot(database, holder, address)
    const { id: walletId } = root
    return {
      walletId,
      record: openRecord(secrets, rootOwner(walletId), root),
      note: (what: ReleaseKind) =>
        noteRelease(database, holder, { at: clock(), walletId, address: named.address, what }),
    }
  }

  return {
    async material(holder, address) {
      const { record, note } = await open(holder, address)
      const { package: _, ...material } = record
      await note(material.key === undefined ? 'recovery-hint' : 'recovery-key')
      return material
    },

    async package(holder, address) {
      const { record, note, walletId } = await open(holder, address)
      await note('recovery-package')
      return { walletId, method: record.method, package: record.package }
    },

    async newSecret(holder, proof) {
      const secret = randomBytes(32)
      const secretId = randomUUID()
      const now = clock()
      const { appId, userId } = signerOf(holder)
      await database.transaction(async (tx) => {
        const window = { most: limits.recoverySecretsPerHour, span: hour }
        await hit(tx, `recovery secrets ${userId}`, now, hour, [window])
        const sealedSecret = seal(secrets, secretPlace(secretId), secret.toString('base64url'))
        await tx.insert(recoverySecrets).values({ id: secretId, appId, userId, sealedSecret, createdAt: now })
      })
      return { secretId, evaluation: evaluation(secret, proof) }
    },

    async evaluate(holder, address, proof) {
      const { record, note, walletId } = await open(holder, address)
      const { secretId } = record
      if (secretId === undefined)
        throw new Refusal('invalid_state', 'This wallet is not recovered with a password.')
      await database.transaction((tx) => countTry(tx, limits, { userId: holder.userId, walletId }, clock()))
      await note('recovery-evaluation')
      const [row] = await database.select().from(recoverySecrets).where(eq(recoverySecrets.id, secretId))
      // A change was confirmed just now, and took the old secret with it.
      if (!row)
        throw new Refusal('invalid_state', 'This wallet is not recovered with this password any more.')
      const secret = Buffer.from(unseal(secrets, secretPlace(secretId), row.sealedSecret), 'base64url')
      return evaluation(secret, proof)
    },
  }
}
