import { and, asc, desc, eq } from 'drizzle-orm'
import * as v from 'valibot'
import { Refusal } from '../../lib/refusal.ts'
import type { SessionServices } from '../../sessions/services.ts'
import type { App } from '../../settings/app.ts'
import type { RecoveryMethod } from '../../settings/names.ts'
import { address, bytes, passwordProof } from '../../wallets/bodies.ts'
import { ownRoot, type RootRow, type UserSession } from '../../wallets/context.ts'
import { canBeShown, notePresent } from '../../wallets/recovery/present.ts'
import { openRecord } from '../../wallets/recovery/record.ts'
import { createRecovery } from '../../wallets/recovery/recovery.ts'
import { rootOwner } from '../../wallets/sealed-names.ts'
import { recoverySecrets, shareReleases, walletRoots } from '../../wallets/tables.ts'
import { type ProofKind, proofKind } from './proof-kind.ts'
import type { Standing } from './standing.ts'

/** A wallet that the user recovers in a way of their own. */
export interface RecoveryFactor {
  method: RecoveryMethod
  rootAddress: string
  chainType: 'ethereum' | 'solana'
  salt?: string | undefined
  rounds?: number | undefined
  fileId?: string | undefined
  recordName?: string | undefined
}

const factor = v.literal('recovery')
const shown = v.union([
  v.strictObject({ factor, root: address, proof: passwordProof }),
  v.strictObject({ factor, root: address, verifier: bytes(32) }),
])

/** Proofs by a recovery method of the user's own. */
export function createRecoveryProof(deps: SessionServices) {
  const { database, secrets, clock } = deps
  const recovery = createRecovery(deps)

  /** Since when a wallet is recovered as it is now. */
  async function recoveredSoSince({ id, createdAt, recoverySecretId }: RootRow): Promise<number> {
    const { at, walletId, what } = shareReleases
    const [changed] = await database
      .select({ at })
      .from(shareReleases)
      .where(and(eq(walletId, id), eq(what, 'recovery-change')))
      .orderBy(desc(at))
      .limit(1)
    const [secret] = recoverySecretId
      ? await database.select().from(recoverySecrets).where(eq(recoverySecrets.id, recoverySecretId))
      : []
    return Math.max(createdAt, changed?.at ?? 0, secret?.createdAt ?? 0)
  }

  /** Whether a root's recovery says something of the user: a key that a strict app's host keeps is the page's, too. */
  async function isProof(app: App, root: RootRow, standing: Standing): Promise<boolean> {
    if (app.vault === 'strict' && root.recoveryMethod === 'recovery-encryption-key') return false
    return standing.frozenAt === null || standing.counts(await recoveredSoSince(root))
  }

  const kind: ProofKind = proofKind({
    body: shown,
    async prove(session, given, { standing }) {
      const { root } = await ownRoot(database, session, given.root)
      if (!(await isProof(session.app, root, standing)))
        throw new Refusal('enrolment_required', 'This recovery does not show that a browser is yours.')
      const { walletId } = await recovery.check(session, given.root, given)
      return {
        enrolledBy: 'recovery',
        use: (tx, deviceId) => notePresent(tx, { walletId, deviceId }, clock()),
      }
    },
  })

  return {
    kind,
    /** The wallets whose recovery the user can show. */
    async list(
      { app, userId }: Pick<UserSession, 'app' | 'userId'>,
      standing: Standing,
    ): Promise<RecoveryFactor[]> {
      const roots = await database
        .select()
        .from(walletRoots)
        .where(eq(walletRoots.userId, userId))
        .orderBy(asc(walletRoots.createdAt))
      const found: RecoveryFactor[] = []
      for (const root of roots) {
        if (!(await canBeShown(secrets, database, root))) continue
        if (!(await isProof(app, root, standing))) continue
        const { method, salt, rounds, fileId, recordName } = openRecord(secrets, rootOwner(root.id), root)
        const { address: rootAddress, chainType } = root
        found.push({ method, rootAddress, chainType, salt, rounds, fileId, recordName })
      }
      return found
    },
  }
}
